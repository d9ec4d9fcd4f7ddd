// Contexts: copies of library functions, one for each place that uses them.
//
// The code of a program is analysed once, and what its callers pass is merged. For lists:map/2
// that would be ruinous: every fun would be called with every list. So functions of some modules
// of OTP (contexts.def) are analysed once for each call from outside: the call is their context,
// and what they call within these modules is analysed in the same one.
//
//   Data     lists, maps, …: the context is the call, in the context of its function. What they
//            call among themselves stays in it; a process that they call back is in its own.
//   Process  gen_server, supervisor, …: the context is the call in the author's code, whatever
//            OTP does on the way. A process that is started there runs in it; so two servers have
//            their own loops, and the answer to a call comes back to that call.
//
// A context is a number; the calls that it stands for are at most kMostDepth deep.
#pragma once

#include <unordered_map>
#include <vector>

#include "core/core.h"
#include "flow/object.h"

namespace fathom::flow {

enum class Cloning : uint8_t { None, Data, Process };
Cloning cloning_of(Atom module);

inline constexpr ContextId kNoContext{0};

class Contexts {
 public:
  static constexpr uint32_t kMostDepth = 3;

  // That of a function of `callee`, called at the node by a function of `caller` in `from`.
  ContextId enter(ContextId from, Cloning caller, Cloning callee, core::GlobalNodeId call);
  // The call that a context stands for. The context must not be kNoContext.
  core::GlobalNodeId call_of(ContextId context) const { return entry(context).call; }
  // The call in the author's code that led there.
  core::GlobalNodeId outermost_call(ContextId context) const {
    return entry(outermost(context)).call;
  }
  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    ContextId parent;
    core::GlobalNodeId call;
    uint32_t depth;
  };
  ContextId outermost(ContextId context) const {
    while (entry(context).parent != kNoContext) context = entry(context).parent;
    return context;
  }
  const Entry& entry(ContextId id) const { return entries_[static_cast<size_t>(id) - 1]; }
  ContextId intern(ContextId parent, core::GlobalNodeId call);

  std::vector<Entry> entries_;
  std::unordered_map<uint64_t, ContextId> by_call_;
};

}  // namespace fathom::flow
