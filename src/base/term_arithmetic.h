// Arithmetic on terms, as Erlang's operators do it: for constants that are computed
// while a program is read.
#pragma once

#include <optional>

#include "base/atom.h"
#include "base/term.h"

namespace fathom {

// a op b, op being one of + - * / div rem band bor bxor bsl bsr. None if the program would
// fail there, or if the result has more than some millions of bits.
std::optional<Term> compute(Atom op, Term a, Term b, TermArena& arena);

// op a, op being one of + - bnot.
std::optional<Term> compute(Atom op, Term a, TermArena& arena);

}  // namespace fathom
