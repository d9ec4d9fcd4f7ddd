// Maps. Up to kMaxFlatMap pairs: an array of values beside a tuple of keys, in
// ascending exact order of the keys; maps that differ in values only share it.
// More: a hash tree (hash_tree.h). Updating costs O(log n), and O(n) in a flat one,
// n <= 32.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "values/hash_tree.h"
#include "values/heap.h"
#include "values/value.h"

namespace fathom::machine {

size_t map_size(Value map);
// The value of a key, or none().
Value map_get(Value map, Value key);
Value map_put(Heap& heap, Value map, Value key, Value value);
// The same map if it has no such key.
Value map_remove(Heap& heap, Value map, Value key);
Value empty_map(Heap& heap);
// key, value, key, value …; of two pairs with one key the later one counts.
Value map_from_pairs(Heap& heap, std::span<const Value> keys_and_values);

// ---- Labels (labels.h). What is copied from map to map keeps them; a pair that is put has none.

// The words where a key of the map and its value lie; null: it has no such key.
struct PairPlace {
  const Value* key = nullptr;
  const Value* value = nullptr;
};
PairPlace pair_place(Value map, Value key);
// The pair of the key was put into the map: its words get these labels if they have none.
void label_pair(Heap& heap, Value map, Value key, Label key_label, Label value_label);
// Pairs of the one map are in the other, where those without labels get theirs.
void carry_pair_labels(Heap& heap, Value from, Value to);

// The pairs one after another, in the map's own order: ascending keys if flat,
// else that of the tree. Holds values: no collection may happen in between.
class MapPairs {
 public:
  explicit MapPairs(Value map);
  bool next(Value& key, Value& value);

  // Where the walk is, as a number from which a later one can go on; 0 at the
  // beginning. None in the depths of a tree that a number cannot name.
  std::optional<uint64_t> path() const;
  // To be called before next(). False if the map has no such path.
  bool go_to(uint64_t path);

 private:
  Value map_;
  size_t next_ = 0;  // flat
  std::optional<HashTreePairs> tree_;
};

// All of them sorted by the exact order of the keys: key, value, key, value …
std::vector<Value> sorted_pairs(Value map);

}  // namespace fathom::machine
