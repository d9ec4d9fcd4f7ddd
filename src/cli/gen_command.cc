// fathom gen: tests for functions.
#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <filesystem>

#include "command.h"
#include "command_budget.h"
#include "generate/generate.h"
#include "report/gen_report.h"

namespace fathom {
namespace {

using generate::GenerateOptions;

struct GenOptions : CommonOptions {
  std::vector<std::string> paths;
  std::vector<std::string> mocks;
  std::vector<std::string> functions;
  std::string criterion = "both";
  std::string scope = "module";
  bool paths_wanted = false;
  bool errors = false;
  std::string inputs = "spec";
  std::string strategy = "guided";
  uint64_t seed = 0;
  uint32_t length = 6;
  uint32_t size = 24;
  uint32_t depth = 400;
  uint64_t calls = 100'000;
  uint64_t patience = 0;
  double time_limit = 10;
  uint64_t memory_limit = 2048;
};

// m:f/2
std::optional<GenerateOptions> parse_function(const std::string& text) {
  const size_t colon = text.find(':');
  const size_t slash = text.rfind('/');
  if (colon == std::string::npos || slash == std::string::npos || slash < colon) return {};
  uint32_t arity = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + slash + 1, end, arity);
  if (error != std::errc() || rest != end || arity > 255) return {};
  if (colon == 0 || slash == colon + 1) return {};
  GenerateOptions result;
  result.module = Atom::intern(text.substr(0, colon));
  result.function = Atom::intern(text.substr(colon + 1, slash - colon - 1));
  result.arity = arity;
  return result;
}

void set_bounds(const GenOptions& options, GenerateOptions& to) {
  to.criterion = options.paths_wanted               ? generate::Criterion::Paths
                 : options.criterion == "data_flow" ? generate::Criterion::DataFlow
                 : options.criterion == "both"      ? generate::Criterion::Both
                                                    : generate::Criterion::Branch;
  to.scope = options.scope == "global" ? generate::Scope::Global : generate::Scope::Module;
  to.errors = options.errors;
  to.inputs = options.inputs == "any" ? generate::Inputs::Any : generate::Inputs::Spec;
  to.strategy = options.strategy == "breadth"  ? generate::Strategy::Breadth
                : options.strategy == "depth"  ? generate::Strategy::Depth
                : options.strategy == "random" ? generate::Strategy::Random
                                               : generate::Strategy::Guided;
  to.seed = options.seed;
  to.length = static_cast<uint16_t>(std::min<uint32_t>(options.length, 1000));
  to.size = static_cast<int>(std::min<uint32_t>(options.size, 1'000'000));
  to.depth = static_cast<int>(std::min<uint32_t>(options.depth, 1'000'000));
  to.calls = options.calls;
  to.patience = options.patience;
}

// All functions that the modules of the paths export.
Result<std::vector<GenerateOptions>> exported_functions(session::Session& session) {
  std::vector<GenerateOptions> result;
  for (const SourceModule& module : session.project().modules()) {
    const auto found =
        session.library().find(Atom::intern(std::filesystem::path(module.path).stem().string()));
    if (!found) return found.error();
    if (!*found) continue;
    for (const core::Function& f : (*found)->core->functions) {
      if (!f.exported || f.is_fun || f.name.text() == "module_info") continue;
      GenerateOptions one;
      one.module = (*found)->core->name();
      one.function = f.name;
      one.arity = f.arity;
      result.push_back(one);
    }
  }
  return result;
}

Result<std::vector<GenerateOptions>> wanted_functions(const GenOptions& options,
                                                      session::Session& session) {
  std::vector<GenerateOptions> result;
  for (const std::string& text : options.functions) {
    const auto parsed = parse_function(text);
    if (!parsed) return Error{fmt::format("-f {}: a function is written MODULE:NAME/ARITY", text)};
    result.push_back(*parsed);
  }
  if (!result.empty()) return result;
  auto exported = exported_functions(session);
  if (exported && exported->empty()) return Error{"the modules export no functions"};
  return exported;
}

// One line on a terminal, written over and over.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet) : is_on_(!quiet && isatty(STDERR_FILENO) != 0) {}
  void show(const GenerateOptions& f, const generate::Progress& p) {
    if (!is_on_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(200)) return;
    last_ = now;
    fmt::print(stderr, "\r{}:{}/{}: {} of {} items, {} tests, {} states\x1b[K", f.module.text(),
               f.function.text(), f.arity, p.covered, p.items, p.tests, p.states);
    is_shown_ = true;
  }
  void clear() {
    if (is_shown_) fmt::print(stderr, "\r\x1b[K");
  }

 private:
  bool is_on_;
  bool is_shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

std::string eunit_module(const GenOptions& options, const report::GeneratedSuites& suites) {
  if (!options.output.empty()) return std::filesystem::path(options.output).stem().string();
  if (suites.functions.empty()) return "gen_tests";
  return std::string(suites.functions[0].options.module.text()) + "_gen_tests";
}

int run(const GenOptions& options) {
  Messages messages(options);
  const auto start = std::chrono::steady_clock::now();
  CommandBudget budget({options.time_limit, options.memory_limit << 20});
  session::SessionOptions session_options = options.session_options();
  session_options.paths = options.paths;
  session_options.mocks = options.mocks;
  session::Session session(session_options);
  if (!messages.print_new(session)) return kCouldNotRun;
  const auto functions = wanted_functions(options, session);
  const bool has_errors = !messages.print_new(session);
  if (!functions) messages.error(functions.error().message);
  if (has_errors || !functions) return kCouldNotRun;
  Output out;
  if (auto opened = out.open(options.output); !opened) {
    messages.error(opened.error().message);
    return kCouldNotRun;
  }
  report::GeneratedSuites suites;
  ProgressLine progress(options.quiet);
  for (GenerateOptions one : *functions) {
    if (budget.is_interrupted()) break;
    budget.begin();
    set_bounds(options, one);
    auto suite = generate::generate(session, one, [&](const generate::Progress& p) {
      if (p.is_limit_reached) return budget.end();
      progress.show(one, p);
    });
    if (suite) {
      suites.functions.push_back({one, std::move(*suite)});
    } else {
      suites.errors.push_back(suite.error().message);
    }
  }
  budget.end();
  progress.clear();
  messages.print_new(session);
  suites.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (const std::string& error : suites.errors) messages.error(error);
  if (options.format == "json") {
    out.write(report::gen_json(suites, session.sources()));
  } else if (options.format == "eunit") {
    out.write(report::gen_eunit(suites, eunit_module(options, suites), session.sources()));
  } else {
    out.write(report::gen_text(suites, session.sources()));
  }
  if (auto closed = out.close(); !closed) {
    messages.error(closed.error().message);
    return kCouldNotRun;
  }
  if (suites.functions.empty()) end_command(kCouldNotRun);
  end_command(report::gen_verdict(suites) == "bug" ? kFindings : kClean);
}

}  // namespace

void add_gen_command(CommandLine& command_line) {
  Command command = command_line.add_command("gen", "Generate tests for functions");
  auto options = std::make_shared<GenOptions>();
  command.begin_group("What");
  command
      .add_option("-f,--function", options->functions,
                  "The function; without it all that the modules of the paths export. May be "
                  "repeated")
      .value_name("MODULE:NAME/ARITY")
      .one_value();
  command
      .add_option(
          "--criterion", options->criterion,
          "What the tests are to cover: every clause, every flow of data from where a value "
          "is built to where it is matched or applied, or both")
      .one_of({"branch", "data_flow", "both"});
  command
      .add_option("--scope", options->scope,
                  "What counts of that: the module of the function, or the whole project")
      .one_of({"module", "global"});
  command.add_flag("--paths", options->paths_wanted,
                   "A test for every path within the bounds, and not only for every clause");
  command.add_flag("--errors", options->errors,
                   "Inputs that raise, too: one for each place and kind of exception. Those found "
                   "are findings (exit code 2)");
  command
      .add_option("--inputs", options->inputs,
                  "What arguments may be: what the spec says, or any term")
      .one_of({"spec", "any"});
  command
      .add_option("--mock", options->mocks,
                  "A module (.erl, .beam) whose functions replace those of the module of the same "
                  "name. May be repeated")
      .value_name("FILE")
      .one_value();
  command.begin_group("Search");
  command
      .add_option("--strategy", options->strategy,
                  "Which path is next: small inputs and new clauses first, or")
      .one_of({"guided", "breadth", "depth", "random"});
  command.add_option("--seed", options->seed, "For --strategy random");
  command.add_option("--length", options->length, "Elements that a list of the input may have")
      .with_default();
  command.add_option("--size", options->size, "Parts that the input may have").with_default();
  command.add_option("--depth", options->depth, "Choices on a path").with_default();
  command.add_option("--calls", options->calls, "Calls on a path").with_default();
  command.add_option("--patience", options->patience,
                     "Stop after so many paths without anything new; 0: never");
  command.begin_group("Limits");
  command.add_option("--time-limit", options->time_limit, "Seconds for each function")
      .with_default();
  command.add_option("--memory-limit", options->memory_limit, "Megabytes").with_default();
  options->add_to(command, {"text", "json", "eunit"});
  command.add_option("PATH", options->paths, "Files (.erl, .beam), directories, rebar3 projects")
      .required();
  command.when_chosen([options] { return run(*options); });
}

}  // namespace fathom
