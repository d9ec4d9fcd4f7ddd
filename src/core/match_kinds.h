// Which kinds of nodes make up patterns.
#pragma once

#include "core/core.h"

namespace fathom::core {

// A part of a pattern that looks at a value, and fails if that does not match.
constexpr bool is_match(Kind kind) { return kind >= Kind::MatchEqual && kind <= Kind::MatchEnd; }
// That, or a test of a guard.
constexpr bool is_test(Kind kind) { return is_match(kind) || kind == Kind::Test; }

}  // namespace fathom::core
