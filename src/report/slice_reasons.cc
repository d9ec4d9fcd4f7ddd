// Why places are in a slice: in words, and as a picture.
#include <fmt/format.h>

#include <map>

#include "core/places.h"
#include "report/dot.h"
#include "report/places.h"
#include "report/slice_report.h"
#include "report/text.h"

namespace fathom::report {
namespace {

using slice::Reason;
using slice::Reasons;
using slice::ReasonStep;

constexpr size_t kReasonWidth = 60;

std::string where(const ReasonStep& step, const SourceMap& sources) {
  return place_text(core::place_of(*step.module, step.origin), sources);
}

std::string criteria_text(const std::vector<std::string>& criteria) {
  if (criteria.size() == 1) return "the criterion " + criteria[0];
  return "one of the criteria";
}

std::string_view style_of(Reason reason) {
  switch (reason) {
    case Reason::Criterion:
    case Reason::Value:
    case Reason::Argument:
    case Reason::Result:
      return "color=\"#222222\"";
    case Reason::Control:
      return "color=\"#1565c0\", style=dashed";
    case Reason::Call:
      return "color=\"#2e7d32\", style=dashed";
    case Reason::Raised:
      return "color=\"#c62828\", style=dotted";
    case Reason::State:
      return "color=\"#8e24aa\", penwidth=1.5";
    case Reason::Syntax:
      return "color=\"#aaaaaa\", style=dotted, arrowhead=none";
  }
  return "";
}

}  // namespace

std::string reason_text(const ReasonStep& step, const SourceMap& sources) {
  if (!step.name.empty()) return step.name;
  std::string line;
  for (const char c : sources.slice(core::place_of(*step.module, step.origin).span)) {
    const bool is_blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (is_blank && (line.empty() || line.back() == ' ')) continue;
    line += is_blank ? ' ' : c;
  }
  return cut(line, kReasonWidth);
}

uint32_t reason_at(const slice::Slice& slice, const Reasons& reasons, const SourceMap& sources,
                   const core::Module& module, LineColumn at) {
  const FileId file = *module.unit().file;
  const Loc place = sources.place(file, at);
  if (!place) return slice::kNoReason;
  const uint32_t offset = place.index() - sources.start(file).index();
  bool is_kept = false;
  for (const slice::SlicedModule& m : slice.modules) {
    for (const slice::TextRange r : m.kept) {
      is_kept = is_kept || (m.module == &module && r.begin <= offset && offset < r.end);
    }
  }
  uint32_t found = slice::kNoReason;
  uint32_t smallest = UINT32_MAX;
  for (const auto& [where, step] : reasons.by_place) {
    if (!is_kept || where.first != &module) continue;
    const Span span = core::place_of(module, where.second).span;
    if (!span.begin || place < span.begin || place >= span.end) continue;
    const uint32_t size = span.end.index() - span.begin.index();
    if (size >= smallest) continue;
    smallest = size;
    found = step;
  }
  return found;
}

std::string slice_reasons(const Reasons& reasons, uint32_t step,
                          const std::vector<std::string>& criteria, const SourceMap& sources) {
  std::string out = fmt::format("{}: {}\n", where(reasons.steps[step], sources),
                                reason_text(reasons.steps[step], sources));
  std::string before;
  for (uint32_t at = step; at != slice::kNoReason; at = reasons.steps[at].next) {
    const ReasonStep& from = reasons.steps[at];
    const std::string target =
        from.next == slice::kNoReason
            ? criteria_text(criteria)
            : fmt::format("{}  ({})", reason_text(reasons.steps[from.next], sources),
                          where(reasons.steps[from.next], sources));
    // Several nodes of one place are one.
    if (target != before) {
      out += fmt::format("  {} {} {}\n", at == step ? "it" : "which", from.relation, target);
    }
    before = target;
  }
  return out;
}

std::string slice_dot(const Reasons& reasons, const SourceMap& sources) {
  std::string out =
      "digraph slice {\n  rankdir=TB;\n  graph [fontname=\"Helvetica\", fontsize=11];\n"
      "  node [fontname=\"Helvetica\", fontsize=10, shape=box, style=\"rounded,filled\", "
      "fillcolor=\"#fafafa\", color=\"#888888\"];\n  edge [fontname=\"Helvetica\", fontsize=9];\n";
  // Nodes of one place are one box.
  std::map<std::tuple<const core::Module*, core::AstId, std::string>, uint32_t> boxes;
  std::vector<uint32_t> box(reasons.steps.size());
  std::map<std::string, std::string> frames;
  for (uint32_t i = 0; i < reasons.steps.size(); ++i) {
    const ReasonStep& step = reasons.steps[i];
    const auto [known, is_new] = boxes.try_emplace({step.module, step.origin, step.name}, i);
    box[i] = known->second;
    if (!is_new) continue;
    const bool is_criterion = step.next == slice::kNoReason;
    frames[step.module->unit().path] += fmt::format(
        "    n{} [label={}{}];\n", i, dot_lines({where(step, sources), reason_text(step, sources)}),
        is_criterion ? ", fillcolor=\"#fff3c4\"" : "");
  }
  for (const auto& [file, nodes] : frames) {
    out += fmt::format(
        "  subgraph {} {{\n    label={}; style=\"rounded,filled\"; color=\"#dddddd\"; "
        "fillcolor=\"#f4f6f8\";\n{}  }}\n",
        dot_string("cluster_" + file), dot_string(file), nodes);
  }
  std::map<std::pair<uint32_t, uint32_t>, Reason> edges;
  for (const Reasons::Edge& edge : reasons.edges) {
    if (box[edge.from] != box[edge.to]) {
      edges.try_emplace({box[edge.from], box[edge.to]}, edge.reason);
    }
  }
  for (const auto& [ends, reason] : edges) {
    out += fmt::format("  n{} -> n{} [{}];\n", ends.first, ends.second, style_of(reason));
  }
  return out + "}\n";
}

}  // namespace fathom::report
