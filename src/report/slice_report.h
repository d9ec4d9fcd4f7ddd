// What `fathom slice` shows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/source.h"
#include "reduce/failure.h"
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
// Why a node is in the slice: one line for each step to the criterion.
std::string slice_reasons(const SliceResult& result, const std::vector<slice::Link>& chain);

}  // namespace fathom::report
