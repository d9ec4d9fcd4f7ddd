// The words of a parked process's stack that still matter, from the topmost frame down.
#pragma once

#include "machine/interpreter.h"

namespace fathom::machine {

// Calls word(Value&) for each of them, and site(address) for each call that is under way, down to
// the frame at `low`.
template <class Word, class Site>
void walk_stack(Process& p, const Value* low, Word&& word, Site&& site) {
  Value* fp = p.stack.data() + p.frame;
  const auto visit_live = [&](uint64_t mask) {
    LiveMask(mask).for_each([&](size_t r) { word(fp[r]); });
  };
  const auto visit_all = [&](Value* first, size_t count) {
    for (size_t i = 0; i < count; ++i) word(first[i]);
  };
  if (Instruction(*p.pc).op() == Op::ReceivePeek) {
    visit_live(p.pc[2]);
  } else if (p.call) {
    if (!is_tail_call(p.pc)) visit_live(p.pc[2]);
    visit_all(fp + op_a(p.pc), p.call->arity);
  } else {
    visit_all(fp, p.top - p.frame);
  }
  for (;;) {
    const auto* call = reinterpret_cast<const uint64_t*>(fp[-1].raw());
    if (call == kBaseSite) return;
    fp -= op_a(call);
    if (fp < low) return;
    site(call);
    visit_live(call[2]);
  }
}

}  // namespace fathom::machine
