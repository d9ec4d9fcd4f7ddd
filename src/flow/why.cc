#include "flow/why.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <unordered_set>

#include "base/budget.h"
#include "core/walk.h"

namespace fathom::flow {

using core::GlobalNodeId;
using core::Kind;
using core::Module;
using core::NodeId;
using core::VarId;

namespace {

class Explainer {
 public:
  Explainer(const Analysis& analysis, const Graph& graph, const ValueSteps& steps)
      : analysis_(analysis), facts_(analysis.facts()), graph_(graph), steps_(steps) {
    for (const Site& site : facts_.sites) sites_[site.global].push_back(&site);
    for (const GraphNode& node : graph.nodes) functions_.try_emplace(node.core, node.function);
  }

  Explanation explain(const GraphEdge& edge) {
    out_ = {};
    switch (edge.kind) {
      case GraphEdgeKind::Message:
        message(edge);
        break;
      case GraphEdgeKind::Throw:
        exception(edge);
        break;
      case GraphEdgeKind::Call:
        add(edge.from, "the function is called by its name");
        break;
      default:
        call(edge);
    }
    return {edge, std::move(out_)};
  }

 private:
  void add(GlobalNodeId node, std::string text) {
    if (!out_.empty() && out_.back().node == node && out_.back().text == text) return;
    out_.push_back({node, std::move(text)});
  }
  void add(GraphNodeId node, std::string text) { add(graph_[node].core, std::move(text)); }

  std::string function_name(InstanceId id) const {
    const Instance& i = facts_[id];
    const core::Function& f = i.function();
    if (f.is_fun) return "the fun";
    return fmt::format("{}:{}/{}", i.code.module->name().text(), f.name.text(),
                       f.arity - f.captures);
  }
  std::string variable_name(Slot slot) const {
    const auto v = steps_.variable(slot);
    if (!v) return "";
    return std::string(
        facts_[v->instance].function().variables[static_cast<size_t>(v->variable)].text());
  }
  std::string as_variable(Slot slot) const {
    const std::string name = variable_name(slot);
    return name.empty() ? "" : " as " + name;
  }

  std::span<const VarId> arguments(const Site& site) const {
    const Module& m = *facts_[site.instance].code.module;
    switch (m[site.node].kind) {
      case Kind::CallRemote:
        return m.vars(m.get<core::node::CallRemote>(site.node).arguments);
      case Kind::Call:
        return m.vars(m.get<core::node::Call>(site.node).arguments);
      default:
        return {};
    }
  }
  Slot slot_of(const Site& site, VarId v) const {
    return facts_[site.instance].variables + static_cast<size_t>(v);
  }

  // ---- Ways -----------------------------------------------------------------

  // The variables that get the value where it is made.
  std::vector<Slot> origins(GlobalNodeId node) const {
    std::vector<Slot> slots;
    const auto function = functions_.find(node);
    if (function == functions_.end()) return slots;
    const FunctionCode& code = graph_[function->second].code;
    const Module& m = *code.module;
    const NodeId id{static_cast<uint32_t>(node) - m.base()};
    if (!core::exists(m[id].result)) return slots;
    for (const Instance& i : facts_.instances) {
      if (i.code.module == code.module && i.code.function == code.function)
        slots.push_back(i.variables + static_cast<size_t>(m[id].result));
    }
    return slots;
  }

  // How the object, made at a node, comes to the variable. False if no way is known.
  bool add_way(ObjectId object, Slot last, std::string_view what) {
    const auto node = analysis_.objects()[object].node;
    if (!node) return false;
    for (const Slot first : origins(*node)) {
      const std::vector<ValueStep> way = steps_.way(first, last, object);
      if (way.empty() && first != last) continue;
      add(*node, fmt::format("{} here{}", what, as_variable(first)));
      for (const ValueStep& step : way) add_step(step);
      return true;
    }
    return false;
  }

  void add_step(const ValueStep& step) {
    const auto to = steps_.variable(step.to);
    const std::string name = variable_name(step.to);
    switch (step.kind) {
      case StepKind::Copy:
        if (!name.empty()) add(step.definition, fmt::format("{} is bound to it", name));
        return;
      case StepKind::Parameter:
        return add(step.use,
                   to ? fmt::format("it is passed to {}", function_name(to->instance)) : "passed");
      case StepKind::Result:
        return add(step.definition,
                   fmt::format("it is the result of this call{}", as_variable(step.to)));
      case StepKind::Fun:
        return add(step.use, fmt::format("this fun captures it{}", as_variable(step.to)));
      case StepKind::Structure:
        add(step.use, "it is put into this structure");
        add_journey(step);
        return add(step.definition, fmt::format("and taken out of it{}", as_variable(step.to)));
      case StepKind::Message:
        add(step.use, "it is sent");
        return add(step.definition, fmt::format("and received{}", as_variable(step.to)));
      case StepKind::Exception:
        add(step.use, "it is raised");
        return add(step.definition, "and caught");
    }
  }

  // The message by which a structure comes to where it is taken apart.
  void add_journey(const ValueStep& step) {
    const auto to = steps_.variable(step.to);
    if (!to) return;
    const auto is_it = [&](ObjectId id) { return analysis_.objects()[id].node == step.use; };
    for (const DispatchFacts& receive : facts_.dispatches) {
      if (!exists(receive.message) || receive.instance != to->instance ||
          !analysis_.values(receive.message).any_of(is_it)) {
        continue;
      }
      for (const Send& send : facts_.sends) {
        if (!analysis_.values(send.message).any_of(is_it) ||
            !analysis_.values(send.receivers)
                 .intersects(analysis_.values(facts_[receive.instance].self))) {
          continue;
        }
        add(facts_[send.site].global, "which is sent in a message");
        return;
      }
    }
  }

  // ---- Edges ----------------------------------------------------------------

  void call(const GraphEdge& edge) {
    const FunctionCode& callee = graph_[graph_[edge.to].function].code;
    for (const Site* site : sites_[graph_[edge.from].core]) {
      for (const Slot slot : function_slots(*site)) {
        const bool is_found = analysis_.values(slot).any_of([&](ObjectId id) {
          const Object& o = analysis_.objects()[id];
          return o.kind == ObjectKind::Fun && o.function == callee.function &&
                 o.module == callee.module && add_way(id, slot, "the fun is made");
        });
        if (!is_found) continue;
        return add(edge.from, edge.kind == GraphEdgeKind::Spawn ? "a process is started with it"
                                                                : "and called");
      }
    }
    add(edge.from, edge.kind == GraphEdgeKind::Spawn
                       ? "a process is started with a function of that name"
                       : "the name of the function comes here as a value");
  }

  // The variables of a call that may hold the function.
  std::vector<Slot> function_slots(const Site& site) const {
    const Module& m = *facts_[site.instance].code.module;
    std::vector<Slot> slots;
    if (m[site.node].kind == Kind::Apply) {
      slots.push_back(slot_of(site, m.get<core::node::Apply>(site.node).function));
    }
    for (const VarId v : arguments(site)) slots.push_back(slot_of(site, v));
    return slots;
  }

  void message(const GraphEdge& edge) {
    for (const Send& send : facts_.sends) {
      const Site& site = facts_[send.site];
      if (site.global != graph_[edge.from].core) continue;
      const bool is_found = analysis_.values(send.receivers).any_of([&](ObjectId process) {
        return runs(process, edge.to) && explain_receiver(site, process);
      });
      if (!is_found) continue;
      add(edge.from, "the message is sent to it");
      return add(edge.to, fmt::format("and clause {} of this receive takes it", *edge.clause));
    }
  }

  // Whether the process runs the receive.
  bool runs(ObjectId process, GraphNodeId receive) const {
    return std::ranges::any_of(facts_.dispatches, [&](const DispatchFacts& d) {
      const Instance& i = facts_[d.instance];
      return exists(d.message) && i.code.module->global(d.node) == graph_[receive].core &&
             analysis_.values(i.self).contains(process);
    });
  }

  bool explain_receiver(const Site& site, ObjectId process) {
    const auto given = arguments(site);
    if (given.empty()) return false;
    const Slot destination = slot_of(site, given[0]);
    const bool is_named = analysis_.values(destination).any_of([&](ObjectId id) {
      const Object& name = analysis_.objects()[id];
      return name.kind == ObjectKind::Atom && explain_name(name.atom, process);
    });
    if (is_named) return true;
    if (!analysis_.values(destination).contains(process)) return false;
    if (!add_way(process, destination, "the process is started")) add_self(process, destination);
    return true;
  }

  // From a call of self() in the process.
  void add_self(ObjectId process, Slot destination) {
    for (const ExternalCall& call : facts_.external_calls) {
      const Site& site = facts_[call.site];
      if (call.name.name.text() != "self" || call.name.arity != 0 ||
          !analysis_.values(facts_[site.instance].self).contains(process)) {
        continue;
      }
      const VarId result = (*facts_[site.instance].code.module)[site.node].result;
      if (!core::exists(result)) continue;
      const auto way = steps_.way(slot_of(site, result), destination, process);
      if (way.empty() && slot_of(site, result) != destination) continue;
      add(site.global, "the process names itself");
      for (const ValueStep& step : way) add_step(step);
      return;
    }
  }

  bool explain_name(Atom name, ObjectId process) {
    const bool has_name = std::ranges::any_of(facts_.names, [&](const NameFacts& n) {
      return n.name == name && analysis_.values(n.processes).contains(process);
    });
    if (!has_name) return false;
    if (const auto node = analysis_.objects()[process].node) add(*node, "the process is started");
    for (const ExternalCall& call : facts_.external_calls) {
      const Site& site = facts_[call.site];
      const auto given = arguments(site);
      if (call.name.name.text() != "register" || given.size() != 2) continue;
      if (!analysis_.values(slot_of(site, given[1])).contains(process)) continue;
      add(site.global, fmt::format("it is registered as {}", name.text()));
      break;
    }
    return true;
  }

  // The calls between the handler and what raises.
  void exception(const GraphEdge& edge) {
    add(edge.to, "in this expression");
    std::map<InstanceId, const CallEdge*> came_by;
    std::deque<InstanceId> todo;
    for (const TryFacts& t : facts_.tries) {
      if (facts_[t.instance].code.module->global(t.node) != graph_[edge.to].core) continue;
      came_by.emplace(t.instance, nullptr);
      todo.push_back(t.instance);
    }
    const FunctionCode& goal = graph_[graph_[edge.from].function].code;
    while (!todo.empty()) {
      const InstanceId at = todo.front();
      todo.pop_front();
      const Instance& i = facts_[at];
      if (i.code.module == goal.module && i.code.function == goal.function) {
        add_calls(at, came_by);
        break;
      }
      for (const CallEdge& call : facts_.calls) {
        spend(1);
        if (facts_[call.site].instance != at || call.kind == CallKind::Spawn) continue;
        if (came_by.emplace(call.callee, &call).second) todo.push_back(call.callee);
      }
    }
    add(edge.from, "which may raise an exception");
  }

  void add_calls(InstanceId at, const std::map<InstanceId, const CallEdge*>& came_by) {
    std::vector<WhyStep> calls;
    for (const CallEdge* call = came_by.at(at); call;
         call = came_by.at(facts_[call->site].instance)) {
      calls.push_back(
          {facts_[call->site].global, fmt::format("{} is called", function_name(call->callee))});
    }
    for (size_t i = calls.size(); i-- > 0;) add(calls[i].node, std::move(calls[i].text));
  }

  const Analysis& analysis_;
  const Facts& facts_;
  const Graph& graph_;
  const ValueSteps& steps_;
  std::unordered_map<GlobalNodeId, std::vector<const Site*>> sites_;
  std::unordered_map<GlobalNodeId, GraphFunctionId> functions_;
  std::vector<WhyStep> out_;
};

}  // namespace

std::vector<Explanation> explain_edges(const Analysis& analysis, const Graph& graph,
                                       const ValueSteps& steps, const std::vector<bool>& from,
                                       const std::vector<bool>& to, size_t most) {
  Explainer explainer(analysis, graph, steps);
  std::vector<Explanation> all;
  for (const GraphEdge& edge : graph.edges) {
    if (edge.kind == GraphEdgeKind::Neighbor || all.size() == most) continue;
    if (!from[static_cast<size_t>(edge.from)] || !to[static_cast<size_t>(edge.to)]) continue;
    all.push_back(explainer.explain(edge));
  }
  return all;
}

}  // namespace fathom::flow
