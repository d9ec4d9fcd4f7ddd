#include "core/builtins.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace fathom::core {
namespace {

struct Name {
  std::string_view name;
  uint32_t arity;
};

constexpr Name kGuardBuiltins[] = {
    {"abs", 1},          {"binary_part", 2}, {"binary_part", 3},  {"bit_size", 1},
    {"byte_size", 1},    {"ceil", 1},        {"element", 2},      {"float", 1},
    {"floor", 1},        {"hd", 1},          {"is_map_key", 2},   {"length", 1},
    {"map_get", 2},      {"map_size", 1},    {"max", 2},          {"min", 2},
    {"node", 0},         {"node", 1},        {"round", 1},        {"self", 0},
    {"size", 1},         {"tl", 1},          {"trunc", 1},        {"tuple_size", 1},
    {"is_atom", 1},      {"is_binary", 1},   {"is_bitstring", 1}, {"is_boolean", 1},
    {"is_float", 1},     {"is_function", 1}, {"is_function", 2},  {"is_integer", 1},
    {"is_integer", 3},   {"is_list", 1},     {"is_map", 1},       {"is_number", 1},
    {"is_pid", 1},       {"is_port", 1},     {"is_record", 2},    {"is_record", 3},
    {"is_reference", 1}, {"is_tuple", 1},
};

uint64_t key(Atom name, uint32_t arity) { return uint64_t{name.id()} << 32 | arity; }

}  // namespace

bool is_guard_builtin(Atom name, uint32_t arity) {
  static const std::unordered_set<uint64_t> all = [] {
    std::unordered_set<uint64_t> set;
    for (const Name& n : kGuardBuiltins) set.insert(key(Atom::intern(n.name), n.arity));
    return set;
  }();
  return all.contains(key(name, arity));
}

bool is_guard_operator(Atom op) {
  return op != atoms::bang && op != atoms::plus_plus && op != atoms::minus_minus;
}

bool is_guard_expression(const Ast& ast, NodeId root,
                         const std::function<bool(Atom, uint32_t)>& is_hidden) {
  std::vector<NodeId> todo{root};
  while (!todo.empty()) {
    const NodeId id = todo.back();
    todo.pop_back();
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
        if (!is_guard_operator(ast.get<node::BinaryOp>(id).op)) return false;
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
        if (!is_guard_builtin(function, arity)) return false;
        if (!remote && is_hidden(function, arity)) return false;
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

}  // namespace fathom::core
