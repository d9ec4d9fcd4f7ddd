// A check: whether any interleaving of a test goes wrong.
//
// The search runs every interleaving to its end; here the last state of each is examined for
// processes that have exited abnormally, processes that wait for what nobody will send, halt.
// Without keep_going the first finding is enough; but if every interleaving before had it, a few
// more are run to find one that does not, since the two differ by the reversal of a race, which
// explains the finding (Finding::race).
//
// The verdict is `clean` only if the search has explored everything, without any bound that cut
// something off and without anything that the machine could not do.
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "explore/check_options.h"
#include "explore/findings.h"
#include "machine/machine.h"

namespace fathom::explore {

// Of module:function(arguments), which the machine has not started yet; its mode is kSearchMode,
// perhaps with more. `name`: for the result.
CheckResult check(machine::Machine& m, Atom module, Atom function,
                  std::span<const machine::Value> arguments, std::string name,
                  const CheckOptions& options);

// The same for one interleaving: that of the schedule (replay.h). An error: it does not fit, and
// where.
Result<CheckResult> replay(machine::Machine& m, Atom module, Atom function,
                           std::span<const machine::Value> arguments, std::string name,
                           const CheckOptions& options, const Schedule& schedule);

}  // namespace fathom::explore
