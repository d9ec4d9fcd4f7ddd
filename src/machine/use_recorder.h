// Which values were matched or applied where, in a labelled run: pairs of the label of the value
// and that of the instruction. Data-flow coverage counts them, and the flow analysis must have
// predicted them.
//
// Each pair is kept once. Most uses are of a value like the one before, which the instruction
// itself remembers (LabelWord): they never come here. Going back does not forget: what was seen
// was possible.
#pragma once

#include <cstdint>

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
    if (is_paused_ || user.own == kNoLabel) return;
    user.last_seen = value;
    if (value != kNoLabel) pairs_.insert(uint64_t{value} << 32 | user.own);
  }
  // While it is so nothing is seen: what runs is no part of the execution.
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
  bool is_paused_ = false;
};

}  // namespace fathom::machine
