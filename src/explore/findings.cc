#include "explore/findings.h"

namespace fathom::explore {

std::string_view finding_kind_name(FindingKind kind) {
  switch (kind) {
    case FindingKind::Exit:
      return "exit";
    case FindingKind::Assertion:
      return "assertion";
    case FindingKind::Deadlock:
      return "deadlock";
    case FindingKind::Stuck:
      return "stuck";
    case FindingKind::Halt:
      return "halt";
    case FindingKind::Endless:
      return "endless";
  }
  return "";
}

std::string awaited(const WaitingProcess& process) {
  if (process.answerer.empty()) return process.awaits;
  std::string text = "the answer of " + process.answerer;
  return process.request.empty() ? text : text + " to " + process.request;
}

Schedule::Fault fault_of(const Finding& finding) {
  return {std::string(finding_kind_name(finding.kind)), finding.process};
}

}  // namespace fathom::explore
