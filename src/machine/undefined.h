// Why a call found no function: the module is nowhere, or the function is not exported, or has
// another arity.
#pragma once

#include <string>

#include "machine/machine.h"

namespace fathom::machine {

// Of an exception: a sentence, or nothing if the reason is not undef.
std::string explain_undefined(Machine& m, Value reason, Value trace);

}  // namespace fathom::machine
