// All processes of a machine, by pid, and the queues of those that can run: of those that
// belong to the system (services.h), and of all others, which drivers choose from.
//
// A process stays where it is from its start to its end, and longer: while there is
// a mark, one that has ended is kept, for going back to when it lived.
//
// A pid is the number of those that were started before. But if pids are to be named by
// lineage, a process has the same pid in every execution and on every machine, whatever was
// started before it: its number is made of its lineage (pid_numbers.h).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/number_index.h"
#include "machine/journal.h"
#include "machine/pid_numbers.h"
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
  void number_by_lineage() { is_by_lineage_ = true; }
  // That child of that child … of a process that nobody started: the first number says
  // which of those it is. Null: there is none such, or it has ended. For tables that
  // number by lineage.
  Process* find_descendant(std::span<const uint64_t> ordinals) const;
  // Null: there is none such, or it has ended.
  Process* find(Value pid) const {
    return pid.is_local_pid() ? find_at(place_of(pid.local_number())) : nullptr;
  }
  // The same by its place (Process::place), for who asks again and again.
  Process* find_at(uint64_t place) const {
    if (place >= processes_.size()) return nullptr;
    Process* p = processes_[place].get();
    return p && p->status != Process::Status::Exited ? p : nullptr;
  }
  // Of the process whose pid has that number; kNoPlace: it was never started.
  static constexpr uint64_t kNoPlace = NumberIndex::kNone;
  uint64_t place_of(uint64_t number) const {
    if (is_by_lineage_) return pids_.index_of(number);
    const uint64_t place = number - kFirstPid;
    return place < processes_.size() ? place : kNoPlace;
  }
  // The number of the pid that the next one will have, unless by lineage.
  uint64_t next_number() const { return processes_.size(); }
  // Those that live, in the order of their pids.
  template <class F>
  void for_each(F&& f) const {
    const auto visit = [&](const std::unique_ptr<Process>& p) {
      if (p && p->status != Process::Status::Exited) f(*p);
    };
    if (is_by_lineage_) {
      for (const PidNumbers::Pid& pid : pids_.in_order()) visit(processes_[pid.index]);
    } else {
      for (const std::unique_ptr<Process>& p : processes_) visit(p);
    }
  }
  // The one that has been able to run for longest; null: none can.
  Process* first_runnable() const { return others_.first; }
  // The one that has become so last.
  Process* last_runnable() const { return others_.last; }
  // The same among those of the system, but for those that have been running and are
  // interrupted.
  Process* first_runnable_service() const;
  // Whether there are any, interrupted or not.
  bool has_runnable_services() const { return services_.first != nullptr; }
  // After all others that can run.
  void move_to_end(Process& p);
  // Before all others that can run.
  void move_to_front(Process& p);
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
  static void undo_link(std::span<const uint64_t> words);
  static void undo_unlink(std::span<const uint64_t> words);
  void free(std::unique_ptr<Process>& p);
  uint64_t next_orphan(uint64_t reserved);

  Journal& journal_;
  bool is_by_lineage_ = false;
  PidNumbers pids_;       // if so
  uint64_t orphans_ = 0;  // processes that nobody started, without those of a reserved number
  uint64_t reserved_taken_ = 0;  // a bit for each
  uint64_t last_orphan_ = 0;
  std::vector<std::unique_ptr<Process>> processes_;  // by place; null: has ended
  Queue others_;
  Queue services_;
};

}  // namespace fathom::machine
