// From numbers to places in a list: each number that is met gets the next place, from 0 on.
//
// Open addressing with linear probing; at most half of the cells are used, so a look is one
// multiplication and mostly one cell. Numbers are never removed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/hash.h"

namespace fathom {

class NumberIndex {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  uint32_t size() const { return size_; }
  // kNone: it was never met.
  uint32_t find(uint64_t number) const { return cells_[cell_of(number)].place; }
  uint32_t find_or_add(uint64_t number) {
    size_t cell = cell_of(number);
    if (cells_[cell].place != kNone) return cells_[cell].place;
    if ((size_t{size_} + 1) * 2 > cells_.size()) {
      grow();
      cell = cell_of(number);
    }
    cells_[cell] = {number, size_};
    return size_++;
  }

 private:
  struct Cell {
    uint64_t number = 0;
    uint32_t place = kNone;
  };

  // Where it is, or would be.
  size_t cell_of(uint64_t number) const {
    size_t i = hash_slot(number, bits_);
    while (cells_[i].place != kNone && cells_[i].number != number) {
      i = (i + 1) & (cells_.size() - 1);
    }
    return i;
  }
  void grow() {
    ++bits_;
    std::vector<Cell> old(size_t{1} << bits_);
    old.swap(cells_);
    for (const Cell& cell : old) {
      if (cell.place != kNone) cells_[cell_of(cell.number)] = cell;
    }
  }

  unsigned bits_ = 4;
  std::vector<Cell> cells_ = std::vector<Cell>(size_t{1} << 4);
  uint32_t size_ = 0;
};

}  // namespace fathom
