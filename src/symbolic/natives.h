// What native functions look at of their arguments: natives.def as a table.
#pragma once

#include <string_view>

#include "code/code.h"

namespace fathom::symbolic {

// One letter for each argument; null: the function is not listed.
const char* needs_of(const machine::Mfa& function);

}  // namespace fathom::symbolic
