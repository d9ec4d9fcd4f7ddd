// Which tests of patterns and guards can fail, and what is left then.
//
// The flow analysis says which values a test can meet. If all of them pass, the test decides
// nothing: {L, C} where only pairs come, =:= of values that are the same constant. What is known of
// the whole is used for its parts: of tuples with three elements only those are looked at whose
// first element passed.
//
// Where a test fails after others of its clause have passed, a later clause that asks the contrary
// of what passed, or again what failed, does not take the value either. If no clause is left the
// failure leads nowhere: after `[pop | Cs]` has matched, no clause for `[push | Cs]` will.
//
// Safe: what is not understood may fail, and may lead to the next clause.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "flow/analysis.h"

namespace fathom::slice {

struct TestOutcomes {
  std::unordered_set<core::NodeId> never_fail;
  std::unordered_set<core::NodeId> fail_for_good;    // no later clause takes what they refuse
  std::unordered_set<core::RegionId> never_entered;  // bodies of clauses, and where none takes it
};

// The dispatches of the facts by node, of one instance.
using Dispatches = std::unordered_map<core::NodeId, size_t>;

// Of the function, as `instance` of the analysis.
TestOutcomes outcomes_of_tests(const flow::Analysis& analysis, flow::InstanceId instance,
                               const Dispatches& dispatches);

}  // namespace fathom::slice
