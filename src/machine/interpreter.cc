#include "machine/interpreter.h"

namespace fathom::machine {

const InstructionCode kHandlers[kOps] = {
#define OP(Id, Name) op_##Id,
#include "code/ops.def"
#undef OP
};

// The call that made a process's first frame: its result goes to the frame itself,
// and then Finish is next.
const uint64_t kBaseSite[] = {Instruction(Op::Call, 0, 0, 0).word, 0, 1, 0,
                              Instruction(Op::Finish, 0, 0, 0).word};

namespace {

void go_on(Machine& m) {
  while (!m.state.stopped) {
    const InterpreterState::Step step = m.state.next_step;
    kHandlers[*step.pc & 0xFFFF](m, step.pc, step.fp, step.hp);
  }
}

}  // namespace

void run_loop(Machine& m, const uint64_t* pc, Value* fp, uint64_t* hp) {
  m.state.next_step = {pc, fp, hp};
  go_on(m);
}

void run_call(Machine& m, const uint64_t* pc, Value* fp, uint64_t* hp, const Export* target) {
  call_native(m, pc, fp, hp, const_cast<Export*>(target), target->arity);
  go_on(m);
}

}  // namespace fathom::machine
