#include "explore/optimal_explorer.h"

#include <utility>

#include "base/budget.h"

namespace fathom::explore {

// The tree of the state is what was left of the branch that has led there.
void OptimalExplorer::enter() {
  ReducingExplorer::enter();
  const uint32_t depth = execution_.depth();
  states_.enter(depth + 1);
  states_[depth].reversal.reset();
}

Explorer::Next OptimalExplorer::next(bool is_fresh) {
  const uint32_t depth = execution_.depth();
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

void OptimalExplorer::ended(uint32_t fresh_from) {
  skips_equal_ = equals_.orders_are_irrelevant();
  reverse_processed(fresh_from);
  execution_.trace().find_races(fresh_from, races_);
  for (const RacingPair& race : races_) reverse(race);
}

void OptimalExplorer::reverse(const RacingPair& race) {
  if (is_polling(race)) return;
  if (race.is_equal_message && skips_equal_) {
    ++statistics_.skipped_equal;
    processed_.push_back({race, 0, nullptr, false, true});
    return;
  }
  ReducingExplorer::reverse(race, end_without_halt());
}

void OptimalExplorer::reverse_processed(uint32_t fresh_from) {
  std::swap(processed_, processed_before_);
  processed_.clear();
  for (const ProcessedRace& processed : processed_before_) {
    const RacingPair& race = processed.race;
    if (race.last() >= fresh_from) continue;
    spend(execution_.trace().size() - fresh_from);
    if (is_unchanged(processed, fresh_from) || !execution_.trace().is_race(race)) {
      processed_.push_back(processed);
    } else {
      reverse(race);
    }
  }
}

// Whether all that there is to do about the race was done when it was last looked at: the sequence
// that reverses it is the same, or what sleeps is a weak initial of the new one as well.
bool OptimalExplorer::is_unchanged(const ProcessedRace& processed, uint32_t fresh_from) const {
  if (processed.is_equal) return skips_equal_;
  if (processed.is_settled) return true;
  const Trace& trace = execution_.trace();
  bool is_woken = false;
  bool has_free = processed.last_free >= fresh_from;
  const EventId first = trace[processed.race.first].id;
  for (uint32_t i = fresh_from; i < trace.size(); ++i) {
    const AccessFilter& filter = trace.summary(i).filter;
    is_woken = is_woken || (processed.sleeper && processed.sleeper->filter.may_conflict(filter));
    has_free = has_free || !trace.happens_before(first, i);
  }
  return !has_free || (processed.sleeper && !is_woken);
}

void OptimalExplorer::add_sequence(uint32_t depth, const RacingPair* race,
                                   const Reversal& reversal) {
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
