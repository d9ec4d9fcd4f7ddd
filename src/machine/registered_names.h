// The names of processes: register/2 and what follows from it.
//
// A process has one name at most, until it gives it up or exits.
#pragma once

#include "machine/machine.h"

namespace fathom::machine {

// The process may be exiting (exit.h). Null: nobody has the name.
Process* registered(Machine& m, Atom name);
// False: the name is taken, or the process has one.
bool register_name(Machine& m, Atom name, Process& p);
void unregister(Machine& m, Process& p);
// Of a name that a service which only answers has had (services.h).
void give_name_to_nobody(Machine& m, Atom name);

}  // namespace fathom::machine
