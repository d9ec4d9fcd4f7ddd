#include "explore/race_reversal.h"

#include <utility>

#include "base/budget.h"

namespace fathom::explore {

// In the words of race_reversal.h, e is the first event of the race and f the second. The events
// are walked over twice: first those that do not happen after e, then, if a receive has observed
// the two, those that do and that the receive may need: not f, which is there already, and not what
// happens after the receive.
//
// Events that do not happen after e can all be performed without it, in their order: what one of
// them depends on does not happen after e either. Those that come after f in the execution are not
// needed for f; but whether a sleeping event is a weak initial of the sequence depends on them.
void RaceReversal::make(const RacingPair& race, EventIndex until) {
  spend(until - race.first);  // all that lies in between is walked over, here and by the caller
  sequence_.clear();
  before_second_ = 0;
  last_free_ = kNoEvent;
  const EventId first = trace_[race.first].id;
  sequence_.reserve(until - race.first + 2);
  trace_.for_each_free(first, race.first + 1, until, [&](EventIndex i) {
    sequence_.push_back(trace_.summary(i));
    last_free_ = i;
    if (i < race.second) ++before_second_;
  });
  second_place_ = sequence_.size();
  if (race.disabled) disabled_summary_ = race.disabled;
  sequence_.push_back(race.disabled ? disabled_summary_ : trace_.summary(race.second));
  sequence_.push_back(trace_.summary(race.first));
  if (!exists(race.observer)) return;
  for (EventIndex i = race.first + 1; i < until; ++i) {
    if (i == race.second || i == race.observer || !trace_.happens_before(first, i)) continue;
    if (i > race.observer && trace_.happens_before(race.observer, i)) continue;
    sequence_.push_back(trace_.summary(i));
  }
  // The receive as it will be: of the two messages the one that f sends now comes first.
  observer_ = trace_[race.observer].copy(trace_.copies());
  observer_->taken = trace_[race.second].id;
  observer_->taken_at = race.second;
  observer_summary_ = observer_.get();
  sequence_.push_back(observer_summary_);
}

void RaceReversal::take_events(EventIndex from) {
  sequence_.clear();
  for (EventIndex i = from; i < trace_.end(); ++i) sequence_.push_back(trace_.summary(i));
}

// ---- Tentative reversals ----------------------------------------------------

void TentativeReversals::add(Depth depth, uint64_t key, Item item) {
  std::unique_ptr<State>& state = states_[depth];
  if (!state) state = std::make_unique<State>();
  if (state->keys.insert(key).second) state->items.push_back(std::move(item));
}

std::vector<TentativeReversals::Item> TentativeReversals::take(Depth depth) {
  return std::exchange(states_[depth]->items, {});
}

}  // namespace fathom::explore
