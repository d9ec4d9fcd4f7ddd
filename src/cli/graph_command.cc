// fathom graph: the concurrent flow graph of a program.
#include <fmt/format.h>

#include <chrono>

#include "command.h"
#include "command_budget.h"
#include "flow/entries.h"
#include "graph_selection.h"
#include "report/exploration_tree.h"
#include "report/graph_report.h"
#include "session/program_code.h"
#include "whole_program.h"

namespace fathom {
namespace {

struct GraphOptions : CommonOptions {
  std::vector<std::string> paths;
  std::vector<std::string> entries;
  std::string view = "functions";
  std::string focus;
  uint32_t depth = 1;
  bool findings = false;
  std::vector<std::string> why;  // from, to
  double time_limit = 0;
  uint64_t memory_limit = 4096;
};

class GraphCommand {
 public:
  explicit GraphCommand(const GraphOptions& options)
      : options_(options),
        messages_(options),
        budget_({options.time_limit, options.memory_limit << 20}),
        session_(whole_program(options, options.paths)) {}

  int run();

 private:
  std::vector<Atom> read_own_modules();
  bool add_entries();
  bool add_expression(const std::string& text);
  Result<std::string> formatted(const report::GraphResult& result) const;
  Result<std::string> explained(const report::GraphResult& result) const;
  Result<std::string> shown();
  Result<void> check_options() const;
  int fail(const std::string& message);

  const GraphOptions& options_;
  Messages messages_;
  CommandBudget budget_;
  session::Session session_;
  std::string missing_;  // what could not be read
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  // What is found. The command ends before any of it would be freed, which takes as long as a tenth
  // of the analysis.
  std::optional<session::ProgramCode> code_;
  std::optional<flow::Analysis> analysis_;
  std::optional<flow::MessageIndex> message_index_;
  std::optional<flow::Graph> graph_;
  std::vector<flow::ProcessInView> processes_;
  flow::Findings findings_;
  std::optional<flow::ValueSteps> steps_;
  std::optional<flow::DefUse> def_use_;
  std::optional<flow::BuiltUses> data_flows_;
};

// The modules that can be read; the others are reported.
std::vector<Atom> GraphCommand::read_own_modules() {
  OwnModules own = own_modules(session_);
  for (const std::string& path : own.missing) {
    missing_ = fmt::format("{} cannot be read", path);
    messages_.note(missing_ + ", and is left out");
  }
  return own.names;
}

bool GraphCommand::add_expression(const std::string& text) {
  const bool is_call = text.find('(') != std::string::npos;
  const size_t colon = text.find(':');
  if (!is_call && text.find('/') != std::string::npos && text.find('\'') == std::string::npos) {
    messages_.error(fmt::format("-t {}: this should be MODULE:FUNCTION, without an arity", text));
    return false;
  }
  if (!is_call && colon != std::string::npos) {
    const flow::FunctionName name{Atom::intern(text.substr(0, colon)),
                                  Atom::intern(text.substr(colon + 1)), 0};
    if (!code_->is_exported(name)) {
      messages_.error(fmt::format("-t {}: there is no exported function {}/0", text, text));
      return false;
    }
  }
  const auto expression = session_.read_expression(is_call ? text : text + "()");
  if (!messages_.print_new(session_) || !expression) return false;
  code_->add(expression->module, expression->code);
  return analysis_->add_entry({expression->module, expression->function, 0}, false);
}

bool GraphCommand::add_entries() {
  for (const std::string& entry : options_.entries) {
    if (!add_expression(entry)) return false;
  }
  if (!options_.entries.empty()) return true;
  for (const flow::FunctionName& name : exported_entries(*code_)) analysis_->add_entry(name, true);
  return true;
}

Result<std::string> GraphCommand::formatted(const report::GraphResult& result) const {
  if (options_.format == "sarif") return report::findings_sarif(result, FATHOM_VERSION);
  if (options_.format == "text") {
    return result.findings ? report::findings_text(result, false) : report::graph_text(result);
  }
  if (options_.format == "json") return report::graph_json(result);
  const auto view = options_.view == "nodes"       ? report::GraphView::Nodes
                    : options_.view == "processes" ? report::GraphView::Processes
                                                   : report::GraphView::Functions;
  std::string dot = report::graph_dot(result, view);
  if (options_.format == "dot") return dot;
  return report::dot_to_svg(dot);
}

int GraphCommand::fail(const std::string& message) {
  messages_.error(message);
  return kCouldNotRun;
}

Result<std::string> GraphCommand::explained(const report::GraphResult& result) const {
  constexpr size_t kMostEdges = 5;
  const auto from = select_nodes(result, options_.why[0]);
  if (!from) return from.error();
  const auto to = select_nodes(result, options_.why[1]);
  if (!to) return to.error();
  const flow::ValueSteps steps(result.analysis, result.graph);
  const auto all = explain_edges(result.analysis, result.graph, steps, *from, *to, kMostEdges);
  if (all.empty()) {
    return fmt::format("no call, start, message or exception goes from {} to {}\n", options_.why[0],
                       options_.why[1]);
  }
  return report::why_text(result, all);
}

// What was analysed, in the format that is asked for.
Result<std::string> GraphCommand::shown() {
  message_index_.emplace(*analysis_);
  graph_ = make_graph(*analysis_, *message_index_, *code_);
  processes_ = process_view(*analysis_, *message_index_, *graph_);
  auto is_shown = select_functions(*graph_, options_.focus, options_.depth);
  if (!is_shown) return is_shown.error();
  report::GraphResult result{.program = session_.library().program(),
                             .sources = session_.sources(),
                             .analysis = *analysis_,
                             .graph = *graph_,
                             .processes = processes_,
                             .entries = options_.entries,
                             .is_shown = std::move(*is_shown),
                             .focus = function_named(*graph_, options_.focus)};
  if (!options_.why.empty()) return explained(result);
  if (options_.findings || options_.format == "sarif") {
    findings_ = flow::find_faults({.analysis = *analysis_,
                                   .graph = *graph_,
                                   .processes = processes_,
                                   .code = *code_,
                                   .is_open = options_.entries.empty(),
                                   .missing = missing_});
    result.findings = &findings_;
  }
  // Of a large program a summary of them would take longer than all the rest.
  constexpr size_t kMostForSummary = 3000;
  const bool has_summary = options_.format == "text" && !options_.findings &&
                           analysis_->facts().instances.size() <= kMostForSummary;
  if (options_.format == "json" || has_summary) {
    steps_.emplace(*analysis_, *graph_);
    def_use_.emplace(*analysis_, *graph_, *steps_);
    result.def_use = &*def_use_;
  }
  if (options_.format == "json") {
    data_flows_ = flow::built_uses(
        *analysis_, [this](const core::Module& m) { return code_->is_own(m.name()); });
    result.data_flows = &*data_flows_;
  }
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start_;
  result.seconds = time.count();
  return formatted(result);
}

// Options that do not go together.
Result<void> GraphCommand::check_options() const {
  const bool is_picture = options_.format == "dot" || options_.format == "svg";
  if (options_.findings && is_picture) {
    return Error{"findings cannot be drawn: --findings takes --format text, json or sarif"};
  }
  if (!options_.why.empty() && options_.format != "text") return Error{"--why is text only"};
  return {};
}

int GraphCommand::run() {
  if (auto checked = check_options(); !checked) return fail(checked.error().message);
  Output out;
  if (auto opened = out.open(options_.output); !opened) return fail(opened.error().message);
  code_.emplace(session_.library(), read_own_modules());
  messages_.print_new(session_);
  if (code_->own_modules().empty()) {
    return fail("there is no module to analyse; name files (.erl, .beam), directories or projects");
  }
  // JSON has the flows of data, also of constants.
  analysis_.emplace(*code_, flow::AnalysisOptions{.knows_origins = options_.format == "json"});
  if (!add_entries()) return kCouldNotRun;
  analysis_->run();
  const auto text = shown();
  if (!text) return fail(text.error().message);
  out.write(*text);
  if (auto closed = out.close(); !closed) return fail(closed.error().message);
  return findings_.count > 0 ? kFindings : kClean;
}

}  // namespace

void add_graph_command(CommandLine& command_line) {
  Command command = command_line.add_command(
      "graph", "Show the concurrent flow graph: calls, processes, messages");
  auto options = std::make_shared<GraphOptions>();
  command.begin_group("What is analysed");
  command
      .add_option("-t,--test", options->entries,
                  "Start from this function or call, and nothing else: m:f or 'm:f(1)'. By default "
                  "every exported function may be called from outside. May be repeated")
      .value_name("CALL")
      .one_value();
  command.begin_group("What is shown");
  command.add_flag("--findings", options->findings,
                   "What is wrong: messages that nobody takes, calls in a circle, code that "
                   "nothing reaches, functions and names that do not exist");
  command
      .add_option("--why", options->why,
                  "Why there is a call, start, message or exception from one to the other: "
                  "Module:Function/Arity, FILE:LINE or FILE:LINE:COLUMN")
      .value_name("FROM TO")
      .values(2);
  command.add_option("--view", options->view, "Of pictures: functions, processes, or nodes")
      .one_of({"functions", "processes", "nodes"})
      .with_default();
  command
      .add_option("--focus", options->focus,
                  "Only this function, and those around it: Module:Function/Arity")
      .value_name("FUNCTION");
  command.add_option("--depth", options->depth, "How far around it").with_default();
  options->add_to(command, {"text", "json", "dot", "svg", "sarif"});
  command.begin_group("Limits");
  command.add_option("--time-limit", options->time_limit, "Seconds; none by default");
  command.add_option("--memory-limit", options->memory_limit, "Megabytes").with_default();
  command.add_option("PATH", options->paths, "Files (.erl, .beam), directories, rebar3 projects");
  command.when_chosen([options]() -> int { end_command(GraphCommand(*options).run()); });
}

}  // namespace fathom
