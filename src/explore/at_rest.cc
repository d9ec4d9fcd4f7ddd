#include "explore/at_rest.h"

#include <algorithm>

#include "machine/receive_probe.h"
#include "values/compare.h"
#include "values/maps.h"

namespace fathom::explore {

using machine::EventKind;
using machine::Machine;
using machine::Process;
using machine::Value;

namespace {

const Process* first_process(Machine& m) {
  constexpr uint64_t kFirst[] = {1};
  return m.processes().find_descendant(kFirst);
}

// ---- Heartbeats -------------------------------------------------------------

// Events that concern nobody but the process itself. To look at something is not among them: who
// does that again and again waits for it (polling.h), and is not idle.
bool is_quiet(const Record& record) {
  switch (record.event.kind) {
    case EventKind::Timer:
    case EventKind::Receive:
    case EventKind::After:
    case EventKind::StartTimer:
    case EventKind::CancelTimer:
      return true;
    default:
      return false;
  }
}

// The last event of the same process until then in which it has taken a message or timed out.
EventIndex last_receive(const Trace& trace, EventIndex from) {
  while (exists(from) && !trace[from].is_receive()) from = trace.previous(from);
  return from;
}

bool is_beat(const Trace& trace, EventIndex receive, const Process& p) {
  if (!exists(receive) || trace[receive].event.receive != p.pc) return false;
  const EventIndex sender = trace[receive].taken_at;
  return !trace[receive].takes() ||
         (exists(sender) && trace[sender].event.kind == EventKind::Timer);
}

// Whether all that wakes the process up is such a timer. `since`: the exit of the first process.
bool is_heartbeat(Execution& execution, const machine::Timer& timer, EventIndex since) {
  const Process* p = execution.machine().processes().find(timer.destination);
  if (!p || p->status != Process::Status::Waiting) return false;
  if (!timer.message.is_none() && !machine::equal_exact(timer.setter, p->lineage)) return false;
  const Trace& trace = execution.trace();
  const ActorId actor = execution.actors().of_process(*p);
  const EventIndex last = last_receive(trace, trace.last_of(actor));
  if (!is_beat(trace, last, *p)) return false;
  const EventIndex before = last_receive(trace, trace.previous(last));
  if (!is_beat(trace, before, *p) || before < since) return false;
  for (EventIndex i = before; i < trace.end(); ++i) {
    if (!is_quiet(trace[i])) return false;
  }
  return true;
}

bool has_only_heartbeats(Execution& execution) {
  Machine& m = execution.machine();
  if (m.shared().timers.empty() || first_process(m)) return false;
  const EventIndex exit = execution.trace().last_of(execution.actors().of_process(1));
  if (!exists(exit)) return false;
  bool is_all = true;
  m.shared().timers.for_each([&](uint64_t, const machine::Timer& timer) {
    is_all = is_all && is_heartbeat(execution, timer, exit);
  });
  return is_all;
}

// ---- Circles of calls -------------------------------------------------------

Value down_message(Machine& m, Value reference, Value pid) {
  static const Atom kDown = Atom::intern("DOWN");
  static const Atom kProcess = Atom::intern("process");
  static const Atom kReason = Atom::intern("noproc");
  return m.heap().tuple({Value(kDown), reference, Value(kProcess), pid, Value(kReason)});
}

}  // namespace

const Process* awaited_process(Machine& m, const Process& p) {
  machine::Event receive;
  if (!machine::find_receive(m, p, receive)) return nullptr;
  machine::ReceiveProbe probe(m);
  const Value nobody = m.heap().reference(UINT64_MAX);
  machine::MapPairs monitors(p.monitors);
  for (Value reference, what; monitors.next(reference, what);) {
    if (!what.is_tuple() || !what.element(0).is_local_pid()) continue;
    const Value other = what.element(0);
    if (probe.would_take(receive, down_message(m, reference, other)) &&
        !probe.would_take(receive, down_message(m, nobody, other))) {
      return m.processes().find(other);
    }
  }
  return nullptr;
}

namespace {

// Waiting as long as it takes, or at least a second.
bool waits_long(Machine& m, const Process& p) {
  constexpr int64_t kLong = 1'000'000'000;  // nanoseconds
  return p.receive_timer == 0 || m.shared().timers.get(p.receive_timer).duration >= kLong;
}

// Whether it is one of them, or waits for one that is, and so on.
bool waits_for(Machine& m, const Process* p, const std::vector<const Process*>& circle) {
  for (uint64_t i = 0; p && i <= m.processes().next_number(); ++i) {
    if (std::find(circle.begin(), circle.end(), p) != circle.end()) return true;
    p = awaited_process(m, *p);
  }
  return false;
}

// No timer that is set could end it but the long time-outs of those that wait for it.
bool has_long_circle(Machine& m) {
  const std::vector<const Process*> circle = find_circle(m);
  bool is_all = !circle.empty();
  m.shared().timers.for_each([&](uint64_t, const machine::Timer& timer) {
    const Process* p = timer.message.is_none() ? m.processes().find(timer.destination) : nullptr;
    is_all = is_all && p && waits_long(m, *p) && waits_for(m, p, circle);
  });
  return is_all;
}

// Time alone leads on.
bool waits_for_time(Machine& m) {
  return !m.processes().first_runnable() && m.shared().transit.empty() &&
         !m.shared().timers.empty();
}

}  // namespace

std::vector<const Process*> find_circle(Machine& m) {
  std::vector<const Process*> all;
  m.processes().for_each([&](const Process& p) { all.push_back(&p); });
  std::vector<const Process*> done;
  const auto place_in = [](const auto& list, const Process* p) {
    return std::find(list.begin(), list.end(), p);
  };
  for (const Process* p : all) {
    std::vector<const Process*> chain;
    while (p && place_in(done, p) == done.end()) {
      if (const auto begin = place_in(chain, p); begin != chain.end()) {
        return {begin, chain.cend()};
      }
      chain.push_back(p);
      p = awaited_process(m, *p);
    }
    done.insert(done.end(), chain.begin(), chain.end());
  }
  return {};
}

bool is_at_rest(Execution& execution) {
  Machine& m = execution.machine();
  if (!waits_for_time(m)) return false;
  if (has_only_heartbeats(execution)) return true;
  bool is_enabled = false;
  execution.for_each_enabled([&](ActorId) { return is_enabled = true; });
  return !is_enabled && has_long_circle(m);
}

bool may_end(Execution& execution) {
  Machine& m = execution.machine();
  return waits_for_time(m) && (has_only_heartbeats(execution) || has_long_circle(m));
}

}  // namespace fathom::explore
