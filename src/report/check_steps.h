// Which steps of an interleaving are worth a line, for whoever shows it: the text, and the
// charts.
//
// A step of OTP's own code says little to who looks for a mistake of his own, so rows of them
// are folded; a long interleaving is shown at its beginning, at its end, and around the race;
// an endless one up to where it repeats itself. The racing steps and the last one always
// stand for themselves. Linear in the steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/source.h"
#include "explore/findings.h"

namespace fathom::report {

struct StepGroup {
  enum class Kind : uint8_t {
    Step,     // one
    Library,  // steps of OTP's code
    Omitted,  // any steps
    Repeats,  // those of the loop before it, again and again
  };
  Kind kind = Kind::Step;
  size_t begin = 0;
  size_t end = 0;

  size_t size() const { return end - begin; }
};

struct StepOptions {
  bool fold_library = true;
  size_t most = 120;  // single steps
};

std::vector<StepGroup> group_steps(const explore::Error& error, const StepOptions& options);

bool is_racing(const explore::Error& error, size_t step);
inline bool is_last(const explore::Error& error, size_t step) {
  return step + 1 == error.trace.size();
}
// In the part that repeats, where it is shown.
bool is_in_loop(const explore::Error& error, size_t step);

// "server ! {inc,P} → raises error: badarg"; "call get to P.1"
std::string step_text(const explore::TraceStep& step);
// Where the step stands for its reader: OTP's code has no text here, but the program's own that
// has called it does.
const machine::Place& step_place(const explore::TraceStep& step);
// "t.erl:3:5"; without a text the function says more than the file: "in gen:call/4, line 256".
std::string step_place_text(const explore::TraceStep& step, const SourceMap& sources);
// A message as its sender meant it: "call get" for what gen_server:call sends, "cast x",
// "reply 1"; any other as it is. Only OTP's code sends such.
std::string message_text(const explore::TraceStep& step);
// What went wrong, in one sentence.
std::string error_sentence(const explore::Error& error);

}  // namespace fathom::report
