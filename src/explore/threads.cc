#include "explore/threads.h"

#include <fmt/format.h>

#include "explore/dependence.h"
#include "explore/drivers.h"
#include "explore/polling.h"
#include "machine/process_name.h"
#include "machine/signals.h"

namespace fathom::explore {

using machine::Process;
using machine::Value;

ThreadId Threads::of_process(uint64_t number) {
  ThreadId& thread = acquaintances_[number].thread;
  if (thread == kNoIndex) thread = intern({Kind::Process, number, 0});
  return thread;
}

ThreadId Threads::intern(const Thread& thread) {
  const auto [it, is_new] = ids_.try_emplace(thread, static_cast<ThreadId>(threads_.size()));
  if (is_new) {
    threads_.push_back(thread);
    names_.push_back(name_of(thread));
  }
  return it->second;
}

Process* Threads::process(ThreadId thread) const {
  const Thread& t = threads_[thread];
  return t.kind == Kind::Process ? machine_.processes().find(Value::pid(t.number)) : nullptr;
}

// Whoever it is exists when it is first met.
std::string Threads::name_of(const Thread& t) const {
  const Process* p = machine_.processes().find(Value::pid(t.kind == Kind::Way ? t.to : t.number));
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

const std::string* Threads::find_name(uint64_t process) const {
  const auto it = ids_.find({Kind::Process, process, 0});
  return it == ids_.end() ? nullptr : &names_[it->second];
}

// ---- Who can act ------------------------------------------------------------

bool Threads::may_fire(uint64_t timer, int64_t due) const {
  const machine::Timers& timers = machine_.shared().timers;
  return timers.get(timer).duration < patience_ || *timers.time_of(timer) <= due;
}

bool Threads::is_enabled(ThreadId thread, int64_t due) const {
  const Thread& t = threads_[thread];
  if (t.kind == Kind::Timer) {
    return machine_.shared().timers.time_of(t.number) && may_fire(t.number, due);
  }
  if (t.kind == Kind::Way) {
    bool is_there = false;
    machine_.shared().transit.for_each([&](Value from, Value, Value to) {
      is_there = is_there || (from == Value::pid(t.number) && to == Value::pid(t.to));
    });
    return is_there;
  }
  const Process* p = process(thread);
  if (!p || p->is_system) return false;
  if (p->status == Process::Status::Runnable) return p->is_at_event;
  return p->status == Process::Status::Waiting && p->receive_timer != 0 &&
         may_fire(p->receive_timer, due);
}

bool Threads::would_halt(ThreadId thread) const {
  const Process* p = process(thread);
  return p && p->is_at_event && p->call && p->call->event == machine::EventKind::Halt;
}

void Threads::find_enabled(int64_t due, std::vector<ThreadId>& result) {
  result.clear();
  for_each_enabled(due, [&](ThreadId thread) {
    result.push_back(thread);
    return false;
  });
}

std::optional<int64_t> Threads::next_moment() const {
  std::optional<int64_t> moment;
  machine_.shared().timers.for_each([&](uint64_t number, const machine::Timer&) {
    if (!moment) moment = machine_.shared().timers.time_of(number);
  });
  return moment;
}

// ---- Running ----------------------------------------------------------------

void Threads::run_to_event(Process& p) {
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
void Threads::settle(std::vector<uint64_t>& left) {
  while (!machine_.outcome) {
    Process* p = machine_.processes().last_runnable();
    while (p && p->previous && !p->is_at_event && !p->previous->is_at_event) p = p->previous;
    if (!p || p->is_at_event) return;
    run_to_event(*p);
    let_leave(*p, left);
  }
}

// ---- Leaving ----------------------------------------------------------------

void Threads::let_leave(Process& p, std::vector<uint64_t>& left) {
  const uint64_t number = p.pid.local_number();
  if (!lets_leave_ || machine_.outcome || p.status != Process::Status::Runnable) return;
  if (acquaintances_[number].is_noticed || !machine::has_invisible_exit(machine_, p)) return;
  of_process(number);  // while it has a name
  acquaintances_[number].has_left = has_left_ = true;
  left.push_back(number);
  machine::exit_invisibly(machine_, p);
}

void Threads::notice(uint64_t process) {
  Acquaintance& known = acquaintances_[process];
  if (known.is_noticed) return;
  known.is_noticed = true;
  has_misjudged_ = has_misjudged_ || known.has_left;
}

// Whom the event has to do with, beside who performs it.
void Threads::notice(const Record& record) {
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
        if (access.id != 0 && access.id != record.process) notice(access.id);
        break;
      case Processes:
        // Who looks at all of them looks at those that are to come, too.
        if (access.mode != machine::AccessMode::Read) break;
        lets_leave_ = false;
        has_misjudged_ = has_misjudged_ || has_left_;
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
  for (const machine::Sent& sent : record.event.sent) {
    if (sent.to != record.process) notice(sent.to);
  }
}

// ---- Acting -----------------------------------------------------------------

// Its time may be up before any other event.
bool Threads::is_impatient(const machine::Event& receive) const {
  constexpr int64_t kNanoseconds = 1'000'000;  // of a millisecond
  if (!receive.timeout.is_small()) return false;
  // One of 0 does not wait, whatever the patience.
  return receive.timeout.small() == 0 || receive.timeout.small() * kNanoseconds < patience_;
}

void Threads::perform(ThreadId thread, int64_t due, Record& record) {
  constexpr int64_t kPortion = 2'000'000;
  const Thread t = threads_[thread];
  record.clear();
  record.id.thread = thread;
  record.process = t.kind == Kind::Process ? t.number : 0;
  bool is_late = false;
  machine_.events().report_to(&record.event);
  if (t.kind == Kind::Timer) {
    machine_.fire(t.number);
  } else if (t.kind == Kind::Way) {
    machine_.arrive(Value::pid(t.number), Value::pid(t.to));
  } else {
    Process& p = *process(thread);
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
  if (lets_leave_) notice(record);
  if (!record.event.sought.is_none() && !machine_.events().records_changes()) {
    machine_.events().record_changes();
    has_misjudged_ = true;
  }
  if (!machine_.outcome && t.kind == Kind::Process) {
    // It may not have come to its next event yet.
    if (Process* p = process(thread)) {
      run_to_event(*p);
      let_leave(*p, record.left);
    }
  }
  settle(record.left);
}

}  // namespace fathom::explore
