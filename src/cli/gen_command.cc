// fathom gen: tests for functions.
#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <filesystem>

#include "command.h"
#include "command_budget.h"
#include "existing_tests.h"
#include "generate/generate.h"
#include "generate/properties.h"
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
  std::string goal;
  std::string given;
  bool paths_wanted = false;
  bool errors = false;
  std::string inputs = "spec";
  std::string strategy = "guided";
  uint64_t seed = 0;
  uint32_t length = 6;
  uint32_t messages = 2;
  uint32_t size = 24;
  uint32_t depth = 400;
  uint64_t calls = 100'000;
  uint64_t patience = 0;
  std::string complete;
  bool property = false;
  double time_limit = 10;
  uint64_t memory_limit = 2048;
};

// An atom as it is written, perhaps in quotes.
Atom written_atom(std::string text) {
  if (text.size() >= 2 && text.front() == '\'' && text.back() == '\'') {
    text = text.substr(1, text.size() - 2);
  }
  return Atom::intern(text);
}

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
  result.module = written_atom(text.substr(0, colon));
  result.function = written_atom(text.substr(colon + 1, slash - colon - 1));
  result.arity = arity;
  return result;
}

constexpr std::pair<const char*, generate::Strategy> kStrategies[] = {
    {"guided", generate::Strategy::Guided},       {"smallest", generate::Strategy::Smallest},
    {"breadth", generate::Strategy::Breadth},     {"depth", generate::Strategy::Depth},
    {"deepening", generate::Strategy::Deepening}, {"random", generate::Strategy::Random}};

generate::Strategy strategy_of(const std::string& name) {
  for (const auto& [text, strategy] : kStrategies) {
    if (name == text) return strategy;
  }
  return generate::Strategy::Guided;
}

void set_bounds(const GenOptions& options, GenerateOptions& to) {
  to.criterion = options.paths_wanted               ? generate::Criterion::Paths
                 : options.criterion == "data_flow" ? generate::Criterion::DataFlow
                 : options.criterion == "both"      ? generate::Criterion::Both
                                                    : generate::Criterion::Branch;
  to.given = options.given;
  to.scope = options.scope == "global" ? generate::Scope::Global : generate::Scope::Module;
  to.errors = options.errors;
  to.inputs = options.inputs == "any"            ? generate::Inputs::Any
              : options.inputs == "outside-spec" ? generate::Inputs::OutsideSpec
                                                 : generate::Inputs::Spec;
  to.strategy = strategy_of(options.strategy);
  to.seed = options.seed;
  to.messages = std::min<uint32_t>(options.messages, 100);
  to.length = static_cast<uint16_t>(std::min<uint32_t>(options.length, 1000));
  to.size = static_cast<int>(std::min<uint32_t>(options.size, 1'000'000));
  to.depth = static_cast<int>(std::min<uint32_t>(options.depth, 1'000'000));
  to.calls = options.calls;
  to.patience = options.patience;
}

// FILE:LINE
Result<void> set_goal(const std::string& text, GenerateOptions& to) {
  if (text.empty()) return {};
  const size_t colon = text.rfind(':');
  uint32_t line = 0;
  const char* const end = text.data() + text.size();
  const char* const digits = text.data() + (colon == std::string::npos ? 0 : colon + 1);
  const auto [rest, error] = std::from_chars(digits, end, line);
  if (colon == std::string::npos || error != std::errc() || rest != end || line == 0) {
    return Error{fmt::format("--goal {}: a goal is written FILE:LINE", text)};
  }
  to.criterion = generate::Criterion::Goal;
  to.goal_file = text.substr(0, colon);
  to.goal_line = line;
  return {};
}

bool is_test_name(std::string_view name) {
  return name.ends_with("_test") || name.ends_with("_test_") || name == "test";
}

// All functions that the modules of the paths export, but for tests.
Result<std::vector<GenerateOptions>> exported_functions(session::Session& session) {
  std::vector<GenerateOptions> result;
  for (const SourceModule& module : session.project().modules()) {
    const auto found =
        session.library().find(Atom::intern(std::filesystem::path(module.path).stem().string()));
    if (!found) return found.error();
    if (!*found || (*found)->core->name().text().ends_with("_tests")) continue;
    for (const core::Function& f : (*found)->core->functions) {
      if (!f.exported || f.is_fun || f.name.text() == "module_info") continue;
      if (f.arity == 0 && is_test_name(f.name.text())) continue;
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
    constexpr size_t kLongest = 40;
    fmt::print(stderr, "\r{}:{}/{}: {} of {} items, {} tests, {} states, trying {}\x1b[K",
               f.module.text(), f.function.text(), f.arity, p.covered, p.items, p.tests, p.states,
               p.trying.substr(0, kLongest));
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

// The tests that an earlier run has written where this one is going to write.
Result<std::vector<EarlierCall>> read_earlier(const GenOptions& options,
                                              session::Session& session) {
  if (options.format != "eunit" || options.output.empty()) return std::vector<EarlierCall>();
  auto text = read_file(options.output);
  if (!text || text->empty()) return std::vector<EarlierCall>();
  if (!text->starts_with(report::kGeneratedHeader)) {
    return Error{options.output +
                 " is there already, and fathom gen has not made it; choose another file, or move "
                 "it away"};
  }
  return earlier_calls(session, options.output, std::move(*text));
}

void set_earlier(const std::vector<EarlierCall>& calls, GenerateOptions& to) {
  for (const EarlierCall& call : calls) {
    if (call.module == to.module && call.function == to.function &&
        call.arguments.size() == to.arity) {
      to.earlier.push_back(call.arguments);
    }
  }
}

// What was asked for: a suite for each function.
class GenRun {
 public:
  GenRun(const GenOptions& options, session::Session& session, CommandBudget& budget)
      : options_(options), session_(session), budget_(budget) {}

  // An error: nothing can be generated.
  Result<report::GeneratedSuites> run(const std::vector<GenerateOptions>& functions) {
    if (!options_.complete.empty()) {
      budget_.begin();
      exercised_ = std::make_shared<const generate::Exercised>(
          run_existing_tests(session_, written_module()));
      budget_.end();
    }
    const auto earlier = read_earlier(options_, session_);
    if (!earlier) return earlier.error();
    ProgressLine progress(options_.quiet);
    report::GeneratedSuites suites;
    for (GenerateOptions one : functions) {
      if (budget_.is_interrupted()) break;
      budget_.begin();
      set_bounds(options_, one);
      set_earlier(*earlier, one);
      one.exercised = exercised_;
      if (auto goal = set_goal(options_.goal, one); !goal) return goal.error();
      auto suite = generate::generate(session_, one, [&](const generate::Progress& p) {
        if (p.is_over) return budget_.end();
        progress.show(one, p);
      });
      if (suite) {
        suites.functions.push_back({one, std::move(*suite)});
      } else {
        suites.errors.push_back(suite.error().message);
      }
    }
    budget_.end();
    progress.clear();
    return suites;
  }
  // The tests that are written now do not count as those that are there.
  std::string written_module() const {
    return options_.format == "eunit" && !options_.output.empty()
               ? std::filesystem::path(options_.output).stem().string()
               : std::string();
  }
  // May be null.
  const generate::Exercised* exercised() const { return exercised_.get(); }

 private:
  const GenOptions& options_;
  session::Session& session_;
  CommandBudget& budget_;
  std::shared_ptr<const generate::Exercised> exercised_;
};

std::string written(const GenOptions& options, const report::GeneratedSuites& suites,
                    const SourceMap& sources) {
  if (options.format == "json") return report::gen_json(suites, sources);
  if (options.format == "eunit") {
    return report::gen_eunit(suites, eunit_module(options, suites), sources);
  }
  return report::gen_text(suites, sources);
}

Result<std::string> property_text(const GenOptions& options, session::Session& session,
                                  const std::vector<GenerateOptions>& functions,
                                  Messages& messages) {
  const std::string name = options.output.empty()
                               ? "prop_" + std::string(functions[0].module.text())
                               : std::filesystem::path(options.output).stem().string();
  auto made = generate::property_module(session, functions, name);
  if (!made) return made.error();
  for (const std::string& function : made->without_spec) {
    messages.note(fmt::format("{} has no spec, so there is no property", function));
  }
  if (made->without_spec.size() == functions.size()) {
    return Error{"--property: none of these functions has a spec"};
  }
  return std::move(made->text);
}

int run(const GenOptions& options) {
  Messages messages(options);
  const auto start = std::chrono::steady_clock::now();
  CommandBudget budget({options.time_limit, options.memory_limit << 20});
  session::SessionOptions session_options = options.session_options();
  session_options.paths = options.paths;
  session_options.mocks = options.mocks;
  if (!options.complete.empty()) {
    session_options.paths.push_back(options.complete);
    session_options.project.tests = true;
  }
  session::Session session(session_options);
  if (!messages.print_new(session)) return kCouldNotRun;
  const auto functions = wanted_functions(options, session);
  const bool has_errors = !messages.print_new(session);
  if (!functions) messages.error(functions.error().message);
  if (has_errors || !functions) return kCouldNotRun;
  GenRun gen(options, session, budget);
  std::string text;
  int code = kClean;
  if (options.property) {
    auto made = property_text(options, session, *functions, messages);
    if (!made) {
      messages.error(made.error().message);
      return kCouldNotRun;
    }
    text = std::move(*made);
  } else {
    auto suites = gen.run(*functions);
    if (!suites) {
      messages.error(suites.error().message);
      return kCouldNotRun;
    }
    messages.print_new(session);
    suites->seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (gen.exercised() && gen.exercised()->tests == 0) {
      messages.note("--complete " + options.complete + ": no tests were found there");
    }
    suites->existing_tests = gen.exercised() ? gen.exercised()->tests : 0;
    suites->existing_failed = gen.exercised() ? gen.exercised()->failed : 0;
    for (const std::string& error : suites->errors) messages.error(error);
    text = written(options, *suites, session.sources());
    code = suites->functions.empty()               ? kCouldNotRun
           : report::gen_verdict(*suites) == "bug" ? kFindings
                                                   : kClean;
  }
  Output out;
  auto done = out.open(options.output);
  if (done) {
    out.write(text);
    done = out.close();
  }
  if (!done) {
    messages.error(done.error().message);
    return kCouldNotRun;
  }
  end_command(code);
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
  command
      .add_option("--goal", options->goal,
                  "A call that comes to this line, and nothing else; or that there is none")
      .value_name("FILE:LINE");
  command.add_flag("--paths", options->paths_wanted,
                   "A test for every path within the bounds, and not only for every clause");
  command.add_flag("--errors", options->errors,
                   "Inputs that raise, too: one for each place and kind of exception. Those found "
                   "are findings (exit code 2)");
  command
      .add_option("--inputs", options->inputs,
                  "What arguments may be: what the spec says, any term, or what the spec does not "
                  "allow")
      .one_of({"spec", "any", "outside-spec"});
  command
      .add_option("--given", options->given,
                  "Only arguments of which this fun is true count: 'fun(X, L) -> X > 0 end'")
      .value_name("FUN");
  command
      .add_option("--mock", options->mocks,
                  "A module (.erl, .beam) whose functions replace those of the module of the same "
                  "name. May be repeated")
      .value_name("FILE")
      .one_value();
  command
      .add_option("--complete", options->complete,
                  "Run the EUnit tests of this project first, and generate only what they leave "
                  "uncovered")
      .value_name("DIR");
  command.add_flag("--property", options->property,
                   "No tests, but a PropEr module: generators of arguments as the specs have them, "
                   "and for each function the property that it takes them without an exception");
  command.begin_group("Search");
  command
      .add_option("--strategy", options->strategy,
                  "Which path is next: small inputs and what is near to uncovered clauses, in turn "
                  "with large inputs at random; the former alone; breadth first; depth first, "
                  "without a bound or with one that grows; at random")
      .one_of({"guided", "smallest", "breadth", "depth", "deepening", "random"});
  command.add_option("--seed", options->seed, "For --strategy guided and random");
  command.add_option("--length", options->length, "Elements that a list of the input may have")
      .with_default();
  command
      .add_option("--messages", options->messages,
                  "Messages that may be there when the function is called, if it receives any")
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
