#include "flow/solver.h"

#include <algorithm>
#include <utility>

#include "base/budget.h"

namespace fathom::flow {
namespace {

uint64_t pair_of(Slot from, Slot to) {
  return uint64_t{static_cast<uint32_t>(from)} << 32 | static_cast<uint32_t>(to);
}

}  // namespace

Slot Solver::add_slots(size_t count) {
  const auto first = static_cast<uint32_t>(cells_.size());
  cells_.resize(cells_.size() + count);
  for (size_t i = 0; i < count; ++i) parents_.push_back(Slot{first} + i);
  return Slot{first};
}

Slot Solver::root(Slot slot) const {
  while (parents_[index(slot)] != slot) {
    Slot& parent = parents_[index(slot)];
    parent = parents_[index(parent)];
    slot = parent;
  }
  return slot;
}

void Solver::list(Slot slot) {
  Cell& cell = cells_[index(slot)];
  if (cell.is_listed) return;
  cell.is_listed = 1;
  todo_.push_back(slot);
}

void Solver::add(Slot slot, ObjectId object) {
  slot = root(slot);
  Cell& cell = cells_[index(slot)];
  if (!cell.values.insert(object)) return;
  cell.unseen.insert(object);
  if (object == cover_) drop_covered(slot);
  list(slot);
}

bool Solver::may_drop(Slot slot) const {
  const Cell& cell = cells_[index(slot)];
  return exists(covered_) && !cell.keeps_all && slot != covered_ && cell.values.contains(cover_);
}

void Solver::drop_covered(Slot slot) {
  Cell& cell = cells_[index(slot)];
  if (!may_drop(slot)) return;
  const ObjectSet& covered = cells_[index(covered_)].values;
  if (cell.values.size() == 1) return;
  const bool is_unseen = cell.unseen.contains(cover_);
  cell.values = cell.values.without(covered);
  cell.values.insert(cover_);
  cell.unseen = cell.unseen.without(covered);
  if (is_unseen) cell.unseen.insert(cover_);
}

void Solver::add_edge(Slot from, Slot to) {
  from = root(from);
  to = root(to);
  if (from == to || has_edge(from, to)) return;
  Cell& cell = cells_[index(from)];
  edges_.push_back({to, cell.first_edge});
  cell.first_edge = static_cast<uint32_t>(edges_.size() - 1);
  ++cell.edge_count;
  pass(cell.values, to);
}

// Of few edges, each is looked at; of many, the pairs are remembered, so there may be one twice
// that was added when they were few.
bool Solver::has_edge(Slot from, Slot to) {
  constexpr uint32_t kFew = 8;
  const Cell& cell = cells_[index(from)];
  if (cell.edge_count > kFew) return !known_edges_.insert(pair_of(from, to));
  for (uint32_t e = cell.first_edge; e != kNone; e = edges_[e].next) {
    if (edges_[e].to == to) return true;
  }
  return false;
}

bool Solver::pass(const ObjectSet& values, Slot to) {
  Cell& target = cells_[index(to)];
  const bool is_covered = may_drop(to);
  const bool is_new =
      is_covered
          ? target.values.insert_all(values.without(cells_[index(covered_)].values), target.unseen)
          : target.values.insert_all(values, target.unseen);
  if (!is_new) return false;
  if (!is_covered) drop_covered(to);
  list(to);
  return true;
}

void Solver::watch(Slot slot, Rule rule) {
  slot = root(slot);
  const auto id = static_cast<uint32_t>(rules_.size());
  rules_.push_back({std::move(rule), cells_[index(slot)].first_rule});
  cells_[index(slot)].first_rule = id;
  if (!cells_[index(slot)].values.empty()) starts_.push_back({id, slot});
}

void Solver::run() {
  while (true) {
    start_rules();
    if (edges_.size() >= next_collapse_) {
      collapse_all_cycles();
      next_collapse_ = 2 * edges_.size();
    }
    if (todo_.empty()) return;
    const Slot slot = todo_.front();
    todo_.pop_front();
    cells_[index(slot)].is_listed = 0;
    if (root(slot) == slot) propagate(slot);
  }
}

void Solver::start_rules() {
  // Rules may start others.
  while (!starts_.empty()) {
    const Start start = starts_.back();
    starts_.pop_back();
    spend(4);
    const ObjectSet seen = values(start.slot);
    rules_[start.rule].rule(seen);
  }
}

void Solver::propagate(Slot slot) {
  const ObjectSet unseen = std::exchange(cells_[index(slot)].unseen, {});
  // Rules and merges may add edges and rules meanwhile, before these; they see all by themselves.
  for (uint32_t e = cells_[index(slot)].first_edge; e != kNone && root(slot) == slot;
       e = edges_[e].next) {
    spend(1);
    const Slot to = root(edges_[e].to);
    if (to == slot) continue;
    if (!pass(unseen, to) && !stays_apart(slot) && !stays_apart(to) &&
        cells_[index(to)].values == cells_[index(slot)].values &&
        checked_.insert(pair_of(slot, to))) {
      collapse_cycle(slot, to);
    }
  }
  if (root(slot) != slot) {  // merged: the rest of it is seen from there
    const Slot into = root(slot);
    cells_[index(into)].unseen.insert_all(unseen);
    list(into);
    return;
  }
  for (uint32_t r = cells_[index(slot)].first_rule; r != kNone; r = rules_[r].next) {
    spend(4);
    rules_[r].rule(unseen);
  }
}

// A path of edges leads from `from` to `to`; if another one leads back, all slots on it are one.
void Solver::collapse_cycle(Slot from, Slot to) {
  struct Step {
    Slot slot;
    uint32_t edge;
  };
  // Depth first, and not far: long ways round are seldom cycles.
  constexpr size_t kMostVisits = 200;
  visited_.resize(cells_.size());
  ++look_;
  size_t visits = 0;
  std::vector<Step> path;
  const auto visit = [&](Slot slot) {
    visited_[index(slot)] = look_;
    ++visits;
    path.push_back({slot, cells_[index(slot)].first_edge});
  };
  visit(to);
  while (!path.empty() && visits < kMostVisits) {
    spend(1);
    Step& step = path.back();
    if (step.edge == kNone) {
      path.pop_back();
      continue;
    }
    const Edge edge = edges_[step.edge];
    step.edge = edge.next;
    const Slot next = root(edge.to);
    if (stays_apart(next)) continue;
    if (next == from) {
      for (const Step& on_cycle : path) merge(from, on_cycle.slot);
      return;
    }
    if (visited_[index(next)] != look_) visit(next);
  }
}

void Solver::drop_equal_edges(Slot slot, std::vector<Slot>& last_from) {
  Cell& cell = cells_[index(slot)];
  uint32_t* link = &cell.first_edge;
  cell.edge_count = 0;
  while (*link != kNone) {
    Edge& edge = edges_[*link];
    edge.to = root(edge.to);
    if (edge.to == slot || last_from[index(edge.to)] == slot) {
      *link = edge.next;
      continue;
    }
    last_from[index(edge.to)] = slot;
    ++cell.edge_count;
    link = &edge.next;
  }
}

// Strongly connected components, without recursion.
void Solver::collapse_all_cycles() {
  constexpr uint32_t kDone = UINT32_MAX;
  struct Step {
    Slot slot;
    uint32_t edge;
  };
  std::vector<Slot> last_from(cells_.size(), kNoSlot);
  std::vector<uint32_t> order(cells_.size());  // 0: not visited
  std::vector<uint32_t> low(cells_.size());
  std::vector<Slot> open;
  std::vector<Step> path;
  std::vector<std::pair<Slot, Slot>> merges;
  uint32_t count = 0;
  const auto visit = [&](Slot slot) {
    drop_equal_edges(slot, last_from);
    drop_covered(slot);
    order[index(slot)] = low[index(slot)] = ++count;
    open.push_back(slot);
    path.push_back({slot, cells_[index(slot)].first_edge});
  };
  for (size_t i = 0; i < cells_.size(); ++i) {
    const Slot start{static_cast<uint32_t>(i)};
    if (root(start) != start || order[i] != 0) continue;
    visit(start);
    while (!path.empty()) {
      spend(1);
      const Slot slot = path.back().slot;
      if (path.back().edge != kNone) {
        const Edge edge = edges_[path.back().edge];
        path.back().edge = edge.next;
        const Slot to = edge.to;
        if (stays_apart(to)) continue;
        if (order[index(to)] == 0) {
          visit(to);
        } else if (order[index(to)] != kDone) {
          low[index(slot)] = std::min(low[index(slot)], order[index(to)]);
        }
        continue;
      }
      path.pop_back();
      if (!path.empty()) {
        uint32_t& below = low[index(path.back().slot)];
        below = std::min(below, low[index(slot)]);
      }
      if (low[index(slot)] != order[index(slot)]) continue;
      while (true) {
        const Slot member = open.back();
        open.pop_back();
        order[index(member)] = kDone;
        if (member == slot) break;
        merges.emplace_back(slot, member);
      }
    }
  }
  for (const auto& [into, from] : merges) merge(into, from);
}

void Solver::merge(Slot into, Slot from) {
  into = root(into);
  from = root(from);
  if (into == from) return;
  ++merged_;
  parents_[index(from)] = into;
  Cell old = std::exchange(cells_[index(from)], {});
  Cell& cell = cells_[index(into)];
  // Where they differ, the edges and rules of each have to see what only the other had.
  cell.unseen.insert_all(old.unseen);
  if (cell.values != old.values) {
    cell.unseen.insert_all(cell.values.without(old.values));
    cell.values.insert_all(old.values, cell.unseen);
  }
  // Those of the other come first: whoever goes through these now does not see them.
  const auto join = [](auto& list, uint32_t& first, uint32_t others) {
    uint32_t* end = &others;
    while (*end != kNone) end = &list[*end].next;
    *end = first;
    first = others;
  };
  join(edges_, cell.first_edge, old.first_edge);
  join(rules_, cell.first_rule, old.first_rule);
  cell.edge_count += old.edge_count;
  cells_[index(from)].is_listed = old.is_listed;
  if (!cell.unseen.empty()) list(into);
}

}  // namespace fathom::flow
