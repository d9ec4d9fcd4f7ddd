// Processes that look again and again whether something has happened: receive after 5 ->
// look_again() end, and the like.
//
// If such a process comes back to its receive as it was there before, and nobody has changed
// anything since, it will see the same again: the state is the same. So others act first, if
// any can; and a race is not reversed if that only lets the process look once more before
// anything has happened. Without that there would be no end to it.
//
// How often a process has looked counts for nothing then: one that gives up after so many
// looks does so when nobody else can act any more. (Its own clock goes on with each time-out,
// so it may do that by the clock; one that counts is not in the same state.)
//
// Limits: only time-outs of receives that take no message meanwhile. One that looks whenever no
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
  uint32_t last_timeout(uint32_t index) const;
  template <class Counts>
  bool has_change(uint32_t from, uint32_t to, Counts&& counts) const;

  const Trace& trace_;
  const Actors& actors_;
  bool has_timeouts_ = false;  // there ever were any
};

}  // namespace fathom::explore
