// Constant binaries in attributes: <<"text">>, <<1:4, 2:12/little>>, …
#pragma once

#include "base/result.h"
#include "base/term.h"
#include "syntax/unit.h"

namespace fathom {

// The value of a Binary node whose segments are constants; `depth` is the number
// of binaries that it is a value in.
Result<Term> constant_bitstring(const Unit& unit, NodeId binary, TermArena& arena, int depth = 0);

}  // namespace fathom
