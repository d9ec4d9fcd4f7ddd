#include "machine/receive_probe.h"

#include "machine/interpreter.h"

namespace fathom::machine {

// Asked so often that it does without what Machine::resume does beside running: nothing of it
// is to be seen later.
bool ReceiveProbe::would_take(const Event& receive, Value message) {
  constexpr size_t kFrame = 1;       // after the site of its caller
  constexpr int64_t kFuel = 20'000;  // guards make no calls
  uint64_t* const top = machine_.heap().top();
  Process& p = process_;
  p.stack.grow(kFrame + receive.frame.size());
  p.stack[0] = Value::from_raw(reinterpret_cast<uint64_t>(kBaseSite));
  Value* const fp = p.stack.data() + kFrame;
  for (size_t i = 0; i < receive.frame.size(); ++i) fp[i] = receive.frame[i];
  p.pid = Value::pid(0);
  p.status = Process::Status::Waiting;
  p.is_at_event = false;
  p.mailbox.become(message);
  p.mailbox_next = 0;
  p.is_timer_set = true;
  InterpreterState& state = machine_.state;
  state.process = &p;
  state.stack_end = p.stack.data() + p.stack.size();
  state.watermark = p.stack.data();
  state.stopped = false;
  state.pending = {};
  state.fuel = kFuel;
  machine_.events().allow_event(false);
  run_loop(machine_, receive.receive, fp, top);
  state.fuel = 0;
  state.process = nullptr;
  machine_.heap().set_top(top);
  return p.is_at_event;
}

bool find_receive(Machine& m, const Process& p, Event& event) {
  if (p.status != Process::Status::Waiting || Instruction(*p.pc).op() != Op::ReceivePeek) {
    return false;
  }
  event.kind = EventKind::Receive;
  event.process = p.pid;
  event.receive = p.pc;
  event.timeout = p.receive_timeout;
  event.demonitored = p.demonitored;
  event.frame.assign(m.code().function_at(p.pc)->frame, Value::nil());
  LiveMask(p.pc[2]).for_each([&](size_t r) { event.frame[r] = p.stack[p.frame + r]; });
  return true;
}

}  // namespace fathom::machine
