#include "explore/reducing_explorer.h"

#include <algorithm>

#include "base/hash.h"
#include "explore/at_rest.h"

namespace fathom::explore {

void ReducingExplorer::enter() {
  sleep_sets_.enter();
  polling_.enter();
  tentative_.enter(execution_.depth());
}

void ReducingExplorer::performed(ActorId actor, Record& record) {
  run_length_ = actor == execution_.last_actor() ? run_length_ + 1 : 1;
  disabled_events_.find(actor, record);
}

// ---- Fresh states -----------------------------------------------------------

// A state of which nothing is known goes on with the actor that has just acted, so that executions
// are easy to read; but not for ever, for it may be waiting for another one.
Explorer::Next ReducingExplorer::first_choice() {
  constexpr uint32_t kMaxRun = 100;
  const ActorId last = execution_.last_actor();
  const bool may_go_on = exists(last) && run_length_ < kMaxRun;
  if (may_go_on && execution_.is_enabled(last) && !sleep_sets_.has(last) &&
      !polling_.repeats(last) && !execution_.actors().would_halt(last)) {
    return {last};
  }
  if (is_at_rest(execution_)) return {};
  ActorId actor = first_awake(last);
  if (exists(actor) && !polling_.repeats(actor)) return {actor};
  if (!let_time_pass()) return {};
  actor = first_awake(last);
  return {actor, !exists(actor)};
}

bool ReducingExplorer::let_time_pass() {
  return execution_.find_enabled(enabled_, [&](ActorId actor) { return polling_.repeats(actor); });
}

// The first enabled actor that does not sleep. If there is no other, the last one; then one that
// would halt, then one that would only poll again. kNoActor: all sleep, or none is enabled.
ActorId ReducingExplorer::first_awake(ActorId last) {
  enum Rank : uint8_t { kAny, kLast, kHalts, kPolls, kNone };
  const auto rank = [&](ActorId actor) {
    if (polling_.repeats(actor)) return kPolls;
    if (execution_.actors().would_halt(actor)) return kHalts;
    return actor == last ? kLast : kAny;
  };
  ActorId found = kNoActor;
  Rank best = kNone;
  execution_.for_each_enabled([&](ActorId actor) {
    if (sleep_sets_.has(actor)) return false;
    const Rank its = rank(actor);
    if (its < best) found = actor;
    best = std::min(best, its);
    return best == kAny;
  });
  return found;
}

// ---- Races ------------------------------------------------------------------

bool ReducingExplorer::is_polling(const RacingPair& race) {
  if (!polling_.repeats(race)) return false;
  statistics_.has_polled = true;
  return true;
}

EventIndex ReducingExplorer::end_without_halt() const {
  const Trace& trace = execution_.trace();
  const bool halts = !trace.empty() && trace.back().event.kind == machine::EventKind::Halt;
  return halts ? trace.end() - 1 : trace.end();
}

void ReducingExplorer::reverse(const RacingPair& race, EventIndex until) {
  reversal_.make(race, until);
  const Trace& trace = execution_.trace();
  const Reversal reversal{trace[race.first].id,
                          race.disabled ? race.disabled->id : trace[race.second].id};
  const bool is_certain = exists(race.observer) || race.is_stable;
  if (is_certain) {
    add_sequence(state_before(race.first), &race, reversal);
  } else {
    add_tentative(race, until, reversal);
  }
}

void ReducingExplorer::add_tentative(const RacingPair& race, EventIndex until,
                                     const Reversal& reversal) {
  const Trace& trace = execution_.trace();
  TentativeReversals::Item item{{}, reversal};
  for (const EventSummary* event : reversal_.sequence().items()) item.path.push_back(event->actor);
  uint64_t key = race.disabled ? column(race.disabled->id.actor) : 0;
  for (EventIndex i = race.first + 1; i < until; ++i) {
    if (!trace.happens_before(race.first, i)) key += trace.event_hash(i);
  }
  if (!race.disabled) key = hash_combine(key, column(trace[race.second].id.actor));
  tentative_.add(state_before(race.first), key, std::move(item));
}

void ReducingExplorer::returned() {
  const Depth depth = execution_.depth();
  if (!tentative_.has_any(depth)) return;
  for (const TentativeReversals::Item& item : tentative_.take(depth)) {
    size_t followed = 0;
    for (const ActorId actor : item.path) {
      if (execution_.machine().outcome || !execution_.is_enabled(actor)) break;
      execution_.advance(actor);
      ++followed;
    }
    reversal_.take_events(event_after(depth));
    // The last one is the first event of the race, which may not be possible any more.
    if (followed + 1 >= item.path.size()) add_sequence(depth, nullptr, item.reversal);
    while (execution_.depth() > depth) execution_.retreat();
    execution_.rewind();
  }
}

}  // namespace fathom::explore
