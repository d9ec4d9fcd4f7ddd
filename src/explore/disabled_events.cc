#include "explore/disabled_events.h"

#include <algorithm>

namespace fathom::explore {

using machine::AccessMode;
using machine::EventKind;
using machine::SharedObject;

namespace {

// The process runs no more code after the event: it has begun to exit, or has ended.
bool ends(const machine::Access& access) {
  return (access.object == SharedObject::Life || access.object == SharedObject::Exiting) &&
         access.mode == AccessMode::Write;
}

// It may have cancelled the timer; else it has set it, or it is the event of that timer.
bool may_cancel(const machine::Event& event, const machine::Access& access) {
  if (access.object != SharedObject::Timer || access.mode != AccessMode::Write) return false;
  const bool is_own = event.kind == EventKind::Timer && access == event.accesses.front();
  return event.kind != EventKind::StartTimer && !is_own;
}

// Whether it is one of the few events that can disable others: it ends another process, cancels a
// timer, by itself or by a service, or has signals in transit arrive.
bool can_disable(const Record& record) {
  using enum SharedObject;
  const machine::Event& event = record.event;
  const auto ends_or_cancels = [&](const machine::Access& access) {
    return (ends(access) && access.id != record.process) || may_cancel(event, access);
  };
  switch (event.kind) {
    case EventKind::Halt:
    case EventKind::Suspend:
      return true;
    default:
      if (!event.delivered_signals.empty()) return true;
      return record.kinds.has_any({Life, Exiting, Timer}) &&
             std::any_of(event.accesses.begin(), event.accesses.end(), ends_or_cancels);
  }
}

}  // namespace

// What the event may have disabled is known only once it was performed; what the others would have
// done, only before it. So the machine goes back to before the event, performs one candidate after
// the other, going back each time, and then the event again. It does the same as the first time,
// but its values may lie elsewhere on the heap: so its record is filled anew, and what was found is
// put in afterwards.
void DisabledEvents::find(ActorId actor, Record& record) {
  machine::Machine& m = execution_.machine();
  Trace& trace = execution_.trace();
  if (!can_disable(record)) return;
  execution_.rewind();
  enabled_.clear();
  execution_.for_each_enabled([&](ActorId other) {
    enabled_.push_back(other);
    return false;
  });
  std::vector<RecordPtr> interrupted;
  find_interrupted(record, interrupted);
  std::vector<RecordPtr> disabled;
  for (const ActorId other : enabled_) {
    if (!may_disable(record, other)) continue;
    const RecordPtr event = execution_.perform(other);
    trace.identify(*event);
    if (execution_.dependence().are_dependent(record, *event)) {
      disabled.push_back(event->persistent_copy(trace.copies(), execution_.mark(execution_.depth()),
                                                m.heap().top()));
      disabled.back()->state = event->state.hashed();
    }
    execution_.rewind();
  }
  execution_.perform(actor, record);
  record.disabled = std::move(disabled);
  record.interrupted = std::move(interrupted);
}

// Whether the event may have kept the actor from acting: a process that it has ended or suspended,
// a timer that it has cancelled, a signal in transit that it has delivered itself.
bool DisabledEvents::may_disable(const Record& record, ActorId actor) {
  const machine::Event& event = record.event;
  Actors& actors = execution_.actors();
  if (actor == record.id.actor) return false;
  if (event.kind == EventKind::Halt) return actors.would_halt(actor);
  const auto is_accessed = [&](const machine::Access& access) {
    if (ends(access)) return actors.of_process(access.id) == actor;
    return access.object == SharedObject::Timer && actors.is_timer(actor, access.id);
  };
  if (std::any_of(event.accesses.begin(), event.accesses.end(), is_accessed)) return true;
  return std::any_of(
      event.delivered_signals.begin(), event.delivered_signals.end(),
      [&](const machine::Channel& c) { return actors.channel(c.from, c.to) == actor; });
}

// The receives in which processes wait that the event has ended. Such a process is not enabled, so
// there is no event of it to try: what it would take is asked of its receive, once there is a
// message (Trace::find_missed_receive). The machine must be in the state before the event.
void DisabledEvents::find_interrupted(const Record& record, std::vector<RecordPtr>& interrupted) {
  machine::Machine& m = execution_.machine();
  for (const machine::Access& access : record.event.accesses) {
    const uint64_t number = access.id;
    if (!ends(access) || number == record.process) continue;
    const machine::Process* p = m.processes().find(machine::Value::pid(number));
    if (!p) continue;
    RecordPtr receive = execution_.trace().copies().make();
    receive->clear();
    receive->event.clear();
    if (!machine::find_receive(m, *p, receive->event)) continue;
    receive->id.actor = execution_.actors().of_process(number);
    receive->process = number;
    execution_.trace().identify(*receive);
    make_footprints(*receive);
    interrupted.push_back(std::move(receive));
  }
}

}  // namespace fathom::explore
