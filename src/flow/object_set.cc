#include "flow/object_set.h"

#include <cstring>
#include <utility>

#include "base/hash.h"

namespace fathom::flow {

using detail::Block;
using detail::Blocks;

void Blocks::insert(const Block* at, Block block) {
  const auto index = at - begin();
  resize(size_ + 1);
  std::copy_backward(begin() + index, end() - 1, end());
  begin()[index] = block;
}

void Blocks::swap(Blocks& other) noexcept {
  // The union is as large as a block, whichever it holds.
  std::swap(size_, other.size_);
  std::swap(capacity_, other.capacity_);
  Block bytes;
  static_assert(sizeof one == sizeof bytes);
  std::memcpy(&bytes, &one, sizeof bytes);
  std::memcpy(&one, &other.one, sizeof bytes);
  std::memcpy(&other.one, &bytes, sizeof bytes);
}

void Blocks::grow(size_t size) {
  const auto capacity =
      static_cast<uint32_t>(std::max<size_t>(size, capacity_ + capacity_ / 2 + 1));
  auto* blocks = new Block[capacity];
  std::copy(begin(), end(), blocks);
  if (is_large()) delete[] many;
  many = blocks;
  capacity_ = capacity;
}

size_t ObjectSet::size() const {
  size_t count = 0;
  for (const Block& block : blocks_) count += static_cast<size_t>(std::popcount(block.bits));
  return count;
}

uint64_t ObjectSet::hash() const {
  uint64_t hash = blocks_.size();
  for (const Block& block : blocks_) hash = hash_words(hash, block.index, block.bits);
  return hash;
}

const Block* ObjectSet::lower_bound(uint32_t index) const {
  if (blocks_.empty() || blocks_.begin()->index >= index) return blocks_.begin();
  return std::ranges::lower_bound(blocks_.begin(), blocks_.end(), index, {}, &Block::index);
}

bool ObjectSet::insert(ObjectId id) {
  const uint32_t index = static_cast<uint32_t>(id) / 64;
  const uint64_t bit = uint64_t{1} << (static_cast<uint32_t>(id) % 64);
  Block* at = blocks_.begin() + (lower_bound(index) - blocks_.begin());
  if (at == blocks_.end() || at->index != index) {
    blocks_.insert(at, {index, bit});
    return true;
  }
  if ((at->bits & bit) != 0) return false;
  at->bits |= bit;
  return true;
}

namespace {

// Puts blocks among others, in place: from the end on, where there is room.
void merge(Blocks& into, const Blocks& added) {
  size_t shared = 0;
  for (const Block *a = into.begin(), *b = added.begin(); a != into.end() && b != added.end();) {
    if (a->index == b->index) ++shared;
    const bool takes_a = a->index <= b->index;
    const bool takes_b = b->index <= a->index;
    a += takes_a ? 1 : 0;
    b += takes_b ? 1 : 0;
  }
  size_t left = into.size();
  into.resize(into.size() + added.size() - shared);
  Block* out = into.end();
  for (const Block* b = added.end(); b != added.begin();) {
    --b;
    while (left > 0 && into.begin()[left - 1].index > b->index) *--out = into.begin()[--left];
    if (left > 0 && into.begin()[left - 1].index == b->index) {
      --left;
      *--out = {b->index, into.begin()[left].bits | b->bits};
    } else {
      *--out = *b;
    }
  }
}

}  // namespace

bool ObjectSet::insert_all(const ObjectSet& other, ObjectSet& added) {
  // First what is new, which is mostly nothing or little; then one merge.
  Blocks fresh;
  Block* mine = blocks_.begin();
  bool has_new_block = false;
  for (const Block& theirs : other.blocks_) {
    while (mine != blocks_.end() && mine->index < theirs.index) ++mine;
    const bool is_shared = mine != blocks_.end() && mine->index == theirs.index;
    const uint64_t bits = is_shared ? theirs.bits & ~mine->bits : theirs.bits;
    if (bits == 0) continue;
    fresh.push_back({theirs.index, bits});
    if (is_shared) {
      mine->bits |= bits;
    } else {
      has_new_block = true;
    }
  }
  if (fresh.empty()) return false;
  if (has_new_block) merge(blocks_, fresh);
  if (added.blocks_.empty()) {
    added.blocks_ = std::move(fresh);
  } else {
    merge(added.blocks_, fresh);
  }
  return true;
}

ObjectSet ObjectSet::without(const ObjectSet& other) const {
  ObjectSet result;
  const Block* theirs = other.blocks_.begin();
  for (const Block& block : blocks_) {
    // From where the last one was found: the sets are of very different sizes.
    if (theirs != other.blocks_.end() && theirs->index < block.index) {
      theirs = std::lower_bound(theirs, other.blocks_.end(), block.index,
                                [](const Block& b, uint32_t index) { return b.index < index; });
    }
    const bool is_shared = theirs != other.blocks_.end() && theirs->index == block.index;
    const uint64_t bits = is_shared ? block.bits & ~theirs->bits : block.bits;
    if (bits != 0) result.blocks_.push_back({block.index, bits});
  }
  return result;
}

bool ObjectSet::intersects(const ObjectSet& other) const {
  const Block* theirs = other.blocks_.begin();
  for (const Block& block : blocks_) {
    while (theirs != other.blocks_.end() && theirs->index < block.index) ++theirs;
    if (theirs == other.blocks_.end()) return false;
    if (theirs->index == block.index && (theirs->bits & block.bits) != 0) return true;
  }
  return false;
}

}  // namespace fathom::flow
