// The budget of a command: its options' limits, SIGINT and SIGTERM, and a watcher.
//
// The first signal interrupts the budget, so that the command ends with what it has found; the
// second one ends the process at once, as ever.
//
// The watcher is a thread that checks the clock and the memory every few milliseconds. It
// does nothing as long as the work checks its budget. An operation that does not, and goes
// far beyond it, ends the process with a message: limits hold whatever a program does.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/budget.h"

namespace fathom {

// One at a time. The work begins with it.
class CommandBudget {
 public:
  explicit CommandBudget(Budget::Limits limits);
  ~CommandBudget();
  CommandBudget(const CommandBudget&) = delete;
  CommandBudget& operator=(const CommandBudget&) = delete;

  // More work, with another allowance.
  void begin();
  // What follows is reporting, which takes as long as it takes.
  void end();
  // Which option allows more than the limit that was reached, to stand after its name; empty: none
  // was.
  std::string advice();
  bool is_interrupted() { return budget_.look() == Budget::Spent::Interrupted; }

 private:
  void watch();

  Budget::Limits limits_;
  Budget budget_;
  std::optional<BudgetScope> scope_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_working_ = true;  // this and the next are guarded by the mutex
  bool is_over_ = false;
  std::thread watcher_;
};

}  // namespace fathom
