#include "machine/process_table.h"

namespace fathom::machine {

uint64_t ProcessTable::next_orphan(uint64_t reserved) {
  uint64_t ordinal = reserved;
  if (reserved != 0 && (reserved_taken_ >> reserved & 1) == 0) {
    journal_.set(reserved_taken_, reserved_taken_ | uint64_t{1} << reserved);
  } else {
    journal_.set(orphans_, orphans_ + 1);
    ordinal = orphans_ == 1 ? 1 : kReserved + orphans_;
  }
  journal_.set(last_orphan_, ordinal);
  return ordinal;
}

Process& ProcessTable::add(Process* parent, bool is_system, uint64_t reserved) {
  if (parent) journal_.set(parent->children, parent->children + 1);
  const uint64_t ordinal = parent ? parent->children : next_orphan(reserved);
  PidNumbers::Pid pid{kFirstPid + processes_.size(), static_cast<uint32_t>(processes_.size())};
  if (is_by_lineage_) pid = pids_.of_child(parent ? parent->pid.local_number() : 0, ordinal);
  if (pid.index == processes_.size()) processes_.emplace_back();
  processes_[pid.index] = std::make_unique<Process>();
  journal_.record(
      [](std::span<const uint64_t> words) {
        auto& table = *reinterpret_cast<ProcessTable*>(words[0]);
        table.free(table.processes_[words[1]]);
      },
      {reinterpret_cast<uint64_t>(this), pid.index});
  Process& p = *processes_[pid.index];
  p.pid = Value::pid(pid.number);
  p.place = pid.index;
  p.is_system = is_system;
  link(p);
  return p;
}

Process* ProcessTable::find_descendant(std::span<const uint64_t> ordinals) const {
  uint64_t number = 0;
  for (const uint64_t ordinal : ordinals) {
    const PidNumbers::Pid* child = pids_.find_child(number, ordinal);
    if (!child) return nullptr;
    number = child->number;
  }
  return find(Value::pid(number));
}

Process* ProcessTable::first_runnable_service() const {
  Process* p = services_.first;
  while (p && p->is_running) p = p->next;
  return p;
}

// ---- Queues -----------------------------------------------------------------
//
// A process that is in no queue keeps its links: going back to when it was in one, what lay
// between them does so again.

void ProcessTable::undo_link(std::span<const uint64_t> words) {
  auto& queue = *reinterpret_cast<Queue*>(words[0]);
  auto& p = *reinterpret_cast<Process*>(words[1]);
  queue.last = p.previous;
  (queue.last ? queue.last->next : queue.first) = nullptr;
  p.previous = reinterpret_cast<Process*>(words[2]);
  p.next = reinterpret_cast<Process*>(words[3]);
}

void ProcessTable::undo_unlink(std::span<const uint64_t> words) {
  auto& queue = *reinterpret_cast<Queue*>(words[0]);
  auto& p = *reinterpret_cast<Process*>(words[1]);
  (p.previous ? p.previous->next : queue.first) = &p;
  (p.next ? p.next->previous : queue.last) = &p;
}

void ProcessTable::link(Process& p) {
  Queue& queue = queue_of(p);
  journal_.record(&undo_link,
                  {reinterpret_cast<uint64_t>(&queue), reinterpret_cast<uint64_t>(&p),
                   reinterpret_cast<uint64_t>(p.previous), reinterpret_cast<uint64_t>(p.next)});
  p.previous = queue.last;
  p.next = nullptr;
  (queue.last ? queue.last->next : queue.first) = &p;
  queue.last = &p;
}

void ProcessTable::unlink(Process& p) {
  Queue& queue = queue_of(p);
  journal_.record(&undo_unlink,
                  {reinterpret_cast<uint64_t>(&queue), reinterpret_cast<uint64_t>(&p)});
  (p.previous ? p.previous->next : queue.first) = p.next;
  (p.next ? p.next->previous : queue.last) = p.previous;
}

// ---- Status -----------------------------------------------------------------

void ProcessTable::move_to_end(Process& p) {
  if (queue_of(p).last == &p) return;
  unlink(p);
  link(p);
}

void ProcessTable::move_to_front(Process& p) {
  Queue& queue = queue_of(p);
  if (queue.first == &p) return;
  unlink(p);
  journal_.set(p.previous, nullptr);
  journal_.set(p.next, queue.first);
  journal_.set(queue.first->previous, &p);
  journal_.set(queue.first, &p);
}

void ProcessTable::set_status(Process& p, Process::Status status) {
  using enum Process::Status;
  if (p.status == status) return;
  if (p.status == Runnable) unlink(p);
  if (status == Runnable) link(p);
  journal_.set(p.status, status);
}

void ProcessTable::free(std::unique_ptr<Process>& p) { p.reset(); }

void ProcessTable::drop(Process& exited) {
  if (!journal_.active()) free(processes_[exited.place]);
}

void ProcessTable::drop_exited() {
  for (std::unique_ptr<Process>& p : processes_) {
    if (p && p->status == Process::Status::Exited) free(p);
  }
}

}  // namespace fathom::machine
