// A set of a function's variables.
//
// Most sets are small and live in large functions: of 300,000 operands in a row there is one
// intermediate value at a time. So a set is the non-zero words of the bit set that it would be,
// in order. Copying, merging and walking cost what is in it, whatever the number of variables;
// looking for one costs a binary search.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/core.h"

namespace fathom::machine {

class VarSet {
 public:
  void insert(core::VarId v) {
    const auto at = find(v);
    if (at != words_.end() && at->place == place_of(v)) {
      at->bits |= bit_of(v);
    } else {
      words_.insert(at, {place_of(v), bit_of(v)});
    }
  }
  void erase(core::VarId v) {
    const auto at = find(v);
    if (at == words_.end() || at->place != place_of(v)) return;
    at->bits &= ~bit_of(v);
    if (at->bits == 0) words_.erase(at);
  }
  bool contains(core::VarId v) const {
    const auto at = std::ranges::lower_bound(words_, place_of(v), {}, &Word::place);
    return at != words_.end() && at->place == place_of(v) && (at->bits & bit_of(v)) != 0;
  }
  void merge(const VarSet& other);
  template <class F>
  void for_each(F&& f) const {
    for (const Word& word : words_) {
      for (uint64_t bits = word.bits; bits != 0; bits &= bits - 1) {
        f(core::VarId{64 * word.place + static_cast<uint32_t>(std::countr_zero(bits))});
      }
    }
  }

 private:
  struct Word {
    uint32_t place;  // of variables 64 * place and the following
    uint64_t bits;   // never 0
  };
  static uint32_t place_of(core::VarId v) { return static_cast<uint32_t>(v) / 64; }
  static uint64_t bit_of(core::VarId v) { return uint64_t{1} << static_cast<uint32_t>(v) % 64; }
  std::vector<Word>::iterator find(core::VarId v) {
    return std::ranges::lower_bound(words_, place_of(v), {}, &Word::place);
  }

  std::vector<Word> words_;
};

inline void VarSet::merge(const VarSet& other) {
  if (other.words_.empty()) return;
  std::vector<Word> merged;
  merged.reserve(words_.size() + other.words_.size());
  auto mine = words_.begin();
  for (const Word& word : other.words_) {
    while (mine != words_.end() && mine->place < word.place) merged.push_back(*mine++);
    const bool is_shared = mine != words_.end() && mine->place == word.place;
    merged.push_back({word.place, word.bits | (is_shared ? (mine++)->bits : 0)});
  }
  merged.insert(merged.end(), mine, words_.end());
  words_ = std::move(merged);
}

}  // namespace fathom::machine
