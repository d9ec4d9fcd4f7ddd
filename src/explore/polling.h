// Processes that wait by looking again and again: wait() -> case ets:member(T, k) of true -> ok;
// false -> receive after 5 -> wait() end end, and the like.
//
// If a process comes back to the state in which it was before (machine::ProcessState), and since
// then no event of anybody has changed anything (Record::changes_nothing), then the state of the
// whole program is the same, but for where others stand that have looked at something, too. The
// process waits: what it does next it has done before, as long as nobody else changes anything. How
// it looks makes no difference: a time-out, whereis/1, a failed ets:insert_new/2 or
// compare_exchange, a send to a name that is not there; with pauses in between or without.
//
// Without a rule for that a search would not end, since the process can go round any number of
// times before anything else happens. So, of a process that waits, the others act first, if any can
// (repeats(ActorId)); time passes as if it could not act; and a race is not reversed if that only
// lets the process go round once more before anything has happened (repeats(RacingPair)).
//
// Nothing is hidden by it: the rounds that are left out change nothing, so the events of the others
// and what they see are those of the execution without these rounds, which is explored. What would
// make a difference is how many rounds there were, if the process looked at that: a counter is part
// of its state, so one that counts does not wait; but the clock is not. One that gives up by the
// clock does so when nobody else can act any more. A report says that this was assumed.
//
// Example: P waits as above until P.1 has inserted a key. After the first time-out P stands where
// it stood at first, and nothing but looking has happened: P.1 goes on. There are two executions,
// the key is there when P looks first, or it is not; instead of one for each number of rounds.
//
// Cost: of a process that has changed nothing with its last event, its state, and a comparison with
// each of its events since the last change. Without such processes, nothing.
#pragma once

#include "explore/explorer.h"
#include "explore/trace.h"

namespace fathom::explore {

class Polling {
 public:
  Polling(const Trace& trace, const Actors& actors) : trace_(trace), actors_(actors) {}

  // The execution has entered a new state.
  void enter();
  // Whether what the actor does next it has done before, and nothing has changed since.
  bool repeats(ActorId actor) const;
  // Whether the second event of the race, if it came first, would only be such a repetition.
  bool repeats(const RacingPair& race) const;

 private:
  bool has_change(EventIndex from, EventIndex last, const RacingPair& race) const;
  bool concerns(EventIndex index, EventIndex from, EventIndex to) const;

  const Trace& trace_;
  const Actors& actors_;
  PerState<EventIndex> unchanged_since_;  // the events from there on have changed nothing
};

}  // namespace fathom::explore
