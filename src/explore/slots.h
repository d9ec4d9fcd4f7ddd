// Numbers for the things that events touch, and for their parts: where Trace keeps who has
// touched them. Given once for a whole search: the same things are touched again and again.
//
// Cost: one probe of an open-addressing table for each touch.
#pragma once

#include <vector>

#include "explore/record.h"

namespace fathom::explore {

class Slots {
 public:
  struct Numbers {
    uint32_t thing;
    uint32_t part;  // kNoIndex: of the whole thing
  };

  uint32_t things() const { return things_; }
  uint32_t parts() const { return parts_; }

  Numbers of(const Footprint& f) { return find({f.id, f.part, f.thing, f.is_whole}).numbers; }
  // kNoIndex: nobody has touched it.
  uint32_t find_thing(machine::Thing thing, uint64_t id) const {
    const Cell& cell = cells_[place({id, 0, thing, true})];
    return cell.is_used ? cell.numbers.thing : kNoIndex;
  }

 private:
  struct Key {
    uint64_t id = 0;
    uint64_t part = 0;
    machine::Thing thing{};
    bool is_whole = false;
    bool operator==(const Key&) const = default;
  };
  struct Cell {
    Key key;
    bool is_used = false;
    Numbers numbers{};
  };

  static size_t hash(const Key& k) {
    constexpr uint64_t kMix = 0x9E3779B97F4A7C15;
    const uint64_t where = k.id * 32 + static_cast<uint64_t>(k.thing) * 2;
    const uint64_t mixed = ((where + static_cast<uint64_t>(k.is_whole)) * kMix ^ k.part) * kMix;
    return mixed >> 32;
  }
  // Where it is, or would be.
  size_t place(const Key& key) const {
    size_t i = hash(key) & (cells_.size() - 1);
    while (cells_[i].is_used && cells_[i].key != key) i = (i + 1) & (cells_.size() - 1);
    return i;
  }
  Cell& find(const Key& key) {
    if (Cell& cell = cells_[place(key)]; cell.is_used) return cell;
    if ((used_ + 2) * 2 > cells_.size()) grow();
    const uint32_t thing =
        key.is_whole ? things_++ : find({key.id, 0, key.thing, true}).numbers.thing;
    ++used_;
    Cell& cell = cells_[place(key)];
    cell = {key, true, {thing, key.is_whole ? kNoIndex : parts_++}};
    return cell;
  }
  void grow() {
    std::vector<Cell> old(cells_.size() * 2);
    old.swap(cells_);
    for (const Cell& cell : old) {
      if (cell.is_used) cells_[place(cell.key)] = cell;
    }
  }

  std::vector<Cell> cells_ = std::vector<Cell>(64);  // a power of two, at most half of them used
  size_t used_ = 0;
  uint32_t things_ = 0;
  uint32_t parts_ = 0;
};

}  // namespace fathom::explore
