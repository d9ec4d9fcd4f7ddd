#include "report/test_report.h"

#include <fmt/format.h>

#include <utility>

#include "base/json.h"
#include "report/cover_report.h"
#include "report/failure_text.h"
#include "report/junit.h"
#include "report/places.h"
#include "report/text.h"

namespace fathom::report {

using testing::Counts;
using testing::Failure;
using testing::Status;
using testing::TestResult;

namespace {

class TextReport : public TestReport {
 public:
  TextReport(Sink sink, const SourceMap& sources, const TestReportOptions& options)
      : sink_(std::move(sink)), sources_(sources), options_(options) {}

  void add(TestResult&& test) override {
    if (test.status == Status::Skipped && (test.is_left_out || is_known(test))) {
      sink_(
          fmt::format("skipped {}: {}\n", test.name(), test.failure ? test.failure->message : ""));
    } else if (test.status != Status::Passed) {
      sink_(failure_text(test, sources_, {options_.color, options_.verbose}) + "\n");
    } else if (options_.verbose) {
      sink_(fmt::format("passed {}{}\n", test.name(), time_text(test.seconds)));
    }
  }

  void finish(const TestSummary& summary) override {
    if (summary.coverage) {
      sink_(cover_text(*summary.coverage, {options_.color, options_.verbose}));
      if (summary.minimizes) sink_(suite_text(*summary.coverage));
    }
    const Counts& counts = summary.counts;
    std::string text = fmt::format("{} {}, {} passed", counts.total(),
                                   counts.total() == 1 ? "test" : "tests", counts.passed);
    if (counts.failed > 0) text += fmt::format(", {} failed", counts.failed);
    if (counts.skipped > 0) text += fmt::format(", {} skipped", counts.skipped);
    if (counts.unknown > 0) text += fmt::format(", {} unknown", counts.unknown);
    if (summary.unread_modules > 0) {
      text += fmt::format("; {} {} could not be read", summary.unread_modules,
                          summary.unread_modules == 1 ? "module" : "modules");
    }
    text += fmt::format(" in {:.2f} s", summary.seconds);
    text = Painter(options_.color)(verdict_color(summary.verdict), text);
    sink_(text + "\n");
  }

 private:
  // Whether the same, as the failure of an init function, has been shown for the test before it.
  bool is_known(const TestResult& test) {
    const std::string why = test.failure ? test.failure->message : "";
    return !why.empty() && why == std::exchange(last_skip_, why);
  }

  // Only where it is worth a look.
  static std::string time_text(double seconds) {
    constexpr double kLong = 0.1;
    return seconds < kLong ? "" : fmt::format(" ({:.1f} s)", seconds);
  }

  Sink sink_;
  const SourceMap& sources_;
  TestReportOptions options_;
  std::string last_skip_;
};

class JsonReport : public TestReport {
 public:
  JsonReport(Sink sink, const SourceMap& sources) : json_(std::move(sink)), sources_(sources) {}

  void add(TestResult&& test) override { tests_.push_back(std::move(test)); }

  void finish(const TestSummary& summary) override {
    json_.begin_object();
    json_.field("command", "test");
    json_.field("verdict", verdict_name(summary.verdict));
    json_.key("reasons");
    json_.begin_array();
    for (const std::string& reason : summary.reasons) json_.value(reason);
    json_.end_array();
    json_.field("seconds", summary.seconds);
    json_.field("passed", summary.counts.passed);
    json_.field("failed", summary.counts.failed);
    json_.field("skipped", summary.counts.skipped);
    json_.field("unknown", summary.counts.unknown);
    json_.key("tests");
    json_.begin_array();
    for (const TestResult& test : tests_) write(test);
    json_.end_array();
    if (summary.coverage) {
      json_.key("coverage");
      write_coverage(json_, *summary.coverage);
      if (summary.minimizes) {
        json_.key("suite");
        write_suite(json_, *summary.coverage);
      }
    }
    json_.end_object();
    json_.finish();
  }

 private:
  void write(const TestResult& test) {
    json_.begin_object();
    json_.field("name", test.name());
    json_.field("module", test.module);
    json_.field("function", test.function);
    if (test.line > 0) json_.field("line", test.line);
    json_.key("titles");
    json_.begin_array(JsonWriter::Shape::Inline);
    for (const std::string& title : test.titles) json_.value(title);
    json_.end_array();
    json_.field("group", test.is_group);
    json_.field("status", testing::status_name(test.status));
    if (test.is_left_out) json_.field("left_out", true);
    json_.field("seconds", test.seconds);
    write_location(json_, test.failure ? test.failure->place : test.place, sources_);
    if (test.failure) write(*test.failure);
    if (!test.output.empty()) json_.field("output", test.output);
    json_.end_object();
  }

  void write(const Failure& failure) {
    json_.field("message", failure.message);
    json_.field("kind", failure.kind);
    const auto optional = [&](std::string_view key, const std::string& text) {
      if (!text.empty()) json_.field(key, text);
    };
    optional("expression", failure.expression);
    optional("comment", failure.comment);
    optional("expected", failure.expected);
    optional("got", failure.got);
    optional("details", failure.details);
    write_stack(json_, failure.stack);
  }

  JsonWriter json_;
  const SourceMap& sources_;
  std::vector<TestResult> tests_;
};

class JunitReport : public TestReport {
 public:
  JunitReport(Sink sink, const SourceMap& sources) : sink_(std::move(sink)), sources_(sources) {}

  void add(TestResult&& test) override {
    if (test.status == Status::Warning) return;
    JunitCase entry;
    entry.name = test.function;
    if (test.line > 0) entry.name += fmt::format(":{}", test.line);
    if (!test.titles.empty()) entry.name += " " + test.title();
    entry.file = test.place.file;
    entry.line = test.place.line;
    entry.seconds = test.seconds;
    entry.outcome = outcome_of(test.status);
    entry.output = std::move(test.output);
    if (test.failure) {
      entry.type = test.failure->kind;
      entry.message = test.failure->message;
      test.output.clear();
      entry.text = failure_text(test, sources_, {});
    }
    document_.add(test.module, entry);
  }

  void finish(const TestSummary& summary) override { document_.write(sink_, summary.seconds); }

 private:
  static JunitCase::Outcome outcome_of(Status status) {
    switch (status) {
      case Status::Passed:
        return JunitCase::Outcome::Passed;
      case Status::Failed:
        return JunitCase::Outcome::Failure;
      case Status::Skipped:
        return JunitCase::Outcome::Skipped;
      case Status::Unknown:
      case Status::Warning:
        return JunitCase::Outcome::Error;
    }
    return JunitCase::Outcome::Error;
  }

  Sink sink_;
  const SourceMap& sources_;
  JunitDocument document_;
};

}  // namespace

std::unique_ptr<TestReport> make_test_report(std::string_view format, Sink sink,
                                             const SourceMap& sources,
                                             const TestReportOptions& options) {
  if (format == "json") return std::make_unique<JsonReport>(std::move(sink), sources);
  if (format == "junit") return std::make_unique<JunitReport>(std::move(sink), sources);
  return std::make_unique<TextReport>(std::move(sink), sources, options);
}

}  // namespace fathom::report
