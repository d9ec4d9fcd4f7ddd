// What there is to be covered of flows, as pairs of nodes: who asks for coverage of data flow,
// messages, callees and caught exceptions, and who generates tests for it, uses these items and the
// same records of runs.
//
//   data_flow  from a node that builds a value to one that matches or applies it
//   message    from a send to a clause of a receive
//   callee     from a call of a fun, or by a computed name, to the first node of a function
//   caught     from a call that raises to the try that catches
//
// Both ends lie in modules that are measured; with Scope::Module in the same one. What nobody who
// reads the source can tell apart is one item, that of the first node: nodes of several clauses
// that ask the same of the same value (`f({ok, X})` and `f({error, X})` both look at a pair), and
// nodes of one expression or pattern (a record is a tuple and its tag).
//
// All of them come from the analysis, which must know origins. A machine with labels sees the same
// pairs (machine/use_recorder.h): `seen` says which items one stands for. What is seen and is no
// item came from outside of what was analysed: from the caller of an exported function.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cover/coverage.h"
#include "flow/graph.h"
#include "machine/use_recorder.h"

namespace fathom::cover {

enum class Scope : uint8_t { Module, Global };

struct FlowItem {
  ItemKind kind{};
  core::GlobalNodeId from{};
  core::GlobalNodeId to{};
  auto operator<=>(const FlowItem&) const = default;
};

class FlowItems {
 public:
  struct Unknown {
    core::GlobalNodeId node{};
    std::string what;
  };

  FlowItems(std::vector<const core::Module*> modules, CriteriaSet criteria, Scope scope);

  // `graph`: for all but data flow; may be null if nothing else is wanted.
  void find(const flow::Analysis& analysis, const flow::Graph* graph);

  const std::vector<FlowItem>& all() const { return items_; }  // sorted, each once
  bool contains(const FlowItem& item) const;
  // Whether it is possible by what the analysis could not follow, or through the caller of an
  // exported function.
  bool may_come_from_outside(const FlowItem& item) const;

  // What a pair that a machine has seen stands for, of the kinds that are wanted.
  std::vector<FlowItem> seen(const machine::LabelUse& use) const;

  // As an item of coverage of the module that `from` is in.
  Item describe(const FlowItem& item) const;
  Item describe_unknown(const Unknown& unknown) const;
  const core::Module& module_of(core::GlobalNodeId node) const;

  // Regions that control may come to, by module.
  bool is_reached(const core::Module& module, core::RegionId region) const;
  // What the analysis could not follow there.
  const std::vector<Unknown>& unknowns() const { return unknowns_; }

 private:
  struct Node {
    const core::Module* module = nullptr;
    core::NodeId id{};
  };
  std::optional<Node> find_node(core::GlobalNodeId node) const;
  bool wants(ItemKind kind) const { return criteria_.overlaps(criteria_of(kind)); }
  void add(ItemKind kind, core::GlobalNodeId from, core::GlobalNodeId to);
  // The item if both ends count.
  std::optional<FlowItem> item(ItemKind kind, core::GlobalNodeId from, core::GlobalNodeId to) const;
  void group_by_origin(const core::Module& module);
  void group_patterns(const core::Module& module);
  void group_clauses(const core::Module& module, std::span<const core::NodeId> clauses);
  core::GlobalNodeId first_like_target(core::GlobalNodeId node) const;
  core::GlobalNodeId first_like_source(core::GlobalNodeId node) const;
  std::optional<core::GlobalNodeId> code_of_fun(const Node& node) const;

  std::vector<const core::Module*> modules_;  // by base
  CriteriaSet criteria_;
  Scope scope_;
  std::vector<FlowItem> items_;
  std::vector<Unknown> unknowns_;
  std::unordered_map<core::GlobalNodeId, core::GlobalNodeId> first_of_;    // of the same test
  std::unordered_map<core::GlobalNodeId, core::GlobalNodeId> same_place_;  // the first there
  std::unordered_map<const core::Module*, std::unordered_set<uint32_t>> reached_;
  // Ends of flows by ways that are not known: of each kind the sources, and the targets.
  std::unordered_set<uint64_t> open_sources_;
  std::unordered_set<uint64_t> open_targets_;
};

}  // namespace fathom::cover
