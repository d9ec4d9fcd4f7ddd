// Processes that exit abnormally, and halt with a status other than 0, as findings.
//
// An exit is abnormal unless its reason is normal, shutdown or {shutdown, _}, as supervisors see
// it, or one of CheckOptions::normal. With CheckOptions::strict_exits each is a finding, except for
// what a link ends. Otherwise only those of which nobody is told (exit_notices.h), those that
// take the test along, and failed assertions; the others are handled: let it crash.
//
// One exit may lead to another: by a link, or because who was told exits for that reason
// (gen_server:call/2 does). What links end belongs to the exit that began it, as one group. A group
// is handled if a process is told that does not exit because of it; or if a group that follows from
// it is handled: a worker that gives up because its server has crashed, and whose supervisor knows.
// A group in which the first process exits is not: the test has not come to its end. What follows
// from a finding is none of its own.
//
// Invariant: all executions of a class have the same findings, although a process and the one that
// watches it may exit in either order (exit_notices.h).
//
// Which exits of an execution are abnormal is kept from one execution to the next for the part that
// they share, so an execution costs its fresh events; only an abnormal exit is put into words, in
// each execution that has it, a handled one once.
//
// The place of a finding is that of the innermost stack frame in the program's own text; if there
// is none, of the innermost one with a line; without a stack trace, of the event.
//
// Limit: a supervisor that is told and gives up, with reason shutdown, counts as told.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "explore/check_options.h"
#include "explore/ended_execution.h"
#include "explore/execution_report.h"
#include "explore/exit_notices.h"

namespace fathom::explore {

class AbnormalExits {
 public:
  explicit AbnormalExits(const CheckOptions& options) : options_(options) {}

  // Of every execution, blocked ones too: what they share with the next is not examined again.
  void note(const EndedExecution& e);
  // Those of the execution that was noted last.
  std::vector<Finding> find(const EndedExecution& e);
  // Those that were handled, in all executions.
  std::vector<HandledExit> take_handled();
  // The search restarts.
  void clear();

 private:
  struct AbnormalExit {
    EventIndex event;
    size_t which;   // of those that it ends
    bool is_first;  // it is the first process
  };
  // Exits that are one, because of links; by the index of its first exit in exits_.
  struct Group {
    std::vector<size_t> exits;
    std::vector<size_t> follow;    // groups that follow from it
    size_t because_of = SIZE_MAX;  // the group that it follows from; or none
    bool is_handled = false;
    bool ends_test = false;       // the first process is in it, or in one that follows
    bool is_consequence = false;  // of one that is not handled
  };

  bool is_normal(const ExecutionReport& report, machine::Value reason) const;
  const machine::ProcessExit& exit_of(const EndedExecution& e, const AbnormalExit& exit) const;
  size_t cause_by_link(const EndedExecution& e, size_t exit) const;
  size_t cause_by_notice(const EndedExecution& e, size_t exit) const;
  std::vector<Group> make_groups(const EndedExecution& e) const;
  bool is_told(const EndedExecution& e, const std::vector<Group>& groups, const Group& group) const;
  void judge(const EndedExecution& e, std::vector<Group>& groups) const;
  void add_signal(const EndedExecution& e, const AbnormalExit& exit, Finding& finding) const;
  Finding finding_of(const EndedExecution& e, const AbnormalExit& exit) const;
  void add_handled(const EndedExecution& e, const Group& group);

  const CheckOptions& options_;
  std::vector<AbnormalExit> exits_;  // of the current execution
  ExitNotices notices_;
  // By the number of the process, and the hash of the reason.
  std::map<std::pair<uint64_t, uint32_t>, HandledExit> handled_;
};

}  // namespace fathom::explore
