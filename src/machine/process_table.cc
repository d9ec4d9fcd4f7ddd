#include "machine/process_table.h"

namespace fathom::machine {
namespace {

constexpr uint64_t kFirstPid = 1;  // 0 is the group leader of the first process

}  // namespace

Process& ProcessTable::add() {
  processes_.push_back(std::make_unique<Process>());
  journal_.record(
      [](std::span<const uint64_t> words) {
        auto& table = *reinterpret_cast<ProcessTable*>(words[0]);
        table.bytes_ -= table.processes_.back()->counted_bytes;
        table.processes_.pop_back();
      },
      {reinterpret_cast<uint64_t>(this)});
  Process& p = *processes_.back();
  p.pid = Value::pid(kFirstPid + processes_.size() - 1);
  link(p);
  return p;
}

Process* ProcessTable::find(Value pid) const {
  const uint64_t index = pid.local_number() - kFirstPid;
  if (!pid.is_local_pid() || index >= processes_.size()) return nullptr;
  Process* p = processes_[index].get();
  return p && p->status != Process::Status::Exited ? p : nullptr;
}

void ProcessTable::link(Process& p) {
  journal_.set(p.previous, last_);
  journal_.set(p.next, nullptr);
  journal_.set(last_ ? last_->next : first_, &p);
  journal_.set(last_, &p);
}

void ProcessTable::unlink(Process& p) {
  journal_.set(p.previous ? p.previous->next : first_, p.next);
  journal_.set(p.next ? p.next->previous : last_, p.previous);
}

void ProcessTable::move_to_end(Process& p) {
  if (last_ == &p) return;
  unlink(p);
  link(p);
}

void ProcessTable::set_status(Process& p, Process::Status status) {
  using enum Process::Status;
  if (p.status == status) return;
  if (p.status == Runnable) unlink(p);
  if (status == Runnable) link(p);
  journal_.set(p.status, status);
}

void ProcessTable::free(std::unique_ptr<Process>& p) {
  bytes_ -= p->counted_bytes;
  p.reset();
}

void ProcessTable::drop(Process& exited) {
  if (!journal_.active()) free(processes_[exited.pid.local_number() - kFirstPid]);
}

void ProcessTable::drop_exited() {
  for (std::unique_ptr<Process>& p : processes_) {
    if (p && p->status == Process::Status::Exited) free(p);
  }
}

}  // namespace fathom::machine
