// fathom slice: what influences the value of an expression.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <sstream>

#include "command.h"
#include "command_budget.h"
#include "flow/entries.h"
#include "reduce/aligned.h"
#include "reduce/failure.h"
#include "reduce/minimal.h"
#include "report/slice_report.h"
#include "schedule_file.h"
#include "session/program_code.h"
#include "slice/forward.h"
#include "slice/slice.h"
#include "whole_program.h"

namespace fathom {
namespace {

struct SliceOptions : CommonOptions {
  std::vector<std::string> arguments;
  std::string precision = "ce";
  std::string why;
  std::string chop;
  bool forward = false;
  bool show = false;
  bool error = false;
  std::string replay;
  bool verify = false;
  bool minimal = false;
  std::vector<std::string> calls;
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
  bool read_own_modules();
  Result<slice::Located> located(const slice::Model& model, const slice::Criterion& criterion);
  Result<slice::Slice> sliced(const slice::Model& model,
                              const std::vector<slice::Located>& criteria,
                              slice::Precision precision);
  Result<std::string> formatted(const report::SliceResult& result);
  Result<std::string> reasons(const report::SliceResult& result);
  Result<std::vector<session::Expression>> calls();
  Result<report::SliceRuns> run_slice(slice::Slice& made, slice::Precision precision);
  Result<void> minimise(slice::Slice& made, slice::Precision precision, reduce::ValueOracle& oracle,
                        report::SliceRuns& runs);

  const SliceOptions& options_;
  const Question question_;
  Messages messages_;
  CommandBudget budget_;
  session::Session session_;
  std::vector<Atom> own_;
  std::vector<std::string> call_texts_;
  bool is_different_ = false;  // a run of the slice shows other values
};

bool SliceCommand::read_own_modules() {
  own_ = own_modules(session_).names;
  return messages_.print_new(session_);
}

Result<slice::Located> SliceCommand::located(const slice::Model& model,
                                             const slice::Criterion& criterion) {
  const std::filesystem::path wanted(criterion.file);
  for (const core::Module* module : model.modules()) {
    const std::filesystem::path path(module->unit().path);
    std::error_code error;
    const bool is_same = path == wanted || std::filesystem::equivalent(path, wanted, error) ||
                         path.filename() == wanted;
    if (is_same) return slice::locate(model, *module, criterion);
  }
  if (!std::filesystem::exists(wanted)) {
    return Error{fmt::format("{}: there is no such file", criterion.file)};
  }
  return Error{fmt::format("{}: no exported function leads into this module", criterion.file)};
}

// --why LINE:COLUMN, in the file of the first criterion.
Result<std::string> SliceCommand::reasons(const report::SliceResult& result) {
  auto place = slice::parse_criterion(question_.criteria[0].file + ":" + options_.why);
  if (!place || place->column == 0) return Error{"--why takes LINE:COLUMN"};
  const slice::Model& model = result.slice.slicer->model();
  const auto where = located(model, *place);
  if (!where) return where.error();
  const slice::Scopes scopes(model, *where->module);
  for (core::AstId at = where->node; exists(at); at = scopes.parent(at)) {
    const auto function = scopes.function_of(at);
    if (!function) break;
    const slice::ProcedureId p = model.find(*where->module, *function);
    std::vector<slice::Link> chain;
    scopes.for_each_node(*function, at, [&](core::NodeId n) {
      if (chain.empty()) chain = result.slice.slicer->why(p, n);
    });
    if (!chain.empty()) return report::slice_reasons(result, chain);
  }
  return fmt::format("{}:{} is not in the slice\n", question_.criteria[0].file, options_.why);
}

Result<std::string> SliceCommand::formatted(const report::SliceResult& result) {
  if (!options_.why.empty()) return reasons(result);
  if (options_.format == "json") return report::slice_json(result);
  if (options_.show || options_.forward || !options_.chop.empty()) {
    const bool has_color = options_.color == "always" ||
                           (options_.color == "auto" && options_.output.empty() && isatty(1) != 0);
    return report::slice_shown(result, has_color);
  }
  return report::slice_text(result);
}

Result<slice::Slice> SliceCommand::sliced(const slice::Model& model,
                                          const std::vector<slice::Located>& criteria,
                                          slice::Precision precision) {
  if (!options_.forward && options_.chop.empty()) return slice_of(model, criteria, precision);
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

// --call and --calls: one on each line, but for comments.
Result<std::vector<session::Expression>> SliceCommand::calls() {
  call_texts_ = options_.calls;
  if (!options_.calls_file.empty()) {
    const auto text = read_file(options_.calls_file);
    if (!text) return text.error();
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
      const size_t first = line.find_first_not_of(" \t\r");
      if (first != std::string::npos && line[first] != '%') call_texts_.push_back(line);
    }
  }
  if (call_texts_.empty()) {
    return Error{"a slice is run on calls: give some with --call EXPR or --calls FILE"};
  }
  std::vector<session::Expression> result;
  for (const std::string& text : call_texts_) {
    auto expression = session_.read_expression(text);
    if (!messages_.print_new(session_) || !expression) {
      return Error{fmt::format("--call {}: this is not an expression", text)};
    }
    result.push_back(std::move(*expression));
  }
  return result;
}

Result<void> SliceCommand::minimise(slice::Slice& made, slice::Precision precision,
                                    reduce::ValueOracle& oracle, report::SliceRuns& runs) {
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
  auto expressions = calls();
  if (!expressions) return expressions.error();
  const auto read = [&](const reduce::TextSlice& texts) -> Result<reduce::Modules> {
    auto shown = reduce::showing(session_, texts);
    if (!shown) return shown.error();
    auto modules = reduce::read_modules(session_, *shown);
    if (!modules) return Error{"the slice does not compile; this is an error of fathom's"};
    return *modules;
  };
  const auto original = read(reduce::originals(made));
  if (!original) return original.error();
  reduce::ValueOracle oracle({session_, std::move(*expressions), made.criteria.size()}, *original);
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

int SliceCommand::explain_error() {
  const auto start = std::chrono::steady_clock::now();
  const auto fail = [&](const std::string& message) {
    messages_.error(message);
    return kCouldNotRun;
  };
  Output out;
  if (auto opened = out.open(options_.output); !opened) return fail(opened.error().message);
  if (!read_own_modules()) return kCouldNotRun;
  auto expressions = calls();
  if (!expressions) return fail(expressions.error().message);
  if (expressions->size() > 1) return fail("--error is of one call: give one with --call EXPR");
  reduce::FailingCall call{.expression = std::move(expressions->front()), .text = call_texts_[0]};
  if (!options_.replay.empty()) {
    auto schedule = read_schedule(options_.replay);
    if (!schedule) return fail(schedule.error().message);
    call.schedule = std::move(*schedule);
  }
  const auto made =
      slice_of_failure(session_, own_, call, precision_of(options_), options_.minimal);
  if (!made) return fail(made.error().message);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  const report::FailureResult result{
      .failure = *made, .sources = session_.sources(), .call = call.text, .seconds = time.count()};
  out.write(options_.format == "json" ? report::failure_slice_json(result)
                                      : report::failure_slice_text(result));
  if (auto closed = out.close(); !closed) return fail(closed.error().message);
  return kFindings;
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
  session::ProgramCode code(session_.library(), own_);
  flow::Analysis analysis(code);
  for (const flow::FunctionName& name : exported_entries(code)) analysis.add_entry(name, true);
  analysis.run();
  const auto analysed = std::chrono::steady_clock::now();
  const slice::Model model(analysis, code);
  const std::chrono::duration<double> graph_time = std::chrono::steady_clock::now() - analysed;
  std::vector<slice::Located> criteria;
  for (const slice::Criterion& c : question_.criteria) {
    auto where = located(model, c);
    if (!where) return fail(where.error());
    criteria.push_back(*where);
  }
  const slice::Precision precision = precision_of(options_);
  auto made = sliced(model, criteria, precision);
  if (!made) return fail(made.error());
  std::optional<report::SliceRuns> runs;
  if (options_.verify || options_.minimal || !options_.calls.empty() ||
      !options_.calls_file.empty()) {
    auto done = run_slice(*made, precision);
    if (!done) return fail(done.error()), is_different_ ? kFindings : kCouldNotRun;
    runs = *done;
  }
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  const auto text = formatted({.slice = *made,
                               .sources = session_.sources(),
                               .criteria = question_.texts,
                               .seconds = time.count(),
                               .graph_seconds = graph_time.count(),
                               .slice_seconds = made->seconds,
                               .runs = runs});
  if (!text) return fail(text.error());
  out.write(*text);
  if (auto closed = out.close(); !closed) return fail(closed.error());
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
  command.add_option("--call", options->calls, "An expression to run; may be given again")
      .one_value()
      .value_name("EXPR");
  command.add_option("--calls", options->calls_file, "A file of them, one on each line")
      .value_name("FILE");
  command.begin_group("What is shown");
  command.add_flag("--show", options->show, "The whole program, with the rest dimmed");
  command.add_option("--why", options->why, "Why this place is in the slice, step by step")
      .value_name("LINE:COLUMN");
  options->add_to(command, {"text", "json"});
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
