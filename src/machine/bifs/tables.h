// Who may touch a table, and what is told of it: for the families of ETS.
#pragma once

#include "machine/machine.h"

namespace fathom::machine {

enum class Access : uint8_t { Read, Write };

// The table of that name or reference. Null: an exception has been raised, since there
// is none or the running process may not do that to it.
Table* find_table(Context& c, Value name_or_reference, Access access);

// What is stored for the key is about to change: the current event tells it, if that is wanted
// (Machine::tell_changes).
void tell_change(Machine& m, const Table& table, Value key);

}  // namespace fathom::machine
