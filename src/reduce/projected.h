// The schedule of an interleaving without the steps that a slice has not.
//
// A step stays if its place is in the text of the slice and its process is started there. Processes
// have the names that they get in the slice: P.3 is P.1 if those before it are not started. What
// OTP's code does for a message whose sender is gone goes too. It ends where the process fails:
// what comes after is left to itself.
//
// The result may not fit the slice (a slice may do more than the original, where that has ended);
// following it says so.
#pragma once

#include <vector>

#include "explore/findings.h"
#include "slice/slice.h"

namespace fathom::reduce {

struct Projection {
  explore::Schedule schedule;
  std::vector<size_t> steps;  // by step of the original's trace: that of the slice, or kNoStep
};

// What cannot be told from the trace.
struct ProjectionGuess {
  bool keeps_exiting = true;  // processes that end still have the tables and names to give up
  bool keeps_library = true;  // steps of OTP's code of which it is not known who called it
};
// `original` has a schedule, and a trace of the same events.
Projection projected(const explore::Finding& original, const slice::Slice& slice,
                     const SourceMap& sources, ProjectionGuess guess);

}  // namespace fathom::reduce
