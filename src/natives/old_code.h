// Who still runs code of a module that has been replaced.
#pragma once

#include "base/atom.h"
#include "machine/native.h"

namespace fathom::machine {

// Whether a function of the module's old code is on the process's stack. If it is the process that
// runs, the native function that asks must be one that may call (Context::call).
bool runs_old_code(Context& c, const Process& p, Atom name);

}  // namespace fathom::machine
