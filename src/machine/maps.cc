// The tree. A key's place is its hash, four bits for each level, highest first;
// after eight levels the next hash of the key (map_hash with a higher level) goes
// on. A branch has a bit for each place that is taken and a child for each bit:
// a leaf, or a branch where two leaves at least share the way so far. Only the
// root may have less. At depth kMaxDepth, where 128 bits of two different keys
// have been the same, a branch has no bitmap and its leaves are in the exact order
// of their keys: hashes only have to be good, not perfect.
//
// Invariant: the shape of a tree follows from its keys alone, whatever happened
// before. So equal maps can be compared branch by branch.
#include "machine/maps.h"

#include <algorithm>
#include <array>
#include <bit>

#include "machine/compare.h"
#include "machine/hash.h"

namespace fathom::machine {
namespace {

constexpr unsigned kLevelsOfHash = 8;
constexpr unsigned kMaxDepth = 32;

// The places of a key, level by level.
class Places {
 public:
  explicit Places(Value key) : key_(key) {}

  unsigned at(unsigned depth) {
    if (const unsigned level = depth / kLevelsOfHash; level != level_) {
      level_ = level;
      hash_ = map_hash(key_, level);
    }
    return hash_ >> (28 - 4 * (depth % kLevelsOfHash)) & 15;
  }

 private:
  Value key_;
  unsigned level_ = ~0u;
  uint32_t hash_ = 0;
};

// ---- Branches ---------------------------------------------------------------

uint64_t bitmap_of(Value branch) { return branch.words()[1]; }
size_t child_count(Value branch) { return branch.header().size(); }
Value child(Value branch, size_t i) { return branch.slot(1 + i); }

struct Spot {
  bool taken;
  size_t index;  // of the child, or where it would be
};

Spot spot_of(Value branch, unsigned place) {
  const uint64_t bitmap = bitmap_of(branch);
  const uint64_t bit = uint64_t{1} << place;
  return {(bitmap & bit) != 0, static_cast<size_t>(std::popcount(bitmap & (bit - 1)))};
}

// In a branch without a bitmap.
Spot spot_among(Value branch, Value key) {
  for (size_t i = 0; i < child_count(branch); ++i) {
    const int order = compare_exact(key, child(branch, i).head());
    if (order <= 0) return {order == 0, i};
  }
  return {false, child_count(branch)};
}

uint64_t* new_branch(Heap& heap, uint64_t bitmap, size_t children) {
  uint64_t* words = heap.allocate(2 + children);
  words[0] = Header(BoxKind::MapBranch, children).word();
  words[1] = bitmap;
  return words;
}

Value with_child(Heap& heap, Value branch, size_t i, Value changed) {
  const size_t count = child_count(branch);
  uint64_t* words = new_branch(heap, bitmap_of(branch), count);
  std::copy_n(branch.words() + 2, count, words + 2);
  words[2 + i] = changed.raw();
  return Value::box(words);
}

Value with_new_child(Heap& heap, Value branch, uint64_t bit, size_t i, Value added) {
  const size_t count = child_count(branch);
  uint64_t* words = new_branch(heap, bitmap_of(branch) | bit, count + 1);
  const uint64_t* from = branch.words() + 2;
  std::copy_n(from, i, words + 2);
  words[2 + i] = added.raw();
  std::copy(from + i, from + count, words + 3 + i);
  return Value::box(words);
}

Value without_child(Heap& heap, Value branch, uint64_t bit, size_t i) {
  const size_t count = child_count(branch);
  uint64_t* words = new_branch(heap, bitmap_of(branch) & ~bit, count - 1);
  const uint64_t* from = branch.words() + 2;
  std::copy_n(from, i, words + 2);
  std::copy(from + i + 1, from + count, words + 2 + i);
  return Value::box(words);
}

// The way from the root to a place.
struct Path {
  struct Step {
    Value branch;
    size_t index;
  };
  std::array<Step, kMaxDepth + 1> steps;
  unsigned depth = 0;

  void push(Value branch, size_t index) { steps[depth++] = {branch, index}; }
  // The root, with `changed` as the child at the end of the way.
  Value rebuild(Heap& heap, Value changed) const {
    for (unsigned i = depth; i-- > 0;) {
      changed = with_child(heap, steps[i].branch, steps[i].index, changed);
    }
    return changed;
  }
};

// Two leaves with different keys whose ways are the same down to `depth`.
Value branch_of_two(Heap& heap, Value a, Value b, unsigned depth) {
  Places a_places(a.head());
  Places b_places(b.head());
  const unsigned begin = depth;
  while (depth < kMaxDepth && a_places.at(depth) == b_places.at(depth)) ++depth;
  const bool deepest = depth == kMaxDepth;
  const bool swapped =
      deepest ? compare_exact(a.head(), b.head()) > 0 : a_places.at(depth) > b_places.at(depth);
  uint64_t* words = new_branch(
      heap, deepest ? 0 : uint64_t{1} << a_places.at(depth) | uint64_t{1} << b_places.at(depth), 2);
  words[2] = (swapped ? b : a).raw();
  words[3] = (swapped ? a : b).raw();
  Value result = Value::box(words);
  while (depth-- > begin) {
    uint64_t* above = new_branch(heap, uint64_t{1} << a_places.at(depth), 1);
    above[2] = result.raw();
    result = Value::box(above);
  }
  return result;
}

Value hash_map(Heap& heap, size_t size, Value root) {
  uint64_t* words = heap.allocate(3);
  words[0] = Header(BoxKind::HashMap, 0).word();
  words[1] = size;
  words[2] = root.raw();
  return Value::box(words);
}

Value tree_get(Value branch, Value key) {
  Places places(key);
  for (unsigned depth = 0;; ++depth) {
    const Spot spot =
        depth == kMaxDepth ? spot_among(branch, key) : spot_of(branch, places.at(depth));
    if (!spot.taken) return Value::none();
    const Value found = child(branch, spot.index);
    if (found.is_cons()) return equal_exact(found.head(), key) ? found.tail() : Value::none();
    branch = found;
  }
}

Value tree_put(Heap& heap, Value map, Value key, Value value) {
  const size_t size = map_size(map);
  Places places(key);
  Path path;
  Value branch = map.slot(1);
  for (unsigned depth = 0;; ++depth) {
    const bool deepest = depth == kMaxDepth;
    const Spot spot = deepest ? spot_among(branch, key) : spot_of(branch, places.at(depth));
    if (!spot.taken) {
      const uint64_t bit = deepest ? 0 : uint64_t{1} << places.at(depth);
      const Value leaf = heap.cons(key, value);
      const Value grown = with_new_child(heap, branch, bit, spot.index, leaf);
      return hash_map(heap, size + 1, path.rebuild(heap, grown));
    }
    const Value found = child(branch, spot.index);
    path.push(branch, spot.index);
    if (found.is_cons()) {
      if (equal_exact(found.head(), key)) {
        if (found.tail() == value) return map;
        return hash_map(heap, size, path.rebuild(heap, heap.cons(found.head(), value)));
      }
      const Value both = branch_of_two(heap, found, heap.cons(key, value), depth + 1);
      return hash_map(heap, size + 1, path.rebuild(heap, both));
    }
    branch = found;
  }
}

// The way to the key's leaf; false if there is none.
bool find_leaf(Value branch, Value key, Path& path) {
  Places places(key);
  for (unsigned depth = 0;; ++depth) {
    const Spot spot =
        depth == kMaxDepth ? spot_among(branch, key) : spot_of(branch, places.at(depth));
    if (!spot.taken) return false;
    const Value found = child(branch, spot.index);
    path.push(branch, spot.index);
    if (found.is_cons()) return equal_exact(found.head(), key);
    branch = found;
  }
}

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

Spot find_flat(std::span<const Value> keys, Value key) {
  // Most keys are atoms or small integers, which are equal as words.
  if (key.is_immediate()) {
    for (size_t i = 0; i < keys.size(); ++i) {
      if (keys[i] == key) return {true, i};
    }
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

Value flat_put(Heap& heap, Value map, Value key, Value value) {
  const std::span<const Value> keys = flat_keys(map);
  const std::span<const Value> values = flat_values(map);
  const Spot spot = find_flat(keys, key);
  if (spot.taken) {
    if (values[spot.index] == value) return map;
    Value changed = flat_map(heap, map.slot(0), values);
    changed.words()[2 + spot.index] = value.raw();
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
  if (all_keys.size() <= kMaxFlatMap) return flat_map(heap, heap.tuple(all_keys), all_values);
  std::array<Value, 2 * (kMaxFlatMap + 1)> pairs;
  for (size_t i = 0; i < all_keys.size(); ++i) {
    pairs[2 * i] = all_keys[i];
    pairs[2 * i + 1] = all_values[i];
  }
  return map_from_pairs(heap, pairs);
}

Value flat_remove(Heap& heap, Value map, Value key) {
  const std::span<const Value> keys = flat_keys(map);
  const Spot spot = find_flat(keys, key);
  if (!spot.taken) return map;
  std::array<Value, kMaxFlatMap> left;
  auto drop = [&](std::span<const Value> from) {
    const auto gone = from.begin() + static_cast<std::ptrdiff_t>(spot.index);
    std::copy(gone + 1, from.end(), std::copy(from.begin(), gone, left.begin()));
    return std::span<const Value>(left.data(), from.size() - 1);
  };
  const Value new_keys = heap.tuple(drop(keys));
  return flat_map(heap, new_keys, drop(flat_values(map)));
}

Value flat_from_sorted(Heap& heap, std::span<const Value> pairs) {
  const size_t size = pairs.size() / 2;
  std::array<Value, kMaxFlatMap> part;
  for (size_t i = 0; i < size; ++i) part[i] = pairs[2 * i];
  const Value keys = heap.tuple(std::span<const Value>(part.data(), size));
  for (size_t i = 0; i < size; ++i) part[i] = pairs[2 * i + 1];
  return flat_map(heap, keys, {part.data(), size});
}

// ---- Many pairs at once -----------------------------------------------------

struct Entry {
  uint32_t hash;
  uint32_t index;  // of the pair
};

// Makes the tree of entries that are sorted by hash, bottom up: nothing is made
// that does not stay. Recursion goes to kMaxDepth at most.
class TreeBuilder {
 public:
  TreeBuilder(Heap& heap, std::span<const Value> pairs) : heap_(heap), pairs_(pairs) {}

  Value build(std::span<Entry> entries, unsigned depth) {
    if (depth == kMaxDepth) return build_deepest(entries);
    if (depth > 0 && depth % kLevelsOfHash == 0) rehash(entries, depth / kLevelsOfHash);
    const unsigned shift = 28 - 4 * (depth % kLevelsOfHash);
    std::array<Value, 16> children;
    size_t count = 0;
    uint64_t bitmap = 0;
    while (!entries.empty()) {
      const unsigned place = entries[0].hash >> shift & 15;
      size_t same = 1;
      while (same < entries.size() && (entries[same].hash >> shift & 15) == place) ++same;
      bitmap |= uint64_t{1} << place;
      children[count++] = same == 1 ? leaf(entries[0]) : build(entries.first(same), depth + 1);
      entries = entries.subspan(same);
    }
    uint64_t* words = new_branch(heap_, bitmap, count);
    for (size_t i = 0; i < count; ++i) words[2 + i] = children[i].raw();
    return Value::box(words);
  }

 private:
  Value key(Entry entry) const { return pairs_[2 * size_t{entry.index}]; }
  Value leaf(Entry entry) { return heap_.cons(key(entry), pairs_[2 * size_t{entry.index} + 1]); }

  void rehash(std::span<Entry> entries, unsigned level) {
    for (Entry& entry : entries) entry.hash = map_hash(key(entry), level);
    std::sort(entries.begin(), entries.end(), [](Entry a, Entry b) { return a.hash < b.hash; });
  }

  Value build_deepest(std::span<Entry> entries) {
    std::sort(entries.begin(), entries.end(),
              [&](Entry a, Entry b) { return compare_exact(key(a), key(b)) < 0; });
    uint64_t* words = new_branch(heap_, 0, entries.size());
    for (size_t i = 0; i < entries.size(); ++i) words[2 + i] = leaf(entries[i]).raw();
    return Value::box(words);
  }

  Heap& heap_;
  std::span<const Value> pairs_;
};

// Of the entries of one key only the last stays. They are sorted by hash, and
// those of one hash by index.
void drop_repeated(std::vector<Entry>& entries, std::span<const Value> pairs) {
  size_t kept = entries.size();  // those from here on stay
  size_t run_end = kept;         // and have the present hash up to here
  for (size_t i = entries.size(); i-- > 0;) {
    const Entry entry = entries[i];
    if (kept == entries.size() || entries[kept].hash != entry.hash) run_end = kept;
    const Value key = pairs[2 * size_t{entry.index}];
    const auto first = entries.begin() + static_cast<std::ptrdiff_t>(kept);
    const auto last = entries.begin() + static_cast<std::ptrdiff_t>(run_end);
    const bool repeated = std::any_of(
        first, last, [&](Entry later) { return equal_exact(key, pairs[2 * size_t{later.index}]); });
    if (!repeated) entries[--kept] = entry;
  }
  entries.erase(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(kept));
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
  return map.is_box(BoxKind::FlatMap) ? map.header().size() : map.words()[1];
}

Value map_get(Value map, Value key) {
  if (map.is_box(BoxKind::HashMap)) return tree_get(map.slot(1), key);
  const Spot spot = find_flat(flat_keys(map), key);
  return spot.taken ? flat_values(map)[spot.index] : Value::none();
}

Value map_put(Heap& heap, Value map, Value key, Value value) {
  return map.is_box(BoxKind::FlatMap) ? flat_put(heap, map, key, value)
                                      : tree_put(heap, map, key, value);
}

Value map_remove(Heap& heap, Value map, Value key) {
  if (map.is_box(BoxKind::FlatMap)) return flat_remove(heap, map, key);
  Path path;
  if (!find_leaf(map.slot(1), key, path)) return map;
  const size_t size = map_size(map) - 1;
  const auto [branch, index] = path.steps[--path.depth];
  uint64_t bit = bitmap_of(branch);  // all of it, then its bit number `index`
  for (size_t i = 0; i < index; ++i) bit &= bit - 1;
  bit &= -bit;
  Value changed = without_child(heap, branch, bit, index);
  // A leaf that is left alone takes the place of its branch, and so on upwards.
  while (path.depth > 0 && child_count(changed) == 1 && child(changed, 0).is_cons()) {
    const auto [above, at] = path.steps[--path.depth];
    changed = with_child(heap, above, at, child(changed, 0));
  }
  const Value smaller = hash_map(heap, size, path.rebuild(heap, changed));
  if (size > kMaxFlatMap) return smaller;
  return flat_from_sorted(heap, sorted_pairs(smaller));
}

Value empty_map(Heap& heap) { return flat_map(heap, heap.tuple({}), {}); }

Value map_from_pairs(Heap& heap, std::span<const Value> pairs) {
  assert(pairs.size() % 2 == 0);
  const size_t count = pairs.size() / 2;
  std::vector<Entry> entries(count);
  for (size_t i = 0; i < count; ++i) {
    entries[i] = {map_hash(pairs[2 * i], 0), static_cast<uint32_t>(i)};
  }
  std::sort(entries.begin(), entries.end(), [](Entry a, Entry b) {
    return a.hash != b.hash ? a.hash < b.hash : a.index < b.index;
  });
  drop_repeated(entries, pairs);
  if (entries.size() > kMaxFlatMap) {
    return hash_map(heap, entries.size(), TreeBuilder(heap, pairs).build(entries, 0));
  }
  std::vector<Value> sorted;
  for (const Entry entry : entries) {
    sorted.push_back(pairs[2 * size_t{entry.index}]);
    sorted.push_back(pairs[2 * size_t{entry.index} + 1]);
  }
  sort_pairs(sorted);
  return flat_from_sorted(heap, sorted);
}

MapPairs::MapPairs(Value map) : map_(map) {
  if (map.is_box(BoxKind::HashMap)) stack_.push_back({map.slot(1), 0});
}

bool MapPairs::next(Value& key, Value& value) {
  if (map_.is_box(BoxKind::FlatMap)) {
    if (next_ == map_.header().size()) return false;
    key = flat_keys(map_)[next_];
    value = flat_values(map_)[next_++];
    return true;
  }
  while (!stack_.empty()) {
    Frame& top = stack_.back();
    if (top.next == child_count(top.branch)) {
      stack_.pop_back();
      continue;
    }
    const Value found = child(top.branch, top.next++);
    if (found.is_cons()) {
      key = found.head();
      value = found.tail();
      return true;
    }
    stack_.push_back({found, 0});
  }
  return false;
}

// A path has five bits for each level from the root on: how many of the branch's
// children have been begun. A level that is open has begun one at least, so 0 ends it.
constexpr unsigned kPathBits = 5;
constexpr size_t kMaxPathLevels = 60 / kPathBits;

std::optional<uint64_t> MapPairs::path() const {
  if (map_.is_box(BoxKind::FlatMap)) return next_;
  if (stack_.size() > kMaxPathLevels) return std::nullopt;
  uint64_t path = 0;
  for (size_t i = stack_.size(); i-- > 0;) path = path << kPathBits | stack_[i].next;
  return path;
}

bool MapPairs::go_to(uint64_t path) {
  if (map_.is_box(BoxKind::FlatMap)) {
    next_ = path;
    return path <= map_.header().size();
  }
  while (path != 0) {
    const uint64_t begun = path % (1 << kPathBits);
    Frame& top = stack_.back();
    if (begun == 0 || begun > child_count(top.branch)) return false;
    top.next = begun;
    path >>= kPathBits;
    if (path == 0) break;
    const Value below = child(top.branch, begun - 1);
    if (below.is_cons()) return false;
    stack_.push_back({below, 0});
  }
  return true;
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
