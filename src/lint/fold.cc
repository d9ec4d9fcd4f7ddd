#include "lint/fold.h"

#include <vector>

#include "base/term_arithmetic.h"
#include "lint/auto_imported.h"

namespace fathom::lint {
namespace {

using Value = std::optional<Term>;

Value leaf(const Unit& unit, NodeId id, TermArena& arena) {
  const Node& n = unit.ast[id];
  switch (n.kind) {
    case NodeKind::Integer: {
      const uint32_t value = unit.ast.slot(id, 0);
      if (n.flags & Node::kPooled) return arena.parse_integer(unit.literals().integers[value]);
      return Term(value);
    }
    case NodeKind::Char:
      return Term(unit.ast.slot(id, 0));
    case NodeKind::Float:
      return arena.real(unit.literals().floats[unit.ast.slot(id, 0)]);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<Term> fold_number(const Unit& unit, NodeId id, TermArena& arena) {
  struct Visit {
    NodeId node;
    bool operands_done;
  };
  const Ast& ast = unit.ast;
  std::vector<Visit> todo{{id, false}};
  std::vector<Term> values;
  while (!todo.empty()) {
    const Visit visit = todo.back();
    todo.pop_back();
    Value value;
    if (ast.is(visit.node, NodeKind::BinaryOp)) {
      const auto op = ast.get<node::BinaryOp>(visit.node);
      if (!is_arithmetic_operator(op.op, 2)) return std::nullopt;
      if (!visit.operands_done) {
        todo.insert(todo.end(), {{visit.node, true}, {op.right, false}, {op.left, false}});
        continue;
      }
      const Term right = values.back();
      values.pop_back();
      value = compute(op.op, values.back(), right, arena);
      values.pop_back();
    } else if (ast.is(visit.node, NodeKind::UnaryOp)) {
      const auto op = ast.get<node::UnaryOp>(visit.node);
      if (!is_arithmetic_operator(op.op, 1)) return std::nullopt;
      if (!visit.operands_done) {
        todo.insert(todo.end(), {{visit.node, true}, {op.operand, false}});
        continue;
      }
      value = compute(op.op, values.back(), arena);
      values.pop_back();
    } else {
      value = leaf(unit, visit.node, arena);
    }
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values.back();
}

std::optional<int64_t> fold_small(const Unit& unit, NodeId id) {
  TermArena arena;
  const auto value = fold_number(unit, id, arena);
  return value && value->is_integer() ? value->to_int64() : std::nullopt;
}

bool folds_to_integer(const Unit& unit, NodeId id) {
  TermArena arena;
  const auto value = fold_number(unit, id, arena);
  return value && value->is_integer();
}

}  // namespace fathom::lint
