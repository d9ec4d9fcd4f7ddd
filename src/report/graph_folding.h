// Which functions share a box where a picture would have too many.
//
// Functions that are not exported and that only one other calls or starts are drawn with that one,
// and so on; if that is not enough, all functions of a module are one box. In the picture of nodes,
// as many functions have their nodes drawn as there is room for: that in focus, then those nearest
// to it; all others are boxes.
//
// Cost: the edges times the length of the longest chain of functions that are folded.
#pragma once

#include <vector>

#include "report/graph_report.h"

namespace fathom::report {

struct GraphFolding {
  enum class Level : uint8_t { None, Helpers, Modules };

  Level level = Level::None;
  std::vector<size_t> box;    // by function: that which its box is named after, if it is shown
  std::vector<size_t> count;  // by function: how many are in its box
};

inline constexpr size_t kMostBoxes = 60;
GraphFolding fold_functions(const GraphResult& result, size_t most = kMostBoxes);

// By function: whether its nodes are drawn. `sizes`: how many it has, by function.
std::vector<bool> open_functions(const GraphResult& result, const std::vector<size_t>& sizes,
                                 size_t most);

}  // namespace fathom::report
