// The values on the stack of a process that stands still: those that its code still needs. What
// else lies there is left over from before.
#pragma once

#include "code/code.h"
#include "machine/interpreter.h"
#include "machine/process.h"

namespace fathom::machine {

// From the topmost frame down to that at `low`. visit(Value&) for each value, enter(site) for the
// place of each call, see docs/architecture.md, "Frames".
template <class Visit, class Enter>
void for_each_live_value(Process& p, const Value* low, Visit&& visit, Enter&& enter) {
  Value* fp = p.stack.data() + p.frame;
  const auto visit_live = [&](uint64_t mask) {
    LiveMask(mask).for_each([&](size_t r) { visit(fp[r]); });
  };
  if (Instruction(*p.pc).op() == Op::ReceivePeek) {
    visit_live(p.pc[2]);
  } else if (p.call) {
    if (!is_tail_call(p.pc)) visit_live(p.pc[2]);
    for (size_t i = 0; i < p.call->arity; ++i) visit(fp[op_a(p.pc) + i]);
  } else {
    for (size_t i = 0; i < p.top - p.frame; ++i) visit(fp[i]);
  }
  for (;;) {
    const auto* site = reinterpret_cast<const uint64_t*>(fp[-1].raw());
    if (site == kBaseSite) return;
    fp -= op_a(site);
    if (fp < low) return;
    enter(site);
    visit_live(site[2]);
  }
}

}  // namespace fathom::machine
