// Source sets with sleep sets (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014): of each state a set
// of actors, the source set, such that every execution from there is equivalent to one that begins
// with one of them. A race adds to the set of the state before it one actor that is an initial of
// the sequence which reverses the race, unless one is there already.
//
// Example: P.1 writes x, P.2 reads x. The first execution is P.1 P.2; its race adds P.2 to the
// source set {P.1} of the first state. A third actor that writes y is never added there.
//
// Less to keep than wake-up trees. But an actor alone does not say how to go on, so an execution
// may turn out, after some events, to be equivalent to one explored before: everything that is
// enabled sleeps. It is given up, and counted as blocked.
#pragma once

#include "explore/reducing_explorer.h"

namespace fathom::explore {

class SourceExplorer : public ReducingExplorer {
 public:
  explicit SourceExplorer(Execution& execution) : ReducingExplorer(execution, true) {}

  void enter() override;
  Next next(bool is_fresh) override;
  void ended(EventIndex fresh_from) override;
  bool has_pending(Depth depth) const override {
    return pending(depth) > 0 || tentative_.has_any(depth);
  }
  size_t pending(Depth depth) const override {
    return sets_[depth].actors.size() - sets_[depth].next;
  }

 private:
  struct SourceSet {
    std::vector<ActorId> actors;
    size_t next = 0;  // of those: the first that was not explored
    bool has(ActorId actor) const;
  };

  void add_sequence(Depth depth, const RacingPair* race, const Reversal& reversal) override;

  PerState<SourceSet> sets_;
};

}  // namespace fathom::explore
