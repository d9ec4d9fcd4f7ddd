// Polling processes: receive after 5 -> poll() end, and the like.
//
// If such a process comes back to its receive in the state in which it was there before, and nobody
// has changed anything since, it will read the same again: the state of the program is the same.
// Without a rule for that a search would not end, since the process can poll any number of times
// before anything else happens. So, of a process that would only repeat what it has done, the
// others act first, if any can (repeats(ActorId)); and a race is not reversed if that only lets the
// process poll once more before anything has happened (repeats(RacingPair)).
//
// How often a process has polled counts for nothing then: one that gives up after so many polls
// does so when nobody else can act any more. (Its own clock advances with each time-out, so it may
// do that by the clock; one that counts is not in the same state.) A report says that this was
// assumed.
//
// Example: P polls whether P.1 has inserted a key: wait() -> case ets:member(T, k) of true -> ok;
// false -> receive after 5 -> wait() end end. After the second time-out P stands where it stood
// after the first, and nothing but reads has happened: P.1 goes on. There are three executions,
// instead of one for each number of polls.
//
// Limits: only time-outs of receives that take no message meanwhile. One that polls whenever no
// message has come for a while is followed to the depth bound.
#pragma once

#include "explore/trace.h"

namespace fathom::explore {

// Of a process that waits: the same if it would go on in the same way.
uint64_t waiting_hash(const machine::Process& p);

class Polling {
 public:
  Polling(const Trace& trace, const Actors& actors) : trace_(trace), actors_(actors) {}

  // An event was performed. Without time-outs there is nothing to ask.
  void note(const Record& event) { has_timeouts_ = has_timeouts_ || event.by_timer; }
  // Whether the actor would only look again at what has not changed.
  bool repeats(ActorId actor) const;
  // Whether the second event of the race, if it came first, would only do that.
  bool repeats(const RacingPair& race) const;

 private:
  EventIndex last_timeout(EventIndex index) const;
  template <class Counts>
  bool has_change(EventIndex from, EventIndex to, Counts&& counts) const;

  const Trace& trace_;
  const Actors& actors_;
  bool has_timeouts_ = false;  // there ever were any
};

}  // namespace fathom::explore
