// The conditions of -if and -elif: guard expressions over constants, with
// defined(NAME). An expression that fails when evaluated is false, as in epp.
#pragma once

#include <functional>

#include "syntax/unit.h"

namespace fathom {

enum class Condition : uint8_t { True, False, Illegal, TooDeep };

Condition evaluate_condition(const Unit& unit, NodeId expression,
                             const std::function<bool(Atom)>& is_defined);

}  // namespace fathom
