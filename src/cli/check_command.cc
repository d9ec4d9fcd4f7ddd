// fathom check: can any interleaving go wrong.
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>

#include "command.h"
#include "command_budget.h"
#include "cover_options.h"
#include "explore/check.h"
#include "option_values.h"
#include "reduce/failure.h"
#include "report/check_report.h"
#include "report/exploration_tree.h"
#include "report/progress.h"
#include "report/sequence_chart.h"
#include "report/slice_report.h"
#include "schedule_file.h"
#include "testing/check_cases.h"
#include "testing/find_tests.h"
#include "testing/run_tests.h"
#include "whole_program.h"

namespace fathom {
namespace {

using explore::Algorithm;
using explore::CheckResult;
using explore::FindingKind;
using machine::Machine;

constexpr int64_t kMillisecond = 1'000'000;  // nanoseconds

struct CheckCommandOptions : CommonOptions {
  std::vector<std::string> paths;
  std::vector<std::string> mocks;
  std::vector<std::string> tests;
  bool eunit = false;
  bool ct = false;

  // The tests of the project, in place of those that are named.
  bool checks_tests() const { return eunit || ct; }
  std::vector<std::string> filters;
  std::string algorithm = "optimal";
  std::optional<uint32_t> preemptions;
  std::optional<uint32_t> delays;
  std::string timeouts = "patient";
  int64_t patience = 1000;  // milliseconds
  std::string delivery = "instant";
  uint32_t max_depth = explore::SearchOptions().max_depth;
  uint64_t max_interleavings = UINT64_MAX;
  double time_limit = 0;
  uint64_t memory_limit = 4096;
  bool keep_going = false;
  bool assertions_only = false;
  bool first_process_only = false;
  bool strict_end = false;
  bool strict_exits = false;
  bool allow_leftover = false;
  std::vector<std::string> normal;
  std::vector<std::string> ignored;
  std::string record;
  std::string replay;
  std::string graph;
  std::string sequence;
  bool why = false;
  bool verbose = false;
  bool no_files = false;
  bool log = false;
  CoverOptions cover;
};

// ---- Options ----------------------------------------------------------------

const std::map<std::string, Algorithm> kAlgorithms = {
    {"optimal", Algorithm::Optimal}, {"source", Algorithm::Source}, {"none", Algorithm::None}};

std::optional<FindingKind> kind_named(std::string_view name) {
  for (const FindingKind kind : {FindingKind::Exit, FindingKind::Assertion, FindingKind::Deadlock,
                                 FindingKind::Stuck, FindingKind::Halt, FindingKind::Endless}) {
    if (explore::finding_kind_name(kind) == name) return kind;
  }
  return std::nullopt;
}

int64_t patience(const CheckCommandOptions& options) {
  if (options.timeouts == "any") return INT64_MAX;
  return options.timeouts == "virtual" ? 0 : options.patience * kMillisecond;
}

explore::CheckOptions check_options(const CheckCommandOptions& options) {
  explore::CheckOptions result;
  result.search.algorithm = kAlgorithms.at(options.algorithm);
  if (options.preemptions || options.delays) {
    result.search.leaves_out_seen = result.search.algorithm != Algorithm::None;
    result.search.algorithm = Algorithm::None;
    result.search.bound = options.delays ? explore::Bound::Delays : explore::Bound::Preemptions;
    result.search.budget = options.delays ? *options.delays : *options.preemptions;
  }
  result.search.patience = patience(options);
  result.search.max_depth = options.max_depth;
  result.max_interleavings = options.max_interleavings;
  result.keep_going = options.keep_going;
  result.assertions_only = options.assertions_only;
  // What a passing EUnit test does to other processes is its own affair.
  result.first_process_only = options.first_process_only || options.checks_tests();
  result.any_halt = options.checks_tests();
  result.strict_end = options.strict_end;
  result.strict_exits = options.strict_exits;
  result.allow_leftover = options.allow_leftover;
  result.normal = options.normal;
  for (const std::string& name : options.ignored) result.ignored.push_back(*kind_named(name));
  result.wants_tree = !options.graph.empty();
  result.wants_race_orders = options.cover.is_wanted();
  return result;
}

bool is_terminal(int file) { return isatty(file) != 0; }

size_t terminal_width(int file) {
  constexpr size_t kOtherwise = 100;
  winsize size{};
  return ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kOtherwise;
}

report::CheckReportOptions report_options(const CheckCommandOptions& options) {
  report::CheckReportOptions result;
  const bool to_terminal = options.output.empty() && is_terminal(STDOUT_FILENO);
  result.verbose = options.verbose;
  result.color = options.color == "auto" ? to_terminal && std::getenv("NO_COLOR") == nullptr
                                         : options.color == "always";
  if (to_terminal) result.width = terminal_width(STDOUT_FILENO);
  result.version = FATHOM_VERSION;
  return result;
}

// ---- What is checked --------------------------------------------------------

struct TestCall {
  std::string text;                             // m:f(), m:f(ARGS), or the name of an EUnit test
  std::optional<testing::CheckCase> test = {};  // empty: all that is known of it is the text
};

class CheckCommand {
 public:
  explicit CheckCommand(const CheckCommandOptions& options)
      : options_(options),
        messages_(options),
        session_(session_options(options)),
        check_options_(explore::CheckOptions(check_options(options))) {}

  int run();

 private:
  static session::SessionOptions session_options(const CheckCommandOptions& options) {
    session::SessionOptions result = options.session_options();
    result.project.tests = result.project.tests || options.checks_tests();
    result.paths = or_project_here(options.paths);
    result.mocks = options.mocks;
    options.cover.adjust(result);
    return result;
  }

  bool read();
  bool prepare_coverage();
  bool finish_coverage();
  bool add_calls();
  bool add_call(const std::string& text);
  bool add_project_tests();
  void add_cases(const testing::TestModule& module);
  bool can_record();
  bool check(const TestCall& call, report::CheckReport& report);
  Result<CheckResult> explored(Machine& m, const testing::Call& call, const std::string& name);
  bool write_pictures(const CheckResult& result);
  void explain(const TestCall& call, explore::Finding& finding);
  bool write_file(const std::string& path, std::string_view text);
  bool fail(std::string_view message) {
    messages_.error(message);
    return false;
  }

  const CheckCommandOptions& options_;
  CommandBudget budget_{{options_.time_limit, options_.memory_limit << 20}};
  Messages messages_;
  session::Session session_;
  explore::CheckOptions check_options_;
  testing::Filter filter_;
  std::optional<explore::Schedule> schedule_;
  std::vector<TestCall> calls_;
  Coverer coverer_{options_.cover};   // before the machine, whose code counts there
  std::unique_ptr<Machine> machine_;  // of the last test
  report::CheckSummary summary_;
};

bool CheckCommand::prepare_coverage() {
  if (auto ready = coverer_.prepare(); !ready) return fail(ready.error().message);
  if (auto chosen = coverer_.choose_modules(session_); !chosen) {
    return fail(chosen.error().message);
  }
  return true;
}

bool CheckCommand::finish_coverage() {
  summary_.coverage = coverer_.coverage();
  if (!summary_.coverage) return true;
  for (const std::string& text : coverer_.output.below_minimum(*summary_.coverage)) {
    messages_.error(text);
    summary_.is_below_minimum = true;
  }
  return coverer_.output.write(*summary_.coverage, messages_);
}

bool CheckCommand::read() {
  if (!messages_.print_new(session_)) return false;
  if (!options_.replay.empty()) {
    auto schedule = read_schedule(options_.replay);
    if (!schedule) return fail(schedule.error().message);
    schedule_ = std::move(*schedule);
  }
  if (!can_record()) return false;
  for (const std::string& pattern : options_.filters) {
    if (auto added = filter_.add(pattern); !added)
      return fail("--filter: " + added.error().message);
  }
  return options_.checks_tests() ? add_project_tests() : add_calls();
}

namespace {

// With or without the quotes that Erlang wants.
Atom atom_named(std::string_view text) {
  const bool is_quoted = text.size() > 2 && text.front() == '\'' && text.back() == '\'';
  return Atom::intern(is_quoted ? text.substr(1, text.size() - 2) : text);
}

}  // namespace

// m:f, or m:f(ARGUMENTS); the tests of an EUnit generator one by one.
bool CheckCommand::add_call(const std::string& text) {
  const size_t colon = text.find(':');
  if (colon == std::string::npos || colon == 0) {
    return fail(
        fmt::format("-t {}: this should be MODULE:FUNCTION or MODULE:FUNCTION(ARGUMENTS)", text));
  }
  if (text.find('(') != std::string::npos) {
    calls_.push_back({text});
    return true;
  }
  if (text.find('/', colon) != std::string::npos && text.find('\'', colon) == std::string::npos) {
    return fail(
        fmt::format("-t {}: a test has no arguments, and is written MODULE:FUNCTION without "
                    "an arity",
                    text));
  }
  const Atom module = atom_named(std::string_view(text).substr(0, colon));
  const Atom function = atom_named(std::string_view(text).substr(colon + 1));
  auto found = session_.library().find(module);
  messages_.print_new(session_);
  if (!found) return fail(found.error().message);
  if (!*found) {
    const bool reads_tests = session_options(options_).project.tests;
    return fail(fmt::format("-t {}: there is no module {}{}", text, module.text(),
                            reads_tests ? "" : "; --tests reads a project's tests too"));
  }
  const core::Module& code = *(*found)->core;
  const std::optional<core::FunctionId> id = code.find(function, 0);
  if (!id) {
    return fail(
        fmt::format("-t {}: {} has no function {}/0", text, module.text(), function.text()));
  }
  if (!code.functions[static_cast<size_t>(*id)].exported) {
    return fail(fmt::format("-t {}: {}/0 is not exported", text, function.text()));
  }
  const size_t before = calls_.size();
  if (testing::is_generator_name(function.text())) add_cases({module, "", {{function, true}}});
  if (calls_.size() > before) return true;
  calls_.push_back({text + "()", testing::CheckCase{text + "()", module, function}});
  return true;
}

bool CheckCommand::add_calls() {
  for (const std::string& text : options_.tests) {
    if (!add_call(text)) return false;
  }
  if (calls_.empty()) return fail("say what to check: -t MODULE:FUNCTION, --eunit, or --ct");
  return true;
}

void CheckCommand::add_cases(const testing::TestModule& module) {
  budget_.begin();
  for (testing::CheckCase& test : testing::check_cases(module, session_, filter_)) {
    std::string name = test.name;
    calls_.push_back({std::move(name), std::move(test)});
  }
  budget_.end();
}

bool CheckCommand::add_project_tests() {
  if (or_project_here(options_.paths).empty()) return fail(kNoProject);
  const testing::FoundTests found = testing::find_tests(session_, filter_);
  messages_.print_new(session_);
  if (!found.broken.empty()) messages_.explain_missing(session_);
  for (const std::string& path : found.broken) {
    summary_.reasons.push_back(fmt::format("{} could not be read", path));
  }
  for (const testing::TestModule& module : found.modules) {
    if (module.is_suite ? options_.ct : options_.eunit) add_cases(module);
  }
  if (calls_.empty()) return fail(testing::kNoTests);
  return true;
}

// ---- Checking ---------------------------------------------------------------

Result<CheckResult> CheckCommand::explored(Machine& m, const testing::Call& call,
                                           const std::string& name) {
  if (schedule_) {
    auto result = explore::replay(m, call.module, call.function, call.arguments, name,
                                  check_options_, *schedule_);
    if (!result) return Error{fmt::format("{}:{}", options_.replay, result.error().message)};
    return result;
  }
  const bool shows = !options_.quiet && is_terminal(STDERR_FILENO);
  report::ProgressLine line([](std::string_view text) { fmt::print(stderr, "{}", text); },
                            terminal_width(STDERR_FILENO));
  explore::CheckOptions with_progress = check_options_;
  if (shows) with_progress.progress = [&](const explore::Progress& p) { line.show(p); };
  return explore::check(m, call.module, call.function, call.arguments, name, with_progress);
}

// The story of the slice, in place of that of the whole program.
void CheckCommand::explain(const TestCall& call, explore::Finding& finding) {
  auto expression = session_.read_expression(call.test ? testing::text_of(*call.test) : call.text);
  if (!expression) return;
  reduce::FailingCall failing{.expression = std::move(*expression),
                              .text = call.text,
                              .schedule = finding.schedule,
                              .found = finding,
                              .options = check_options_,
                              .delays_delivery = options_.delivery == "any",
                              .is_silent = !options_.log};
  failing.options.progress = {};
  auto made = slice_of_failure(session_, own_modules(session_).names, failing,
                               slice::Precision::Fields, false);
  if (!made || !made->slice) {
    const std::string why = !made                   ? made.error().message
                            : made->reasons.empty() ? "nothing goes wrong"
                                                    : made->reasons[0];
    messages_.note(fmt::format("--why: {}", why));
    return;
  }
  reduce::FailureSlice& slice = *made->slice;
  finding.why = report::slice_text(slice.slice);
  finding.trace = std::move(slice.reproduced.trace);
  finding.race = slice.reproduced.race;
  finding.waiting = std::move(slice.reproduced.waiting);
  finding.process = slice.reproduced.process;
  finding.reason = slice.reproduced.reason;
}

// Before anything is explored: a file that cannot be written is no reason to lose a long search.
bool CheckCommand::can_record() {
  if (options_.record.empty()) return true;
  std::FILE* const file = std::fopen(options_.record.c_str(), "ab");
  if (!file) return fail(fmt::format("--record {}: {}", options_.record, std::strerror(errno)));
  const bool is_new = std::ftell(file) == 0;
  std::fclose(file);
  if (is_new) std::remove(options_.record.c_str());
  return true;
}

bool CheckCommand::check(const TestCall& call, report::CheckReport& report) {
  budget_.begin();
  std::optional<session::Expression> expression;
  if (!call.test) {
    expression = session_.read_expression(call.text);
    if (!messages_.print_new(session_) || !expression) return false;
  }
  machine::Limits limits;
  limits.files = !options_.no_files;
  machine::Mode mode = machine::kSearchMode;
  mode.is_silent = schedule_ ? schedule_->is_silent : !options_.log;
  mode.delays_delivery = options_.delivery == "any" || (schedule_ && schedule_->delays_delivery);
  coverer_.adjust(mode);
  machine_.reset();
  machine_ = session_.make_machine(limits, mode);
  Machine& m = *machine_;
  if (expression) expression->load_into(m);
  const testing::Call target = call.test
                                   ? testing::call_of(*call.test, m)
                                   : testing::Call{expression->module, expression->function, {}};
  Result<CheckResult> result = explored(m, target, call.text);
  coverer_.see(m);
  budget_.end();
  messages_.print_new(session_);
  messages_.text(session_.take_output());
  if (!result) return fail(result.error().message);
  if (!options_.record.empty() && !result->findings.empty()) {
    if (auto written = write_schedule(options_.record, result->findings[0].schedule); !written) {
      return fail(written.error().message);
    }
    result->findings[0].schedule_file = options_.record;
  }
  if (options_.why && !result->findings.empty()) explain(call, result->findings[0]);
  if (!write_pictures(*result)) return false;
  summary_.add(*result);
  report.add(std::move(*result));
  return true;
}

bool CheckCommand::write_file(const std::string& path, std::string_view text) {
  Output out;
  if (auto opened = out.open(path); !opened) return fail(opened.error().message);
  out.write(text);
  if (auto closed = out.close(); !closed) return fail(closed.error().message);
  return true;
}

bool CheckCommand::write_pictures(const CheckResult& result) {
  if (!options_.graph.empty()) {
    std::string text = report::exploration_dot(result);
    if (options_.graph.ends_with(".svg")) {
      auto svg = report::dot_to_svg(text);
      if (!svg) return fail(svg.error().message);
      text = std::move(*svg);
    }
    if (!write_file(options_.graph, text)) return false;
  }
  if (options_.sequence.empty() || result.findings.empty()) return true;
  return write_file(options_.sequence,
                    report::sequence_svg(result.findings[0], session_.sources(), result.test));
}

int CheckCommand::run() {
  const double start = testing::real_seconds();
  if (!read() || !prepare_coverage()) return kCouldNotRun;
  Output out;
  if (auto opened = out.open(options_.output); !opened) {
    messages_.error(opened.error().message);
    return kCouldNotRun;
  }
  const auto report = report::make_check_report(
      options_.format, [&](std::string_view text) { out.write(text); }, session_.sources(),
      report_options(options_));
  for (const TestCall& call : calls_) {
    if (budget_.is_interrupted()) {
      summary_.reasons.emplace_back("interrupted");
      break;
    }
    if (!check(call, *report)) return kCouldNotRun;
  }
  summary_.seconds = testing::real_seconds() - start;
  if (!finish_coverage()) return kCouldNotRun;
  report->finish(summary_);
  if (auto closed = out.close(); !closed) {
    messages_.error(closed.error().message);
    return kCouldNotRun;
  }
  if (budget_.is_interrupted()) return kCouldNotRun;
  switch (summary_.verdict()) {
    case Verdict::Clean:
      return summary_.is_below_minimum ? kFindings : kClean;
    case Verdict::Bug:
      return kFindings;
    case Verdict::Unknown:
      return kCouldNotRun;
  }
  return kCouldNotRun;
}

void add_test_options(Command& command, CheckCommandOptions& options) {
  command.begin_group("Tests");
  command
      .add_option("-t,--test", options.tests,
                  "What to check: MODULE:FUNCTION or MODULE:FUNCTION(ARGUMENTS). May be repeated")
      .value_name("CALL")
      .one_value();
  command.add_flag("--eunit", options.eunit,
                   "Check that every EUnit test of the modules passes in every interleaving; "
                   "exits of other processes are not errors");
  command.add_flag("--ct", options.ct,
                   "The same for every case of the Common Test suites, each by itself between the "
                   "init and end functions around it");
  command
      .add_option("--filter", options.filters,
                  "Of the tests of --eunit and --ct, only those that match: a glob for "
                  "MODULE:FUNCTION, a module, "
                  "a function or a title, or /REGEX/. May be repeated")
      .value_name("PATTERN")
      .one_value();
  command
      .add_option("--mock", options.mocks,
                  "A module (.erl, .beam) whose functions replace those of the module of the same "
                  "name. May be repeated")
      .value_name("FILE")
      .one_value();
  command.add_flag("--log", options.log,
                   "Run OTP's logger, with crash reports; by default log events are dropped, which "
                   "makes interleavings shorter");
  command.add_flag("--no-files", options.no_files, "The program may not read or write files");
}

void add_search_options(Command& command, CheckCommandOptions& options) {
  command.begin_group("Search");
  command
      .add_option("--algorithm", options.algorithm,
                  "optimal: one interleaving of each equivalence class; source: source sets, which "
                  "need less memory; none: every interleaving")
      .one_of({"optimal", "source", "none"})
      .with_default();
  const Option preemptions = command.add_option(
      "--preemptions", options.preemptions,
      "Explore only interleavings with at most N preemptions: first with none, then with one, …");
  command
      .add_option("--delays", options.delays,
                  "Explore only interleavings with at most N delays: a delay passes over the "
                  "process whose turn it is")
      .excludes(preemptions);
  command
      .add_option(
          "--timeouts", options.timeouts,
          "When time-outs fire: any (at any point), virtual (in the order of time), patient "
          "(long ones only when no process can run)")
      .one_of({"any", "virtual", "patient"})
      .with_default();
  command.add_option("--patience", options.patience, "What counts as long, in milliseconds")
      .with_default();
  command
      .add_option("--delivery", options.delivery,
                  "When signals are delivered: instant, or any (at any later point)")
      .one_of({"instant", "any"})
      .with_default();
  command.begin_group("Limits");
  command.add_option("--max-depth", options.max_depth, "Events of one interleaving")
      .positive()
      .with_default();
  command.add_option("--max-interleavings", options.max_interleavings, "Stop after N interleavings")
      .positive();
  command.add_option("--time-limit", options.time_limit, "Seconds for each test; none by default");
  command.add_option("--memory-limit", options.memory_limit, "Megabytes").with_default();
}

void add_error_options(Command& command, CheckCommandOptions& options) {
  command.begin_group("Errors");
  command.add_flag("--keep-going", options.keep_going, "Find all errors, not only the first");
  command.add_flag("--assertions-only", options.assertions_only,
                   "Of exceptions, report only failed ?assert… macros");
  command.add_flag("--first-process-only", options.first_process_only,
                   "Report only errors of the test's own process");
  command
      .add_option("--treat-as-normal", options.normal,
                  "An exit reason that is not an error, as ~p prints it. May be repeated")
      .value_name("REASON")
      .check(term_fault)
      .one_value();
  command
      .add_option("--ignore", options.ignored,
                  "A kind of error to ignore: exit, assertion, deadlock, stuck, halt, endless. May "
                  "be repeated")
      .one_of({"exit", "assertion", "deadlock", "stuck", "halt", "endless"})
      .one_value();
  command.add_flag("--strict-exits", options.strict_exits,
                   "Every abnormal exit is an error; by default only one of which no process is "
                   "told, by a monitor or as a supervisor or another linked process that traps "
                   "exits");
  const Option strict =
      command.add_flag("--strict-end", options.strict_end,
                       "A behaviour that is still idle at the end of the test is an error too");
  command
      .add_flag("--allow-leftover", options.allow_leftover,
                "Processes that still wait when the test has ended are not an error")
      .excludes(strict);
}

void add_result_options(Command& command, CheckCommandOptions& options) {
  command.add_flag("--why", options.why,
                   "Of the first error: what of the program led to it, and of the steps those that "
                   "matter");
  command.add_flag("--verbose", options.verbose, "Show every step, and all errors at length");
  command.add_option("--record", options.record, "Write the schedule of the first error")
      .value_name("FILE");
  command.add_option("--replay", options.replay, "Replay a schedule that --record wrote")
      .value_name("FILE");
  command.add_option("--graph", options.graph, "Draw what was explored: FILE.dot or FILE.svg")
      .value_name("FILE")
      .check(picture_fault);
  command
      .add_option("--sequence", options.sequence,
                  "Draw the first error as a message sequence chart: FILE.svg")
      .value_name("FILE")
      .check(svg_fault);
}

}  // namespace

void add_check_command(CommandLine& command_line) {
  Command command = command_line.add_command("check", "Explore every interleaving of a test");
  auto options = std::make_shared<CheckCommandOptions>();
  add_test_options(command, *options);
  add_search_options(command, *options);
  add_error_options(command, *options);
  options->cover.add_to(command, false);
  options->add_to(command, {"text", "json", "sarif", "junit"});
  add_result_options(command, *options);
  command.add_option(
      "PATH", options->paths,
      "Files (.erl, .beam), directories, rebar3 projects; by default the project around this "
      "folder");
  command.when_chosen([options]() -> int {
    CheckCommand chosen(*options);
    end_command(chosen.run());
  });
}

}  // namespace fathom
