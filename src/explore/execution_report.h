// An execution in words: its events as steps, the processes that wait at its end, and the schedule
// that leads there again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "explore/execution.h"
#include "explore/findings.h"
#include "machine/outcome_text.h"

namespace fathom::explore {

class ExecutionReport {
 public:
  // The machine must be in the last state of the execution.
  explicit ExecutionReport(const Execution& execution) : execution_(execution) {}

  std::vector<TraceStep> steps() const;
  TraceStep step(EventIndex index) const;
  std::vector<WaitingProcess> waiting() const;
  Schedule schedule() const;
  // The object on which the two events conflict: "key x of table t", "the mailbox of P".
  std::string contended_object(EventIndex first, EventIndex second) const;

  // As ~p prints it, pids replaced by the names of their processes.
  std::string text(machine::Value value) const;
  // Of a table without a registered name: that which ets:new was given, and its reference.
  std::string table_name(machine::Value table) const;
  // What a failed assertion says, if that is the reason.
  std::optional<std::string> assertion(machine::Value reason) const;
  std::string process_name(uint64_t number) const;
  machine::PidNames pid_names() const;

  // With the tail calls that have left no frame.
  machine::AuthorCall author_call(const machine::AuthorCall& known, uint64_t process) const;
  static std::string function_name(const machine::Mfa* function);

 private:
  std::string exiting_text(const machine::Event& event) const;
  std::string arrival_text(const machine::Event& event) const;
  void tell(const Record& record, TraceStep& step) const;
  void describe_call(const Record& record, TraceStep& step) const;
  std::string arguments(const Record& record, size_t from) const;
  const machine::Function* entry_of(uint64_t process) const;
  std::string last_request(uint64_t process) const;

  const Execution& execution_;
};

// Whether the process waits in the main loop of an OTP behaviour.
bool is_idle(machine::Machine& m, const machine::Process& p);

// {Reason, Stack}, with which an exception ends a process: the reason. Others as they are.
machine::Value without_stack(machine::Value reason);

// A line for an event: "P.1 ! hello"; for trees.
std::string short_text(const TraceStep& step);

}  // namespace fathom::explore
