// What a machine is seen to do, against what the flow analysis has predicted: every call, every
// start of a process and every message must be an edge of the graph.
#pragma once

#include <fmt/format.h>

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

struct Observed {
  size_t calls = 0;
  size_t starts = 0;
  size_t messages = 0;
  std::vector<std::string> missing;  // edges that were seen and not predicted
};

// The graph as a set of edges, to ask it.
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
    return edges_.contains(key(from, to, kind));
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

// Compares what the machine has recorded with the graph.
inline Observed compare(machine::Machine& m, const FlowListener& seen, const Facts& facts,
                        const Graph& graph) {
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
      if (!is_outside && !predicted.has(from, to, GraphEdgeKind::Spawn))
        miss("start", function, node, call.callee);
      return;
    }
    const machine::Function* caller = m.code().function_at(call.site);
    const core::NodeId node{static_cast<uint32_t>(call.site[3])};
    const core::GlobalNodeId from = caller->owner->core->global(node);
    // In code that is only modelled: what it calls must be reached somehow.
    if (!predicted.has_node(from)) {
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
    if (!is_outside && !predicted.has(from, to, GraphEdgeKind::Call) &&
        !predicted.has(from, to, GraphEdgeKind::HigherOrderCall)) {
      miss("call", caller, node, call.callee);
    }
  });
  for (const FlowListener::Message& message : seen.messages) {
    if (!message.from.function || !message.to.function) continue;
    const core::GlobalNodeId from = message.from.function->owner->core->global(message.from.node);
    const core::GlobalNodeId to = message.to.function->owner->core->global(message.to.node);
    if (!predicted.has_node(from) || !predicted.has_node(to)) continue;
    ++result.messages;
    if (!facts.outside_sends.contains(from) && !predicted.has(from, to, GraphEdgeKind::Message)) {
      miss("message", message.from.function, message.from.node, message.to.function);
    }
  }
  return result;
}

}  // namespace fathom::flow
