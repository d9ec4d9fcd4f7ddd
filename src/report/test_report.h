// Reports of the results of tests: as text, as JSON (docs/json.md), or as JUnit's XML.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "base/verdict.h"
#include "cover/coverage.h"
#include "report/report.h"
#include "testing/results.h"

namespace fathom::report {

struct TestSummary {
  testing::Counts counts;
  size_t unread_modules = 0;  // with errors
  double seconds = 0;
  Verdict verdict = Verdict::Unknown;
  std::vector<std::string> reasons;  // why the verdict does not say more
  std::optional<cover::Coverage> coverage = {};
  bool minimizes = false;  // with the tests that are enough
};

struct TestReportOptions {
  bool verbose = false;  // text: a line for each test
  bool color = false;    // text
};

class TestReport {
 public:
  virtual ~TestReport() = default;
  // In the order in which they were run, those of a module together.
  virtual void add(testing::TestResult&& test) = 0;
  virtual void finish(const TestSummary& summary) = 0;
};

// The format is text, json or junit. The sources are those of the places in the results.
std::unique_ptr<TestReport> make_test_report(std::string_view format, Sink sink,
                                             const SourceMap& sources,
                                             const TestReportOptions& options);

}  // namespace fathom::report
