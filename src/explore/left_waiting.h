// Processes that wait at the end of an execution for what nobody will send, as findings.
//
// If the first process, which runs the test, is among them, that is a deadlock. If it has exited,
// the others are stuck, except for behaviours of OTP that are idle in their main loops: to wait for
// the next request is what servers do. They are named in a note instead (CheckOptions::strict_end
// makes them stuck, too; with allow_leftover none of the others counts).
//
// Most executions of a test end in the same way. So what was found is kept by a hash of which
// processes wait where: only the first execution with that hash is put into words.
//
// Invariant: two executions with the same key have the same finding. Processes have the same
// numbers in all executions of a search (PidNumbers), and where one waits says
// which receive it is.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "explore/check_options.h"
#include "explore/ended_execution.h"
#include "explore/found_findings.h"

namespace fathom::explore {

class LeftWaiting {
 public:
  LeftWaiting(const CheckOptions& options, FoundFindings& findings)
      : options_(options), findings_(findings) {}

  // Adds what there is to the findings. The execution must be complete.
  void find(const EndedExecution& e);
  // "P.1 (server) was idle in gen_server:loop/7 at the end", one for each function.
  std::vector<std::string> idle_notes() const;
  // The search restarts.
  void clear();

 private:
  // None: it is not a finding, or is not wanted.
  std::optional<size_t> add(const EndedExecution& e);
  void set_aside_idle(std::vector<WaitingProcess>& waiting);

  const CheckOptions& options_;
  FoundFindings& findings_;
  std::unordered_map<uint64_t, std::optional<size_t>> known_;  // by key: the finding
  // By function: the behaviours that were idle in it at the end.
  std::map<std::string, std::vector<std::string>> idle_;
};

}  // namespace fathom::explore
