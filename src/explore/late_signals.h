// Which signals of an execution could have taken effect later, so that somebody could tell.
//
// In OTP a signal lies in the queue of its receiver until that looks at its signals. Of a message
// nobody can tell, since a receive looks there first; of other signals one can if the receiver,
// before it looks, does something on which their effect depends:
//
//   - it begins to exit, and somebody has linked to it or monitored it: the reason is noproc;
//   - it removes an alias, a monitor or a link, and a message to that alias, the 'DOWN' message or
//     the exit signal of that link is lost;
//   - it begins to trap exits, or stops to, and the exit signal does what it does then;
//   - it ends, or suspends another process, and somebody suspends it.
//
// By default signals take effect when they are sent. So the executions are searched for such pairs
// of a signal and an action; if there is one, the search restarts, and signals of that channel take
// time (machine::Watched::late). Not searched for are
//
//   - pairs that can be reversed: that the action comes first is explored anyway, and it makes no
//     difference whether the signal was late or not sent yet. They cannot be if an event of the
//     receiver before the action happens after the signal;
//   - those where the receiver has taken a message that was sent after the signal: it looks at its
//     signals in their order. A monitor may be overtaken even so, by what other processes send: in
//     OTP it does not leave the scheduler of its sender at once.
//
// Example: P: R = monitor(process, P1), ets:insert(T, go); P.1: exits once it has seen `go`. P.1
// may exit before it has looked at the monitor. If P sends it `go` instead, it cannot.
//
// Cost: one look at each event that is new in an execution; for an action among them, one at each
// signal that was sent; for a message of the system's that was taken, one at each event after it.
#pragma once

#include <vector>

#include "explore/trace.h"

namespace fathom::explore {

class LateSignals {
 public:
  LateSignals(const Trace& trace, Actors& actors) : trace_(trace), actors_(actors) {}

  // Appends the channels of such signals. The execution is new from `from` on: what is before that
  // has been searched. To be called for every execution, in their order.
  void find(EventIndex from, std::vector<machine::Channel>& result);

 private:
  void note_events(EventIndex from);
  void find_late_for(EventIndex event, std::vector<machine::Channel>& result);

  const Trace& trace_;
  Actors& actors_;
  std::vector<EventIndex> signals_;  // the events of the execution that send some
};

}  // namespace fathom::explore
