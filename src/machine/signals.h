// What processes do to each other, beside messages: links, monitors, exit signals,
// names. Signals arrive at once.
//
// Links and monitors are kept in immutable maps at both ends, so that a change is one
// word in the journal. The end of a process can bring others to an end, and those
// others again: they wait in a list for their turn, whatever their number.
#pragma once

#include "machine/machine.h"

namespace fathom::machine {

// Null: nobody has the name.
Process* registered(Machine& m, Atom name);
// False: the name is taken, or the process has one.
bool register_name(Machine& m, Atom name, Process& p);
void unregister(Machine& m, Process& p);

void link(Machine& m, Process& a, Process& b);
void unlink(Machine& m, Process& a, Value b);

// A new reference: when `to` ends, `by` gets {'DOWN', Reference, process, Item, Reason}.
// `to` may be null: it has ended already.
Value monitor(Machine& m, Process& by, Process* to, Value item);
// Whether there was such a monitor.
bool demonitor(Machine& m, Process& by, Value reference);

// As erlang:exit/2 sends it.
void exit_signal(Machine& m, Value from, Process& to, Value reason);
// The process ends, with all that follows for others. `how`: what it means for a run
// of which it was the first process.
void terminate(Machine& m, Process& p, Value reason, Outcome how);

}  // namespace fathom::machine
