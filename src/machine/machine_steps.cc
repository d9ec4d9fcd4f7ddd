// The steps of a run: a process goes on, a timer fires, a signal arrives. What services
// (services.h) do about it belongs to the step: they never wait for a driver to choose them, and
// what they access is accessed by the event of the step.
#include <algorithm>
#include <vector>

#include "base/budget.h"
#include "base/hash.h"
#include "machine/interpreter.h"
#include "machine/live_values.h"
#include "machine/machine.h"
#include "machine/registered_names.h"
#include "machine/signals.h"
#include "values/maps.h"

namespace fathom::machine {

void Machine::resume(Process& p, int64_t reductions) {
  assert(p.status == Process::Status::Runnable && !outcome);
  events_.begin_step();
  let_run(p, reductions);
  if (processes_.has_runnable_services()) let_services_run();
}

void Machine::use_stack_of(Process& p) {
  state.stack_end = p.stack.data() + p.stack.size();
  state.label_distance = reinterpret_cast<uintptr_t>(p.stack_labels.data()) -
                         reinterpret_cast<uintptr_t>(p.stack.data());
}

void Machine::let_run(Process& p, int64_t reductions) {
  constexpr int64_t kStepCost = 50;  // as many calls take as long
  state.process = &p;
  p.is_running = true;
  protect(p);
  use_stack_of(p);
  state.watermark = p.stack.data() + p.watermark;
  state.stopped = false;
  state.pending = {};
  budget_ = reductions;
  unchecked_ += kStepCost;
  refuel();
  events_.allow_event(std::exchange(p.is_at_event, false));
  try {
    run_loop_of(p);
  } catch (const BudgetSpent& spent) {
    stop(Outcome::Kind::Limit, spent.reason);
  }
  count_reductions();
  statistics_.peak_heap = std::max(statistics_.peak_heap, heap_.used_bytes());
  p.watermark = static_cast<size_t>(state.watermark - p.stack.data());
  p.is_running = false;
  if (p.redirected) redirect(p, std::exchange(p.redirected, nullptr));
  if (p.status == Process::Status::Exited) processes_.drop(p);
  state.process = nullptr;
}

void Machine::run_loop_of(Process& p) {
  if (const Export* call = std::exchange(p.call, nullptr)) {
    run_call(*this, p.pc, p.stack.data() + p.frame, heap_.top(), call);
  } else {
    run_loop(*this, p.pc, p.stack.data() + p.frame, heap_.top());
  }
}

// ---- Services ---------------------------------------------------------------

namespace {

// Where it waits, its stack, its dictionary and its flags; and how many references, timers and
// processes it has made, since the names of the next ones depend on it. A value that was built anew
// counts as another one.
uint64_t state_hash(Process& p) {
  uint64_t hash = hash_words(reinterpret_cast<uint64_t>(p.pc), p.frame, p.identifiers, p.timers,
                             p.children, p.dictionary.raw(), p.flags.raw());
  const auto add = [&](uint64_t word) { hash = hash_combine(hash, word); };
  for_each_live_value(
      p, p.stack.data(), [&](const Value& value) { add(value.raw()); },
      [&](const uint64_t* site) { add(reinterpret_cast<uint64_t>(site)); });
  return hash;
}

// A service that acts in an event, and its state before.
struct ActingService {
  Value pid;
  uint64_t before;
};

}  // namespace

// A service answers one request after another, so two events in which it acts may depend on which
// of them is first; not, if both leave its state as it was.
void Machine::let_services_run() {
  constexpr int64_t kPortion = 20'000;
  std::vector<ActingService> acting;
  while (Process* p = outcome ? nullptr : processes_.first_runnable_service()) {
    const Value pid = p->pid;
    const bool is_known =
        std::ranges::any_of(acting, [&](const ActingService& s) { return s.pid == pid; });
    if (events_.is_recording() && !is_known) acting.push_back({pid, state_hash(*p)});
    let_run(*p, kPortion);
  }
  for (const ActingService& service : acting) {
    Process* p = processes_.find(service.pid);
    const bool is_same = p && p->mailbox.size() == 0 && state_hash(*p) == service.before;
    events_.access(SharedObject::Service, is_same ? AccessMode::Read : AccessMode::Write,
                   service.pid.local_number());
  }
}

void Machine::let_services_run_now() {
  const InterpreterState saved = std::exchange(state, {});
  const Context::Call call = context.call;
  const int64_t budget = budget_;
  const int64_t portion = portion_;
  state.services_starting = saved.services_starting;
  state.heap_limit = reinterpret_cast<uint64_t*>(UINTPTR_MAX);
  ++nested_;
  let_services_run();
  --nested_;
  state = saved;
  state.stopped = outcome.has_value() || (state.process && state.process->redirected);
  context.call = call;
  budget_ = budget;
  portion_ = portion;
}

// ---- Time -------------------------------------------------------------------

void Machine::fire(uint64_t number) {
  const Timer timer = shared_.timers.get(number);
  // Of several that are set to the same moment each may be the first.
  const std::optional<int64_t> moment = shared_.timers.time_of(shared_.timers.first());
  const int64_t time = *shared_.timers.remove(journal_, number);
  const bool is_next = !processes_.first_runnable() && shared_.transit.empty() && moment == time;
  events_.begin_step();
  if (mode_.is_observed) events_.begin_event(EventKind::Timer, Value::none());
  events_.access(SharedObject::Timer, AccessMode::Write, number);
  clock_.fired(time, is_next);
  Process* to = timer.destination.is_atom() ? registered(*this, timer.destination.atom())
                                            : processes_.find(timer.destination);
  if (to && !timer.message.is_none()) {
    deliver(*to, timer.message, Value::none(), timer.labels);
  } else if (to) {
    journal_.set(to->is_timed_out, true);
    journal_.set(to->receive_timer, 0);
    journal_.set(to->clock, std::max(to->clock, time));
    wake(*to);
  } else if (timer.destination.is_local_pid()) {
    events_.lose(timer.destination.local_number(), timer.message);
  }
  let_services_run();
}

void Machine::arrive(Value from, Value to) {
  events_.begin_step();
  if (mode_.is_observed) events_.begin_event(EventKind::Arrival, Value::none());
  events_.current().arguments = {from, to};
  machine::arrive(*this, from, to);
  let_services_run();
}

// ---- Events -----------------------------------------------------------------

bool Machine::performs(EventKind kind, const uint64_t* pc, core::NodeId node, const Value* fp) {
  if (!events_.take_permission()) return false;
  events_.begin_event(kind, state.process->pid);
  Event& event = events_.current();
  event.place = code_.function_at(pc);
  event.node = node;
  if (fp) event.author = find_author_call(code_, event.place, fp);
  return true;
}

void Machine::pause_before_event(const uint64_t* pc, Value* fp, size_t live) {
  state.process->is_at_event = true;
  pause(pc, fp, live);
}

void Machine::pause_before_call(const uint64_t* pc, Value* fp, const Export* target) {
  state.process->call = target;
  pause_before_event(pc, fp, op_a(pc) + target->arity);
}

}  // namespace fathom::machine
