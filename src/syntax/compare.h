// Comparing two trees up to places: the same kinds, names, values and shape,
// wherever they stand and whatever literals and tables their units use. What
// only an annotation of OTP tells apart (an atom's quotes, "generated") counts
// as a place.
//
// Both trees are walked together on an explicit stack, left to right, so the
// difference that is reported is the first one in the order of the source. Cost:
// linear in the smaller tree.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "syntax/unit.h"

namespace fathom {

// The first pair of nodes that are not alike. A node is kNoNode where the other
// tree has one node more.
struct TreeDifference {
  NodeId left = kNoNode;
  NodeId right = kNoNode;
  std::string what;  // "kind: tuple, list", "value: 1, 2"
};

// Empty if the trees are the same.
std::optional<TreeDifference> find_difference(const Unit& left, std::span<const NodeId> left_roots,
                                              const Unit& right,
                                              std::span<const NodeId> right_roots);
// All forms.
std::optional<TreeDifference> find_difference(const Unit& left, const Unit& right);

inline bool same_tree(const Unit& left, const Unit& right) { return !find_difference(left, right); }

}  // namespace fathom
