#include "cover/variables.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "base/budget.h"
#include "core/walk.h"
#include "flow/trail.h"

namespace fathom::cover {

using core::AstId;
using core::Kind;
using core::NodeId;
using core::RegionId;
using core::VarId;

namespace {

class VariableFinder {
 public:
  VariableFinder(const core::Module& module, const core::Function& function,
                 const ValueOrigins& values)
      : m_(module), function_(function), values_(values) {}

  Variables run() {
    visit_region(function_.body, Around());
    add_pairs();
    return std::move(found_);
  }

 private:
  // Of the nodes of a pattern or guard.
  struct Around {
    std::optional<Point> owner = {};  // of the case or receive
    AstId origin = kNoNode;           // its own
    RegionId body = core::kNoRegion;  // of the clause
    bool is_pattern = false;
    uint32_t offset = 0;  // of the region in its clause
  };

  bool has_name(VarId v) const {
    if (!core::exists(v)) return false;
    // Names of Core's own have spaces.
    const std::string_view name = function_.variables[static_cast<size_t>(v)].text();
    return !name.empty() && name.find(' ') == std::string_view::npos;
  }

  // Depth of recursion: that of blocks in the source, which the parser bounds.
  void visit_region(RegionId region, const Around& around) {
    if (!core::exists(region)) return;
    const std::span<const NodeId> nodes = m_.nodes(region);
    for (uint32_t i = 0; i < nodes.size(); ++i) {
      spend(2);
      trail_.push_back({around.offset + i, flow::kOwn});
      visit(nodes[i], {region, i, around.owner.has_value()}, around);
      trail_.pop_back();
    }
    const auto value = values_.find(region);
    if (value == values_.end() || !has_name(m_[region].value)) return;
    const auto end = static_cast<uint32_t>(nodes.size());
    trail_.push_back({around.offset + end, flow::kOwn});
    add_use(m_[region].value, value->second, {region, end});
    trail_.pop_back();
  }

  void visit_part(RegionId region, uint32_t branch) { visit_part(region, branch, Around()); }
  void visit_part(RegionId region, uint32_t branch, const Around& around) {
    trail_.back().branch = branch;
    visit_region(region, around);
    trail_.back().branch = flow::kOwn;
  }

  void visit(NodeId id, const Point& point, const Around& around) {
    add_uses(id, point, around);
    switch (m_[id].kind) {
      case Kind::Case: {
        const auto view = m_.get<core::node::Case>(id);
        visit_clauses(id, point, view.clauses);
        visit_part(view.otherwise, static_cast<uint32_t>(m_.nodes(view.clauses).size()) + 1);
        break;
      }
      case Kind::Receive: {
        const auto view = m_.get<core::node::Receive>(id);
        visit_clauses(id, point, view.clauses);
        visit_part(view.after, static_cast<uint32_t>(m_.nodes(view.clauses).size()) + 1);
        break;
      }
      case Kind::Try: {
        const auto view = m_.get<core::node::Try>(id);
        visit_part(view.body, flow::kTryBranches);
        visit_part(view.success, flow::kTryBranches + 1);
        visit_part(view.handler, flow::kTryBranches + 2);
        break;
      }
      case Kind::Maybe: {
        const auto view = m_.get<core::node::Maybe>(id);
        visit_part(view.body, flow::kTryBranches);
        visit_part(view.otherwise, flow::kTryBranches + 1);
        break;
      }
      case Kind::Binary:
        for (const NodeId segment : m_.nodes(m_.get<core::node::Binary>(id).segments)) {
          add_uses(segment, point, around);
        }
        break;
      default:
        break;
    }
    core::for_each_definition(m_, id, [&](VarId v) { add_definition(v, id, point, around); });
  }

  void visit_clauses(NodeId owner, const Point& point, core::ListId clauses) {
    constexpr uint32_t kGuards = 1u << 20;
    constexpr uint32_t kBody = 1u << 24;
    uint32_t number = 0;
    for (const NodeId clause : m_.nodes(clauses)) {
      const auto view = m_.get<core::node::Clause>(clause);
      ++number;
      Around around;
      around.owner = point;
      around.origin = m_[owner].origin;
      around.body = view.body;
      around.is_pattern = true;
      visit_part(view.patterns, number, around);
      around.is_pattern = false;
      uint32_t alternative = 0;
      for (const RegionId guard : m_.regions(view.guards)) {
        around.offset = kGuards + (alternative++ << 12);
        visit_part(guard, number, around);
      }
      Around inside;
      inside.offset = kBody;
      visit_part(view.body, number, inside);
    }
  }

  void add_uses(NodeId id, const Point& point, const Around& around) {
    if (m_[id].kind == Kind::NoMatch) return;  // nobody wrote it
    bool is_subject = around.is_pattern;
    core::for_each_use(m_, id, [&](VarId v) {
      const bool is_of_owner = std::exchange(is_subject, false);
      if (!has_name(v)) return;
      if (is_of_owner) {
        add_use(v, around.origin, *around.owner);
      } else {
        add_use(v, m_[id].origin, point);
      }
    });
  }

  void add_use(VarId v, AstId origin, const Point& point) {
    if (!fathom::exists(origin)) return;
    if (!known_uses_.emplace(v, point.region, point.index).second) return;
    found_.uses.push_back({v, origin, point});
    use_trails_.push_back(trail_);
  }

  void add_definition(VarId v, NodeId id, const Point& point, const Around& around) {
    if (!has_name(v) || !fathom::exists(m_[id].origin)) return;
    Point behind{point.region, point.index + 1, false};
    if (around.owner) behind = {around.body, 0, false};
    found_.definitions.push_back({v, m_[id].origin, behind});
    definition_trails_.push_back(trail_);
  }

  void add_pairs() {
    std::vector<std::vector<uint32_t>> defined(function_.variables.size());
    for (uint32_t d = 0; d < found_.definitions.size(); ++d) {
      defined[static_cast<size_t>(found_.definitions[d].variable)].push_back(d);
    }
    for (uint32_t u = 0; u < found_.uses.size(); ++u) {
      const auto& all = defined[static_cast<size_t>(found_.uses[u].variable)];
      for (const uint32_t d : all) {
        spend(1);
        if (all.size() > 1 && !flow::leads_to(definition_trails_[d], use_trails_[u])) continue;
        found_.pairs.push_back({d, u});
      }
    }
  }

  const core::Module& m_;
  const core::Function& function_;
  const ValueOrigins& values_;
  Variables found_;
  flow::Trail trail_;
  std::vector<flow::Trail> definition_trails_;
  std::vector<flow::Trail> use_trails_;
  std::set<std::tuple<VarId, RegionId, uint32_t>> known_uses_;
};

}  // namespace

ValueOrigins value_origins(const core::Module& module) {
  ValueOrigins values;
  for (const core::StatementStart& s : module.statements) {
    if (s.index == module.nodes(s.region).size()) values.emplace(s.region, s.origin);
  }
  return values;
}

Variables find_variables(const core::Module& module, const core::Function& function,
                         const ValueOrigins& values) {
  return VariableFinder(module, function, values).run();
}

}  // namespace fathom::cover
