#include "machine/interpreter.h"

namespace fathom::machine {

// The call that made a process's first frame: its result goes to the frame itself,
// and then Finish is next; in labelled code, after one word more.
const uint64_t kBaseSite[] = {
    Instruction(Op::Call, 0, 0, 0).word,  0, 1, 0, Instruction(Op::Finish, 0, 0, 0).word,
    Instruction(Op::Finish, 0, 0, 0).word};

void run_loop(Machine& m, const uint64_t* pc, Value* fp, uint64_t* hp) {
  m.state.next_step = {pc, fp, hp};
  return m.mode().code.labels ? labelled::go_on(m) : plain::go_on(m);
}

void run_call(Machine& m, const uint64_t* pc, Value* fp, uint64_t* hp, const Export* target) {
  return m.mode().code.labels ? labelled::begin_with_call(m, pc, fp, hp, target)
                              : plain::begin_with_call(m, pc, fp, hp, target);
}

}  // namespace fathom::machine
