// The concurrent flow graph computed as the paper describes it (M. Widera, "Concurrent Erlang Flow
// Graphs", Section 6): rounds over three functions, for calls of funs, throws and messages, each of
// which looks for the definitions that reach a variable from scratch, by the edges that there are.
//
// Slow and direct, for programs of one module without library calls: a reference for the analysis.
// What it says of a value is the node that computed it.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "core/walk.h"
#include "flow/graph.h"

namespace fathom::flow {

class ReferenceGraph {
 public:
  struct Edge {
    core::NodeId from{};
    core::NodeId to{};
    GraphEdgeKind kind{};
    uint32_t clause = 0;  // of a message; from 1 on
    auto operator<=>(const Edge&) const = default;
  };

  ReferenceGraph(const core::Module& module, core::FunctionId first) : m_(module), first_(first) {
    for (uint32_t f = 0; f < m_.functions.size(); ++f) {
      if (core::exists(m_.functions[f].body)) index(core::FunctionId{f});
    }
    first_order_calls();
    while (introduce_edges()) continue;
  }

  // With the iteration that has found it: 0 for those that need no data flow.
  const std::map<Edge, uint32_t>& edges() const { return edges_; }
  // Of which the last one has found nothing.
  uint32_t iterations() const { return iteration_; }

 private:
  using NodeId = core::NodeId;
  using VarId = core::VarId;
  using FunctionId = core::FunctionId;
  using Kind = core::Kind;

  // A variable of a function.
  using Variable = std::pair<FunctionId, VarId>;
  // What a value is: the node that computed it, or a part of a constant.
  struct Value {
    NodeId node{};
    std::optional<Term> constant = {};
    uint32_t part = 0;  // tells parts of a constant apart
    bool operator<(const Value& o) const {
      return std::pair(node, part) < std::pair(o.node, o.part);
    }
  };
  using Values = std::set<Value>;

  void index(FunctionId f) {
    core::for_each_node(m_, m_[f].body, [&](NodeId id) {
      function_of_[id] = f;
      core::for_each_definition(m_, id, [&](VarId v) { definitions_[{f, v}].push_back(id); });
    });
  }
  NodeId entry(FunctionId f) const { return m_.nodes(m_[f].body)[0]; }
  bool add(NodeId from, NodeId to, GraphEdgeKind kind, uint32_t clause = 0) {
    return edges_.try_emplace({from, to, kind, clause}, iteration_).second;
  }
  bool is_native(NodeId id, std::string_view name) const {
    if (m_[id].kind != Kind::CallRemote) return false;
    const auto view = m_.get<core::node::CallRemote>(id);
    return view.module.text() == "erlang" && view.name.text() == name;
  }
  std::span<const VarId> arguments(NodeId id) const {
    if (m_[id].kind == Kind::Call) return m_.vars(m_.get<core::node::Call>(id).arguments);
    if (m_[id].kind == Kind::Apply) return m_.vars(m_.get<core::node::Apply>(id).arguments);
    return m_.vars(m_.get<core::node::CallRemote>(id).arguments);
  }

  // ---- Reaching definitions (Definition 13) -----------------------------------

  Values reaching(FunctionId f, VarId v) const {
    Values found;
    std::set<Variable> seen;
    reach({f, v}, seen, found);
    return found;
  }

  void reach(Variable variable, std::set<Variable>& seen, Values& found) const {
    if (!seen.insert(variable).second) return;
    const auto at = definitions_.find(variable);
    if (at == definitions_.end()) return;
    for (const NodeId id : at->second) reach_by(variable, id, seen, found);
  }

  void reach_by(Variable variable, NodeId id, std::set<Variable>& seen, Values& found) const {
    const auto [f, v] = variable;
    const auto from = [&](VarId other) {
      if (core::exists(other)) reach({function_of_.at(id), other}, seen, found);
    };
    switch (m_[id].kind) {
      case Kind::Copy:
        return from(m_.get<core::node::Copy>(id).value);
      case Kind::Bind:
        return from(m_.get<core::node::Bind>(id).subject);
      case Kind::Entry:
        return reach_parameter(id, v, seen, found);
      case Kind::MatchTuple: {
        const auto view = m_.get<core::node::MatchTuple>(id);
        const auto elements = m_.vars(view.elements);
        const auto index = static_cast<size_t>(std::ranges::find(elements, v) - elements.begin());
        return reach_elements(reaching(f, view.subject), index, elements.size(), seen, found);
      }
      case Kind::Receive:
        if (v == m_.get<core::node::Receive>(id).message) return reach_message(id, seen, found);
        break;
      case Kind::Try: {
        const auto view = m_.get<core::node::Try>(id);
        if (v == view.value) return from(m_[view.body].value);
        if (v == view.reason) return reach_reason(id, seen, found);
        if (v != m_[id].result) return;
        break;
      }
      case Kind::Call:
      case Kind::Apply:
        return reach_results(id, seen, found);
      case Kind::Case:
        break;
      default:
        found.insert(value_of(id));
        return;
    }
    core::for_each_value_region(m_, id, [&](core::RegionId region) {
      if (core::exists(region)) from(m_[region].value);
    });
  }

  Value value_of(NodeId id) const {
    Value value{.node = id};
    if (m_[id].kind == Kind::Literal) value.constant = m_[m_.get<core::node::Literal>(id).value];
    return value;
  }

  void reach_parameter(NodeId entry_node, VarId v, std::set<Variable>& seen, Values& found) const {
    const FunctionId f = function_of_.at(entry_node);
    const auto parameters = m_.vars(m_.get<core::node::Entry>(entry_node).parameters);
    const auto index = static_cast<size_t>(std::ranges::find(parameters, v) - parameters.begin());
    const size_t arity = m_[f].arity - m_[f].captures;
    if (index >= arity) {  // f-use and f-definition correspond
      for (const auto& [id, function] : function_of_) {
        if (m_[id].kind != Kind::Fun || m_.get<core::node::Fun>(id).code != f) continue;
        reach({function, m_.vars(m_.get<core::node::Fun>(id).captures)[index - arity]}, seen,
              found);
      }
      return;
    }
    for (const auto& [edge, round] : edges_) {
      if (edge.to != entry_node) continue;
      const FunctionId caller = function_of_.at(edge.from);
      if (edge.kind == GraphEdgeKind::Spawn) {
        if (arguments(edge.from).size() == 3)
          reach_list(caller, arguments(edge.from)[2], index, seen, found);
      } else if (edge.kind != GraphEdgeKind::Message && edge.kind != GraphEdgeKind::Throw) {
        reach({caller, arguments(edge.from)[index]}, seen, found);
      }
    }
  }

  // The element of a list that is written with its elements.
  void reach_list(FunctionId f, VarId list, size_t index, std::set<Variable>& seen,
                  Values& found) const {
    for (const Value& cell : reaching(f, list)) {
      if (cell.constant && cell.constant->is_cons()) {
        uint32_t part = 0;
        for (const Term element : cell.constant->list()) {
          if (part++ == index) found.insert({cell.node, element, part});
        }
      }
      if (m_[cell.node].kind != Kind::Cons) continue;
      const auto view = m_.get<core::node::Cons>(cell.node);
      if (index == 0) {
        reach({function_of_.at(cell.node), view.head}, seen, found);
      } else {
        reach_list(function_of_.at(cell.node), view.tail, index - 1, seen, found);
      }
    }
  }

  // s-use and s-definition correspond: the same structure, the same place.
  void reach_elements(const Values& tuples, size_t index, size_t size, std::set<Variable>& seen,
                      Values& found) const {
    for (const Value& tuple : tuples) {
      if (tuple.constant) {
        if (tuple.constant->kind() != TermKind::Tuple || tuple.constant->tuple().size() != size)
          continue;
        found.insert({tuple.node, tuple.constant->tuple()[index],
                      tuple.part * 16 + static_cast<uint32_t>(index) + 1});
      } else if (m_[tuple.node].kind == Kind::Tuple) {
        const auto elements = m_.vars(m_.get<core::node::Tuple>(tuple.node).elements);
        if (elements.size() == size)
          reach({function_of_.at(tuple.node), elements[index]}, seen, found);
      }
    }
  }

  void reach_message(NodeId receive, std::set<Variable>& seen, Values& found) const {
    for (const auto& [edge, round] : edges_) {
      if (edge.kind != GraphEdgeKind::Message || edge.to != receive) continue;
      reach({function_of_.at(edge.from), arguments(edge.from)[1]}, seen, found);
    }
  }
  void reach_reason(NodeId handler, std::set<Variable>& seen, Values& found) const {
    for (const auto& [edge, round] : edges_) {
      if (edge.kind != GraphEdgeKind::Throw || edge.to != handler) continue;
      reach({function_of_.at(edge.from), arguments(edge.from)[0]}, seen, found);
    }
  }
  void reach_results(NodeId call, std::set<Variable>& seen, Values& found) const {
    for (const auto& [edge, round] : edges_) {
      if (edge.from != call) continue;
      const FunctionId callee = function_of_.at(edge.to);
      const NodeId last = m_.nodes(m_[callee].body).back();
      reach({callee, m_.get<core::node::Return>(last).value}, seen, found);
    }
  }

  // ---- The steps ----------------------------------------------------------------

  void first_order_calls() {
    for (const auto& [id, f] : function_of_) {
      if (m_[id].kind == Kind::Call) {
        add(id, entry(m_.get<core::node::Call>(id).function), GraphEdgeKind::Call);
      }
      if (!is_native(id, "spawn") || arguments(id).size() != 3) continue;
      const Values names = reaching(f, arguments(id)[1]);
      for (const Value& name : names) {
        const auto callee = find(name.constant->atom());
        if (callee) add(id, entry(*callee), GraphEdgeKind::Spawn);
      }
    }
  }
  std::optional<FunctionId> find(Atom name) const {
    for (uint32_t f = 0; f < m_.functions.size(); ++f) {
      if (m_.functions[f].name == name && m_.functions[f].exported) return FunctionId{f};
    }
    return std::nullopt;
  }

  // One round (Figure 4). Whether it has found an edge.
  bool introduce_edges() {
    ++iteration_;
    bool is_new = insert(ho_call_edges());
    is_new = insert(throw_edges()) || is_new;
    return insert(message_edges()) || is_new;
  }
  bool insert(const std::set<Edge>& found) {
    bool is_new = false;
    for (const Edge& e : found) is_new = add(e.from, e.to, e.kind, e.clause) || is_new;
    return is_new;
  }

  // Figure 5, and the starts of processes with funs.
  std::set<Edge> ho_call_edges() const {
    std::set<Edge> found;
    for (const auto& [id, f] : function_of_) {
      const bool is_spawn = is_native(id, "spawn") && arguments(id).size() == 1;
      if (m_[id].kind != Kind::Apply && !is_spawn) continue;
      const VarId called = is_spawn ? arguments(id)[0] : m_.get<core::node::Apply>(id).function;
      for (const Value& value : reaching(f, called)) {
        if (m_[value.node].kind != Kind::Fun) continue;
        const FunctionId callee = m_.get<core::node::Fun>(value.node).code;
        const size_t arity = m_[callee].arity - m_[callee].captures;
        if (!is_spawn && arity != arguments(id).size()) continue;
        found.insert(
            {id, entry(callee), is_spawn ? GraphEdgeKind::Spawn : GraphEdgeKind::HigherOrderCall});
      }
    }
    return found;
  }

  // Figure 6: throws that are reached from a catch with no other in between.
  std::set<Edge> throw_edges() const {
    std::set<Edge> found;
    for (const auto& [id, f] : function_of_) {
      if (m_[id].kind != Kind::Try) continue;
      std::set<FunctionId> seen;
      std::vector<core::RegionId> todo = {m_.get<core::node::Try>(id).body};
      while (!todo.empty()) {
        const core::RegionId region = todo.back();
        todo.pop_back();
        if (!core::exists(region)) continue;
        for (const NodeId node : m_.nodes(region)) look_for_throws(node, id, seen, todo, found);
      }
    }
    return found;
  }
  void look_for_throws(NodeId node, NodeId handler, std::set<FunctionId>& seen,
                       std::vector<core::RegionId>& todo, std::set<Edge>& found) const {
    if (is_native(node, "throw")) found.insert({node, handler, GraphEdgeKind::Throw});
    core::for_each_value_region(m_, node, [&](core::RegionId r) { todo.push_back(r); });
    for (const auto& [edge, round] : edges_) {
      if (edge.from != node || edge.kind == GraphEdgeKind::Spawn ||
          edge.kind == GraphEdgeKind::Message || edge.kind == GraphEdgeKind::Throw) {
        continue;
      }
      const FunctionId callee = function_of_.at(edge.to);
      if (seen.insert(callee).second) todo.push_back(m_[callee].body);
    }
  }

  // Figure 7. A process is the node that starts it, the first one its entry.
  std::set<Edge> message_edges() const {
    std::map<NodeId, std::set<FunctionId>> processes = {{entry(first_), functions_from(first_)}};
    for (const auto& [edge, round] : edges_) {
      if (edge.kind != GraphEdgeKind::Spawn) continue;
      const auto more = functions_from(function_of_.at(edge.to));
      processes[edge.from].insert(more.begin(), more.end());
    }
    std::set<Edge> found;
    for (const auto& [send, f] : function_of_) {
      if (!is_native(send, "!")) continue;
      for (const NodeId process : destinations(f, arguments(send)[0], processes)) {
        for (const FunctionId runs : processes[process]) {
          add_receives(send, reaching(f, arguments(send)[1]), runs, found);
        }
      }
    }
    return found;
  }

  std::set<FunctionId> functions_from(FunctionId first) const {
    std::set<FunctionId> all;
    std::vector<FunctionId> todo = {first};
    while (!todo.empty()) {
      const FunctionId f = todo.back();
      todo.pop_back();
      if (!all.insert(f).second) continue;
      for (const auto& [edge, round] : edges_) {
        const bool is_call =
            edge.kind == GraphEdgeKind::Call || edge.kind == GraphEdgeKind::HigherOrderCall;
        if (is_call && function_of_.at(edge.from) == f) todo.push_back(function_of_.at(edge.to));
      }
    }
    return all;
  }

  std::set<NodeId> destinations(FunctionId f, VarId v,
                                const std::map<NodeId, std::set<FunctionId>>& processes) const {
    std::set<NodeId> found;
    for (const Value& value : reaching(f, v)) {
      if (is_native(value.node, "spawn")) found.insert(value.node);
      if (is_native(value.node, "self")) {
        for (const auto& [process, functions] : processes) {
          if (functions.contains(function_of_.at(value.node))) found.insert(process);
        }
      }
      if (!value.constant || !value.constant->is_atom()) continue;
      for (const auto& [id, g] : function_of_) {  // by its name
        if (!is_native(id, "register")) continue;
        for (const Value& name : reaching(g, arguments(id)[0])) {
          if (!name.constant || !name.constant->is_atom(value.constant->atom())) continue;
          const auto named = destinations(g, arguments(id)[1], processes);
          found.insert(named.begin(), named.end());
        }
      }
    }
    return found;
  }

  void add_receives(NodeId send, const Values& messages, FunctionId f,
                    std::set<Edge>& found) const {
    for (const auto& [receive, g] : function_of_) {
      if (g != f || m_[receive].kind != Kind::Receive) continue;
      const auto view = m_.get<core::node::Receive>(receive);
      for (const Value& message : messages) {
        uint32_t number = 0;
        for (const NodeId clause : m_.nodes(view.clauses)) {
          ++number;
          const auto patterns = m_.nodes(m_.get<core::node::Clause>(clause).patterns);
          if (matches(patterns, view.message, message))
            found.insert({send, receive, GraphEdgeKind::Message, number});
        }
      }
    }
  }

  // Whether the value may match what the patterns ask of the variable.
  bool matches(std::span<const NodeId> patterns, VarId v, const Value& value) const {
    return std::ranges::all_of(patterns, [&](NodeId id) {
      if (m_[id].kind == Kind::MatchLiteral && m_.get<core::node::MatchLiteral>(id).subject == v) {
        return equals(value, m_[m_.get<core::node::MatchLiteral>(id).value]);
      }
      if (m_[id].kind != Kind::MatchTuple || m_.get<core::node::MatchTuple>(id).subject != v)
        return true;
      const auto elements = m_.vars(m_.get<core::node::MatchTuple>(id).elements);
      if (!is_tuple(value, elements.size())) return false;
      for (size_t i = 0; i < elements.size(); ++i) {
        if (!core::exists(elements[i])) continue;
        Values parts;
        std::set<Variable> seen;
        reach_elements({value}, i, elements.size(), seen, parts);
        if (std::ranges::none_of(
                parts, [&](const Value& part) { return matches(patterns, elements[i], part); }))
          return false;
      }
      return true;
    });
  }
  bool equals(const Value& value, Term term) const {
    if (!value.constant) return is_open(value);
    if (term.is_atom()) return value.constant->is_atom(term.atom());
    return value.constant->is_small() && term.is_small() && value.constant->small() == term.small();
  }
  // A number that was computed may be any number; nothing else here is.
  bool is_open(const Value& value) const { return is_native(value.node, "+"); }
  bool is_tuple(const Value& value, size_t size) const {
    if (value.constant)
      return value.constant->kind() == TermKind::Tuple && value.constant->tuple().size() == size;
    return m_[value.node].kind == Kind::Tuple &&
           m_.vars(m_.get<core::node::Tuple>(value.node).elements).size() == size;
  }

  const core::Module& m_;
  const FunctionId first_;
  std::map<NodeId, FunctionId> function_of_;
  std::map<Variable, std::vector<NodeId>> definitions_;
  std::map<Edge, uint32_t> edges_;
  uint32_t iteration_ = 0;
};

}  // namespace fathom::flow
