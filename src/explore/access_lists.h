// Which events of the current execution have accessed which shared objects: where the candidates
// for the direct predecessors of a new event come from (trace.h).
//
// For each object there are two sets of lists: accesses of all of it, and accesses of some part of
// it; for each part there is one more. A set has a list for each mode, with the events in their
// order.
//
//   table T     whole   Read:  ets:tab2list(T) by event 7
//               parts   Write: {k, 1} by 2, {j, 1} by 3, {k, 2} by 5
//   key k of T          Write: {k, 1} by 2, {k, 2} by 5
//
// A new access of a part conflicts with accesses of the same part and of the whole; a new access of
// the whole, with accesses of the whole and of any part.
//
// It would be enough to return all events with a conflicting access: those that happen before
// another candidate are dropped afterwards (Trace::take_predecessors). But then each event would
// cost the length of the execution. So a list is read from its end, and only as far as there may be
// a direct predecessor:
//
//   - A write of a part happens after all that was accessed of the part before, and whatever comes
//     after the write and conflicts with the part happens after the write. So the last write, and
//     what came since, is enough. Two things soften that: writes of the same content commute
//     (add_last_writes), and where events query tables, an event need not depend on the last write.
//   - Of accesses in a row by the same actor the last is enough, since the others happen before it.
//     RecordedAccess::other leads from an access to the last one before it by another actor.
//
// Invariant: the lists hold exactly the accesses of the events that are part of the execution, in
// their order, so that the last event can be removed by dropping the ends of its lists.
//
// Cost: of adding and removing an event, the number of its accesses. Of finding candidates, for
// each access, the number of actors that have accessed the same since the last write; with queries,
// all accesses of the object.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/dependence.h"
#include "explore/predecessor.h"
#include "explore/slots.h"

namespace fathom::explore {

class AccessLists {
 public:
  // `summaries`: of the events of the execution, by index.
  explicit AccessLists(const std::vector<EventSummary>& summaries) : summaries_(summaries) {}

  // Numbers the objects that the event accesses. To be called first.
  void find_slots(Record& record);
  void add(const Record& record, EventIndex index);
  // Of the last event that was added.
  void remove(const Record& record);

  // Adds to `candidates` the events that one with this access may depend on.
  void find_candidates(const Footprint& footprint, std::vector<Predecessor>& candidates) const;
  // Those that have read the whole object after event `since`; kNoEvent: ever.
  void find_reads(machine::SharedObject object, uint64_t id, EventIndex since,
                  std::vector<Predecessor>& candidates) const;

  // Adds the last event that has decided from outside what the process does: it has ended the
  // process, suspended or resumed it. That one has enabled what the process does now; what it
  // would have done otherwise is a matter of disabled events (disabled_events.h).
  void find_control(uint64_t process, std::vector<Predecessor>& candidates) const;

  // Whether, in any execution, an event has read how far a process has come.
  bool has_progress_reads() const { return has_progress_reads_; }
  // Whether, in any execution, an event has looked for objects in a table by a pattern. Then two
  // events with conflicting accesses may still commute (Dependence::are_dependent).
  bool has_queries() const { return has_queries_; }

 private:
  struct RecordedAccess {
    EventIndex event;
    uint32_t other;  // the last one before it by another actor: its place in the list, or kNoIndex
    uint64_t content;  // see Footprint
  };
  using List = std::vector<RecordedAccess>;
  struct Accesses {
    List by_mode[3];
    const List& of(machine::AccessMode mode) const { return by_mode[static_cast<size_t>(mode)]; }
  };
  struct ObjectAccesses {
    Accesses whole;
    Accesses parts;  // of any part
  };
  using Candidates = std::vector<Predecessor>;

  void add(List& list, const Footprint& f, ActorId actor, EventIndex index) const;
  static void add_all(const Accesses& accesses, ModeSet modes, Candidates& candidates);
  static void add_since(const List& list, EventIndex since, Candidates& candidates);
  static EventIndex add_last_writes(const List& writes, uint64_t content, Candidates& candidates);

  const std::vector<EventSummary>& summaries_;
  Slots slots_;
  bool has_progress_reads_ = false;
  bool has_controls_ = false;  // see find_control
  bool has_queries_ = false;
  std::vector<ObjectAccesses> objects_;  // by Footprint::object_slot
  std::vector<Accesses> parts_;          // by Footprint::part_slot
};

}  // namespace fathom::explore
