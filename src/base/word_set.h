// A set of 64-bit words other than 0, for many small insertions: open addressing, one array of a
// power of two, linear probing. Nothing can be taken out.
//
// Cost: about one cache miss for each insertion; 8 to 16 bytes for each word.
#pragma once

#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/hash.h"

namespace fathom {

class WordSet {
 public:
  // Whether it was new.
  bool insert(uint64_t word) {
    assert(word != 0);
    if (2 * (size_ + 1) > words_.size()) grow();
    uint64_t& place = find(word);
    if (place == word) return false;
    place = word;
    ++size_;
    return true;
  }
  bool contains(uint64_t word) const {
    return !words_.empty() && const_cast<WordSet*>(this)->find(word) == word;
  }
  size_t size() const { return size_; }
  template <class F>
  void for_each(F&& f) const {
    for (const uint64_t word : words_) {
      if (word != 0) f(word);
    }
  }

 private:
  uint64_t& find(uint64_t word) {
    const size_t mask = words_.size() - 1;
    size_t at = hash_slot(word, bits_);
    while (words_[at] != 0 && words_[at] != word) at = (at + 1) & mask;
    return words_[at];
  }
  void grow() {
    bits_ = bits_ == 0 ? 6 : bits_ + 1;
    const std::vector<uint64_t> old =
        std::exchange(words_, std::vector<uint64_t>(size_t{1} << bits_));
    for (const uint64_t word : old) {
      if (word != 0) find(word) = word;
    }
  }

  std::vector<uint64_t> words_;
  unsigned bits_ = 0;
  size_t size_ = 0;
};

}  // namespace fathom
