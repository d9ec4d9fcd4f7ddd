#include <fmt/format.h>

#include "base/json.h"
#include "report/graph_report.h"
#include "report/places.h"

namespace fathom::report {

using flow::GraphEdge;
using flow::GraphNode;
using flow::GraphNodeId;

namespace {

constexpr size_t kLabel = 200;

void write_node(JsonWriter& json, const GraphResult& r, size_t index) {
  const GraphNode& node = r.graph.nodes[index];
  json.begin_object(JsonWriter::Shape::Inline);
  json.field("id", index);
  json.field("kind", flow::word_of(node.kind));
  json.field("function", function_text(r.graph[node.function].name));
  json.field("label", node_text(r, node.core, kLabel));
  json.field("reached", node.is_reached);
  write_location(json, r.program.place_of(node.core), r.sources);
  json.end_object();
}

void write_edge(JsonWriter& json, const GraphEdge& edge) {
  json.begin_object(JsonWriter::Shape::Inline);
  json.field("from", static_cast<uint32_t>(edge.from));
  json.field("to", static_cast<uint32_t>(edge.to));
  json.field("kind", flow::word_of(edge.kind));
  if (edge.clause) json.field("clause", *edge.clause);
  json.end_object();
}

void write_processes(JsonWriter& json, const GraphResult& r) {
  json.key("processes");
  json.begin_array();
  for (size_t i = 0; i < r.processes.size(); ++i) {
    const flow::ProcessInView& p = r.processes[i];
    json.begin_object();
    json.field("name", process_text(r, i));
    json.field("from_outside", p.is_root);
    write_location(json, r.program.place_of(p.start), r.sources);
    json.key("registered");
    json.begin_array(JsonWriter::Shape::Inline);
    for (const Atom name : p.names) json.value(name.text());
    json.end_array();
    json.key("functions");
    json.begin_array();
    for (const flow::GraphFunctionId f : p.functions) json.value(function_text(r.graph[f].name));
    json.end_array();
    json.key("sends");
    json.begin_array();
    for (const flow::ProcessMessage& m : p.messages) {
      json.begin_object(JsonWriter::Shape::Inline);
      json.field("to", m.to);
      json.field("label", node_text(r, m.node, kLabel));
      json.field("answer", m.is_answer);
      json.field("taken", m.is_taken);
      json.field("possible", m.is_possible);
      write_location(json, r.program.place_of(m.node), r.sources);
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

// Nodes that call or start what is not known, and functions that code which is not known may call:
// there is a way from each to each.
void write_outside(JsonWriter& json, const GraphResult& r) {
  const auto write = [&](std::string_view key, const std::vector<flow::GraphNodeId>& nodes) {
    json.key(key);
    json.begin_array(JsonWriter::Shape::Inline);
    for (const flow::GraphNodeId node : nodes) {
      if (r.shows(r.graph[node].function)) json.value(static_cast<uint32_t>(node));
    }
    json.end_array();
  };
  json.key("outside");
  json.begin_object();
  write("called_at", r.graph.outside.called_at);
  write("callees", r.graph.outside.callees);
  json.end_object();
}

}  // namespace

std::string graph_json(const GraphResult& r) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.field("command", "graph");
  const size_t unknowns = r.analysis.facts().unknowns.size();
  const bool is_bug = r.findings && r.findings->count > 0;
  json.field("verdict", is_bug ? "bug" : unknowns == 0 ? "clean" : "unknown");
  json.key("reasons");
  json.begin_array();
  if (unknowns > 0)
    json.value("there are calls or messages that the analysis cannot follow: see unknowns");
  json.end_array();
  json.field("seconds", r.seconds);
  json.field("functions", r.graph.functions.size());
  json.key("nodes");
  json.begin_array();
  for (size_t i = 0; i < r.graph.nodes.size(); ++i) {
    if (r.shows(r.graph.nodes[i].function)) write_node(json, r, i);
  }
  json.end_array();
  json.key("edges");
  json.begin_array();
  for (const GraphEdge& edge : r.graph.edges) {
    if (r.shows(r.graph[edge.from].function) && r.shows(r.graph[edge.to].function)) {
      write_edge(json, edge);
    }
  }
  json.end_array();
  write_outside(json, r);
  write_processes(json, r);
  if (r.def_use) write_def_use(json, r);
  if (r.findings) write_findings(json, r);
  json.key("unknowns");
  json.begin_array();
  for (const flow::UnknownFact& u : r.analysis.facts().unknowns) {
    json.begin_object(JsonWriter::Shape::Inline);
    json.field("what", u.what);
    write_location(json, r.program.place_of(u.node), r.sources);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  json.finish();
  return out + "\n";
}

}  // namespace fathom::report
