#include "explore/abnormal_exits.h"

#include <fmt/format.h>

#include <algorithm>

#include "code/places.h"
#include "machine/outcome_text.h"
#include "machine/undefined.h"
#include "syntax/line_place.h"
#include "values/compare.h"
#include "values/hash.h"

namespace fathom::explore {

using machine::Machine;
using machine::Outcome;
using machine::Value;

namespace {

bool is_atom_named(Value value, std::string_view name) {
  return value.is_atom() && value.atom().text() == name;
}

bool is_shutdown(Value reason) {
  static const Atom shutdown = Atom::intern("shutdown");
  return (reason.is_tuple(2) ? reason.element(0) : reason).is_atom(shutdown);
}

// The frames of the stack trace, and the place of the finding.
void add_stack(const ExecutionReport& report, Machine& m, Value trace, Finding& finding) {
  bool is_placed = false;  // in the program's own text
  for (; trace.is_cons() && trace.head().is_tuple(4); trace = trace.tail()) {
    const machine::StackFrame frame = machine::stack_frame(trace.head(), report.pid_names());
    if (frame.module.starts_with("fathom_")) break;  // it has called the test
    const auto line = static_cast<uint32_t>(frame.line);
    const std::string function =
        frame.module.empty() ? frame.function : fmt::format("{}:{}", frame.module, frame.function);
    finding.stack.push_back({function, frame.file, line});
    if (line == 0 || is_placed) continue;
    const Value module = trace.head().element(0);
    const machine::LoadedModule* loaded =
        module.is_atom() ? m.code().find_module(module.atom()) : nullptr;
    const Place place =
        loaded ? place_of_line(*loaded->unit, frame.file, line) : Place{{}, frame.file, line};
    is_placed = static_cast<bool>(place.span.begin);
    if (is_placed || finding.place.file.empty()) finding.place = place;
    const Value arity = trace.head().element(2);
    if (is_placed && arity.is_small() && trace.head().element(1).is_atom()) {
      finding.place =
          machine::place_of_fun(*loaded, std::move(finding.place), trace.head().element(1).atom(),
                                static_cast<uint32_t>(arity.small()));
    }
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
  if (std::string why = machine::explain_undefined(m, reason, ended.trace); !why.empty()) {
    finding.advice.push_back(std::move(why));
  }
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

// proc_lib kills a process whose start takes too long, and tells who has asked for it by its
// result.
bool was_given_up(const EndedExecution& e, const machine::ProcessExit& ended) {
  static const Atom proc_lib = Atom::intern("proc_lib");
  static const Atom killed = Atom::intern("killed");
  if (!ended.reason.is_atom(killed)) return false;
  for (EventIndex i{}; i < e.trace().end(); ++i) {
    const machine::Event& event = e.trace()[i].event;
    if (event.kind != machine::EventKind::ExitSignal || !event.place) continue;
    if (event.place->module == proc_lib && event.arguments[0] == ended.process) return true;
  }
  return false;
}

}  // namespace

bool AbnormalExits::is_normal(const ExecutionReport& report, Value reason) const {
  static const Atom normal = Atom::intern("normal");
  if (reason.is_atom(normal) || is_shutdown(reason)) return true;
  if (options_.normal.empty()) return false;
  const std::string whole = report.text(reason);
  const std::string bare = report.text(without_stack(reason));
  return std::any_of(options_.normal.begin(), options_.normal.end(),
                     [&](const std::string& text) { return text == whole || text == bare; });
}

// Exits that links bring about are noted too: they belong to a group.
void AbnormalExits::note(const EndedExecution& e) {
  const ExecutionReport report(e.execution);
  while (!exits_.empty() && exits_.back().event >= e.fresh_from) exits_.pop_back();
  for (EventIndex i = e.fresh_from; i < e.trace().end(); ++i) {
    if (!e.trace().summary(i).ends) continue;
    const std::vector<machine::ProcessExit>& ended = e.trace()[i].event.exits;
    for (size_t k = 0; k < ended.size(); ++k) {
      if (is_result_of_call(ended[k]) || was_given_up(e, ended[k])) continue;
      const bool is_abnormal = !is_normal(report, ended[k].reason);
      if (!is_abnormal && (!ended[k].by_link || options_.strict_exits)) continue;
      // A test that a link ends has not come to its end, whatever the reason.
      const bool is_first = report.process_name(ended[k].process.local_number()) == "P";
      if (is_abnormal || is_first) exits_.push_back({i, k, is_first});
    }
  }
  if (!options_.strict_exits) notices_.note(e);
}

const machine::ProcessExit& AbnormalExits::exit_of(const EndedExecution& e,
                                                   const AbnormalExit& exit) const {
  return e.trace()[exit.event].event.exits[exit.which];
}

// ---- Groups -----------------------------------------------------------------

// The exit before it that a link has passed on; SIZE_MAX: there is none, as for a link to a process
// that had exited long ago.
size_t AbnormalExits::cause_by_link(const EndedExecution& e, size_t exit) const {
  const machine::ProcessExit& ended = exit_of(e, exits_[exit]);
  if (!ended.by_link) return SIZE_MAX;
  for (size_t i = exit; i-- > 0;) {
    if (equal_exact(exit_of(e, exits_[i]).reason, ended.reason)) return i;
  }
  return SIZE_MAX;
}

// The exit of which the process was told, and for which it exits: it has received the message, and
// exits with the reason that it was told, or with {That, _}.
size_t AbnormalExits::cause_by_notice(const EndedExecution& e, size_t exit) const {
  const machine::ProcessExit& ended = exit_of(e, exits_[exit]);
  const Value reason = without_stack(ended.reason);
  size_t cause = SIZE_MAX;
  for (size_t i = 0; i < exit; ++i) {
    notices_.for_each_of(exit_of(e, exits_[i]).process.local_number(), [&](const ExitNotice& n) {
      const bool is_passed_on = equal_exact(reason, n.reason) ||
                                equal_exact(ended.reason, n.reason) ||
                                (reason.is_tuple(2) && equal_exact(reason.element(0), n.reason));
      if (n.watcher != ended.process.local_number() || !is_passed_on) return;
      if (notices_.is_taken(n)) cause = i;
    });
  }
  return cause;
}

std::vector<AbnormalExits::Group> AbnormalExits::make_groups(const EndedExecution& e) const {
  std::vector<Group> groups;
  std::vector<size_t> group_of(exits_.size());
  for (size_t i = 0; i < exits_.size(); ++i) {
    if (const size_t cause = cause_by_link(e, i); cause != SIZE_MAX) {
      group_of[i] = group_of[cause];
    } else {
      group_of[i] = groups.size();
      groups.emplace_back();
      if (const size_t told = cause_by_notice(e, i); told != SIZE_MAX) {
        groups.back().because_of = group_of[told];
        groups[group_of[told]].follow.push_back(group_of[i]);
      }
    }
    groups[group_of[i]].exits.push_back(i);
    if (exits_[i].is_first) groups[group_of[i]].ends_test = true;
  }
  return groups;
}

// By somebody who does not exit because of it.
bool AbnormalExits::is_told(const EndedExecution& e, const std::vector<Group>& groups,
                            const Group& group) const {
  const auto follows = [&](uint64_t process) {
    return std::any_of(group.follow.begin(), group.follow.end(), [&](size_t g) {
      return exit_of(e, exits_[groups[g].exits[0]]).process.local_number() == process;
    });
  };
  bool is_told = false;
  for (const size_t exit : group.exits) {
    notices_.for_each_of(
        exit_of(e, exits_[exit]).process.local_number(),
        [&](const ExitNotice& notice) { is_told = is_told || !follows(notice.watcher); });
  }
  return is_told;
}

// A group follows from one before it.
void AbnormalExits::judge(const EndedExecution& e, std::vector<Group>& groups) const {
  const ExecutionReport report(e.execution);
  for (size_t i = groups.size(); i-- > 0;) {
    Group& group = groups[i];
    const auto any_follower = [&](auto&& is) {
      return std::any_of(group.follow.begin(), group.follow.end(),
                         [&](size_t g) { return is(groups[g]); });
    };
    const Value reason = without_stack(exit_of(e, exits_[group.exits[0]]).reason);
    group.is_handled = !group.ends_test && !report.assertion(reason) &&
                       (is_told(e, groups, group) ||
                        any_follower([](const Group& follower) { return follower.is_handled; }));
    group.ends_test =
        group.ends_test || any_follower([](const Group& follower) { return follower.ends_test; });
  }
  for (Group& group : groups) {
    group.is_consequence = group.because_of != SIZE_MAX && !groups[group.because_of].is_handled;
  }
}

// ---- Findings ---------------------------------------------------------------

// Where the process was when a signal stopped it, in the author's text if it can be, and whose
// signal that was.
void AbnormalExits::add_signal(const EndedExecution& e, const AbnormalExit& exit,
                               Finding& finding) const {
  const uint64_t process = exit_of(e, exit).process.local_number();
  for (EventIndex i = exit.event + 1; number(i) > 0;) {
    const Record& record = e.trace()[--i];
    for (const machine::StoppedProcess& stopped : record.event.stopped) {
      if (stopped.process != process) continue;
      const ExecutionReport report(e.execution);
      const bool is_library = stopped.place && machine::is_library(*stopped.place);
      const auto author = is_library ? report.author_call(stopped.author, process) : stopped.author;
      finding.place = author ? machine::place_of(author.function, author.node)
                             : machine::place_of(stopped.place, stopped.node);
      finding.signal_from = report.step(i).process;
      return;
    }
  }
}

Finding AbnormalExits::finding_of(const EndedExecution& e, const AbnormalExit& exit) const {
  const machine::Event& event = e.trace()[exit.event].event;
  Finding finding =
      exit_finding(ExecutionReport(e.execution), e.execution.machine(), event.exits[exit.which]);
  if (finding.place.file.empty()) finding.place = machine::place_of(event.place, event.node);
  if (finding.place.file.empty()) add_signal(e, exit, finding);
  return finding;
}

std::vector<Finding> AbnormalExits::find(const EndedExecution& e) {
  const Machine& m = e.execution.machine();
  std::vector<Finding> findings;
  if (options_.strict_exits) {
    for (const AbnormalExit& exit : exits_) {
      // What a link ends is a consequence.
      if (!exit_of(e, exit).by_link) findings.push_back(finding_of(e, exit));
    }
  } else if (!exits_.empty()) {
    std::vector<Group> groups = make_groups(e);
    judge(e, groups);
    for (const Group& group : groups) {
      if (group.is_handled) add_handled(e, group);
      if (group.is_handled || group.is_consequence) continue;
      findings.push_back(finding_of(e, exits_[group.exits[0]]));
      findings.back().ends_test = group.ends_test;
    }
  }
  const bool halts = m.outcome && m.outcome->kind == Outcome::Kind::Halt;
  if (halts && (m.outcome->exit_code != 0 || options_.any_halt)) {
    findings.push_back(halt_finding(e, m.outcome->exit_code));
  }
  return findings;
}

// ---- Handled exits ----------------------------------------------------------

void AbnormalExits::add_handled(const EndedExecution& e, const Group& group) {
  const AbnormalExit& first = exits_[group.exits[0]];
  const machine::ProcessExit& ended = exit_of(e, first);
  const uint64_t process = ended.process.local_number();
  HandledExit& handled = handled_[{process, machine::map_hash(ended.reason, 0)}];
  if (handled.count++ > 0) return;
  const ExecutionReport report(e.execution);
  const Finding finding = finding_of(e, first);
  handled.process = finding.process;
  handled.reason = finding.reason;
  handled.place = finding.place;
  for (const size_t exit : group.exits) {
    notices_.for_each_of(exit_of(e, exits_[exit]).process.local_number(),
                         [&](const ExitNotice& notice) {
                           const std::string name = report.process_name(notice.watcher);
                           auto& told = handled.told;
                           if (std::find(told.begin(), told.end(), name) == told.end()) {
                             told.push_back(name);
                           }
                         });
  }
}

std::vector<HandledExit> AbnormalExits::take_handled() {
  std::vector<HandledExit> all;
  all.reserve(handled_.size());
  for (auto& [key, handled] : handled_) all.push_back(std::move(handled));
  handled_.clear();
  return all;
}

void AbnormalExits::clear() {
  exits_.clear();
  notices_.clear();
  handled_.clear();
}

}  // namespace fathom::explore
