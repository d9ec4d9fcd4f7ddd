// Where items are, and what stands there.
#pragma once

#include <string>
#include <string_view>

#include "core/core.h"
#include "cover/coverage.h"

namespace fathom::cover {

// Whether the node of the tree stands in the module's own file: only that is covered. Nodes that a
// parse transform has made may have no line.
bool is_own(const core::Module& module, core::AstId origin);

ItemPlace item_place(const core::Module& module, core::AstId origin);

// The text of the node in the source, in one line and not long; empty: there is none.
std::string item_text(const core::Module& module, core::AstId origin);
// A text in one line and not long.
std::string item_text(std::string_view source);

}  // namespace fathom::cover
