// Sleep sets: events that were explored from a state of the current execution, or from one before
// it, and need not be explored again as long as everything since commutes with them.
//
// Suppose that event e was explored from state s, and the search goes on from s with f instead. If
// e and f commute, then f e leads to the same state as e f, which was explored: e *sleeps* after f.
// It wakes up, that is, drops out of the set, with the first event that it depends on. An execution
// in which all enabled actors sleep is blocked: it would only repeat what was explored.
//
// Example: P.1 writes x and P.2 writes y. After the execution P.1 P.2 the search is back in the
// first state with P.1 in its sleep set; exploring P.2 from there leaves P.1 asleep (x and y
// commute), so the execution P.2 P.1 would be blocked. Were both to write x, P.1 would wake up.
//
// Messages are a case of their own: two sends to one mailbox commute until a receive observes
// their order (dependence.h). A send that sleeps, and is then performed all the same, later than
// it could have been (a wake-up tree wants it there, for a receive that tells the two orders
// apart), is kept as `unobserved` until such a receive has come. Until then the execution might as
// well have begun with the send, and anything that could is not to be explored again.
//
// Cost: of entering a state, one test of dependence for each event that sleeps.
#pragma once

#include "explore/explorer.h"
#include "explore/wakeup_tree.h"

namespace fathom::explore {

struct SleepingEvent {
  EventSummary event;
  Depth since;  // where it was explored
};

class SleepSets {
 public:
  // `wakes_senders`: an event that sends wakes up those that send to the same mailbox. For
  // algorithms without wake-up trees, which cannot ensure that a receive observes both orders.
  SleepSets(Execution& execution, bool wakes_senders)
      : execution_(execution), wakes_senders_(wakes_senders) {}

  // The execution has entered a new state: what still sleeps there.
  void enter();
  // It was explored from the current state.
  void add(RecordPtr record);
  bool has(ActorId actor) const;
  // An event that sleeps at that depth and is a weak initial of the sequence, which is to be
  // explored from there: an execution that begins with the sequence is equivalent to one that
  // begins with the event, and so has been explored. Null: there is none.
  struct Sleeper {
    const SleepingEvent* event = nullptr;
    size_t place = 0;  // of the same event in the sequence; its size: it is not there
  };
  Sleeper find_initial(Depth depth, const Sequence& sequence);

 private:
  struct SleepSet {
    std::vector<SleepingEvent> sleeping;
    uint64_t actors = 0;  // a bit for each that may sleep
    std::vector<SleepingEvent> unobserved;
    std::vector<RecordPtr> explored;  // from this state
  };

  static uint64_t bit(ActorId actor) { return uint64_t{1} << column(actor) % 64; }

  bool still_sleeps(const SleepingEvent& sleeping, const EventSummary& event);
  bool was_initial(const SleepingEvent& unobserved, Depth depth, const Sequence& sequence);

  Execution& execution_;
  bool wakes_senders_;
  PerState<SleepSet> sets_;
  Sequence single_;  // see enter()
  Sequence whole_;   // see was_initial()
};

}  // namespace fathom::explore
