// Definitions and uses (M. Widera, "Concurrent Erlang Flow Graphs", Definitions 8 to 13). From
// where data is built to where it is matched or applied: data_flows.h.
//
// A definition is a node that gives a variable its value, a use one that needs it. Where a use
// hides the value, and a definition makes it available again, maybe under another name, they
// correspond:
//
//   f   a fun captures a variable, and has it inside
//   s   a structure is built of it, and taken apart
//   m   it is sent, and received
//
// Variables are Core's, so every intermediate value has one. A variable of a pattern belongs to the
// branch or receive around it, and to its clause. A receive names the message itself, too: the m
// pairs connect what is sent with that, and its parts follow by s pairs.
//
// A definition reaches a use *directly* if both are of the same variable and control can go from
// one to the other. It *reaches* it if a chain of direct ones, copies, calls and corresponding
// pairs leads there: `uses_reached`. Core defines a variable at most once on each path, so there is
// nothing that could come in between.
//
// Cost: linear in the functions; for variables that several clauses define, the product of their
// definitions and uses. What corresponds, and what reaches, is taken from ValueSteps.
#pragma once

#include <vector>

#include "flow/value_steps.h"

namespace fathom::flow {

enum class DefinitionId : uint32_t {};
enum class UseId : uint32_t {};

// Of a definition or use, as a set: f, s, m.
enum Variant : uint8_t { kPlain = 0, kFunVariant = 1, kStructureVariant = 2, kMessageVariant = 4 };

// A definition, or a use.
struct Occurrence {
  core::GlobalNodeId node{};   // of Core
  core::GlobalNodeId owner{};  // of the graph: the branch or receive that the node is a pattern of
  std::optional<uint32_t> clause = {};  // of the owner, from 1 on
  GraphFunctionId function{};
  core::VarId variable{};
  uint8_t variants = kPlain;
};

struct DirectPair {
  DefinitionId definition{};
  UseId use{};
  auto operator<=>(const DirectPair&) const = default;
};

struct CorrespondingPair {
  UseId use{};
  DefinitionId definition{};
  Variant variant{};
  auto operator<=>(const CorrespondingPair&) const = default;
};

class DefUse {
 public:
  // Of the functions for which `wanted` holds; those of the author, by default.
  DefUse(const Analysis& analysis, const Graph& graph, const ValueSteps& steps,
         const std::function<bool(const GraphFunction&)>& wanted = {});

  std::span<const Occurrence> definitions() const { return definitions_; }
  std::span<const Occurrence> uses() const { return uses_; }
  const Occurrence& operator[](DefinitionId id) const {
    return definitions_[static_cast<size_t>(id)];
  }
  const Occurrence& operator[](UseId id) const { return uses_[static_cast<size_t>(id)]; }
  // All of them sorted, each once.
  std::span<const DirectPair> direct() const { return direct_; }
  std::span<const CorrespondingPair> corresponding() const { return corresponding_; }

  // In ascending order.
  std::vector<UseId> uses_reached(DefinitionId definition) const;

 private:
  friend class DefUseMaker;
  struct FunctionVariables {
    std::vector<InstanceId> instances;
    std::vector<std::vector<UseId>> uses;  // by variable
  };

  const Analysis& analysis_;
  const ValueSteps& steps_;
  std::vector<Occurrence> definitions_;
  std::vector<Occurrence> uses_;
  std::vector<DirectPair> direct_;
  std::vector<CorrespondingPair> corresponding_;
  std::unordered_map<GraphFunctionId, FunctionVariables> functions_;
  std::unordered_map<core::GlobalNodeId, GraphFunctionId> by_entry_;
};

}  // namespace fathom::flow
