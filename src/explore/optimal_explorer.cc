#include "explore/optimal_explorer.h"

#include <utility>

#include "base/budget.h"

namespace fathom::explore {

// The tree of the state is what was left of the branch that has led there: next() has put it where
// the next state will look for it. So the tree of the state itself is left as it is, but there
// has to be a place for that of the one after it.
void OptimalExplorer::enter() {
  ReducingExplorer::enter();
  const Depth depth = execution_.depth();
  states_.enter(depth + 1);
  states_[depth].reversal.reset();
}

// Branches of the wake-up tree first. A fresh state without one may go on as it likes; where the
// search has come back to and the tree is empty, nothing is left.
//
// The first event of a branch is always enabled if the dependence relation is right. If it is not,
// the branch is dropped and counted, and the verdict says so: it is better than to fail.
Explorer::Next OptimalExplorer::next(bool is_fresh) {
  const Depth depth = execution_.depth();
  State& state = states_[depth];
  while (!state.wakeup.empty()) {
    WakeupTree& below = states_[depth + 1].wakeup;
    const WakeupTree::First first = state.wakeup.take_first(tree_nodes_, below);
    state.reversal = first.reversal;
    if (execution_.is_enabled(first.actor)) return {first.actor};
    // Unless nothing is, and time has to pass.
    if (is_fresh && let_time_pass() && execution_.is_enabled(first.actor)) return {first.actor};
    ++statistics_.impossible;
    below.clear(tree_nodes_);
  }
  return is_fresh ? first_choice() : Next{};
}

// ---- Races ------------------------------------------------------------------

// Races of the part that this execution shares with the one before were reversed then, but what is
// new after them may change what reverses them. So first those, as far as that is possible at all,
// then the races of the fresh part.
void OptimalExplorer::ended(EventIndex fresh_from) {
  skips_equal_ = equals_.orders_are_irrelevant();
  reverse_processed(fresh_from);
  execution_.trace().find_races(fresh_from, races_);
  for (const RacingPair& race : races_) reverse(race);
}

void OptimalExplorer::reverse(const RacingPair& race) {
  if (is_polling(race)) return;
  if (race.is_equal_message && skips_equal_) {
    ++statistics_.skipped_equal;
    processed_.push_back({race, kNoEvent, nullptr, false, true});
    return;
  }
  ReducingExplorer::reverse(race, end_without_halt());
}

// The races that were processed in the execution before, and are still part of this one: all their
// events are in the part that the two share. They need not be races any more, since a receive in
// the fresh part may have observed an order; they are kept even so, since in the next execution
// they may be races again.
void OptimalExplorer::reverse_processed(EventIndex fresh_from) {
  std::swap(processed_, processed_before_);
  processed_.clear();
  for (const ProcessedRace& processed : processed_before_) {
    const RacingPair& race = processed.race;
    if (race.last() >= fresh_from) continue;
    spend(execution_.trace().end() - fresh_from);
    if (is_unchanged(processed, fresh_from) || !execution_.trace().is_race(race)) {
      processed_.push_back(processed);
    } else {
      reverse(race);
    }
  }
}

// Whether all that there is to do about the race was done when it was last considered: the sequence
// that reverses it is the same, or what sleeps is a weak initial of the new one as well.
//
// The sequence is made of the events that do not happen after the first event of the race. It is
// the same if there are none of those in the part that was replaced (last_free) and none in the
// fresh part. A sleeper that is not part of the sequence is a weak initial of the new one if it
// commutes with all that is fresh: the filters are enough to be sure of that.
bool OptimalExplorer::is_unchanged(const ProcessedRace& processed, EventIndex fresh_from) const {
  if (processed.is_equal) return skips_equal_;
  if (processed.is_settled) return true;
  const Trace& trace = execution_.trace();
  bool is_woken = false;
  bool has_free = exists(processed.last_free) && processed.last_free >= fresh_from;
  const EventId first = trace[processed.race.first].id;
  for (EventIndex i = fresh_from; i < trace.end(); ++i) {
    const AccessFilter& filter = trace.summary(i).filter;
    is_woken = is_woken || (processed.sleeper && processed.sleeper->filter.may_conflict(filter));
    has_free = has_free || !trace.happens_before(first, i);
  }
  return !has_free || (processed.sleeper && !is_woken);
}

// Where the sequence is to be explored: from the state before the first event of the race. If an
// event sleeps there that is a weak initial of the sequence, an equivalent execution was explored
// from there. Records of the sequence are copied, since the tree outlives the execution.
void OptimalExplorer::add_sequence(Depth depth, const RacingPair* race, const Reversal& reversal) {
  const SleepSets::Sleeper sleeper = sleep_sets_.find_initial(depth, reversal_.sequence());
  if (race) add_processed(*race, sleeper);
  if (sleeper.event) return;
  states_[depth].wakeup.insert(tree_nodes_, execution_.dependence(), depth, reversal_.sequence(),
                               reversal, [&](const Record& r) {
                                 return r.persistent_copy(execution_.trace().copies(),
                                                          execution_.mark(depth),
                                                          execution_.machine().heap().top());
                               });
}

// A sleeper that leads to the second event is a weak initial however the execution goes on. One
// that is not part of the sequence is one as long as nothing wakes it up.
void OptimalExplorer::add_processed(const RacingPair& race, const SleepSets::Sleeper& sleeper) {
  const bool is_settled = sleeper.event && reversal_.is_needed(sleeper.place);
  const bool is_apart = sleeper.event && sleeper.place == reversal_.sequence().size();
  processed_.push_back(
      {race, reversal_.last_free(), is_apart ? sleeper.event->event.record : nullptr, is_settled});
}

}  // namespace fathom::explore
