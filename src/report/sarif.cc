// The errors of checks as SARIF 2.1.0 (OASIS), for code hosts and editors.
//
// An error is a result. Its interleaving is a code flow with one thread flow for each
// process; executionOrder says how their steps interleave. The two racing steps are related
// locations too, since many viewers show no code flows. What keeps a check from being
// complete is a notification of the invocation: it is not a result about the program.
//
// Limit: of a long interleaving only the steps that the text would show are reported.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/json.h"
#include "report/advice.h"
#include "report/check_formats.h"
#include "report/check_steps.h"
#include "report/places.h"
#include "report/sarif_parts.h"

namespace fathom::report {

using explore::CheckResult;
using explore::Finding;
using explore::FindingKind;
using explore::TraceStep;

namespace {

constexpr size_t kMaxSteps = 1000;

struct Rule {
  FindingKind kind;
  std::string_view title;
  std::string_view text;
};

constexpr Rule kRules[] = {
    {FindingKind::Exit, "A process can crash",
     "In some order of the program's events a process ends by an exception or a signal."},
    {FindingKind::Assertion, "An assertion can fail",
     "In some order of the program's events an assertion of the test fails."},
    {FindingKind::Deadlock, "Processes can wait forever",
     "In some order of the program's events the test and others wait for messages that nobody "
     "can send any more."},
    {FindingKind::Stuck, "Processes can be left waiting",
     "In some order of the program's events the test ends while other processes wait for "
     "messages that nobody can send any more."},
    {FindingKind::Halt, "The program can halt",
     "In some order of the program's events the program halts with another status than 0."},
    {FindingKind::Endless, "The program can go on forever",
     "In some order of the program's events the program does not come to an end within the "
     "bound on its length."},
};

class CheckSarif : public CheckReport {
 public:
  CheckSarif(Sink sink, const SourceMap& sources, const CheckReportOptions& options)
      : json_(std::move(sink)), sources_(sources), version_(options.version) {}

  void add(CheckResult&& result) override { results_.push_back(std::move(result)); }

  void finish(const CheckSummary& summary) override {
    json_.begin_object();
    json_.field("$schema", kSarifSchema);
    json_.field("version", "2.1.0");
    json_.key("runs");
    json_.begin_array();
    json_.begin_object();
    write_tool();
    write_invocation(summary);
    json_.field("columnKind", "unicodeCodePoints");
    json_.key("results");
    json_.begin_array();
    for (const CheckResult& result : results_) {
      for (const Finding& finding : result.findings) write_result(result, finding);
    }
    json_.end_array();
    json_.end_object();
    json_.end_array();
    json_.end_object();
    json_.finish();
  }

 private:
  void write_tool() {
    json_.key("tool");
    json_.begin_object();
    json_.key("driver");
    json_.begin_object();
    json_.field("name", "fathom");
    if (!version_.empty()) json_.field("version", version_);
    json_.key("rules");
    json_.begin_array();
    for (const Rule& rule : kRules) {
      write_sarif_rule(json_, explore::finding_kind_name(rule.kind), rule.title, rule.text);
    }
    json_.end_array();
    json_.end_object();
    json_.end_object();
  }

  void write_invocation(const CheckSummary& summary) {
    json_.key("invocations");
    json_.begin_array();
    json_.begin_object();
    json_.field("executionSuccessful", summary.total() > 0);
    json_.key("toolExecutionNotifications");
    json_.begin_array();
    for (const std::string& reason : summary.reasons)
      write_sarif_notification(json_, "error", reason);
    for (const CheckResult& result : results_) {
      for (const std::string& reason : result.reasons) {
        write_sarif_notification(json_, "warning", fmt::format("{}: {}", result.test, reason));
      }
      for (const std::string& assumption : result.assumptions) {
        write_sarif_notification(json_, "note",
                                 fmt::format("{}: assuming: {}", result.test, assumption));
      }
    }
    json_.end_array();
    json_.end_object();
    json_.end_array();
  }

  void write_result(const CheckResult& result, const Finding& finding) {
    json_.begin_object();
    json_.field("ruleId", explore::finding_kind_name(finding.kind));
    json_.field("ruleIndex", static_cast<size_t>(rule_of(finding.kind)));
    json_.field("level", "error");
    write_sarif_message(json_, "message", fmt::format("{}: {}", result.test, message_of(finding)));
    json_.key("locations");
    json_.begin_array();
    if (!place_file(finding.place, sources_).empty()) write_location(finding.place, "");
    json_.end_array();
    if (finding.race) {
      json_.key("relatedLocations");
      json_.begin_array();
      for (const size_t step : {finding.race->first, finding.race->second}) {
        if (step < finding.trace.size())
          write_location(step_place(finding.trace[step]), text_of(finding, step));
      }
      json_.end_array();
    }
    if (!finding.stack.empty()) write_stack(finding);
    if (!finding.trace.empty()) write_code_flow(finding);
    json_.key("properties");
    json_.begin_object();
    json_.field("test", result.test);
    json_.field("schedule", explore::print_schedule(finding.schedule));
    json_.end_object();
    json_.end_object();
  }

  static ptrdiff_t rule_of(FindingKind kind) {
    return std::ranges::find(kRules, kind, &Rule::kind) - std::begin(kRules);
  }

  std::string message_of(const Finding& finding) const {
    std::string text = finding_sentence(finding);
    if (finding.race) {
      text += fmt::format(". It depends on which of these two comes first{}: {}; {}.",
                          finding.race->what.empty() ? "" : ", on " + finding.race->what,
                          text_of(finding, finding.race->first),
                          text_of(finding, finding.race->second));
    }
    for (const std::string& advice : advice_on(finding)) text += fmt::format(" Help: {}.", advice);
    return text;
  }

  static std::string text_of(const Finding& finding, size_t number) {
    if (number >= finding.trace.size()) return "";
    const TraceStep& step = finding.trace[number];
    const std::string via = via_text(step);
    return fmt::format("{}: {}{}{}", step.process, step_text(step), via.empty() ? "" : "  ", via);
  }

  void write_location(const Place& place, std::string_view message) {
    write_sarif_location(json_, place, sources_, message);
  }

  void write_stack(const Finding& finding) {
    json_.key("stacks");
    json_.begin_array();
    json_.begin_object();
    json_.key("frames");
    json_.begin_array();
    for (const machine::Frame& frame : finding.stack) {
      json_.begin_object();
      json_.key("location");
      Place place;
      place.file = frame.file;
      place.line = frame.line;
      write_location(place, frame.function);
      json_.end_object();
    }
    json_.end_array();
    json_.end_object();
    json_.end_array();
  }

  void write_code_flow(const Finding& finding) {
    // The processes in the order in which they appear, with the steps of each.
    std::vector<std::pair<std::string_view, std::vector<size_t>>> threads;
    std::unordered_map<std::string_view, size_t> known;
    for (const StepGroup& group : group_steps(finding, {.brief = false, .most = kMaxSteps})) {
      if (group.kind != StepGroup::Kind::Step) continue;
      const std::string_view process = finding.trace[group.begin].process;
      const auto [found, is_new] = known.emplace(process, threads.size());
      if (is_new) threads.push_back({process, {}});
      threads[found->second].second.push_back(group.begin);
    }
    json_.key("codeFlows");
    json_.begin_array();
    json_.begin_object();
    json_.key("threadFlows");
    json_.begin_array();
    for (const auto& [process, steps] : threads) {
      json_.begin_object();
      json_.field("id", process);
      json_.key("locations");
      json_.begin_array();
      for (const size_t step : steps) write_step(finding, step);
      json_.end_array();
      json_.end_object();
    }
    json_.end_array();
    json_.end_object();
    json_.end_array();
  }

  void write_step(const Finding& finding, size_t number) {
    const TraceStep& step = finding.trace[number];
    json_.begin_object();
    json_.key("location");
    write_location(step_place(step), text_of(finding, number));
    json_.field("executionOrder", number + 1);
    const StepMark mark = step_mark(finding, number);
    const bool is_essential = mark == StepMark::Race || is_bad(mark);
    json_.field("importance", is_essential      ? "essential"
                              : step.is_library ? "unimportant"
                                                : "important");
    json_.end_object();
  }

  JsonWriter json_;
  const SourceMap& sources_;
  std::string version_;
  std::vector<CheckResult> results_;
};

}  // namespace

std::unique_ptr<CheckReport> make_check_sarif(Sink sink, const SourceMap& sources,
                                              const CheckReportOptions& options) {
  return std::make_unique<CheckSarif>(std::move(sink), sources, options);
}

}  // namespace fathom::report
