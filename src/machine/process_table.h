// All processes of a machine, by pid, and the queues of those that can run: of those that
// belong to the system (services.h), and of all others, which drivers choose from.
//
// A process stays where it is from its start to its end, and longer: while there is
// a mark, one that has ended is kept, for going back to when it lived.
//
// A pid is the number of those that were started before. But if the table is to
// remember, the n-th child of a process gets the pid that it had before whenever it is
// started again after going back, in whatever order.
#pragma once

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "machine/journal.h"
#include "machine/process.h"

namespace fathom::machine {

class ProcessTable {
 public:
  explicit ProcessTable(Journal& journal) : journal_(journal) {}

  // A new one, which can run: a child of that one, or of nobody. Of those that nobody has started,
  // the first has the number 1, and the first with a `reserved` number, from 2 to kReserved, has
  // that one.
  static constexpr uint64_t kReserved = 32;
  Process& add(Process* parent, bool is_system, uint64_t reserved = 0);
  // The number of the last one that nobody has started.
  uint64_t last_orphan() const { return last_orphan_; }
  // From now on.
  void remember_pids() { remembers_ = true; }
  // That child of that child … of a process that nobody started: the first number says
  // which of those it is. Null: there is none such, or it has ended. For tables that
  // remember.
  Process* find_descendant(std::span<const uint64_t> ordinals) const;
  // Null: there is none such, or it has ended.
  Process* find(Value pid) const {
    const uint64_t index = pid.local_number() - kFirstPid;
    if (!pid.is_local_pid() || index >= processes_.size()) return nullptr;
    Process* p = processes_[index].get();
    return p && p->status != Process::Status::Exited ? p : nullptr;
  }
  // The number of the pid that the next one will have.
  uint64_t next_number() const { return processes_.size(); }
  // Those that live, in the order of their start.
  template <class F>
  void for_each(F&& f) const {
    for (const std::unique_ptr<Process>& p : processes_) {
      if (p && p->status != Process::Status::Exited) f(*p);
    }
  }
  // The one that has been able to run for longest; null: none can.
  Process* first_runnable() const { return others_.first; }
  // The one that has become so last.
  Process* last_runnable() const { return others_.last; }
  // The same among those of the system, but for those that have been running and are
  // interrupted.
  Process* first_runnable_service() const;
  // After all others that can run.
  void move_to_end(Process& p);
  void set_status(Process& p, Process::Status status);
  // Frees those that have ended, if there is no mark.
  void drop(Process& exited);
  void drop_exited();

 private:
  static constexpr uint64_t kFirstPid = 1;  // 0 is the group leader of the first process

  struct Queue {
    Process* first = nullptr;
    Process* last = nullptr;
  };
  Queue& queue_of(const Process& p) { return p.is_system ? services_ : others_; }
  void link(Process& p);
  void unlink(Process& p);
  void free(std::unique_ptr<Process>& p);
  uint64_t index_for(uint64_t parent, uint64_t ordinal);
  uint64_t next_orphan(uint64_t reserved);

  Journal& journal_;
  bool remembers_ = false;
  std::unordered_map<uint64_t, uint64_t> indices_;  // of children that are remembered
  uint64_t orphans_ = 0;  // processes that nobody started, without those of a reserved number
  uint64_t reserved_taken_ = 0;  // a bit for each
  uint64_t last_orphan_ = 0;
  std::vector<std::unique_ptr<Process>> processes_;  // by pid; null: has ended
  Queue others_;
  Queue services_;
};

}  // namespace fathom::machine
