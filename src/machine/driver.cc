#include "machine/driver.h"

#include <fmt/format.h>

#include "machine/outcome_text.h"
#include "machine/process_name.h"

namespace fathom::machine {
namespace {

// Of a process that is not observed: long enough that changing processes costs nothing, short
// enough that a process that never stops keeps none from running.
constexpr int64_t kSlice = 20'000;
// Of one that is: it stops before its next event anyway.
constexpr int64_t kPortion = 2'000'000;

// The process whose receive the timer ends; null: it sends a message.
Process* waiting_for(Machine& m, uint64_t timer) {
  const Timer& t = m.shared().timers.get(timer);
  Process* p = t.message.is_none() ? m.processes().find(t.destination) : nullptr;
  return p && p->status == Process::Status::Waiting ? p : nullptr;
}

// One event of the process; of one that waits, that its time is up.
void perform_event(Machine& m, Process& p) {
  if (p.status == Process::Status::Waiting) {
    m.fire(p.receive_timer);
    run_to_event(m, p);
  }
  if (!m.outcome) m.resume(p, kPortion);
}

}  // namespace

// ---- Steps ------------------------------------------------------------------

void run_to_event(Machine& m, Process& p) {
  constexpr int kMost = 100;  // portions
  int portions = 0;
  while (!m.outcome && p.status == Process::Status::Runnable && !p.is_at_event) {
    if (++portions > kMost) {
      m.stop(Outcome::Kind::Limit,
             fmt::format("{} made {} million calls without doing anything that others could see: "
                         "it may never end",
                         process_name(p), kPortion * kMost / 1'000'000));
      return;
    }
    m.resume(p, kPortion);
  }
}

Value perform(Machine& m, const Transition& transition) {
  if (!transition.to.is_none()) {
    m.arrive(transition.from, transition.to);
    return Value::none();
  }
  Process* p = transition.process;
  if (!p && m.mode().is_observed) p = waiting_for(m, transition.timer);
  if (!p) {
    m.fire(transition.timer);
    return Value::none();
  }
  const Value pid = p->pid;
  if (m.mode().is_observed) {
    perform_event(m, *p);
  } else {
    m.resume(*p, kSlice);
  }
  return pid;
}

// ---- Runs -------------------------------------------------------------------

std::optional<Transition> RoundRobin::choose(const Enabled& enabled) {
  std::optional<Transition> signal;
  enabled.signals().for_each([&](const Transit::Pair& pair) {
    if (!signal) signal = Transition{.from = pair.from, .to = pair.to};
  });
  if (signal) return signal;
  Process* p = enabled.processes();
  if (!p) return Transition{.timer = enabled.timers().first()};
  enabled.machine().processes().move_to_end(*p);
  return Transition{.process = p};
}

std::optional<Outcome> drive(Machine& m, Driver& driver) {
  Value last = Value::none();
  while (true) {
    if (m.mode().is_observed) {
      settle(m, last.is_none() ? nullptr : m.processes().find(last), [](const Process&) {});
    }
    if (m.outcome) return std::move(m.outcome);
    const Enabled enabled(m);
    if (enabled.empty()) {
      m.stop(Outcome::Kind::Deadlock, deadlock_text(m));
      continue;
    }
    const std::optional<Transition> transition = driver.choose(enabled);
    if (!transition) return std::nullopt;
    last = perform(m, *transition);
    driver.done(m, *transition, m.events().event());
  }
}

}  // namespace fathom::machine
