#include "core/raise.h"

#include <unordered_set>

namespace fathom::core {
namespace {

uint64_t key(Atom name, size_t arity) { return uint64_t{name.id()} << 8 | arity; }

const std::unordered_set<uint64_t>& total_functions() {
  static const std::unordered_set<uint64_t> functions = {
#define TOTAL(Name, Arity) key(Atom::intern(Name), Arity),
#include "core/total_functions.def"
#undef TOTAL
  };
  return functions;
}

}  // namespace

bool is_total(Atom name, size_t arity) {
  constexpr size_t kMaxArity = 0xFF;
  return arity <= kMaxArity && total_functions().contains(key(name, arity));
}

Raises raises(const Module& module, NodeId id) {
  const Node& n = module[id];
  if (n.in_guard) return Raises::Never;
  if (n.kind == Kind::Receive && !exists(module.get<node::Receive>(id).timeout)) {
    return Raises::Never;
  }
  if (n.kind == Kind::CallRemote) {
    const auto call = module.get<node::CallRemote>(id);
    const size_t arity = module.vars(call.arguments).size();
    if (call.module == atoms::erlang && is_total(call.name, arity)) return Raises::Never;
  }
  return schema_of(n.kind).raises;
}

}  // namespace fathom::core
