// The schedule of an interleaving without the steps that a slice has not.
//
// A step stays if its place is in the text of the slice and its process is started there. Processes
// have the names that they get in the slice: P.3 is P.1 if those before it are not started. What
// OTP's code does for a message whose sender is gone goes too.
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

// `original` has a schedule, and a trace of the same events.
Projection projected(const explore::Finding& original, const slice::Slice& slice,
                     const SourceMap& sources);

}  // namespace fathom::reduce
