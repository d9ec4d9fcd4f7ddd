// A check: whether any interleaving of a test goes wrong.
//
// The search runs every interleaving to its end; here the last state of each is looked at:
// processes that have exited abnormally, processes that wait for what nobody will send, halt.
// Without keep_going the first finding is enough; but if every interleaving before had it, a few
// more are run to find one that does not, since the two differ by the reversal of a race, which
// explains the finding (Finding::race).
//
// The verdict is `clean` only if the search has explored everything, without any bound that cut
// something off and without anything that the machine could not do.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "explore/findings.h"
#include "explore/search.h"

namespace fathom::explore {

struct CheckOptions {
  SearchOptions search;
  uint64_t max_interleavings = UINT64_MAX;
  bool keep_going = false;
  bool assertions_only = false;     // of exceptions, those of ?assert… only
  bool first_process_only = false;  // findings of other processes do not count
  bool strict_end = false;          // a behaviour that is idle at the end is stuck
  bool allow_leftover = false;      // nothing that waits after the test's end counts
  std::vector<std::string> normal;  // reasons of exits that are not findings, as ~p prints them
  std::vector<FindingKind> ignored;
  bool wants_tree = false;
  // Called now and then.
  std::function<void(const Progress&)> progress;
};

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
