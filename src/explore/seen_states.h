// Which states a search with a bound has been in before: happens-before caching (Musuvathi and
// Qadeer, "Partial-Order Reduction for Context-Bounded State Exploration", 2007).
//
// Executions that differ only in the order of events that commute lead to the same state. So a
// state is known by the events that lead to it and by which of them happen before which, whatever
// their order was: each event contributes a hash of its name, and one for each of its direct
// predecessors, and the state's hash is the sum of them. A receive that observes the order of two
// sends contributes that. The messages that still lie in a mailbox have an order too, which nothing
// has observed yet: it is hashed apart.
//
// With a bound, what can follow depends on more: on whose turn it is, and on how much of the budget
// is left. A state that was explored with at least as much left is not explored again. Nothing is
// lost by that, as from it everything that is within the bound was explored; unlike with sleep sets
// or source sets, which count on executions that the bound may cut off.
//
// Example: two processes with two events each, all of which commute, and one preemption. Of the
// four executions (plain_explorer.h) all end in the same state: one is complete, the others stop
// where they come to a state of it.
//
// Cost: 16 bytes and more for each state; for each event, as many steps as it has predecessors, as
// there are processes and as messages lie in their mailboxes. Two states with the same hash of 64
// bits would be taken for one: 3 in a million for ten million states.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "explore/execution.h"

namespace fathom::explore {

// What an event contributes to the hash of the states after it.
uint64_t contribution(const Trace& trace, EventIndex index);
// Of the messages that lie in mailboxes: by which events they were sent, in their order.
uint64_t mailboxes_hash(const Execution& execution);

class SeenStates {
 public:
  // Whether it was explored with at least as much left; from now on it was.
  bool visit(uint64_t state, uint32_t left) {
    const auto [it, is_new] = most_left_.try_emplace(state, left);
    if (is_new) return false;
    if (it->second >= left) return true;
    it->second = left;
    return false;
  }
  size_t size() const { return most_left_.size(); }

 private:
  struct AsItIs {
    size_t operator()(uint64_t hash) const { return hash; }
  };
  std::unordered_map<uint64_t, uint32_t, AsItIs> most_left_;
};

}  // namespace fathom::explore
