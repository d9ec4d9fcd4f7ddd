#include "machine/interpreter.h"

namespace fathom::machine::FATHOM_INTERPRETER {

const InstructionCode kHandlers[kOps] = {
#define OP(Id, Name) op_##Id,
#include "code/ops.def"
#undef OP
};

void go_on(Machine& m) {
  while (!m.state.stopped) {
    const InterpreterState::Step step = m.state.next_step;
    kHandlers[*step.pc & 0xFFFF](m, step.pc, step.fp, step.hp);
  }
}

void begin_with_call(STEP, const Export* target) {
  call_native(m, pc, fp, hp, const_cast<Export*>(target), target->arity);
  go_on(m);
}

}  // namespace fathom::machine::FATHOM_INTERPRETER
