#include "core/constant_parts.h"

#include <algorithm>

namespace fathom::core {
namespace {

// Calls f(part, index of the part that it is in), in the order of the text. The literal as a
// whole counts as the part of index -1, so indices start from 0 below it.
template <class F>
void walk_parts(const Ast& ast, AstId constant, F&& f) {
  struct Visit {
    AstId node;
    int64_t whole;
  };
  std::vector<Visit> todo;
  const auto push_children = [&](AstId node, int64_t whole) {
    const size_t first = todo.size();
    ast.for_each_child(node, [&](AstId child) { todo.push_back({child, whole}); });
    std::reverse(todo.begin() + static_cast<std::ptrdiff_t>(first), todo.end());
  };
  push_children(constant, -1);
  for (int64_t next = 0; !todo.empty();) {
    const Visit visit = todo.back();
    todo.pop_back();
    // `Key => Value` is not a value itself.
    if (ast.is(visit.node, NodeKind::MapAssoc)) {
      push_children(visit.node, visit.whole);
      continue;
    }
    f(visit.node, visit.whole);
    push_children(visit.node, next++);
  }
}

const FoldedLiteral& folded_with(const Module& module, NodeId part) {
  assert(is_part(module, part) && static_cast<size_t>(part) < module.id_count());
  const auto index = static_cast<uint32_t>(part) - static_cast<uint32_t>(module.size());
  const auto after =
      std::ranges::upper_bound(module.folded_literals(), index, {}, &FoldedLiteral::parts_before);
  return *std::prev(after);
}

}  // namespace

std::vector<ConstantPart> parts_of(const Module& module, NodeId literal) {
  std::vector<ConstantPart> parts;
  const auto folded =
      std::ranges::lower_bound(module.folded_literals(), literal, {}, &FoldedLiteral::literal);
  if (folded == module.folded_literals().end() || folded->literal != literal) return parts;
  const auto first = static_cast<uint32_t>(module.size()) + folded->parts_before;
  const auto id_at = [&](int64_t index) {
    return index < 0 ? literal : NodeId{first + static_cast<uint32_t>(index)};
  };
  walk_parts(module.unit().ast, module[literal].origin, [&](AstId origin, int64_t whole) {
    parts.push_back({id_at(static_cast<int64_t>(parts.size())), origin, id_at(whole)});
  });
  return parts;
}

NodeId literal_of(const Module& module, NodeId part) { return folded_with(module, part).literal; }

AstId origin_of(const Module& module, NodeId id) {
  if (!is_part(module, id)) return module[id].origin;
  const std::vector<ConstantPart> parts = parts_of(module, literal_of(module, id));
  const size_t index = static_cast<size_t>(id) - static_cast<size_t>(parts.front().id);
  return parts[index].origin;
}

FunctionId function_of(const Module& module, NodeId id) {
  return module.function_of(is_part(module, id) ? literal_of(module, id) : id);
}

size_t count_parts(const Ast& ast, AstId constant) {
  size_t count = 0;
  walk_parts(ast, constant, [&](AstId, int64_t) { ++count; });
  return count;
}

}  // namespace fathom::core
