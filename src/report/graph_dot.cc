// Pictures of the graph, in DOT.
//
// Functions: a box for each, in a frame for each module; an arrow for each pair that calls.
// Processes: an oval for each, an arrow for each pair with the messages between them as its label;
// dashed where the receiver is not known, but may well be this one.
// Nodes: a frame for each function, a box for each node. Calls are solid, starts of processes
// dashed, messages bold and blue, exceptions dotted and red. What is too large is drawn folded
// (graph_folding.h).
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "report/dot.h"
#include "report/graph_folding.h"
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

bool is_exception(GraphEdgeKind kind) {
  return kind == GraphEdgeKind::Throw || kind == GraphEdgeKind::ThrowThrough;
}

// What a folded picture leaves out: exceptions come from nearly everywhere, and messages to a
// receiver that is not known may go nearly everywhere.
bool is_left_out(const GraphResult& r, const GraphEdge& edge) {
  return is_exception(edge.kind) ||
         (edge.kind == GraphEdgeKind::Message &&
          r.analysis.facts().outside_sends.contains(r.graph[edge.from].core));
}

// What a picture leaves out, under it.
std::string caption(std::string_view text) {
  return fmt::format("  label={}; labelloc=b; fontcolor=\"#666666\";\n", dot_string(text));
}

constexpr std::string_view kHow = "--focus MODULE:FUNCTION/ARITY shows one with those around it";

std::string box_label(const GraphResult& r, const GraphFolding& folding, size_t f) {
  const flow::FunctionName& name = r.graph.functions[f].name;
  const size_t count = folding.count[f];
  if (folding.level == GraphFolding::Level::Modules) {
    return dot_lines({std::string(name.module.text()),
                      fmt::format("{} function{}", count, count == 1 ? "" : "s")});
  }
  const std::string own = fmt::format("{}/{}", name.name.text(), name.arity);
  return count > 1 ? dot_lines({own, fmt::format("and {} more", count - 1)}) : dot_string(own);
}

std::string function_boxes(const GraphResult& r, const GraphFolding& folding) {
  std::map<std::string, std::vector<size_t>> modules;
  for (size_t i = 0; i < folding.box.size(); ++i) {
    if (folding.box[i] == i)
      modules[std::string(r.graph.functions[i].name.module.text())].push_back(i);
  }
  std::string out;
  const bool has_frames = folding.level != GraphFolding::Level::Modules;
  for (const auto& [module, functions] : modules) {
    if (has_frames) {
      out += fmt::format(
          "  subgraph {} {{\n    label={}; style=\"rounded,filled\"; color=\"#dddddd\"; "
          "fillcolor=\"#f4f6f8\";\n",
          dot_string("cluster_" + module), dot_string(module));
    }
    for (const size_t i : functions) {
      const bool is_reached = r.graph.functions[i].is_reached || !has_frames;
      out += fmt::format("    f{} [label={}{}];\n", i, box_label(r, folding, i),
                         is_reached ? "" : ", fontcolor=\"#aaaaaa\", style=\"rounded,dashed\"");
    }
    if (has_frames) out += "  }\n";
  }
  return out;
}

std::string functions_dot(const GraphResult& r) {
  std::string out = head("LR");
  const GraphFolding folding = fold_functions(r);
  if (folding.level == GraphFolding::Level::Helpers) {
    out += caption(fmt::format("functions that only one other uses are drawn with it; {}", kHow));
  } else if (folding.level == GraphFolding::Level::Modules) {
    out += caption(fmt::format("each module is one box; {}", kHow));
  }
  out += function_boxes(r, folding);
  std::set<std::tuple<size_t, size_t, GraphEdgeKind>> edges;
  for (const GraphEdge& edge : r.graph.edges) {
    if (edge.kind == GraphEdgeKind::Neighbor) continue;
    const size_t from = folding.box[static_cast<size_t>(r.graph[edge.from].function)];
    const size_t to = folding.box[static_cast<size_t>(r.graph[edge.to].function)];
    if (from == SIZE_MAX || to == SIZE_MAX) continue;
    const bool is_folded = folding.level != GraphFolding::Level::None;
    if (from == to && (is_folded || is_exception(edge.kind))) continue;
    if (is_folded && is_left_out(r, edge)) continue;
    edges.emplace(from, to, edge.kind);
  }
  for (const auto& [from, to, kind] : edges) {
    out += fmt::format("  f{} -> f{} [{}];\n", from, to, style_of(kind));
  }
  return out + "}\n";
}

std::string processes_dot(const GraphResult& r) {
  std::string out = head("LR");
  std::set<size_t> used;
  std::map<std::tuple<size_t, size_t, bool>, std::set<std::string>> arrows;
  for (size_t i = 0; i < r.processes.size(); ++i) {
    if (!r.processes[i].is_root) used.insert(i);
    for (const flow::ProcessMessage& m : r.processes[i].messages) {
      used.insert(i);
      used.insert(m.to);
      arrows[{i, m.to, m.is_possible}].insert((m.is_answer ? "answers " : "") +
                                              node_text(r, m.node, kDrawnLabel));
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
    const auto& [from, to, is_possible] = ends;
    out += fmt::format("  p{} -> p{} [color=\"#1565c0\"{}, label={}];\n", from, to,
                       is_possible ? ", style=dashed" : "", dot_lines(lines));
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

constexpr size_t kMostNodes = 80;

// The frame of a function, with its nodes.
std::string frame(const GraphResult& r, size_t f, const std::vector<bool>& drawn) {
  std::string out = fmt::format(
      "  subgraph cluster_{} {{\n    label={}; style=\"rounded,filled\"; "
      "color=\"#dddddd\"; fillcolor=\"#f4f6f8\";\n",
      f, dot_string(function_text(r.graph.functions[f].name)));
  for (size_t i = 0; i < r.graph.nodes.size(); ++i) {
    const flow::GraphNode& node = r.graph.nodes[i];
    if (static_cast<size_t>(node.function) != f || !drawn[i]) continue;
    std::string label = node_text(r, node.core, kDrawnLabel);
    if (label.empty() || node.kind == GraphNodeKind::Import || node.kind == GraphNodeKind::Return) {
      label = flow::word_of(node.kind);
    }
    out +=
        fmt::format("    n{} [label={}, shape={}];\n", i, dot_string(label), shape_of(node.kind));
  }
  return out + "  }\n";
}

std::string nodes_dot(const GraphResult& r) {
  std::vector<size_t> next(r.graph.nodes.size(), SIZE_MAX);
  for (const GraphEdge& edge : r.graph.edges) {
    if (edge.kind == GraphEdgeKind::Neighbor && !edge.clause) {
      next[static_cast<size_t>(edge.from)] = static_cast<size_t>(edge.to);
    }
  }
  std::vector<bool> drawn;
  for (const flow::GraphNode& node : r.graph.nodes) drawn.push_back(is_drawn(r, node));
  const std::vector<size_t> target = drawn_successors(r, next, drawn);
  std::vector<size_t> sizes(r.graph.functions.size());
  for (size_t i = 0; i < drawn.size(); ++i) {
    if (drawn[i]) ++sizes[static_cast<size_t>(r.graph.nodes[i].function)];
  }
  const std::vector<bool> is_open = open_functions(r, sizes, kMostNodes);
  if (std::ranges::none_of(is_open, [](bool open) { return open; })) return functions_dot(r);

  std::string out = head("TB");
  bool is_folded = false;
  for (size_t f = 0; f < r.graph.functions.size(); ++f) {
    if (!r.shows(GraphFunctionId{static_cast<uint32_t>(f)})) continue;
    is_folded = is_folded || !is_open[f];
    out += is_open[f] ? frame(r, f, drawn)
                      : fmt::format("  f{} [label={}];\n", f,
                                    dot_string(function_text(r.graph.functions[f].name)));
  }
  if (is_folded) out += caption("functions that are further away are drawn without their nodes");
  const auto end = [&](size_t node) {
    const auto f = static_cast<size_t>(r.graph.nodes[node].function);
    return is_open[f] ? fmt::format("n{}", node) : fmt::format("f{}", f);
  };
  std::map<std::string, std::set<uint32_t>> clauses;  // by arrow
  std::vector<std::string> arrows;
  for (const GraphEdge& edge : r.graph.edges) {
    const GraphFunctionId from = r.graph[edge.from].function;
    const GraphFunctionId to = r.graph[edge.to].function;
    if (!r.shows(from) || !r.shows(to) || !drawn[static_cast<size_t>(edge.from)]) continue;
    const bool are_open = is_open[static_cast<size_t>(from)] && is_open[static_cast<size_t>(to)];
    if ((!are_open && from == to) || (is_folded && from != to && is_left_out(r, edge))) continue;
    std::string arrow = fmt::format("  {} -> {} [{}", end(static_cast<size_t>(edge.from)),
                                    end(target[static_cast<size_t>(edge.to)]), style_of(edge.kind));
    const auto [at, is_new] = clauses.try_emplace(arrow);
    if (is_new) arrows.push_back(std::move(arrow));
    if (edge.clause && are_open) at->second.insert(*edge.clause);
  }
  for (const std::string& arrow : arrows) {
    const std::set<uint32_t>& numbers = clauses.at(arrow);
    const std::string label =
        numbers.empty() ? "" : fmt::format(", label=\"{}\"", fmt::join(numbers, ","));
    out += fmt::format("{}{}];\n", arrow, label);
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
