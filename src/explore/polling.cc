#include "explore/polling.h"

#include "base/budget.h"

namespace fathom::explore {

void Polling::enter() {
  const Depth depth{trace_.size()};
  EventIndex& since = unchanged_since_.enter(depth);
  if (depth == Depth{}) {
    since = {};
  } else {
    since = trace_.back().changes_nothing() ? unchanged_since_[depth - 1] : trace_.end();
  }
}

bool Polling::repeats(ActorId actor) const {
  const EventIndex since = unchanged_since_[Depth{trace_.size()}];
  EventIndex i = trace_.last_of(actor);
  if (!exists(i) || i < since) return false;
  machine::Process* p = actors_.process(actor);
  if (!p) return false;
  machine::ProcessState state;
  for (; exists(i) && i >= since; i = trace_.previous(i)) {
    spend();
    if (!trace_[i].state.is_at_place_of(*p)) continue;
    if (!state.exists()) state.save(*p);
    if (trace_[i].state == state) return true;
  }
  return false;
}

// Whether the change matters to one of the events of the actor of `to`, from the event `from` on:
// to what it has done in its last round. A message to it always does.
bool Polling::concerns(EventIndex index, EventIndex from, EventIndex to) const {
  const Record& change = trace_[index];
  for (const machine::SentMessage& sent : change.event.sent) {
    if (sent.to == trace_[to].process) return true;
  }
  for (EventIndex i = to; exists(i) && i >= from; i = trace_.previous(i)) {
    spend();
    if (trace_.dependence().are_dependent(change, trace_[i])) return true;
  }
  return false;
}

// Whether something that concerns the process, whose events from `from` on end with `last`, has
// changed before the second event of the race, apart from what a reversal would move after that:
// the first event and what happens after it.
bool Polling::has_change(EventIndex from, EventIndex last, const RacingPair& race) const {
  const EventIndex end = race.disabled ? race.first : race.second;
  for (EventIndex i = from; i < end; ++i) {
    const bool is_moved =
        i == race.first || (i > race.first && trace_.happens_before(race.first, i));
    if (is_moved || trace_[i].changes_nothing()) continue;
    if (concerns(i, from, last)) return true;
  }
  return false;
}

// The second event of the race belongs to a process that waits; the first is the change that it has
// waited for, or one that ends it. Reversed, the second would come before the change. That is
// nothing new if the process has been in the same state before: it would do as it did then, and
// come to where it came then.
//
// Example: the events are
//
//   0  P: ets:insert_new(T, {lock, P})     false
//   1  P: after 5
//   2  P.1: ets:delete(T, lock)
//   3  P: ets:insert_new(T, {lock, P})     true
//
// To reverse 2 and 3 would let P fail once more, as in 0. If 2 is a signal that ends P, there is no
// 3, but it would have been the same.
bool Polling::repeats(const RacingPair& race) const {
  if (exists(race.observer)) return false;
  // Most events are the first of their process.
  if (!race.disabled && !exists(trace_.previous(race.second))) return false;
  const Record& second = race.disabled ? *race.disabled : trace_[race.second];
  if (!second.state.exists()) return false;
  EventIndex i = race.disabled ? trace_.last_of(second.id.actor) : trace_.previous(race.second);
  while (race.disabled && exists(i) && i > race.first) i = trace_.previous(i);
  const EventIndex last = race.disabled ? i : race.second;
  for (; exists(i) && trace_[i].changes_nothing(); i = trace_.previous(i)) {
    spend();
    if (trace_[i].state == second.state) return !has_change(i, last, race);
  }
  return false;
}

}  // namespace fathom::explore
