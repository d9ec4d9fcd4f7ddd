// The value of a call on a machine of its own, as long as that is there.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "machine/driver.h"
#include "session/session.h"

namespace fathom::testing {

// What is to be called, with values on the machine's heap.
struct Call {
  Atom module;
  Atom function;
  std::vector<machine::Value> arguments;
};

class Evaluation {
 public:
  explicit Evaluation(session::Session& session)
      : machine_(session.make_machine(machine::Limits())) {}

  machine::Machine& machine() { return *machine_; }

  // Empty: nothing decided what happens next.
  std::optional<machine::Outcome> outcome_of(const Call& call) {
    machine_->start(call.module, call.function, call.arguments);
    machine::RoundRobin in_turn;
    return machine::drive(*machine_, in_turn);
  }
  // Empty if the call has no value.
  std::optional<machine::Value> value_of(const Call& call) {
    const std::optional<machine::Outcome> outcome = outcome_of(call);
    if (!outcome || outcome->kind != machine::Outcome::Kind::Value) return std::nullopt;
    return outcome->value;
  }

 private:
  std::unique_ptr<machine::Machine> machine_;
};

}  // namespace fathom::testing
