#include "explore/assumptions.h"

#include <utility>

#include "machine/exit.h"
#include "machine/services.h"

namespace fathom::explore {

using machine::Process;

void Assumptions::begin() {
  machine::start_used_services(machine_);
  services_ = machine_.services_used;
}

bool Assumptions::may_exit_invisibly(const Process& p) const {
  if (!allows_invisible_exits_ || machine_.outcome || p.status != Process::Status::Runnable) {
    return false;
  }
  if (!machine::has_invisible_exit(machine_, p)) return false;
  const ProcessInfo* info = processes_.find(p.pid.local_number());
  return !(info && info->is_referenced);
}

void Assumptions::exit_invisibly(Process& p) {
  processes_[p.pid.local_number()].has_exited_invisibly = has_invisible_exits_ = true;
  machine::exit_invisibly(machine_, p);
}

void Assumptions::note(const Record& record) {
  using enum machine::SharedObject;
  if (allows_invisible_exits_) note_references(record);
  note_answers(record);
  const bool may_look = record.kinds.has_any({MailboxOrder, Exiting, Flags});
  if ((may_look || !record.event.query.is_none()) && watched_.add(record.event)) {
    needs_restart_ = true;
  }
  // A run that has ended has done so because the service cannot start.
  if (machine_.services_used != services_ && !machine_.outcome) needs_restart_ = true;
}

// In OTP the answer is a message, which the process finds in its mailbox before any other one; the
// machine answers at once. Who has looked at that mailbox could have seen it.
void Assumptions::note_answers(const Record& record) {
  using machine::EventKind;
  const machine::Event& event = record.event;
  const bool is_kind = event.kind == EventKind::Info || event.kind == EventKind::Suspend ||
                       event.kind == EventKind::Flag;
  if (!is_kind || event.arguments.empty()) return;
  for (const machine::Value argument : event.arguments) {
    if (!argument.is_local_pid() || argument.local_number() == record.process) continue;
    ProcessInfo& info = processes_[record.process];
    info.asks = true;
    if (info.shows_mail) machine_.inputs().look_at(machine::Input::Answers);
  }
  for (const machine::Access& access : event.accesses) {
    const bool is_look = access.object == machine::SharedObject::Mailbox &&
                         access.mode == machine::AccessMode::Read && access.id != record.process;
    if (!is_look) continue;
    ProcessInfo& info = processes_[access.id];
    info.shows_mail = true;
    if (info.asks) machine_.inputs().look_at(machine::Input::Answers);
  }
}

void Assumptions::restart() {
  needs_restart_ = false;
  machine_.events().watch(watched_);
  if (!std::exchange(is_exit_visible_, false)) return;
  if (++restarts_ == kMaxRestarts) allows_invisible_exits_ = false;
}

void Assumptions::add_reference(uint64_t process) {
  ProcessInfo& info = processes_[process];
  if (info.is_referenced) return;
  info.is_referenced = true;
  if (info.has_exited_invisibly) needs_restart_ = is_exit_visible_ = true;
}

// The processes that the event has to do with, except for the one that performs it.
void Assumptions::note_references(const Record& record) {
  using enum machine::SharedObject;
  constexpr ObjectKinds kOfProcesses = {Life,  Exiting,  Channel, Mailbox, MailboxOrder,
                                        Flags, Progress, Links,   Name,    Processes};
  for (const machine::SentMessage& sent : record.event.sent) {
    if (sent.to != record.process) add_reference(sent.to);
  }
  if (!record.kinds.has_any(kOfProcesses)) return;
  for (const machine::Access& access : record.event.accesses) {
    switch (access.object) {
      case Life:
        // It has just been started, and the parent need not keep its pid.
        if (access.mode == machine::AccessMode::Append) break;
        [[fallthrough]];
      case Exiting:
      case Channel:
      case Mailbox:
      case MailboxOrder:
      case Flags:
      case Progress:
      case Links:
      case Name:
        if (access.id != 0 && access.id != record.process) add_reference(access.id);
        break;
      case Processes:
        // processes() refers to all of them, also to those that are started later.
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
      case FileName:
      case File:
      case Directory:
      case System:
      case Service:
      case Unique:
        break;
    }
  }
}

}  // namespace fathom::explore
