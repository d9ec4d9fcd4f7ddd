// What `fathom slice` shows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/source.h"
#include "reduce/failure.h"
#include "slice/reasons.h"
#include "slice/slice.h"

namespace fathom {
class JsonWriter;
}

namespace fathom::report {

// A slice was run beside the original.
struct SliceRuns {
  size_t calls = 0;
  size_t values = 0;  // of the criteria, in the original
  bool is_minimal = false;
  bool is_of_execution = false;  // the slice is of these calls alone
  size_t candidates = 0;
  size_t executed = 0;
  double seconds = 0;
};

struct SliceResult {
  const slice::Slice& slice;
  const SourceMap& sources;
  std::vector<std::string> criteria;  // as given
  double seconds = 0;
  double graph_seconds = 0;  // of that: for the dependences, after the flow analysis
  double slice_seconds = 0;  // of that: for the slice
  std::optional<SliceRuns> runs = {};
};

// What of a program led to a failure.
struct FailureResult {
  const reduce::FailureSlice& failure;
  const SourceMap& sources;
  std::string call;
  double seconds = 0;
};
// The slice as a program, and in comments how it fails, step by step.
std::string failure_slice_text(const FailureResult& result);
std::string failure_slice_json(const FailureResult& result);

// The slice as a program; if it is of several files, each after a comment with its name.
std::string slice_text(const SliceResult& result);
std::string slice_text(const slice::Slice& slice);
// The whole program, with what is not in the slice dimmed.
std::string slice_shown(const SliceResult& result, bool has_color);
std::string slice_json(const SliceResult& result);
// The field "slice": its modules, with their texts.
void write_modules(JsonWriter& json, const slice::Slice& slice);
// Without blanks at both ends; they say nothing.
slice::TextRange trimmed(slice::TextRange range, std::string_view text);

// From the program to the slice, as a unified diff.
std::string slice_diff(const slice::Slice& slice, const SourceMap& sources);

// The step of the smallest place there that is in the slice; none: nothing there is.
uint32_t reason_at(const slice::Slice& slice, const slice::Reasons& reasons,
                   const SourceMap& sources, const core::Module& module, LineColumn at);
// Why the step is in the slice: one line for each step to the criterion.
std::string slice_reasons(const slice::Reasons& reasons, uint32_t step,
                          const std::vector<std::string>& criteria, const SourceMap& sources);
// The text of a step on one line, cut if it is long.
std::string reason_text(const slice::ReasonStep& step, const SourceMap& sources);

// A page: the whole program with what is not in the slice dimmed. A click on a place shows why it
// is there.
struct SlicePage {
  const slice::Slice& slice;
  const slice::Reasons& reasons;  // may be empty
  const SourceMap& sources;
  std::vector<std::string> criteria;
  std::string question;                 // "What influences …"
  std::string conclusion = {};          // "t() still fails: …"; or empty
  std::vector<std::string> steps = {};  // of the schedule
};
std::string slice_html(const SlicePage& page);
SlicePage failure_page(const FailureResult& result);

// A picture in DOT: a box for each place of the slice, an arrow to what needs it.
std::string slice_dot(const slice::Reasons& reasons, const SourceMap& sources);

}  // namespace fathom::report
