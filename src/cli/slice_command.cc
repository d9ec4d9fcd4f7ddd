// fathom slice: what influences the value of an expression.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <sstream>

#include "command.h"
#include "command_budget.h"
#include "flow/entries.h"
#include "option_values.h"
#include "reduce/execution.h"
#include "reduce/failure.h"
#include "reduce/minimal.h"
#include "report/exploration_tree.h"
#include "report/slice_report.h"
#include "schedule_file.h"
#include "session/program_code.h"
#include "slice/forward.h"
#include "slice/reasons.h"
#include "slice/slice.h"
#include "testing/check_cases.h"
#include "whole_program.h"

namespace fathom {
namespace {

struct SliceOptions : CommonOptions {
  std::vector<std::string> arguments;
  std::string precision = "ce";
  std::string why;
  std::string html;
  std::string graph;
  std::string chop;
  bool forward = false;
  bool show = false;
  bool error = false;
  std::string replay;
  bool verify = false;
  bool minimal = false;
  std::vector<std::string> calls;
  std::vector<std::string> tests;
  std::string calls_file;
  double time_limit = 0;
  uint64_t memory_limit = 4096;
};

// What is given: criteria, and where the program is.
struct Question {
  std::vector<std::string> texts;
  std::vector<slice::Criterion> criteria;
  std::vector<std::string> paths;
};

Result<Question> question_of(const SliceOptions& options) {
  Question result;
  for (const std::string& text : options.arguments) {
    auto criterion = slice::parse_criterion(text);
    if (!criterion) {
      if (!std::filesystem::exists(text)) return criterion.error();
      result.paths.push_back(text);
      continue;
    }
    result.texts.push_back(text);
    result.criteria.push_back(std::move(*criterion));
  }
  if (options.error) {
    if (result.criteria.empty()) return result;
    return Error{"--error is the criterion; give files, directories or projects with it"};
  }
  if (result.criteria.empty()) {
    return Error{
        "there is no criterion; one is FILE:LINE:NAME, FILE:LINE:NAME:OCCURRENCE or "
        "FILE:LINE:COLUMN"};
  }
  if (result.paths.empty()) {
    for (const slice::Criterion& c : result.criteria) {
      if (std::find(result.paths.begin(), result.paths.end(), c.file) == result.paths.end()) {
        result.paths.push_back(c.file);
      }
    }
  }
  return result;
}

slice::Precision precision_of(const SliceOptions& options) {
  if (options.precision == "pdg") return slice::Precision::Statements;
  return options.precision == "edg" ? slice::Precision::Expressions : slice::Precision::Fields;
}

// A slice, and what is known of it.
struct Answer {
  slice::Slice slice;
  slice::Reasons reasons = {};
  double graph_seconds = 0;
  std::optional<report::SliceRuns> runs = {};
};

class SliceCommand {
 public:
  SliceCommand(const SliceOptions& options, Question question)
      : options_(options),
        question_(std::move(question)),
        messages_(options),
        budget_({options.time_limit, options.memory_limit << 20}),
        session_(whole_program(options, question_.paths)) {}

  int run();
  // --error: of an execution that goes wrong.
  int explain_error();

 private:
  void add_criterion_files();
  bool read_own_modules();
  bool wants_reasons() const {
    return !options_.why.empty() || !options_.html.empty() || !options_.graph.empty();
  }
  Result<slice::Located> located(const slice::Model& model, const slice::Criterion& criterion);
  Result<std::vector<slice::Located>> located_criteria(const slice::Model& model);
  Result<slice::Slice> sliced(const slice::Model& model,
                              const std::vector<slice::Located>& criteria,
                              slice::Precision precision);
  Result<Answer> of_program();
  Result<Answer> of_execution();
  Result<std::string> formatted(const report::SliceResult& result, const slice::Reasons& reasons);
  Result<std::string> why(const slice::Slice& slice, const slice::Reasons& reasons);
  Result<void> write_beside(const report::SlicePage& page);
  Result<void> add_test(const std::string& name);
  Result<void> read_calls();
  Result<report::SliceRuns> run_slice(slice::Slice& made, slice::Precision precision);
  Result<void> minimise(slice::Slice& made, slice::Precision precision, reduce::ValueOracle& oracle,
                        report::SliceRuns& runs);
  Result<reduce::FailureSlice> failure(std::string& call);

  const SliceOptions& options_;
  const Question question_;
  Messages messages_;
  CommandBudget budget_;
  session::Session session_;
  std::vector<Atom> own_;
  std::vector<std::string> call_texts_;  // as the user knows them
  std::vector<bool> are_tests_;          // of EUnit
  std::vector<session::Expression> calls_;
  bool is_different_ = false;  // a run of the slice shows other values
};

// The file of a criterion is of the program, whatever else is.
void SliceCommand::add_criterion_files() {
  for (const slice::Criterion& c : question_.criteria) {
    const auto name = std::filesystem::path(c.file).stem();
    const auto& modules = session_.project().modules();
    const bool is_known = std::ranges::any_of(modules, [&](const SourceModule& module) {
      return std::filesystem::path(module.path).stem() == name;
    });
    std::error_code error;
    if (is_known || !std::filesystem::is_regular_file(c.file, error)) continue;
    session_.library().add(c.file);
  }
}

bool SliceCommand::read_own_modules() {
  add_criterion_files();
  own_ = own_modules(session_).names;
  return messages_.print_new(session_);
}

bool is_file_of(const core::Module& module, const std::string& file) {
  const std::filesystem::path wanted(file);
  const std::filesystem::path path(module.unit().path);
  std::error_code error;
  return path == wanted || std::filesystem::equivalent(path, wanted, error) ||
         path.filename() == wanted;
}

Result<slice::Located> SliceCommand::located(const slice::Model& model,
                                             const slice::Criterion& criterion) {
  for (const core::Module* module : model.modules()) {
    if (is_file_of(*module, criterion.file)) return slice::locate(model, *module, criterion);
  }
  if (!std::filesystem::exists(criterion.file)) {
    return Error{fmt::format("{}: there is no such file", criterion.file)};
  }
  return Error{fmt::format("{}: no {} leads into this module", criterion.file,
                           calls_.empty() ? "exported function" : "call")};
}

Result<std::vector<slice::Located>> SliceCommand::located_criteria(const slice::Model& model) {
  std::vector<slice::Located> result;
  for (const slice::Criterion& c : question_.criteria) {
    auto where = located(model, c);
    if (!where) return where.error();
    result.push_back(*where);
  }
  return result;
}

// ---- What is shown ----------------------------------------------------------

// --why [FILE:]LINE:COLUMN; without a file, in that of the first criterion.
Result<std::string> SliceCommand::why(const slice::Slice& slice, const slice::Reasons& reasons) {
  const bool has_file = std::count(options_.why.begin(), options_.why.end(), ':') > 1;
  std::string file = has_file ? "" : question_.criteria.empty() ? "" : question_.criteria[0].file;
  if (file.empty() && !has_file && !slice.modules.empty()) {
    file = slice.modules[0].module->unit().path;
  }
  const auto place = slice::parse_criterion(has_file ? options_.why : file + ":" + options_.why);
  if (!place || place->column == 0) return Error{"--why takes LINE:COLUMN or FILE:LINE:COLUMN"};
  for (const slice::SlicedModule& m : slice.modules) {
    if (!is_file_of(*m.module, place->file)) continue;
    const uint32_t step = report::reason_at(slice, reasons, session_.sources(), *m.module,
                                            {place->line, place->column});
    if (step == slice::kNoReason) break;
    return report::slice_reasons(reasons, step, question_.texts, session_.sources());
  }
  return fmt::format("{}:{}:{} is not in the slice\n", place->file, place->line, place->column);
}

Result<std::string> SliceCommand::formatted(const report::SliceResult& result,
                                            const slice::Reasons& reasons) {
  if (!options_.why.empty()) return why(result.slice, reasons);
  if (options_.format == "json") return report::slice_json(result);
  const bool is_program = !options_.forward && options_.chop.empty();
  if (options_.format == "diff") {
    if (!is_program)
      return Error{"what --forward and --chop show is not a program: there is no diff"};
    return report::slice_diff(result.slice, result.sources);
  }
  if (options_.show || !is_program) {
    const bool has_color = options_.color == "always" ||
                           (options_.color == "auto" && options_.output.empty() && isatty(1) != 0);
    return report::slice_shown(result, has_color);
  }
  return report::slice_text(result);
}

// --html, --graph
Result<void> SliceCommand::write_beside(const report::SlicePage& page) {
  const auto write = [](const std::string& path, std::string_view text) -> Result<void> {
    Output out;
    if (auto opened = out.open(path); !opened) return opened.error();
    out.write(text);
    return out.close();
  };
  if (!options_.html.empty()) {
    if (auto done = write(options_.html, report::slice_html(page)); !done) return done.error();
  }
  if (options_.graph.empty()) return {};
  std::string text = report::slice_dot(page.reasons, page.sources);
  if (options_.graph.ends_with(".svg")) {
    auto svg = report::dot_to_svg(text);
    if (!svg) return svg.error();
    text = std::move(*svg);
  }
  return write(options_.graph, text);
}

Result<slice::Slice> SliceCommand::sliced(const slice::Model& model,
                                          const std::vector<slice::Located>& criteria,
                                          slice::Precision precision) {
  if (!options_.forward && options_.chop.empty()) {
    return slice_of(model, criteria, precision, !options_.graph.empty());
  }
  std::optional<slice::Located> to;
  slice::Located from = criteria[0];
  if (!options_.chop.empty()) {
    auto parsed = slice::parse_criterion(options_.chop);
    if (!parsed) return parsed.error();
    auto where = located(model, *parsed);
    if (!where) return where.error();
    to = from;
    from = *where;
  }
  slice::Slice result;
  result.criteria = criteria;
  result.modules = influenced(model, from, to, precision);
  for (const slice::SlicedModule& m : result.modules) {
    result.nodes_total += m.nodes_total;
    result.nodes_kept += m.nodes_kept;
  }
  result.slicer = std::make_unique<slice::Slicer>(model, precision);
  return result;
}

// ---- Runs -------------------------------------------------------------------

// -t MODULE:FUNCTION: a function without parameters; of an EUnit generator, each of its tests.
Result<void> SliceCommand::add_test(const std::string& name) {
  const size_t colon = name.find(':');
  if (colon == std::string::npos || colon == 0) {
    return Error{fmt::format("-t {}: this should be MODULE:FUNCTION", name)};
  }
  if (name.find('/', colon) != std::string::npos && name.find('\'', colon) == std::string::npos) {
    return Error{fmt::format("-t {}: this should be MODULE:FUNCTION, without an arity", name)};
  }
  const Atom module = Atom::intern(name.substr(0, colon));
  const Atom function = Atom::intern(name.substr(colon + 1));
  const bool is_generator = testing::is_generator_name(function.text());
  for (const testing::CheckCase& test :
       testing::check_cases({module, "", {{function, is_generator}}}, session_, {})) {
    auto expression = session_.read_expression(testing::text_of(test));
    if (!expression) return Error{fmt::format("-t {}: there is no such test", name)};
    call_texts_.push_back(is_generator ? test.name : name + "()");
    calls_.push_back(std::move(*expression));
    are_tests_.resize(calls_.size(), testing::is_test_name(function.text()));
  }
  return {};
}

// --call and --calls: one on each line, but for comments.
Result<void> SliceCommand::read_calls() {
  std::vector<std::string> texts = options_.calls;
  if (!options_.calls_file.empty()) {
    const auto text = read_file(options_.calls_file);
    if (!text) return text.error();
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
      const size_t first = line.find_first_not_of(" \t\r");
      if (first != std::string::npos && line[first] != '%') texts.push_back(line);
    }
  }
  for (const std::string& text : texts) {
    auto expression = session_.read_expression(text);
    if (!messages_.print_new(session_) || !expression) {
      return Error{fmt::format("--call {}: this is not an expression", text)};
    }
    call_texts_.push_back(text);
    calls_.push_back(std::move(*expression));
    are_tests_.push_back(false);
  }
  for (const std::string& test : options_.tests) {
    if (auto added = add_test(test); !added) return added.error();
  }
  const bool is_needed = options_.verify || options_.minimal || options_.error;
  if (calls_.empty() && is_needed) {
    return Error{
        "a slice is run on calls: give some with --call EXPR, --calls FILE or -t MODULE:FUNCTION"};
  }
  return {};
}

Result<void> SliceCommand::minimise(slice::Slice& made, slice::Precision precision,
                                    reduce::ValueOracle& oracle, report::SliceRuns& runs) {
  if (runs.values == 0 && !oracle.limit().empty()) {
    return Error{fmt::format("--minimal: {}{}", reduce::not_reached(oracle), budget_.advice())};
  }
  if (runs.values == 0) {
    return Error{"--minimal: no call comes to the criterion, so nothing would be left"};
  }
  const reduce::TextSlice again = sliced_again(session_, own_, reduce::text_of(made), precision);
  constexpr double kPairSeconds = 0.3;
  auto minimal =
      minimised(session_, again, oracle, kPairSeconds, [&](const reduce::TextSlice& texts) {
        return sliced_again(session_, own_, texts, precision);
      });
  if (!minimal) return minimal.error();
  take_texts(made, *minimal);
  runs.is_minimal = true;
  runs.candidates = minimal->candidates;
  runs.executed = minimal->executed;
  return {};
}

Result<report::SliceRuns> SliceCommand::run_slice(slice::Slice& made, slice::Precision precision) {
  const auto start = std::chrono::steady_clock::now();
  const auto read = [&](const reduce::TextSlice& texts) -> Result<reduce::Modules> {
    auto shown = reduce::showing(session_, texts);
    if (!shown) return shown.error();
    auto modules = reduce::read_modules(session_, *shown);
    if (!modules) return Error{"the slice does not compile; this is an error of fathom's"};
    return *modules;
  };
  const auto original = read(reduce::originals(made));
  if (!original) return original.error();
  reduce::ValueOracle oracle({session_, calls_, made.criteria.size()}, *original);
  const auto sliced = read(reduce::text_of(made));
  if (!sliced) return sliced.error();
  report::SliceRuns runs{.calls = oracle.call_count(), .values = oracle.value_count()};
  if (!oracle.accepts(*sliced)) {
    const auto& d = oracle.difference();
    is_different_ = true;
    return Error{fmt::format("{}: value {} of {} is {} in the original, and {} in the slice",
                             call_texts_[d.call], d.index + 1, question_.texts[d.criterion],
                             d.expected.empty() ? "not there" : d.expected,
                             d.seen.empty() ? "not there" : d.seen)};
  }
  if (options_.minimal) {
    if (auto done = minimise(made, precision, oracle, runs); !done) return done.error();
  }
  runs.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return runs;
}

// ---- Of an error ------------------------------------------------------------

// What an EUnit test that passes does to other processes is its own affair.
explore::CheckOptions error_options(bool is_test) {
  explore::CheckOptions options;
  options.first_process_only = options.any_halt = is_test;
  return options;
}

// Of the first call that goes wrong.
Result<reduce::FailureSlice> SliceCommand::failure(std::string& text) {
  std::optional<explore::Schedule> schedule;
  if (!options_.replay.empty()) {
    auto read = read_schedule(options_.replay);
    if (!read) return read.error();
    schedule = std::move(*read);
  }
  std::vector<std::string> unknown;
  if (calls_.size() > 1 && options_.tests.empty()) {
    return Error{"--error is of one call: give one with --call EXPR"};
  }
  for (size_t i = 0; i < calls_.size(); ++i) {
    text = call_texts_[i];
    const reduce::FailingCall call{.expression = calls_[i],
                                   .text = text,
                                   .schedule = schedule,
                                   .options = error_options(are_tests_[i]),
                                   .notes_dependences = !options_.graph.empty()};
    auto made = slice_of_failure(session_, own_, call, precision_of(options_), options_.minimal);
    if (!made) return Error{made.error().message + budget_.advice()};
    if (made->slice) return std::move(*made->slice);
    for (const std::string& reason : made->reasons) {
      unknown.push_back(calls_.size() > 1 ? fmt::format("{}: {}", text, reason) : reason);
    }
  }
  const std::string where = schedule ? " in the interleaving of the schedule" : "";
  const std::string calls = fmt::format("{}", fmt::join(call_texts_, ", "));
  if (unknown.empty()) return Error{fmt::format("{}: nothing goes wrong{}", calls, where)};
  return Error{fmt::format("{}: it is not known whether anything goes wrong{}: {}{}", calls, where,
                           fmt::join(unknown, "; "), budget_.advice())};
}

int SliceCommand::explain_error() {
  const auto start = std::chrono::steady_clock::now();
  const auto fail = [&](const Error& error) {
    messages_.error(error.message);
    return kCouldNotRun;
  };
  Output out;
  if (auto opened = out.open(options_.output); !opened) return fail(opened.error());
  if (!read_own_modules()) return kCouldNotRun;
  if (auto read = read_calls(); !read) return fail(read.error());
  std::string call;
  const auto made = failure(call);
  if (!made) return fail(made.error());
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  const report::FailureResult result{
      .failure = *made, .sources = session_.sources(), .call = call, .seconds = time.count()};
  if (!options_.why.empty()) {
    const auto text = why(made->slice, made->reasons);
    if (!text) return fail(text.error());
    out.write(*text);
  } else if (options_.format == "json") {
    out.write(report::failure_slice_json(result));
  } else if (options_.format == "diff") {
    out.write(report::slice_diff(made->slice, session_.sources()));
  } else {
    out.write(report::failure_slice_text(result));
  }
  if (auto closed = out.close(); !closed) return fail(closed.error());
  if (auto written = write_beside(report::failure_page(result)); !written) {
    return fail(written.error());
  }
  return kFindings;
}

// ---- Of a value -------------------------------------------------------------

Result<Answer> SliceCommand::of_program() {
  session::ProgramCode code(session_.library(), own_);
  flow::Analysis analysis(code);
  for (const flow::FunctionName& name : exported_entries(code)) analysis.add_entry(name, true);
  analysis.run();
  const auto analysed = std::chrono::steady_clock::now();
  const slice::Model model(analysis, code);
  const std::chrono::duration<double> graph_time = std::chrono::steady_clock::now() - analysed;
  const auto criteria = located_criteria(model);
  if (!criteria) return criteria.error();
  const slice::Precision precision = precision_of(options_);
  auto made = sliced(model, *criteria, precision);
  if (!made) return made.error();
  Answer answer{.slice = std::move(*made), .graph_seconds = graph_time.count()};
  if (wants_reasons()) answer.reasons = slice::reasons_of(*answer.slice.slicer);
  answer.slice.slicer.reset();  // of this model
  if (options_.verify || options_.minimal) {
    auto done = run_slice(answer.slice, precision);
    if (!done) return done.error();
    answer.runs = *done;
  }
  return answer;
}

Result<Answer> SliceCommand::of_execution() {
  auto made = reduce::slice_of_execution(
      session_, own_,
      {.calls = calls_,
       .locate = [&](const slice::Model& model) { return located_criteria(model); },
       .precision = precision_of(options_),
       .notes_dependences = !options_.graph.empty()});
  if (!made) return Error{made.error().message + budget_.advice()};
  return Answer{.slice = std::move(made->slice),
                .reasons = std::move(made->reasons),
                .runs = report::SliceRuns{.calls = calls_.size(),
                                          .values = made->values,
                                          .is_of_execution = made->is_of_execution}};
}

int SliceCommand::run() {
  const auto start = std::chrono::steady_clock::now();
  const auto fail = [&](const Error& error) {
    messages_.error(error.message);
    return kCouldNotRun;
  };
  Output out;
  if (auto opened = out.open(options_.output); !opened) return fail(opened.error());
  if (!read_own_modules()) return kCouldNotRun;
  if (auto read = read_calls(); !read) return fail(read.error());
  const bool is_of_execution = !calls_.empty() && !options_.verify && !options_.minimal;
  if (is_of_execution && (options_.forward || !options_.chop.empty())) {
    return fail(Error{"--forward and --chop are of the program, not of calls"});
  }
  const auto answer = is_of_execution ? of_execution() : of_program();
  if (!answer) return fail(answer.error()), is_different_ ? kFindings : kCouldNotRun;
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  const auto text = formatted({.slice = answer->slice,
                               .sources = session_.sources(),
                               .criteria = question_.texts,
                               .seconds = time.count(),
                               .graph_seconds = answer->graph_seconds,
                               .slice_seconds = answer->slice.seconds,
                               .runs = answer->runs},
                              answer->reasons);
  if (!text) return fail(text.error());
  out.write(*text);
  if (auto closed = out.close(); !closed) return fail(closed.error());
  const std::string_view what = options_.forward ? "What is influenced by" : "What influences";
  if (auto written =
          write_beside({.slice = answer->slice,
                        .reasons = answer->reasons,
                        .sources = session_.sources(),
                        .criteria = question_.texts,
                        .question = fmt::format("{} {}", what, fmt::join(question_.texts, ", "))});
      !written) {
    return fail(written.error());
  }
  return kClean;
}

int run_slice(const SliceOptions& options) {
  auto question = question_of(options);
  if (!question) {
    Messages(options).error(question.error().message);
    return kCouldNotRun;
  }
  SliceCommand command(options, std::move(*question));
  return options.error ? command.explain_error() : command.run();
}

}  // namespace

void add_slice_command(CommandLine& command_line) {
  Command command = command_line.add_command("slice", "Show what of a program influences a value");
  auto options = std::make_shared<SliceOptions>();
  command.begin_group("What is kept");
  command
      .add_option("--precision", options->precision,
                  "Tell apart statements (pdg), expressions (edg), or parts of data too (ce)")
      .one_of({"pdg", "edg", "ce"})
      .with_default();
  command.add_flag("--forward", options->forward,
                   "What the criterion influences, in place of what influences it");
  command
      .add_option("--chop", options->chop,
                  "Only what carries the influence of this expression to the criterion")
      .value_name("FROM");
  command.begin_group("Runs");
  command.add_flag("--error", options->error,
                   "In place of a criterion: what led to the error of the call, in the first "
                   "interleaving that has one");
  command
      .add_option("--replay", options->replay,
                  "The interleaving that `fathom check --record` wrote")
      .value_name("FILE");
  command.add_flag(
      "--verify", options->verify,
      "Run the original and the slice on the calls, and compare the criterion's values");
  command.add_flag("--minimal", options->minimal,
                   "Take away what can go without changing those values: the quasi-minimal slice");
  command
      .add_option("--call", options->calls,
                  "An expression to run; may be given again. Without --verify and --minimal: what "
                  "influences the criterion in these calls")
      .one_value()
      .value_name("EXPR");
  command.add_option("--calls", options->calls_file, "A file of them, one on each line")
      .value_name("FILE");
  command
      .add_option("-t", options->tests,
                  "The same for a function without parameters, such as an EUnit test; of a "
                  "generator, each of its tests")
      .one_value()
      .value_name("MODULE:FUNCTION");
  command.begin_group("What is shown");
  command.add_flag("--show", options->show, "The whole program, with the rest dimmed");
  command.add_option("--why", options->why, "Why this place is in the slice, step by step")
      .value_name("[FILE:]LINE:COLUMN");
  command
      .add_option("--html", options->html,
                  "Write a page with the whole program; a click on a place shows why it is kept")
      .value_name("FILE");
  command.add_option("--graph", options->graph, "Draw the dependences: FILE.dot or FILE.svg")
      .value_name("FILE")
      .check(picture_fault);
  options->add_to(command, {"text", "json", "diff"});
  command.begin_group("Limits");
  command.add_option("--time-limit", options->time_limit, "Seconds; none by default");
  command.add_option("--memory-limit", options->memory_limit, "Megabytes").with_default();
  command
      .add_option("CRITERION", options->arguments,
                  "FILE:LINE:NAME[:OCCURRENCE], a variable, or FILE:LINE:COLUMN, an expression; "
                  "and files, directories, rebar3 projects, if the program is more than that file")
      .required();
  command.when_chosen([options]() -> int { end_command(run_slice(*options)); });
}

}  // namespace fathom
