// Slices of values in given executions: what of the program led to the values that a criterion has
// in these calls, and not what might in others.
//
// Idea: the calls are run with a counter before every node. The dependences are those of the
// program, without what was not executed. The slice is run on the calls in turn; if it does not
// show the values of the original (another order of processes, since some of their steps are gone),
// the slice for all executions is taken.
//
// Cost: two runs of the calls, a flow analysis and a slice.
// Limits: an expression that was executed counts wherever its value may have gone, not where it
// went; time and order are those of one run.
#pragma once

#include <functional>

#include "reduce/executed.h"
#include "reduce/oracle.h"
#include "slice/reasons.h"

namespace fathom::reduce {

struct ExecutionQuestion {
  std::vector<session::Expression> calls;
  // The criteria in a model of the program.
  std::function<Result<std::vector<slice::Located>>(const slice::Model&)> locate;
  slice::Precision precision = slice::Precision::Fields;
  bool notes_dependences = false;
};

struct ExecutionSlice {
  slice::Slice slice;
  slice::Reasons reasons;
  size_t values = 0;             // of the criteria, in all calls
  bool is_of_execution = false;  // else of all executions
};

// An error: no call comes to a criterion, or its values cannot be shown, or the slice shows others.
Result<ExecutionSlice> slice_of_execution(session::Session& session, const std::vector<Atom>& own,
                                          ExecutionQuestion question);

}  // namespace fathom::reduce
