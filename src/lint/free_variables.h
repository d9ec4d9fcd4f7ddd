// The variables that an expression takes from outside: those that occur in it,
// except where a fun or a generator inside gives the name a new meaning.
#pragma once

#include <span>
#include <vector>

#include "base/atom.h"
#include "syntax/unit.h"

namespace fathom::lint {

// In the order in which they first occur, each once. Names that the expressions
// bind themselves are among them; who knows what is bound around leaves them out.
std::vector<Atom> mentioned_variables(const Ast& ast, std::span<const NodeId> ids);

// Those of a comprehension from some generators on, whose sources do not count.
std::vector<Atom> comprehension_variables(const Ast& ast, std::span<const NodeId> generators,
                                          std::span<const NodeId> qualifiers, NodeId body);

// The names that a pattern could bind.
std::vector<Atom> pattern_variables(const Ast& ast, NodeId pattern);

}  // namespace fathom::lint
