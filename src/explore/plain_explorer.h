// The plain search: everything that is enabled, in every state, without any reduction. What the
// other algorithms are tested against; and, with a bound, a search of the executions in which
// little goes out of turn.
//
// A bound limits what an execution may cost in all. Preemptions: 1 whenever another actor goes on
// although the last one could. Delays: for each choice, how many actors whose turn came first were
// passed over; the last one goes first, the others in the order of the machine.
//
// Example: P and P.1 have two events each, which never block. With 0 preemptions there are two
// executions (P P P.1 P.1 and P.1 P.1 P P); with 1 there are two more (P P.1 P.1 P and P.1 P P
// P.1); with 2 the remaining two of all six.
//
// With a bound, states that were explored before are left out (seen_states.h), unless everything
// is wanted.
//
// Cost: all executions, so it is for small programs and small bounds; with states left out, all
// states within the bound.
#pragma once

#include "explore/explorer.h"
#include "explore/seen_states.h"

namespace fathom::explore {

class PlainExplorer : public Explorer {
 public:
  PlainExplorer(Execution& execution, const SearchOptions& options)
      : execution_(execution),
        bound_(options.bound),
        budget_(options.budget),
        leaves_out_seen_(options.leaves_out_seen && options.bound != Bound::None) {}

  void enter() override;
  Next next(bool is_fresh) override;
  bool has_pending(Depth depth) const override { return pending(depth) > 0; }
  size_t pending(Depth depth) const override {
    return branches_[depth].actors.size() - branches_[depth].next;
  }

 private:
  struct Branches {
    std::vector<ActorId> actors;
    std::vector<uint32_t> costs;  // of each
    size_t next = 0;
    uint32_t cost = 0;   // of the execution until here
    uint64_t state = 0;  // the hash of it (seen_states.h)
  };

  bool was_seen(const Branches& branches, bool is_end);
  void put_last_first();
  void find_affordable(Branches& branches);
  uint32_t cost(ActorId actor) const;

  Execution& execution_;
  Bound bound_;
  uint32_t budget_;
  bool leaves_out_seen_;
  SeenStates seen_;
  PerState<Branches> branches_;
  std::vector<ActorId> enabled_;
};

}  // namespace fathom::explore
