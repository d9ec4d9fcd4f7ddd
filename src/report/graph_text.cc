#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "report/graph_report.h"
#include "report/places.h"
#include "report/text.h"

namespace fathom::report {

using core::GlobalNodeId;
using flow::GraphEdge;
using flow::GraphEdgeKind;
using flow::ProcessInView;

namespace {

constexpr size_t kExcerpt = 60;

std::string plural(size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

// The author's processes first, those of callers only if they have to do with messages.
bool is_of_interest(const std::vector<ProcessInView>& all, size_t index) {
  const ProcessInView& p = all[index];
  if (!p.is_root || !p.messages.empty()) return true;
  return std::ranges::any_of(all, [&](const ProcessInView& other) {
    return std::ranges::any_of(other.messages, [&](const auto& m) { return m.to == index; });
  });
}

void write_processes(const GraphResult& r, std::string& out) {
  bool is_any = false;
  for (size_t i = 0; i < r.processes.size(); ++i) is_any = is_any || is_of_interest(r.processes, i);
  if (is_any) out += "\nProcesses\n";
  for (size_t i = 0; i < r.processes.size(); ++i) {
    const ProcessInView& p = r.processes[i];
    if (!is_of_interest(r.processes, i)) continue;
    out += fmt::format("  {}\n", process_text(r, i));
    if (!p.is_root) {
      out += fmt::format("    started at {}  {}\n", node_place(r, p.start),
                         node_text(r, p.start, kExcerpt));
    } else if (r.entries.empty()) {
      out += fmt::format("    enters at {}\n", node_place(r, p.start));
    }
    std::map<std::pair<bool, std::string>, std::set<std::string>> sent;  // by receiver
    for (const flow::ProcessMessage& m : p.messages) {
      sent[{m.is_possible, process_text(r, m.to)}].insert(fmt::format(
          "{}{}  {}{}", m.is_answer ? "answers " : "", node_place(r, m.node),
          node_text(r, m.node, kExcerpt), m.is_taken ? "" : "  (no receive there takes it)"));
    }
    for (const auto& [receiver, texts] : sent) {
      out += fmt::format("    {} to {}\n", receiver.first ? "may send" : "sends", receiver.second);
      for (const std::string& text : texts) out += fmt::format("      {}\n", text);
    }
  }
}

void write_edges(const GraphResult& r, GraphEdgeKind kind, std::string_view title,
                 std::string& out) {
  std::set<std::string> lines;
  for (const GraphEdge& edge : r.graph.edges) {
    if (edge.kind != kind || !r.shows(r.graph[edge.from].function)) continue;
    std::string target = function_text(r, r.graph[edge.to].function);
    if (kind == GraphEdgeKind::Message) {
      if (!r.shows(r.graph[edge.to].function)) continue;
      target += fmt::format(" clause {}  {}", *edge.clause, node_place(r, r.graph[edge.to].core));
    }
    lines.insert(fmt::format("  {}  {}  →  {}\n", node_place(r, r.graph[edge.from].core),
                             node_text(r, r.graph[edge.from].core, kExcerpt), target));
  }
  if (lines.empty()) return;
  out += fmt::format("\n{}\n", title);
  for (const std::string& line : lines) out += line;
}

void write_unreached(const GraphResult& r, std::string& out) {
  std::string lines;
  for (const flow::GraphFunction& f : r.graph.functions) {
    if (!f.is_own || f.is_reached) continue;
    lines +=
        fmt::format("  {}  {}\n", node_place(r, r.graph[f.import].core), function_text(f.name));
  }
  if (!lines.empty()) out += "\nFunctions that nothing reaches\n" + lines;
}

void write_unknowns(const GraphResult& r, std::string& out) {
  std::set<std::string> lines;
  size_t others = 0;
  for (const flow::UnknownFact& u : r.analysis.facts().unknowns) {
    const auto local = r.program.local(u.node);
    const bool is_own = std::ranges::any_of(r.graph.functions, [&](const flow::GraphFunction& f) {
      return f.is_own && f.code.module == local.module;
    });
    if (is_own) {
      lines.insert(fmt::format("  {}  {}: {}\n", node_place(r, u.node),
                               node_text(r, u.node, kExcerpt), u.what));
    } else {
      ++others;
    }
  }
  if (lines.empty() && others == 0) return;
  out += "\nUnknown\n";
  for (const std::string& line : lines) out += line;
  if (others > 0) out += fmt::format("  {} in libraries\n", plural(others, "place", "places"));
}

}  // namespace

std::string function_text(const flow::FunctionName& name) {
  return fmt::format("{}:{}/{}", name.module.text(), name.name.text(), name.arity);
}

std::string function_text(const GraphResult& r, flow::GraphFunctionId id) {
  const flow::GraphFunction& f = r.graph[id];
  if (!(*f.code.module)[f.code.function].is_fun || !f.is_own) return function_text(f.name);
  return fmt::format("the fun at {}", node_place(r, r.graph[f.import].core));
}

std::string node_place(const GraphResult& r, GlobalNodeId node) {
  return place_text(r.program.place_of(node), r.sources);
}

std::string node_text(const GraphResult& r, GlobalNodeId node, size_t width) {
  const Place place = r.program.place_of(node);
  if (place.span.begin == place.span.end) return "";
  std::string text;
  bool was_blank = false;
  for (const char c : r.sources.slice(place.span)) {
    const bool is_blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (is_blank && !was_blank) text += ' ';
    if (!is_blank) text += c;
    was_blank = is_blank;
  }
  return cut(text, width);
}

std::string process_text(const GraphResult& r, size_t index) {
  const ProcessInView& p = r.processes[index];
  if (!p.names.empty()) {
    std::string names;
    for (const Atom name : p.names) names += (names.empty() ? "" : ", ") + std::string(name.text());
    return names;
  }
  if (p.is_root && index < r.entries.size()) return r.entries[index];  // roots come first
  const auto local = r.program.local(p.start);
  const core::Function& f = (*local.module)[local.module->function_of(local.id)];
  const std::string name = function_text({local.module->name(), f.name, f.arity - f.captures});
  if (p.is_root) return "caller of " + name;
  return fmt::format("process of {}, line {}", name, r.program.place_of(p.start).line);
}

std::string graph_text(const GraphResult& r) {
  std::map<GraphEdgeKind, size_t> counts;
  for (const GraphEdge& edge : r.graph.edges) {
    if (r.shows(r.graph[edge.from].function)) ++counts[edge.kind];
  }
  size_t functions = 0;
  for (const flow::GraphFunction& f : r.graph.functions) functions += f.is_own;
  size_t processes = 0;
  size_t messages = 0;
  for (const ProcessInView& p : r.processes) {
    processes += !p.is_root;
    messages += p.messages.size();
  }
  std::string out = fmt::format(
      "{}, {}, {}, {} in {:.2f} s\n", plural(functions, "function", "functions"),
      plural(processes, "process", "processes"), plural(messages, "message", "messages"),
      plural(counts[GraphEdgeKind::HigherOrderCall], "call of a fun", "calls of funs"), r.seconds);
  write_processes(r, out);
  write_edges(r, GraphEdgeKind::Message, "Messages, by the clause that takes them", out);
  write_edges(r, GraphEdgeKind::HigherOrderCall, "Calls of funs, and by computed names", out);
  write_unreached(r, out);
  if (r.def_use) out += def_use_text(r);
  write_unknowns(r, out);
  return out;
}

}  // namespace fathom::report
