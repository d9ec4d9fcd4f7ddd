// Control dependence in one function.
//
// A point is a node of Core, or the beginning of a region. A point is control dependent on a
// node if the outcome of the node decides whether the point is reached: it postdominates one
// successor of the node, but not all (Ferrante, Ottenstein, Warren 1987).
//
// There are no loops in a function of Core, and the points are made from its end to its beginning:
// so all successors of a point are there before it, and its immediate postdominator is their
// nearest common ancestor in the tree of those.
//
// Where execution ends for good (an exception that nobody catches, a receive that waits for ever)
// there is no later value that could be told wrongly: such an end postdominates nothing. So what
// follows `{ok, X} = f()` does not depend on whether that matches. What lies on a way that leads
// only to such ends depends on whatever leads there.
//
// Cost: linear in the nodes, times the height of the tree for the branches.
#pragma once

#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/core.h"
#include "core/match_kinds.h"
#include "slice/test_outcomes.h"

namespace fathom::slice {

enum class PointId : uint32_t {};
inline constexpr PointId kNoPoint{0xFFFFFFFF};
constexpr bool exists(PointId point) { return point != kNoPoint; }

// What is known of the function beside its code.
struct ControlFacts {
  std::function<bool(core::NodeId)> raises;        // whether it may end in an exception
  std::function<bool(core::RegionId)> is_entered;  // whether control may come there
  const TestOutcomes& tests;
  bool is_caught = false;  // an exception that leaves the function may be caught
};

class Control {
 public:
  Control(const core::Module& module, core::FunctionId function, const ControlFacts& facts);

  size_t size() const { return points_.size(); }
  // None: control never comes there.
  PointId point(core::NodeId node) const { return at(nodes_, first_node_, node); }
  PointId point(core::RegionId region) const { return at(regions_, first_region_, region); }
  // None: it is the beginning of a region.
  core::NodeId node(PointId point) const { return points_[index(point)].node; }
  bool is_node(PointId point) const { return points_[index(point)].is_node; }
  // The nodes on whose outcome it depends whether the point is reached.
  std::span<const PointId> controllers(PointId point) const {
    const size_t i = index(point);
    return std::span(controllers_).subspan(starts_[i], starts_[i + 1] - starts_[i]);
  }
  // Whether the outcome of the node decides anything here.
  bool is_branch(PointId point) const { return points_[index(point)].is_branch; }

  // From now on what did not happen counts as what cannot: control never comes there.
  void leave_out(const std::function<bool(core::NodeId)>& is_executed,
                 const std::function<bool(core::RegionId)>& is_region_entered);

  // Nodes whose exceptions leave the function, and those whose exceptions a Try catches.
  std::span<const core::NodeId> leaving() const { return leaving_; }
  std::span<const core::NodeId> caught_by(core::NodeId try_node) const;
  // Those that leave to the `otherwise` of a Maybe.
  std::span<const core::NodeId> left_to(core::NodeId maybe_node) const;

 private:
  struct Point {
    core::NodeId node{};
    bool is_node = false;
    bool is_branch = false;
    bool stops = false;         // execution ends there for good
    PointId parent = kNoPoint;  // the immediate postdominator
    uint32_t depth = 0;
  };
  // Where control goes if it does not go on.
  struct Targets {
    PointId fail = kNoPoint;
    PointId fail_for_good = kNoPoint;  // if no clause is left
    PointId handler = kNoPoint;        // none: nobody catches
    PointId leave = kNoPoint;
    std::vector<core::NodeId>* raised = nullptr;  // gets those that go to the handler
    std::vector<core::NodeId>* left = nullptr;
  };
  static constexpr PointId kEnd{0}, kStop{1};

  static size_t index(PointId point) { return static_cast<size_t>(point); }
  template <class Id>
  static PointId at(const std::vector<PointId>& points, uint32_t first, Id id) {
    const uint32_t i = static_cast<uint32_t>(id) - first;
    return i < points.size() ? points[i] : kNoPoint;
  }
  void number(core::RegionId body);
  PointId add(std::span<const PointId> successors);
  PointId add_node(core::NodeId node, std::span<const PointId> successors);
  PointId nearest(PointId a, PointId b) const;
  bool is_stopping(PointId point) const { return points_[index(point)].stops; }
  void add_controllers(PointId branch, std::span<const PointId> successors);
  void index_controllers();

  PointId region(core::RegionId id, PointId next, const Targets& targets);
  PointId node(core::NodeId id, PointId next, const Targets& targets);
  PointId plain(core::NodeId id, PointId next, const Targets& targets);
  PointId clauses(core::ListId list, PointId otherwise, PointId next, const Targets& targets);
  PointId try_node(core::NodeId id, PointId next, const Targets& targets);
  PointId maybe_node(core::NodeId id, PointId next, const Targets& targets);

  const core::Module& module_;
  const ControlFacts& facts_;
  std::vector<Point> points_;
  std::vector<PointId> nodes_;    // by NodeId, from first_node_ on
  std::vector<PointId> regions_;  // by RegionId, from first_region_ on
  uint32_t first_node_ = 0, first_region_ = 0;
  std::vector<std::pair<PointId, PointId>> pairs_;  // point, controller
  std::vector<uint32_t> starts_;
  std::vector<PointId> controllers_;
  std::vector<core::NodeId> leaving_;
  std::unordered_map<core::NodeId, std::vector<core::NodeId>> caught_;
  std::unordered_map<core::NodeId, std::vector<core::NodeId>> left_;
};

using core::is_test;

}  // namespace fathom::slice
