// The errors that OTP's linter (erl_lint) makes errors: what the grammar accepts
// and no program may hold. Lowering to Core expects a unit without any.
#pragma once

#include "base/diagnostic.h"
#include "syntax/unit.h"

namespace fathom::core {

// Reports every error of the module; true if there is none.
bool lint(const Unit& unit, Diagnostics& diagnostics);

}  // namespace fathom::core
