// In which orders a check has seen events race: the coverage of interleavings.
//
// A pair is two places of the program whose events, of different processes, raced in some
// execution (trace.h). It was seen in both orders if two processes have come to them in the one
// order, and the same two in the other. A search that is complete has seen both orders of every
// pair, where both are possible; one that was stopped, or has a bound, may not have.
//
// Cost: of an execution, what is new of it. Limits: events without a place (timers, signals that
// arrive) are left out, and so are an event that another has made impossible, and messages that are
// equal, whose order makes no difference (equal_messages.h).
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "explore/ended_execution.h"
#include "explore/findings.h"

namespace fathom::explore {

class RaceOrders {
 public:
  void see(const EndedExecution& e);
  void clear() { pairs_.clear(); }
  // By place.
  std::vector<RacingPlaces> take() const;

 private:
  struct Side {
    const machine::Function* function;
    core::NodeId node;
  };
  // By node of the program, the smaller one first.
  using Key = std::pair<core::GlobalNodeId, core::GlobalNodeId>;
  struct Seen {
    Side first;
    Side second;
    // By the actor at the first place and the one at the second: which of them was first, as bits.
    // Empty once both orders were seen.
    std::map<std::pair<ActorId, ActorId>, uint8_t> orders;
    bool in_both_orders = false;
  };

  void add(const Record& first, const Record& second);

  std::map<Key, Seen> pairs_;
};

}  // namespace fathom::explore
