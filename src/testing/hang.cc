#include "testing/hang.h"

#include "machine/outcome_text.h"
#include "machine/stack_trace.h"
#include "testing/failures.h"

namespace fathom::testing {

using machine::Machine;
using machine::Process;
using machine::Timer;
using machine::Value;

namespace {

machine::StackFrame place_of(Machine& m, const Process& p) {
  const Value trace = machine::stack_trace(m, p);
  return trace.is_cons() ? machine::stack_frame(trace.head()) : machine::StackFrame();
}

// Also the system's.
bool is_eunits_own(Machine& m, const Process& p) {
  if (p.is_system) return true;
  const std::string module = place_of(m, p).module;
  return module.starts_with("eunit_") || module.starts_with("fathom_");
}

}  // namespace

const Process* watched_process(Machine& m, const Timer& timer) {
  const Value message = timer.message;
  if (!message.is_tuple(3) || !message.element(0).is_atom(Atom::intern("timeout"))) return nullptr;
  if (timer.destination.is_atom()) return nullptr;
  const Process* watcher = m.processes().find(timer.destination);
  const std::string waits_in = watcher ? place_of(m, *watcher).function : "";
  if (waits_in != "insulator_wait/4" && waits_in != "watch/1") return nullptr;
  return m.processes().find(message.element(1));
}

bool has_program_timer(Machine& m) {
  bool found = false;
  m.shared().timers.for_each([&](uint64_t, const Timer& timer) {
    const bool is_name = timer.destination.is_atom();
    const Process* to = is_name ? nullptr : m.processes().find(timer.destination);
    const bool is_programs = is_name || (to && !to->is_system);
    found = found || (is_programs && !watched_process(m, timer));
  });
  return found;
}

Failure hang_failure(Machine& m, const Hang& hang) {
  Failure failure;
  failure.kind = hang.kind;
  failure.message = hang.message;
  const Process* test = hang.test;
  m.processes().for_each([&](const Process& p) {
    if (is_eunits_own(m, p)) return;
    if (!test) test = &p;
    const bool is_old = p.pid.local_number() < hang.first_process;
    if (is_old && &p != test && p.mailbox.size() == 0) return;
    if (!failure.details.empty()) failure.details += '\n';
    failure.details += machine::waiting_text(m, p);
  });
  if (test) {
    const Value trace = machine::stack_trace(m, *test);
    failure.stack = stack_frames(trace);
    failure.place = place_of_trace(trace, Places(m));
  }
  return failure;
}

}  // namespace fathom::testing
