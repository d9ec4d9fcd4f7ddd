#include "machine/interpreter.h"

namespace fathom::machine {

const InstructionCode kHandlers[kOps] = {
#define OP(Id, Name) op_##Id,
#include "machine/ops.def"
#undef OP
};

// The call that made a process's first frame: its result goes to the frame itself,
// and then Finish is next.
const uint64_t kBaseSite[] = {Instruction(Op::Call, 0, 0, 0).word, 0, 1, 0,
                              Instruction(Op::Finish, 0, 0, 0).word};

Resume resume;

void run_loop(Machine& m, const uint64_t* pc, Value* fp, uint64_t* hp) {
  resume = {pc, fp, hp};
  while (!m.stopped) {
    const Resume r = resume;
    kHandlers[*r.pc & 0xFFFF](m, r.pc, r.fp, r.hp);
  }
}

}  // namespace fathom::machine
