// All processes of a machine, by pid, and the queue of those that can run.
//
// A process stays where it is from its start to its end, and longer: while there is
// a mark, one that has ended is kept, for going back to when it lived.
//
// A pid is the number of those that were started before. But if the table is told to
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

  // A new one, which can run: a child of that one, or of nobody.
  Process& add(Process* parent);
  // How many have been started by nobody.
  uint64_t orphans() const { return orphans_; }
  // From now on.
  void remember_pids() { remembers_ = true; }
  // That child of that child … of a process that nobody started: the first number says
  // which of those it is. Null: there is none such, or it has ended. For tables that
  // remember.
  Process* find_descendant(std::span<const uint64_t> ordinals) const;
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
  uint64_t index_for(uint64_t parent, uint64_t ordinal);

  Journal& journal_;
  bool remembers_ = false;
  std::unordered_map<uint64_t, uint64_t> indices_;   // of children that are remembered
  uint64_t orphans_ = 0;                             // processes that nobody started
  std::vector<std::unique_ptr<Process>> processes_;  // by pid; null: has ended
  Process* first_ = nullptr;
  Process* last_ = nullptr;
};

}  // namespace fathom::machine
