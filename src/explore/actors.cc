#include "explore/actors.h"

#include <fmt/format.h>

#include "explore/dependence.h"
#include "explore/drivers.h"
#include "explore/polling.h"
#include "machine/process_name.h"
#include "machine/signals.h"

namespace fathom::explore {

using machine::Process;
using machine::Value;

ActorId Actors::of_process(uint64_t number) {
  ActorId& actor = processes_[number].actor;
  if (actor == kNoIndex) actor = intern({Kind::Process, number, 0});
  return actor;
}

ActorId Actors::intern(const Actor& actor) {
  const auto [it, is_new] = ids_.try_emplace(actor, static_cast<ActorId>(actors_.size()));
  if (is_new) {
    actors_.push_back(actor);
    names_.push_back(name_of(actor));
  }
  return it->second;
}

Process* Actors::process(ActorId actor) const {
  const Actor& t = actors_[actor];
  return t.kind == Kind::Process ? machine_.processes().find(Value::pid(t.number)) : nullptr;
}

// Whoever it is exists when it is first met.
std::string Actors::name_of(const Actor& t) const {
  const Process* p =
      machine_.processes().find(Value::pid(t.kind == Kind::Channel ? t.to : t.number));
  if (t.kind == Kind::Timer) return timer_name(machine_, t.number);
  if (t.kind == Kind::Process) return p ? machine::process_name(*p) : "";
  std::string name;
  machine_.shared().transit.for_each([&](Value from, Value lineage, Value to) {
    if (from == Value::pid(t.number) && to == Value::pid(t.to)) {
      name = signal_name(machine_, lineage, to);
    }
  });
  return name;
}

const std::string* Actors::find_name(uint64_t process) const {
  const auto it = ids_.find({Kind::Process, process, 0});
  return it == ids_.end() ? nullptr : &names_[it->second];
}

// ---- Who can act ------------------------------------------------------------

bool Actors::may_fire(uint64_t timer, int64_t due) const {
  const machine::Timers& timers = machine_.shared().timers;
  return timers.get(timer).duration < patience_ || *timers.time_of(timer) <= due;
}

bool Actors::is_enabled(ActorId actor, int64_t due) const {
  const Actor& t = actors_[actor];
  if (t.kind == Kind::Timer) {
    return machine_.shared().timers.time_of(t.number) && may_fire(t.number, due);
  }
  if (t.kind == Kind::Channel) {
    bool is_there = false;
    machine_.shared().transit.for_each([&](Value from, Value, Value to) {
      is_there = is_there || (from == Value::pid(t.number) && to == Value::pid(t.to));
    });
    return is_there;
  }
  const Process* p = process(actor);
  if (!p || p->is_system) return false;
  if (p->status == Process::Status::Runnable) return p->is_at_event;
  return p->status == Process::Status::Waiting && p->receive_timer != 0 &&
         may_fire(p->receive_timer, due);
}

bool Actors::would_halt(ActorId actor) const {
  const Process* p = process(actor);
  return p && p->is_at_event && p->call && p->call->event == machine::EventKind::Halt;
}

void Actors::find_enabled(int64_t due, std::vector<ActorId>& result) {
  result.clear();
  for_each_enabled(due, [&](ActorId actor) {
    result.push_back(actor);
    return false;
  });
}

std::optional<int64_t> Actors::next_moment() const {
  std::optional<int64_t> moment;
  machine_.shared().timers.for_each([&](uint64_t number, const machine::Timer&) {
    if (!moment) moment = machine_.shared().timers.time_of(number);
  });
  return moment;
}

// ---- Running ----------------------------------------------------------------

void Actors::run_to_event(Process& p) {
  constexpr int64_t kPortion = 2'000'000;
  constexpr int kMost = 100;  // portions
  int portions = 0;
  while (!machine_.outcome && p.status == Process::Status::Runnable && !p.is_at_event) {
    if (++portions > kMost) {
      machine_.stop(machine::Outcome::Kind::Limit,
                    fmt::format("{} made {} million calls without doing anything that others "
                                "could see: it may never end",
                                machine::process_name(p), kPortion * kMost / 1'000'000));
      return;
    }
    machine_.resume(p, kPortion);
  }
}

// Those that do not stand before an event have become able to run since the last time, so
// they are the last of the queue.
void Actors::settle(std::vector<uint64_t>& exits) {
  while (!machine_.outcome) {
    Process* p = machine_.processes().last_runnable();
    while (p && p->previous && !p->is_at_event && !p->previous->is_at_event) p = p->previous;
    if (!p || p->is_at_event) return;
    run_to_event(*p);
    exit_if_invisible(*p, exits);
  }
}

// ---- Leaving ----------------------------------------------------------------

void Actors::exit_if_invisible(Process& p, std::vector<uint64_t>& exits) {
  const uint64_t number = p.pid.local_number();
  if (!allows_invisible_exits_ || machine_.outcome || p.status != Process::Status::Runnable) return;
  if (processes_[number].is_referenced || !machine::has_invisible_exit(machine_, p)) return;
  of_process(number);  // while it has a name
  processes_[number].has_exited_invisibly = has_invisible_exits_ = true;
  exits.push_back(number);
  machine::exit_invisibly(machine_, p);
}

void Actors::mark_referenced(uint64_t process) {
  ProcessInfo& known = processes_[process];
  if (known.is_referenced) return;
  known.is_referenced = true;
  needs_restart_ = needs_restart_ || known.has_exited_invisibly;
}

// Whom the event has to do with, beside who performs it.
void Actors::mark_referenced(const Record& record) {
  using enum machine::SharedObject;
  for (const machine::Access& access : record.event.accesses) {
    switch (access.object) {
      case Life:
        if (access.mode == machine::AccessMode::Append) break;
        [[fallthrough]];
      case Mailbox:
      case Flags:
      case Progress:
      case Links:
      case Name:
        if (access.id != 0 && access.id != record.process) mark_referenced(access.id);
        break;
      case Processes:
        // Who looks at all of them looks at those that are to come, too.
        if (access.mode != machine::AccessMode::Read) break;
        allows_invisible_exits_ = false;
        needs_restart_ = needs_restart_ || has_invisible_exits_;
        break;
      case Table:
      case TableName:
      case TableFacts:
      case Tables:
      case Timer:
      case Term:
      case Atomic:
      case Environment:
      case System:
      case Unique:
        break;
    }
  }
  for (const machine::SentMessage& sent : record.event.sent) {
    if (sent.to != record.process) mark_referenced(sent.to);
  }
}

// ---- Acting -----------------------------------------------------------------

// Its time may be up before any other event.
bool Actors::is_impatient(const machine::Event& receive) const {
  constexpr int64_t kNanoseconds = 1'000'000;  // of a millisecond
  if (!receive.timeout.is_small()) return false;
  // One of 0 does not wait, whatever the patience.
  return receive.timeout.small() == 0 || receive.timeout.small() * kNanoseconds < patience_;
}

void Actors::perform(ActorId actor, int64_t due, Record& record) {
  constexpr int64_t kPortion = 2'000'000;
  const Actor t = actors_[actor];
  record.clear();
  record.id.actor = actor;
  record.process = t.kind == Kind::Process ? t.number : 0;
  bool is_late = false;
  machine_.events().report_to(&record.event);
  if (t.kind == Kind::Timer) {
    machine_.fire(t.number);
  } else if (t.kind == Kind::Channel) {
    machine_.arrive(Value::pid(t.number), Value::pid(t.to));
  } else {
    Process& p = *process(actor);
    is_late = p.receive_timer != 0 && may_fire(p.receive_timer, due);
    if (p.status == Process::Status::Waiting) {
      record.waiting_hash = waiting_hash(p);
      machine_.fire(p.receive_timer);
      record.by_timer = true;
      run_to_event(p);
    }
    if (!machine_.outcome) machine_.resume(p, kPortion);
  }
  machine_.events().report_to(nullptr);
  make_footprints(record);
  record.may_time_out = record.takes() && (is_late || is_impatient(record.event));
  if (allows_invisible_exits_) mark_referenced(record);
  if (!record.event.query.is_none() && !machine_.events().records_changes()) {
    machine_.events().record_changes();
    needs_restart_ = true;
  }
  if (!machine_.outcome && t.kind == Kind::Process) {
    // It may not have come to its next event yet.
    if (Process* p = process(actor)) {
      run_to_event(*p);
      exit_if_invisible(*p, record.invisible_exits);
    }
  }
  settle(record.invisible_exits);
}

}  // namespace fathom::explore
