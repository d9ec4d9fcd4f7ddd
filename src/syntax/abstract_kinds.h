// The nodes whose abstract form is {Tag, Anno, Fields…} with the fields of the schema.
#pragma once

#include <optional>

#include "syntax/ast.h"

namespace fathom {

// Empty if no such node has the tag.
std::optional<NodeKind> plain_kind(Atom tag);

}  // namespace fathom
