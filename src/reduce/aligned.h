// What of a text is still there in another one that was made of it by taking things away.
#pragma once

#include <string_view>
#include <vector>

#include "slice/edits.h"

namespace fathom::reduce {

// A longest common subsequence of the tokens of both; comments and blanks do not count. Cost: the
// product of the numbers of tokens, in steps and bits of memory.
class Alignment {
 public:
  Alignment(std::string_view original, std::string_view reduced);

  // What of the original is still there, in order.
  std::vector<slice::TextRange> kept() const;
  // Where that is in the original which is there in the reduced text; as far as it is in both.
  slice::TextRange in_original(slice::TextRange reduced) const;

 private:
  struct Pair {
    slice::TextRange original;
    slice::TextRange reduced;
    bool is_next = false;  // it follows the one before in the original
  };
  std::vector<Pair> pairs_;
};

}  // namespace fathom::reduce
