// What a machine is seen to do, against what the flow analysis has predicted: every call, every
// start of a process and every message must be an edge of the graph.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/places.h"
#include "flow/effects.h"
#include "flow/graph.h"
#include "machine/driver.h"
#include "machine/machine.h"
#include "natives/families.h"
#include "session/program_code.h"

namespace fathom::flow {

// Runs in turn, and notes who has sent the messages that are received, and who started whom. Of
// processes that services have started, and of what services do inside the steps of others, nothing
// is noted: to the analysis they are the outside.
class FlowListener : public machine::RoundRobin {
 public:
  struct Place {
    const machine::Function* function = nullptr;
    core::NodeId node{};
  };
  struct Message {
    Place from;
    Place to;
  };
  std::vector<Message> messages;
  std::map<uint64_t, Place> started;  // by the number of the pid

  // The first process is the one that performs the first event.
  bool is_inside(uint64_t process) const { return process == first_ || started.contains(process); }

  void done(machine::Machine&, const machine::Transition&, const machine::Event& event) override {
    if (event.process.is_none()) return;
    if (first_ == 0) first_ = event.process.local_number();
    if (!is_inside(event.process.local_number())) return;
    const Place here{event.place, event.node};
    for (const machine::SentMessage& sent : event.sent) {
      if (event.kind == machine::EventKind::Send) sent_[{sent.to, sent.number}] = here;
    }
    if (event.kind == machine::EventKind::Spawn && event.result.is_pid()) {
      started[event.result.local_number()] = here;
    }
    if (event.kind != machine::EventKind::Receive) return;
    for (const machine::Access& access : event.accesses) {
      if (access.object != machine::SharedObject::Mailbox || !access.part.is_small()) continue;
      const auto at = sent_.find({access.id, static_cast<uint32_t>(access.part.small())});
      if (at != sent_.end()) messages.push_back({at->second, here});
    }
  }

 private:
  uint64_t first_ = 0;
  std::map<std::pair<uint64_t, uint32_t>, Place> sent_;
};

// Of the edges of one kind that are to be measured: how many were seen.
struct Share {
  size_t seen = 0;
  size_t all = 0;
};

struct Observed {
  size_t calls = 0;
  size_t starts = 0;
  size_t messages = 0;
  std::map<GraphEdgeKind, Share> shares = {};
  std::vector<std::string> unseen = {};  // those of funs and messages
  std::vector<std::string> missing;      // edges that were seen and not predicted
};

// The graph as a set of edges, to ask it. Notes which it was asked for.
class PredictedEdges {
 public:
  explicit PredictedEdges(const Graph& graph) {
    for (const GraphEdge& edge : graph.edges) {
      edges_.insert(key(graph[edge.from].core, graph[edge.to].core, edge.kind));
    }
    for (const GraphNode& node : graph.nodes) {
      nodes_.insert(static_cast<uint32_t>(node.core));
      if (node.kind == GraphNodeKind::Import && node.is_reached) {
        reached_.insert(static_cast<uint32_t>(node.core));
      }
    }
  }
  bool has(core::GlobalNodeId from, core::GlobalNodeId to, GraphEdgeKind kind) const {
    const std::string edge = key(from, to, kind);
    if (!edges_.contains(edge)) return false;
    asked_.insert(edge);
    return true;
  }
  bool was_asked(core::GlobalNodeId from, core::GlobalNodeId to, GraphEdgeKind kind) const {
    return asked_.contains(key(from, to, kind));
  }
  bool has_node(core::GlobalNodeId node) const {
    return nodes_.contains(static_cast<uint32_t>(node));
  }
  bool reaches(core::GlobalNodeId import) const {
    return reached_.contains(static_cast<uint32_t>(import));
  }

 private:
  static std::string key(core::GlobalNodeId from, core::GlobalNodeId to, GraphEdgeKind kind) {
    return fmt::format("{} {} {}", static_cast<uint32_t>(from), static_cast<uint32_t>(to),
                       static_cast<int>(kind));
  }
  std::unordered_set<std::string> edges_;
  mutable std::unordered_set<std::string> asked_;
  std::unordered_set<uint32_t> nodes_;
  std::unordered_set<uint32_t> reached_;
};

inline core::GlobalNodeId entry_of(const machine::Function& f) {
  const core::Module& m = *f.owner->core;
  return m.global(m.nodes(m[f.id].body)[0]);
}

inline std::string name_of(const machine::Function* f) {
  return f ? fmt::format("{}:{}/{}", f->module.text(), f->name.text(), f->arity) : "nobody";
}

// How many of the edges were seen: calls and starts in the author's code, and all messages but
// those that the system sends. Clauses count together.
inline void measure(const PredictedEdges& predicted, const Facts& facts, const Graph& graph,
                    const core::Program& program, Observed& result) {
  std::unordered_set<std::string> counted;
  std::unordered_set<core::GlobalNodeId> sending;
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
                         program.place_of(graph[node].core).line);
    };
    const std::string name =
        fmt::format("{} {} -> {}", word_of(edge.kind), text(edge.from, from), text(edge.to, to));
    if (!counted.insert(name).second) continue;
    Share& share = result.shares[edge.kind];
    ++share.all;
    if (predicted.was_asked(graph[edge.from].core, graph[edge.to].core, edge.kind)) {
      ++share.seen;
    } else if (is_message || edge.kind == GraphEdgeKind::HigherOrderCall) {
      result.unseen.push_back(name);
    }
  }
}

// A fun that a process starts with is called by apply/2, which is not analysed.
inline void note_start(const PredictedEdges& predicted, const FlowListener& seen, uint64_t process,
                       core::GlobalNodeId callee) {
  const auto at = seen.started.find(process);
  if (at == seen.started.end() || !at->second.function) return;
  const auto& [function, start] = at->second;
  predicted.has(function->owner->core->global(start), callee, GraphEdgeKind::Spawn);
}

// Compares what the machine has recorded with the graph.
inline Observed compare(machine::Machine& m, const FlowListener& seen, const Facts& facts,
                        const Graph& graph, const core::Program& program) {
  const PredictedEdges predicted(graph);
  std::unordered_set<std::string> external;  // calls of functions that are modelled
  const auto external_key = [](core::GlobalNodeId site, Atom module, Atom name, uint32_t arity) {
    return fmt::format("{} {}:{}/{}", static_cast<uint32_t>(site), module.text(), name.text(),
                       arity);
  };
  for (const ExternalCall& call : facts.external_calls) {
    external.insert(
        external_key(facts[call.site].global, call.name.module, call.name.name, call.name.arity));
  }
  Observed result;
  const auto miss = [&](std::string_view what, const machine::Function* from, core::NodeId node,
                        const machine::Function* to) {
    const uint32_t line = from ? core::place_of(*from->owner->core, node).line : 0;
    result.missing.push_back(
        fmt::format("{}: {} line {} -> {}", what, name_of(from), line, name_of(to)));
  };
  m.calls().for_each([&](const machine::RecordedCall& call) {
    // What stands in for a service runs in the process that asks it.
    const bool is_stand_in = call.callee->module.text().starts_with("fathom_");
    if (!seen.is_inside(call.process) || is_stand_in) return;
    const core::GlobalNodeId to = entry_of(*call.callee);
    const machine::Function& callee = *call.callee;
    const bool is_modelled = effect_of(callee.module, callee.name, callee.arity) != nullptr;
    if (!call.site) {
      const auto at = seen.started.find(call.process);
      if (at == seen.started.end() || !at->second.function) return;
      const auto& [function, node] = at->second;
      const core::GlobalNodeId from = function->owner->core->global(node);
      if (!predicted.has_node(from) || is_modelled) return;
      ++result.starts;
      const bool is_outside =
          facts.outside_calls.contains(from) && facts.outside_callees.contains(to);
      if (!predicted.has(from, to, GraphEdgeKind::Spawn) && !is_outside)
        miss("start", function, node, call.callee);
      return;
    }
    const machine::Function* caller = m.code().function_at(call.site);
    const core::NodeId node{static_cast<uint32_t>(call.site[3])};
    const core::GlobalNodeId from = caller->owner->core->global(node);
    // In code that is only modelled: what it calls must be reached somehow.
    if (!predicted.has_node(from)) {
      note_start(predicted, seen, call.process, to);
      if (predicted.has_node(to) && !predicted.reaches(to)) miss("call", caller, node, call.callee);
      return;
    }
    if (is_modelled) {
      if (!external.contains(external_key(from, callee.module, callee.name, callee.arity))) {
        miss("call", caller, node, call.callee);
      }
      return;
    }
    if (!predicted.has_node(to)) return miss("call", caller, node, call.callee);
    ++result.calls;
    const bool is_outside =
        facts.outside_calls.contains(from) && facts.outside_callees.contains(to);
    const bool is_call = predicted.has(from, to, GraphEdgeKind::Call);
    const bool is_higher_order = predicted.has(from, to, GraphEdgeKind::HigherOrderCall);
    if (!is_outside && !is_call && !is_higher_order) {
      miss("call", caller, node, call.callee);
    }
  });
  for (const FlowListener::Message& message : seen.messages) {
    if (!message.from.function || !message.to.function) continue;
    const core::GlobalNodeId from = message.from.function->owner->core->global(message.from.node);
    const core::GlobalNodeId to = message.to.function->owner->core->global(message.to.node);
    if (!predicted.has_node(from) || !predicted.has_node(to)) continue;
    ++result.messages;
    if (!predicted.has(from, to, GraphEdgeKind::Message) && !facts.outside_sends.contains(from)) {
      miss("message", message.from.function, message.from.node, message.to.function);
    }
  }
  measure(predicted, facts, graph, program, result);
  return result;
}

// Runs test:test() in turn or at random, and compares with the analysis, which sees it as the only
// entry.
inline Observed observe(session::Library& library, std::vector<Atom> own,
                        const machine::ModuleSource::Found& test, machine::Driver& driver,
                        FlowListener& listener) {
  machine::Limits limits;
  limits.reductions = 2'000'000;
  machine::Machine m(library, machine::native_table(), limits,
                     {.is_observed = true,
                      .outlives_first_process = true,
                      .is_silent = true,
                      .code = {.reports_calls = true}});
  const Atom module = test.core->name();
  m.code().load(test.unit, test.core);
  m.start(module, Atom::intern("test"), {});
  drive(m, driver);

  session::ProgramCode code(library, std::move(own));
  code.add(module, test);
  Analysis analysis(code);
  EXPECT_TRUE(analysis.add_entry({module, Atom::intern("test"), 0}, false));
  analysis.run();
  const MessageIndex messages(analysis);
  return compare(m, listener, analysis.facts(),
                 make_graph(analysis, messages, code, std::numeric_limits<size_t>::max()),
                 library.program());
}

inline std::string text_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace fathom::flow
