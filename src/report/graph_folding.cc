#include "report/graph_folding.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

namespace fathom::report {

using flow::GraphEdgeKind;
using flow::GraphFunctionId;

namespace {

bool is_throw(GraphEdgeKind kind) {
  return kind == GraphEdgeKind::Throw || kind == GraphEdgeKind::ThrowThrough;
}

// From function to function, each once; without exceptions, which come from nearly everywhere.
std::set<std::pair<size_t, size_t>> arrows(const GraphResult& r) {
  std::set<std::pair<size_t, size_t>> found;
  for (const flow::GraphEdge& edge : r.graph.edges) {
    const GraphFunctionId from = r.graph[edge.from].function;
    const GraphFunctionId to = r.graph[edge.to].function;
    if (from == to || is_throw(edge.kind) || !r.shows(from) || !r.shows(to)) continue;
    found.emplace(static_cast<size_t>(from), static_cast<size_t>(to));
  }
  return found;
}

size_t count_boxes(GraphFolding& folding) {
  folding.count.assign(folding.box.size(), 0);
  for (const size_t box : folding.box) {
    if (box != SIZE_MAX) ++folding.count[box];
  }
  return folding.box.size() - static_cast<size_t>(std::ranges::count(folding.count, size_t{0}));
}

bool may_be_folded(const GraphResult& r, size_t f) {
  const flow::GraphFunction& function = r.graph.functions[f];
  return r.focus != GraphFunctionId{static_cast<uint32_t>(f)} &&
         !r.program.function_of(r.graph[function.import].core).exported;
}

void fold_helpers(const GraphResult& r, GraphFolding& folding) {
  const std::set<std::pair<size_t, size_t>> edges = arrows(r);
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    std::vector<size_t> caller(folding.box.size(), SIZE_MAX);  // its own box: there are several
    for (const auto& [from, to] : edges) {
      const size_t box = folding.box[to];
      const size_t other = folding.box[from];
      if (other == box) continue;
      caller[box] = caller[box] == SIZE_MAX || caller[box] == other ? other : box;
    }
    for (size_t f = 0; f < caller.size(); ++f) {
      // One step at a time: what it would be drawn with may itself have moved.
      const bool is_box = folding.box[f] == f;
      const size_t into = caller[f];
      if (!is_box || into == SIZE_MAX || into == f || folding.box[into] != into) continue;
      if (!may_be_folded(r, f)) continue;
      std::ranges::replace(folding.box, f, into);
      has_changed = true;
    }
  }
}

void fold_modules(const GraphResult& r, GraphFolding& folding) {
  std::map<Atom, size_t> first;
  for (size_t f = 0; f < folding.box.size(); ++f) {
    if (folding.box[f] == SIZE_MAX) continue;
    folding.box[f] = first.try_emplace(r.graph.functions[f].name.module, f).first->second;
  }
}

}  // namespace

GraphFolding fold_functions(const GraphResult& r, size_t most) {
  GraphFolding folding;
  for (size_t f = 0; f < r.graph.functions.size(); ++f) {
    folding.box.push_back(r.shows(GraphFunctionId{static_cast<uint32_t>(f)}) ? f : SIZE_MAX);
  }
  if (count_boxes(folding) <= most) return folding;
  folding.level = GraphFolding::Level::Helpers;
  fold_helpers(r, folding);
  if (count_boxes(folding) <= most) return folding;
  std::set<Atom> modules;
  for (size_t f = 0; f < folding.box.size(); ++f) {
    if (folding.box[f] != SIZE_MAX) modules.insert(r.graph.functions[f].name.module);
  }
  if (modules.size() == 1) return folding;  // one box would say nothing
  folding.level = GraphFolding::Level::Modules;
  fold_modules(r, folding);
  count_boxes(folding);
  return folding;
}

std::vector<bool> open_functions(const GraphResult& r, const std::vector<size_t>& sizes,
                                 size_t most) {
  std::vector<bool> is_open(sizes.size());
  size_t total = 0;
  for (size_t f = 0; f < sizes.size(); ++f) {
    is_open[f] = r.shows(GraphFunctionId{static_cast<uint32_t>(f)});
    if (is_open[f]) total += sizes[f];
  }
  if (total <= most) return is_open;
  is_open.assign(sizes.size(), false);
  if (!r.focus) return is_open;
  std::map<size_t, std::vector<size_t>> around;
  for (const auto& [from, to] : arrows(r)) {
    around[from].push_back(to);
    around[to].push_back(from);
  }
  std::deque<size_t> todo{static_cast<size_t>(*r.focus)};
  std::set<size_t> seen{todo.front()};
  for (total = 0; !todo.empty(); todo.pop_front()) {
    const size_t f = todo.front();
    if (total > 0 && total + sizes[f] > most) continue;
    total += sizes[f];
    is_open[f] = true;
    for (const size_t other : around[f]) {
      if (seen.insert(other).second) todo.push_back(other);
    }
  }
  return is_open;
}

}  // namespace fathom::report
