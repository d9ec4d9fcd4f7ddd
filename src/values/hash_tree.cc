// A key's place is its hash, four bits for each level, highest first; after eight
// levels the next hash of the key (map_hash with a higher level) goes on. A branch
// has a bit for each place that is taken and a child for each bit: a leaf, or a
// branch where two leaves at least share the way so far. Only the root may have
// less. At depth kMaxDepth, where 128 bits of two different keys have been the same,
// a branch has no bitmap and its leaves are in the exact order of their keys: hashes
// only have to be good, not perfect.
//
// Invariant: the shape of a tree follows from its keys alone, whatever happened
// before. So equal trees can be compared branch by branch.
#include "values/hash_tree.h"

#include <algorithm>
#include <array>
#include <bit>

#include "values/compare.h"
#include "values/hash.h"

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
struct LeafPath {
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

Value new_tree(Heap& heap, size_t size, Value root) {
  uint64_t* words = heap.allocate(3);
  words[0] = Header(BoxKind::HashMap, 0).word();
  words[1] = size;
  words[2] = root.raw();
  return Value::box(words);
}

// The way to the key's leaf; false if there is none.
bool find_leaf(Value branch, Value key, LeafPath& path) {
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
// ---- Many pairs at once -----------------------------------------------------

// Makes the tree of entries that are sorted by hash, bottom up: nothing is made
// that does not stay. Recursion goes to kMaxDepth at most.
class TreeBuilder {
 public:
  TreeBuilder(Heap& heap, std::span<const Value> pairs) : heap_(heap), pairs_(pairs) {}

  Value build(std::span<HashedPair> entries, unsigned depth) {
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
  Value key(HashedPair entry) const { return pairs_[2 * size_t{entry.index}]; }
  Value leaf(HashedPair entry) {
    return heap_.cons(key(entry), pairs_[2 * size_t{entry.index} + 1]);
  }

  void rehash(std::span<HashedPair> entries, unsigned level) {
    for (HashedPair& entry : entries) entry.hash = map_hash(key(entry), level);
    std::sort(entries.begin(), entries.end(),
              [](HashedPair a, HashedPair b) { return a.hash < b.hash; });
  }

  Value build_deepest(std::span<HashedPair> entries) {
    std::sort(entries.begin(), entries.end(),
              [&](HashedPair a, HashedPair b) { return compare_exact(key(a), key(b)) < 0; });
    uint64_t* words = new_branch(heap_, 0, entries.size());
    for (size_t i = 0; i < entries.size(); ++i) words[2 + i] = leaf(entries[i]).raw();
    return Value::box(words);
  }

  Heap& heap_;
  std::span<const Value> pairs_;
};

// Of the entries of one key only the last stays. They are sorted by hash, and
// those of one hash by index.
void drop_repeated(std::vector<HashedPair>& entries, std::span<const Value> pairs) {
  size_t kept = entries.size();  // those from here on stay
  size_t run_end = kept;         // and have the present hash up to here
  for (size_t i = entries.size(); i-- > 0;) {
    const HashedPair entry = entries[i];
    if (kept == entries.size() || entries[kept].hash != entry.hash) run_end = kept;
    const Value key = pairs[2 * size_t{entry.index}];
    const auto first = entries.begin() + static_cast<std::ptrdiff_t>(kept);
    const auto last = entries.begin() + static_cast<std::ptrdiff_t>(run_end);
    const bool repeated = std::any_of(first, last, [&](HashedPair later) {
      return equal_exact(key, pairs[2 * size_t{later.index}]);
    });
    if (!repeated) entries[--kept] = entry;
  }
  entries.erase(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(kept));
}
// Whether a key's place is before that of another one, if their ways are the same down
// to `depth`.
bool is_before(Value key, Value other, unsigned depth) {
  Places places(key);
  Places others(other);
  for (; depth < kMaxDepth; ++depth) {
    const unsigned place = places.at(depth);
    if (place != others.at(depth)) return place < others.at(depth);
  }
  return compare_exact(key, other) < 0;
}

}  // namespace

// ---- Trees ------------------------------------------------------------------

Value empty_hash_tree(Heap& heap) { return new_tree(heap, 0, Value::box(new_branch(heap, 0, 0))); }

size_t hash_tree_size(Value tree) { return tree.words()[1]; }

Value hash_tree_leaf(Value tree, Value key) {
  LeafPath path;
  if (!find_leaf(tree.slot(1), key, path)) return Value::none();
  const LeafPath::Step last = path.steps[path.depth - 1];
  return child(last.branch, last.index);
}

Value hash_tree_get(Value tree, Value key) {
  Value branch = tree.slot(1);
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

Value hash_tree_put(Heap& heap, Value tree, Value key, Value value) {
  const size_t size = hash_tree_size(tree);
  Places places(key);
  LeafPath path;
  Value branch = tree.slot(1);
  for (unsigned depth = 0;; ++depth) {
    const bool deepest = depth == kMaxDepth;
    const Spot spot = deepest ? spot_among(branch, key) : spot_of(branch, places.at(depth));
    if (!spot.taken) {
      const uint64_t bit = deepest ? 0 : uint64_t{1} << places.at(depth);
      const Value leaf = heap.cons(key, value);
      const Value grown = with_new_child(heap, branch, bit, spot.index, leaf);
      return new_tree(heap, size + 1, path.rebuild(heap, grown));
    }
    const Value found = child(branch, spot.index);
    path.push(branch, spot.index);
    if (found.is_cons()) {
      if (equal_exact(found.head(), key)) {
        // Of equal immediates each has its own label.
        const bool is_same = found.tail() == value && !(heap.is_labelled() && value.is_immediate());
        if (is_same) return tree;
        const Value leaf = heap.cons(found.head(), value);
        heap.carry_labels(found.words(), leaf.words());
        return new_tree(heap, size, path.rebuild(heap, leaf));
      }
      const Value both = branch_of_two(heap, found, heap.cons(key, value), depth + 1);
      return new_tree(heap, size + 1, path.rebuild(heap, both));
    }
    branch = found;
  }
}

Value hash_tree_remove(Heap& heap, Value tree, Value key) {
  LeafPath path;
  if (!find_leaf(tree.slot(1), key, path)) return tree;
  const size_t size = hash_tree_size(tree) - 1;
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
  return new_tree(heap, size, path.rebuild(heap, changed));
}

std::vector<HashedPair> distinct_pairs(std::span<const Value> pairs) {
  assert(pairs.size() % 2 == 0);
  const size_t count = pairs.size() / 2;
  std::vector<HashedPair> entries(count);
  for (size_t i = 0; i < count; ++i) {
    entries[i] = {map_hash(pairs[2 * i], 0), static_cast<uint32_t>(i)};
  }
  std::sort(entries.begin(), entries.end(), [](HashedPair a, HashedPair b) {
    return a.hash != b.hash ? a.hash < b.hash : a.index < b.index;
  });
  drop_repeated(entries, pairs);
  return entries;
}

Value hash_tree_of(Heap& heap, std::span<const Value> pairs, std::vector<HashedPair>& entries) {
  return new_tree(heap, entries.size(), TreeBuilder(heap, pairs).build(entries, 0));
}

// ---- Walks ------------------------------------------------------------------

HashTreePairs::HashTreePairs(Value tree) { open_.push_back({tree.slot(1), 0}); }

bool HashTreePairs::next(Value& key, Value& value) {
  while (!open_.empty()) {
    Frame& top = open_.back();
    if (top.next == child_count(top.branch)) {
      open_.pop_back();
      continue;
    }
    const Value found = child(top.branch, top.next++);
    if (found.is_cons()) {
      key = found.head();
      value = found.tail();
      return true;
    }
    open_.push_back({found, 0});
  }
  return false;
}

// A path has five bits for each level from the root on: how many of the branch's
// children have been begun. A level that is open has begun one at least, so 0 ends it.
constexpr unsigned kPathBits = 5;
constexpr size_t kMaxPathLevels = 60 / kPathBits;

std::optional<uint64_t> HashTreePairs::path() const {
  if (open_.size() > kMaxPathLevels) return std::nullopt;
  uint64_t path = 0;
  for (size_t i = open_.size(); i-- > 0;) path = path << kPathBits | open_[i].next;
  return path;
}

bool HashTreePairs::go_to(uint64_t path) {
  while (path != 0) {
    const uint64_t begun = path % (1 << kPathBits);
    Frame& top = open_.back();
    if (begun == 0 || begun > child_count(top.branch)) return false;
    top.next = begun;
    path >>= kPathBits;
    if (path == 0) break;
    const Value below = child(top.branch, begun - 1);
    if (below.is_cons()) return false;
    open_.push_back({below, 0});
  }
  return true;
}

void HashTreePairs::go_behind(Value key) {
  Places places(key);
  for (unsigned depth = 0;; ++depth) {
    Frame& top = open_.back();
    const Value branch = top.branch;
    const Spot spot =
        depth == kMaxDepth ? spot_among(branch, key) : spot_of(branch, places.at(depth));
    top.next = spot.index;
    if (!spot.taken) return;
    const Value found = child(branch, spot.index);
    if (found.is_cons()) {
      if (!is_before(key, found.head(), depth + 1)) ++top.next;
      return;
    }
    ++top.next;
    open_.push_back({found, 0});
  }
}

std::vector<Value> hash_tree_slot(Value tree, unsigned slot) {
  assert(slot < kHashTreeSlots);
  const Value root = tree.slot(1);
  const Spot first = spot_of(root, slot >> 4);
  if (!first.taken) return {};
  const Value below = child(root, first.index);
  const unsigned place = slot & 15;
  if (below.is_cons()) {
    if (Places(below.head()).at(1) != place) return {};
    return {below.tail()};
  }
  const Spot second = spot_of(below, place);
  if (!second.taken) return {};
  const Value found = child(below, second.index);
  if (found.is_cons()) return {found.tail()};
  HashTreePairs walk(tree);
  walk.restrict_to(found);
  std::vector<Value> values;
  for (Value key, value; walk.next(key, value);) values.push_back(value);
  return values;
}

}  // namespace fathom::machine
