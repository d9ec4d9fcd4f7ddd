#include "observed_flow.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <set>
#include <unordered_set>

#include "core/places.h"
#include "core/walk.h"
#include "flow/data_flows.h"
#include "flow/effects.h"
#include "machine/driver.h"
#include "machine/machine.h"
#include "machine_values.h"
#include "natives/families.h"
#include "observed_values.h"

namespace fathom::flow {
namespace {

using core::GlobalNodeId;
using core::Kind;
using core::Module;
using core::NodeId;

// ---- The analysis -------------------------------------------------------------

// The graph as a set of edges, to ask it. Notes which it was asked for.
class PredictedEdges {
 public:
  explicit PredictedEdges(const Graph& graph) {
    for (const GraphEdge& edge : graph.edges) {
      edges_.insert(key(graph[edge.from].core, graph[edge.to].core, edge.kind));
      if (edge.kind == GraphEdgeKind::Message) {
        clauses_.insert({graph[edge.from].core, graph[edge.to].core, *edge.clause});
      }
    }
    for (const GraphNode& node : graph.nodes) {
      nodes_.insert(node.core);
      if (node.is_reached) reached_.insert(node.core);
    }
    for (const GraphNodeId node : graph.outside.called_at) calls_outside_.insert(graph[node].core);
    for (const GraphNodeId node : graph.outside.callees) called_outside_.insert(graph[node].core);
  }
  bool has(GlobalNodeId from, GlobalNodeId to, GraphEdgeKind kind) const {
    const std::string edge = key(from, to, kind);
    if (!edges_.contains(edge)) return false;
    asked_.insert(edge);
    return true;
  }
  bool has_clause(GlobalNodeId from, GlobalNodeId to, uint32_t clause) const {
    return clauses_.contains({from, to, clause});
  }
  bool was_asked(GlobalNodeId from, GlobalNodeId to, GraphEdgeKind kind) const {
    return asked_.contains(key(from, to, kind));
  }
  bool has_node(GlobalNodeId node) const { return nodes_.contains(node); }
  bool reaches(GlobalNodeId node) const { return reached_.contains(node); }
  bool calls_outside(GlobalNodeId site) const { return calls_outside_.contains(site); }
  bool is_called_outside(GlobalNodeId import) const { return called_outside_.contains(import); }

 private:
  static std::string key(GlobalNodeId from, GlobalNodeId to, GraphEdgeKind kind) {
    return fmt::format("{} {} {}", static_cast<uint32_t>(from), static_cast<uint32_t>(to),
                       static_cast<int>(kind));
  }
  std::unordered_set<std::string> edges_;
  mutable std::unordered_set<std::string> asked_;
  std::set<std::tuple<GlobalNodeId, GlobalNodeId, uint32_t>> clauses_;
  std::unordered_set<GlobalNodeId> nodes_;
  std::unordered_set<GlobalNodeId> reached_;
  std::unordered_set<GlobalNodeId> calls_outside_;
  std::unordered_set<GlobalNodeId> called_outside_;
};

// An analysis with one entry, and what follows from it.
struct Prediction {
  Prediction(Code& code, const FunctionName& entry, const AnalysisOptions& options)
      : analysis(code, options) {
    EXPECT_TRUE(analysis.add_entry(entry, false));
    analysis.run();
    messages.emplace(analysis);
    graph = make_graph(analysis, *messages, code, std::numeric_limits<size_t>::max());
    edges.emplace(graph);
    for (const DispatchFacts& d : facts().dispatches) {
      if (!exists(d.message)) continue;
      const GlobalNodeId node = facts()[d.instance].code.module->global(d.node);
      receives.emplace(node, d.message);
    }
    for (const ExternalCall& call : facts().external_calls) {
      external.insert(external_key(facts()[call.site].global, call.name));
    }
  }
  const Facts& facts() const { return analysis.facts(); }
  static std::string external_key(GlobalNodeId site, const FunctionName& f) {
    return fmt::format("{} {}:{}/{}", static_cast<uint32_t>(site), f.module.text(), f.name.text(),
                       f.arity);
  }

  Analysis analysis;
  std::optional<MessageIndex> messages;
  Graph graph;
  std::optional<PredictedEdges> edges;
  std::multimap<GlobalNodeId, Slot> receives;  // where their messages are, in each instance
  std::unordered_set<std::string> external;    // calls of functions that are modelled
};

// ---- The run ------------------------------------------------------------------

std::string name_of(const machine::Function* f) {
  return f ? fmt::format("{}:{}/{}", f->module.text(), f->name.text(), f->arity) : "nobody";
}

// Each process in turn; or, with a number, any that can run, and now and then a timer: the same
// number gives the same run.
class AnyOrder : public machine::RoundRobin {
 public:
  explicit AnyOrder(uint64_t number) : number_(number), random_(number) {}
  std::optional<machine::Transition> choose(const machine::Enabled& enabled) override {
    constexpr uint32_t kTimers = 16;  // one step in so many
    if (number_ == 0 || enabled.only_timers()) return RoundRobin::choose(enabled);
    if (!enabled.timers().empty() && random_() % kTimers == 0)
      return machine::Transition{.timer = enabled.timers().first()};
    size_t count = 0;
    for (const machine::Process* p = enabled.processes(); p; p = p->next) ++count;
    if (count == 0) return RoundRobin::choose(enabled);
    machine::Process* chosen = enabled.processes();
    for (size_t skipped = random_() % count; skipped > 0; --skipped) chosen = chosen->next;
    return machine::Transition{.process = chosen};
  }

 private:
  uint64_t number_;
  std::mt19937_64 random_;
};

// Notes who has sent the messages that are received, and who started whom.
class FlowListener : public AnyOrder {
 public:
  struct Place {
    const machine::Function* function = nullptr;
    NodeId node{};

    GlobalNodeId global() const { return function->owner->core->global(node); }
  };
  struct Message {
    Place from;
    Place to;
  };

  FlowListener(std::vector<const Prediction*> predictions, uint64_t order)
      : AnyOrder(order), predictions_(std::move(predictions)) {}

  std::vector<Message> messages;
  std::map<uint64_t, Place> started;  // by the number of the pid
  std::set<std::string> refused;      // values that the analysis does not allow
  size_t values = 0;

  // The first process is the one that performs the first event.
  bool is_inside(uint64_t process) const { return process == first_ || started.contains(process); }
  void done(machine::Machine&, const machine::Transition&, const machine::Event& event) override {
    if (event.kind == machine::EventKind::Timer) note_timer(event);
    if (event.process.is_none()) return;
    if (first_ == 0) first_ = event.process.local_number();
    for (const machine::ProcessExit& exit : event.exits) check_exit(exit);
    if (!is_inside(event.process.local_number())) return;
    const Place here{event.place, event.node};
    for (const machine::SentMessage& sent : event.sent) {
      // A service that is asked answers in the same step.
      const bool is_own = event.arguments.size() > 1 && sent.message == event.arguments[1];
      if (event.kind == machine::EventKind::Send && is_own) sent_[{sent.to, sent.number}] = here;
    }
    if (event.kind == machine::EventKind::StartTimer) {
      for (const machine::Access& access : event.accesses) {
        if (access.object == machine::SharedObject::Timer) timers_[access.id] = here;
      }
    }
    if (event.kind == machine::EventKind::Spawn) {
      if (const auto pid = started_by(event)) started[*pid] = here;
    }
    if (event.kind != machine::EventKind::Receive) return;
    check_message(event, here);
    for (const machine::Access& access : event.accesses) {
      if (access.object != machine::SharedObject::Mailbox || !access.part.is_small()) continue;
      const auto at = sent_.find({access.id, static_cast<uint32_t>(access.part.small())});
      if (at != sent_.end()) messages.push_back({at->second, here});
    }
  }

 private:
  // It sends what the call that has set it was given.
  void note_timer(const machine::Event& event) {
    for (const machine::Access& access : event.accesses) {
      const auto at = timers_.find(access.id);
      if (access.object != machine::SharedObject::Timer || at == timers_.end()) continue;
      for (const machine::SentMessage& sent : event.sent)
        sent_[{sent.to, sent.number}] = at->second;
    }
  }
  // The number of the new process: a pid, {Pid, Reference}, or in the message that answers a
  // request.
  static std::optional<uint64_t> started_by(const machine::Event& event) {
    machine::Value value = event.result;
    if (value.is_tuple(2)) value = value.elements()[0];
    for (const machine::SentMessage& sent : event.sent) {
      if (value.is_reference() && sent.message.is_tuple(4)) value = sent.message.elements()[3];
    }
    if (!value.is_pid()) return std::nullopt;
    return value.local_number();
  }
  void check_message(const machine::Event& event, const Place& here) {
    if (event.arguments.empty() || !here.function) return;
    for (const Prediction* p : predictions_) {
      const auto [first, last] = p->receives.equal_range(here.global());
      if (first == last) continue;
      ++values;
      const AllowedValues allowed(p->analysis);
      const bool is_allowed = std::any_of(first, last, [&](const auto& receive) {
        return allowed.allows(receive.second, event.arguments[0]);
      });
      if (is_allowed) continue;
      refused.insert(fmt::format("received: {} line {}: {}", name_of(here.function),
                                 core::place_of(*here.function->owner->core, here.node).line,
                                 machine::shown(event.arguments[0])));
    }
  }
  // By the object that stands for the process: that of the place where it was started.
  void check_exit(const machine::ProcessExit& exit) {
    const auto at = started.find(exit.process.local_number());
    if (at == started.end() || !at->second.function) return;
    for (const Prediction* p : predictions_) {
      if (!p->edges->has_node(at->second.global())) continue;
      const AllowedValues allowed(p->analysis);
      const Objects& objects = p->analysis.objects();
      bool is_any = false;
      bool is_allowed = false;
      for (uint32_t i = 0; i < objects.size() && !is_allowed; ++i) {
        const Object& o = objects[ObjectId{i}];
        if (o.kind != ObjectKind::Pid || o.node != at->second.global()) continue;
        is_any = true;
        is_allowed = allowed.allows(o.parts + kExitReasons, exit.reason);
      }
      ++values;
      if (!is_any || is_allowed) continue;
      refused.insert(fmt::format("exit: a process of {}: {}", name_of(at->second.function),
                                 machine::shown(exit.reason)));
    }
  }

  std::vector<const Prediction*> predictions_;
  uint64_t first_ = 0;
  std::map<std::pair<uint64_t, uint32_t>, Place> sent_;
  std::map<uint64_t, Place> timers_;  // where they were set
};

GlobalNodeId entry_of(const machine::Function& f) {
  const Module& m = *f.owner->core;
  return m.global(m.nodes(m[f.id].body)[0]);
}

// ---- Comparing ----------------------------------------------------------------

class Comparison {
 public:
  Comparison(machine::Machine& m, const FlowListener& seen, const Prediction& predicted, Code& code,
             const core::Program& program, Observed& result)
      : machine_(m),
        seen_(seen),
        predicted_(predicted),
        edges_(*predicted.edges),
        code_(code),
        program_(program),
        result_(result) {
    machine_.calls().for_each([&](const machine::RecordedCall& call) {
      are_all_inside_ = are_all_inside_ && seen_.is_inside(call.process);
    });
    find_modelled();
  }

  void run() {
    machine_.calls().for_each([&](const machine::RecordedCall& call) { compare(call); });
    for (const FlowListener::Message& message : seen_.messages) compare(message);
    find_clauses();
    machine_.uses().for_each([&](const machine::LabelUse& use) { compare_control(use); });
  }

  // Values that were built, where they are matched or applied.
  void run_flows() {
    const BuiltUses flows = built_uses(predicted_.analysis, [](const Module&) { return true; });
    machine_.uses().for_each([&](const machine::LabelUse& use) {
      const auto user = find(machine::labelled_node(use.user));
      if (user && user->kind() == Kind::Try) raising_.insert(machine::labelled_node(use.value));
    });
    machine_.uses().for_each([&](const machine::LabelUse& use) { compare_flow(use, flows); });
  }

  // How many of the edges were seen: calls and starts in the author's code, and all messages but
  // those that the system sends. Clauses count together.
  void measure();

 private:
  struct Node {
    const Module* module;
    NodeId id;
    Kind kind() const { return (*module)[id].kind; }
  };

  void miss(std::string_view what, GlobalNodeId from, GlobalNodeId to) {
    result_.missing.push_back(fmt::format("{}: {} -> {}", what, place(from), place(to)));
  }
  std::string place(GlobalNodeId node) const {
    const auto n = find(node);
    if (!n) return "nowhere";
    const core::Function& f = program_.function_of(node);
    return fmt::format("{}:{}/{} line {} {}", n->module->name().text(), f.name.text(), f.arity,
                       program_.place_of(node).line, core::schema_of(n->kind()).tag);
  }
  std::optional<Node> find(GlobalNodeId node) const {
    const core::Program::Local local = program_.local(node);
    if (static_cast<size_t>(local.id) >= local.module->size()) return std::nullopt;
    return Node{local.module, local.id};
  }
  bool is_own(GlobalNodeId node) const {
    const auto n = find(node);
    return n && code_.is_own(n->module->name());
  }

  // Whether the node is in a function that is in the graph, not one that is only modelled.
  bool is_analysed(GlobalNodeId node) const {
    return core::exists(program_.function_of(node).body) && edges_.has_node(entry_around(node));
  }
  GlobalNodeId entry_around(GlobalNodeId node) const {
    const Module& m = *find(node)->module;
    return m.global(m.nodes(program_.function_of(node).body)[0]);
  }

  // Code that is only modelled raises at the call of it: one into the same module.
  bool is_raised_by_model(GlobalNodeId from, GlobalNodeId to) const {
    const Atom module = find(from)->module->name();
    return !code_.is_own(module) &&
           std::ranges::any_of(predicted_.facts().external_calls, [&](const ExternalCall& call) {
             return call.name.module == module &&
                    edges_.has(predicted_.facts()[call.site].global, to, GraphEdgeKind::Throw);
           });
  }

  // Whether a function of that module which is only modelled is called there.
  bool is_part_of_model(GlobalNodeId site, Atom module) const {
    return !code_.is_own(module) &&
           std::ranges::any_of(predicted_.facts().external_calls, [&](const ExternalCall& call) {
             return call.name.module == module && predicted_.facts()[call.site].global == site;
           });
  }

  void compare(const machine::RecordedCall& call);
  void compare_start(const machine::RecordedCall& call);
  void compare(const FlowListener::Message& message);
  void compare_control(const machine::LabelUse& use);
  void compare_flow(const machine::LabelUse& use, const BuiltUses& flows);
  void find_clauses();
  void find_modelled();
  // Labels do not say in which process a value was used: library code may have run in one of the
  // outside.
  bool is_known_inside(GlobalNodeId from, GlobalNodeId to) const {
    return are_all_inside_ || (is_own(from) && is_own(to));
  }

  machine::Machine& machine_;
  const FlowListener& seen_;
  const Prediction& predicted_;
  const PredictedEdges& edges_;
  Code& code_;
  const core::Program& program_;
  Observed& result_;
  bool are_all_inside_ = true;
  std::unordered_set<GlobalNodeId> called_by_modelled_;  // entries of library functions
  std::unordered_set<GlobalNodeId> raising_;             // what a try has caught
  struct ReceiveClause {
    GlobalNodeId receive;
    uint32_t number;
  };
  std::unordered_map<GlobalNodeId, ReceiveClause> clauses_;
};

void Comparison::compare_start(const machine::RecordedCall& call) {
  const auto at = seen_.started.find(call.process);
  if (at == seen_.started.end() || !at->second.function) return;
  const GlobalNodeId from = at->second.global();
  const GlobalNodeId to = entry_of(*call.callee);
  const machine::Function& callee = *call.callee;
  if (!edges_.has_node(from) || effect_of(callee.module, callee.name, callee.arity)) return;
  ++result_.starts;
  if (edges_.has(from, to, GraphEdgeKind::Spawn)) return;
  if (edges_.calls_outside(from) && edges_.is_called_outside(to)) {
    ++result_.by_outside;
    return;
  }
  // Or it has slept: then it begins anew with what it has told hibernate/3.
  for (const ExternalCall& external : predicted_.facts().external_calls) {
    const GlobalNodeId site = predicted_.facts()[external.site].global;
    if (external.name.name.text() == "hibernate" &&
        edges_.has(site, to, GraphEdgeKind::HigherOrderCall))
      return;
  }
  miss("start", from, to);
}

void Comparison::compare(const machine::RecordedCall& call) {
  const machine::Function& callee = *call.callee;
  // What stands in for a service runs in the process that asks it.
  if (callee.module.text().starts_with("fathom_")) return;
  const GlobalNodeId to = entry_of(callee);
  if (!seen_.is_inside(call.process)) {
    if (code_.is_own(callee.module) && !edges_.reaches(to)) miss("call from outside", to, to);
    return;
  }
  if (!call.site) {
    if (!call.is_return) compare_start(call);
    return;
  }
  const machine::Function* caller = machine_.code().function_at(call.site);
  const NodeId node{static_cast<uint32_t>(call.site[3])};
  const GlobalNodeId from = caller->owner->core->global(node);
  const std::string_view what = call.is_return ? "return" : "call";
  // In code that is only modelled: what it calls must be reached somehow.
  if (!edges_.has_node(from)) {
    // A fun that a process starts with is called by apply/2, which is not analysed.
    if (const auto at = seen_.started.find(call.process);
        at != seen_.started.end() && at->second.function) {
      if (edges_.has(at->second.global(), to, GraphEdgeKind::Spawn)) ++result_.starts;
    }
    if (edges_.has_node(to) && !edges_.reaches(to)) miss(what, from, to);
    return;
  }
  if (called_by_modelled_.contains(entry_of(*caller))) return;
  ++(call.is_return ? result_.returns : result_.calls);
  if (!edges_.reaches(from)) miss(what, from, to);
  if (effect_of(callee.module, callee.name, callee.arity) && !code_.is_own(callee.module)) {
    const FunctionName name{callee.module, callee.name, callee.arity};
    if (!predicted_.external.contains(Prediction::external_key(from, name)) &&
        !edges_.calls_outside(from)) {
      miss(what, from, to);
    }
    return;
  }
  const bool is_call = edges_.has(from, to, GraphEdgeKind::Call);
  const bool is_higher_order = edges_.has(from, to, GraphEdgeKind::HigherOrderCall);
  if (is_call || is_higher_order) return;
  // Native functions may have a part in Erlang, which they call as if their caller did.
  if (is_part_of_model(from, callee.module)) return;
  // By the outside, of which all libraries are a part.
  const bool is_outside = edges_.is_called_outside(to) || !code_.is_own(callee.module);
  if (edges_.calls_outside(from) && is_outside) {
    ++result_.by_outside;
    return;
  }
  miss(what, from, to);
}

void Comparison::compare(const FlowListener::Message& message) {
  if (!message.from.function || !message.to.function) return;
  const GlobalNodeId from = message.from.global();
  const GlobalNodeId to = message.to.global();
  if (!edges_.has_node(from) || !edges_.has_node(to)) return;
  ++result_.messages;
  if (!edges_.has(from, to, GraphEdgeKind::Message)) miss("message", from, to);
}

void Comparison::find_clauses() {
  for (const GraphNode& node : predicted_.graph.nodes) {
    if (node.kind != GraphNodeKind::Receive) continue;
    const auto n = find(node.core);
    uint32_t number = 0;
    for (const NodeId clause : n->module->nodes(n->module->get<core::node::Receive>(n->id).clauses))
      clauses_.emplace(n->module->global(clause), ReceiveClause{node.core, ++number});
  }
}

// Code that is only modelled (string:length/1) calls functions that are analysed where others call
// them (unicode_util:gc/1). Labels do not say in which of the calls a value was used.
void Comparison::find_modelled() {
  std::unordered_map<GlobalNodeId, std::vector<GlobalNodeId>> callees;
  std::vector<GlobalNodeId> todo;
  machine_.calls().for_each([&](const machine::RecordedCall& call) {
    if (!call.site || call.is_return || code_.is_own(call.callee->module)) return;
    const GlobalNodeId caller = entry_of(*machine_.code().function_at(call.site));
    const GlobalNodeId callee = entry_of(*call.callee);
    if (edges_.has_node(caller)) return callees[caller].push_back(callee);
    if (called_by_modelled_.insert(callee).second) todo.push_back(callee);
  });
  while (!todo.empty()) {
    const GlobalNodeId caller = todo.back();
    todo.pop_back();
    for (const GlobalNodeId callee : callees[caller]) {
      if (called_by_modelled_.insert(callee).second) todo.push_back(callee);
    }
  }
}

// The clause that takes a message; the try that catches an exception.
void Comparison::compare_control(const machine::LabelUse& use) {
  const GlobalNodeId from = machine::labelled_node(use.value);
  const GlobalNodeId to = machine::labelled_node(use.user);
  const auto user = find(to);
  if (!user || !is_known_inside(from, to)) return;
  if (user->kind() == Kind::Clause) {
    const auto at = clauses_.find(to);
    if (at == clauses_.end() || !edges_.has_node(from)) return;
    ++result_.messages;
    if (!edges_.has_clause(from, at->second.receive, at->second.number))
      miss(fmt::format("message to clause {}", at->second.number), from, at->second.receive);
  } else if (user->kind() == Kind::Try) {
    if (!edges_.has_node(from) || !edges_.has_node(to)) return;
    ++result_.throws;
    if (edges_.has(from, to, GraphEdgeKind::Throw) || is_raised_by_model(from, to)) return;
    const bool is_outside =
        std::ranges::any_of(predicted_.graph.outside.called_at, [&](GraphNodeId call) {
          return edges_.has(predicted_.graph[call].core, to, GraphEdgeKind::Throw);
        });
    if (!is_outside || !edges_.reaches(from)) return miss("throw", from, to);
    ++result_.by_outside;
  }
}

void Comparison::compare_flow(const machine::LabelUse& use, const BuiltUses& flows) {
  const GlobalNodeId from = machine::labelled_node(use.value);
  const GlobalNodeId to = machine::labelled_node(use.user);
  const auto source = find(from);
  const auto user = find(to);
  if (!source || !user || !builds_value(source->kind()) || !is_known_inside(from, to)) return;
  // Of constants in libraries it is not known where they come from.
  const bool is_constant = source->kind() == Kind::Literal || source->kind() == Kind::ExternalFun;
  if ((is_constant && !is_own(from)) || !is_analysed(from)) return;
  // The class and the reason of an error have the label of what raises it: a binary, a map.
  if (raising_.contains(from)) return;
  if (user->kind() == Kind::Clause || user->kind() == Kind::Try || !is_analysed(to)) return;
  if (called_by_modelled_.contains(entry_around(from))) return;
  if (called_by_modelled_.contains(entry_around(to))) return;
  ++result_.flows;
  if (std::ranges::binary_search(flows.all, BuiltUse{from, to})) return;
  if (flows.escaped.contains(from) && flows.open_uses.contains(to)) {
    ++result_.by_outside;
    return;
  }
  miss("flow", from, to);
}

void Comparison::measure() {
  const Facts& facts = predicted_.facts();
  const Graph& graph = predicted_.graph;
  std::unordered_set<std::string> counted;
  std::unordered_set<GlobalNodeId> sending;
  for (const Send& send : facts.sends) {
    if (!send.is_signal) sending.insert(facts[send.site].global);
  }
  for (const GraphEdge& edge : graph.edges) {
    const GraphFunction& from = graph[graph[edge.from].function];
    const GraphFunction& to = graph[graph[edge.to].function];
    const bool is_message =
        edge.kind == GraphEdgeKind::Message && sending.contains(graph[edge.from].core);
    const bool is_call = edge.kind == GraphEdgeKind::Call || edge.kind == GraphEdgeKind::Spawn ||
                         edge.kind == GraphEdgeKind::HigherOrderCall;
    if (!is_message && !(is_call && from.is_own)) continue;
    const auto text = [&](GraphNodeId node, const GraphFunction& f) {
      return fmt::format("{}:{}/{}:{}", f.name.module.text(), f.name.name.text(), f.name.arity,
                         program_.place_of(graph[node].core).line);
    };
    const std::string name =
        fmt::format("{} {} -> {}", word_of(edge.kind), text(edge.from, from), text(edge.to, to));
    if (!counted.insert(name).second) continue;
    Share& share = result_.shares[edge.kind];
    ++share.all;
    if (edges_.was_asked(graph[edge.from].core, graph[edge.to].core, edge.kind)) {
      ++share.seen;
    } else if (is_message || edge.kind == GraphEdgeKind::HigherOrderCall) {
      result_.unseen.push_back(name);
    }
  }
}

}  // namespace

Observed& Observed::operator+=(const Observed& other) {
  calls += other.calls;
  returns += other.returns;
  starts += other.starts;
  messages += other.messages;
  throws += other.throws;
  flows += other.flows;
  values += other.values;
  by_outside += other.by_outside;
  for (const auto& [kind, share] : other.shares) {
    shares[kind].seen += share.seen;
    shares[kind].all += share.all;
  }
  unseen.insert(unseen.end(), other.unseen.begin(), other.unseen.end());
  missing.insert(missing.end(), other.missing.begin(), other.missing.end());
  return *this;
}

std::string Observed::text() const {
  return fmt::format(
      "{} calls, {} returns, {} starts, {} messages, {} throws, {} flows of values, {} values; {} "
      "of these by the outside",
      calls, returns, starts, messages, throws, flows, values, by_outside);
}

Observed observe(session::Library& library, const std::vector<Atom>& own,
                 const machine::ModuleSource::Found& test, std::string_view function,
                 uint64_t orders) {
  const Atom module = test.core->name();
  session::ProgramCode code(library, own);
  code.add(module, test);
  const FunctionName entry{module, Atom::intern(function), 0};
  const Prediction plain(code, entry, {});
  const Prediction with_origins(code, entry, {.knows_origins = true});

  machine::Limits limits;
  limits.reductions = 2'000'000;
  Observed result;
  for (uint64_t order = 0; order < orders; ++order) {
    machine::Machine m(library, machine::native_table(), limits,
                       {.is_observed = true,
                        .outlives_first_process = true,
                        .is_silent = true,
                        .code = {.reports_calls = true, .labels = true}});
    m.code().load(test.unit, test.core);
    m.start(module, entry.name, {});
    FlowListener listener({&plain, &with_origins}, order);
    drive(m, listener);

    Observed seen;
    Comparison comparison(m, listener, plain, code, library.program(), seen);
    comparison.run();
    Observed again;
    Comparison precise(m, listener, with_origins, code, library.program(), again);
    precise.run();
    for (std::string& line : again.missing) seen.missing.push_back("(origins) " + line);
    Observed flows;
    Comparison(m, listener, with_origins, code, library.program(), flows).run_flows();
    seen.flows = flows.flows;
    seen.by_outside += flows.by_outside;
    seen.missing.insert(seen.missing.end(), flows.missing.begin(), flows.missing.end());
    seen.values = listener.values;
    seen.missing.insert(seen.missing.end(), listener.refused.begin(), listener.refused.end());
    if (order + 1 == orders) comparison.measure();
    result += seen;
  }
  return result;
}

std::string text_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace fathom::flow
