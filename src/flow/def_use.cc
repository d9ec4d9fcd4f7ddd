#include "flow/def_use.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/budget.h"
#include "core/walk.h"
#include "flow/trail.h"

namespace fathom::flow {

using core::GlobalNodeId;
using core::Kind;
using core::Module;
using core::NodeId;
using core::RegionId;
using core::VarId;

class DefUseMaker {
 public:
  DefUseMaker(DefUse& result, const Graph& graph) : out_(result), graph_(graph) {}

  void visit_function(GraphFunctionId id) {
    function_ = id;
    const FunctionCode& code = graph_[id].code;
    m_ = code.module;
    const core::Function& f = (*m_)[code.function];
    first_definition_ = out_.definitions_.size();
    first_use_ = out_.uses_.size();
    out_.functions_[id].uses.resize(f.variables.size());
    selected_.assign(f.variables.size(), false);
    trail_.clear();
    visit_region(f.body, {});
    add_direct(f.variables.size());
  }

 private:
  struct Around {
    std::optional<NodeId> owner = {};  // of a pattern or guard
    uint32_t clause = 0;
    bool is_receive = false;
    uint32_t offset = 0;  // of the region in its clause
  };

  // Depth of recursion: that of blocks in the source, which the parser bounds.
  void visit_region(RegionId region, const Around& around) {
    if (!core::exists(region)) return;
    uint32_t index = around.offset;
    for (const NodeId id : m_->nodes(region)) {
      spend(4);
      trail_.push_back({index++, kOwn});
      visit(id, around);
      trail_.pop_back();
    }
  }

  void visit_part(RegionId region, uint32_t branch, const Around& around) {
    trail_.back().branch = branch;
    visit_region(region, around);
    trail_.back().branch = kOwn;
  }

  // The value of a region is used by the node that the region belongs to.
  void use_value(RegionId region, NodeId id, const Around& around) {
    if (core::exists(region) && core::exists((*m_)[region].value))
      add_use(id, (*m_)[region].value, kPlain, around);
  }

  void visit(NodeId id, const Around& around) {
    add_uses(id, around);
    switch ((*m_)[id].kind) {
      case Kind::Case: {
        const auto view = m_->get<core::node::Case>(id);
        visit_clauses(id, view.clauses, false);
        visit_part(view.otherwise, otherwise(view.clauses), {});
        use_values(id, around);
        break;
      }
      case Kind::Receive: {
        const auto view = m_->get<core::node::Receive>(id);
        add_definition(id, view.message, kMessageVariant, around);
        visit_clauses(id, view.clauses, true);
        visit_part(view.after, otherwise(view.clauses), {});
        use_values(id, around);
        return add_result(id, kPlain, around);
      }
      case Kind::Try:
        return visit_try(id, around);
      case Kind::Maybe: {
        const auto view = m_->get<core::node::Maybe>(id);
        visit_part(view.body, kTryBranches, {});
        visit_part(view.otherwise, kTryBranches + 1, {});
        use_values(id, around);
        break;
      }
      default:
        break;
    }
    add_definitions(id, around);
  }

  uint32_t otherwise(core::ListId clauses) const {
    return static_cast<uint32_t>(m_->nodes(clauses).size()) + 1;
  }

  void use_values(NodeId id, const Around& around) {
    core::for_each_value_region(*m_, id, [&](RegionId r) { use_value(r, id, around); });
  }

  void visit_try(NodeId id, const Around& around) {
    const auto view = m_->get<core::node::Try>(id);
    visit_part(view.body, kTryBranches, {});
    use_value(view.body, id, around);
    for (const VarId v : {view.value, view.exception_class, view.reason, view.trace}) {
      if (core::exists(v)) add_definition(id, v, kPlain, around);
    }
    visit_part(view.success, kTryBranches + 1, {});
    visit_part(view.handler, kTryBranches + 2, {});
    use_values(id, around);
    add_result(id, kPlain, around);
  }

  // Patterns, guards and body of a clause follow each other.
  void visit_clauses(NodeId owner, core::ListId clauses, bool is_receive) {
    constexpr uint32_t kGuards = 1u << 20;
    constexpr uint32_t kBody = 1u << 24;
    uint32_t number = 0;
    for (const NodeId clause : m_->nodes(clauses)) {
      const auto view = m_->get<core::node::Clause>(clause);
      ++number;
      visit_part(view.patterns, number, {owner, number, is_receive, 0});
      uint32_t alternative = 0;
      for (const RegionId guard : m_->regions(view.guards)) {
        visit_part(guard, number, {owner, number, false, kGuards + (alternative++ << 12)});
      }
      visit_part(view.body, number, {.offset = kBody});
    }
  }

  // ---- Uses -----------------------------------------------------------------

  void add_uses(NodeId id, const Around& around) {
    const GraphNodeKind kind = kind_of(id);
    const bool is_structure =
        is_any(id, {Kind::Tuple, Kind::Cons, Kind::Map, Kind::MapPut, Kind::MapReplace});
    size_t index = 0;
    core::for_each_use(*m_, id, [&](VarId v) {
      uint8_t variants = kPlain;
      if (is_structure) variants = kStructureVariant;
      if ((*m_)[id].kind == Kind::Fun) variants = kFunVariant;
      if (kind == GraphNodeKind::Send && index == 1) variants = kMessageVariant;
      add_use(id, v, variants, around);
      ++index;
    });
  }

  bool is_any(NodeId id, std::initializer_list<Kind> kinds) const {
    return std::ranges::find(kinds, (*m_)[id].kind) != kinds.end();
  }
  GraphNodeKind kind_of(NodeId id) const {
    if ((*m_)[id].kind != Kind::CallRemote) return GraphNodeKind::Compute;
    const auto view = m_->get<core::node::CallRemote>(id);
    const std::string_view name = view.name.text();
    return view.module.text() == "erlang" &&
                   (name == "!" || name == "send" || name == "send_nosuspend")
               ? GraphNodeKind::Send
               : GraphNodeKind::Compute;
  }

  void add_use(NodeId id, VarId v, uint8_t variants, const Around& around) {
    const UseId use{static_cast<uint32_t>(out_.uses_.size())};
    out_.uses_.push_back(occurrence(id, v, variants, around));
    use_trails_.push_back(trail_);
    out_.functions_[function_].uses[static_cast<size_t>(v)].push_back(use);
  }

  // ---- Definitions ----------------------------------------------------------

  void add_definitions(NodeId id, const Around& around) {
    switch ((*m_)[id].kind) {
      case Kind::Entry: {
        const core::Function& f = (*m_)[graph_[function_].code.function];
        const auto parameters = m_->vars(m_->get<core::node::Entry>(id).parameters);
        for (size_t i = 0; i < parameters.size(); ++i) {
          const bool is_captured = i >= parameters.size() - f.captures;
          if (core::exists(parameters[i]))
            add_definition(id, parameters[i], is_captured ? kFunVariant : kPlain, around);
        }
        return;
      }
      case Kind::MatchTuple:
      case Kind::MatchCons:
      case Kind::MatchKey:
      case Kind::MatchSegment:
        return core::for_each_definition(*m_, id, [&](VarId v) {
          selected_[static_cast<size_t>(v)] = true;
          add_definition(id, v, kStructureVariant, around);
        });
      case Kind::Bind: {
        const VarId subject = m_->get<core::node::Bind>(id).subject;
        const bool is_part = selected_[static_cast<size_t>(subject)];
        if (is_part) selected_[static_cast<size_t>((*m_)[id].result)] = true;
        return add_result(id, is_part ? kStructureVariant : kPlain, around);
      }
      case Kind::CallRemote:
        return add_result(id, selects(id) ? kStructureVariant : kPlain, around);
      default:
        return add_result(id, kPlain, around);
    }
  }

  // The functions that select from a structure.
  bool selects(NodeId id) const {
    const auto view = m_->get<core::node::CallRemote>(id);
    static constexpr std::string_view kNames[] = {"element", "hd", "tl", "map_get"};
    return view.module.text() == "erlang" &&
           std::ranges::find(kNames, view.name.text()) != std::end(kNames);
  }

  void add_result(NodeId id, uint8_t variants, const Around& around) {
    if (core::exists((*m_)[id].result)) add_definition(id, (*m_)[id].result, variants, around);
  }

  void add_definition(NodeId id, VarId v, uint8_t variants, const Around& around) {
    if (around.is_receive) variants |= kMessageVariant;
    out_.definitions_.push_back(occurrence(id, v, variants, around));
    definition_trails_.push_back(trail_);
  }

  Occurrence occurrence(NodeId id, VarId v, uint8_t variants, const Around& around) const {
    Occurrence o{.node = m_->global(id), .owner = m_->global(around.owner.value_or(id))};
    if (around.owner) o.clause = around.clause;
    o.function = function_;
    o.variable = v;
    o.variants = variants;
    return o;
  }

  // ---- Pairs ----------------------------------------------------------------

  void add_direct(size_t variables) {
    std::vector<std::vector<size_t>> defined(variables);
    for (size_t d = first_definition_; d < out_.definitions_.size(); ++d) {
      defined[static_cast<size_t>(out_.definitions_[d].variable)].push_back(d);
    }
    for (size_t u = first_use_; u < out_.uses_.size(); ++u) {
      const auto& all = defined[static_cast<size_t>(out_.uses_[u].variable)];
      for (const size_t d : all) {
        spend(1);
        if (all.size() > 1 && !leads_to(definition_trails_[d], use_trails_[u])) continue;
        out_.direct_.push_back(
            {DefinitionId{static_cast<uint32_t>(d)}, UseId{static_cast<uint32_t>(u)}});
      }
    }
  }

  DefUse& out_;
  const Graph& graph_;
  GraphFunctionId function_{};
  const Module* m_ = nullptr;
  Trail trail_;
  std::vector<Trail> definition_trails_;
  std::vector<Trail> use_trails_;
  std::vector<bool> selected_;  // by variable: it is a part of a structure
  size_t first_definition_ = 0;
  size_t first_use_ = 0;
};

namespace {

// ---- Correspondence ---------------------------------------------------------

class PairFinder {
 public:
  PairFinder(const DefUse& def_use, const ValueSteps& steps) : steps_(steps) {
    const auto key = [](const Occurrence& o) { return std::pair(o.node, o.variable); };
    for (size_t i = 0; i < def_use.uses().size(); ++i) uses_[key(def_use.uses()[i])] = i;
    for (size_t i = 0; i < def_use.definitions().size(); ++i)
      definitions_[key(def_use.definitions()[i])] = i;
  }

  std::vector<CorrespondingPair> run() const {
    std::set<CorrespondingPair> pairs;
    for (const ValueStep& step : steps_.all()) {
      spend(1);
      const Variant variant = step.kind == StepKind::Fun         ? kFunVariant
                              : step.kind == StepKind::Structure ? kStructureVariant
                              : step.kind == StepKind::Message   ? kMessageVariant
                                                                 : kPlain;
      if (variant == kPlain) continue;
      const auto from = steps_.variable(step.from);
      const auto to = steps_.variable(step.to);
      if (!from || !to) continue;
      const auto use = uses_.find({step.use, from->variable});
      const auto definition = definitions_.find({step.definition, to->variable});
      if (use == uses_.end() || definition == definitions_.end()) continue;
      pairs.insert({UseId{static_cast<uint32_t>(use->second)},
                    DefinitionId{static_cast<uint32_t>(definition->second)}, variant});
    }
    return {pairs.begin(), pairs.end()};
  }

 private:
  using Key = std::pair<GlobalNodeId, VarId>;
  const ValueSteps& steps_;
  std::map<Key, size_t> uses_;
  std::map<Key, size_t> definitions_;
};

// ---- Data flow --------------------------------------------------------------

bool is_match(Kind kind) {
  return kind == Kind::MatchTuple || kind == Kind::MatchCons || kind == Kind::MatchLiteral ||
         kind == Kind::MatchMap || kind == Kind::MatchKey || kind == Kind::MatchBits ||
         kind == Kind::MatchEqual;
}

class DataFlows {
 public:
  DataFlows(const Analysis& analysis, const ValueSteps& steps)
      : analysis_(analysis), steps_(steps) {}

  void visit(InstanceId id) {
    const Instance& instance = analysis_.facts()[id];
    const Module& m = *instance.code.module;
    core::for_each_node(m, instance.function().body, [&](NodeId node) {
      spend(1);
      if (is_match(m[node].kind)) {
        VarId subject = core::kNoVar;
        core::for_each_use(m, node, [&](VarId v) {
          if (!core::exists(subject)) subject = v;
        });
        add_targets(instance, subject, {m.global(node), false});
      } else if (m[node].kind == Kind::Apply) {
        add_targets(instance, m.get<core::node::Apply>(node).function, {m.global(node), true});
      } else if (m[node].kind == Kind::Literal || m[node].kind == Kind::ExternalFun) {
        sources_.push_back(
            {instance.variables + static_cast<size_t>(m[node].result), m.global(node)});
      }
    });
  }

  std::vector<DataFlow> run() {
    // Atoms, numbers and [] do not know where they were built: they are followed from there.
    for (const Source& source : sources_) {
      const std::optional<ObjectId> object = made_at(source.variable);
      if (!object || analysis_.objects()[*object].node) continue;
      steps_.follow(source.variable, object, [&](Slot at) {
        const auto found = targets_.find(at);
        if (found == targets_.end()) return true;
        for (const Target& target : found->second) add(source.node, *object, target);
        return true;
      });
    }
    return {flows_.begin(), flows_.end()};
  }

 private:
  struct Target {
    GlobalNodeId node;
    bool is_applied;
  };
  struct Source {  // a literal
    Slot variable;
    GlobalNodeId node;
  };

  bool is_callable(ObjectId id) const {
    const ObjectKind kind = analysis_.objects()[id].kind;
    return kind == ObjectKind::Fun || kind == ObjectKind::ExternalFun;
  }
  void add(GlobalNodeId built, ObjectId object, const Target& target) {
    if (target.is_applied && !is_callable(object)) return;
    flows_.insert({built, target.node, target.is_applied});
  }
  void add_targets(const Instance& instance, VarId v, const Target& target) {
    const Slot slot = instance.variables + static_cast<size_t>(v);
    targets_[slot].push_back(target);
    analysis_.values(slot).for_each([&](ObjectId id) {
      const Object& object = analysis_.objects()[id];
      if (object.node && object.kind != ObjectKind::Pid && object.kind != ObjectKind::Reference)
        add(*object.node, id, target);
    });
  }
  // The value that a literal is.
  std::optional<ObjectId> made_at(Slot variable) const {
    std::optional<ObjectId> found;
    analysis_.values(variable).for_each([&](ObjectId id) {
      if (!found) found = id;
    });
    return found;
  }

  const Analysis& analysis_;
  const ValueSteps& steps_;
  std::vector<Source> sources_;
  std::unordered_map<Slot, std::vector<Target>> targets_;
  std::set<DataFlow> flows_;
};

}  // namespace

DefUse::DefUse(const Analysis& analysis, const Graph& graph, const ValueSteps& steps,
               const std::function<bool(const GraphFunction&)>& wanted)
    : analysis_(analysis), steps_(steps) {
  DefUseMaker maker(*this, graph);
  for (size_t i = 0; i < graph.functions.size(); ++i) {
    const GraphFunctionId id{static_cast<uint32_t>(i)};
    if (wanted ? !wanted(graph[id]) : !graph[id].is_own) continue;
    by_entry_.emplace(global_entry_of(graph[id].code), id);
    maker.visit_function(id);
  }
  DataFlows flows(analysis, steps);
  for (size_t i = 0; i < analysis.facts().instances.size(); ++i) {
    const InstanceId id{static_cast<uint32_t>(i)};
    const auto at = by_entry_.find(global_entry_of(analysis.facts()[id].code));
    if (at == by_entry_.end()) continue;
    functions_[at->second].instances.push_back(id);
    flows.visit(id);
  }
  std::ranges::sort(direct_);
  corresponding_ = PairFinder(*this, steps).run();
  data_flows_ = flows.run();
}

std::vector<UseId> DefUse::uses_reached(DefinitionId definition) const {
  const Occurrence& from = (*this)[definition];
  std::set<UseId> reached;
  const auto first_pair =
      std::ranges::lower_bound(direct_, definition, {}, &DirectPair::definition);
  for (auto pair = first_pair; pair != direct_.end() && pair->definition == definition; ++pair) {
    reached.insert(pair->use);
  }
  for (const InstanceId instance : functions_.at(from.function).instances) {
    const Slot first = analysis_.facts()[instance].variables + static_cast<size_t>(from.variable);
    steps_.follow(first, std::nullopt, [&](Slot at) {
      const auto variable = steps_.variable(at);
      if (at == first || !variable) return true;
      const auto function =
          by_entry_.find(global_entry_of(analysis_.facts()[variable->instance].code));
      if (function == by_entry_.end()) return true;
      const auto& uses =
          functions_.at(function->second).uses[static_cast<size_t>(variable->variable)];
      reached.insert(uses.begin(), uses.end());
      return true;
    });
  }
  return {reached.begin(), reached.end()};
}

}  // namespace fathom::flow
