// A persistent table from keys to values: a tree of 16-way branches by the hash of the
// key (Bagwell's hash array mapped trie); a leaf is a cons cell [Key|Value]. Large maps
// are such trees (maps.h), and so are ETS tables that are not ordered (ets.h). Keys are
// the same if =:= says so.
//
// A tree is a box of kind HashMap. Updating copies the way to the leaf: O(log n). The
// order of the leaves is that of their hashes; it does not depend on which other keys
// there are, so a walk can go on after a key that has been removed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "values/heap.h"
#include "values/value.h"

namespace fathom::machine {

Value empty_hash_tree(Heap& heap);
size_t hash_tree_size(Value tree);
// The value of a key, or none().
Value hash_tree_get(Value tree, Value key);
// The cons cell [Key|Value], or none().
Value hash_tree_leaf(Value tree, Value key);
Value hash_tree_put(Heap& heap, Value tree, Value key, Value value);
// The same tree if it has no such key.
Value hash_tree_remove(Heap& heap, Value tree, Value key);

// Many at once. Pairs are: key, value, key, value …
struct HashedPair {
  uint32_t hash;
  uint32_t index;  // of the pair
};
// In the order of the tree; of the pairs with one key only the last.
std::vector<HashedPair> distinct_pairs(std::span<const Value> pairs);
// Nothing is made that does not stay. The entries are those of distinct_pairs, and are
// changed.
Value hash_tree_of(Heap& heap, std::span<const Value> pairs, std::vector<HashedPair>& entries);

// The pairs one after another. Holds values: no collection may happen in between.
class HashTreePairs {
 public:
  explicit HashTreePairs(Value tree);
  bool next(Value& key, Value& value);

  // Where the walk is, as a number from which a later one can go on; 0 at the
  // beginning. None in the depths of a tree that a number cannot name.
  std::optional<uint64_t> path() const;
  // To be called before next(). False if the tree has no such path.
  bool go_to(uint64_t path);
  // To be called before next(): right after the place of the key, whether it is there
  // or not.
  void go_behind(Value key);

 private:
  friend std::vector<Value> hash_tree_slot(Value tree, unsigned slot);
  struct Frame {
    Value branch;
    size_t next;
  };
  void restrict_to(Value branch) { open_ = {{branch, 0}}; }

  std::vector<Frame> open_;
};

// The leaves cut into so many parts of about the same size: the values of one part.
inline constexpr unsigned kHashTreeSlots = 256;
std::vector<Value> hash_tree_slot(Value tree, unsigned slot);

}  // namespace fathom::machine
