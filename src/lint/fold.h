// Arithmetic on constants, as far as the compiler does it while it reads: `-1` and
// `2 * 8` in patterns, sizes and types.
//
// The tree is walked with an explicit stack, each node once. A result that is no
// number, or that OTP would fail to compute, is not a result. Limit: integers of more
// than four million bits, as OTP 27 has it, count as failing.
#pragma once

#include <optional>

#include "base/term.h"
#include "syntax/unit.h"

namespace fathom::lint {

// An integer or a float; atoms, strings and all else are none.
std::optional<Term> fold_number(const Unit& unit, NodeId id, TermArena& arena);

// The same, if it is an integer that fits.
std::optional<int64_t> fold_small(const Unit& unit, NodeId id);

// Whether the number is an integer, of any size.
bool folds_to_integer(const Unit& unit, NodeId id);

}  // namespace fathom::lint
