// The nodes of a module that come from an AST node: where a criterion or a breakpoint is given
// by its place, this leads to Core. Several nodes may come from one AST node (the Case, the
// Clause and the NoMatch of a match), or none (a pattern's `_`).
//
// Built once for a module in O(nodes + AST nodes); an answer is a span of the index.
#pragma once

#include <span>
#include <vector>

#include "core/core.h"

namespace fathom::core {

class OriginIndex {
 public:
  explicit OriginIndex(const Module& module);

  // In ascending order; parts of constant data included.
  std::span<const NodeId> nodes_of(AstId node) const {
    const auto i = static_cast<size_t>(node);
    return std::span(nodes_).subspan(starts_[i], starts_[i + 1] - starts_[i]);
  }

 private:
  std::vector<uint32_t> starts_;  // by AST node: where its nodes begin; and the end of all
  std::vector<NodeId> nodes_;
};

}  // namespace fathom::core
