#include "slice/control.h"

#include <algorithm>

#include "base/budget.h"
#include "core/raise.h"
#include "core/walk.h"

namespace fathom::slice {

using core::Kind;
using core::NodeId;
using core::RegionId;

Control::Control(const core::Module& module, core::FunctionId function, const ControlFacts& facts)
    : module_(module), facts_(facts) {
  const RegionId body = module[function].body;
  number(body);
  points_.resize(2);
  points_[0].parent = kEnd;
  points_[1].parent = kStop;
  points_[1].stops = true;
  Targets targets;
  targets.handler = facts.is_caught ? kEnd : kNoPoint;
  targets.raised = &leaving_;
  region(body, kEnd, targets);
  index_controllers();
}

void Control::number(RegionId body) {
  uint32_t first_node = UINT32_MAX, last_node = 0, first_region = UINT32_MAX, last_region = 0;
  const auto see_region = [&](RegionId r) {
    first_region = std::min(first_region, static_cast<uint32_t>(r));
    last_region = std::max(last_region, static_cast<uint32_t>(r));
  };
  see_region(body);
  core::for_each_node(module_, body, [&](NodeId id) {
    first_node = std::min(first_node, static_cast<uint32_t>(id));
    last_node = std::max(last_node, static_cast<uint32_t>(id));
    core::for_each_region(module_, id, see_region);
  });
  first_node_ = first_node;
  first_region_ = first_region;
  nodes_.assign(last_node - first_node + 1, kNoPoint);
  regions_.assign(last_region - first_region + 1, kNoPoint);
}

void Control::leave_out(const std::function<bool(NodeId)>& is_executed,
                        const std::function<bool(RegionId)>& is_region_entered) {
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (exists(nodes_[i]) && !is_executed(NodeId{first_node_ + i})) nodes_[i] = kNoPoint;
  }
  for (uint32_t i = 0; i < regions_.size(); ++i) {
    if (exists(regions_[i]) && !is_region_entered(RegionId{first_region_ + i})) {
      regions_[i] = kNoPoint;
    }
  }
}

std::span<const NodeId> Control::caught_by(NodeId try_node) const {
  const auto found = caught_.find(try_node);
  if (found == caught_.end()) return {};
  return found->second;
}

std::span<const NodeId> Control::left_to(NodeId maybe_node) const {
  const auto found = left_.find(maybe_node);
  if (found == left_.end()) return {};
  return found->second;
}

// ---- Postdominators ---------------------------------------------------------

PointId Control::nearest(PointId a, PointId b) const {
  while (a != b) {
    if (points_[index(a)].depth >= points_[index(b)].depth) {
      a = points_[index(a)].parent;
    } else {
      b = points_[index(b)].parent;
    }
  }
  return a;
}

PointId Control::add(std::span<const PointId> successors) {
  spend(1);
  PointId parent = kNoPoint;
  bool goes_on = false;
  for (const PointId s : successors) {
    const bool is_live = !is_stopping(s);
    if (!exists(parent) || (is_live && !goes_on)) {
      parent = s;
    } else if (is_live == goes_on) {
      parent = nearest(parent, s);
    }
    goes_on = goes_on || is_live;
  }
  if (!exists(parent)) parent = kStop;
  const PointId id{static_cast<uint32_t>(points_.size())};
  points_.push_back(
      {.stops = is_stopping(parent), .parent = parent, .depth = points_[index(parent)].depth + 1});
  if (successors.size() > 1) add_controllers(id, successors);
  return id;
}

PointId Control::add_node(NodeId node, std::span<const PointId> successors) {
  const PointId id = add(successors);
  points_[index(id)].node = node;
  points_[index(id)].is_node = true;
  nodes_[static_cast<uint32_t>(node) - first_node_] = id;
  return id;
}

void Control::add_controllers(PointId branch, std::span<const PointId> successors) {
  const PointId end = points_[index(branch)].parent;
  for (const PointId s : successors) {
    for (PointId p = s; p != end && points_[index(p)].depth > 0; p = points_[index(p)].parent) {
      pairs_.emplace_back(p, branch);
      points_[index(branch)].is_branch = true;
    }
  }
}

void Control::index_controllers() {
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  starts_.assign(points_.size() + 1, 0);
  for (const auto& [point, controller] : pairs_) {
    ++starts_[index(point) + 1];
    controllers_.push_back(controller);
  }
  for (size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  pairs_.clear();
}

// ---- Control flow -----------------------------------------------------------

PointId Control::region(RegionId id, PointId next, const Targets& targets) {
  const std::span<const NodeId> nodes = module_.nodes(id);
  for (size_t i = nodes.size(); i-- > 0;) next = node(nodes[i], next, targets);
  const PointId start = add(std::span(&next, 1));
  regions_[static_cast<uint32_t>(id) - first_region_] = start;
  return start;
}

PointId Control::node(NodeId id, PointId next, const Targets& targets) {
  switch (module_[id].kind) {
    case Kind::Case: {
      const auto view = module_.get<core::node::Case>(id);
      PointId otherwise = kStop;
      if (exists(view.otherwise) && facts_.is_entered(view.otherwise)) {
        otherwise = region(view.otherwise, next, targets);
      }
      const PointId first = clauses(view.clauses, otherwise, next, targets);
      return add_node(id, std::span(&first, 1));
    }
    case Kind::Receive: {
      const auto view = module_.get<core::node::Receive>(id);
      PointId after = kStop;
      if (exists(view.after)) after = region(view.after, next, targets);
      std::vector<PointId> successors{clauses(view.clauses, after, next, targets)};
      if (exists(targets.handler) && facts_.raises(id)) {
        successors.push_back(targets.handler);
        targets.raised->push_back(id);
      }
      if (exists(view.after)) successors.push_back(after);
      return add_node(id, successors);
    }
    case Kind::Try:
      return try_node(id, next, targets);
    case Kind::Maybe:
      return maybe_node(id, next, targets);
    default:
      return plain(id, next, targets);
  }
}

PointId Control::plain(NodeId id, PointId next, const Targets& targets) {
  const core::Node& n = module_[id];
  const core::Raises raises = core::schema_of(n.kind).raises;
  std::vector<PointId> successors;
  if (n.kind == Kind::Leave) {
    if (targets.left) targets.left->push_back(id);
    return add_node(id, std::span(&targets.leave, exists(targets.leave) ? 1 : 0));
  }
  if (n.in_guard || is_test(n.kind)) {
    if (raises != core::Raises::Always) successors.push_back(next);
    const bool fails = (is_test(n.kind) && !facts_.tests.never_fail.contains(id)) ||
                       raises == core::Raises::Always || facts_.raises(id);
    const PointId fail =
        facts_.tests.fail_for_good.contains(id) ? targets.fail_for_good : targets.fail;
    if (fails && exists(fail)) successors.push_back(fail);
    return add_node(id, successors);
  }
  if (raises != core::Raises::Always) successors.push_back(next);
  if (raises != core::Raises::Never && exists(targets.handler) &&
      (raises == core::Raises::Always || facts_.raises(id))) {
    successors.push_back(targets.handler);
    targets.raised->push_back(id);
  }
  return add_node(id, successors);
}

PointId Control::clauses(core::ListId list, PointId otherwise, PointId next,
                         const Targets& targets) {
  const std::span<const NodeId> all = module_.nodes(list);
  PointId fail = otherwise;
  const auto is_entered = [&](NodeId clause) {
    return facts_.is_entered(module_.get<core::node::Clause>(clause).body);
  };
  // If none is ever taken, control does not come to what follows; but that is written, and with it
  // what it refers to.
  const bool is_any = std::any_of(all.begin(), all.end(), is_entered);
  for (size_t i = all.size(); i-- > 0;) {
    const auto clause = module_.get<core::node::Clause>(all[i]);
    if (is_any && !is_entered(all[i])) continue;
    const PointId body = region(clause.body, next, targets);
    Targets tests = targets;
    const std::span<const RegionId> guards = module_.regions(clause.guards);
    PointId after_patterns = body;
    PointId next_guard = fail;
    // Where execution ends, nothing is decided; elsewhere the later clauses are written in between.
    const PointId fail_for_good = is_stopping(otherwise) ? otherwise : fail;
    for (size_t g = guards.size(); g-- > 0;) {
      tests.fail = next_guard;
      tests.fail_for_good = g + 1 == guards.size() ? fail_for_good : next_guard;
      next_guard = region(guards[g], body, tests);
      after_patterns = next_guard;
    }
    tests.fail = fail;
    tests.fail_for_good = fail_for_good;
    const PointId patterns = region(clause.patterns, after_patterns, tests);
    fail = add_node(all[i], std::span(&patterns, 1));
  }
  return fail;
}

PointId Control::try_node(NodeId id, PointId next, const Targets& targets) {
  const auto view = module_.get<core::node::Try>(id);
  const PointId success = region(view.success, next, targets);
  Targets inner = targets;
  inner.raised = &caught_[id];
  inner.handler = facts_.is_entered(view.handler) ? region(view.handler, next, targets) : kNoPoint;
  const PointId body = region(view.body, success, inner);
  return add_node(id, std::span(&body, 1));
}

PointId Control::maybe_node(NodeId id, PointId next, const Targets& targets) {
  const auto view = module_.get<core::node::Maybe>(id);
  Targets inner = targets;
  inner.leave =
      facts_.is_entered(view.otherwise) ? region(view.otherwise, next, targets) : kNoPoint;
  inner.left = &left_[id];
  const PointId body = region(view.body, next, inner);
  return add_node(id, std::span(&body, 1));
}

}  // namespace fathom::slice
