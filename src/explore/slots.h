// Numbers for the shared objects that events access, and for their parts: where Trace keeps which
// events have accessed them. Given once for a whole search: the same objects are accessed again and
// again.
//
// Cost: one look into a list for a whole object with a small number, as processes have; for others
// one probe of an open-addressing table.
#pragma once

#include <array>
#include <vector>

#include "base/hash.h"
#include "explore/record.h"

namespace fathom::explore {

class Slots {
 public:
  struct Numbers {
    uint32_t object;
    uint32_t part;  // kNoIndex: of the whole object
  };

  uint32_t objects() const { return objects_; }
  uint32_t parts() const { return parts_; }

  Numbers of(const Footprint& f) {
    if (f.is_whole) return {of_object(f.object, f.id), kNoIndex};
    return find({f.id, f.part, f.object, false}).numbers;
  }
  // kNoIndex: no event has accessed it.
  uint32_t find_object(machine::SharedObject object, uint64_t id) const {
    if (id < kSmall) {
      const std::vector<uint32_t>& known = small_[static_cast<size_t>(object)];
      return id < known.size() ? known[id] : kNoIndex;
    }
    const Cell& cell = cells_[place({id, 0, object, true})];
    return cell.is_used ? cell.numbers.object : kNoIndex;
  }

 private:
  static constexpr uint64_t kSmall = 4096;
  static constexpr size_t kObjectWords = static_cast<size_t>(machine::SharedObject::Unique) + 1;

  uint32_t of_object(machine::SharedObject object, uint64_t id) {
    if (id >= kSmall) return find({id, 0, object, true}).numbers.object;
    std::vector<uint32_t>& known = small_[static_cast<size_t>(object)];
    if (id >= known.size()) known.resize(id + 1, kNoIndex);
    if (known[id] == kNoIndex) known[id] = objects_++;
    return known[id];
  }

  struct Key {
    uint64_t id = 0;
    uint64_t part = 0;
    machine::SharedObject object{};
    bool is_whole = false;
    bool operator==(const Key&) const = default;
  };
  struct Cell {
    Key key;
    bool is_used = false;
    Numbers numbers{};
  };

  static size_t hash(const Key& k) {
    const uint64_t where = k.id * 32 + static_cast<uint64_t>(k.object) * 2;
    return hash_words(where + static_cast<uint64_t>(k.is_whole), k.part);
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
    const uint32_t object = key.is_whole ? objects_++ : of_object(key.object, key.id);
    ++used_;
    Cell& cell = cells_[place(key)];
    cell = {key, true, {object, key.is_whole ? kNoIndex : parts_++}};
    return cell;
  }
  void grow() {
    std::vector<Cell> old(cells_.size() * 2);
    old.swap(cells_);
    for (const Cell& cell : old) {
      if (cell.is_used) cells_[place(cell.key)] = cell;
    }
  }

  std::array<std::vector<uint32_t>, kObjectWords> small_;  // by object and its number
  std::vector<Cell> cells_ = std::vector<Cell>(64);  // a power of two, at most half of them used
  size_t used_ = 0;
  uint32_t objects_ = 0;
  uint32_t parts_ = 0;
};

}  // namespace fathom::explore
