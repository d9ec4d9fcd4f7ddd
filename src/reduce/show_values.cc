#include "reduce/show_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "slice/syntax_groups.h"

namespace fathom::reduce {

using core::AstId;
using slice::TextRange;
using slice::UnitEdits;

namespace {

enum class Context : uint8_t { Expression, Head, Match, Generator, Nowhere };
struct Found {
  Context context = Context::Expression;
  AstId at = kNoNode;  // the clause, match or generator
};

bool is_in(std::span<const AstId> list, AstId id) {
  return std::find(list.begin(), list.end(), id) != list.end();
}

// The outermost pattern that it stands in counts: `{A, B} = C` may itself be one.
Found context_of(const Ast& ast, const std::vector<AstId>& parents, AstId node) {
  Found found;
  AstId below = node;
  for (AstId at = parents[static_cast<size_t>(node)]; fathom::exists(at);
       below = at, at = parents[static_cast<size_t>(at)]) {
    switch (ast.kind(at)) {
      case NodeKind::Clause:
        if (is_in(ast.list(ast.get<node::Clause>(at).patterns), below)) return {Context::Head, at};
        if (slice::is_guard_of(ast, at, below)) return {Context::Nowhere, at};
        return found;
      case NodeKind::Match:
        if (ast.get<node::Match>(at).pattern == below) found = {Context::Match, at};
        break;
      case NodeKind::MaybeMatch:
        if (ast.get<node::MaybeMatch>(at).pattern == below) return {Context::Nowhere, at};
        break;
      case NodeKind::RecordFieldDecl:
      case NodeKind::Attribute:
        return {Context::Nowhere, at};
      default:
        if (slice::is_generator(ast.kind(at)) && !ast.is(at, NodeKind::Zip) &&
            AstId{ast.slot(at, 0)} == below) {
          found = {Context::Generator, at};
        }
        break;
    }
  }
  return found;
}

}  // namespace

std::vector<AstId> parents_of(const Ast& ast) {
  std::vector<AstId> parents(ast.size(), kNoNode);
  for (uint32_t i = 0; i < ast.size(); ++i) {
    ast.for_each_child(AstId{i},
                       [&](AstId child) { parents[static_cast<size_t>(child)] = AstId{i}; });
  }
  return parents;
}

Result<std::vector<Insertion>> show_values(const Unit& unit, const std::vector<AstId>& parents,
                                           AstId node, size_t number) {
  const Ast& ast = unit.ast;
  const UnitEdits text(unit);
  if (fathom::exists(slice::macro_of(unit, parents, node))) {
    return Error{"the criterion comes out of a macro, where its values cannot be shown"};
  }
  const Found found = context_of(ast, parents, node);
  const std::string call = fmt::format("fathom_criterion:seen({}, ", number);
  if (found.context == Context::Nowhere) {
    return Error{"the criterion stands in a guard or `?=`, where its values cannot be shown"};
  }
  if (found.context == Context::Expression) {
    const TextRange r = text.range(node);
    // A call alone cannot stand before `#` or arguments.
    return std::vector<Insertion>{{r.begin, "(" + call}, {r.end, "))"}};
  }
  if (!ast.is(node, NodeKind::Var)) {
    return Error{"the criterion is a pattern; of those the values of variables can be shown alone"};
  }
  const std::string shown = fmt::format("{}{})", call, ast.get<node::Var>(node).name.text());
  switch (found.context) {
    case Context::Head: {
      const AstId first = ast.list(ast.get<node::Clause>(found.at).body).front();
      return std::vector<Insertion>{{text.range(first).begin, shown + ", "}};
    }
    case Context::Match: {
      const TextRange r = text.range(found.at);
      const std::string name = fmt::format("Fathom_value_{}", number);
      return std::vector<Insertion>{{r.begin, fmt::format("begin {} = (", name)},
                                    {r.end, fmt::format("), {}, {} end", shown, name)}};
    }
    default:
      return std::vector<Insertion>{
          {text.range(found.at).end, fmt::format(", begin {}, true end", shown)}};
  }
}

}  // namespace fathom::reduce
