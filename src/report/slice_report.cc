#include "report/slice_report.h"

#include <fmt/format.h>

#include "base/json.h"
#include "report/places.h"
#include "report/text.h"

namespace fathom::report {
namespace {

using slice::SlicedModule;
using slice::TextRange;

constexpr std::string_view kDim = "\x1b[2m";
constexpr std::string_view kNormal = "\x1b[0m";

std::string_view text_of(const SlicedModule& m, const SourceMap& sources) {
  return sources.text(*m.module->unit().file);
}

Place place_of(const SlicedModule& m, TextRange range, const SourceMap& sources) {
  const Loc start = sources.start(*m.module->unit().file);
  const Span span{start.plus(range.begin), start.plus(range.end)};
  return {span, m.module->unit().path, sources.line_column(span.begin).line};
}

// As comments: the slice stays a program.
std::string runs_text(const SliceResult& result) {
  if (!result.runs) return "";
  const SliceRuns& runs = *result.runs;
  std::string out =
      fmt::format("\n%% On {} the criterion has {} in the original, and the same in the slice.\n",
                  counted(runs.calls, "call"), counted(runs.values, "value"));
  if (runs.is_of_execution) {
    out += fmt::format("%% It is a slice of {}: {} of {} nodes are left.\n",
                       runs.calls == 1 ? "this call" : "these calls", result.slice.nodes_kept,
                       result.slice.nodes_total);
  }
  if (runs.is_minimal) {
    out += fmt::format("%% {} of {} nodes are left, and no part can go without changing that.\n",
                       result.slice.nodes_kept, result.slice.nodes_total);
  }
  return out;
}

}  // namespace

TextRange trimmed(TextRange range, std::string_view text) {
  const auto is_blank = [&](uint32_t at) {
    return text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r';
  };
  while (range.begin < range.end && is_blank(range.begin)) ++range.begin;
  while (range.begin < range.end && is_blank(range.end - 1)) --range.end;
  return range;
}

std::string slice_text(const slice::Slice& slice) {
  std::string out;
  for (const SlicedModule& m : slice.modules) {
    if (slice.modules.size() > 1) {
      out += fmt::format("{}%%% {}\n", out.empty() ? "" : "\n", m.module->unit().path);
    }
    out += m.text;
    if (!out.empty() && out.back() != '\n') out += '\n';
  }
  return out;
}

std::string slice_text(const SliceResult& result) {
  return slice_text(result.slice) + runs_text(result);
}

std::string slice_shown(const SliceResult& result, bool has_color) {
  std::string out;
  for (const SlicedModule& m : result.slice.modules) {
    const std::string_view text = text_of(m, result.sources);
    if (result.slice.modules.size() > 1) {
      out += fmt::format("{}%%% {}\n", out.empty() ? "" : "\n", m.module->unit().path);
    }
    // Without colours, what is in the slice has a bar before its line.
    std::vector<bool> is_kept(text.size());
    for (const TextRange r : m.kept) {
      const TextRange t = trimmed(r, text);
      std::fill(is_kept.begin() + t.begin, is_kept.begin() + t.end, true);
    }
    for (size_t at = 0; at < text.size();) {
      const size_t newline = std::min(text.find('\n', at), text.size());
      bool is_any = false;
      // Separators alone say nothing.
      for (size_t i = at; i < newline; ++i) {
        is_any = is_any ||
                 (is_kept[i] && std::string_view(" ,;.").find(text[i]) == std::string_view::npos);
      }
      if (!has_color) out += is_any ? "| " : "  ";
      bool is_dim = false;
      for (size_t i = at; i < newline; ++i) {
        if (has_color && is_dim == is_kept[i]) {
          is_dim = !is_kept[i];
          out += is_dim ? kDim : kNormal;
        }
        out += text[i];
      }
      if (is_dim) out += kNormal;
      out += '\n';
      at = newline + 1;
    }
  }
  return out;
}

void write_modules(JsonWriter& json, const slice::Slice& slice) {
  json.key("slice");
  json.begin_array();
  for (const slice::SlicedModule& m : slice.modules) {
    json.begin_object();
    json.field("file", m.module->unit().path);
    json.field("module", std::string(m.module->name().text()));
    json.field("nodes_total", m.nodes_total);
    json.field("nodes_kept", m.nodes_kept);
    json.field("text", m.text);
    json.end_object();
  }
  json.end_array();
}

std::string slice_json(const SliceResult& result) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.field("command", "slice");
  json.field("verdict", "clean");
  json.key("criterion");
  json.begin_array();
  for (const std::string& c : result.criteria) json.value(c);
  json.end_array();
  json.field("nodes_total", result.slice.nodes_total);
  json.field("nodes_kept", result.slice.nodes_kept);
  json.key("kept");
  json.begin_array();
  for (const SlicedModule& m : result.slice.modules) {
    for (const TextRange r : m.kept) {
      const TextRange t = trimmed(r, text_of(m, result.sources));
      if (t.begin == t.end) continue;
      json.begin_object(JsonWriter::Shape::Inline);
      write_location(json, place_of(m, t, result.sources), result.sources);
      json.end_object();
    }
  }
  json.end_array();
  write_modules(json, result.slice);
  if (result.runs) {
    json.key("runs");
    json.begin_object();
    json.field("calls", result.runs->calls);
    json.field("values", result.runs->values);
    json.field("minimal", result.runs->is_minimal);
    json.field("execution", result.runs->is_of_execution);
    if (result.runs->is_minimal) {
      json.field("candidates", result.runs->candidates);
      json.field("executed", result.runs->executed);
    }
    json.field("seconds", result.runs->seconds);
    json.end_object();
  }
  json.field("graph_seconds", result.graph_seconds);
  json.field("slice_seconds", result.slice_seconds);
  json.field("seconds", result.seconds);
  json.end_object();
  json.finish();
  return out;
}

}  // namespace fathom::report
