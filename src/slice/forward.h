// What a value influences, and what carries that to another one.
//
// A node is influenced by an expression if the expression is in the backward slice of the node.
// That is as precise as backward slices are, and costs one for each node: for programs of some
// thousand nodes. (Edges of the dependence graph followed forwards would be faster and would mix up
// callers and parts of data.) A forward slice is not a program; it is shown as places in the text.
#pragma once

#include <optional>
#include <vector>

#include "slice/criterion.h"
#include "slice/writer.h"

namespace fathom::slice {

// The nodes that `from` influences; with `to`, those of them that influence that. Of each module
// that has some: what of its text they are.
std::vector<SlicedModule> influenced(const Model& model, const Located& from,
                                     const std::optional<Located>& to, Precision precision);

}  // namespace fathom::slice
