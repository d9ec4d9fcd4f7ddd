#include "report/junit.h"

#include <fmt/format.h>

#include "report/xml.h"

namespace fathom::report {
namespace {

using Outcome = JunitCase::Outcome;

std::string outcome_element(const JunitCase& test) {
  if (test.outcome == Outcome::Passed) return "";
  if (test.outcome == Outcome::Skipped) {
    return fmt::format("      <skipped message={}/>\n", xml_attribute(test.message));
  }
  return fmt::format("      <{0} type={1} message={2}>{3}</{0}>\n",
                     test.outcome == Outcome::Failure ? "failure" : "error",
                     xml_attribute(test.type), xml_attribute(test.message), xml_text(test.text));
}

std::string case_element(std::string_view module, const JunitCase& test) {
  std::string out = fmt::format("    <testcase classname={} name={}", xml_attribute(module),
                                xml_attribute(test.name));
  if (!test.file.empty()) out += fmt::format(" file={}", xml_attribute(test.file));
  if (test.line > 0) out += fmt::format(" line=\"{}\"", test.line);
  out += fmt::format(" time=\"{:.3f}\"", test.seconds);
  std::string content = outcome_element(test);
  if (!test.output.empty()) {
    content += fmt::format("      <system-out>{}</system-out>\n", xml_text(test.output));
  }
  if (content.empty()) return out + "/>\n";
  return out + ">\n" + content + "    </testcase>\n";
}

}  // namespace

void JunitDocument::Counts::add(Outcome outcome) {
  ++tests;
  if (outcome == Outcome::Failure) ++failures;
  if (outcome == Outcome::Error) ++errors;
  if (outcome == Outcome::Skipped) ++skipped;
}

std::string JunitDocument::Counts::attributes(double seconds) const {
  return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\"",
                     tests, failures, errors, skipped, seconds);
}

void JunitDocument::add(std::string_view module, const JunitCase& test) {
  if (suites_.empty() || suites_.back().module != module) {
    suites_.push_back({std::string(module), {}, 0, {}});
  }
  Suite& suite = suites_.back();
  suite.counts.add(test.outcome);
  suite.seconds += test.seconds;
  suite.cases += case_element(module, test);
  counts_.add(test.outcome);
}

void JunitDocument::write(const Sink& sink, double seconds) const {
  sink("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  sink(fmt::format("<testsuites name=\"fathom\" {}>\n", counts_.attributes(seconds)));
  for (const Suite& suite : suites_) {
    sink(fmt::format("  <testsuite name={} {}>\n", xml_attribute(suite.module),
                     suite.counts.attributes(suite.seconds)));
    sink(suite.cases);
    sink("  </testsuite>\n");
  }
  sink("</testsuites>\n");
}

}  // namespace fathom::report
