#include "flow/object_set.h"

#include <algorithm>

#include "base/hash.h"

namespace fathom::flow {

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

std::vector<ObjectSet::Block>::iterator ObjectSet::lower_bound(uint32_t index) {
  return std::ranges::lower_bound(blocks_, index, {}, &Block::index);
}

bool ObjectSet::contains(ObjectId id) const {
  const uint32_t index = static_cast<uint32_t>(id) / 64;
  const auto at = std::ranges::lower_bound(blocks_, index, {}, &Block::index);
  return at != blocks_.end() && at->index == index &&
         (at->bits >> (static_cast<uint32_t>(id) % 64) & 1) != 0;
}

bool ObjectSet::insert(ObjectId id) {
  const uint32_t index = static_cast<uint32_t>(id) / 64;
  const uint64_t bit = uint64_t{1} << (static_cast<uint32_t>(id) % 64);
  const auto at = lower_bound(index);
  if (at == blocks_.end() || at->index != index) {
    blocks_.insert(at, {index, bit});
    return true;
  }
  if ((at->bits & bit) != 0) return false;
  at->bits |= bit;
  return true;
}

bool ObjectSet::insert_all(const ObjectSet& other, ObjectSet& added) {
  // First what is new, which is mostly nothing or little; then one merge.
  std::vector<Block> fresh;
  auto mine = blocks_.begin();
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
  const auto merge = [](const std::vector<Block>& a, const std::vector<Block>& b) {
    std::vector<Block> merged;
    merged.reserve(a.size() + b.size());
    auto i = a.begin();
    for (const Block& block : b) {
      while (i != a.end() && i->index < block.index) merged.push_back(*i++);
      if (i != a.end() && i->index == block.index) {
        merged.push_back({block.index, i->bits | block.bits});
        ++i;
      } else {
        merged.push_back(block);
      }
    }
    merged.insert(merged.end(), i, a.end());
    return merged;
  };
  if (has_new_block) blocks_ = merge(blocks_, fresh);
  added.blocks_ = added.blocks_.empty() ? std::move(fresh) : merge(added.blocks_, fresh);
  return true;
}

ObjectSet ObjectSet::without(const ObjectSet& other) const {
  ObjectSet result;
  auto theirs = other.blocks_.begin();
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
  auto theirs = other.blocks_.begin();
  for (const Block& block : blocks_) {
    while (theirs != other.blocks_.end() && theirs->index < block.index) ++theirs;
    if (theirs == other.blocks_.end()) return false;
    if (theirs->index == block.index && (theirs->bits & block.bits) != 0) return true;
  }
  return false;
}

}  // namespace fathom::flow
