// A set of abstract values: a sorted list of blocks of 64 neighbouring ids, of which those that
// hold nothing are left out. Ids are given out as values are found, so what flows together lies
// together, and most sets are a block or two.
//
// A set of one block is in the object itself. That, and unions in place, is what the solver gains
// most by: of the sets of a large program, two of three are one block.
//
// Cost: a union is linear in the blocks of both; so is taking what is new of it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace fathom::flow {

enum class ObjectId : uint32_t {};

namespace detail {

// 64 neighbouring ids, and which of them are there.
struct Block {
  uint32_t index = 0;
  uint64_t bits = 0;
  bool operator==(const Block&) const = default;
};

// A vector of blocks; one of them needs no memory of its own.
class Blocks {
 public:
  Blocks() = default;
  Blocks(const Blocks& other) { assign(other); }
  Blocks(Blocks&& other) noexcept { swap(other); }
  Blocks& operator=(const Blocks& other) {
    if (this != &other) assign(other);
    return *this;
  }
  Blocks& operator=(Blocks&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Blocks() {
    if (is_large()) delete[] many;
  }

  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }
  const Block* begin() const { return is_large() ? many : &one; }
  const Block* end() const { return begin() + size_; }
  Block* begin() { return is_large() ? many : &one; }
  Block* end() { return begin() + size_; }
  void clear() { size_ = 0; }
  // The added ones have no contents that count.
  void resize(size_t size) {
    if (size > capacity_) grow(size);
    size_ = static_cast<uint32_t>(size);
  }
  void push_back(Block block) {
    resize(size_ + 1);
    end()[-1] = block;
  }
  void insert(const Block* at, Block block);
  bool operator==(const Blocks& other) const {
    return std::equal(begin(), end(), other.begin(), other.end());
  }

 private:
  bool is_large() const { return capacity_ > 1; }
  void assign(const Blocks& other) {
    resize(other.size_);
    std::copy(other.begin(), other.end(), begin());
  }
  void swap(Blocks& other) noexcept;
  void grow(size_t size);

  uint32_t size_ = 0;
  uint32_t capacity_ = 1;
  union {
    Block one = {};
    Block* many;
  };
};

}  // namespace detail

class ObjectSet {
 public:
  bool empty() const { return blocks_.empty(); }
  size_t size() const;
  bool contains(ObjectId id) const {
    const uint32_t index = static_cast<uint32_t>(id) / 64;
    // Mostly it is in the first block: there are the constants.
    const detail::Block* at = blocks_.begin();
    if (blocks_.empty() || at->index > index) return false;
    if (at->index < index) at = lower_bound(index);
    return at != blocks_.end() && at->index == index &&
           (at->bits >> (static_cast<uint32_t>(id) % 64) & 1) != 0;
  }
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
    for (const detail::Block& block : blocks_) {
      for (uint64_t bits = block.bits; bits != 0; bits &= bits - 1) {
        f(ObjectId{block.index * 64 + static_cast<uint32_t>(std::countr_zero(bits))});
      }
    }
  }
  // Whether f(ObjectId) is true of any.
  template <class F>
  bool any_of(F&& f) const {
    for (const detail::Block& block : blocks_) {
      for (uint64_t bits = block.bits; bits != 0; bits &= bits - 1) {
        if (f(ObjectId{block.index * 64 + static_cast<uint32_t>(std::countr_zero(bits))})) {
          return true;
        }
      }
    }
    return false;
  }

 private:
  const detail::Block* lower_bound(uint32_t index) const;

  detail::Blocks blocks_;  // by ascending index, none of them without bits
};

}  // namespace fathom::flow
