#include "flow/contexts.h"

namespace fathom::flow {

Cloning cloning_of(Atom module) {
  static const std::unordered_map<Atom, Cloning> table = {
#define CLONED(Module, How) {Atom::intern(Module), Cloning::How},
#include "flow/contexts.def"
  };
  const auto at = table.find(module);
  return at == table.end() ? Cloning::None : at->second;
}

ContextId Contexts::enter(ContextId from, Cloning caller, Cloning callee, core::GlobalNodeId call) {
  if (callee == Cloning::None) return kNoContext;
  if (caller == Cloning::None) return intern(kNoContext, call);
  // Among themselves they stay where they are; data structures in a process are told apart.
  if (callee == Cloning::Data && caller == Cloning::Process) return intern(from, call);
  if (callee == Cloning::Process && caller == Cloning::Data) return outermost(from);
  return from;
}

ContextId Contexts::intern(ContextId parent, core::GlobalNodeId call) {
  const uint32_t depth = parent == kNoContext ? 1 : entry(parent).depth + 1;
  if (depth > kMostDepth) return parent;
  const uint64_t key = uint64_t{static_cast<uint32_t>(parent)} << 32 | static_cast<uint32_t>(call);
  const auto [at, is_new] = by_call_.try_emplace(key);
  if (is_new) {
    entries_.push_back({parent, call, depth});
    at->second = ContextId{static_cast<uint32_t>(entries_.size())};
  }
  return at->second;
}

}  // namespace fathom::flow
