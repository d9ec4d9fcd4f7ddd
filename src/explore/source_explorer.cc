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

// An actor of the source set may sleep: its event was explored from an earlier state, and all since
// commutes with it. The set of a fresh state is empty; it gets the first choice.
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

// What has to be in the source set is an initial of the events that lead to the second event of the
// race, whatever comes later. But an event may access other objects in another order, and then what
// looks like an initial is not one. So an initial of all events that do not happen after the first
// one is added as well; often one is in the set already.
void SourceExplorer::ended(EventIndex fresh_from) {
  execution_.trace().find_races(fresh_from, races_);
  for (const RacingPair& race : races_) {
    if (is_polling(race)) continue;
    reverse(race, race.disabled ? race.first + 1 : race.last());
    reverse(race, end_without_halt());
  }
}

// After this, one of the initials of the sequence is in the source set; of a sequence that was
// tried
// (`race` is null), of which nothing else is certain, all of them.
//
// An initial is an event of the sequence that is a weak initial of it, and the first event of its
// actor in the sequence.
void SourceExplorer::add_sequence(Depth depth, const RacingPair* race, const Reversal&) {
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
