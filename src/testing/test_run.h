// One machine on which tests run, watched: a test that hangs, makes too many calls, or ends the
// machine is told from one that fails.
//
// Time is virtual: it passes only when no process can run. So a test that hangs is seen at
// once. If nothing but the timer of EUnit's, or of Common Test's timetrap, is left, it is a
// deadlock; if other timers are, it is a time-out like EUnit's.
#pragma once

#include <functional>
#include <memory>

#include "machine/driver.h"
#include "testing/find_tests.h"
#include "testing/test_log.h"

namespace fathom::testing {

struct RunOptions {
  uint64_t reductions = UINT64_MAX;   // from one event to the next
  machine::Driver* driver = nullptr;  // who decides what happens next; null: each in turn
  machine::Mode mode = {};
  // A machine was made, on which nothing has run yet.
  std::function<void(machine::Machine&)> on_machine = {};
  // A test has ended, or what belongs to it after that: before the next one begins.
  OnEnd on_end = {};
  // No more tests run on the machine.
  std::function<void(machine::Machine&)> on_machine_end = {};
};

class TestRun {
 public:
  TestRun(const TestModule& module, session::Session& session, const RunOptions& options,
          const OnResult& on_result);

  // Renews the budget for the next run. False: it was interrupted.
  static bool may_begin();

  // Starts the first process, which tells what happens.
  using Start = std::function<void(machine::Machine&)>;
  void run(const Start& start);

  // If it is cut short, the machine could not go on, or EUnit has given up.
  const TestLog& log() const { return log_; }

 private:
  void settle(machine::Value stuck);
  Failure failure_of(const machine::Outcome& outcome);
  Failure endless_failure(machine::Value last, bool is_over_time);

  const RunOptions& options_;
  std::unique_ptr<machine::Machine> own_machine_;
  machine::Machine& machine_;
  TestLog log_;
};

}  // namespace fathom::testing
