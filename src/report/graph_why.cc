// Why there is an edge (`fathom graph --why`), and definitions and uses.
#include <fmt/format.h>

#include <map>

#include "report/graph_report.h"
#include "report/places.h"

namespace fathom::report {

using flow::GraphEdgeKind;
using flow::Occurrence;
using JsonShape = JsonWriter::Shape;

namespace {

std::string_view edge_text(GraphEdgeKind kind) {
  switch (kind) {
    case GraphEdgeKind::Call:
      return "calls";
    case GraphEdgeKind::HigherOrderCall:
      return "calls, through a fun or a computed name,";
    case GraphEdgeKind::Spawn:
      return "starts a process with";
    case GraphEdgeKind::Throw:
      return "may raise an exception that is caught in";
    case GraphEdgeKind::ThrowThrough:
      return "may, by what it calls, raise an exception that is caught in";
    case GraphEdgeKind::Message:
      return "sends a message to";
    case GraphEdgeKind::Neighbor:
      return "is followed by";
  }
  return "";
}

std::string variable_text(const GraphResult& r, const Occurrence& o) {
  const flow::FunctionCode& code = r.graph[o.function].code;
  return std::string(
      (*code.module)[code.function].variables[static_cast<size_t>(o.variable)].text());
}

void write_variants(JsonWriter& json, uint8_t variants) {
  json.key("variants");
  json.begin_array(JsonShape::Inline);
  if (variants & flow::kFunVariant) json.value("f");
  if (variants & flow::kStructureVariant) json.value("s");
  if (variants & flow::kMessageVariant) json.value("m");
  json.end_array();
}

void write_occurrences(JsonWriter& json, const GraphResult& r, std::string_view key,
                       std::span<const Occurrence> all,
                       const std::map<core::GlobalNodeId, size_t>& nodes) {
  json.key(key);
  json.begin_array();
  for (size_t i = 0; i < all.size(); ++i) {
    const Occurrence& o = all[i];
    if (!r.shows(o.function)) continue;
    json.begin_object(JsonShape::Inline);
    json.field("id", i);
    json.field("variable", variable_text(r, o));
    json.field("number", static_cast<uint32_t>(o.variable));
    json.field("function", function_text(r.graph[o.function].name));
    if (const auto at = nodes.find(o.owner); at != nodes.end()) json.field("node", at->second);
    if (o.clause) json.field("clause", *o.clause);
    write_variants(json, o.variants);
    write_location(json, r.program.place_of(o.node), r.sources);
    json.end_object();
  }
  json.end_array();
}

// Rather than matching it: it is a call.
bool applies(const GraphResult& r, core::GlobalNodeId node) {
  const auto [module, id] = r.program.local(node);
  const core::Kind kind = (*module)[id].kind;
  return kind == core::Kind::Apply || kind == core::Kind::CallRemote;
}

void write_data_flows(JsonWriter& json, const GraphResult& r) {
  json.key("data_flows");
  json.begin_array();
  for (const flow::BuiltUse& flow : r.data_flows->all) {
    json.begin_object();
    json.field("use", applies(r, flow.used) ? "applied" : "matched");
    json.field("label", node_text(r, flow.built, 200));
    write_location(json, r.program.place_of(flow.built), r.sources, "from");
    write_location(json, r.program.place_of(flow.used), r.sources, "to");
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string why_text(const GraphResult& r, const std::vector<flow::Explanation>& all) {
  std::string out;
  for (const flow::Explanation& e : all) {
    if (!out.empty()) out += '\n';
    const std::string clause =
        e.edge.kind == GraphEdgeKind::Message ? fmt::format(" clause {}", *e.edge.clause) : "";
    out +=
        fmt::format("{} {} {}{}\n", function_text(r, r.graph[e.edge.from].function),
                    edge_text(e.edge.kind), function_text(r, r.graph[e.edge.to].function), clause);
    for (const flow::WhyStep& step : e.steps) {
      out += fmt::format("  {}  {}: {}\n", node_place(r, step.node), step.text,
                         node_text(r, step.node, 60));
    }
  }
  return out;
}

std::string def_use_text(const GraphResult& r) {
  size_t counts[5] = {};
  for (const flow::CorrespondingPair& pair : r.def_use->corresponding()) ++counts[pair.variant];
  return fmt::format(
      "\nDefinitions and uses\n"
      "  {} definitions and {} uses of variables, {} pairs in one function\n"
      "  a value goes on by funs in {} places, by structures in {}, by messages in {}\n",
      r.def_use->definitions().size(), r.def_use->uses().size(), r.def_use->direct().size(),
      counts[flow::kFunVariant], counts[flow::kStructureVariant], counts[flow::kMessageVariant]);
}

void write_def_use(JsonWriter& json, const GraphResult& r) {
  std::map<core::GlobalNodeId, size_t> nodes;
  for (size_t i = 0; i < r.graph.nodes.size(); ++i) nodes.emplace(r.graph.nodes[i].core, i);
  const flow::DefUse& all = *r.def_use;
  write_occurrences(json, r, "definitions", all.definitions(), nodes);
  write_occurrences(json, r, "uses", all.uses(), nodes);
  json.key("def_use");
  json.begin_array();
  for (const flow::DirectPair& pair : all.direct()) {
    if (!r.shows(all[pair.use].function)) continue;
    json.begin_object(JsonShape::Inline);
    json.field("definition", static_cast<uint32_t>(pair.definition));
    json.field("use", static_cast<uint32_t>(pair.use));
    json.end_object();
  }
  json.end_array();
  json.key("corresponding");
  json.begin_array();
  for (const flow::CorrespondingPair& pair : all.corresponding()) {
    if (!r.shows(all[pair.use].function) || !r.shows(all[pair.definition].function)) continue;
    json.begin_object(JsonShape::Inline);
    json.field("use", static_cast<uint32_t>(pair.use));
    json.field("definition", static_cast<uint32_t>(pair.definition));
    json.field("variant", pair.variant == flow::kFunVariant         ? "f"
                          : pair.variant == flow::kStructureVariant ? "s"
                                                                    : "m");
    json.end_object();
  }
  json.end_array();
  if (r.data_flows) write_data_flows(json, r);
}

}  // namespace fathom::report
