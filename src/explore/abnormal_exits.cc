#include "explore/abnormal_exits.h"

#include <fmt/format.h>

#include <algorithm>

#include "code/places.h"
#include "machine/outcome_text.h"
#include "syntax/line_place.h"

namespace fathom::explore {

using machine::Machine;
using machine::Outcome;
using machine::Value;

namespace {

bool is_atom_named(Value value, std::string_view name) {
  return value.is_atom() && value.atom().text() == name;
}

bool is_shutdown(Value reason) {
  return is_atom_named(reason.is_tuple(2) ? reason.element(0) : reason, "shutdown");
}

// The frames of the stack trace, and the place of the finding.
void add_stack(const ExecutionReport& report, Machine& m, Value trace, Finding& finding) {
  bool is_placed = false;  // in the program's own text
  for (; trace.is_cons() && trace.head().is_tuple(4); trace = trace.tail()) {
    const machine::StackFrame frame = machine::stack_frame(trace.head());
    const auto line = static_cast<uint32_t>(frame.line);
    const std::string function =
        frame.module.empty() ? frame.function : fmt::format("{}:{}", frame.module, frame.function);
    finding.stack.push_back({report.with_names(function), frame.file, line});
    if (line == 0 || is_placed) continue;
    const Value module = trace.head().element(0);
    const machine::LoadedModule* loaded =
        module.is_atom() ? m.code().find_module(module.atom()) : nullptr;
    const Place place =
        loaded ? place_of_line(*loaded->unit, frame.file, line) : Place{{}, frame.file, line};
    is_placed = static_cast<bool>(place.span.begin);
    if (is_placed || finding.place.file.empty()) finding.place = place;
  }
}

Finding exit_finding(const ExecutionReport& report, Machine& m, const machine::ProcessExit& ended) {
  Finding finding;
  finding.process = report.process_name(ended.process.local_number());
  // The reason of an exit signal may be {Reason, Stack} of the process that has sent it.
  const bool has_trace = ended.trace.is_cons() || !ended.reason.is_tuple(2);
  add_stack(report, m, has_trace ? ended.trace : ended.reason.element(1), finding);
  const Value reason = finding.stack.empty() ? ended.reason : without_stack(ended.reason);
  const std::optional<std::string> assertion = report.assertion(reason);
  finding.kind = assertion ? FindingKind::Assertion : FindingKind::Exit;
  finding.reason = assertion ? *assertion : report.text(reason);
  return finding;
}

Finding halt_finding(const EndedExecution& e, int exit_code) {
  const Record& last = e.trace().back();
  Finding finding;
  finding.kind = FindingKind::Halt;
  finding.reason = fmt::format("halt({})", exit_code);
  finding.process = e.execution.actors().name(last.id.actor);
  finding.place = machine::place_of(last.event.place, last.event.node);
  return finding;
}

// What a process of erpc or rpc has to say is the reason of its exit.
bool is_result_of_call(const machine::ProcessExit& ended) {
  if (!ended.trace.is_cons() || !ended.trace.head().is_tuple(4)) return false;
  const Value frame = ended.trace.head();
  return is_atom_named(frame.element(0), "erpc") && is_atom_named(frame.element(1), "execute_call");
}

}  // namespace

bool AbnormalExits::is_normal(const ExecutionReport& report, Value reason) const {
  if (is_atom_named(reason, "normal") || is_shutdown(reason)) return true;
  if (options_.normal.empty()) return false;
  const std::string whole = report.text(reason);
  const std::string bare = report.text(without_stack(reason));
  return std::any_of(options_.normal.begin(), options_.normal.end(),
                     [&](const std::string& text) { return text == whole || text == bare; });
}

void AbnormalExits::note(const EndedExecution& e) {
  const ExecutionReport report(e.execution);
  while (!exits_.empty() && exits_.back().event >= e.fresh_from) exits_.pop_back();
  for (EventIndex i = e.fresh_from; i < e.trace().end(); ++i) {
    const std::vector<machine::ProcessExit>& ended = e.trace()[i].event.exits;
    for (size_t k = 0; k < ended.size(); ++k) {
      // What a link ends is a consequence.
      if (ended[k].by_link || is_result_of_call(ended[k])) continue;
      if (!is_normal(report, ended[k].reason)) exits_.push_back({i, k});
    }
  }
}

std::vector<Finding> AbnormalExits::find(const EndedExecution& e) const {
  Machine& m = e.execution.machine();
  const ExecutionReport report(e.execution);
  std::vector<Finding> findings;
  for (const AbnormalExit& exit : exits_) {
    const machine::Event& event = e.trace()[exit.event].event;
    Finding finding = exit_finding(report, m, event.exits[exit.which]);
    if (finding.place.file.empty()) finding.place = machine::place_of(event.place, event.node);
    findings.push_back(std::move(finding));
  }
  const bool halts = m.outcome && m.outcome->kind == Outcome::Kind::Halt;
  if (halts && m.outcome->exit_code != 0) {
    findings.push_back(halt_finding(e, m.outcome->exit_code));
  }
  return findings;
}

}  // namespace fathom::explore
