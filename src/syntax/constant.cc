// Constant expressions to terms.
#include <fmt/format.h>

#include "syntax/abstract.h"
#include "syntax/bit_syntax.h"

namespace fathom {
namespace {

class ConstantWriter {
 public:
  ConstantWriter(const Unit& unit, TermArena& arena) : unit_(unit), ast_(unit.ast), arena_(arena) {}

  Result<Term> write(NodeId root, NameArity name_arity) {
    todo_.push_back({root, false, name_arity});
    while (!todo_.empty()) {
      const Visit visit = todo_.back();
      if (!visit.children_done && has_parts(visit.node)) {
        todo_.back().children_done = true;
        const size_t mark = todo_.size();
        ast_.for_each_child(visit.node, [&](NodeId child) {
          todo_.push_back({child, false, visit.name_arity});
        });
        if (ast_.is(visit.node, NodeKind::MapAssoc)) todo_[mark].name_arity = NameArity::Refused;
        std::reverse(todo_.begin() + static_cast<ptrdiff_t>(mark), todo_.end());
        continue;
      }
      todo_.pop_back();
      auto value =
          visit.children_done ? compound(visit.node) : simple(visit.node, visit.name_arity);
      if (!value) return value;
      values_.push_back(*value);
    }
    return values_.back();
  }

 private:
  struct Visit {
    NodeId node;
    bool children_done;
    NameArity name_arity;
  };

  bool has_parts(NodeId id) const {
    switch (ast_.kind(id)) {
      case NodeKind::List:
      case NodeKind::Tuple:
      case NodeKind::Map:
      case NodeKind::MapAssoc:
        return true;
      default:
        return false;
    }
  }

  std::vector<Term> take(size_t count) {
    std::vector<Term> taken(values_.end() - static_cast<ptrdiff_t>(count), values_.end());
    values_.resize(values_.size() - count);
    return taken;
  }

  Result<Term> compound(NodeId id) {
    switch (ast_.kind(id)) {
      case NodeKind::List: {
        const auto view = ast_.get<node::List>(id);
        const Term tail = exists(view.tail) ? take(1)[0] : Term();
        return arena_.list(take(ast_.list(view.elements).size()), tail);
      }
      case NodeKind::Tuple:
        return arena_.tuple(take(ast_.list(ast_.get<node::Tuple>(id).elements).size()));
      case NodeKind::MapAssoc:  // a pair, for the map around it
        return arena_.tuple(take(2));
      default: {  // Map
        const auto pairs = take(ast_.list(ast_.get<node::Map>(id).fields).size());
        std::vector<Term> items;
        for (const Term pair : pairs) items.insert(items.end(), {pair[0], pair[1]});
        return arena_.map(items);
      }
    }
  }

  Result<Term> simple(NodeId id, NameArity name_arity) {
    switch (ast_.kind(id)) {
      case NodeKind::Atom:
        return Term(ast_.get<node::Atom>(id).value);
      case NodeKind::Integer:
      case NodeKind::Float:
      case NodeKind::Char:
        return number(id, false);
      case NodeKind::String:
        return arena_.string(unit_.literals().strings[ast_.get<node::String>(id).value]);
      case NodeKind::UnaryOp: {
        const auto op = ast_.get<node::UnaryOp>(id);
        if (op.op == atoms::minus || op.op == atoms::plus)
          return number(op.operand, op.op == atoms::minus);
        break;
      }
      case NodeKind::BinaryOp: {
        const auto op = ast_.get<node::BinaryOp>(id);
        if (op.op != atoms::slash || !ast_.is(op.left, NodeKind::Atom) ||
            !ast_.is(op.right, NodeKind::Integer) || name_arity == NameArity::Refused) {
          break;
        }
        return arena_.tuple({ast_.get<node::Atom>(op.left).value, *number(op.right, false)});
      }
      case NodeKind::FunRemote: {
        const auto fun = ast_.get<node::FunRemote>(id);
        if (!ast_.is(fun.module, NodeKind::Atom) || !ast_.is(fun.name, NodeKind::Atom) ||
            !ast_.is(fun.arity, NodeKind::Integer) || ast_[fun.arity].flags & Node::kPooled ||
            ast_.get<node::Integer>(fun.arity).value > 255) {
          break;
        }
        return arena_.external_fun(ast_.get<node::Atom>(fun.module).value,
                                   ast_.get<node::Atom>(fun.name).value,
                                   static_cast<uint8_t>(ast_.get<node::Integer>(fun.arity).value));
      }
      case NodeKind::Binary:
        return constant_bitstring(unit_, id, arena_);
      default:
        break;
    }
    return Error{"this is not a constant"};
  }

  Result<Term> number(NodeId id, bool negative) {
    switch (ast_.kind(id)) {
      case NodeKind::Char: {
        const auto value = static_cast<int64_t>(ast_.get<node::Char>(id).value);
        return arena_.integer(negative ? -value : value);
      }
      case NodeKind::Float: {
        const double value = unit_.literals().floats[ast_.get<node::Float>(id).value];
        return arena_.real(negative ? -value : value);
      }
      case NodeKind::Integer: {
        const uint32_t value = ast_.get<node::Integer>(id).value;
        if (!(ast_[id].flags & Node::kPooled)) {
          return arena_.integer(negative ? -int64_t{value} : int64_t{value});
        }
        const std::string& digits = unit_.literals().integers[value];
        return *arena_.parse_integer(negative ? "-" + digits : digits);
      }
      default:
        return Error{"this is not a constant"};
    }
  }

  const Unit& unit_;
  const Ast& ast_;
  TermArena& arena_;
  std::vector<Visit> todo_;
  std::vector<Term> values_;
};

}  // namespace

Result<Term> constant_value(const Unit& unit, NodeId id, TermArena& arena, NameArity name_arity) {
  return ConstantWriter(unit, arena).write(id, name_arity);
}

}  // namespace fathom
