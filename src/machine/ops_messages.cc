// Receiving. A process tries its messages one after another, takes the first
// one that a clause matches, and waits when it has seen all. It then goes on at the
// same instruction: with the next message, or because the time is up. Where each clause asks for
// a reference that the process has, messages that are older than that are not tried.
//
// Taking a message and giving up are events. A process that stops before one stops before
// it tries that message, which does no harm when it is done again.
#include <algorithm>

#include "base/budget.h"
#include "code/registers.h"
#include "machine/interpreter.h"
#include "machine/label_moves.h"

namespace fathom::machine::FATHOM_INTERPRETER {
namespace {

constexpr int64_t kNanoseconds = 1'000'000;  // of a millisecond

// The number of a process's timer: one that no reference has.
constexpr uint64_t kReceiveTimer = uint64_t{1} << 63;

// How long the receive waits: nanoseconds, or kForever; none: that is not a time-out.
constexpr int64_t kForever = -1;

std::optional<int64_t> patience(Value timeout) {
  static const Atom infinity = Atom::intern("infinity");
  if (timeout.is_atom(infinity)) return kForever;
  if (!timeout.is_small() || timeout.small() < 0 || timeout.small() > UINT32_MAX) return {};
  return timeout.small() * kNanoseconds;
}

void set_timer(Machine& m, Process& p, int64_t nanoseconds) {
  m.journal().set(p.is_timer_set, true);
  if (nanoseconds == kForever) return;
  m.journal().set(p.receive_timer, kReceiveTimer | p.pid.local_number());
  m.shared().timers.add(m.journal(), p.receive_timer, m.clock().of(m.process()) + nanoseconds,
                        {.destination = p.pid, .duration = nanoseconds});
}

// The receive is over, or has not begun.
void clear_timer(Machine& m, Process& p) {
  if (!p.is_timer_set) return;
  if (p.receive_timer != 0) m.shared().timers.remove(m.journal(), p.receive_timer);
  m.journal().set(p.receive_timer, 0);
  m.journal().set(p.is_timer_set, false);
  m.journal().set(p.is_timed_out, false);
}

// The event of the receive whose ReceivePeek is at `pc`. False: the process has paused.
__attribute__((noinline)) bool begin_event(Machine& m, EventKind kind, const uint64_t* pc,
                                           Value* fp) {
  if (!m.performs(kind, pc, fail_word(pc[1]).node, fp)) {
    m.pause_before_event(pc, fp, m.code().function_at(pc)->frame);
    return false;
  }
  const Process& p = m.process();
  Event& event = m.events().current();
  event.receive = pc;
  event.frame.assign(m.code().function_at(pc)->frame, Value::nil());
  LiveMask(pc[2]).for_each([&](size_t r) { event.frame[r] = fp[r]; });
  event.timeout = p.receive_timeout;
  event.demonitored = p.demonitored;
  if (kind == EventKind::After) {
    m.events().access(SharedObject::Mailbox, AccessMode::Read, p);
    return true;
  }
  event.arguments = {p.mailbox[p.mailbox_next]};
  m.events().access(SharedObject::Mailbox, AccessMode::Write, p,
                    Value::small(p.mailbox.number(p.mailbox_next)));
  return true;
}

// All messages have been seen.
__attribute__((noinline)) void wait(STEP) {
  Process& p = m.process();
  m.heap().set_top(hp);
  if (!p.is_timer_set) {
    const auto nanoseconds = patience(p.receive_timeout);
    if (!nanoseconds) {
      static const Atom timeout_value = Atom::intern("timeout_value");
      m.context.error(Value(timeout_value));
      return raise_pending(m, pc, fp, hp, fail_word(pc[1]).node);
    }
    if (*nanoseconds == 0) {
      if (!m.stops_at_events()) FAIL(1);
      m.journal().set(p.is_timer_set, true);
      m.journal().set(p.is_timed_out, true);
    } else {
      set_timer(m, p, *nanoseconds);
    }
  }
  if (p.is_timed_out) {
    if (m.stops_at_events() && !begin_event(m, EventKind::After, pc, fp)) return;
    clear_timer(m, p);
    FAIL(1);
  }
  m.processes().set_status(p, Process::Status::Waiting);
  m.pause(pc, fp, m.code().function_at(pc)->frame);
}

}  // namespace

void op_ReceiveStart(STEP) {
  static const Atom infinity = Atom::intern("infinity");
  Process& p = m.process();
  const uint32_t parts = op_b(pc);
  p.receive_timeout = op_a(pc) == Registers::kNone ? Value(infinity) : fp[op_a(pc)];
  p.mailbox_next = 0;
  if (parts == 0 || p.mailbox.size() == 0) NEXT(1 + (parts + 3) / 4);
  m.heap().set_top(hp);
  for (uint32_t i = 0; i < parts; ++i) {
    const Value part = fp[packed_register(pc + 1, i)];
    if (!part.is_box(BoxKind::Reference)) continue;
    p.mailbox_next = std::max(p.mailbox_next, p.mailbox.first_with(part.reference_number()));
  }
  NEXT(1 + (parts + 3) / 4);
}

void op_ReceivePeek(STEP) {
  const Process& p = m.process();
  m.state.receive_place = pc;
  if (p.mailbox_next >= p.mailbox.size()) return wait(m, pc, fp, hp);
  fp[op_a(pc)] = p.mailbox[p.mailbox_next];
  if constexpr (kLabelled) set_label(m, fp + op_a(pc), p.mailbox.labels(p.mailbox_next).word);
  NEXT(3);
}

// There is no call between two messages, so nobody else looks at the budget.
void op_ReceiveNext(STEP) {
  constexpr size_t kBetweenLooks = 64;  // messages
  if (++m.process().mailbox_next % kBetweenLooks == 0) [[unlikely]] {
    m.heap().set_top(hp);
    spend(static_cast<int64_t>(kBetweenLooks));
  }
  FAIL(1);
}

void op_ReceiveTake(STEP) {
  Process& p = m.process();
  if (m.stops_at_events()) {
    m.heap().set_top(hp);
    if (!begin_event(m, EventKind::Receive, m.state.receive_place, fp)) return;
  }
  if constexpr (kLabelled) note_message(m, pc, p.mailbox.labels(p.mailbox_next));
  p.mailbox.remove(m.journal(), p.mailbox_next);
  clear_timer(m, p);
  NEXT(1);
}

}  // namespace fathom::machine::FATHOM_INTERPRETER
