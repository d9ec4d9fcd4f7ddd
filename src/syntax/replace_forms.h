// The forms of a unit, replaced by what a parse transform made of them.
//
// A form that comes back as it was keeps its node, and with it all its places. Any
// other becomes a new node. Debug info has only a line and a column for each node;
// here the text is at hand, so a new node gets the extent of the old one that stood
// at the same place (of the same kind, if there is one), or else the bare place in
// the text. Reports point there; the anchor stays what the transform gave.
//
// Cost: O(n log n) in the number of forms, and O(size) of those that changed, plus
// one walk of the tree if there are any.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/term.h"
#include "syntax/unit.h"

namespace fathom {

// `before`: what to_abstract gave for each of the unit's forms. An error if one of
// `after` is not a form; the unit then has its old ones.
Result<void> replace_forms(Unit& unit, Literals& literals, std::span<const Term> before,
                           std::span<const Term> after);

// Where the place {Line, Column}, or Line alone, of that file is in the unit's texts.
// Empty if the unit has no such file, or line.
Loc text_place(const Unit& unit, std::string_view file, Position position);

}  // namespace fathom
