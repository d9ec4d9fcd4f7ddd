// A set of abstract values: a sorted list of blocks of 64 neighbouring ids, of which those that
// hold nothing are left out. Ids are given out as values are found, so what flows together lies
// together, and most sets are a block or two.
//
// Cost: a union is linear in the blocks of both; so is taking what is new of it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fathom::flow {

enum class ObjectId : uint32_t {};

class ObjectSet {
 public:
  bool empty() const { return blocks_.empty(); }
  size_t size() const;
  bool contains(ObjectId id) const;
  // Whether it was new.
  bool insert(ObjectId id);
  // What of `other` was new goes into `added` too. Whether there was any.
  bool insert_all(const ObjectSet& other, ObjectSet& added);
  void insert_all(const ObjectSet& other) {
    ObjectSet added;
    insert_all(other, added);
  }
  bool intersects(const ObjectSet& other) const;
  ObjectSet without(const ObjectSet& other) const;
  void clear() { blocks_.clear(); }

  bool operator==(const ObjectSet&) const = default;
  uint64_t hash() const;

  // f(ObjectId), in ascending order. f must not change the set.
  template <class F>
  void for_each(F&& f) const {
    for (const Block& block : blocks_) {
      for (uint64_t bits = block.bits; bits != 0; bits &= bits - 1) {
        f(ObjectId{block.index * 64 + static_cast<uint32_t>(std::countr_zero(bits))});
      }
    }
  }
  // Whether f(ObjectId) is true of any.
  template <class F>
  bool any_of(F&& f) const {
    for (const Block& block : blocks_) {
      for (uint64_t bits = block.bits; bits != 0; bits &= bits - 1) {
        if (f(ObjectId{block.index * 64 + static_cast<uint32_t>(std::countr_zero(bits))})) {
          return true;
        }
      }
    }
    return false;
  }

 private:
  struct Block {
    uint32_t index = 0;
    uint64_t bits = 0;
    bool operator==(const Block&) const = default;
  };
  std::vector<Block>::iterator lower_bound(uint32_t index);

  std::vector<Block> blocks_;  // by ascending index, none of them without bits
};

}  // namespace fathom::flow
