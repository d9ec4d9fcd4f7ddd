#include "cover/flow_items.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/budget.h"
#include "base/term_print.h"
#include "code/code.h"
#include "core/walk.h"
#include "cover/item_place.h"
#include "flow/data_flows.h"

namespace fathom::cover {

using core::GlobalNodeId;
using core::Kind;
using core::Module;
using core::NodeId;
using core::VarId;

namespace {

bool is_match(Kind kind) { return kind >= Kind::MatchEqual && kind <= Kind::MatchEnd; }

// A call of erlang's function, if it has so many arguments.
bool calls(const Module& m, NodeId id, std::string_view name, size_t arity) {
  if (m[id].kind != Kind::CallRemote) return false;
  const auto call = m.get<core::node::CallRemote>(id);
  return call.module == atoms::erlang && call.name.text() == name &&
         m.vars(call.arguments).size() == arity;
}
bool sends(const Module& m, NodeId id) {
  return calls(m, id, "!", 2) || calls(m, id, "send", 2) || calls(m, id, "send", 3) ||
         calls(m, id, "send_nosuspend", 2) || calls(m, id, "send_nosuspend", 3) ||
         calls(m, id, "send_after", 3) || calls(m, id, "send_after", 4) ||
         calls(m, id, "start_timer", 3) || calls(m, id, "start_timer", 4);
}
bool is_raising_call(const Module& m, NodeId id) {
  return calls(m, id, "throw", 1) || calls(m, id, "exit", 1) || calls(m, id, "error", 1) ||
         calls(m, id, "error", 2) || calls(m, id, "error", 3) || calls(m, id, "raise", 3);
}
bool computes_callee(const Module& m, NodeId id) {
  return m[id].kind == Kind::Apply || m[id].kind == Kind::CallDynamic || calls(m, id, "apply", 2) ||
         calls(m, id, "apply", 3);
}
bool applies_fun(const Module& m, NodeId id) {
  return m[id].kind == Kind::Apply || calls(m, id, "apply", 2);
}

uint64_t end_key(ItemKind kind, GlobalNodeId node) {
  return uint64_t{static_cast<uint8_t>(kind)} << 32 | static_cast<uint32_t>(node);
}

}  // namespace

FlowItems::FlowItems(std::vector<const Module*> modules, CriteriaSet criteria, Scope scope)
    : modules_(std::move(modules)), criteria_(criteria), scope_(scope) {
  std::ranges::sort(modules_, {}, &Module::base);
  for (const Module* m : modules_) {
    group_patterns(*m);
    group_by_origin(*m);
  }
}

std::optional<FlowItems::Node> FlowItems::find_node(GlobalNodeId node) const {
  const auto number = static_cast<uint32_t>(node);
  auto at = std::ranges::upper_bound(modules_, number, {}, &Module::base);
  if (at == modules_.begin()) return std::nullopt;
  --at;
  if (number - (*at)->base() >= (*at)->size()) return std::nullopt;
  return Node{*at, NodeId{number - (*at)->base()}};
}

const Module& FlowItems::module_of(GlobalNodeId node) const { return *find_node(node)->module; }

bool FlowItems::may_come_from_outside(const FlowItem& item) const {
  if (!open_sources_.contains(end_key(item.kind, item.from))) return false;
  // A message whose receiver is not known may come to any process.
  return item.kind == ItemKind::Message || open_targets_.contains(end_key(item.kind, item.to));
}

bool FlowItems::contains(const FlowItem& item) const {
  return std::ranges::binary_search(items_, item);
}

// ---- Patterns that ask the same -----------------------------------------------

void FlowItems::group_patterns(const Module& m) {
  for (uint32_t i = 0; i < m.size(); ++i) {
    const NodeId id{i};
    if (m[id].kind == Kind::Case) {
      group_clauses(m, m.nodes(m.get<core::node::Case>(id).clauses));
    } else if (m[id].kind == Kind::Receive) {
      group_clauses(m, m.nodes(m.get<core::node::Receive>(id).clauses));
    }
  }
}

// A record is a tuple and its tag, a list several cells and their end: at one place of the source
// they are one.
void FlowItems::group_by_origin(const Module& m) {
  std::map<std::pair<core::AstId, bool>, NodeId> first;
  for (uint32_t i = 0; i < m.size(); ++i) {
    const NodeId id{i};
    const bool builds = flow::builds_value(m[id].kind);
    if (!builds && !is_match(m[id].kind)) continue;
    const NodeId known = first.try_emplace({m[id].origin, builds}, id).first->second;
    if (known != id) same_place_.emplace(m.global(id), m.global(known));
  }
}

// A place in the subject is a variable, or a part of what an earlier node has matched; a test is a
// place and what is asked there.
void FlowItems::group_clauses(const Module& m, std::span<const NodeId> clauses) {
  using PlaceKey = std::tuple<uint32_t, uint32_t>;  // a node and a part of it; none and a variable
  constexpr uint32_t kVariable = UINT32_MAX;
  std::map<std::tuple<PlaceKey, Kind, std::string>, NodeId> tests;
  for (const NodeId clause : clauses) {
    spend(1);
    std::unordered_map<VarId, PlaceKey> places;
    const auto place_of = [&](VarId v) {
      const auto at = places.find(v);
      return at == places.end() ? PlaceKey{kVariable, static_cast<uint32_t>(v)} : at->second;
    };
    const core::RegionId patterns = m.get<core::node::Clause>(clause).patterns;
    if (!core::exists(patterns)) continue;
    for (const NodeId id : m.nodes(patterns)) {
      const Kind kind = m[id].kind;
      if (kind == Kind::Bind) {
        places[m[id].result] = place_of(m.get<core::node::Bind>(id).subject);
        continue;
      }
      std::string asked;
      if (kind == Kind::MatchLiteral) {
        print_term(asked, m[m.get<core::node::MatchLiteral>(id).value]);
      } else if (kind == Kind::MatchTuple) {
        asked = fmt::format("{}", m.vars(m.get<core::node::MatchTuple>(id).elements).size());
      } else if (kind != Kind::MatchCons && kind != Kind::MatchMap && kind != Kind::MatchBits) {
        continue;
      }
      VarId subject = core::kNoVar;
      core::for_each_use(m, id, [&](VarId v) {
        if (!core::exists(subject)) subject = v;
      });
      const NodeId first = tests.try_emplace({place_of(subject), kind, asked}, id).first->second;
      if (first != id) first_of_.emplace(m.global(id), m.global(first));
      uint32_t part = 0;
      const auto name = [&](VarId v) {
        if (core::exists(v)) places[v] = {static_cast<uint32_t>(first), part};
        ++part;
      };
      if (kind == Kind::MatchTuple) {
        for (const VarId v : m.vars(m.get<core::node::MatchTuple>(id).elements)) name(v);
      } else if (kind == Kind::MatchCons) {
        name(m.get<core::node::MatchCons>(id).head);
        name(m.get<core::node::MatchCons>(id).tail);
      }
    }
  }
}

// ---- Items ----------------------------------------------------------------------

GlobalNodeId FlowItems::first_like_source(GlobalNodeId node) const {
  const auto at = same_place_.find(node);
  return at == same_place_.end() ? node : at->second;
}

GlobalNodeId FlowItems::first_like_target(GlobalNodeId node) const {
  const auto at = first_of_.find(node);
  return first_like_source(at == first_of_.end() ? node : at->second);
}

std::optional<FlowItem> FlowItems::item(ItemKind kind, GlobalNodeId from, GlobalNodeId to) const {
  if (!wants(kind)) return std::nullopt;
  from = first_like_source(from);
  to = first_like_target(to);
  const auto source = find_node(from);
  const auto target = find_node(to);
  if (!source || !target) return std::nullopt;
  if (scope_ == Scope::Module && source->module != target->module) return std::nullopt;
  const auto is_counted = [](const Node& n) { return is_own(*n.module, (*n.module)[n.id].origin); };
  if (!is_counted(*source) || !is_counted(*target)) return std::nullopt;
  return FlowItem{kind, from, to};
}

void FlowItems::add(ItemKind kind, GlobalNodeId from, GlobalNodeId to) {
  if (const auto found = item(kind, from, to)) items_.push_back(*found);
}

void FlowItems::find(const flow::Analysis& analysis, const flow::Graph* graph) {
  const flow::Facts& facts = analysis.facts();
  for (const uint64_t region : facts.regions) {
    const flow::Instance& instance = facts[flow::InstanceId{static_cast<uint32_t>(region >> 32)}];
    reached_[instance.code.module].insert(static_cast<uint32_t>(region));
  }
  for (const flow::UnknownFact& fact : facts.unknowns) {
    if (find_node(fact.node)) unknowns_.push_back({fact.node, fact.what});
  }
  for (const GlobalNodeId node : facts.outside_calls) {
    open_sources_.insert(end_key(ItemKind::Callee, node));
  }
  for (const GlobalNodeId node : facts.outside_callees) {
    open_targets_.insert(end_key(ItemKind::Callee, node));
  }
  for (const GlobalNodeId node : facts.outside_sends) {
    open_sources_.insert(end_key(ItemKind::Message, node));
  }
  if (wants(ItemKind::DataFlow)) {
    const auto is_measured = [&](const Module& m) {
      return std::ranges::find(modules_, &m) != modules_.end();
    };
    const flow::BuiltUses flows = flow::built_uses(analysis, is_measured);
    for (const flow::BuiltUse& flow : flows.all) add(ItemKind::DataFlow, flow.built, flow.used);
    for (const GlobalNodeId node : flows.escaped) {
      open_sources_.insert(end_key(ItemKind::DataFlow, first_like_source(node)));
    }
    for (const GlobalNodeId node : flows.open_uses) {
      open_targets_.insert(end_key(ItemKind::DataFlow, first_like_target(node)));
    }
  }
  if (wants(ItemKind::Callee)) {
    for (const flow::CallEdge& edge : facts.calls) {
      const GlobalNodeId site = facts[edge.site].global;
      const auto node = find_node(site);
      if (!node || !computes_callee(*node->module, node->id)) continue;
      const flow::Instance& callee = facts[edge.callee];
      add(ItemKind::Callee, site,
          callee.code.module->global(callee.code.module->nodes(callee.function().body)[0]));
    }
  }
  for (size_t i = 0; graph && i < graph->edges.size(); ++i) {
    const flow::GraphEdge& edge = graph->edges[i];
    const GlobalNodeId from = (*graph)[edge.from].core;
    const GlobalNodeId to = (*graph)[edge.to].core;
    const auto source = find_node(from);
    const auto target = find_node(to);
    if (!source || !target) continue;
    if (edge.kind == flow::GraphEdgeKind::Message && sends(*source->module, source->id)) {
      const Module& m = *target->module;
      const auto clauses = m.nodes(m.get<core::node::Receive>(target->id).clauses);
      add(ItemKind::Message, from, m.global(clauses[*edge.clause - 1]));
    } else if (edge.kind == flow::GraphEdgeKind::Throw &&
               is_raising_call(*source->module, source->id)) {
      add(ItemKind::Caught, from, to);
    }
  }
  std::ranges::sort(items_);
  items_.erase(std::unique(items_.begin(), items_.end()), items_.end());
}

bool FlowItems::is_reached(const Module& module, core::RegionId region) const {
  const auto at = reached_.find(&module);
  return at != reached_.end() && at->second.contains(static_cast<uint32_t>(region));
}

// ---- What was seen ----------------------------------------------------------------

// The first node of the function of a fun.
std::optional<GlobalNodeId> FlowItems::code_of_fun(const Node& node) const {
  const Module& m = *node.module;
  if (m[node.id].kind != Kind::Fun) return std::nullopt;
  return m.global(m.nodes(m[m.get<core::node::Fun>(node.id).code].body)[0]);
}

std::vector<FlowItem> FlowItems::seen(const machine::LabelUse& use) const {
  std::vector<FlowItem> found;
  const GlobalNodeId from = machine::labelled_node(use.value);
  const GlobalNodeId to = machine::labelled_node(use.user);
  const auto source = find_node(from);
  const auto target = find_node(to);
  if (!source || !target) return found;
  const auto add_seen = [&](ItemKind kind, GlobalNodeId a, GlobalNodeId b) {
    if (const auto one = item(kind, a, b)) found.push_back(*one);
  };
  const Kind built = (*source->module)[source->id].kind;
  const Kind used = (*target->module)[target->id].kind;
  if (used == Kind::Clause) {
    if (sends(*source->module, source->id)) add_seen(ItemKind::Message, from, to);
  } else if (used == Kind::Try) {
    if (is_raising_call(*source->module, source->id)) add_seen(ItemKind::Caught, from, to);
  } else if (built == Kind::Entry) {
    if (computes_callee(*target->module, target->id)) add_seen(ItemKind::Callee, to, from);
  } else if (flow::builds_value(built)) {
    const bool is_applied = applies_fun(*target->module, target->id);
    if (is_applied || is_match(used)) add_seen(ItemKind::DataFlow, from, to);
    if (is_applied) {
      if (const auto code = code_of_fun(*source)) add_seen(ItemKind::Callee, to, *code);
    }
  }
  return found;
}

// ---- For people ---------------------------------------------------------------------

Item FlowItems::describe(const FlowItem& flow) const {
  const Node from = *find_node(flow.from);
  const Node to = *find_node(flow.to);
  const auto origin = [](const Node& n) { return (*n.module)[n.id].origin; };
  Item item{.kind = flow.kind, .place = item_place(*from.module, origin(from))};
  item.to = item_place(*to.module, origin(to));
  if (to.module != from.module) item.to_module = to.module->name().text();
  const std::string source = item_text(*from.module, origin(from));
  const std::string target = item_text(*to.module, origin(to));
  switch (flow.kind) {
    case ItemKind::Message:
      item.what = fmt::format("{} received by {}", source, target);
      break;
    case ItemKind::Callee: {
      const core::Function& f = (*to.module)[to.module->function_of(to.id)];
      const core::AstId written = fathom::exists(f.origin) ? f.origin : origin(to);
      item.to = item_place(*to.module, written);
      item.what = fmt::format("{} calls {}/{}", source, f.name.text(), f.arity - f.captures);
      break;
    }
    case ItemKind::Caught:
      item.what = fmt::format("{} caught", source);
      break;
    default: {
      const bool is_applied = applies_fun(*to.module, to.id);
      item.what = fmt::format("{} {} {}", source, is_applied ? "applied by" : "matched by", target);
    }
  }
  return item;
}

// It may be about any of the kinds that are wanted.
Item FlowItems::describe_unknown(const Unknown& unknown) const {
  const Node node = *find_node(unknown.node);
  ItemKind kind = ItemKind::Caught;
  for (const ItemKind k : {ItemKind::Callee, ItemKind::Message, ItemKind::DataFlow}) {
    if (wants(k)) kind = k;
  }
  return {.kind = kind,
          .place = item_place(*node.module, (*node.module)[node.id].origin),
          .what = unknown.what,
          .state = ItemState::Unknown};
}

}  // namespace fathom::cover
