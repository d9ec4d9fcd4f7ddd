// The instructions of code that is compiled for unknown values (unknowns.h).
#include "machine/interpreter.h"

#ifndef FATHOM_LABELLED
const uint64_t fathom::machine::Unknowns::kRaise = 0;
#endif

namespace fathom::machine::FATHOM_INTERPRETER {

void op_Ask(STEP) {
  if (!m.unknowns) NEXT(1);
  m.heap().set_top(hp);
  const uint64_t* next = m.unknowns->before(pc + 1, fp);
  hp = m.heap().top();
  if (m.state.stopped) return;
  if (!next) return m.pause(pc, fp, m.code().function_at(pc)->frame);
  if (next == &Unknowns::kRaise) {
    m.state.pending.replaces_frame = is_tail_call(pc + 1);
    return raise_pending(m, pc + 1, fp, hp, site_of(pc + 1));
  }
  DISPATCH(next);
}

void op_Reach(STEP) {
  if (m.unknowns) m.unknowns->reached(static_cast<uint32_t>(pc[1]));
  NEXT(2);
}

}  // namespace fathom::machine::FATHOM_INTERPRETER
