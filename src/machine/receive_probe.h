// Asks a receive which messages it would take, by running its patterns and guards on them.
//
// A search needs to know which of two messages a receive could have taken. No copy of the
// patterns is kept for that: the receive itself is executed again, by a process that has
// nothing but the message.
#pragma once

#include "machine/machine.h"

namespace fathom::machine {

class ReceiveProbe {
 public:
  explicit ReceiveProbe(Machine& m) : machine_(m) {}

  // Whether the receive of an event, which has happened and was not taken back, would take
  // the message if there were no other.
  bool would_take(const Event& receive, Value message);

 private:
  Machine& machine_;
  Process process_;
};

// The receive in which a process waits, to ask that of it. False: it waits in none.
bool find_receive(Machine& m, const Process& p, Event& event);

}  // namespace fathom::machine
