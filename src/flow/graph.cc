#include "flow/graph.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/budget.h"
#include "core/raise.h"
#include "core/walk.h"
#include "flow/effects.h"

namespace fathom::flow {

using core::GlobalNodeId;
using core::Kind;
using core::Module;
using core::NodeId;
using core::RegionId;

std::string_view word_of(GraphNodeKind kind) {
  static constexpr std::string_view kWords[] = {
#define NODE(Id, Word) Word,
#include "flow/graph_kinds.def"
  };
  return kWords[static_cast<size_t>(kind)];
}

std::string_view word_of(GraphEdgeKind kind) {
  static constexpr std::string_view kWords[] = {
#define EDGE(Id, Word) Word,
#include "flow/graph_kinds.def"
  };
  return kWords[static_cast<size_t>(kind)];
}

namespace {

// The kind of a call of one of erlang's own functions.
GraphNodeKind kind_of_native(Atom module, Atom name, size_t arity) {
  if (module.text() != "erlang") return GraphNodeKind::Call;
  const std::string_view text = name.text();
  if (text.starts_with("spawn")) return GraphNodeKind::Spawn;
  if (text == "!" || text == "send" || text == "send_nosuspend") return GraphNodeKind::Send;
  if (text == "throw" || text == "error" || text == "raise" || (text == "exit" && arity == 1)) {
    return GraphNodeKind::Throw;
  }
  return effect_of(module, name, static_cast<uint32_t>(arity)) ? GraphNodeKind::Compute
                                                               : GraphNodeKind::Call;
}

GraphNodeKind kind_of(const Module& m, NodeId id) {
  switch (m[id].kind) {
    case Kind::Entry:
      return GraphNodeKind::Import;
    case Kind::Return:
      return GraphNodeKind::Return;
    case Kind::CallRemote: {
      const auto view = m.get<core::node::CallRemote>(id);
      return kind_of_native(view.module, view.name, m.vars(view.arguments).size());
    }
    case Kind::Call:
    case Kind::CallDynamic:
    case Kind::Apply:
      return GraphNodeKind::Call;
    case Kind::Bind:
    case Kind::Copy:
      return GraphNodeKind::Match;
    case Kind::Case:
    case Kind::Maybe:
      return GraphNodeKind::Branch;
    case Kind::Receive:
      return GraphNodeKind::Receive;
    case Kind::Try:
      return GraphNodeKind::Catch;
    case Kind::Raise:
    case Kind::NoMatch:
      return GraphNodeKind::Throw;
    case Kind::Fun:
    case Kind::ExternalFun:
      return GraphNodeKind::Fun;
    default:
      return GraphNodeKind::Compute;
  }
}

class GraphMaker {
 public:
  GraphMaker(const Analysis& analysis, const MessageIndex& messages, Code& code, size_t most_throws)
      : facts_(analysis.facts()), messages_(messages), code_(code), most_throws_(most_throws) {}

  Graph run() {
    for (const Instance& instance : facts_.instances) add_function(instance.code, true);
    for (const Atom module : code_.own_modules()) add_own(module);
    for (size_t i = 0; i < graph_.functions.size(); ++i)
      add_body(GraphFunctionId{static_cast<uint32_t>(i)});
    mark_reached();
    add_calls();
    add_outside();
    add_messages();
    add_throws();
    std::ranges::sort(graph_.edges);
    graph_.edges.erase(std::unique(graph_.edges.begin(), graph_.edges.end()), graph_.edges.end());
    return std::move(graph_);
  }

 private:
  // Where control leaves a part of a function: from a node, maybe by one of its clauses.
  struct Exit {
    GraphNodeId node;
    std::optional<uint32_t> clause;
  };
  using Exits = std::vector<Exit>;

  void add_function(const FunctionCode& code, bool is_reached);
  void add_own(Atom module);
  void add_body(GraphFunctionId id);
  GraphNodeId add_node(GraphFunctionId function, const Module& m, NodeId id, GraphNodeKind kind);
  Exits add_region(GraphFunctionId function, RegionId region, Exits from);
  Exits add_control(GraphFunctionId function, NodeId id, GraphNodeId node);
  Exits add_clauses(GraphFunctionId function, core::ListId clauses, GraphNodeId node);
  void connect(const Exits& from, GraphNodeId to);
  void mark_reached();
  void add_calls();
  void add_outside();
  void add_messages();
  void add_throws();
  // What control may meet in a part of a function, by which exceptions may leave it.
  struct Below {
    std::vector<GraphNodeId> raising;
    std::vector<NodeId> calls;
  };
  Below look_below(InstanceId instance, RegionId region) const;
  const Below& body_of(InstanceId instance);
  const std::vector<InstanceId>& callees(InstanceId instance, NodeId call) const;
  std::optional<std::vector<GraphNodeId>> raising_in(std::vector<InstanceId> todo);
  static uint64_t call_key(InstanceId instance, NodeId call) {
    return uint64_t{static_cast<uint32_t>(instance)} << 32 | static_cast<uint32_t>(call);
  }
  GraphNodeId node_of(GlobalNodeId core) const { return by_core_.at(core); }

  const Facts& facts_;
  const MessageIndex& messages_;
  Code& code_;
  size_t most_throws_;
  Graph graph_;
  std::unordered_map<GlobalNodeId, GraphFunctionId> by_entry_;
  std::unordered_map<GlobalNodeId, GraphNodeId> by_core_;
  std::unordered_map<uint64_t, std::vector<InstanceId>> called_at_;  // by call_key
  std::unordered_map<InstanceId, std::unique_ptr<Below>> bodies_;
};

void GraphMaker::add_function(const FunctionCode& code, bool is_reached) {
  const GlobalNodeId entry = global_entry_of(code);
  const auto [at, is_new] =
      by_entry_.try_emplace(entry, GraphFunctionId{static_cast<uint32_t>(graph_.functions.size())});
  if (!is_new) return;
  const core::Function& f = (*code.module)[code.function];
  graph_.functions.push_back({.name = {code.module->name(), f.name, f.arity - f.captures},
                              .code = code,
                              .is_own = code_.is_own(code.module->name()),
                              .is_reached = is_reached,
                              .import = {}});
}

// Also what nothing reaches.
void GraphMaker::add_own(Atom module) {
  for (const FunctionCode& code : code_.functions(module)) add_function(code, false);
}

GraphNodeId GraphMaker::add_node(GraphFunctionId function, const Module& m, NodeId id,
                                 GraphNodeKind kind) {
  graph_.nodes.push_back({kind, m.global(id), function, false});
  return GraphNodeId{static_cast<uint32_t>(graph_.nodes.size() - 1)};
}

void GraphMaker::connect(const Exits& from, GraphNodeId to) {
  for (const Exit& exit : from) {
    graph_.edges.push_back({exit.node, to, GraphEdgeKind::Neighbor, exit.clause});
  }
}

void GraphMaker::add_body(GraphFunctionId id) {
  const GraphFunction& f = graph_[id];
  add_region(id, (*f.code.module)[f.code.function].body, {});
  graph_.functions[static_cast<size_t>(id)].import = node_of(global_entry_of(f.code));
}

// Depth of recursion: that of blocks in the source, which the parser bounds.
GraphMaker::Exits GraphMaker::add_region(GraphFunctionId function, RegionId region, Exits from) {
  if (!core::exists(region)) return from;
  const Module& m = *graph_[function].code.module;
  for (const NodeId id : m.nodes(region)) {
    spend(4);
    const GraphNodeId node = add_node(function, m, id, kind_of(m, id));
    by_core_.emplace(m.global(id), node);
    connect(from, node);
    from = add_control(function, id, node);
    if (m[id].kind == Kind::Entry && m[graph_[function].code.function].captures > 0) {
      const GraphNodeId context = add_node(function, m, id, GraphNodeKind::Context);
      connect(from, context);
      from = {{context, {}}};
    }
  }
  return from;
}

GraphMaker::Exits GraphMaker::add_clauses(GraphFunctionId function, core::ListId clauses,
                                          GraphNodeId node) {
  const Module& m = *graph_[function].code.module;
  Exits exits;
  uint32_t number = 0;
  for (const NodeId clause : m.nodes(clauses)) {
    Exits ends = add_region(function, m.get<core::node::Clause>(clause).body, {{node, ++number}});
    exits.insert(exits.end(), ends.begin(), ends.end());
  }
  return exits;
}

GraphMaker::Exits GraphMaker::add_control(GraphFunctionId function, NodeId id, GraphNodeId node) {
  const Module& m = *graph_[function].code.module;
  Exits here = {{node, {}}};
  const auto also = [&](Exits& exits, RegionId region, std::optional<uint32_t> clause) {
    if (!core::exists(region)) return;
    const Exits ends = add_region(function, region, {{node, clause}});
    exits.insert(exits.end(), ends.begin(), ends.end());
  };
  switch (m[id].kind) {
    case Kind::Case: {
      const auto view = m.get<core::node::Case>(id);
      Exits exits = add_clauses(function, view.clauses, node);
      also(exits, view.otherwise, static_cast<uint32_t>(m.nodes(view.clauses).size()) + 1);
      return exits;
    }
    case Kind::Receive: {
      const auto view = m.get<core::node::Receive>(id);
      Exits exits = add_clauses(function, view.clauses, node);
      also(exits, view.after, static_cast<uint32_t>(m.nodes(view.clauses).size()) + 1);
      return exits;
    }
    case Kind::Try: {
      const auto view = m.get<core::node::Try>(id);
      Exits exits = add_region(function, view.success, add_region(function, view.body, here));
      also(exits, view.handler, 2);
      return exits;
    }
    case Kind::Maybe: {
      const auto view = m.get<core::node::Maybe>(id);
      Exits exits = add_region(function, view.body, {{node, 1}});
      also(exits, view.otherwise, 2);
      return exits;
    }
    case Kind::Return:
    case Kind::Raise:
    case Kind::NoMatch:
    case Kind::Leave:
      return {};
    default:
      return here;
  }
}

void GraphMaker::mark_reached() {
  for (const uint64_t key : facts_.regions) {
    const Instance& instance = facts_[InstanceId{static_cast<uint32_t>(key >> 32)}];
    const Module& m = *instance.code.module;
    for (const NodeId id : m.nodes(RegionId{static_cast<uint32_t>(key)})) {
      const auto at = by_core_.find(m.global(id));
      if (at != by_core_.end()) graph_.nodes[static_cast<size_t>(at->second)].is_reached = true;
    }
  }
}

void GraphMaker::add_calls() {
  for (const CallEdge& edge : facts_.calls) {
    const Site& site = facts_[edge.site];
    if (!by_core_.contains(site.global)) continue;  // among patterns, in the code of erlang itself
    const Instance& callee = facts_[edge.callee];
    const GraphEdgeKind kind = edge.kind == CallKind::Spawn         ? GraphEdgeKind::Spawn
                               : edge.kind == CallKind::HigherOrder ? GraphEdgeKind::HigherOrderCall
                                                                    : GraphEdgeKind::Call;
    graph_.edges.push_back({node_of(site.global), node_of(global_entry_of(callee.code)), kind});
    if (edge.kind == CallKind::Spawn) continue;
    called_at_[call_key(site.instance, site.node)].push_back(edge.callee);
  }
}

void GraphMaker::add_outside() {
  const auto nodes = [&](const std::unordered_set<GlobalNodeId>& from) {
    std::vector<GraphNodeId> found;
    for (const GlobalNodeId node : from) {
      if (by_core_.contains(node)) found.push_back(node_of(node));  // not those of guards
    }
    std::ranges::sort(found);
    return found;
  };
  graph_.outside = {nodes(facts_.outside_calls), nodes(facts_.outside_callees)};
}

void GraphMaker::add_messages() {
  const auto distinct = [](std::vector<GraphNodeId>& nodes) {
    std::ranges::sort(nodes);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  };
  for (const MessageIndex::SendGroup& group : messages_.sends()) {
    std::vector<GraphNodeId> from;
    for (const Send* send : group.sends) from.push_back(node_of(facts_[send->site].global));
    distinct(from);
    for (const MessageIndex::Match& match : group.matches) {
      std::vector<GraphNodeId> to;
      for (const DispatchFacts* receive : messages_[match.receives].receives) {
        to.push_back(node_of(facts_[receive->instance].code.module->global(receive->node)));
      }
      distinct(to);
      for (const GraphNodeId sender : from) {
        for (const GraphNodeId receive : to) {
          spend(1);
          for (const uint32_t clause : match.clauses) {
            graph_.edges.push_back({sender, receive, GraphEdgeKind::Message, clause + 1});
          }
        }
      }
    }
  }
}

// ---- Exceptions -------------------------------------------------------------

// Nodes below the region, without those inside another catch.
GraphMaker::Below GraphMaker::look_below(InstanceId instance, RegionId region) const {
  const Module& m = *facts_[instance].code.module;
  Below below;
  std::vector<RegionId> todo = {region};
  while (!todo.empty()) {
    const RegionId r = todo.back();
    todo.pop_back();
    if (!core::exists(r) || !facts_.regions.contains(region_key(instance, r))) continue;
    for (const NodeId id : m.nodes(r)) {
      spend(1);
      if (core::may_raise(m, id)) below.raising.push_back(node_of(m.global(id)));
      if (m[id].kind == Kind::Try) {
        const auto view = m.get<core::node::Try>(id);
        todo.push_back(view.success);
        todo.push_back(view.handler);
        continue;
      }
      core::for_each_value_region(m, id, [&](RegionId inner) { todo.push_back(inner); });
      if (called_at_.contains(call_key(instance, id))) below.calls.push_back(id);
    }
  }
  return below;
}

const std::vector<InstanceId>& GraphMaker::callees(InstanceId instance, NodeId call) const {
  return called_at_.at(call_key(instance, call));
}

const GraphMaker::Below& GraphMaker::body_of(InstanceId instance) {
  std::unique_ptr<Below>& below = bodies_[instance];
  if (!below) {
    below = std::make_unique<Below>(look_below(instance, facts_[instance].function().body));
  }
  return *below;
}

// The nodes that may raise in the instances and in what they call; none if there are too many.
std::optional<std::vector<GraphNodeId>> GraphMaker::raising_in(std::vector<InstanceId> todo) {
  std::unordered_set<InstanceId> seen;
  std::unordered_set<GraphNodeId> found;
  while (!todo.empty()) {
    spend(4);
    const InstanceId instance = todo.back();
    todo.pop_back();
    if (!seen.insert(instance).second) continue;
    const Below& body = body_of(instance);
    found.insert(body.raising.begin(), body.raising.end());
    if (found.size() > most_throws_ || seen.size() > most_throws_) return std::nullopt;
    for (const NodeId call : body.calls) {
      const std::vector<InstanceId>& more = callees(instance, call);
      todo.insert(todo.end(), more.begin(), more.end());
    }
  }
  return std::vector<GraphNodeId>(found.begin(), found.end());
}

void GraphMaker::add_throws() {
  for (const TryFacts& caught : facts_.tries) {
    const Module& m = *facts_[caught.instance].code.module;
    const GraphNodeId to = node_of(m.global(caught.node));
    const Below body = look_below(caught.instance, m.get<core::node::Try>(caught.node).body);
    const auto add = [&](GraphNodeId from, GraphEdgeKind kind) {
      graph_.edges.push_back({from, to, kind});
    };
    for (const GraphNodeId from : body.raising) add(from, GraphEdgeKind::Throw);
    for (const NodeId call : body.calls) {
      if (const auto raising = raising_in(callees(caught.instance, call))) {
        for (const GraphNodeId from : *raising) add(from, GraphEdgeKind::Throw);
      } else {
        add(node_of(m.global(call)), GraphEdgeKind::ThrowThrough);
      }
    }
  }
}

}  // namespace

Graph make_graph(const Analysis& analysis, const MessageIndex& messages, Code& code,
                 size_t most_throws) {
  return GraphMaker(analysis, messages, code, most_throws).run();
}

}  // namespace fathom::flow
