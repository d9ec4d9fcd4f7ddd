// How a value gets from one variable to another, step by step.
//
// The solver knows that a value is in a slot, not how it came there. Here each way from a use of a
// variable to a definition of another is a step, with its nodes:
//
//   Copy        X = Y; the value of a clause becomes that of its case
//   Parameter   an argument of a call, or of a new process, and the callee's parameter
//   Result      what a function returns, and the result of the call
//   Fun         a variable that a fun captures, and the same inside of it
//   Structure   what is put into a tuple, list or map, and what is taken out of the same place of
//               the same structure, wherever that has gone meanwhile
//   Message     what is sent, and the message that a receive takes
//   Exception   what is raised, and the reason that a handler gets
//
// Variables are those of instances, so calls of library functions are told apart as far as the
// analysis does. A step is there only if a value can go it: one that is in both variables.
//
// Cost: making them, linear in the nodes of all instances, the structures that their patterns may
// see, and the messages; a search, linear in the steps that it goes.
#pragma once

#include <functional>
#include <unordered_map>
#include <vector>

#include "flow/graph.h"

namespace fathom::flow {

enum class StepKind : uint8_t { Copy, Parameter, Result, Fun, Structure, Message, Exception };

struct ValueStep {
  Slot from = kNoSlot;
  Slot to = kNoSlot;
  StepKind kind{};
  core::GlobalNodeId use{};         // that has the value
  core::GlobalNodeId definition{};  // that gives it to the other variable
};

// Whether a value may be in both: an object, or one that has escaped where the other has something
// unknown.
bool may_share(const Analysis& analysis, Slot a, Slot b);

struct InstanceVariable {
  InstanceId instance{};
  core::VarId variable{};
};

class ValueSteps {
 public:
  ValueSteps(const Analysis& analysis, const Graph& graph);

  const std::vector<ValueStep>& all() const { return steps_; }
  // From the variable on.
  std::span<const ValueStep> from(Slot variable) const;
  std::optional<InstanceVariable> variable(Slot slot) const;

  // All variables that the value may come to, the first included: f(slot). If f returns false,
  // the search does not go on from there. `wanted`: only where that object may be.
  void follow(Slot first, std::optional<ObjectId> wanted, const std::function<bool(Slot)>& f) const;
  // The shortest way, empty if there is none or if it is the same variable.
  std::vector<ValueStep> way(Slot first, Slot last, std::optional<ObjectId> wanted) const;

 private:
  friend class StepMaker;
  bool may_hold(Slot slot, std::optional<ObjectId> wanted) const;

  const Analysis& analysis_;
  std::vector<ValueStep> steps_;  // by `from`
  std::vector<std::pair<Slot, InstanceId>> bases_;
};

}  // namespace fathom::flow
