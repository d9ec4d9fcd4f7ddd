// What of the text stands or falls together, whatever depends on what.
#pragma once

#include <vector>

#include "core/core.h"

namespace fathom::slice {

// The statement that the node belongs to: the nearest expression of a body at or above it; for
// patterns and guards of a function's clause, the clause.
core::AstId statement_of(const Ast& ast, const std::vector<core::AstId>& parents, core::AstId node);

// If the node came out of a macro: the highest node that came out of the same use in the author's
// text. That use is kept or dropped as a whole. None: it did not.
core::AstId macro_of(const Unit& unit, const std::vector<core::AstId>& parents, core::AstId node);

// Whether the node stands in the guard of the clause.
bool is_guard_of(const Ast& ast, core::AstId clause, core::AstId node);
// Whether it is a filter of the comprehension.
bool is_filter_of(const Ast& ast, core::AstId comprehension, core::AstId node);
// Whether it is an operation that only works on a record of its name.
bool is_looking(const Ast& ast, core::AstId node);
// andalso, orelse
bool is_short_circuit(const Ast& ast, core::AstId node);
bool is_generator(NodeKind kind);
bool is_comprehension(NodeKind kind);

}  // namespace fathom::slice
