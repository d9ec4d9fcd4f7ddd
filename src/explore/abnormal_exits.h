// Processes that exit abnormally, and halt with a status other than 0, as findings.
//
// An exit is abnormal unless its reason is normal, shutdown or {shutdown, _}, as supervisors see
// it, or one of CheckOptions::normal. Of the processes that one event ends for the same reason only
// the first is a finding: the others are linked to it.
//
// Which exits of an execution are abnormal is kept from one execution to the next for the part that
// they share, so an execution costs its fresh events; only an abnormal exit is put into words, in
// each execution that has it.
//
// The place of a finding is that of the innermost stack frame in the program's own text; if there
// is none, of the innermost one with a line; without a stack trace, of the event.
#pragma once

#include <vector>

#include "explore/check_options.h"
#include "explore/ended_execution.h"
#include "explore/execution_report.h"

namespace fathom::explore {

class AbnormalExits {
 public:
  explicit AbnormalExits(const CheckOptions& options) : options_(options) {}

  // Of every execution, blocked ones too: what they share with the next is not examined again.
  void note(const EndedExecution& e);
  // Those of the execution that was noted last.
  std::vector<Finding> find(const EndedExecution& e) const;
  // The search restarts.
  void clear() { exits_.clear(); }

 private:
  struct AbnormalExit {
    EventIndex event;
    size_t which;  // of those that it ends
  };

  bool is_normal(const ExecutionReport& report, machine::Value reason) const;

  const CheckOptions& options_;
  std::vector<AbnormalExit> exits_;  // of the current execution
};

}  // namespace fathom::explore
