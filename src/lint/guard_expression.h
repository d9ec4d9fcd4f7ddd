// Which expressions are guards: a filter of a comprehension that could stand in a
// guard is evaluated as one.
#pragma once

#include <functional>
#include <vector>

#include "syntax/unit.h"

namespace fathom::lint {

// `is_hidden(name, arity)` tells whether the module gives the name another meaning, `defaults` what
// the declaration of a record adds to the node that makes one.
bool is_guard_expression(const Ast& ast, NodeId id,
                         const std::function<bool(Atom, uint32_t)>& is_hidden,
                         const std::function<std::vector<NodeId>(NodeId)>& defaults);

}  // namespace fathom::lint
