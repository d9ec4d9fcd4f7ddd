// From the events of EUnit and of Common Test's runner to results.
//
// EUnit runs a tree of groups and tests; an Id is the path to one of them ([] the root,
// [2, 1] the first of the second). It tells, in the order in which it happens:
//   {begin, Id, group | test, Title, Source, Line}
//   {'end', Id, Status, Output}
//   {cancel, Id, Reason}    also for what is below Id, of which it says no more
// (fathom_eunit.erl puts it in that form, and fathom_ct.erl tells the same.) Items that have begun
// and not ended are open. A cancellation is laid at the door of the open tests below it or, where
// there are none, of the innermost open group.
//
// Before each function of the module there is a test of fathom_eunit's own, whose line is
// the index of the function: so one knows to which function what follows belongs. A case of a
// suite is called by the function that it is.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "testing/find_tests.h"
#include "testing/places.h"
#include "testing/results.h"

namespace fathom::testing {

using OnResult = std::function<void(TestResult&&)>;
using OnEnd = std::function<void(machine::Machine&, const TestResult&)>;

class TestLog {
 public:
  // `on_end`: called at the end of each test, also where its result waits for that of another.
  TestLog(machine::Machine& m, const TestModule& module, OnResult on_result, OnEnd on_end = {});

  void note(machine::Value event);

  // The machine cannot go on: that is the end of what is open.
  void give_up(Status status, const Failure& failure);
  // The reason of the time-out that comes next.
  void explain_timeout(Failure failure) { timeout_ = std::move(failure); }

  // The index of the function that is being run; empty before the first one.
  std::optional<size_t> function() const { return function_; }
  // The group that was blamed because no test was open when the machine could not go on.
  const std::optional<std::vector<int64_t>>& blamed_group() const { return blamed_group_; }
  // EUnit has given up the rest of the module.
  bool is_cut_short() const { return is_cut_short_; }
  // When there was an event, in seconds of the real clock.
  double last_event() const { return last_event_; }
  uint64_t calls_since_event() const { return machine_.statistics().reductions - last_calls_; }
  // On the virtual clock, in nanoseconds: when the last test or group began.
  int64_t last_begin() const { return last_begin_; }
  // The number of the first process that the function can have started.
  uint64_t first_process() const { return first_process_; }

 private:
  using Id = std::vector<int64_t>;
  struct Item {
    TestResult result;  // as far as it is known
    double begin = 0;
    size_t output_begin = 0;
  };

  void begin(const Id& id, std::span<const machine::Value> event);
  void end(const Id& id, machine::Value status, machine::Value output);
  Failure function_failure(machine::Value why);
  void warn(Atom function, uint32_t arity, machine::Value exception);
  void cancel(const Id& id, machine::Value reason);
  TestResult new_result() const;
  // Ends what is open below an id, and the blame falls on.
  void blame(const Id& id, Status status, const Failure& failure);
  void finish(const Id& id, Status status, std::optional<Failure> failure, std::string output);
  void hand_on();
  Failure cancel_failure(machine::Value reason);
  Failure exit_failure(machine::Value reason);
  Failure timeout_failure();
  // Of a case that was not run: {left_out, user | auto | unknown, Text, Failure | undefined}.
  void leave_out(const Id& id, std::span<const machine::Value> why, std::string output);

  machine::Machine& machine_;
  const TestModule& module_;
  Places places_;
  OnResult on_result_;
  OnEnd on_end_;
  std::map<Id, Item> open_;  // so what is below an id stands directly after it
  std::map<Id, TestResult> done_;
  std::optional<size_t> function_;
  std::optional<Failure> timeout_;
  std::optional<Id> blamed_group_;
  bool is_cut_short_ = false;
  double last_event_;
  uint64_t last_calls_ = 0;  // that had been made then
  int64_t last_begin_ = 0;
  uint64_t first_process_ = 0;
};

// Seconds of a clock that only goes forward.
double real_seconds();

}  // namespace fathom::testing
