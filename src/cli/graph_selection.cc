#include "graph_selection.h"

#include <fmt/format.h>

#include <charconv>
#include <deque>
#include <set>

#include "report/places.h"

namespace fathom {
namespace {

struct TextPlace {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;  // 0: none
};

// FILE:LINE[:COLUMN]
std::optional<TextPlace> parse_place(std::string text) {
  std::vector<uint32_t> numbers;
  while (numbers.size() < 2) {
    const size_t colon = text.rfind(':');
    if (colon == std::string::npos || colon + 1 == text.size()) break;
    uint32_t number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data() + colon + 1, end, number);
    if (error != std::errc{} || rest != end) break;
    numbers.push_back(number);
    text.resize(colon);
  }
  if (numbers.empty()) return std::nullopt;
  return TextPlace{text, numbers.back(), numbers.size() == 2 ? numbers.front() : 0};
}

bool is_there(const Place& place, const TextPlace& wanted, const SourceMap& sources) {
  const std::string file = report::place_file(place, sources);
  if (file != wanted.file && !file.ends_with("/" + wanted.file)) return false;
  if (!place.span.begin) return wanted.column == 0 && place.line == wanted.line;
  const LineColumn begin = sources.line_column(place.span.begin);
  if (wanted.column == 0) return begin.line == wanted.line;
  const LineColumn end = sources.line_column(place.span.end);
  const auto at = std::pair(wanted.line, wanted.column);
  return std::pair(begin.line, begin.column) <= at && at < std::pair(end.line, end.column);
}

}  // namespace

Result<std::vector<bool>> select_nodes(const report::GraphResult& r, const std::string& text) {
  std::vector<bool> selected(r.graph.nodes.size());
  bool is_any = false;
  const std::optional<TextPlace> wanted = parse_place(text);
  for (size_t i = 0; i < selected.size(); ++i) {
    const flow::GraphNode& node = r.graph.nodes[i];
    selected[i] = report::function_text(r.graph[node.function].name) == text ||
                  (wanted && is_there(r.program.place_of(node.core), *wanted, r.sources));
    is_any = is_any || selected[i];
  }
  if (is_any) return selected;
  return Error{
      fmt::format("there is nothing at {}; --why takes Module:Function/Arity, or "
                  "FILE:LINE, or FILE:LINE:COLUMN",
                  text)};
}

std::optional<flow::GraphFunctionId> function_named(const flow::Graph& graph,
                                                    const std::string& name) {
  for (size_t i = 0; i < graph.functions.size(); ++i) {
    if (report::function_text(graph.functions[i].name) == name)
      return flow::GraphFunctionId{static_cast<uint32_t>(i)};
  }
  return std::nullopt;
}

Result<std::vector<bool>> select_functions(const flow::Graph& graph, const std::string& focus,
                                           uint32_t depth) {
  if (focus.empty()) return std::vector<bool>();
  std::vector<uint32_t> distance(graph.functions.size(), UINT32_MAX);
  std::deque<size_t> todo;
  const auto found = function_named(graph, focus);
  if (!found) {
    return Error{
        fmt::format("there is no function {}; --focus takes Module:Function/Arity", focus)};
  }
  todo.push_back(static_cast<size_t>(*found));
  distance[todo.front()] = 0;
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
    if (distance[at] == depth) continue;
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

}  // namespace fathom
