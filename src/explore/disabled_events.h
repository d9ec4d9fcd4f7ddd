// Events that another event makes impossible: exit(Pid, kill) the next event of Pid,
// erlang:cancel_timer(T) the firing of T, halt() everything.
//
// The literature on partial-order reduction assumes that no event disables another actor's event.
// If one does, the two race, but in the execution only the first of them is there: the race would
// be missed. So, before such an event becomes part of the execution, the machine goes back and
// lets each actor that it may disable perform its own next event; if the two are dependent, that
// event is kept (Record::disabled) and counts as the second event of a race (Trace::find_races).
// The same goes for a process that is ended or suspended while it waits in a receive: a message
// that is sent to it later, and that it would have taken, could have come first
// (Record::interrupted).
//
// halt() disables everything. But an earlier halt() only cuts an execution short, and what was cut
// off is seen in the execution without it; so it races with other calls of halt() alone, and the
// search lets it happen when nothing else can.
//
// Example: P.1 is about to insert into a table; P performs exit(P.1, kill). P.1's insertion is
// performed, seen to depend on the kill (it accesses the life of P.1) and taken back. At the end of
// the execution the search therefore adds one in which P.1 inserts first.
//
// Cost: for the few events that can disable others, one event of each actor concerned.
#pragma once

#include "explore/execution.h"

namespace fathom::explore {

class DisabledEvents {
 public:
  explicit DisabledEvents(Execution& execution) : execution_(execution) {}

  // The actor has just performed the event, which is not part of the execution yet. The machine is
  // in the same state afterwards; the record may be made anew.
  void find(ActorId actor, Record& record);

 private:
  bool may_disable(const Record& record, ActorId actor);
  void find_interrupted(const Record& record, std::vector<RecordPtr>& interrupted);

  Execution& execution_;
  std::vector<ActorId> enabled_;
};

}  // namespace fathom::explore
