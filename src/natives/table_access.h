// Who may touch a table: for the families of ETS.
#pragma once

#include "machine/machine.h"

namespace fathom::machine {

enum class TableAccess : uint8_t { Read, Write };

// The table of that name or reference. Null: an exception has been raised, since there
// is none or the running process may not do that to it.
Table* find_table(Context& c, Value name_or_reference, TableAccess access);

}  // namespace fathom::machine
