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
      explorer_(make_explorer(execution_, options)) {}

void Search::run() {
  const machine::Machine::Mark beginning = machine_.mark();
  // The plain search assumes nothing, so it never restarts. Where delivery is not instant, the exit
  // of a process is seen by the signals that are on their way to it.
  const bool is_plain = options_.algorithm == Algorithm::None;
  if (is_plain) machine_.events().record_changes();
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

void Search::explore() {
  try {
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
  fresh_from_ = 0;
  statistics_ = {};
  execution_.actors().assumptions().restart();
  is_over_ = !ended_(*this, Ending::Restart);
}

// ---- Steps ------------------------------------------------------------------

void Search::enter() {
  const uint32_t depth = execution_.depth();
  if (depth >= branches_.size()) branches_.resize(depth + 1);
  branches_[depth] = 0;
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
  if (was_fresh && execution_.depth() >= options_.max_depth) {
    finish(Ending::Cut);
    explorer_->cut();
    return backtrack();
  }
  const Explorer::Next next = explorer_->next(was_fresh);
  if (exists(next.actor)) return advance(next.actor);
  if (was_fresh) finish(next.is_blocked ? Ending::Blocked : Ending::Complete);
  backtrack();
}

void Search::advance(ActorId actor) {
  ++statistics_.events;
  ++branches_[execution_.depth()];
  RecordPtr record = execution_.perform(actor);
  explorer_->performed(actor, *record);
  execution_.push(std::move(record));
  enter();
}

// All from here has been explored: back to the last state from which not all has.
void Search::backtrack() {
  RecordPtr record;
  do {
    if (execution_.depth() == 0) {
      is_over_ = true;
      return;
    }
    record = execution_.retreat();
  } while (!explorer_->has_pending(execution_.depth()));
  fresh_from_ = std::min(fresh_from_, execution_.depth());
  explorer_->explored(std::move(record));
  execution_.rewind();
  explorer_->returned();
}

void Search::finish(Ending ending) {
  ++(ending == Ending::Blocked ? statistics_.blocked : statistics_.interleavings);
  // An execution that was cut is long, and may be the last.
  const bool is_long = ending == Ending::Cut;
  if (!is_long) explorer_->ended(fresh_from_);
  is_over_ = !ended_(*this, ending);
  if (is_long && !is_over_) explorer_->ended(fresh_from_);
  fresh_from_ = execution_.depth();
}

// ---- What there is left -----------------------------------------------------

const Reversal* Search::last_reversal() const {
  for (uint32_t i = execution_.depth(); i-- > 0;) {
    if (const Reversal* reversal = explorer_->reversal(i)) return reversal;
  }
  return nullptr;
}

uint64_t Search::pending() const {
  uint64_t count = 0;
  for (uint32_t i = 0; i <= execution_.depth(); ++i) count += explorer_->pending(i);
  return count;
}

double Search::explored_part() const {
  double part = 0;
  double weight = 1;
  for (uint32_t i = 0; i < execution_.depth(); ++i) {
    const double all = branches_[i] + static_cast<double>(explorer_->pending(i));
    part += weight * (branches_[i] - 1) / all;
    weight /= all;
  }
  return part + weight;
}

}  // namespace fathom::explore
