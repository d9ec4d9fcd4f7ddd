#include "explore/check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <span>
#include <unordered_map>

#include "base/budget.h"
#include "base/hash.h"
#include "code/places.h"
#include "explore/execution_report.h"
#include "explore/replay.h"
#include "machine/outcome_text.h"
#include "syntax/line_place.h"

namespace fathom::explore {

using machine::EventKind;
using machine::Machine;
using machine::Outcome;
using machine::Value;

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool is_atom_in(Value value, std::initializer_list<std::string_view> names) {
  return value.is_atom() && std::any_of(names.begin(), names.end(), [&](std::string_view name) {
           return value.atom().text() == name;
         });
}

bool is_shutdown(Value reason) {
  if (reason.is_tuple(2)) reason = reason.element(0);
  return is_atom_in(reason, {"shutdown"});
}

bool is_out_of_budget() { return Budget::current() && Budget::current()->is_spent(); }

// An execution that has ended. The machine is in its last state.
struct EndedExecution {
  const Execution& execution;
  Ending ending;
  uint64_t number = 1;                 // of all that have ended
  uint32_t fresh_from = 0;             // see Search
  const Reversal* reversal = nullptr;  // see Search::last_reversal

  const Trace& trace() const { return execution.trace(); }
};

class Checker {
 public:
  Checker(Machine& m, std::string name, const CheckOptions& options)
      : machine_(m), options_(options), start_(now()) {
    result_.test = std::move(name);
  }

  // The listener of a search.
  bool add(const Search& search, Ending ending);
  // The one execution that a replay consists of.
  void add_replayed(const EndedExecution& e);
  void add_note(std::string note) { result_.notes.push_back(std::move(note)); }
  // A search has come to its end.
  void add_search(const Search& search);
  CheckResult finish();
  void add_reason(std::string reason);
  bool was_stopped() const { return was_stopped_; }

 private:
  // False: that was enough.
  bool add(const EndedExecution& e);
  // The search restarts: nothing that was added counts.
  void restart();
  // What went wrong in an interleaving.
  void find_findings(const EndedExecution& e);
  void note_exits(const EndedExecution& e);
  void find_exits(const EndedExecution& e);
  void find_waiting(const EndedExecution& e);
  uint64_t waiting_key() const;
  size_t add_waiting(const EndedExecution& e);
  void find_loop(const EndedExecution& e);
  // Its number among the findings; kNoFinding: it is not wanted.
  size_t add_finding(const EndedExecution& e, Finding finding);
  void see_again(size_t finding);
  bool is_wanted(const Finding& finding) const;
  bool is_normal(const ExecutionReport& report, Value reason) const;
  void describe(const ExecutionReport& report, const machine::ProcessExit& ended,
                Finding& finding) const;
  void find_contrast(const EndedExecution& e);
  bool wants_more() const;
  void add_to_tree(const EndedExecution& e);
  void report_progress(const Search& search);
  void add_assumptions();
  void note_idle();

  Machine& machine_;
  const CheckOptions& options_;
  double start_;
  double last_progress_ = 0;
  CheckResult result_;
  // Of each finding.
  struct KnownFinding {
    std::string key;              // what makes it the same
    std::vector<EventId> events;  // of its interleaving
    uint64_t first_in;            // which of all interleavings
    uint64_t last_in;
    bool is_avoided;  // there was one without it
  };
  std::vector<KnownFinding> known_;
  static constexpr size_t kNoFinding = SIZE_MAX;
  std::unordered_map<uint64_t, size_t> waits_;  // by waiting_key(): the finding
  uint64_t current_ = 0;                        // which of all interleavings, from 1
  bool was_stopped_ = false;
  struct AbnormalExit {
    uint32_t event;
    size_t which;  // of those that it ends
  };
  std::vector<AbnormalExit> exits_;  // of this interleaving
  std::vector<size_t> path_;         // in the tree, by depth
  // By function: the behaviours that were idle in it at the end.
  std::map<std::string, std::vector<std::string>> idle_;
};

// ---- Findings ---------------------------------------------------------------

bool Checker::is_normal(const ExecutionReport& report, Value reason) const {
  if (is_atom_in(reason, {"normal"}) || is_shutdown(reason)) return true;
  if (options_.normal.empty()) return false;
  const std::string whole = report.text(reason);
  const std::string bare = report.text(without_stack(reason));
  return std::any_of(options_.normal.begin(), options_.normal.end(),
                     [&](const std::string& text) { return text == whole || text == bare; });
}

bool Checker::is_wanted(const Finding& finding) const {
  const auto& ignored = options_.ignored;
  if (std::find(ignored.begin(), ignored.end(), finding.kind) != ignored.end()) return false;
  if (options_.assertions_only && finding.kind == FindingKind::Exit) return false;
  return !options_.first_process_only || finding.process == "P" ||
         finding.kind == FindingKind::Halt || finding.kind == FindingKind::Endless ||
         finding.kind == FindingKind::Deadlock;
}

void Checker::describe(const ExecutionReport& report, const machine::ProcessExit& ended,
                       Finding& finding) const {
  finding.process = report.process_name(ended.process.local_number());
  Value trace = ended.trace;
  if (!trace.is_cons() && ended.reason.is_tuple(2)) trace = ended.reason.element(1);
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
        module.is_atom() ? machine_.code().find_module(module.atom()) : nullptr;
    const Place place =
        loaded ? place_of_line(*loaded->unit, frame.file, line) : Place{{}, frame.file, line};
    is_placed = static_cast<bool>(place.span.begin);
    if (is_placed || finding.place.file.empty()) finding.place = place;
  }
  const Value reason = finding.stack.empty() ? ended.reason : without_stack(ended.reason);
  const std::optional<std::string> assertion = report.assertion(reason);
  finding.kind = assertion ? FindingKind::Assertion : FindingKind::Exit;
  finding.reason = assertion ? *assertion : report.text(reason);
}

// Of the exits that one event causes for the same reason, only the first: the other processes are
// linked to it.
void Checker::note_exits(const EndedExecution& e) {
  const ExecutionReport report(e.execution);
  while (!exits_.empty() && exits_.back().event >= e.fresh_from) exits_.pop_back();
  for (uint32_t i = e.fresh_from; i < e.trace().size(); ++i) {
    const std::vector<machine::ProcessExit>& ended = e.trace()[i].event.exits;
    for (size_t k = 0; k < ended.size(); ++k) {
      const bool is_linked = k > 0 && ended[k].reason == ended[0].reason;
      if (!is_linked && !is_normal(report, ended[k].reason)) exits_.push_back({i, k});
    }
  }
}

void Checker::find_exits(const EndedExecution& e) {
  const ExecutionReport report(e.execution);
  for (const AbnormalExit& exit : exits_) {
    const machine::Event& event = e.trace()[exit.event].event;
    Finding finding;
    describe(report, event.exits[exit.which], finding);
    if (finding.place.file.empty()) finding.place = machine::place_of(event.place, event.node);
    add_finding(e, std::move(finding));
  }
  if (!machine_.outcome || machine_.outcome->kind != Outcome::Kind::Halt) return;
  if (machine_.outcome->exit_code == 0) return;
  Finding finding;
  finding.kind = FindingKind::Halt;
  finding.reason = fmt::format("halt({})", machine_.outcome->exit_code);
  const Record& last = e.trace()[e.trace().size() - 1];
  finding.process = e.execution.actors().name(last.id.actor);
  finding.place = machine::place_of(last.event.place, last.event.node);
  add_finding(e, std::move(finding));
}

// Which processes wait where: the finding that it is depends on nothing else.
uint64_t Checker::waiting_key() const {
  uint64_t key = 0;
  machine_.processes().for_each([&](const machine::Process& p) {
    if (p.is_system) return;
    key = hash_combine(hash_combine(key, p.pid.local_number()), reinterpret_cast<uint64_t>(p.pc));
  });
  return key;
}

// Servers that are idle in the end are so in every interleaving.
void Checker::find_waiting(const EndedExecution& e) {
  if (machine_.outcome) return;
  const uint64_t key = waiting_key();
  if (key == 0) return;
  const auto [it, is_new] = waits_.try_emplace(key, kNoFinding);
  if (is_new) {
    it->second = add_waiting(e);
  } else if (it->second != kNoFinding) {
    see_again(it->second);
  }
}

size_t Checker::add_waiting(const EndedExecution& e) {
  std::vector<WaitingProcess> waiting = ExecutionReport(e.execution).waiting();
  const auto first = std::find_if(waiting.begin(), waiting.end(),
                                  [](const WaitingProcess& p) { return p.process == "P"; });
  const bool is_deadlock = first != waiting.end();
  if (!is_deadlock) {
    if (options_.allow_leftover) return kNoFinding;
    for (const WaitingProcess& p : waiting) {
      if (!p.is_idle || options_.strict_end) continue;
      std::vector<std::string>& there = idle_[p.function];
      std::string who = p.name.empty() ? p.process : fmt::format("{} ({})", p.process, p.name);
      if (std::find(there.begin(), there.end(), who) == there.end()) there.push_back(who);
    }
    if (!options_.strict_end) std::erase_if(waiting, [](const auto& p) { return p.is_idle; });
  }
  if (waiting.empty()) return kNoFinding;
  Finding finding;
  const WaitingProcess& who = is_deadlock ? *first : waiting.front();
  finding.kind = is_deadlock ? FindingKind::Deadlock : FindingKind::Stuck;
  finding.process = who.process;
  finding.place = who.place;
  finding.reason = who.awaits.empty() ? fmt::format("{} waits for ever", who.process)
                                      : fmt::format("{} waits for {}", who.process, who.awaits);
  finding.waiting = std::move(waiting);
  return add_finding(e, std::move(finding));
}

// The shortest piece that the execution repeats at its end, three times at least.
void Checker::find_loop(const EndedExecution& e) {
  const Trace& trace = e.trace();
  const uint32_t size = trace.size();
  const auto same = [&](uint32_t a, uint32_t b) {
    return trace[a].id.actor == trace[b].id.actor && trace[a].event.kind == trace[b].event.kind &&
           trace[a].event.place == trace[b].event.place &&
           trace[a].event.node == trace[b].event.node;
  };
  Finding finding;
  finding.kind = FindingKind::Endless;
  finding.reason = fmt::format("still running after {} events", size);
  constexpr uint32_t kLongest = 1000;
  for (uint32_t length = 1; length <= kLongest && 3 * length <= size; ++length) {
    uint32_t matched = 0;
    while (matched < 2 * length && same(size - 1 - matched, size - 1 - matched - length)) ++matched;
    if (matched < 2 * length) continue;
    while (matched + length < size && same(size - 1 - matched, size - 1 - matched - length))
      ++matched;
    finding.loop_length = length;
    finding.loop_begin = size - matched - length;
    break;
  }
  const Record& last = trace[size - 1];
  finding.process = e.execution.actors().name(last.id.actor);
  finding.place = machine::place_of(last.event.place, last.event.node);
  add_finding(e, std::move(finding));
}

void Checker::see_again(size_t finding) {
  known_[finding].last_in = current_;
  ++result_.findings[finding].count;
}

size_t Checker::add_finding(const EndedExecution& e, Finding finding) {
  if (!is_wanted(finding)) return kNoFinding;
  const std::string key =
      fmt::format("{} {} {} {}:{}", static_cast<int>(finding.kind), finding.process, finding.reason,
                  finding.place.file, finding.place.line);
  for (size_t i = 0; i < known_.size(); ++i) {
    if (known_[i].key != key) continue;
    see_again(i);
    return i;
  }
  const ExecutionReport report(e.execution);
  finding.trace = report.steps();
  finding.schedule = report.schedule();
  finding.output = machine_.output().text();
  finding.interleaving = e.number;
  std::vector<EventId> ids;
  ids.reserve(e.trace().size());
  for (uint32_t i = 0; i < e.trace().size(); ++i) ids.push_back(e.trace()[i].id);
  known_.push_back({key, std::move(ids), current_, current_, current_ > 1});
  result_.findings.push_back(std::move(finding));
  return known_.size() - 1;
}

void Checker::find_findings(const EndedExecution& e) {
  note_exits(e);
  if (e.ending == Ending::Blocked) return;
  find_exits(e);
  if (e.ending == Ending::Complete) find_waiting(e);
  if (e.ending == Ending::Cut) {
    find_loop(e);
    add_reason(
        fmt::format("an interleaving was cut after {} events (--max-depth)", e.trace().size()));
  }
  if (e.ending == Ending::Failed && !is_out_of_budget()) {
    add_reason(machine::outcome_text(*machine_.outcome));
  }
}

// ---- The race that makes the difference -------------------------------------

namespace {

// The object on which the two conflict in this interleaving; empty: it does not have both.
std::string contended_object(const EndedExecution& e, const Reversal& reversal) {
  const Trace& trace = e.trace();
  uint32_t first = kNoIndex;
  uint32_t second = kNoIndex;
  for (uint32_t i = 0; i < trace.size(); ++i) {
    if (trace[i].id == reversal.first) first = i;
    if (trace[i].id == reversal.second) second = i;
  }
  if (first == kNoIndex || second == kNoIndex) return "";
  return ExecutionReport(e.execution)
      .contended_object(std::min(first, second), std::max(first, second));
}

}  // namespace

// An interleaving with a finding and the first one after it without the finding, or vice versa,
// differ in the race that was reversed last.
void Checker::find_contrast(const EndedExecution& e) {
  const Reversal* reversal = e.reversal;
  for (size_t i = 0; i < result_.findings.size(); ++i) {
    Finding& finding = result_.findings[i];
    const bool is_here = known_[i].first_in == current_;
    const bool is_avoided = known_[i].last_in != current_;
    known_[i].is_avoided = known_[i].is_avoided || is_avoided;
    if (finding.race || !reversal || !(is_here ? current_ > 1 : is_avoided)) continue;
    const std::vector<EventId>& ids = known_[i].events;
    const auto first = std::find(ids.begin(), ids.end(), reversal->first);
    const auto second = std::find(ids.begin(), ids.end(), reversal->second);
    if (first == ids.end() || second == ids.end()) continue;
    finding.race = Race{static_cast<size_t>(std::min(first, second) - ids.begin()),
                        static_cast<size_t>(std::max(first, second) - ids.begin()),
                        contended_object(e, *reversal)};
  }
}

// ---- All of it --------------------------------------------------------------

void Checker::add_reason(std::string reason) {
  constexpr size_t kMost = 20;
  auto& reasons = result_.reasons;
  if (reasons.size() >= kMost) return;
  if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) {
    reasons.push_back(std::move(reason));
  }
}

void Checker::add_to_tree(const EndedExecution& e) {
  constexpr size_t kMost = 20'000;
  if (!options_.wants_tree) return;
  if (result_.tree.size() > kMost) {
    result_.tree_is_cut = true;
    return;
  }
  const ExecutionReport report(e.execution);
  path_.resize(std::min<size_t>(path_.size(), e.fresh_from));
  for (auto i = static_cast<uint32_t>(path_.size()); i < e.trace().size(); ++i) {
    const size_t parent = path_.empty() ? kNoStep : path_.back();
    path_.push_back(result_.tree.size());
    result_.tree.push_back({.parent = parent, .label = short_text(report.step(i))});
  }
  if (path_.empty()) return;
  TreeNode& last = result_.tree[path_.back()];
  last.is_end = true;
  last.is_finding = e.ending != Ending::Blocked &&
                    std::any_of(known_.begin(), known_.end(), [&](const KnownFinding& known) {
                      return known.last_in == current_;
                    });
  last.is_cut = e.ending == Ending::Cut || e.ending == Ending::Blocked;
}

void Checker::report_progress(const Search& search) {
  constexpr double kPause = 0.2;
  if (!options_.progress) return;
  const double time = now() - start_;
  if (time - last_progress_ < kPause) return;
  last_progress_ = time;
  const auto count = static_cast<double>(search.statistics().interleavings);
  options_.progress({search.statistics().interleavings, search.statistics().events,
                     result_.findings.size(), search.pending(), count / search.explored_part(),
                     time});
}

bool Checker::wants_more() const {
  constexpr uint64_t kContrast = 1000;  // interleavings without a difference
  if (result_.findings.empty() || options_.keep_going) return true;
  const Finding& finding = result_.findings.front();
  if (finding.race || known_.front().is_avoided || finding.kind == FindingKind::Endless)
    return false;
  return finding.count < kContrast;
}

void Checker::restart() {
  CheckResult fresh;
  fresh.test = std::move(result_.test);
  result_ = std::move(fresh);
  known_.clear();
  waits_.clear();
  exits_.clear();
  path_.clear();
  idle_.clear();
  current_ = 0;
}

bool Checker::add(const Search& search, Ending ending) {
  if (ending == Ending::Restart) {
    restart();
    return true;
  }
  const EndedExecution e{search.execution(), ending, search.statistics().interleavings,
                         search.fresh_from(), search.last_reversal()};
  const bool wants_more = add(e);
  report_progress(search);
  return wants_more;
}

void Checker::add_replayed(const EndedExecution& e) {
  add(e);
  was_stopped_ = false;
  result_.interleavings = 1;
  result_.events = e.execution.depth();
}

bool Checker::add(const EndedExecution& e) {
  if (e.ending != Ending::Blocked) ++current_;
  find_findings(e);
  if (e.ending != Ending::Blocked) find_contrast(e);
  add_to_tree(e);
  was_stopped_ = true;
  if (!wants_more()) return false;
  if (e.number >= options_.max_interleavings) {
    add_reason(fmt::format("stopped after {} interleavings (--max-interleavings)", e.number));
    return false;
  }
  if (is_out_of_budget()) {
    add_reason(Budget::current()->reason());
    return false;
  }
  was_stopped_ = false;
  return true;
}

void Checker::add_assumptions() {
  const int64_t patience = options_.search.patience;
  if (patience == 0) {
    result_.assumptions.emplace_back("time-outs fire in the order of time");
  } else if (patience < INT64_MAX) {
    result_.assumptions.push_back(fmt::format(
        "time-outs of {} ms or more fire only when no process can run", patience / 1'000'000));
  }
  if (!machine_.mode().delays_delivery) {
    result_.assumptions.emplace_back("signals are delivered as soon as they are sent");
  }
  if (machine_.clock().was_read()) {
    result_.assumptions.emplace_back("the virtual clock does not advance while a process can run");
  }
}

void Checker::add_search(const Search& search) {
  if (search.explorer().has_polled) {
    result_.assumptions.emplace_back("a polling process lets the others run between polls");
  }
  if (search.is_out_of_budget()) {
    was_stopped_ = true;
    add_reason(Budget::current()->reason());
  }
  result_.interleavings += search.statistics().interleavings;
  result_.blocked += search.statistics().blocked;
  result_.events += search.statistics().events;
  if (search.explorer().impossible > 0) {
    add_reason(
        fmt::format("{} interleavings that should have been possible were not: this is an "
                    "error in Fathom",
                    search.explorer().impossible));
  }
}

void Checker::note_idle() {
  constexpr size_t kMost = 3;
  for (const auto& [function, all] : idle_) {
    const auto named = std::span(all).first(std::min(all.size(), kMost));
    const std::string more =
        all.size() > kMost ? fmt::format(" and {} more", all.size() - kMost) : "";
    result_.notes.push_back(fmt::format("{}{} {} idle in {} at the end", fmt::join(named, ", "),
                                        more, all.size() == 1 ? "was" : "were", function));
  }
}

CheckResult Checker::finish() {
  note_idle();
  constexpr std::string_view kNames[] = {"optimal", "source", "none"};
  result_.algorithm = kNames[static_cast<size_t>(options_.search.algorithm)];
  result_.seconds = now() - start_;
  result_.complete = !was_stopped_ && result_.reasons.empty();
  const bool is_bug =
      std::any_of(result_.findings.begin(), result_.findings.end(),
                  [](const Finding& finding) { return finding.kind != FindingKind::Endless; });
  result_.verdict = is_bug ? Verdict::Bug : result_.complete ? Verdict::Clean : Verdict::Unknown;
  add_assumptions();
  return std::move(result_);
}

std::string bound_text(const SearchOptions& options) {
  if (options.bound == Bound::None) return "";
  const std::string_view what = options.bound == Bound::Delays ? "delay" : "preemption";
  return fmt::format("{} {}{}", options.budget, what, options.budget == 1 ? "" : "s");
}

// Bounds 0, 1, … in turn, until one cuts nothing off.
void search_within_bounds(Machine& m, const CheckOptions& options, Checker& checker) {
  SearchOptions within = options.search;
  const uint32_t last = within.bound == Bound::None ? 0 : within.budget;
  for (within.budget = 0; within.budget <= last; ++within.budget) {
    Search search(m, within,
                  [&](const Search& s, Ending ending) { return checker.add(s, ending); });
    search.run();
    checker.add_search(search);
    if (checker.was_stopped() || !search.explorer().is_bounded) return;
  }
  checker.add_reason(
      fmt::format("only interleavings with at most {} were explored", bound_text(options.search)));
}

// Lets the first actor that is enabled act, as long as there is one.
Ending go_on(Execution& execution, uint32_t max_depth) {
  std::vector<ActorId> enabled;
  while (!execution.machine().outcome && execution.find_enabled(enabled)) {
    if (execution.depth() >= max_depth) return Ending::Cut;
    execution.advance(enabled.front());
  }
  const auto& outcome = execution.machine().outcome;
  const bool is_failed = outcome && outcome->kind != Outcome::Kind::Halt;
  return is_failed ? Ending::Failed : Ending::Complete;
}

void prepare(Machine& m, Atom module, Atom function, std::span<const Value> arguments) {
  m.start(module, function, arguments);
}

}  // namespace

CheckResult check(Machine& m, Atom module, Atom function, std::span<const Value> arguments,
                  std::string name, const CheckOptions& options) {
  prepare(m, module, function, arguments);
  Checker checker(m, std::move(name), options);
  search_within_bounds(m, options, checker);
  CheckResult result = checker.finish();
  result.bound = bound_text(options.search);
  return result;
}

Result<CheckResult> replay(Machine& m, Atom module, Atom function, std::span<const Value> arguments,
                           std::string name, const CheckOptions& options,
                           const Schedule& schedule) {
  prepare(m, module, function, arguments);
  Checker checker(m, std::move(name), options);
  Execution execution(m, kAnyTime);
  execution.begin();
  const auto perform = [&](ActorId actor) {
    execution.advance(actor);
    return execution.trace()[execution.depth() - 1].event.kind;
  };
  if (auto followed = follow(m, execution.actors(), schedule, perform); !followed) {
    return followed.error();
  }
  const uint32_t followed = execution.depth();
  const Ending ending = go_on(execution, options.search.max_depth);
  if (execution.depth() > followed) {
    checker.add_note(
        fmt::format("the schedule ends at line {} without \"end\"; the execution went on "
                    "by itself",
                    schedule.end_line()));
  }
  checker.add_replayed({execution, ending});
  return checker.finish();
}

}  // namespace fathom::explore
