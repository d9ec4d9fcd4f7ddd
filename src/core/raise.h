// Which nodes raise exceptions.
//
// A node raises if evaluating the node itself, apart from the nodes in its regions, can end in
// an exception instead of a value: a call whose callee raises, an operator with operands of
// the wrong kind, a Receive with a time-out that is not a number of milliseconds. The answer
// is safe: a node for which it is Never does not raise in any execution; May says only that
// the kind of node does, whatever the values are here.
//
// A node in a guard or a pattern fails instead of raising. What ends a process from outside
// (an exit signal), what ends the run (a limit) and what Fathom does not model is not an
// exception. Limit: a mock of one of erlang's functions that never raise must not raise
// either.
#pragma once

#include "core/core.h"

namespace fathom::core {

Raises raises(const Module& module, NodeId id);
inline bool may_raise(const Module& module, NodeId id) {
  return raises(module, id) != Raises::Never;
}

// Whether erlang:name/arity returns a value whatever its arguments are (total_functions.def).
bool is_total(Atom name, size_t arity);

}  // namespace fathom::core
