#include "core/origin_index.h"

#include "core/constant_parts.h"

namespace fathom::core {
namespace {

template <class F>
void for_each_origin(const Module& module, F&& f) {
  for (uint32_t i = 0; i < module.size(); ++i) {
    const AstId origin = module[NodeId{i}].origin;
    if (fathom::exists(origin)) f(origin, NodeId{i});
  }
  for (const FoldedLiteral& folded : module.folded_literals()) {
    for (const ConstantPart& part : parts_of(module, folded.literal)) f(part.origin, part.id);
  }
}

}  // namespace

// Two passes: how many nodes each AST node has, then which.
OriginIndex::OriginIndex(const Module& module) : starts_(module.unit().ast.size() + 1) {
  for_each_origin(module,
                  [&](AstId origin, NodeId) { ++starts_[static_cast<size_t>(origin) + 1]; });
  for (size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  nodes_.resize(starts_.back());
  std::vector<uint32_t> next(starts_.begin(), starts_.end() - 1);
  for_each_origin(
      module, [&](AstId origin, NodeId id) { nodes_[next[static_cast<size_t>(origin)]++] = id; });
}

}  // namespace fathom::core
