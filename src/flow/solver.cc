#include "flow/solver.h"

#include <algorithm>
#include <unordered_set>
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
  cell.is_listed = true;
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
  return exists(covered_) && !cell.keeps_all && slot != root(covered_) &&
         cell.values.contains(cover_);
}

void Solver::drop_covered(Slot slot) {
  Cell& cell = cells_[index(slot)];
  if (!may_drop(slot)) return;
  const ObjectSet& covered = cells_[index(root(covered_))].values;
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
  if (from == to || !edges_.insert(pair_of(from, to))) return;
  cells_[index(from)].successors.push_back(to);
  pass(cells_[index(from)].values, to);
}

bool Solver::pass(const ObjectSet& values, Slot to) {
  Cell& target = cells_[index(to)];
  const bool is_covered = may_drop(to);
  const bool is_new = is_covered
                          ? target.values.insert_all(
                                values.without(cells_[index(root(covered_))].values), target.unseen)
                          : target.values.insert_all(values, target.unseen);
  if (!is_new) return false;
  if (!is_covered) drop_covered(to);
  list(to);
  return true;
}

void Solver::watch(Slot slot, Rule rule) {
  slot = root(slot);
  const auto id = static_cast<uint32_t>(rules_.size());
  rules_.push_back(std::move(rule));
  cells_[index(slot)].rules.push_back(id);
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
    cells_[index(slot)].is_listed = false;
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
    rules_[start.rule](seen);
  }
}

void Solver::propagate(Slot slot) {
  const ObjectSet unseen = std::exchange(cells_[index(slot)].unseen, {});
  // Rules and merges may add edges and cells meanwhile; an added edge or rule sees all by itself.
  const size_t edge_count = cells_[index(slot)].successors.size();
  const size_t rule_count = cells_[index(slot)].rules.size();
  for (size_t i = 0; i < edge_count && root(slot) == slot; ++i) {
    spend(1);
    const Slot to = root(cells_[index(slot)].successors[i]);
    if (to == slot) continue;
    if (!pass(unseen, to) && cells_[index(to)].values == cells_[index(slot)].values &&
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
  for (size_t i = 0; i < rule_count; ++i) {
    spend(4);
    rules_[cells_[index(slot)].rules[i]](unseen);
  }
}

// A path of edges leads from `from` to `to`; if another one leads back, all slots on it are one.
void Solver::collapse_cycle(Slot from, Slot to) {
  struct Step {
    Slot slot;
    size_t next;
  };
  // Depth first, and not far: long ways round are seldom cycles.
  constexpr size_t kMostVisits = 200;
  std::vector<Step> path = {{to, 0}};
  std::unordered_set<uint32_t> visited = {static_cast<uint32_t>(to)};
  while (!path.empty() && visited.size() < kMostVisits) {
    spend(1);
    Step& step = path.back();
    const std::vector<Slot>& successors = cells_[index(step.slot)].successors;
    if (step.next == successors.size()) {
      path.pop_back();
      continue;
    }
    const Slot next = root(successors[step.next++]);
    if (next == from) {
      for (const Step& on_cycle : path) merge(from, on_cycle.slot);
      return;
    }
    if (visited.insert(static_cast<uint32_t>(next)).second) path.push_back({next, 0});
  }
}

// Strongly connected components, without recursion. Edges that lead to the same slot by now become
// one.
void Solver::collapse_all_cycles() {
  constexpr uint32_t kDone = UINT32_MAX;
  struct Step {
    Slot slot;
    size_t next;
  };
  std::vector<uint32_t> order(cells_.size());  // 0: not visited
  std::vector<uint32_t> low(cells_.size());
  std::vector<Slot> open;
  std::vector<Step> path;
  std::vector<std::pair<Slot, Slot>> merges;
  uint32_t count = 0;
  const auto visit = [&](Slot slot) {
    std::vector<Slot>& successors = cells_[index(slot)].successors;
    for (Slot& to : successors) to = root(to);
    drop_covered(slot);
    std::ranges::sort(successors);
    successors.erase(std::unique(successors.begin(), successors.end()), successors.end());
    order[index(slot)] = low[index(slot)] = ++count;
    open.push_back(slot);
    path.push_back({slot, 0});
  };
  for (size_t i = 0; i < cells_.size(); ++i) {
    const Slot start{static_cast<uint32_t>(i)};
    if (root(start) != start || order[i] != 0) continue;
    visit(start);
    while (!path.empty()) {
      spend(1);
      const Slot slot = path.back().slot;
      const std::vector<Slot>& successors = cells_[index(slot)].successors;
      if (path.back().next < successors.size()) {
        const Slot to = successors[path.back().next++];
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
  cell.successors.insert(cell.successors.end(), old.successors.begin(), old.successors.end());
  cell.rules.insert(cell.rules.end(), old.rules.begin(), old.rules.end());
  cells_[index(from)].is_listed = old.is_listed;
  cell.keeps_all |= old.keeps_all;
  if (!cell.unseen.empty()) list(into);
}

}  // namespace fathom::flow
