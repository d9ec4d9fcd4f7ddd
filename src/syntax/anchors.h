// The places that OTP's parser derives from a subtree. A call, a match, a clause
// and some others take their place from their first operand, and "first" means
// what erl_parse:first_anno/1 computes: walk the subtree in the order of the
// abstract format, as long as places do not grow, and take the last one.
// (Not simply the leftmost token: a macro can put its arguments in any order.)
//
// Cost: nearly always one step; at worst the size of a subtree that came out of
// one macro, whose tokens all have the same place.
#pragma once

#include "syntax/unit.h"

namespace fathom {

Loc first_anchor(const Unit& unit, NodeId id);
// The greatest place in the subtree (erl_parse:last_anno/1).
Loc last_anchor(const Unit& unit, NodeId id);

// The place of the [] that ends a list without a tail.
Loc nil_anchor(const Unit& unit, NodeId list);

}  // namespace fathom
