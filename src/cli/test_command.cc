// fathom test: do the tests pass, EUnit's and those of Common Test.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "command.h"
#include "command_budget.h"
#include "cover_options.h"
#include "report/test_report.h"
#include "testing/run_tests.h"

namespace fathom {
namespace {

using report::TestSummary;
using testing::TestResult;

struct TestOptions : CommonOptions {
  std::vector<std::string> paths;
  std::vector<std::string> filters;
  bool verbose = false;
  double time_limit = 60;
  uint64_t reduction_limit = UINT64_MAX;
  uint64_t memory_limit = 4096;
  CoverOptions cover;
};

bool colors_results(const TestOptions& options) {
  if (options.color != "auto") return options.color == "always";
  return options.output.empty() && isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
}

// The verdict on all of it, and what to tell the shell.
int conclude(TestSummary& summary, const testing::FoundTests& found) {
  for (const std::string& path : found.broken) {
    summary.reasons.push_back(fmt::format("{} could not be read", path));
  }
  if (summary.counts.total() == 0) summary.reasons.emplace_back("no tests were found");
  if (summary.counts.has_findings()) {
    summary.verdict = Verdict::Bug;
    return kFindings;
  }
  summary.verdict = summary.reasons.empty() ? Verdict::Clean : Verdict::Unknown;
  return summary.reasons.empty() ? kClean : kCouldNotRun;
}

// What is counted until the end of a test is its own.
void measure(Coverer& coverer, testing::RunOptions& options) {
  cover::Recorder* recorder = coverer.recorder();
  if (!recorder) return;
  coverer.adjust(options.mode);
  options.on_end = [&coverer, recorder](machine::Machine& m, const TestResult& test) {
    coverer.see(m);
    if (!test.is_group) recorder->end_test(test.name());
  };
  options.on_machine_end = [&coverer](machine::Machine& m) { coverer.see(m); };
}

// False: a file could not be written.
bool conclude_coverage(TestSummary& summary, const CoverOutput& output, int& code,
                       Messages& messages) {
  for (const std::string& text : output.below_minimum(*summary.coverage)) {
    messages.error(text);
    summary.reasons.push_back(text);
    summary.verdict = Verdict::Bug;
    code = kFindings;
  }
  return output.write(*summary.coverage, messages);
}

int run(const TestOptions& options) {
  const double start = testing::real_seconds();
  Messages messages(options);
  CommandBudget budget({options.time_limit, options.memory_limit << 20});
  testing::Filter filter;
  for (const std::string& pattern : options.filters) {
    if (auto added = filter.add(pattern); !added) {
      messages.error("--filter: " + added.error().message);
      return kCouldNotRun;
    }
  }
  Output out;
  if (auto opened = out.open(options.output); !opened) {
    messages.error(opened.error().message);
    return kCouldNotRun;
  }
  session::SessionOptions session_options = options.session_options();
  session_options.project.tests = true;
  session_options.paths = or_project_here(options.paths);
  if (session_options.paths.empty()) {
    messages.error(kNoProject);
    return kCouldNotRun;
  }
  Coverer coverer(options.cover);
  options.cover.adjust(session_options);
  if (auto ready = coverer.prepare(); !ready) {
    messages.error(ready.error().message);
    return kCouldNotRun;
  }
  session::Session session(session_options);
  if (!messages.print_new(session)) return kCouldNotRun;
  const testing::FoundTests found = testing::find_tests(session, filter);
  messages.print_new(session);
  if (!found.broken.empty()) messages.explain_missing(session);

  TestSummary summary;
  summary.unread_modules = found.broken.size();
  const auto report =
      report::make_test_report(options.format, [&](std::string_view text) { out.write(text); },
                               session.sources(), {options.verbose, colors_results(options)});
  if (auto chosen = coverer.choose_modules(session); !chosen) {
    messages.error(chosen.error().message);
    return kCouldNotRun;
  }
  testing::RunOptions run_options{.reductions = options.reduction_limit};
  measure(coverer, run_options);
  for (const testing::TestModule& module : found.modules) {
    if (budget.is_interrupted()) break;
    testing::run_tests(module, session, filter, run_options, [&](TestResult&& test) {
      if (!filter.wants(test)) return;
      summary.counts.add(test);
      if (test.status == testing::Status::Unknown) {
        summary.reasons.push_back(fmt::format("{}: {}", test.name(), test.failure->message));
      }
      report->add(std::move(test));
    });
  }
  budget.end();
  if (budget.is_interrupted()) summary.reasons.emplace_back("interrupted");
  summary.coverage = coverer.coverage();
  summary.minimizes = options.cover.minimize;
  messages.text(session.take_output());
  int code = conclude(summary, found);
  if (summary.coverage && !conclude_coverage(summary, coverer.output, code, messages)) {
    return kCouldNotRun;
  }
  summary.seconds = testing::real_seconds() - start;
  if (summary.counts.total() == 0) messages.error(testing::kNoTests);
  report->finish(summary);
  if (auto closed = out.close(); !closed) {
    messages.error(closed.error().message);
    return kCouldNotRun;
  }
  end_command(budget.is_interrupted() ? int{kCouldNotRun} : code);
}

}  // namespace

void add_test_command(CommandLine& command_line) {
  Command command = command_line.add_command("test", "Run EUnit tests and Common Test suites");
  auto options = std::make_shared<TestOptions>();
  command.begin_group("Tests");
  command
      .add_option("--filter", options->filters,
                  "Run only these tests: a glob that matches MODULE:FUNCTION or, without a colon, "
                  "the name of a module or a function or a title; or /REGEX/, found anywhere in "
                  "MODULE:FUNCTION or in a title. May be repeated")
      .value_name("PATTERN")
      .one_value();
  options->cover.add_to(command, true);
  command.begin_group("Limits");
  command
      .add_option("--time-limit", options->time_limit,
                  "Seconds that a test may run; 0: no limit. Waiting does not count")
      .with_default();
  command.add_option("--reduction-limit", options->reduction_limit, "Calls that a test may make");
  command.add_option("--memory-limit", options->memory_limit, "Megabytes").with_default();
  options->add_to(command, {"text", "json", "junit"});
  command.add_flag("--verbose", options->verbose,
                   "Show tests that pass, too, and all output of those that fail");
  command.add_option(
      "PATH", options->paths,
      "Files (.erl, .beam), directories, rebar3 projects; by default the project around this "
      "folder");
  command.when_chosen([options] { return run(*options); });
}

}  // namespace fathom
