#include "explore/race_reversal.h"

#include <utility>

#include "base/budget.h"

namespace fathom::explore {

void RaceReversal::make(const RacingPair& race, uint32_t until) {
  spend(until - race.first);  // all that lies in between is walked over, here and by the caller
  sequence_.clear();
  before_second_ = 0;
  last_free_ = 0;
  const EventId first = trace_[race.first].id;
  for (uint32_t i = race.first + 1; i < until; ++i) {
    if (trace_.happens_before(first, i)) continue;
    sequence_.push_back(trace_.summary(i));
    last_free_ = i;
    if (i < race.second) ++before_second_;
  }
  second_place_ = sequence_.size();
  if (race.disabled) disabled_summary_ = race.disabled;
  sequence_.push_back(race.disabled ? disabled_summary_ : trace_.summary(race.second));
  sequence_.push_back(trace_.summary(race.first));
  if (race.observer == kNoIndex) return;
  for (uint32_t i = race.first + 1; i < until; ++i) {
    if (i == race.second || i == race.observer || !trace_.happens_before(first, i)) continue;
    if (i > race.observer && trace_.happens_before(race.observer, i)) continue;
    sequence_.push_back(trace_.summary(i));
  }
  observer_ = trace_[race.observer].copy(trace_.copies());
  observer_->taken = trace_[race.second].id;
  observer_->taken_at = race.second;
  observer_summary_ = observer_.get();
  sequence_.push_back(observer_summary_);
}

void RaceReversal::take_events(uint32_t from) {
  sequence_.clear();
  for (uint32_t i = from; i < trace_.size(); ++i) sequence_.push_back(trace_.summary(i));
}

void TentativeReversals::add(uint32_t depth, uint64_t key, Item item) {
  std::unique_ptr<State>& state = states_[depth];
  if (!state) state = std::make_unique<State>();
  if (state->keys.insert(key).second) state->items.push_back(std::move(item));
}

std::vector<TentativeReversals::Item> TentativeReversals::take(uint32_t depth) {
  return std::exchange(states_[depth]->items, {});
}

}  // namespace fathom::explore
