// Which steps of an interleaving are worth a line, in the text and in the
// charts.
//
// A step of OTP's own code says little about a mistake in the program, so rows of them
// are folded, unless the program's own code has asked for them (a call, its answer, a start); what
// comes after the error is left out; a long interleaving is shown at its beginning, at its end, and
// around what is marked; an endless one up to where it repeats itself. Marked steps always stand
// for themselves; ends of processes are not folded. Linear in the steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/source.h"
#include "explore/findings.h"
#include "report/text.h"

namespace fathom::report {

struct StepGroup {
  enum class Kind : uint8_t {
    Step,     // one
    Library,  // steps of OTP's code
    Omitted,  // any steps
    Again,    // those of a process that repeat the one before it
    Repeats,  // those of the loop before it, again and again
  };
  Kind kind = Kind::Step;
  size_t begin = 0;
  size_t end = 0;

  size_t size() const { return end - begin; }
};

struct StepOptions {
  bool brief = true;  // OTP's code folded, nothing after the error
  size_t most = 120;  // single steps
};

std::vector<StepGroup> group_steps(const explore::Finding& finding, const StepOptions& options);

// What is special about a step.
enum class StepMark : uint8_t {
  None,
  Race,  // one of the two whose order makes the difference
  Fail,  // it ends the process that the error is about
  Last,  // of an error that is not the end of a process
  Loop,  // in the part that repeats, where that is shown
};
StepMark step_mark(const explore::Finding& finding, size_t step);
std::string_view mark_word(StepMark mark);  // "race", "fail", "last", "loop" or nothing
// Fail, or Last: there it goes wrong.
inline bool is_bad(StepMark mark) { return mark == StepMark::Fail || mark == StepMark::Last; }
inline Color mark_color(StepMark mark) {
  if (is_bad(mark)) return Color::Bad;
  return mark == StepMark::Race ? Color::Warning : Color::None;
}

// "server ! {inc,P} → raises error: badarg"; "call get to P.1"
std::string step_text(const explore::TraceStep& step);
// Where the step stands for its reader: OTP's code has no text here, but the program's own that
// has called it does.
const Place& step_place(const explore::TraceStep& step);
// "t.erl:3:5"; without a text the function says more than the file: "in gen:call/4, line 256".
std::string step_place_text(const explore::TraceStep& step, const SourceMap& sources);
// "via gen_server:call/2": by what the program's own code has led there; empty for its own steps.
std::string via_text(const explore::TraceStep& step);
// Whether it is part of how OTP's behaviours start a process, except for the spawn itself.
bool is_start_up(const explore::TraceStep& step);
// The names under which processes were registered, by the process; in the order of the steps.
std::vector<std::pair<std::string, std::string>> registered_names(const explore::Finding& finding);
// References are #Ref<1>, #Ref<2>, … in the order in which they appear, instead of their numbers.
void shorten_references(explore::Finding& finding);
// A message as its sender meant it: "call get" for what gen_server:call sends, "cast x",
// "reply 1"; any other as it is. Only OTP's code sends such.
std::string message_text(const explore::TraceStep& step);
// What went wrong, in one sentence.
std::string finding_sentence(const explore::Finding& finding);

}  // namespace fathom::report
