#include "values/maps.h"

#include <algorithm>
#include <array>

#include "values/compare.h"

namespace fathom::machine {
namespace {

// ---- Flat maps --------------------------------------------------------------

std::span<const Value> flat_keys(Value map) { return map.slot(0).elements(); }
std::span<const Value> flat_values(Value map) {
  return {reinterpret_cast<const Value*>(map.words() + 2), map.header().size()};
}

Value flat_map(Heap& heap, Value keys, std::span<const Value> values) {
  uint64_t* words = heap.allocate(2 + values.size());
  words[0] = Header(BoxKind::FlatMap, values.size()).word();
  words[1] = keys.raw();
  std::copy(values.begin(), values.end(), reinterpret_cast<Value*>(words + 2));
  return Value::box(words);
}

struct KeySpot {
  bool taken;
  size_t index;  // of the key, or where it would be
};

// Where the very word is, or the number of keys. Most keys are atoms or small integers,
// which are equal only if they are the same word.
size_t find_word(std::span<const Value> keys, Value key) {
  size_t i = 0;
  while (i < keys.size() && keys[i] != key) ++i;
  return i;
}

KeySpot find_flat(std::span<const Value> keys, Value key) {
  if (key.is_immediate()) {
    const size_t i = find_word(keys, key);
    if (i < keys.size()) return {true, i};
  }
  size_t low = 0;
  size_t high = keys.size();
  while (low < high) {
    const size_t middle = (low + high) / 2;
    const int order = compare_exact(keys[middle], key);
    if (order == 0) return {true, middle};
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return {false, low};
}

// The pairs before the place of one that was put or removed, and those from `behind` on, which
// are from `moved` on in the new map.
void carry_around(Heap& heap, Value from, Value to, size_t behind, size_t moved) {
  const auto carry = [&](const Value* old_words, const Value* new_words, size_t size) {
    heap.carry_labels(old_words, new_words, std::min(behind, moved));
    heap.carry_labels(old_words + behind, new_words + moved, size - behind);
  };
  carry(flat_keys(from).data(), flat_keys(to).data(), flat_keys(from).size());
  carry(flat_values(from).data(), flat_values(to).data(), flat_values(from).size());
}

Value flat_put(Heap& heap, Value map, Value key, Value value) {
  const std::span<const Value> keys = flat_keys(map);
  const std::span<const Value> values = flat_values(map);
  const KeySpot spot = find_flat(keys, key);
  if (spot.taken) {
    // Of equal immediates each has its own label.
    const bool is_same =
        values[spot.index] == value && !(heap.is_labelled() && value.is_immediate());
    if (is_same) return map;
    Value changed = flat_map(heap, map.slot(0), values);
    changed.words()[2 + spot.index] = value.raw();
    heap.carry_labels(map.words() + 2, changed.words() + 2, values.size());
    if (heap.is_labelled()) heap.labels_of(changed.words() + 2 + spot.index) = {};
    return changed;
  }
  std::array<Value, kMaxFlatMap + 1> new_keys;
  std::array<Value, kMaxFlatMap + 1> new_values;
  auto insert = [&](std::span<const Value> from, Value added, auto& to) {
    std::copy_n(from.begin(), spot.index, to.begin());
    to[spot.index] = added;
    std::copy(from.begin() + static_cast<std::ptrdiff_t>(spot.index), from.end(),
              to.begin() + static_cast<std::ptrdiff_t>(spot.index) + 1);
    return std::span<const Value>(to.data(), from.size() + 1);
  };
  const std::span<const Value> all_keys = insert(keys, key, new_keys);
  const std::span<const Value> all_values = insert(values, value, new_values);
  if (all_keys.size() <= kMaxFlatMap) {
    const Value larger = flat_map(heap, heap.tuple(all_keys), all_values);
    carry_around(heap, map, larger, spot.index, spot.index + 1);
    return larger;
  }
  std::array<Value, 2 * (kMaxFlatMap + 1)> pairs;
  for (size_t i = 0; i < all_keys.size(); ++i) {
    pairs[2 * i] = all_keys[i];
    pairs[2 * i + 1] = all_values[i];
  }
  const Value tree = map_from_pairs(heap, pairs);
  carry_pair_labels(heap, map, tree);
  return tree;
}

Value flat_remove(Heap& heap, Value map, Value key) {
  const std::span<const Value> keys = flat_keys(map);
  const KeySpot spot = find_flat(keys, key);
  if (!spot.taken) return map;
  std::array<Value, kMaxFlatMap> left;
  auto drop = [&](std::span<const Value> from) {
    const auto gone = from.begin() + static_cast<std::ptrdiff_t>(spot.index);
    std::copy(gone + 1, from.end(), std::copy(from.begin(), gone, left.begin()));
    return std::span<const Value>(left.data(), from.size() - 1);
  };
  const Value new_keys = heap.tuple(drop(keys));
  const Value smaller = flat_map(heap, new_keys, drop(flat_values(map)));
  carry_around(heap, map, smaller, spot.index + 1, spot.index);
  return smaller;
}

Value flat_from_sorted(Heap& heap, std::span<const Value> pairs) {
  const size_t size = pairs.size() / 2;
  std::array<Value, kMaxFlatMap> part;
  for (size_t i = 0; i < size; ++i) part[i] = pairs[2 * i];
  const Value keys = heap.tuple(std::span<const Value>(part.data(), size));
  for (size_t i = 0; i < size; ++i) part[i] = pairs[2 * i + 1];
  return flat_map(heap, keys, {part.data(), size});
}

void sort_pairs(std::vector<Value>& pairs) {
  struct Pair {
    Value key;
    Value value;
  };
  static_assert(sizeof(Pair) == 2 * sizeof(Value));
  auto* begin = reinterpret_cast<Pair*>(pairs.data());
  std::sort(begin, begin + pairs.size() / 2,
            [](const Pair& a, const Pair& b) { return compare_exact(a.key, b.key) < 0; });
}

}  // namespace

// ---- Maps -------------------------------------------------------------------

size_t map_size(Value map) {
  return map.is_box(BoxKind::FlatMap) ? map.header().size() : hash_tree_size(map);
}

Value map_get(Value map, Value key) {
  if (map.is_box(BoxKind::HashMap)) return hash_tree_get(map, key);
  const std::span<const Value> keys = flat_keys(map);
  if (key.is_immediate()) {
    const size_t i = find_word(keys, key);
    return i < keys.size() ? flat_values(map)[i] : Value::none();
  }
  const KeySpot spot = find_flat(keys, key);
  return spot.taken ? flat_values(map)[spot.index] : Value::none();
}

Value map_put(Heap& heap, Value map, Value key, Value value) {
  return map.is_box(BoxKind::FlatMap) ? flat_put(heap, map, key, value)
                                      : hash_tree_put(heap, map, key, value);
}

Value map_remove(Heap& heap, Value map, Value key) {
  if (map.is_box(BoxKind::FlatMap)) return flat_remove(heap, map, key);
  const Value smaller = hash_tree_remove(heap, map, key);
  if (map_size(smaller) > kMaxFlatMap) return smaller;
  const Value flat = flat_from_sorted(heap, sorted_pairs(smaller));
  carry_pair_labels(heap, smaller, flat);
  return flat;
}

Value empty_map(Heap& heap) { return flat_map(heap, heap.tuple({}), {}); }

Value map_from_pairs(Heap& heap, std::span<const Value> pairs) {
  std::vector<HashedPair> entries = distinct_pairs(pairs);
  if (entries.size() > kMaxFlatMap) return hash_tree_of(heap, pairs, entries);
  std::vector<Value> sorted;
  sorted.reserve(2 * entries.size());
  for (const HashedPair entry : entries) {
    sorted.push_back(pairs[2 * size_t{entry.index}]);
    sorted.push_back(pairs[2 * size_t{entry.index} + 1]);
  }
  sort_pairs(sorted);
  return flat_from_sorted(heap, sorted);
}

PairPlace pair_place(Value map, Value key) {
  if (map.is_box(BoxKind::HashMap)) {
    const Value leaf = hash_tree_leaf(map, key);
    if (leaf.is_none()) return {};
    const auto* words = reinterpret_cast<const Value*>(leaf.words());
    return {words, words + 1};
  }
  const KeySpot spot = find_flat(flat_keys(map), key);
  if (!spot.taken) return {};
  return {&flat_keys(map)[spot.index], &flat_values(map)[spot.index]};
}

void label_pair(Heap& heap, Value map, Value key, Label key_label, Label value_label) {
  const PairPlace place = pair_place(map, key);
  const auto supply = [&](const Value* word, Label label) {
    Label& there = heap.labels_of(word).word;
    if (there == kNoLabel) there = label;
  };
  supply(place.key, key_label);
  supply(place.value, value_label);
}

void carry_pair_labels(Heap& heap, Value from, Value to) {
  if (!heap.is_labelled()) return;
  MapPairs walk(from);
  for (Value key, value; walk.next(key, value);) {
    const PairPlace old = pair_place(from, key);
    const PairPlace place = pair_place(to, key);
    if (!place.key) continue;
    const auto carry = [&](const Value* there, const Value* here) {
      if (heap.labels_of(here).word == kNoLabel) heap.carry_labels(there, here);
    };
    carry(old.key, place.key);
    carry(old.value, place.value);
  }
}

MapPairs::MapPairs(Value map) : map_(map) {
  if (map.is_box(BoxKind::HashMap)) tree_.emplace(map);
}

bool MapPairs::next(Value& key, Value& value) {
  if (tree_) return tree_->next(key, value);
  if (next_ == map_.header().size()) return false;
  key = flat_keys(map_)[next_];
  value = flat_values(map_)[next_++];
  return true;
}

std::optional<uint64_t> MapPairs::path() const { return tree_ ? tree_->path() : next_; }

bool MapPairs::go_to(uint64_t path) {
  if (tree_) return tree_->go_to(path);
  next_ = path;
  return path <= map_.header().size();
}

std::vector<Value> sorted_pairs(Value map) {
  std::vector<Value> pairs;
  pairs.reserve(2 * map_size(map));
  MapPairs walk(map);
  Value key;
  Value value;
  while (walk.next(key, value)) {
    pairs.push_back(key);
    pairs.push_back(value);
  }
  if (map.is_box(BoxKind::HashMap)) sort_pairs(pairs);
  return pairs;
}

}  // namespace fathom::machine
