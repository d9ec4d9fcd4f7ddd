#include "reduce/failure.h"

#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include "base/budget.h"
#include "core/constant_parts.h"
#include "core/places.h"
#include "core/raise.h"
#include "core/walk.h"
#include "flow/entries.h"
#include "machine/outcome_text.h"
#include "reduce/aligned.h"
#include "reduce/executed.h"
#include "reduce/projected.h"
#include "reduce/trace_edits.h"
#include "session/program_code.h"

namespace fathom::reduce {

using core::Kind;
using core::NodeId;
using explore::Finding;
using explore::FindingKind;
using explore::TraceStep;

namespace {

// How many interleavings of a slice are looked at for the failure.
constexpr uint64_t kMostInterleavings = 2000;

// Processes by the word alone: a slice may start fewer.
std::string without_processes(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const bool is_start =
        at == 0 || !(std::isalnum(static_cast<unsigned char>(text[at - 1])) || text[at - 1] == '_');
    out += text[at];
    if (text[at++] != 'P' || !is_start) continue;
    while (at + 1 < text.size() && text[at] == '.' &&
           std::isdigit(static_cast<unsigned char>(text[at + 1]))) {
      ++at;
      while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at]))) ++at;
    }
  }
  return out;
}

// Names and values without what differs from program to program.
std::string common(std::string_view text) { return without_processes(without_identities(text)); }

// The function that has raised; of one without code, and of one without a clause for them, with its
// arguments.
std::string function_of(const Finding& finding) {
  if (finding.stack.empty()) return "";
  std::string text = common(finding.stack.front().function);
  // Of a fun or loop the function that it stands in: '-f/1-fun-0-'/2. Its number and what it
  // captures are others where something before it is gone.
  const size_t lifted = text.find(":'-");
  const size_t end = lifted == std::string::npos ? lifted : text.find('-', lifted + 3);
  if (end != std::string::npos && text[lifted + 3] != '\'') text.resize(end);
  return text;
}

bool is_access(machine::EventKind kind) {
  return kind >= machine::EventKind::Link && kind < machine::EventKind::Halt &&
         kind != machine::EventKind::StartTimer;
}

// By step: whether it receives a message that was sent after an access of something shared, and
// before another; after and before in the order of processes and messages.
std::vector<bool> between_accesses(const std::vector<TraceStep>& trace) {
  std::vector<bool> is_after(trace.size()), is_before(trace.size());
  std::unordered_map<std::string, bool> process;
  for (size_t i = 0; i < trace.size(); ++i) {
    bool& state = process[trace[i].process];
    state = state || is_access(trace[i].kind);
    if (trace[i].cause != explore::kNoStep) state = state || is_after[trace[i].cause];
    is_after[i] = state;
    if (trace[i].kind == machine::EventKind::Spawn && state) process[trace[i].peer] = true;
  }
  process.clear();
  std::vector<bool> is_awaited(trace.size());  // what it has caused comes before an access
  for (size_t i = trace.size(); i-- > 0;) {
    bool& state = process[trace[i].process];
    state = state || is_access(trace[i].kind) || is_awaited[i];
    is_before[i] = state;
    if (trace[i].cause != explore::kNoStep && state) is_awaited[trace[i].cause] = true;
  }
  std::vector<bool> result(trace.size());
  for (size_t i = 0; i < trace.size(); ++i) {
    const size_t cause = trace[i].cause;
    result[i] = cause != explore::kNoStep && is_after[cause] && is_before[i];
  }
  return result;
}

struct Line {
  Atom module;
  uint32_t line = 0;
};

// What has ended a run before its end; none: nothing has.
std::optional<std::string> limit_met(const machine::Machine& m) {
  Budget* const budget = Budget::current();
  if (budget && budget->is_spent()) return budget->reason();
  const bool is_cut = m.outcome && (m.outcome->kind == machine::Outcome::Kind::Limit ||
                                    m.outcome->kind == machine::Outcome::Kind::Unsupported);
  return is_cut ? std::optional(machine::outcome_text(*m.outcome)) : std::nullopt;
}

class FailureOracle;

class FailureSlicer {
 public:
  FailureSlicer(session::Session& session, const std::vector<Atom>& own, const FailingCall& call)
      : session_(session), own_(own), call_(call) {}

  // False: nothing has failed; reasons() say whether that is certain.
  Result<bool> find();
  // Why it is not known whether anything fails; empty: it is known.
  const std::vector<std::string>& reasons() const { return reasons_; }
  Result<FailureSlice> sliced(slice::Precision precision, bool is_minimal);
  // Which functions are entered from outside: the call alone, or, where it is not known what that
  // calls, all that are exported.
  enum class Entered : uint8_t { ByCall, Anywhere };

 private:
  std::unique_ptr<machine::Machine> machine(const Modules& modules, machine::ProbeSource* probes);
  explore::CheckResult checked(const Modules& modules, bool keeps_going);
  std::optional<Finding> found_before();
  void relocate(const FailureOracle& oracle, Finding& finding) const;
  std::optional<Finding> same_failure(const TextSlice& texts);
  std::vector<Line> lines() const;
  std::optional<Line> line_of(const Place& place) const;
  const core::Module* module_named(Atom name) const;
  std::vector<slice::Site> sites(const slice::Model& model) const;
  core::GlobalNodeId node_at(const Place& place, Kind wanted) const;
  std::optional<std::vector<slice::ExecutionFacts::Message>> messages() const;
  // How a slice is to fail again: in the interleaving of the original, or in any.
  enum class Again : uint8_t { InSameOrder, Somehow };
  std::optional<FailureSlice> sliced_from(Entered entered, slice::Precision precision);
  std::optional<FailureSlice> sliced_with(slice::Model& model, Dependences dependences,
                                          slice::Precision precision, Again again);
  std::optional<Finding> in_same_order(const slice::Slice& slice, const Modules& modules);
  std::optional<Finding> followed(const Projection& projection, const Modules& modules);
  void add_race(std::vector<slice::Site>& sites, const slice::Model& model) const;

  session::Session& session_;
  const std::vector<Atom>& own_;
  const FailingCall& call_;
  Finding finding_;
  std::vector<std::string> reasons_;
  Executed executed_;
  std::vector<machine::ModuleSource::Found> modules_;  // the author's
  friend class FailureOracle;
};

// Whether a program still fails in the same way.
class FailureOracle : public Oracle {
 public:
  explicit FailureOracle(FailureSlicer& slicer) : slicer_(slicer) {}
  bool accepts(const Modules& modules) override;
  // What was accepted last, and its failure.
  Modules accepted;
  Finding reproduced;
  // Other failures may come first.
  bool is_thorough = false;

 private:
  FailureSlicer& slicer_;
};

bool FailureOracle::accepts(const Modules& modules) {
  for (const bool keeps_going : {false, true}) {
    explore::CheckResult result = slicer_.checked(modules, keeps_going);
    for (Finding& finding : result.findings) {
      if (!is_same_failure(finding, slicer_.finding_)) continue;
      reproduced = std::move(finding);
      accepted = modules;
      return true;
    }
    if (result.findings.empty() || !is_thorough) return false;
  }
  return false;
}

// ---- The failure ------------------------------------------------------------

std::unique_ptr<machine::Machine> FailureSlicer::machine(const Modules& modules,
                                                         machine::ProbeSource* probes) {
  machine::Mode mode = machine::kSearchMode;
  mode.is_silent = call_.schedule ? call_.schedule->is_silent : call_.is_silent;
  mode.delays_delivery =
      call_.delays_delivery || (call_.schedule && call_.schedule->delays_delivery);
  mode.code.probes = probes;
  auto m = session_.make_machine({.files = false}, mode);
  for (const auto& module : modules) m->code().load(module.unit, module.core);
  call_.expression.load_into(*m);
  return m;
}

explore::CheckResult FailureSlicer::checked(const Modules& modules, bool keeps_going) {
  explore::CheckOptions options = call_.options;
  options.keep_going = keeps_going;
  options.max_interleavings = std::min(options.max_interleavings, kMostInterleavings);
  const auto m = machine(modules, nullptr);
  return explore::check(*m, call_.expression.module, call_.expression.function, {}, call_.text,
                        options);
}

Result<bool> FailureSlicer::find() {
  for (const Atom name : own_) {
    auto found = session_.library().find(name);
    if (found && *found) modules_.push_back(**found);
  }
  for (const auto& module : modules_) executed_.add(*module.core);
  const auto& [code, module, function] = call_.expression;
  std::optional<explore::Schedule> schedule = call_.schedule;
  if (!schedule) {
    const auto m = machine(modules_, nullptr);
    auto result = explore::check(*m, module, function, {}, call_.text, call_.options);
    if (result.findings.empty()) {
      if (result.verdict == Verdict::Unknown) reasons_ = std::move(result.reasons);
      return false;
    }
    finding_ = std::move(result.findings[0]);
    schedule = finding_.schedule;
  }
  const auto m = machine(modules_, &executed_);
  auto replayed = explore::replay(*m, module, function, {}, call_.text, call_.options, *schedule);
  if (!replayed) return replayed.error();
  if (replayed->findings.empty()) {
    if (auto limit = limit_met(*m)) reasons_.push_back(std::move(*limit));
    return false;
  }
  const std::optional<Finding> searched = call_.schedule ? found_before() : finding_;
  finding_ = std::move(replayed->findings[0]);
  if (searched && searched->race) {
    finding_.race = moved_race(*searched->race, searched->trace, finding_.trace);
  }
  return true;
}

// What a search has found by the schedule that was given. None: it comes to no failure that way.
std::optional<Finding> FailureSlicer::found_before() {
  if (call_.found) return call_.found;
  explore::CheckResult result = checked(modules_, false);
  for (Finding& finding : result.findings) {
    if (finding.schedule.steps == call_.schedule->steps) return std::move(finding);
  }
  return std::nullopt;
}

// ---- Where it is ------------------------------------------------------------

const core::Module* FailureSlicer::module_named(Atom name) const {
  for (const auto& module : modules_) {
    if (module.core->name() == name) return module.core.get();
  }
  return nullptr;
}

std::optional<Line> FailureSlicer::line_of(const Place& place) const {
  for (const auto& module : modules_) {
    const auto name = std::filesystem::path(module.unit->path).filename();
    if (std::filesystem::path(place.file).filename() == name && place.line > 0) {
      return Line{module.core->name(), place.line};
    }
  }
  return std::nullopt;
}

std::vector<Line> FailureSlicer::lines() const {
  std::vector<Line> result;
  for (const machine::Frame& frame : finding_.stack) {
    const Atom name = Atom::intern(frame.function.substr(0, frame.function.find(':')));
    if (!module_named(name) || frame.line == 0) continue;
    return {{name, frame.line}};
  }
  for (const explore::WaitingProcess& waiting : finding_.waiting) {
    if (const auto line = line_of(waiting.place)) result.push_back(*line);
  }
  if (!result.empty()) return result;
  if (const auto line = line_of(finding_.place)) result.push_back(*line);
  return result;
}

std::vector<slice::Site> FailureSlicer::sites(const slice::Model& model) const {
  const bool waits = !finding_.waiting.empty();
  std::vector<slice::Site> all, raised;
  for (const Line& line : lines()) {
    for (uint32_t i = 0; i < model.size(); ++i) {
      const slice::Procedure& p = model[slice::ProcedureId{i}];
      if (p.module->name() != line.module) continue;
      core::for_each_node(*p.module, p.code().body, [&](NodeId n) {
        const core::Node& node = (*p.module)[n];
        if (node.in_guard || core::place_of(*p.module, n).line != line.line) return;
        if (!executed_.is_executed(*p.module, n)) return;
        const bool is_site = waits ? node.kind == Kind::Receive : core::may_raise(*p.module, n);
        if (!is_site) return;
        all.push_back({slice::ProcedureId{i}, n, !waits});
        if (executed_.may_have_raised(*p.module, n)) raised.push_back(all.back());
      });
    }
  }
  if (waits || all.empty()) return all;
  std::vector<slice::Site>& result = raised.empty() ? all : raised;
  // Handlers on its way have passed it on.
  for (uint32_t i = 0; i < model.size(); ++i) {
    const slice::Procedure& p = model[slice::ProcedureId{i}];
    core::for_each_node(*p.module, p.code().body, [&](NodeId n) {
      if ((*p.module)[n].kind != Kind::Raise || !executed_.is_executed(*p.module, n)) return;
      result.push_back({slice::ProcedureId{i}, n, true});
    });
  }
  return result;
}

// The node of that kind in the line of the place, or the only call there; none: there are several.
core::GlobalNodeId FailureSlicer::node_at(const Place& place, Kind wanted) const {
  constexpr core::GlobalNodeId kNone{UINT32_MAX};
  core::GlobalNodeId found = kNone;
  for (const auto& module : modules_) {
    const core::Module& m = *module.core;
    for (uint32_t i = 0; i < m.size(); ++i) {
      const NodeId n{i};
      if (core::is_part(m, n) || m[n].kind != wanted) continue;
      const Place at = core::place_of(m, n);
      if (at.span.begin != place.span.begin || at.span.end != place.span.end) continue;
      if (found != kNone) return kNone;
      found = m.global(n);
    }
  }
  return found;
}

std::optional<std::vector<slice::ExecutionFacts::Message>> FailureSlicer::messages() const {
  constexpr core::GlobalNodeId kNone{UINT32_MAX};
  std::vector<slice::ExecutionFacts::Message> result;
  const std::vector<bool> is_between = between_accesses(finding_.trace);
  for (size_t i = 0; i < finding_.trace.size(); ++i) {
    const TraceStep& step = finding_.trace[i];
    if (step.kind != machine::EventKind::Receive) continue;
    if (step.cause == explore::kNoStep) return std::nullopt;
    const TraceStep& sent = finding_.trace[step.cause];
    if (step.is_library || sent.is_library || sent.kind != machine::EventKind::Send) {
      return std::nullopt;
    }
    const core::GlobalNodeId receive = node_at(step.place, Kind::Receive);
    const core::GlobalNodeId send = node_at(sent.place, Kind::CallRemote);
    if (receive == kNone || send == kNone) return std::nullopt;
    result.push_back({send, receive, is_between[i]});
  }
  return result;
}

// From the text of the slice to the author's.
void FailureSlicer::relocate(const FailureOracle& oracle, Finding& finding) const {
  const SourceMap& sources = session_.sources();
  std::vector<std::optional<Alignment>> alignments(oracle.accepted.size());
  const auto move = [&](Place& place) {
    if (!place.span.begin) return;
    for (size_t i = 0; i < oracle.accepted.size(); ++i) {
      const Unit& unit = *oracle.accepted[i].unit;
      const core::Module* const original = module_named(oracle.accepted[i].core->name());
      if (!original || sources.file_of(place.span.begin) != *unit.file) continue;
      const FileId file = *original->unit().file;
      auto& alignment = alignments[i];
      if (!alignment) alignment.emplace(sources.text(file), sources.text(*unit.file));
      const uint32_t start = sources.start(*unit.file).index();
      slice::TextRange here{place.span.begin.index() - start, place.span.end.index() - start};
      // A line as such: what stands in it.
      const bool is_line = here.begin == here.end;
      if (is_line) {
        const std::string_view text = sources.text(*unit.file);
        here.end = static_cast<uint32_t>(std::min(text.find('\n', here.begin), text.size()));
      }
      slice::TextRange r = alignment->in_original(here);
      if (r.begin == r.end) continue;
      if (is_line) r.end = r.begin;
      place.span = {sources.start(file).plus(r.begin), sources.start(file).plus(r.end)};
      place.line = sources.line_column(place.span.begin).line;
      return;
    }
  };
  move(finding.place);
  for (TraceStep& step : finding.trace) {
    move(step.place);
    move(step.caller);
  }
  for (explore::WaitingProcess& waiting : finding.waiting) move(waiting.place);
}

// ---- The slice --------------------------------------------------------------

// The two operations whose order made the difference are part of what led to it.
void FailureSlicer::add_race(std::vector<slice::Site>& sites, const slice::Model& model) const {
  if (!finding_.race) return;
  for (const size_t i : {finding_.race->first, finding_.race->second}) {
    if (i >= finding_.trace.size()) continue;
    const TraceStep& step = finding_.trace[i];
    const Place& place = step.is_library ? step.caller : step.place;
    if (!place.span.begin) continue;
    const bool is_receive =
        step.kind == machine::EventKind::Receive || step.kind == machine::EventKind::After;
    const Kind kind = is_receive ? Kind::Receive : Kind::CallRemote;
    const core::GlobalNodeId node = node_at(place, kind);
    for (uint32_t p = 0; p < model.size(); ++p) {
      const slice::Procedure& procedure = model[slice::ProcedureId{p}];
      core::for_each_node(*procedure.module, procedure.code().body, [&](NodeId n) {
        if (procedure.module->global(n) != node) return;
        sites.push_back({slice::ProcedureId{p}, n, false});
      });
    }
  }
}

// The failure of the slice in the order of the original; none: it does not fail so.
std::optional<Finding> FailureSlicer::in_same_order(const slice::Slice& slice,
                                                    const Modules& modules) {
  constexpr ProjectionGuess kGuesses[] = {
      {true, true}, {false, true}, {true, false}, {false, false}};
  for (const ProjectionGuess& guess : kGuesses) {
    auto found = followed(projected(finding_, slice, session_.sources(), guess), modules);
    if (found) return found;
  }
  return std::nullopt;
}

std::optional<Finding> FailureSlicer::followed(const Projection& projection,
                                               const Modules& modules) {
  const auto m = machine(modules, nullptr);
  auto replayed = explore::replay(*m, call_.expression.module, call_.expression.function, {},
                                  call_.text, call_.options, projection.schedule);
  if (!replayed) return std::nullopt;
  for (Finding& finding : replayed->findings) {
    if (!is_same_failure(finding, finding_)) continue;
    finding.race.reset();
    if (finding_.race) {
      const size_t first = projection.steps[finding_.race->first];
      const size_t second = projection.steps[finding_.race->second];
      if (first == explore::kNoStep || second == explore::kNoStep) return std::nullopt;
      finding.race = explore::Race{first, second, finding_.race->what};
    }
    return std::move(finding);
  }
  return std::nullopt;
}

std::optional<FailureSlice> FailureSlicer::sliced_with(slice::Model& model, Dependences dependences,
                                                       slice::Precision precision, Again again) {
  slice::ExecutionFacts facts{
      .is_executed = [&](const core::Module& m, NodeId n) { return executed_.is_executed(m, n); },
      .is_entered = [&](const core::Module& m,
                        core::RegionId r) { return executed_.is_entered(m, r); }};
  if (dependences == Dependences::Execution) {
    if (!finding_.waiting.empty()) return std::nullopt;
    facts.messages = messages();
    if (!facts.messages) return std::nullopt;
  }
  if (dependences != Dependences::Program) model.restrict_to(facts);
  std::vector<slice::Site> starts = sites(model);
  if (starts.empty()) return std::nullopt;  // no call leads there
  add_race(starts, model);
  for (const slice::Untaken untaken : {slice::Untaken::Heads, slice::Untaken::Gone}) {
    FailureSlice result;
    result.slice =
        slice::slice_of_failure(model, starts, precision, untaken, call_.notes_dependences);
    const auto modules = read_modules(session_, text_of(result.slice));
    if (!modules) continue;
    FailureOracle oracle(*this);
    oracle.is_thorough = true;
    if (again == Again::Somehow) {
      if (!oracle.accepts(*modules)) continue;
    } else {
      auto found = in_same_order(result.slice, *modules);
      if (!found) continue;
      oracle.reproduced = std::move(*found);
      oracle.accepted = *modules;
    }
    result.original = finding_;
    result.reproduced = oracle.reproduced;
    result.is_in_same_order = again == Again::InSameOrder;
    relocate(oracle, result.reproduced);
    drop_plain_ends(result.original);
    drop_plain_ends(result.reproduced);
    result.dependences = dependences;
    result.reasons = slice::reasons_of(*result.slice.slicer);
    return result;
  }
  return std::nullopt;
}

Result<FailureSlice> FailureSlicer::sliced(slice::Precision precision, bool is_minimal) {
  if (lines().empty())
    return Error{
        "no place in the program belongs to this error, so there is nothing to slice; is there "
        "such a function, and is it exported?"};
  auto result = sliced_from(Entered::ByCall, precision);
  if (!result) result = sliced_from(Entered::Anywhere, precision);
  Budget* const budget = Budget::current();
  if (!result && budget && budget->is_spent()) {
    return Error{budget->reason() + ", before a slice was found that fails in the same way"};
  }
  if (!result) return Error{"no slice fails in the same way; this is an error of fathom's"};
  if (!is_minimal) return std::move(*result);
  FailureOracle oracle(*this);
  constexpr double kPairSeconds = 0.3;
  auto minimal = minimised(session_, text_of(result->slice), oracle, kPairSeconds);
  if (!minimal) return minimal.error();
  take_texts(result->slice, *minimal);
  result->minimal = std::move(*minimal);
  if (!oracle.accepted.empty()) {
    result->reproduced = oracle.reproduced;
    relocate(oracle, result->reproduced);
  }
  return std::move(*result);
}

std::optional<FailureSlice> FailureSlicer::sliced_from(Entered entered,
                                                       slice::Precision precision) {
  session::ProgramCode code(session_.library(), own_);
  code.add(call_.expression.module, call_.expression.code);
  flow::Analysis analysis(code);
  analysis.add_entry({call_.expression.module, call_.expression.function, 0}, false);
  if (entered == Entered::Anywhere) {
    for (const flow::FunctionName& name : exported_entries(code)) analysis.add_entry(name, true);
  }
  analysis.run();
  constexpr std::pair<Dependences, Again> kAttempts[] = {
      {Dependences::Execution, Again::InSameOrder}, {Dependences::Messages, Again::InSameOrder},
      {Dependences::Execution, Again::Somehow},     {Dependences::Messages, Again::Somehow},
      {Dependences::Program, Again::InSameOrder},   {Dependences::Program, Again::Somehow}};
  for (const auto& [dependences, again] : kAttempts) {
    slice::Model model(analysis, code);
    auto result = sliced_with(model, dependences, precision, again);
    if (!result) continue;
    result->slice.slicer.reset();  // of this model
    return result;
  }
  return std::nullopt;
}

}  // namespace

bool is_same_failure(const Finding& a, const Finding& b) {
  return a.kind == b.kind && (!a.waiting.empty() || common(a.reason) == common(b.reason)) &&
         function_of(a) == function_of(b);
}

Result<FailureAnswer> slice_of_failure(session::Session& session, const std::vector<Atom>& own,
                                       const FailingCall& call, slice::Precision precision,
                                       bool is_minimal) {
  FailureSlicer slicer(session, own, call);
  const auto found = slicer.find();
  if (!found) return found.error();
  if (!*found) return FailureAnswer{std::nullopt, slicer.reasons()};
  auto made = slicer.sliced(precision, is_minimal);
  if (!made) return made.error();
  return FailureAnswer{std::move(*made), {}};
}

}  // namespace fathom::reduce
