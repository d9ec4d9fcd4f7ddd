// The ends of a process.
#include "machine/exit.h"
#include "machine/interpreter.h"

namespace fathom::machine::FATHOM_INTERPRETER {

void op_Finish(STEP) {
  m.heap().set_top(hp);
  exit_step(m, pc, fp, 1);
}

void op_Die(STEP) {
  m.heap().set_top(hp);
  exit_step(m, pc, fp, 3);
}

void op_EndBySignal(STEP) {
  m.heap().set_top(hp);
  exit_step(m, pc, fp, 0);
}

}  // namespace fathom::machine::FATHOM_INTERPRETER
