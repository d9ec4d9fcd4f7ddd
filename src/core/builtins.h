// What the compiler knows of the functions of module erlang.
#pragma once

#include <functional>

#include "syntax/unit.h"

namespace fathom::core {

// Whether a guard may call it.
bool is_guard_builtin(Atom name, uint32_t arity);
// Whether a guard may use the operator.
bool is_guard_operator(Atom op);

// Whether the expression could stand in a guard. `is_hidden(name, arity)` tells
// whether the module gives the name another meaning.
bool is_guard_expression(const Ast& ast, NodeId id,
                         const std::function<bool(Atom, uint32_t)>& is_hidden);

}  // namespace fathom::core
