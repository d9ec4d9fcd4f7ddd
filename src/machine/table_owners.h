// The ends of tables, and their way from one owner to another.
#pragma once

#include "machine/machine.h"

namespace fathom::machine {

void delete_table(Machine& m, Table& table);
// A table changes hands: the new owner gets {'ETS-TRANSFER', Table, OldOwner, Data}.
void give_table(Machine& m, const Process& from, Table& table, Process& to, Value data);

}  // namespace fathom::machine
