#include "report/check_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/check_formats.h"
#include "report/check_steps.h"
#include "report/check_text.h"
#include "report/junit.h"
#include "report/places.h"

namespace fathom::report {

using explore::CheckResult;
using explore::Finding;

namespace {

// The module of m:f(), and the rest.
std::pair<std::string_view, std::string_view> split_name(std::string_view test) {
  size_t begin = 0;
  if (test.starts_with('\'')) {
    // A backslash takes away the meaning of what follows.
    for (begin = 1; begin < test.size() && test[begin] != '\''; ++begin) {
      if (test[begin] == '\\') ++begin;
    }
  }
  const size_t colon = test.find(':', std::min(begin, test.size()));
  if (colon == std::string_view::npos) return {"", test};
  return {test.substr(0, colon), test.substr(colon + 1)};
}

class CheckJunit : public CheckReport {
 public:
  CheckJunit(Sink sink, const SourceMap& sources) : sink_(std::move(sink)), sources_(sources) {}

  void add(CheckResult&& result) override {
    const auto [first_part, name] = split_name(result.test);
    const std::string module(first_part);
    JunitCase entry;
    entry.name = name;
    entry.seconds = result.seconds;
    if (!result.findings.empty()) {
      const Finding& first = result.findings.front();
      entry.outcome = JunitCase::Outcome::Failure;
      entry.type = explore::finding_kind_name(first.kind);
      entry.message = finding_sentence(first);
      entry.file = place_file(first.place, sources_);
      entry.line = first.place.span.begin ? sources_.line_column(first.place.span.begin).line
                                          : first.place.line;
      entry.output = first.output;
    } else if (result.verdict != Verdict::Clean) {
      entry.outcome = JunitCase::Outcome::Error;
      entry.type = verdict_name(result.verdict);
      entry.message = fmt::format("{}", fmt::join(result.reasons, "; "));
    }
    if (entry.outcome != JunitCase::Outcome::Passed) entry.text = text_of(std::move(result));
    document_.add(module, entry);
  }

  void finish(const CheckSummary& summary) override { document_.write(sink_, summary.seconds); }

 private:
  // As a person would read it; the output of the program has an element of its own.
  std::string text_of(CheckResult&& result) const {
    for (Finding& finding : result.findings) finding.output.clear();
    std::string text;
    make_check_text([&](std::string_view piece) { text += piece; }, sources_, {})
        ->add(std::move(result));
    return text;
  }

  Sink sink_;
  const SourceMap& sources_;
  JunitDocument document_;
};

}  // namespace

void CheckSummary::add(const CheckResult& result) {
  switch (result.verdict) {
    case Verdict::Clean:
      ++clean;
      return;
    case Verdict::Bug:
      ++bug;
      return;
    case Verdict::Unknown:
      ++unknown;
      return;
  }
}

Verdict CheckSummary::verdict() const {
  if (bug > 0) return Verdict::Bug;
  const bool is_clean = unknown == 0 && clean > 0 && reasons.empty();
  return is_clean ? Verdict::Clean : Verdict::Unknown;
}

std::unique_ptr<CheckReport> make_check_report(std::string_view format, Sink sink,
                                               const SourceMap& sources,
                                               const CheckReportOptions& options) {
  if (format == "json") return make_check_json(std::move(sink), sources);
  if (format == "sarif") return make_check_sarif(std::move(sink), sources, options);
  if (format == "junit") return std::make_unique<CheckJunit>(std::move(sink), sources);
  return make_check_text(std::move(sink), sources, options);
}

}  // namespace fathom::report
