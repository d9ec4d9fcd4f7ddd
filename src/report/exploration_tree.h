// The tree of a search as a picture: where interleavings part, and how each ends.
//
// A box is a row of steps between which nothing was to choose; it ends where the search went
// on in several ways, or where an interleaving ends. In DOT, which Graphviz's program `dot`
// turns into SVG. Linear in the nodes; but dot is not: it takes seconds for 3,000 boxes, and
// many minutes for 30,000.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "explore/findings.h"

namespace fathom::report {

std::string exploration_dot(const explore::CheckResult& result);

// By the program of that name, or at that path. Its error says what to install.
Result<std::string> dot_to_svg(std::string_view dot, const std::string& program = "dot");

}  // namespace fathom::report
