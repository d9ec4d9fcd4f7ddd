// The results of checks as one JSON document (docs/json.md). Steps are numbered from 1, as in
// the text.
#include "base/json.h"
#include "report/check_formats.h"
#include "report/check_steps.h"
#include "report/places.h"

namespace fathom::report {

using explore::CheckResult;
using explore::Error;
using explore::TraceStep;
using explore::WaitingProcess;

namespace {

using Shape = JsonWriter::Shape;

class CheckJson : public CheckReport {
 public:
  CheckJson(Sink sink, const SourceMap& sources) : json_(std::move(sink)), sources_(sources) {}

  void add(CheckResult&& result) override { results_.push_back(std::move(result)); }

  void finish(const CheckSummary& summary) override {
    json_.begin_object();
    json_.field("command", "check");
    json_.field("verdict", summary.verdict());
    write_list("reasons", all_reasons(summary));
    json_.field("seconds", summary.seconds);
    write_totals();
    write_each("tests", [&](const CheckResult& result) { write_test(result); });
    write_each("errors", [&](const CheckResult& result) {
      for (const Error& error : result.errors) write_error(result, error);
    });
    write_each("races", [&](const CheckResult& result) {
      for (const Error& error : result.errors) {
        if (error.race) write_race(result, error);
      }
    });
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
    json_.field("verdict", result.verdict);
    write_list("reasons", result.reasons);
    json_.field("complete", result.complete);
    write_list("assumptions", result.assumptions);
    write_list("notes", result.notes);
    json_.field("algorithm", result.algorithm);
    optional("bound", result.bound);
    json_.field("interleavings", result.interleavings);
    json_.field("blocked", result.blocked);
    json_.field("events", result.events);
    json_.field("seconds", result.seconds);
    json_.field("errors", result.errors.size());
    json_.end_object();
  }

  void write_error(const CheckResult& result, const Error& error) {
    json_.begin_object();
    json_.field("test", result.test);
    json_.field("kind", explore::error_kind_name(error.kind));
    json_.field("process", error.process);
    json_.field("reason", error.reason);
    json_.field("message", error_sentence(error));
    write_location(json_, error.place, sources_);
    json_.field("count", error.count);
    json_.field("interleaving", error.interleaving);
    write_stack(json_, error.stack);
    if (!error.waiting.empty()) {
      json_.key("waiting");
      json_.begin_array();
      for (const WaitingProcess& process : error.waiting) write(process);
      json_.end_array();
    }
    if (error.race) {
      json_.key("race");
      json_.begin_array(Shape::Inline);
      json_.value(error.race->first + 1);
      json_.value(error.race->second + 1);
      json_.end_array();
    }
    if (error.loop_length > 0) {
      json_.key("loop");
      json_.begin_object(Shape::Inline);
      json_.field("step", error.loop_begin + 1);
      json_.field("length", error.loop_length);
      json_.end_object();
    }
    json_.key("trace");
    json_.begin_array();
    for (size_t i = 0; i < error.trace.size(); ++i) {
      json_.begin_object();
      write_step(error, i);
      json_.end_object();
    }
    json_.end_array();
    json_.field("schedule", explore::print_schedule(error.schedule));
    optional("schedule_file", error.schedule_file);
    optional("output", error.output);
    json_.end_object();
  }

  void write(const WaitingProcess& process) {
    json_.begin_object();
    json_.field("process", process.process);
    optional("name", process.name);
    optional("function", process.function);
    write_location(json_, process.place, sources_);
    optional("awaits", process.awaits);
    write_list("mailbox", process.mailbox);
    json_.field("idle", process.is_idle);
    json_.end_object();
  }

  // The fields of a step.
  void write_step(const Error& error, size_t number) {
    const TraceStep& step = error.trace[number];
    json_.field("step", number + 1);
    json_.field("process", step.process);
    json_.field("event", machine::event_word(step.kind));
    json_.field("text", step.text);
    optional("result", step.result);
    write_location(json_, step.place, sources_);
    write_location(json_, step.caller, sources_, "caller");
    optional("function", step.function);
    optional("peer", step.peer);
    optional("message", step.message);
    if (step.cause != explore::kNoStep) json_.field("cause", step.cause + 1);
    json_.field("library", step.is_library);
    if (!step.ended.empty()) write_list("ended", step.ended);
  }

  void write_race(const CheckResult& result, const Error& error) {
    json_.begin_object();
    json_.field("test", result.test);
    json_.field("what", error.race->what);
    const auto write_side = [&](std::string_view key, size_t number) {
      if (number >= error.trace.size()) return;
      json_.key(key);
      json_.begin_object();
      write_step(error, number);
      json_.end_object();
    };
    write_side("first", error.race->first);
    write_side("second", error.race->second);
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
