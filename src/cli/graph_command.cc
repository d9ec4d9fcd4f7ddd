// fathom graph: the concurrent flow graph of a program.
#include <fmt/format.h>

#include <chrono>
#include <deque>
#include <filesystem>
#include <set>

#include "command.h"
#include "command_budget.h"
#include "flow/entries.h"
#include "report/exploration_tree.h"
#include "report/graph_report.h"
#include "session/program_code.h"

namespace fathom {
namespace {

struct GraphOptions : CommonOptions {
  std::vector<std::string> paths;
  std::vector<std::string> entries;
  std::string view = "functions";
  std::string focus;
  uint32_t depth = 1;
  double time_limit = 0;
  uint64_t memory_limit = 4096;
};

class GraphCommand {
 public:
  explicit GraphCommand(const GraphOptions& options)
      : options_(options),
        messages_(options),
        budget_({options.time_limit, options.memory_limit << 20}),
        session_(session_options()) {}

  int run();

 private:
  session::SessionOptions session_options() const {
    session::SessionOptions result = options_.session_options();
    result.paths = options_.paths;
    result.libraries = session::Reading::Whole;
    return result;
  }
  std::vector<Atom> read_own_modules();
  bool add_entries(flow::Analysis& analysis, session::ProgramCode& code);
  bool add_expression(const std::string& text, flow::Analysis& analysis,
                      session::ProgramCode& code);
  Result<std::vector<bool>> shown_functions(const flow::Graph& graph) const;
  Result<std::string> formatted(const report::GraphResult& result) const;

  const GraphOptions& options_;
  Messages messages_;
  CommandBudget budget_;
  session::Session session_;
};

// The modules that can be read; the others are reported.
std::vector<Atom> GraphCommand::read_own_modules() {
  std::vector<Atom> own;
  for (const SourceModule& module : session_.project().modules()) {
    const std::string name = std::filesystem::path(module.path).stem().string();
    const auto found = session_.library().find(Atom::intern(name));
    if (found && *found) {
      own.push_back(Atom::intern(name));
    } else {
      messages_.note(fmt::format("{} cannot be read, and is left out", module.path));
    }
  }
  return own;
}

bool GraphCommand::add_expression(const std::string& text, flow::Analysis& analysis,
                                  session::ProgramCode& code) {
  const bool is_call = text.find('(') != std::string::npos;
  const size_t colon = text.find(':');
  if (!is_call && colon != std::string::npos) {
    const flow::FunctionName name{Atom::intern(text.substr(0, colon)),
                                  Atom::intern(text.substr(colon + 1)), 0};
    if (!code.is_exported(name)) {
      messages_.error(fmt::format("-t {}: there is no exported function {}/0", text, text));
      return false;
    }
  }
  const auto expression = session_.read_expression(is_call ? text : text + "()");
  if (!messages_.print_new(session_) || !expression) return false;
  code.add(expression->module, expression->code);
  return analysis.add_entry({expression->module, expression->function, 0}, false);
}

bool GraphCommand::add_entries(flow::Analysis& analysis, session::ProgramCode& code) {
  for (const std::string& entry : options_.entries) {
    if (!add_expression(entry, analysis, code)) return false;
  }
  if (!options_.entries.empty()) return true;
  for (const flow::FunctionName& name : exported_entries(code)) analysis.add_entry(name, true);
  return true;
}

// The function of --focus, and what is at most so many calls, starts or messages away.
Result<std::vector<bool>> GraphCommand::shown_functions(const flow::Graph& graph) const {
  if (options_.focus.empty()) return std::vector<bool>();
  std::vector<uint32_t> distance(graph.functions.size(), UINT32_MAX);
  std::deque<size_t> todo;
  for (size_t i = 0; i < graph.functions.size(); ++i) {
    if (report::function_text(graph.functions[i].name) != options_.focus) continue;
    distance[i] = 0;
    todo.push_back(i);
  }
  if (todo.empty()) {
    return Error{fmt::format("there is no function {}; --focus takes Module:Function/Arity",
                             options_.focus)};
  }
  std::vector<std::set<size_t>> neighbors(graph.functions.size());
  for (const flow::GraphEdge& edge : graph.edges) {
    const auto from = static_cast<size_t>(graph[edge.from].function);
    const auto to = static_cast<size_t>(graph[edge.to].function);
    neighbors[from].insert(to);
    neighbors[to].insert(from);
  }
  while (!todo.empty()) {
    const size_t at = todo.front();
    todo.pop_front();
    if (distance[at] == options_.depth) continue;
    for (const size_t next : neighbors[at]) {
      if (distance[next] != UINT32_MAX) continue;
      distance[next] = distance[at] + 1;
      todo.push_back(next);
    }
  }
  std::vector<bool> shown(distance.size());
  for (size_t i = 0; i < distance.size(); ++i) shown[i] = distance[i] != UINT32_MAX;
  return shown;
}

Result<std::string> GraphCommand::formatted(const report::GraphResult& result) const {
  if (options_.format == "text") return report::graph_text(result);
  if (options_.format == "json") return report::graph_json(result);
  const auto view = options_.view == "nodes"       ? report::GraphView::Nodes
                    : options_.view == "processes" ? report::GraphView::Processes
                                                   : report::GraphView::Functions;
  std::string dot = report::graph_dot(result, view);
  if (options_.format == "dot") return dot;
  return report::dot_to_svg(dot);
}

int GraphCommand::run() {
  const auto start = std::chrono::steady_clock::now();
  Output out;
  if (auto opened = out.open(options_.output); !opened) {
    messages_.error(opened.error().message);
    return kCouldNotRun;
  }
  session::ProgramCode code(session_.library(), read_own_modules());
  messages_.print_new(session_);
  if (code.own_modules().empty()) {
    messages_.error(
        "there is no module to analyse; name files (.erl, .beam), directories or projects");
    return kCouldNotRun;
  }
  flow::Analysis analysis(code);
  if (!add_entries(analysis, code)) return kCouldNotRun;
  analysis.run();
  const flow::MessageIndex messages(analysis);
  const flow::Graph graph = make_graph(analysis, messages, code);
  const auto processes = process_view(analysis, messages, graph);
  auto shown = shown_functions(graph);
  if (!shown) {
    messages_.error(shown.error().message);
    return kCouldNotRun;
  }
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  const auto text = formatted({.program = session_.library().program(),
                               .sources = session_.sources(),
                               .analysis = analysis,
                               .graph = graph,
                               .processes = processes,
                               .entries = options_.entries,
                               .seconds = time.count(),
                               .is_shown = std::move(*shown)});
  if (!text) {
    messages_.error(text.error().message);
    return kCouldNotRun;
  }
  out.write(*text);
  if (auto closed = out.close(); !closed) {
    messages_.error(closed.error().message);
    return kCouldNotRun;
  }
  return kClean;
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
  command.add_option("--view", options->view, "Of pictures: functions, processes, or nodes")
      .one_of({"functions", "processes", "nodes"})
      .with_default();
  command
      .add_option("--focus", options->focus,
                  "Only this function, and those around it: Module:Function/Arity")
      .value_name("FUNCTION");
  command.add_option("--depth", options->depth, "How far around it").with_default();
  options->add_to(command, {"text", "json", "dot", "svg"});
  command.begin_group("Limits");
  command.add_option("--time-limit", options->time_limit, "Seconds; none by default");
  command.add_option("--memory-limit", options->memory_limit, "Megabytes").with_default();
  command.add_option("PATH", options->paths, "Files (.erl, .beam), directories, rebar3 projects");
  command.when_chosen([options]() -> int { end_command(GraphCommand(*options).run()); });
}

}  // namespace fathom
