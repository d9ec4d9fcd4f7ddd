// Receiving. A process looks at its messages one after another, takes the first
// one that a clause matches, and waits when it has seen all.
#include "machine/interpreter.h"
#include "machine/registers.h"

namespace fathom::machine {

void op_ReceiveStart(STEP) {
  m.process().mailbox_next = 0;
  NEXT(1);
}

// With nobody else to send anything, a wait ends by its time-out or never.
void op_ReceivePeek(STEP) {
  Process& p = m.process();
  if (p.mailbox_next < p.mailbox.size()) {
    fp[op_a(pc)] = p.mailbox[p.mailbox_next];
    NEXT(3);
  }
  static const Atom infinity = Atom::intern("infinity");
  const uint32_t timeout = op_b(pc);
  m.heap().set_top(hp);
  if (timeout == Registers::kNone || fp[timeout].is_atom(infinity)) {
    return m.stop(Outcome::Kind::Limit,
                  "deadlock: the process waits for a message that nobody can send");
  }
  if (!fp[timeout].is_small() || fp[timeout].small() < 0 || fp[timeout].small() > UINT32_MAX) {
    static const Atom timeout_value = Atom::intern("timeout_value");
    m.context.error(Value(timeout_value));
    return raise_pending(m, pc, fp, m.heap().top(), fail_word(pc[1]).node);
  }
  FAIL(1);
}

void op_ReceiveNext(STEP) {
  ++m.process().mailbox_next;
  FAIL(1);
}

void op_ReceiveTake(STEP) {
  Process& p = m.process();
  p.mailbox.erase(p.mailbox.begin() + static_cast<std::ptrdiff_t>(p.mailbox_next));
  NEXT(1);
}

}  // namespace fathom::machine
