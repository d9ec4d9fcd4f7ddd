// Whether a node cannot end in an exception, by the values that the flow analysis has for what it
// reads: `N + 1` of an integer, `hd(L)` of a list that is not empty, a receive after 100.
//
// Safe: what is not understood, or has values that are not known, may raise. Integers that are too
// large for the machine count as no exception.
#pragma once

#include "flow/analysis.h"

namespace fathom::slice {

bool never_raises(const flow::Analysis& analysis, flow::InstanceId instance, core::NodeId node);

}  // namespace fathom::slice
