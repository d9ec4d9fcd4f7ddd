// Pictures of the graph, in DOT.
//
// Functions: a box for each, in a frame for each module; an arrow for each pair that calls.
// Processes: an oval for each, an arrow for each pair with the messages between them as its label.
// Nodes: a frame for each function, a box for each node. Calls are solid, starts of processes
// dashed, messages bold and blue, exceptions dotted and red.
#include <fmt/format.h>

#include <map>
#include <set>

#include "report/dot.h"
#include "report/graph_report.h"

namespace fathom::report {

using flow::GraphEdge;
using flow::GraphEdgeKind;
using flow::GraphFunctionId;
using flow::GraphNodeKind;

namespace {

constexpr size_t kDrawnLabel = 48;
constexpr size_t kMostLines = 6;  // of messages, on one arrow

std::string_view style_of(GraphEdgeKind kind) {
  switch (kind) {
    case GraphEdgeKind::Neighbor:
      return "color=\"#777777\"";
    case GraphEdgeKind::Call:
      return "color=\"#222222\"";
    case GraphEdgeKind::HigherOrderCall:
      return "color=\"#222222\", arrowhead=onormal";
    case GraphEdgeKind::Spawn:
      return "color=\"#2e7d32\", style=dashed, penwidth=1.5";
    case GraphEdgeKind::Throw:
    case GraphEdgeKind::ThrowThrough:
      return "color=\"#c62828\", style=dotted, constraint=false";
    case GraphEdgeKind::Message:
      return "color=\"#1565c0\", penwidth=1.8, constraint=false";
  }
  return "";
}

std::string head(std::string_view direction) {
  return fmt::format(
      "digraph fathom {{\n  rankdir={};\n  graph [fontname=\"Helvetica\", fontsize=11, "
      "nodesep=0.35];\n"
      "  node [fontname=\"Helvetica\", fontsize=10, shape=box, style=\"rounded,filled\", "
      "fillcolor=\"#fafafa\", color=\"#888888\", margin=\"0.12,0.06\"];\n"
      "  edge [fontname=\"Helvetica\", fontsize=9];\n",
      direction);
}

std::string functions_dot(const GraphResult& r) {
  std::string out = head("LR");
  std::map<std::string, std::vector<size_t>> modules;
  for (size_t i = 0; i < r.graph.functions.size(); ++i) {
    if (r.shows(GraphFunctionId{static_cast<uint32_t>(i)})) {
      modules[std::string(r.graph.functions[i].name.module.text())].push_back(i);
    }
  }
  for (const auto& [module, functions] : modules) {
    out += fmt::format(
        "  subgraph {} {{\n    label={}; style=\"rounded,filled\"; color=\"#dddddd\"; "
        "fillcolor=\"#f4f6f8\";\n",
        dot_string("cluster_" + module), dot_string(module));
    for (const size_t i : functions) {
      const flow::GraphFunction& f = r.graph.functions[i];
      out += fmt::format("    f{} [label={}{}];\n", i,
                         dot_string(fmt::format("{}/{}", f.name.name.text(), f.name.arity)),
                         f.is_reached ? "" : ", fontcolor=\"#aaaaaa\", style=\"rounded,dashed\"");
    }
    out += "  }\n";
  }
  std::set<std::tuple<uint32_t, uint32_t, GraphEdgeKind>> edges;
  for (const GraphEdge& edge : r.graph.edges) {
    const GraphFunctionId from = r.graph[edge.from].function;
    const GraphFunctionId to = r.graph[edge.to].function;
    if (edge.kind == GraphEdgeKind::Neighbor || !r.shows(from) || !r.shows(to)) continue;
    const bool is_throw =
        edge.kind == GraphEdgeKind::Throw || edge.kind == GraphEdgeKind::ThrowThrough;
    if (is_throw && from == to) continue;
    edges.emplace(static_cast<uint32_t>(from), static_cast<uint32_t>(to), edge.kind);
  }
  for (const auto& [from, to, kind] : edges) {
    out += fmt::format("  f{} -> f{} [{}];\n", from, to, style_of(kind));
  }
  return out + "}\n";
}

std::string processes_dot(const GraphResult& r) {
  std::string out = head("LR");
  std::set<size_t> used;
  std::map<std::pair<size_t, size_t>, std::set<std::string>> arrows;
  for (size_t i = 0; i < r.processes.size(); ++i) {
    if (!r.processes[i].is_root) used.insert(i);
    for (const flow::ProcessMessage& m : r.processes[i].messages) {
      used.insert(i);
      used.insert(m.to);
      arrows[{i, m.to}].insert((m.is_answer ? "answers " : "") + node_text(r, m.node, kDrawnLabel));
    }
  }
  for (const size_t i : used) {
    const flow::ProcessInView& p = r.processes[i];
    out += fmt::format("  p{} [shape=ellipse, label={}, fillcolor=\"{}\"];\n", i,
                       dot_string(process_text(r, i)), p.is_root ? "#ffffff" : "#e8f0fe");
  }
  for (const auto& [ends, texts] : arrows) {
    std::vector<std::string> lines;
    for (const std::string& text : texts) {
      if (lines.size() == kMostLines) {
        lines.push_back(fmt::format("and {} more", texts.size() - kMostLines));
        break;
      }
      lines.push_back(text);
    }
    out += fmt::format("  p{} -> p{} [color=\"#1565c0\", label={}];\n", ends.first, ends.second,
                       dot_lines(lines));
  }
  return out + "}\n";
}

std::string_view shape_of(GraphNodeKind kind) {
  switch (kind) {
    case GraphNodeKind::Branch:
      return "diamond";
    case GraphNodeKind::Receive:
      return "invtriangle";
    case GraphNodeKind::Send:
      return "cds";
    case GraphNodeKind::Import:
    case GraphNodeKind::Return:
      return "oval";
    default:
      return "box";
  }
}

// What only makes a value for another node is not drawn: its text is part of that node's.
bool is_drawn(const GraphResult& r, const flow::GraphNode& node) {
  if (node.kind != GraphNodeKind::Compute && node.kind != GraphNodeKind::Match) return true;
  const auto local = r.program.local(node.core);
  switch ((*local.module)[local.id].kind) {
    case core::Kind::Literal:
    case core::Kind::Copy:
    case core::Kind::Bind:
    case core::Kind::Tuple:
    case core::Kind::Cons:
    case core::Kind::Map:
    case core::Kind::Stacktrace:
      return false;
    default:
      return true;
  }
}

// Where the edges that come to a node go on to if it is not drawn: to what follows it.
std::vector<size_t> drawn_successors(const GraphResult& r, const std::vector<size_t>& next,
                                     std::vector<bool>& drawn) {
  std::vector<size_t> target(r.graph.nodes.size());
  for (size_t i = r.graph.nodes.size(); i-- > 0;) {
    target[i] = i;
    // Successors have higher numbers, but for those of what ends a clause.
    if (drawn[i] || next[i] == SIZE_MAX) {
      drawn[i] = true;
    } else {
      target[i] = next[i] > i ? target[next[i]] : next[i];
    }
  }
  return target;
}

std::string nodes_dot(const GraphResult& r) {
  std::string out = head("TB");
  std::vector<size_t> next(r.graph.nodes.size(), SIZE_MAX);
  for (const GraphEdge& edge : r.graph.edges) {
    if (edge.kind == GraphEdgeKind::Neighbor && !edge.clause) {
      next[static_cast<size_t>(edge.from)] = static_cast<size_t>(edge.to);
    }
  }
  std::vector<bool> drawn;
  for (const flow::GraphNode& node : r.graph.nodes) drawn.push_back(is_drawn(r, node));
  const std::vector<size_t> target = drawn_successors(r, next, drawn);
  for (size_t f = 0; f < r.graph.functions.size(); ++f) {
    if (!r.shows(GraphFunctionId{static_cast<uint32_t>(f)})) continue;
    out += fmt::format(
        "  subgraph cluster_{} {{\n    label={}; style=\"rounded,filled\"; "
        "color=\"#dddddd\"; fillcolor=\"#f4f6f8\";\n",
        f, dot_string(function_text(r.graph.functions[f].name)));
    for (size_t i = 0; i < r.graph.nodes.size(); ++i) {
      const flow::GraphNode& node = r.graph.nodes[i];
      if (static_cast<size_t>(node.function) != f || !drawn[i]) continue;
      std::string label = node_text(r, node.core, kDrawnLabel);
      if (label.empty() || node.kind == GraphNodeKind::Import ||
          node.kind == GraphNodeKind::Return) {
        label = flow::word_of(node.kind);
      }
      out +=
          fmt::format("    n{} [label={}, shape={}];\n", i, dot_string(label), shape_of(node.kind));
    }
    out += "  }\n";
  }
  for (const GraphEdge& edge : r.graph.edges) {
    if (!r.shows(r.graph[edge.from].function) || !r.shows(r.graph[edge.to].function)) continue;
    if (!drawn[static_cast<size_t>(edge.from)]) continue;
    out += fmt::format("  n{} -> n{} [{}{}];\n", static_cast<uint32_t>(edge.from),
                       target[static_cast<size_t>(edge.to)], style_of(edge.kind),
                       edge.clause ? fmt::format(", label=\"{}\"", *edge.clause) : "");
  }
  return out + "}\n";
}

}  // namespace

std::string graph_dot(const GraphResult& r, GraphView view) {
  switch (view) {
    case GraphView::Nodes:
      return nodes_dot(r);
    case GraphView::Functions:
      return functions_dot(r);
    case GraphView::Processes:
      return processes_dot(r);
  }
  return "";
}

}  // namespace fathom::report
