// All processes of a machine, by pid, and the queue of those that can run.
//
// A process stays where it is from its start to its end, and longer: while there is
// a mark, one that has ended is kept, for going back to when it lived.
#pragma once

#include <memory>
#include <vector>

#include "machine/journal.h"
#include "machine/process.h"

namespace fathom::machine {

class ProcessTable {
 public:
  explicit ProcessTable(Journal& journal) : journal_(journal) {}

  // A new one, which can run.
  Process& add();
  // Null: there is none such, or it has ended.
  Process* find(Value pid) const;
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
  Process* first_runnable() const { return first_; }
  // Behind all others that can run.
  void move_to_end(Process& p);
  void set_status(Process& p, Process::Status status);
  // Frees those that have ended, if there is no mark.
  void drop(Process& exited);
  void drop_exited();

 private:
  void link(Process& p);
  void unlink(Process& p);

  Journal& journal_;
  std::vector<std::unique_ptr<Process>> processes_;  // by pid; null: has ended
  Process* first_ = nullptr;
  Process* last_ = nullptr;
};

}  // namespace fathom::machine
