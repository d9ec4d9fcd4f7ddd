#include "explore/search.h"

#include <algorithm>
#include <utility>

#include "base/budget.h"

namespace fathom::explore {

Search::Search(machine::Machine& m, const SearchOptions& options, Listener ended)
    : machine_(m),
      options_(options),
      ended_(std::move(ended)),
      execution_(m, options.patience),
      explorer_(make_explorer(execution_, options)),
      late_signals_(execution_.trace(), execution_.actors()) {}

// The first state of the program stays marked until the search is over: a restart goes back to it,
// and so does the end, so that the machine is as it was.
void Search::run() {
  const machine::Machine::Mark beginning = machine_.mark();
  // In the plain search everything is tried, exits too. Where delivery is not instant, the exit of
  // a process is seen by the signals that are on their way to it.
  const bool is_plain = options_.algorithm == Algorithm::None;
  if (!is_plain && !machine_.mode().delays_delivery) {
    execution_.actors().assumptions().allow_invisible_exits();
  }
  explore();
  while (!is_over_) {
    machine_.rewind(beginning);
    restart();
    explore();
  }
  // A search that was broken off may have been so in the middle of a change of the execution; nor
  // is there time left to go back.
  if (is_out_of_budget_) return;
  execution_.clear();
  machine_.rewind(beginning);
  machine_.release();
}

// A budget that is spent shows as an exception from wherever the thread was working: in the
// machine, in the trace, in the explorer.
void Search::explore() {
  try {
    execution_.actors().assumptions().begin();
    execution_.begin();
    enter();
    while (!is_over_ && !execution_.actors().assumptions().needs_restart()) step();
  } catch (const BudgetSpent&) {
    is_out_of_budget_ = is_over_ = true;
  }
}

// Nothing is left of what was explored but what was learnt about the assumptions.
void Search::restart() {
  execution_.clear();
  explorer_ = make_explorer(execution_, options_);
  fresh_from_ = {};
  statistics_ = {};
  execution_.actors().assumptions().restart();
  is_over_ = !ended_(*this, Ending::Restart);
}

// ---- Steps ------------------------------------------------------------------
//
// A step is one move in the tree of executions: forward by an event, or, where nothing is left,
// back. A state is fresh when it is entered; only in a fresh state can an execution end.
//
//   fresh      outcome, depth bound, nothing is enabled or awake   the execution ends; back
//   fresh      the explorer names an actor                         forward
//   returned   the explorer names an actor                         forward, on another branch
//   returned   it names none                                       back

void Search::enter() {
  branches_.enter(execution_.depth()) = 0;
  explorer_->enter();
}

void Search::step() {
  constexpr int64_t kStepWork = 100;  // see spend()
  spend(kStepWork);
  const bool was_fresh = is_fresh();
  if (was_fresh && machine_.outcome) {
    const bool is_halt = machine_.outcome->kind == machine::Outcome::Kind::Halt;
    finish(is_halt ? Ending::Complete : Ending::Failed);
    return backtrack();
  }
  if (was_fresh && execution_.depth() >= Depth{options_.max_depth}) {
    finish(Ending::Cut);
    explorer_->cut();
    return backtrack();
  }
  const Explorer::Next next = explorer_->next(was_fresh);
  if (exists(next.actor)) return advance(next.actor);
  if (was_fresh) finish(next.is_blocked ? Ending::Blocked : Ending::Complete);
  backtrack();
}

// The explorer sees the event before it is part of the execution: it may have the machine go back,
// try other events instead, and perform this one again (disabled_events.h).
void Search::advance(ActorId actor) {
  ++statistics_.events;
  ++branches_[execution_.depth()];
  RecordPtr record = execution_.perform(actor);
  explorer_->performed(actor, *record);
  execution_.push(std::move(record));
  enter();
}

// All from here has been explored: back to the last state from which not all has. The machine goes
// back once, to that state, not to each of those between. `record` is the event by which the
// execution left that state: it has now been explored from there, and goes to sleep.
void Search::backtrack() {
  if (execution_.actors().assumptions().needs_restart()) return;
  RecordPtr record;
  do {
    if (execution_.depth() == Depth{}) {
      is_over_ = true;
      return;
    }
    record = execution_.retreat();
  } while (!explorer_->has_pending(execution_.depth()));
  fresh_from_ = std::min(fresh_from_, execution_.trace().end());
  explorer_->explored(std::move(record));
  execution_.rewind();
  explorer_->returned();
}

void Search::finish(Ending ending) {
  ++(ending == Ending::Blocked ? statistics_.blocked : statistics_.interleavings);
  // An execution that was cut is long, and so is the work on its races. It may be the last one, if
  // the listener has enough of it: then that work is for nothing.
  const bool is_long = ending == Ending::Cut;
  if (!is_long) explorer_->ended(fresh_from_);
  is_over_ = !ended_(*this, ending);
  if (is_long && !is_over_) explorer_->ended(fresh_from_);
  if (!is_over_) find_late_signals();
  fresh_from_ = execution_.trace().end();
}

void Search::find_late_signals() {
  if (!options_.delays_where_seen || machine_.mode().delays_delivery) return;
  std::vector<machine::Channel> late;
  late_signals_.find(fresh_from_, late);
  for (const machine::Channel& channel : late) execution_.actors().assumptions().note_late(channel);
}

// ---- What there is left -----------------------------------------------------

// The last state in which the execution did not go on as it liked, but as a reversal demanded.
const Reversal* Search::last_reversal() const {
  for (Depth i = execution_.depth(); i > Depth{};) {
    if (const Reversal* reversal = explorer_->reversal(--i)) return reversal;
  }
  return nullptr;
}

uint64_t Search::pending() const {
  uint64_t count = 0;
  for (Depth i{}; i <= execution_.depth(); ++i) count += explorer_->pending(i);
  return count;
}

// As if all branches of a state led to equally many executions. Then with b branches known in the
// first state, of which the search is in the n-th, (n - 1) / b of the tree are done, and the state
// after it is the root of 1 / b of the tree; and so on along the current execution, whose end is
// what remains.
//
// Example: the first state has two branches, the search is in the second; the next state on the way
// has four, the search is in the first of them. Then 1/2 + 0 + 1/8 of the tree has been explored.
//
// It is too high while branches are not known yet, which is when few executions have been explored.
double Search::explored_part() const {
  double part = 0;
  double weight = 1;
  for (Depth i{}; i < execution_.depth(); ++i) {
    const double all = branches_[i] + static_cast<double>(explorer_->pending(i));
    part += weight * (branches_[i] - 1) / all;
    weight /= all;
  }
  return part + weight;
}

}  // namespace fathom::explore
