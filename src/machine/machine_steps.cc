// The steps of a run: a process goes on, a timer fires, a signal arrives. What services
// (services.h) do about it belongs to the step: they never wait for a driver to choose them, and
// what they touch is what the step's event touches.
#include <algorithm>

#include "machine/interpreter.h"
#include "machine/machine.h"
#include "machine/signals.h"
#include "values/maps.h"

namespace fathom::machine {

void Machine::resume(Process& p, int64_t reductions) {
  assert(p.status == Process::Status::Runnable && !outcome);
  event_->clear();
  let_run(p, reductions);
  let_services_run();
}

void Machine::let_run(Process& p, int64_t reductions) {
  current_ = &p;
  p.is_running = true;
  protect(p);
  stack_end = p.stack.data() + p.stack.size();
  watermark = p.stack.data() + p.watermark;
  stopped = false;
  pending = {};
  budget_ = reductions;
  refuel();
  may_perform_ = std::exchange(p.is_at_event, false);
  if (const Export* call = std::exchange(p.call, nullptr)) {
    run_call(*this, p.pc, p.stack.data() + p.frame, heap_.top(), call);
  } else {
    run_loop(*this, p.pc, p.stack.data() + p.frame, heap_.top());
  }
  count_reductions();
  statistics_.peak_heap = std::max(statistics_.peak_heap, heap_.used_bytes());
  p.watermark = static_cast<size_t>(watermark - p.stack.data());
  p.is_running = false;
  if (p.status == Process::Status::Exited) processes_.drop(p);
  current_ = nullptr;
}

// ---- Services ---------------------------------------------------------------

void Machine::let_services_run() {
  constexpr int64_t kPortion = 20'000;
  while (Process* p = outcome ? nullptr : processes_.first_runnable_service()) {
    let_run(*p, kPortion);
  }
}

void Machine::let_services_run_now() {
  struct Saved {
    Process* current;
    Value* stack_end;
    Value* watermark;
    uint64_t* heap_limit;
    Pending pending;
    Context::Call call;
    int64_t fuel;
    int64_t budget;
    int64_t portion;
    Step next_step;
  };
  const Saved saved{current_,     stack_end, watermark, heap_limit, std::exchange(pending, {}),
                    context.call, fuel,      budget_,   portion_,   next_step};
  heap_limit = reinterpret_cast<uint64_t*>(UINTPTR_MAX);
  ++nested_;
  let_services_run();
  --nested_;
  current_ = saved.current;
  stack_end = saved.stack_end;
  watermark = saved.watermark;
  heap_limit = saved.heap_limit;
  pending = saved.pending;
  context.call = saved.call;
  fuel = saved.fuel;
  budget_ = saved.budget;
  portion_ = saved.portion;
  next_step = saved.next_step;
  stopped = outcome.has_value();
}

// ---- Time -------------------------------------------------------------------

void Machine::fire(uint64_t number) {
  const Timer timer = shared_.timers.get(number);
  // Of several that are set to the same moment each may be the first.
  const std::optional<int64_t> moment = shared_.timers.time_of(shared_.timers.first());
  const int64_t time = *shared_.timers.remove(journal_, number);
  const bool is_next = !processes_.first_runnable() && shared_.transit.empty() && moment == time;
  event_->clear();
  if (is_observed_) event_->kind = EventKind::Timer;
  event_->process = Value::none();
  access(SharedObject::Timer, AccessMode::Write, number);
  if (is_next) journal_.set(shared_.counters.clock, std::max(clock(), time));
  journal_.set(shared_.counters.looks, 0);
  Process* to = timer.destination.is_atom() ? registered(*this, timer.destination.atom())
                                            : processes_.find(timer.destination);
  if (to && !timer.message.is_none()) {
    deliver(*to, timer.message);
  } else if (to) {
    journal_.set(to->is_timed_out, true);
    journal_.set(to->receive_timer, 0);
    journal_.set(to->clock, std::max(to->clock, time));
    wake(*to);
  } else if (timer.destination.is_local_pid()) {
    lost(timer.destination.local_number(), timer.message);
  }
  let_services_run();
}

void Machine::arrive(Value from, Value to) {
  event_->clear();
  if (is_observed_) event_->kind = EventKind::Arrival;
  event_->process = Value::none();
  event_->arguments = {from, to};
  machine::arrive(*this, from, to);
  let_services_run();
}

int64_t Machine::read_clock() {
  constexpr uint64_t kPatience = 10'000;
  constexpr int64_t kMicrosecond = 1'000;
  has_read_clock_ = true;
  if (count(shared_.counters.looks, 1) > kPatience) count(shared_.counters.clock, kMicrosecond);
  return own_clock();
}

uint64_t Machine::own_number(uint64_t& counter) {
  constexpr uint64_t kOwn = uint64_t{1} << 58;
  constexpr uint64_t kPidShift = 30;
  if (!journal_.active()) return count(counter, 1);
  return kOwn | current_->pid.local_number() << kPidShift | count(current_->identifiers, 1);
}

// ---- Events -----------------------------------------------------------------

void Machine::observe() {
  is_observed_ = true;
  processes_.remember_pids();
}

bool Machine::performs(EventKind kind, const uint64_t* pc, core::NodeId node) {
  if (!std::exchange(may_perform_, false)) return false;
  event_->kind = kind;
  event_->process = current_->pid;
  event_->place = code_.function_at(pc);
  event_->node = node;
  return true;
}

// The receive is done again, by a process that has nothing but the message. Asked so often
// that it does without what let_run() does beside running: nothing of it is to be seen later.
bool Machine::would_take(const Event& receive, Value message) {
  uint64_t* const top = heap_.top();
  Process& p = probe_;
  constexpr size_t kFrame = 1;  // behind the site of its caller
  if (p.stack.size() < kFrame + receive.frame.size()) p.stack.resize(kFrame + receive.frame.size());
  p.stack[0] = Value::from_raw(reinterpret_cast<uint64_t>(kBaseSite));
  Value* const fp = p.stack.data() + kFrame;
  for (size_t i = 0; i < receive.frame.size(); ++i) fp[i] = receive.frame[i];
  p.pid = Value::pid(0);
  p.status = Process::Status::Waiting;
  p.is_at_event = false;
  p.mailbox.become(message);
  p.mailbox_next = 0;
  p.is_timer_set = true;
  current_ = &p;
  stack_end = p.stack.data() + p.stack.size();
  watermark = p.stack.data();
  stopped = false;
  pending = {};
  fuel = kFuel;
  may_perform_ = false;
  run_loop(*this, receive.receive, fp, top);
  fuel = 0;
  current_ = nullptr;
  heap_.set_top(top);
  return p.is_at_event;
}

bool Machine::find_receive(const Process& p, Event& event) {
  if (p.status != Process::Status::Waiting || Instruction(*p.pc).op() != Op::ReceivePeek) {
    return false;
  }
  event.kind = EventKind::Receive;
  event.process = p.pid;
  event.receive = p.pc;
  event.timeout = p.receive_timeout;
  event.released = p.released;
  event.frame.assign(code_.function_at(p.pc)->frame, Value::nil());
  LiveMask(p.pc[2]).for_each([&](size_t r) { event.frame[r] = p.stack[p.frame + r]; });
  return true;
}

bool Machine::has_invisible_exit(const Process& p) const {
  const auto is_empty = [](Value map) { return map_size(map) == 0; };
  return p.is_at_event && Instruction(*p.pc).op() == Op::Finish && !is_first(p) && !p.is_system &&
         p.name.is_none() && !p.has_tables && is_empty(p.links) && is_empty(p.monitored_by) &&
         is_empty(p.aliases) && is_empty(p.suspending);
}

void Machine::exit_invisibly(Process& p) {
  assert(has_invisible_exit(p) && journal_.active());
  processes_.set_status(p, Process::Status::Exited);
}

void Machine::pause_before_event(const uint64_t* pc, Value* fp, size_t live) {
  current_->is_at_event = true;
  pause(pc, fp, live);
}

void Machine::pause_before_call(const uint64_t* pc, Value* fp, const Export* target) {
  current_->call = target;
  pause_before_event(pc, fp, op_a(pc) + target->arity);
}

}  // namespace fathom::machine
