// Optimal dynamic partial-order reduction (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014, JACM
// 2017), with observers (Aronis, Jonsson, Lång, Sagonas, TACAS 2018): one execution of each class
// is explored, to its end, and none is ever blocked.
//
// Each state has a wake-up tree (wakeup_tree.h) of the sequences that are to be explored from it.
// A race adds to the tree of the state before it the sequence that reverses it (race_reversal.h),
// unless a weak initial of the sequence sleeps there: then an equivalent execution was explored.
// While the execution follows a branch of the tree, the branch below becomes the tree of the next
// state; where it ends, the execution goes on as it likes.
//
// All races of an execution are considered, not only those of its new part: what has to come before
// the second event of a race depends on all that the execution does after them. Of those in the
// part that it has in common with the execution before it, most cannot lead to anything new, and
// that is cheap to see (is_unchanged). Of equal messages, only those orders that may matter are
// reversed (equal_messages.h).
#pragma once

#include "explore/equal_messages.h"
#include "explore/reducing_explorer.h"

namespace fathom::explore {

class OptimalExplorer : public ReducingExplorer {
 public:
  explicit OptimalExplorer(Execution& execution)
      : ReducingExplorer(execution, false), equals_(execution.trace()) {}

  void enter() override;
  Next next(bool is_fresh) override;
  void ended(EventIndex fresh_from) override;
  bool has_pending(Depth depth) const override {
    return !states_[depth].wakeup.empty() || tentative_.has_any(depth);
  }
  size_t pending(Depth depth) const override { return states_[depth].wakeup.size(); }
  const Reversal* reversal(Depth depth) const override {
    return states_[depth].reversal ? &*states_[depth].reversal : nullptr;
  }
  void cut() override { states_[execution_.depth()].wakeup.clear(tree_nodes_); }

 private:
  struct State {
    WakeupTree wakeup;
    std::optional<Reversal> reversal;  // because of which the current event was chosen
  };
  // A race of the current execution that was considered. In another one that has it too, what is to
  // come before its second event may be more, or less.
  struct ProcessedRace {
    RacingPair race;
    EventIndex last_free;   // see RaceReversal
    const Record* sleeper;  // was a weak initial, so nothing was added; null: none
    bool is_settled;        // it is one in every execution
    bool is_equal = false;  // of equal messages whose order is irrelevant: not reversed
  };

  void add_sequence(Depth depth, const RacingPair* race, const Reversal& reversal) override;
  void add_processed(const RacingPair& race, const SleepSets::Sleeper& sleeper);
  void reverse(const RacingPair& race);
  void reverse_processed(EventIndex fresh_from);
  bool is_unchanged(const ProcessedRace& processed, EventIndex fresh_from) const;

  EqualMessages equals_;
  bool skips_equal_ = false;  // in the current execution
  WakeupTree::Pool tree_nodes_;
  // Of the states of the execution, and one more: what the wake-up tree of the next will be.
  PerState<State> states_;
  std::vector<ProcessedRace> processed_;
  std::vector<ProcessedRace> processed_before_;  // in the execution before this one
};

}  // namespace fathom::explore
