// Where in its function a node is, and whether control can go from one to another.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace fathom::flow {

// Where in its function a node is: from outside to inside, which node of a region, and which of the
// parts of that node it is in.
struct TrailStep {
  uint32_t index;
  uint32_t branch;
};
using Trail = std::vector<TrailStep>;

// Parts of a Try: control can go from one to the next.
inline constexpr uint32_t kTryBranches = 1u << 30;
inline constexpr uint32_t kOwn = UINT32_MAX;  // the node itself

// Whether control can go from a definition to a use.
inline bool leads_to(const Trail& definition, const Trail& use) {
  const size_t common = std::min(definition.size(), use.size());
  for (size_t i = 0; i < common; ++i) {
    if (definition[i].index != use[i].index) return definition[i].index < use[i].index;
    const uint32_t a = definition[i].branch;
    const uint32_t b = use[i].branch;
    if (a == b) continue;
    if (a == kOwn || b == kOwn) return true;
    return a >= kTryBranches && b >= kTryBranches && a < b;
  }
  return true;
}

}  // namespace fathom::flow
