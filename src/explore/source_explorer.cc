#include "explore/source_explorer.h"

#include <algorithm>

namespace fathom::explore {

void SourceExplorer::enter() {
  ReducingExplorer::enter();
  SourceSet& set = sets_.enter(execution_.depth());
  set.actors.clear();
  set.next = 0;
}

bool SourceExplorer::SourceSet::has(ActorId actor) const {
  return std::find(actors.begin(), actors.end(), actor) != actors.end();
}

Explorer::Next SourceExplorer::next(bool is_fresh) {
  SourceSet& set = sets_[execution_.depth()];
  while (set.next < set.actors.size()) {
    const ActorId actor = set.actors[set.next++];
    if (!sleep_sets_.has(actor)) return {actor};
  }
  if (!is_fresh) return {};
  const Next first = first_choice();
  if (exists(first.actor)) {
    set.actors.push_back(first.actor);
    set.next = set.actors.size();
  }
  return first;
}

// Needed is an initial of what leads to the second event, whatever comes later; and, since an event
// may access other objects in another order, one of all of it.
void SourceExplorer::ended(uint32_t fresh_from) {
  execution_.trace().find_races(fresh_from, races_);
  for (const RacingPair& race : races_) {
    if (is_polling(race)) continue;
    reverse(race, race.disabled ? race.first + 1 : race.last());
    reverse(race, end_without_halt());
  }
}

// One of the initials of the sequence is in the source set; of a sequence that was tried, of which
// nothing else is certain, all of them.
void SourceExplorer::add_sequence(uint32_t depth, const RacingPair* race, const Reversal&) {
  SourceSet& set = sets_[depth];
  const bool is_certain = race != nullptr;
  const Sequence& sequence = reversal_.sequence();
  std::vector<ActorId> initials;
  for (const EventSummary* event : sequence.items()) {
    const ActorId actor = event->actor;
    if (std::find(initials.begin(), initials.end(), actor) != initials.end()) continue;
    const InitialTest test =
        test_initial(execution_.dependence(), *event, {depth, depth}, sequence);
    if (!test.is_weak_initial || sequence[test.place].record != event->record) continue;
    if (set.has(actor)) {
      if (is_certain) return;
    } else {
      initials.push_back(actor);
    }
  }
  if (is_certain && !initials.empty()) initials.resize(1);
  set.actors.insert(set.actors.end(), initials.begin(), initials.end());
}

}  // namespace fathom::explore
