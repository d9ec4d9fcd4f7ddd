// All interleavings of a program, up to equivalence: a depth-first search over which actor acts
// next, on a machine that goes back.
//
// Executions that differ only in the order of events that commute (dependence.h) are equivalent:
// they lead to the same states. It is enough to explore one execution of each class. Three
// algorithms decide what to explore:
//
//   Optimal  each class once, with wake-up trees (optimal_explorer.h)
//   Source   each class at least once, with source sets (source_explorer.h)
//   None     all executions, or those within a bound (plain_explorer.h)
//
// Of the later algorithms, those that do without trees (TruSt, POPL 2022; parsimonious race
// reversal, CAV 2024) save memory where executions are run again from the beginning. Here a machine
// goes back to the state in question anyway, and the trees hang on the current execution only:
// memory is that of one execution and of what is still to be explored from it.
//
// A worked example: P = self(), spawn(fun() -> P ! a end), spawn(fun() -> P ! b end), receive X ->
// X end. The first execution, by its actors, is
//
//   P: spawn   P: spawn   P.1: ! a   P.2: ! b   P: receive a
//
// The receive could have taken b as well, so it has observed the order of the two sends, and they
// race. What reverses the race starts from the state before P.1: ! a, and is P.2: ! b, P.1: ! a,
// P: receive b. It becomes the wake-up tree of that state. The search goes back there, puts P.1: !
// a to sleep, follows the tree, and finds no further races: two executions, for two classes.
//
// The search restarts when one of its assumptions turns out to be wrong (assumptions.h): all that
// was reported so far is void then, which the listener learns by Ending::Restart.
//
// Cost: of a class, the events after the state at which it branches off, and for each race in them
// the length of the execution after its first event. A race in what comes before costs the length
// of what is new, and more only if something new can come of it.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "explore/execution.h"
#include "explore/explorer.h"
#include "explore/late_signals.h"

namespace fathom::explore {

// How an execution ended.
enum class Ending : uint8_t {
  Complete,  // nothing can happen any more, or the machine has an outcome (halt)
  Failed,    // the machine could not go on: something is not modelled, or a limit was met
  Cut,       // at the depth bound
  Blocked,   // it would only repeat what was explored
  Restart,   // not an execution: the search restarts, and nothing reported so far counts
};

class Search {
 public:
  // The machine must be observed, and must have started its first process. `ended` is called at
  // the end of each execution; false: enough.
  using Listener = std::function<bool(const Search&, Ending)>;
  Search(machine::Machine& m, const SearchOptions& options, Listener ended);

  // Until all is explored, the listener has enough, or the thread's budget is spent; then the
  // machine cannot be used any more.
  void run();

  // Whether that was because the budget is spent.
  bool is_out_of_budget() const { return is_out_of_budget_; }

  const Execution& execution() const { return execution_; }
  // From this event on the execution is not the one before it.
  EventIndex fresh_from() const { return fresh_from_; }
  // The last of its events at which the current execution has parted from the one before: which
  // two events it has reversed. Null: none.
  const Reversal* last_reversal() const;

  struct Statistics {
    uint64_t interleavings = 0;  // executions that were complete, failed or cut
    uint64_t blocked = 0;
    uint64_t events = 0;
  };
  const Statistics& statistics() const { return statistics_; }
  const Explorer::Statistics& explorer() const { return explorer_->statistics(); }
  // About which part of all executions has been explored, from what is known so far.
  double explored_part() const;
  // Branches of the current execution that are still to be explored, as far as they are known.
  uint64_t pending() const;

 private:
  void explore();
  void restart();
  void step();
  bool is_fresh() const { return branches_[execution_.depth()] == 0; }
  void enter();
  void advance(ActorId actor);
  void backtrack();
  void finish(Ending ending);
  void find_late_signals();

  machine::Machine& machine_;
  SearchOptions options_;
  Listener ended_;
  Execution execution_;
  std::unique_ptr<Explorer> explorer_;
  LateSignals late_signals_;
  PerState<uint32_t> branches_;  // how many were explored, with the current one
  EventIndex fresh_from_{};
  bool is_over_ = false;
  bool is_out_of_budget_ = false;
  Statistics statistics_;
};

}  // namespace fathom::explore
