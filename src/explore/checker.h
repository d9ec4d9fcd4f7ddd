// A check that is going on: takes each execution that has ended, and makes the result of them all.
//
// What went wrong in an execution is found by others (abnormal_exits.h, left_waiting.h, endless.h),
// and kept once (found_findings.h). Here it is decided whether that is enough, why a check did not
// see everything, what it has assumed, and so what its verdict is:
//
//   bug      there is a finding, other than an execution that was cut
//   clean    there is none, all was explored, and there is no reason to doubt that
//   unknown  neither
//
// Invariant: nothing is counted of executions before a restart (assumptions.h): they may lack
// events, and will come again.
#pragma once

#include <string>

#include "explore/abnormal_exits.h"
#include "explore/check_options.h"
#include "explore/ended_execution.h"
#include "explore/explored_tree.h"
#include "explore/found_findings.h"
#include "explore/left_waiting.h"
#include "explore/race_orders.h"

namespace fathom::explore {

class Checker {
 public:
  // The options must outlive it.
  Checker(machine::Machine& m, std::string name, const CheckOptions& options);

  // The listener of a search.
  bool add(const Search& search, Ending ending);
  // The one execution that a replay consists of: whether the fault has come again. No verdict rests
  // on it that needs all executions.
  void add_replayed(const EndedExecution& e, const Schedule::Fault& fault);
  // A search has come to its end.
  void add_search(const Search& search);
  void add_note(std::string note) { result_.notes.push_back(std::move(note)); }
  // Why not everything was seen.
  void add_reason(std::string reason);
  // Whether that was because enough was seen, or because of a limit.
  bool was_stopped() const { return was_stopped_; }
  CheckResult finish();

 private:
  // False: that was enough.
  bool add(const EndedExecution& e);
  void find_findings(const EndedExecution& e);
  bool wants_more() const;
  void restart();
  void report_progress(const Search& search);
  void add_assumptions();

  machine::Machine& machine_;
  const CheckOptions& options_;
  double start_;
  double last_progress_ = 0;
  CheckResult result_;
  FoundFindings findings_;
  AbnormalExits exits_;
  LeftWaiting waiting_;
  ExploredTree tree_;
  RaceOrders race_orders_;
  bool was_stopped_ = false;
};

}  // namespace fathom::explore
