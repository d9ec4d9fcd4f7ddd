// What an observed machine remembers of processes that have ended, for signals that come too late
// (EndedProcesses in shared_state.h).
#pragma once

#include "machine/machine.h"

namespace fathom::machine {

// The process begins to exit.
void note_ended(Machine& m, const Process& p);

// {Lineage, TrappedExits, Links}; none(): it was not kept.
Value ended_entry(Machine& m, Value pid);
Value lineage_of_ended(Machine& m, Value pid);
// Whether exit signals were messages to it.
bool has_trapped(Machine& m, Value pid);
// Whether it was linked to the other one.
bool was_linked(Machine& m, Value pid, Value other);

}  // namespace fathom::machine
