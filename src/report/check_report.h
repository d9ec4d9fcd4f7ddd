// Reports of the results of checks: as text, as JSON (docs/json.md), as SARIF 2.1.0, or as
// JUnit's XML.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "base/verdict.h"
#include "cover/coverage.h"
#include "explore/findings.h"
#include "report/report.h"

namespace fathom::report {

struct CheckSummary {
  size_t clean = 0;
  size_t bug = 0;
  size_t unknown = 0;
  std::vector<std::string> reasons;  // of no test: "m.erl could not be read"
  double seconds = 0;
  std::optional<cover::Coverage> coverage = {};
  bool is_below_minimum = false;  // the coverage is

  void add(const explore::CheckResult& result);
  size_t total() const { return clean + bug + unknown; }
  // On all of it. Where nothing was checked nothing is known.
  Verdict verdict() const;
};

struct CheckReportOptions {
  bool verbose = false;      // text: every step, all errors at length, all output
  bool color = false;        // text
  size_t width = 100;        // text: of a terminal; lines of source code may be longer
  std::string version = {};  // of Fathom, for SARIF
};

class CheckReport {
 public:
  virtual ~CheckReport() = default;
  // One checked test; those of a module together.
  virtual void add(explore::CheckResult&& result) = 0;
  // The summary knows all that was added.
  virtual void finish(const CheckSummary& summary) = 0;
};

// The format is text, json, sarif or junit. The sources are those of the places in the
// results.
std::unique_ptr<CheckReport> make_check_report(std::string_view format, Sink sink,
                                               const SourceMap& sources,
                                               const CheckReportOptions& options);

}  // namespace fathom::report
