// From the nodes of Core to constraints.
#pragma once

#include <deque>
#include <unordered_map>
#include <unordered_set>

#include "flow/facts.h"

namespace fathom::flow {

class Engine;

// What surrounds a region in its function.
struct Scope {
  InstanceId instance{};
  Slot handler = kNoSlot;   // where exceptions go
  Slot mismatch = kNoSlot;  // where Leave goes
};

class Generator {
 public:
  explicit Generator(Engine& engine) : engine_(engine) {}

  // Control comes to the region; its value goes to `result`. Once for each instance and region.
  // The guards of a clause.
  void enter_guards(const Scope& scope, core::NodeId clause);
  void enter(const Scope& scope, core::RegionId region, Slot result);
  // What was entered, as constraints. Whether there was any.
  bool generate_entered();

  // A node that is among patterns: a key, a size, a segment.
  void generate_in_pattern(const Scope& scope, core::NodeId id) { generate(scope, id); }
  // The objects of a constant.
  ObjectId constant(const core::Module& module, core::NodeId node, Term term);
  // If the slot is the reason of an exception that was caught: the exceptions of that handler by
  // their class, and the slot of the class.
  std::optional<Slot> handler_of(Slot reason) const;
  Slot class_slot_of(Slot reason) const;
  // Whether the slot is that of a stack trace, as a handler gets it.
  bool is_trace(Slot slot) const { return traces_.contains(slot); }

 private:
  Slot guard_errors_ = kNoSlot;
  struct Entered {
    Scope scope;
    core::RegionId region;
    Slot result;
  };
  struct Caught {  // by the slot of the reason
    Slot exception_class;
    Slot handler;
  };

  Slot variable(const Scope& scope, core::VarId var) const;
  Objects::Origin origin(const Scope& scope, core::NodeId id, uint32_t index = 0) const;
  const core::Module& module(const Scope& scope) const;
  SiteId site(const Scope& scope, core::NodeId id);

  void generate(const Scope& scope, core::NodeId id);
  bool generate_value(const Scope& scope, core::NodeId id);
  void generate_call(const Scope& scope, core::NodeId id);
  void generate_control(const Scope& scope, core::NodeId id);
  void literal(const Scope& scope, core::NodeId id);
  void tuple(const Scope& scope, core::NodeId id);
  void map(const Scope& scope, core::NodeId id);
  void map_update(const Scope& scope, core::NodeId id, core::VarId map, core::ListId pairs);
  void put_pairs(const Scope& scope, ObjectId map, core::ListId pairs);
  std::vector<ObjectId> constants_among(const Scope& scope, core::ListId pairs) const;
  void fun(const Scope& scope, core::NodeId id);
  void external_fun(const Scope& scope, core::NodeId id);
  void segment(const Scope& scope, core::NodeId id);
  void receive(const Scope& scope, core::NodeId id);
  void try_node(const Scope& scope, core::NodeId id);
  void raise(const Scope& scope, core::NodeId id);
  void raise_error(const Scope& scope, std::string_view error, Slot value);
  void no_match(const Scope& scope, core::NodeId id);
  std::vector<Slot> variables(const Scope& scope, core::ListId list) const;
  void add_result(const Scope& scope, core::NodeId id, ObjectId object);
  ObjectId constant_list(const core::Module& module, core::NodeId node, Term term);
  bool knows_origins(const core::Module& module) const;
  ObjectId constant_part(const core::Module& module, core::NodeId node, Term term);

  Engine& engine_;
  std::deque<Entered> entered_;
  std::unordered_map<Slot, Caught> caught_;
  std::unordered_set<Slot> traces_;
  std::unordered_map<core::GlobalNodeId, ObjectId> constants_;
  std::unordered_map<Slot, ObjectId> literals_;  // variables that are one, by their slot
  uint32_t next_part_ = 0;
  uint32_t constant_depth_ = 0;
};

}  // namespace fathom::flow
