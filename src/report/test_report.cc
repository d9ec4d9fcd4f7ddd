#include "report/test_report.h"

#include <fmt/format.h>

#include "base/json.h"
#include "report/failure_text.h"
#include "report/xml.h"

namespace fathom::report {

using testing::Counts;
using testing::Failure;
using testing::Frame;
using testing::Place;
using testing::Status;
using testing::TestResult;

namespace {

class TextReport : public TestReport {
 public:
  TextReport(Sink sink, const SourceMap& sources, const TestReportOptions& options)
      : sink_(std::move(sink)), sources_(sources), options_(options) {}

  void add(TestResult&& test) override {
    if (test.status != Status::Passed) {
      sink_(failure_text(test, sources_, {options_.color, options_.verbose}) + "\n");
    } else if (options_.verbose) {
      sink_(fmt::format("passed {}{}\n", test.name(), time_text(test.seconds)));
    }
  }

  void finish(const TestSummary& summary) override {
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
    if (options_.color) {
      const std::string_view color = summary.verdict == "clean" ? "\033[1;32m"
                                     : summary.verdict == "bug" ? "\033[1;31m"
                                                                : "\033[1;35m";
      text = fmt::format("{}{}\033[0m", color, text);
    }
    sink_(text + "\n");
  }

 private:
  // Only where it is worth a look.
  static std::string time_text(double seconds) {
    constexpr double kLong = 0.1;
    return seconds < kLong ? "" : fmt::format(" ({:.1f} s)", seconds);
  }

  Sink sink_;
  const SourceMap& sources_;
  TestReportOptions options_;
};

class JsonReport : public TestReport {
 public:
  JsonReport(Sink sink, const SourceMap& sources) : json_(std::move(sink)), sources_(sources) {}

  void add(TestResult&& test) override { tests_.push_back(std::move(test)); }

  void finish(const TestSummary& summary) override {
    json_.begin_object();
    json_.field("command", "test");
    json_.field("verdict", summary.verdict);
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
    json_.field("seconds", test.seconds);
    write(test.failure ? test.failure->place : test.place);
    if (test.failure) write(*test.failure);
    if (!test.output.empty()) json_.field("output", test.output);
    json_.end_object();
  }

  void write(const Place& place) {
    if (place.file.empty()) return;
    json_.key("location");
    json_.begin_object(JsonWriter::Shape::Inline);
    json_.field("file", place.file);
    if (place.span.begin) {
      const LineColumn begin = sources_.line_column(place.span.begin);
      const LineColumn end = sources_.line_column(place.span.end);
      json_.field("line", begin.line);
      json_.field("column", begin.column);
      json_.field("end_line", end.line);
      json_.field("end_column", end.column);
    } else if (place.line > 0) {
      json_.field("line", place.line);
    }
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
    json_.key("stack");
    json_.begin_array();
    for (const Frame& frame : failure.stack) {
      json_.begin_object(JsonWriter::Shape::Inline);
      json_.field("function", frame.function);
      if (!frame.file.empty()) {
        json_.field("file", frame.file);
        json_.field("line", frame.line);
      }
      json_.end_object();
    }
    json_.end_array();
  }

  JsonWriter json_;
  const SourceMap& sources_;
  std::vector<TestResult> tests_;
};

// As rebar3 and other runners write it, and CI systems read it: a suite for each module.
class JunitReport : public TestReport {
 public:
  JunitReport(Sink sink, const SourceMap& sources) : sink_(std::move(sink)), sources_(sources) {}

  void add(TestResult&& test) override {
    if (suites_.empty() || suites_.back().module != test.module) {
      suites_.push_back({test.module, {}, 0, {}});
    }
    Suite& suite = suites_.back();
    suite.counts.add(test);
    suite.seconds += test.seconds;
    write(suite.cases, test);
  }

  void finish(const TestSummary& summary) override {
    sink_("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    sink_(fmt::format("<testsuites name=\"fathom\" {}>\n",
                      counts_text(summary.counts, summary.seconds)));
    for (const Suite& suite : suites_) {
      sink_(fmt::format("  <testsuite name={} {}>\n", xml_attribute(suite.module),
                        counts_text(suite.counts, suite.seconds)));
      sink_(suite.cases);
      sink_("  </testsuite>\n");
    }
    sink_("</testsuites>\n");
  }

 private:
  struct Suite {
    std::string module;
    Counts counts;
    double seconds = 0;
    std::string cases;
  };

  static std::string counts_text(const Counts& counts, double seconds) {
    return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\"",
                       counts.total(), counts.failed, counts.unknown, counts.skipped, seconds);
  }

  void write(std::string& out, const TestResult& test) const {
    std::string name = test.function;
    if (test.line > 0) name += fmt::format(":{}", test.line);
    if (!test.titles.empty()) name += " " + test.title();
    out += fmt::format("    <testcase classname={} name={}", xml_attribute(test.module),
                       xml_attribute(name));
    if (!test.place.file.empty()) out += fmt::format(" file={}", xml_attribute(test.place.file));
    if (test.place.line > 0) out += fmt::format(" line=\"{}\"", test.place.line);
    out += fmt::format(" time=\"{:.3f}\"", test.seconds);
    if (!test.failure && test.output.empty()) {
      out += "/>\n";
      return;
    }
    out += ">\n";
    if (test.failure) write(out, test, *test.failure);
    if (!test.output.empty()) {
      out += fmt::format("      <system-out>{}</system-out>\n", xml_text(test.output));
    }
    out += "    </testcase>\n";
  }

  void write(std::string& out, const TestResult& test, const Failure& failure) const {
    if (test.status == Status::Skipped) {
      out += fmt::format("      <skipped message={}/>\n", xml_attribute(failure.message));
      return;
    }
    TestResult without_output = test;
    without_output.output.clear();
    const std::string_view element = test.status == Status::Failed ? "failure" : "error";
    out += fmt::format("      <{0} type={1} message={2}>{3}</{0}>\n", element,
                       xml_attribute(failure.kind), xml_attribute(failure.message),
                       xml_text(failure_text(without_output, sources_, {})));
  }

  Sink sink_;
  const SourceMap& sources_;
  std::vector<Suite> suites_;
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
