#include "slice/syntax_groups.h"

#include <algorithm>

namespace fathom::slice {

bool is_generator(NodeKind kind) {
  switch (kind) {
    case NodeKind::Generate:
    case NodeKind::GenerateStrict:
    case NodeKind::BinaryGenerate:
    case NodeKind::BinaryGenerateStrict:
    case NodeKind::MapGenerate:
    case NodeKind::MapGenerateStrict:
    case NodeKind::Zip:
      return true;
    default:
      return false;
  }
}

bool is_looking(const Ast& ast, core::AstId node) {
  return ast.is(node, NodeKind::RecordUpdate) || ast.is(node, NodeKind::RecordAccess);
}

bool is_short_circuit(const Ast& ast, core::AstId node) {
  static const Atom andalso = Atom::intern("andalso");
  static const Atom orelse = Atom::intern("orelse");
  if (!ast.is(node, NodeKind::BinaryOp)) return false;
  const Atom op = ast.get<node::BinaryOp>(node).op;
  return op == andalso || op == orelse;
}

bool is_comprehension(NodeKind kind) {
  return kind == NodeKind::ListComprehension || kind == NodeKind::BinaryComprehension ||
         kind == NodeKind::MapComprehension;
}

bool is_guard_of(const Ast& ast, core::AstId clause, core::AstId node) {
  for (const ListId alternative : ast.guard(ast.get<node::Clause>(clause).guard)) {
    const auto tests = ast.list(alternative);
    if (std::find(tests.begin(), tests.end(), node) != tests.end()) return true;
  }
  return false;
}

bool is_filter_of(const Ast& ast, core::AstId comprehension, core::AstId node) {
  if (!exists(comprehension) || !is_comprehension(ast.kind(comprehension))) return false;
  const auto qualifiers = ast.list(ListId{ast.slot(comprehension, 1)});
  return !is_generator(ast.kind(node)) &&
         std::find(qualifiers.begin(), qualifiers.end(), node) != qualifiers.end();
}

core::AstId statement_of(const Ast& ast, const std::vector<core::AstId>& parents,
                         core::AstId node) {
  const auto contains = [&](ListId list, core::AstId id) {
    const auto items = ast.list(list);
    return std::find(items.begin(), items.end(), id) != items.end();
  };
  for (core::AstId at = node; exists(at); at = parents[static_cast<size_t>(at)]) {
    const core::AstId above = parents[static_cast<size_t>(at)];
    if (!exists(above)) return kNoNode;
    switch (ast.kind(above)) {
      case NodeKind::Clause:
        if (contains(ast.get<node::Clause>(above).body, at)) return at;
        if (ast.is(parents[static_cast<size_t>(above)], NodeKind::Function)) return above;
        break;
      case NodeKind::Block:
      case NodeKind::Maybe:
        return at;
      case NodeKind::Receive:
        if (contains(ast.get<node::Receive>(above).after, at)) return at;
        break;
      case NodeKind::Try:
        if (contains(ast.get<node::Try>(above).body, at) ||
            contains(ast.get<node::Try>(above).after, at)) {
          return at;
        }
        break;
      default:
        break;
    }
  }
  return kNoNode;
}

core::AstId macro_of(const Unit& unit, const std::vector<core::AstId>& parents, core::AstId node) {
  const auto use = [&](core::AstId id) -> Span {
    const auto expansion = unit.expansion_of(id);
    return expansion ? unit.expansions[*expansion].outermost : Span{};
  };
  if (unit.expansions.empty()) return kNoNode;
  const Span here = use(node);
  if (!here.begin) return kNoNode;
  core::AstId highest = node;
  for (core::AstId at = parents[static_cast<size_t>(node)]; exists(at);
       at = parents[static_cast<size_t>(at)]) {
    if (use(at) == here) highest = at;
  }
  return highest;
}

}  // namespace fathom::slice
