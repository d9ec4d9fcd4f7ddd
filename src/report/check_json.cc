// The results of checks as one JSON document (docs/json.md). Steps are numbered from 1, as in
// the text.
#include "base/json.h"
#include "report/advice.h"
#include "report/check_formats.h"
#include "report/check_steps.h"
#include "report/cover_report.h"
#include "report/places.h"

namespace fathom::report {

using explore::CheckResult;
using explore::Finding;
using explore::TraceStep;
using explore::WaitingProcess;

namespace {

using JsonShape = JsonWriter::Shape;

class CheckJson : public CheckReport {
 public:
  CheckJson(Sink sink, const SourceMap& sources) : json_(std::move(sink)), sources_(sources) {}

  void add(CheckResult&& result) override { results_.push_back(std::move(result)); }

  void finish(const CheckSummary& summary) override {
    json_.begin_object();
    json_.field("command", "check");
    json_.field("verdict", verdict_name(summary.verdict()));
    write_list("reasons", all_reasons(summary));
    json_.field("seconds", summary.seconds);
    write_totals();
    write_each("tests", [&](const CheckResult& result) { write_test(result); });
    write_each("errors", [&](const CheckResult& result) {
      for (const Finding& finding : result.findings) write_finding(result, finding);
    });
    write_each("races", [&](const CheckResult& result) {
      for (const Finding& finding : result.findings) {
        if (finding.race) write_race(result, finding);
      }
    });
    if (summary.coverage) {
      json_.key("coverage");
      write_coverage(json_, *summary.coverage);
    }
    json_.end_object();
    json_.finish();
  }

 private:
  template <class Write>
  void write_each(std::string_view key, Write&& write) {
    json_.key(key);
    json_.begin_array();
    for (const CheckResult& result : results_) write(result);
    json_.end_array();
  }

  void write_list(std::string_view key, const std::vector<std::string>& texts) {
    json_.key(key);
    json_.begin_array();
    for (const std::string& text : texts) json_.value(text);
    json_.end_array();
  }

  void optional(std::string_view key, std::string_view text) {
    if (!text.empty()) json_.field(key, text);
  }

  // Of several tests, each with the name of its test.
  std::vector<std::string> all_reasons(const CheckSummary& summary) const {
    std::vector<std::string> reasons = summary.reasons;
    for (const CheckResult& result : results_) {
      reasons.reserve(reasons.size() + result.reasons.size());
      for (const std::string& reason : result.reasons) {
        reasons.push_back(results_.size() == 1 ? reason : result.test + ": " + reason);
      }
    }
    return reasons;
  }

  void write_totals() {
    bool complete = !results_.empty();
    uint64_t interleavings = 0;
    uint64_t events = 0;
    for (const CheckResult& result : results_) {
      complete = complete && result.complete;
      interleavings += result.interleavings;
      events += result.events;
    }
    json_.field("complete", complete);
    json_.field("interleavings", interleavings);
    json_.field("events", events);
    // The same for all tests of a run.
    if (!results_.empty()) optional("bound", results_.front().bound);
  }

  void write_test(const CheckResult& result) {
    json_.begin_object();
    json_.field("test", result.test);
    json_.field("verdict", verdict_name(result.verdict));
    write_list("reasons", result.reasons);
    json_.field("complete", result.complete);
    write_list("assumptions", result.assumptions);
    write_list("notes", result.notes);
    write_handled_exits(result);
    write_racing(result);
    json_.field("algorithm", result.algorithm);
    optional("bound", result.bound);
    json_.field("interleavings", result.interleavings);
    json_.field("blocked", result.blocked);
    json_.field("events", result.events);
    json_.field("seconds", result.seconds);
    json_.field("errors", result.findings.size());
    json_.end_object();
  }

  void write_racing(const CheckResult& result) {
    if (!result.racing) return;
    json_.key("racing_pairs");
    json_.begin_array();
    for (const explore::RacingPlaces& pair : *result.racing) {
      json_.begin_object();
      write_location(json_, pair.first, sources_, "first");
      write_location(json_, pair.second, sources_, "second");
      json_.field("in_both_orders", pair.in_both_orders);
      json_.end_object();
    }
    json_.end_array();
  }

  void write_handled_exits(const CheckResult& result) {
    json_.key("handled_exits");
    json_.begin_array();
    for (const explore::HandledExit& handled : result.handled_exits) {
      json_.begin_object();
      json_.field("process", handled.process);
      json_.field("reason", handled.reason);
      write_location(json_, handled.place, sources_);
      write_list("told", handled.told);
      json_.field("count", handled.count);
      json_.end_object();
    }
    json_.end_array();
  }

  void write_finding(const CheckResult& result, const Finding& finding) {
    json_.begin_object();
    json_.field("test", result.test);
    json_.field("kind", explore::finding_kind_name(finding.kind));
    json_.field("process", finding.process);
    json_.field("reason", finding.reason);
    json_.field("message", finding_sentence(finding));
    optional("signal_from", finding.signal_from);
    write_location(json_, finding.place, sources_);
    if (const auto advice = advice_on(finding); !advice.empty()) write_list("advice", advice);
    json_.field("count", finding.count);
    json_.field("interleaving", finding.interleaving);
    write_stack(json_, finding.stack);
    if (!finding.waiting.empty()) {
      json_.key("waiting");
      json_.begin_array();
      for (const WaitingProcess& process : finding.waiting) write(process);
      json_.end_array();
    }
    if (finding.race) {
      json_.key("race");
      json_.begin_array(JsonShape::Inline);
      json_.value(finding.race->first + 1);
      json_.value(finding.race->second + 1);
      json_.end_array();
    }
    if (finding.loop_length > 0) {
      json_.key("loop");
      json_.begin_object(JsonShape::Inline);
      json_.field("step", finding.loop_begin + 1);
      json_.field("length", finding.loop_length);
      json_.end_object();
    }
    json_.key("trace");
    json_.begin_array();
    for (size_t i = 0; i < finding.trace.size(); ++i) {
      json_.begin_object();
      write_step(finding, i);
      json_.end_object();
    }
    json_.end_array();
    json_.field("schedule", explore::print_schedule(finding.schedule));
    optional("schedule_file", finding.schedule_file);
    optional("output", finding.output);
    json_.end_object();
  }

  void write(const WaitingProcess& process) {
    json_.begin_object();
    json_.field("process", process.process);
    optional("name", process.name);
    optional("function", process.function);
    write_location(json_, process.place, sources_);
    write_location(json_, process.caller, sources_, "caller");
    optional("via", process.via);
    optional("awaits", process.awaits);
    optional("answerer", process.answerer);
    optional("request", process.request);
    write_list("mailbox", process.mailbox);
    json_.field("idle", process.is_idle);
    json_.end_object();
  }

  // The fields of a step.
  void write_step(const Finding& finding, size_t number) {
    const TraceStep& step = finding.trace[number];
    json_.field("step", number + 1);
    json_.field("process", step.process);
    json_.field("event", machine::event_word(step.kind));
    json_.field("text", step.text);
    optional("result", step.result);
    write_location(json_, step.place, sources_);
    write_location(json_, step.caller, sources_, "caller");
    optional("via", step.via);
    optional("function", step.function);
    optional("peer", step.peer);
    optional("message", step.message);
    if (step.cause != explore::kNoStep) json_.field("cause", step.cause + 1);
    json_.field("library", step.is_library);
    if (!step.ended.empty()) write_list("ended", step.ended);
  }

  void write_race(const CheckResult& result, const Finding& finding) {
    json_.begin_object();
    json_.field("test", result.test);
    json_.field("what", finding.race->what);
    const auto write_side = [&](std::string_view key, size_t number) {
      if (number >= finding.trace.size()) return;
      json_.key(key);
      json_.begin_object();
      write_step(finding, number);
      json_.end_object();
    };
    write_side("first", finding.race->first);
    write_side("second", finding.race->second);
    json_.end_object();
  }

  JsonWriter json_;
  const SourceMap& sources_;
  std::vector<CheckResult> results_;
};

}  // namespace

std::unique_ptr<CheckReport> make_check_json(Sink sink, const SourceMap& sources) {
  return std::make_unique<CheckJson>(std::move(sink), sources);
}

}  // namespace fathom::report
