#include "flow/value_steps.h"

#include <algorithm>
#include <deque>
#include <map>
#include <unordered_set>

#include "base/budget.h"
#include "core/walk.h"
#include "flow/effects.h"

namespace fathom::flow {

using core::GlobalNodeId;
using core::Kind;
using core::Module;
using core::NodeId;
using core::RegionId;
using core::VarId;

bool may_share(const Analysis& analysis, Slot a, Slot b) {
  const ObjectSet& left = analysis.values(a);
  const ObjectSet& right = analysis.values(b);
  if (left.intersects(right)) return true;
  const ObjectId unknown = analysis.objects().unknown();
  return (left.contains(unknown) && right.intersects(analysis.escaped())) ||
         (right.contains(unknown) && left.intersects(analysis.escaped()));
}

// ---- Making them ------------------------------------------------------------

class StepMaker {
 public:
  StepMaker(const Analysis& analysis, const Graph& graph, std::vector<ValueStep>& steps)
      : analysis_(analysis), facts_(analysis.facts()), graph_(graph), steps_(steps) {}

  void run() {
    for (size_t i = 0; i < facts_.instances.size(); ++i) {
      const InstanceId id{static_cast<uint32_t>(i)};
      by_code_[code_key(facts_[id])] = id;
    }
    for (size_t i = 0; i < facts_.instances.size(); ++i) {
      at_ = InstanceId{static_cast<uint32_t>(i)};
      visit_function();
    }
    for (const CallEdge& edge : facts_.calls) call(edge);
    for (const ExternalCall& external : facts_.external_calls) native(external);
    structures();
    messages();
    exceptions();
    std::ranges::sort(steps_, {}, [](const ValueStep& s) {
      return std::tuple(s.from, s.to, s.kind, s.use, s.definition);
    });
  }

 private:
  // A place in a structure: its object, and which part.
  struct Part {
    Slot variable;
    GlobalNodeId node;
  };
  using PartKey = std::pair<ObjectId, size_t>;
  static constexpr size_t kAnyValue = SIZE_MAX;  // of a map

  using CodeKey = std::tuple<const Module*, core::FunctionId, ContextId>;
  static CodeKey code_key(const Instance& i) { return {i.code.module, i.code.function, i.context}; }
  const Instance& here() const { return facts_[at_]; }
  const Module& module() const { return *here().code.module; }
  Slot slot(VarId v) const { return here().variables + static_cast<size_t>(v); }
  static Slot slot_in(const Instance& i, VarId v) { return i.variables + static_cast<size_t>(v); }
  static NodeId entry_of(const Instance& i) { return i.code.module->nodes(i.function().body)[0]; }
  static std::span<const VarId> parameters_of(const Instance& i) {
    return i.code.module->vars(i.code.module->get<core::node::Entry>(entry_of(i)).parameters);
  }

  void add(Slot from, Slot to, StepKind kind, GlobalNodeId use, GlobalNodeId definition) {
    if (from == to || !exists(from) || !exists(to)) return;
    if (!may_share(analysis_, from, to)) return;
    steps_.push_back({from, to, kind, use, definition});
  }
  void copy(VarId from, VarId to, NodeId use, NodeId definition) {
    if (!core::exists(from) || !core::exists(to)) return;
    add(slot(from), slot(to), StepKind::Copy, module().global(use), module().global(definition));
  }

  void visit_function() {
    const Module& m = module();
    core::for_each_node(m, here().function().body, [&](NodeId id) {
      spend(2);
      visit(id);
    });
  }

  void visit(NodeId id) {
    const Module& m = module();
    const VarId result = m[id].result;
    switch (m[id].kind) {
      case Kind::Copy:
        return copy(m.get<core::node::Copy>(id).value, result, id, id);
      case Kind::Bind:
        return copy(m.get<core::node::Bind>(id).subject, result, id, id);
      case Kind::Try: {
        const auto view = m.get<core::node::Try>(id);
        if (core::exists(view.body)) copy(m[view.body].value, view.value, id, id);
        return values_of_regions(id);
      }
      case Kind::Case:
      case Kind::Receive:
      case Kind::Maybe:
        return values_of_regions(id);
      case Kind::Fun:
        return captures(id);
      case Kind::Tuple:
      case Kind::Cons:
      case Kind::Map:
      case Kind::MapPut:
      case Kind::MapReplace:
        return built(id);
      case Kind::MatchTuple:
      case Kind::MatchCons:
      case Kind::MatchKey:
        return taken(id);
      default:
        return;
    }
  }

  void values_of_regions(NodeId id) {
    const Module& m = module();
    core::for_each_value_region(m, id, [&](RegionId region) {
      if (core::exists(region)) copy(m[region].value, m[id].result, id, id);
    });
  }

  void captures(NodeId id) {
    const Module& m = module();
    const auto view = m.get<core::node::Fun>(id);
    const auto at = by_code_.find({&m, view.code, here().context});
    if (at == by_code_.end()) return;
    const Instance& callee = facts_[at->second];
    const auto captured = m.vars(view.captures);
    const auto parameters = parameters_of(callee);
    const size_t first = parameters.size() - captured.size();
    for (size_t i = 0; i < captured.size(); ++i) {
      if (!core::exists(parameters[first + i])) continue;
      add(slot(captured[i]), slot_in(callee, parameters[first + i]), StepKind::Fun, m.global(id),
          callee.code.module->global(entry_of(callee)));
    }
  }

  // The structure that the node builds here.
  std::optional<ObjectId> object_of(NodeId id) const {
    std::optional<ObjectId> found;
    if (!core::exists(module()[id].result)) return found;
    analysis_.values(slot(module()[id].result)).for_each([&](ObjectId object) {
      const Object& o = analysis_.objects()[object];
      if (o.node == module().global(id) && o.context == here().context) found = object;
    });
    return found;
  }

  void built(NodeId id) {
    const auto object = object_of(id);
    if (!object) return;
    const Module& m = module();
    const auto put = [&](size_t part, VarId v) {
      put_[{*object, part}].push_back({slot(v), m.global(id)});
    };
    const auto put_pairs = [&](core::ListId list) {
      const auto pairs = m.vars(list);
      for (size_t i = 1; i < pairs.size(); i += 2) put(kAnyValue, pairs[i]);
    };
    switch (m[id].kind) {
      case Kind::Tuple: {
        const auto elements = m.vars(m.get<core::node::Tuple>(id).elements);
        for (size_t i = 0; i < elements.size(); ++i) put(i, elements[i]);
        return;
      }
      case Kind::Cons:
        put(kHead, m.get<core::node::Cons>(id).head);
        return put(kTail, m.get<core::node::Cons>(id).tail);
      case Kind::Map:
        return put_pairs(m.get<core::node::Map>(id).pairs);
      case Kind::MapPut:
        return put_pairs(m.get<core::node::MapPut>(id).pairs);
      default:
        return put_pairs(m.get<core::node::MapReplace>(id).pairs);
    }
  }

  // What is at the part of any structure in the set goes to the variable.
  void take(const ObjectSet& structures, ObjectKind kind, size_t size, size_t part, Slot to,
            GlobalNodeId node) {
    structures.for_each([&](ObjectId id) {
      const Object& o = analysis_.objects()[id];
      if (o.kind == kind && (kind != ObjectKind::Tuple || o.size == size)) {
        taken_[{id, part}].push_back({to, node});
      }
    });
  }

  void taken(NodeId id) {
    const Module& m = module();
    switch (m[id].kind) {
      case Kind::MatchTuple: {
        const auto view = m.get<core::node::MatchTuple>(id);
        const auto elements = m.vars(view.elements);
        for (size_t i = 0; i < elements.size(); ++i) {
          if (!core::exists(elements[i])) continue;
          take(analysis_.values(slot(view.subject)), ObjectKind::Tuple, elements.size(), i,
               slot(elements[i]), m.global(id));
        }
        return;
      }
      case Kind::MatchCons: {
        const auto view = m.get<core::node::MatchCons>(id);
        const ObjectSet& cells = analysis_.values(slot(view.subject));
        if (core::exists(view.head))
          take(cells, ObjectKind::Cons, 0, kHead, slot(view.head), m.global(id));
        if (core::exists(view.tail))
          take(cells, ObjectKind::Cons, 0, kTail, slot(view.tail), m.global(id));
        return;
      }
      default: {
        const auto view = m.get<core::node::MatchKey>(id);
        if (!core::exists(m[id].result)) return;
        take(analysis_.values(slot(view.subject)), ObjectKind::Map, 0, kAnyValue,
             slot(m[id].result), m.global(id));
      }
    }
  }

  void structures() {
    for (const auto& [key, sources] : put_) {
      const auto at = taken_.find(key);
      if (at == taken_.end()) continue;
      for (const Part& source : sources) {
        for (const Part& target : at->second) {
          spend(1);
          add(source.variable, target.variable, StepKind::Structure, source.node, target.node);
        }
      }
    }
  }

  std::span<const VarId> arguments(const Module& m, NodeId node) const {
    switch (m[node].kind) {
      case Kind::Call:
        return m.vars(m.get<core::node::Call>(node).arguments);
      case Kind::CallRemote:
        return m.vars(m.get<core::node::CallRemote>(node).arguments);
      case Kind::CallDynamic:
        return m.vars(m.get<core::node::CallDynamic>(node).arguments);
      case Kind::Apply:
        return m.vars(m.get<core::node::Apply>(node).arguments);
      default:
        return {};
    }
  }

  void call(const CallEdge& edge) {
    const Site& site = facts_[edge.site];
    const Instance& caller = facts_[site.instance];
    const Instance& callee = facts_[edge.callee];
    const Module& m = *caller.code.module;
    const GlobalNodeId entry = callee.code.module->global(entry_of(callee));
    const auto given = arguments(m, site.node);
    const auto parameters = parameters_of(callee);
    const size_t arity = callee.function().arity - callee.function().captures;
    if (edge.kind == CallKind::Spawn || given.size() != arity) {
      if (!given.empty()) spread(caller, given.back(), callee, arity);
    } else {
      for (size_t i = 0; i < arity; ++i) {
        if (!core::exists(parameters[i])) continue;
        add(slot_in(caller, given[i]), slot_in(callee, parameters[i]), StepKind::Parameter,
            site.global, entry);
      }
    }
    if (edge.kind == CallKind::Spawn || !core::exists(m[site.node].result)) return;
    const auto body = callee.code.module->nodes(callee.function().body);
    const NodeId last = body.back();
    if ((*callee.code.module)[last].kind != Kind::Return) return;
    add(slot_in(callee, callee.code.module->get<core::node::Return>(last).value),
        slot_in(caller, m[site.node].result), StepKind::Result, callee.code.module->global(last),
        site.global);
  }

  // Arguments in a list.
  void spread(const Instance& caller, VarId list, const Instance& callee, size_t arity) {
    ObjectSet cells = analysis_.values(slot_in(caller, list));
    const auto parameters = parameters_of(callee);
    const GlobalNodeId entry = callee.code.module->global(entry_of(callee));
    for (size_t i = 0; i < arity && !cells.empty(); ++i) {
      if (core::exists(parameters[i]))
        take(cells, ObjectKind::Cons, 0, kHead, slot_in(callee, parameters[i]), entry);
      ObjectSet tails;
      cells.for_each([&](ObjectId id) {
        const Object& o = analysis_.objects()[id];
        if (o.kind == ObjectKind::Cons) tails.insert_all(analysis_.values(o.parts + kTail));
      });
      cells = tails;
    }
  }

  // A native function that returns an argument, or a part of one.
  void native(const ExternalCall& external) {
    const Effect* effect = effect_of(external.name.module, external.name.name, external.name.arity);
    const Site& site = facts_[external.site];
    const Instance& caller = facts_[site.instance];
    const Module& m = *caller.code.module;
    const auto given = arguments(m, site.node);
    if (!effect || given.size() != external.name.arity || !core::exists(m[site.node].result))
      return;
    const Slot result = slot_in(caller, m[site.node].result);
    std::vector<const EffectTerm*> todo;
    for (const EffectTerm& term : effect->result) todo.push_back(&term);
    while (!todo.empty()) {
      const EffectTerm& term = *todo.back();
      todo.pop_back();
      if (term.op == EffectOp::Union) {
        for (const EffectTerm& operand : term.operands) todo.push_back(&operand);
      } else if (term.op == EffectOp::Argument) {
        add(slot_in(caller, given[static_cast<size_t>(term.number) - 1]), result, StepKind::Copy,
            site.global, site.global);
      } else if (!term.operands.empty() && term.operands[0].op == EffectOp::Argument) {
        const VarId from = given[static_cast<size_t>(term.operands[0].number) - 1];
        native_part(term.op, analysis_.values(slot_in(caller, from)), result, site.global);
      }
    }
  }

  void native_part(EffectOp op, const ObjectSet& structures, Slot result, GlobalNodeId node) {
    switch (op) {
      case EffectOp::Head:
        return take(structures, ObjectKind::Cons, 0, kHead, result, node);
      case EffectOp::Tail:
        return take(structures, ObjectKind::Cons, 0, kTail, result, node);
      case EffectOp::MapValue:
      case EffectOp::MapValues:
        return take(structures, ObjectKind::Map, 0, kAnyValue, result, node);
      case EffectOp::Part:
        return structures.for_each([&](ObjectId id) {
          const Object& o = analysis_.objects()[id];
          if (o.kind != ObjectKind::Tuple) return;
          for (size_t i = 0; i < o.size; ++i) taken_[{id, i}].push_back({result, node});
        });
      default:
        return;
    }
  }

  void messages() {
    std::unordered_map<ObjectId, std::vector<const DispatchFacts*>> receives;
    for (const DispatchFacts& receive : facts_.dispatches) {
      if (!exists(receive.message)) continue;
      analysis_.values(facts_[receive.instance].self).for_each([&](ObjectId process) {
        receives[process].push_back(&receive);
      });
    }
    for (const Send& send : facts_.sends) {
      analysis_.values(send.receivers).for_each([&](ObjectId process) {
        for (const DispatchFacts* receive : receives[process]) {
          spend(1);
          const Module& m = *facts_[receive->instance].code.module;
          add(send.message, receive->message, StepKind::Message, facts_[send.site].global,
              m.global(receive->node));
        }
      });
    }
  }

  // By the throw edges of the graph, from what is raised to the reason.
  void exceptions() {
    std::unordered_map<GlobalNodeId, std::vector<const Site*>> sites;
    for (const Site& site : facts_.sites) sites[site.global].push_back(&site);
    std::unordered_map<GlobalNodeId, std::vector<const TryFacts*>> tries;
    for (const TryFacts& t : facts_.tries) {
      tries[facts_[t.instance].code.module->global(t.node)].push_back(&t);
    }
    for (const GraphEdge& edge : graph_.edges) {
      if (edge.kind != GraphEdgeKind::Throw || graph_[edge.from].kind != GraphNodeKind::Throw)
        continue;
      for (const Site* site : sites[graph_[edge.from].core]) {
        const Instance& thrower = facts_[site->instance];
        const auto given = arguments(*thrower.code.module, site->node);
        if (given.empty()) continue;
        for (const TryFacts* t : tries[graph_[edge.to].core]) {
          const Instance& catcher = facts_[t->instance];
          const auto view = catcher.code.module->get<core::node::Try>(t->node);
          if (!core::exists(view.reason)) continue;
          add(slot_in(thrower, given[0]), slot_in(catcher, view.reason), StepKind::Exception,
              site->global, graph_[edge.to].core);
        }
      }
    }
  }

  const Analysis& analysis_;
  const Facts& facts_;
  const Graph& graph_;
  std::vector<ValueStep>& steps_;
  InstanceId at_{};
  std::map<CodeKey, InstanceId> by_code_;
  std::map<PartKey, std::vector<Part>> put_;
  std::map<PartKey, std::vector<Part>> taken_;
};

ValueSteps::ValueSteps(const Analysis& analysis, const Graph& graph) : analysis_(analysis) {
  for (size_t i = 0; i < analysis.facts().instances.size(); ++i) {
    bases_.push_back(
        {analysis.facts().instances[i].variables, InstanceId{static_cast<uint32_t>(i)}});
  }
  std::ranges::sort(bases_);
  StepMaker(analysis, graph, steps_).run();
}

// ---- Following them ---------------------------------------------------------

std::span<const ValueStep> ValueSteps::from(Slot variable) const {
  const auto first = std::ranges::lower_bound(steps_, variable, {}, &ValueStep::from);
  const auto last = std::ranges::upper_bound(steps_, variable, {}, &ValueStep::from);
  return {first, last};
}

std::optional<InstanceVariable> ValueSteps::variable(Slot slot) const {
  auto at = std::ranges::upper_bound(bases_, slot, {}, &std::pair<Slot, InstanceId>::first);
  // A function without variables has the same base as what follows it.
  while (at != bases_.begin()) {
    --at;
    const size_t index = static_cast<size_t>(slot) - static_cast<size_t>(at->first);
    const size_t count = analysis_.facts()[at->second].function().variables.size();
    if (index < count) return InstanceVariable{at->second, VarId{static_cast<uint32_t>(index)}};
    if (count > 0) return std::nullopt;
  }
  return std::nullopt;
}

bool ValueSteps::may_hold(Slot slot, std::optional<ObjectId> wanted) const {
  return !wanted || analysis_.values(slot).contains(*wanted) ||
         analysis_.values(slot).contains(analysis_.objects().unknown());
}

void ValueSteps::follow(Slot first, std::optional<ObjectId> wanted,
                        const std::function<bool(Slot)>& f) const {
  std::unordered_set<uint32_t> seen = {static_cast<uint32_t>(first)};
  std::vector<Slot> todo = {first};
  while (!todo.empty()) {
    const Slot at = todo.back();
    todo.pop_back();
    if (!f(at)) continue;
    for (const ValueStep& step : from(at)) {
      spend(1);
      if (may_hold(step.to, wanted) && seen.insert(static_cast<uint32_t>(step.to)).second)
        todo.push_back(step.to);
    }
  }
}

std::vector<ValueStep> ValueSteps::way(Slot first, Slot last,
                                       std::optional<ObjectId> wanted) const {
  std::unordered_map<uint32_t, const ValueStep*> came_by = {
      {static_cast<uint32_t>(first), nullptr}};
  std::deque<Slot> todo = {first};
  while (!todo.empty() && !came_by.contains(static_cast<uint32_t>(last))) {
    const Slot at = todo.front();
    todo.pop_front();
    for (const ValueStep& step : from(at)) {
      spend(1);
      if (!may_hold(step.to, wanted)) continue;
      if (came_by.emplace(static_cast<uint32_t>(step.to), &step).second) todo.push_back(step.to);
    }
  }
  std::vector<ValueStep> steps;
  const auto end = came_by.find(static_cast<uint32_t>(last));
  if (end == came_by.end()) return steps;
  for (const ValueStep* step = end->second; step;
       step = came_by.at(static_cast<uint32_t>(step->from))) {
    steps.push_back(*step);
  }
  std::ranges::reverse(steps);
  return steps;
}

}  // namespace fathom::flow
