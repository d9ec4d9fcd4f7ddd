// Findings of `fathom graph --findings`, as text and as SARIF.
#include <fmt/format.h>

#include "report/graph_report.h"
#include "report/places.h"
#include "report/sarif_parts.h"
#include "report/text.h"

namespace fathom::report {

using flow::Finding;
using flow::FindingPlace;

namespace {

std::string sentence(const Finding& finding) {
  std::string text = fmt::format("{}: {}", finding.message, finding.reason);
  if (finding.is_note()) text += "; but " + finding.doubt;
  return text;
}

void write_finding(const GraphResult& r, const Finding& finding, bool has_color, std::string& out) {
  const Severity severity = finding.is_note() ? Severity::Note : Severity::Warning;
  Diagnostic diagnostic =
      diagnostic_at(r.program.place_of(finding.node), severity, finding.message);
  out += '\n' + render(diagnostic, r.sources, {.color = has_color});
  out += fmt::format("  because {}\n", finding.reason);
  if (finding.is_note()) out += fmt::format("  but {}\n", finding.doubt);
  for (const FindingPlace& place : finding.places) {
    out += fmt::format("  {}  {}: {}\n", node_place(r, place.node), place.text,
                       node_text(r, place.node, 60));
  }
}

void write_result(JsonWriter& json, const GraphResult& r, const Finding& finding) {
  json.begin_object();
  json.field("ruleId", flow::word_of(finding.kind));
  json.field("ruleIndex", static_cast<size_t>(finding.kind));
  json.field("level", finding.is_note() ? "note" : "warning");
  write_sarif_message(json, "message", sentence(finding));
  json.key("locations");
  json.begin_array();
  write_sarif_location(json, r.program.place_of(finding.node), r.sources, "");
  json.end_array();
  if (!finding.places.empty()) {
    json.key("relatedLocations");
    json.begin_array();
    for (const FindingPlace& place : finding.places) {
      write_sarif_location(json, r.program.place_of(place.node), r.sources, place.text);
    }
    json.end_array();
  }
  json.end_object();
}

}  // namespace

std::string findings_text(const GraphResult& r, bool has_color) {
  const size_t notes = r.findings->all.size() - r.findings->count;
  std::string out = fmt::format("{}, {} in {:.2f} s\n", counted(r.findings->count, "finding"),
                                counted(notes, "note"), r.seconds);
  for (const Finding& finding : r.findings->all) write_finding(r, finding, has_color, out);
  return out;
}

std::string findings_sarif(const GraphResult& r, std::string_view version) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.field("$schema", kSarifSchema);
  json.field("version", "2.1.0");
  json.key("runs");
  json.begin_array();
  json.begin_object();
  json.key("tool");
  json.begin_object();
  json.key("driver");
  json.begin_object();
  json.field("name", "fathom");
  json.field("version", version);
  json.key("rules");
  json.begin_array();
  for (const flow::FindingRule& rule : flow::finding_rules()) {
    write_sarif_rule(json, rule.word, rule.title, rule.text);
  }
  json.end_array();
  json.end_object();
  json.end_object();
  json.field("columnKind", "unicodeCodePoints");
  json.key("results");
  json.begin_array();
  for (const Finding& finding : r.findings->all) write_result(json, r, finding);
  json.end_array();
  json.end_object();
  json.end_array();
  json.end_object();
  json.finish();
  return out + "\n";
}

void write_findings(JsonWriter& json, const GraphResult& r) {
  json.key("findings");
  json.begin_array();
  for (const Finding& finding : r.findings->all) {
    json.begin_object();
    json.field("kind", flow::word_of(finding.kind));
    json.field("level", finding.is_note() ? "note" : "finding");
    json.field("message", finding.message);
    json.field("reason", finding.reason);
    if (finding.is_note()) json.field("doubt", finding.doubt);
    write_location(json, r.program.place_of(finding.node), r.sources);
    json.key("places");
    json.begin_array();
    for (const FindingPlace& place : finding.places) {
      json.begin_object(JsonWriter::Shape::Inline);
      json.field("text", place.text);
      write_location(json, r.program.place_of(place.node), r.sources);
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

}  // namespace fathom::report
