// Receiving. A process looks at its messages one after another, takes the first
// one that a clause matches, and waits when it has seen all. It then goes on at the
// same instruction: with the next message, or because the time is up.
#include <algorithm>

#include "machine/interpreter.h"
#include "machine/registers.h"

namespace fathom::machine {
namespace {

constexpr int64_t kNanoseconds = 1'000'000;  // of a millisecond

// When the time-out that was asked for is over; none: it is not one.
std::optional<int64_t> deadline(const Machine& m) {
  static const Atom infinity = Atom::intern("infinity");
  const Value timeout = m.receive_timeout;
  if (timeout.is_atom(infinity)) return Process::kNever;
  if (!timeout.is_small() || timeout.small() < 0 || timeout.small() > UINT32_MAX) return {};
  return m.clock() + timeout.small() * kNanoseconds;
}

// All messages have been seen.
__attribute__((noinline)) void wait(STEP) {
  Process& p = m.process();
  m.heap().set_top(hp);
  if (p.receive_deadline == Process::kUnset) {
    const auto when = deadline(m);
    if (!when) {
      static const Atom timeout_value = Atom::intern("timeout_value");
      m.context.error(Value(timeout_value));
      return raise_pending(m, pc, fp, hp, fail_word(pc[1]).node);
    }
    p.receive_deadline = *when;
    if (*when == m.clock()) FAIL(1);
  }
  if (p.is_timed_out) {
    m.journal().set(p.is_timed_out, false);
    FAIL(1);
  }
  m.processes().set_status(p, Process::Status::Waiting);
  m.pause(pc, fp, m.code().function_at(pc)->frame);
}

}  // namespace

void op_ReceiveStart(STEP) {
  Process& p = m.process();
  p.mailbox_next = 0;
  p.receive_deadline = Process::kUnset;
  static const Atom infinity = Atom::intern("infinity");
  m.receive_timeout = op_a(pc) == Registers::kNone ? Value(infinity) : fp[op_a(pc)];
  NEXT(1);
}

void op_ReceivePeek(STEP) {
  const Process& p = m.process();
  if (p.mailbox_next >= p.mailbox.size()) return wait(m, pc, fp, hp);
  fp[op_a(pc)] = p.mailbox[p.mailbox_next];
  NEXT(3);
}

void op_ReceiveNext(STEP) {
  ++m.process().mailbox_next;
  FAIL(1);
}

void op_ReceiveTake(STEP) {
  Process& p = m.process();
  p.mailbox.remove(m.journal(), p.mailbox_next);
  // The time may have been up just when the message came.
  if (p.is_timed_out) m.journal().set(p.is_timed_out, false);
  NEXT(1);
}

}  // namespace fathom::machine
