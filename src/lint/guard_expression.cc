#include "lint/guard_expression.h"

#include <vector>

#include "lint/auto_imported.h"

namespace fathom::lint {
namespace {

// What only later releases allow in a guard is refused by lint before them.
constexpr uint32_t kNewest = 28;

bool is_operator(Atom op) {
  return op == atoms::andalso_ || op == atoms::orelse_ || is_guard_operator(op, 2);
}

}  // namespace

bool is_guard_expression(const Ast& ast, NodeId root,
                         const std::function<bool(Atom, uint32_t)>& is_hidden,
                         const std::function<std::vector<NodeId>(NodeId)>& defaults) {
  std::vector<NodeId> todo{root};
  while (!todo.empty()) {
    const NodeId id = todo.back();
    todo.pop_back();
    if (ast.kind(id) == NodeKind::Record) {
      for (const NodeId value : defaults(id)) todo.push_back(value);
    }
    switch (ast.kind(id)) {
      case NodeKind::Var:
      case NodeKind::Atom:
      case NodeKind::Integer:
      case NodeKind::Char:
      case NodeKind::Float:
      case NodeKind::String:
      case NodeKind::RecordIndex:
        continue;
      case NodeKind::List:
      case NodeKind::Tuple:
      case NodeKind::Map:
      case NodeKind::MapUpdate:
      case NodeKind::MapAssoc:
      case NodeKind::MapExact:
      case NodeKind::Record:
      case NodeKind::RecordField:
      case NodeKind::RecordAccess:
      case NodeKind::Binary:
      case NodeKind::Segment:
      case NodeKind::SegmentType:
      case NodeKind::UnaryOp:
        break;
      case NodeKind::BinaryOp:
        if (!is_operator(ast.get<node::BinaryOp>(id).op)) return false;
        break;
      case NodeKind::Call: {
        const auto call = ast.get<node::Call>(id);
        const auto arity = static_cast<uint32_t>(ast.list(call.arguments).size());
        NodeId name = call.function;
        const bool remote = ast.is(name, NodeKind::Remote);
        if (remote) {
          const auto r = ast.get<node::Remote>(name);
          if (!ast.is(r.module, NodeKind::Atom) ||
              ast.get<node::Atom>(r.module).value.text() != "erlang") {
            return false;
          }
          name = r.name;
        }
        if (!ast.is(name, NodeKind::Atom)) return false;
        const Atom function = ast.get<node::Atom>(name).value;
        const bool is_test = auto_imported(function, arity, kNewest).is_guard ||
                             (id == root && is_old_type_test(function, arity));
        if (!is_test || (!remote && is_hidden(function, arity))) return false;
        for (const NodeId argument : ast.list(call.arguments)) todo.push_back(argument);
        continue;
      }
      default:
        return false;
    }
    ast.for_each_child(id, [&](NodeId child) { todo.push_back(child); });
  }
  return true;
}

}  // namespace fathom::lint
