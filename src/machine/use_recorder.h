// Which values were matched or applied where, in a labelled run: pairs of the label of the value
// and that of the instruction. Data-flow coverage counts them, and the flow analysis must have
// predicted them.
//
// Beside these: which send has sent what a clause of a receive takes, which function a call has
// called whose name was computed (by its first node), which node has raised what a try catches.
//
// Each pair is kept once. Most uses are of a value like the one before, which the instruction
// itself remembers (LabelWord): they never come here. Going back does not forget: what was seen
// was possible.
#pragma once

#include <cstdint>
#include <vector>

#include "base/word_set.h"
#include "code/code.h"

namespace fathom::machine {

struct LabelUse {
  Label value = kNoLabel;  // what the value was labelled with where it was built
  Label user = kNoLabel;   // of the instruction that has matched or applied it
};

class UseRecorder {
 public:
  // `user`: the label word of the instruction.
  void add(Label value, LabelWord& user) {
    if (is_paused_ || user.own == kNoLabel || value == kNoLabel) return;
    if (user.last_seen == kNoLabel) users_.push_back(&user);
    user.last_seen = value;
    pairs_.insert(uint64_t{value} << 32 | user.own);
  }
  // Of one that is not an instruction.
  void add(Label value, Label user) {
    if (!is_paused_ && user != kNoLabel && value != kNoLabel)
      pairs_.insert(uint64_t{value} << 32 | user);
  }
  // Begins anew: what was seen is seen again.
  void clear() {
    for (LabelWord* user : users_) user->last_seen = kNoLabel;
    users_.clear();
    pairs_ = {};
  }
  // While it is so nothing is seen: what runs is not part of the execution.
  void pause(bool is_paused) { is_paused_ = is_paused; }

  size_t size() const { return pairs_.size(); }
  template <class F>
  void for_each(F&& f) const {
    pairs_.for_each([&](uint64_t pair) {
      f(LabelUse{static_cast<Label>(pair >> 32), static_cast<Label>(pair)});
    });
  }

 private:
  WordSet pairs_;
  std::vector<LabelWord*> users_;  // that remember a value
  bool is_paused_ = false;
};

}  // namespace fathom::machine
