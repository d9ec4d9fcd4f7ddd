// The sequence of events that reverses a race.
//
// Let a race be between event e, at place i of the execution, and event f, later, of another
// actor. What has to happen, from the state before e on, so that f comes before e: all events that
// do not happen after e (f may need some of them), then f, then e. For two messages that a receive
// has observed, then also what else happens before that receive, and the receive itself, which now
// takes the other message. Explored from the state before e, this leads to another class.
//
// Example: in the execution P.1: write x, P.2: write y, P.3: read y, P.3: read x there is a race
// between P.1's write and P.3's second event. The sequence is P.2: write y, P.3: read y, P.3: read
// x, P.1: write x; it starts from the first state.
//
// In the papers e is not part of the sequence. With it, sequences that differ in what comes before
// e part at once; without it each of them would be found to be covered by another, whose
// exploration would then find it to be needed: one after another, all of them kept, which takes
// memory that grows with the number of executions.
#pragma once

#include <memory>
#include <unordered_set>
#include <vector>

#include "explore/explorer.h"
#include "explore/wakeup_tree.h"

namespace fathom::explore {

class RaceReversal {
 public:
  explicit RaceReversal(Trace& trace) : trace_(trace) {}

  // Of the events of the execution, those from `until` on are not used.
  void make(const RacingPair& race, EventIndex until);
  // Instead: the events of the execution from there on.
  void take_events(EventIndex from);

  // What is made of it may take events out.
  Sequence& sequence() { return sequence_; }
  // Whether the event at that place leads to the second event of the race, or is it: then it is
  // part of the sequence however the execution goes on.
  bool is_needed(size_t place) const { return place < before_second_ || place == second_place_; }
  // The last event of the execution that does not happen after the first one; kNoEvent: there is
  // none.
  EventIndex last_free() const { return last_free_; }

 private:
  Trace& trace_;
  Sequence sequence_;
  size_t before_second_ = 0;  // how many of it come before the second event of the race anyway
  size_t second_place_ = 0;   // where that is
  EventIndex last_free_ = kNoEvent;
  EventSummary disabled_summary_;
  EventSummary observer_summary_;
  RecordPtr observer_;  // the receive that sees the other order
};

// Reversals of which only the machine can tell what they do.
//
// Where what an event accesses depends on the order (a failed ets:insert_new has only read), the
// events of the execution do not say what the same actors do in the other order. Such a sequence is
// kept as a path, and followed for real as soon as the search is back in the state where it starts;
// the events that are then performed are what is to be explored. Each is tried once: `key` stands
// for the events that come before the second one, and for that one.
class TentativeReversals {
 public:
  struct Item {
    std::vector<ActorId> path;
    Reversal reversal;
  };

  void enter(Depth depth) { states_.enter(depth).reset(); }
  void add(Depth depth, uint64_t key, Item item);
  bool has_any(Depth depth) const { return states_[depth] && !states_[depth]->items.empty(); }
  std::vector<Item> take(Depth depth);

 private:
  struct State {
    std::vector<Item> items;
    std::unordered_set<uint64_t> keys;  // of all that there ever were
  };
  PerState<std::unique_ptr<State>> states_;  // null, in most states
};

}  // namespace fathom::explore
