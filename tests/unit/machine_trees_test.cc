// The trees behind ETS tables: the ordered one against std::map, the hash tree's walk
// while keys come and go.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

#include "machine_values.h"
#include "values/compare.h"
#include "values/hash_tree.h"
#include "values/ordered_tree.h"

namespace fathom::machine::machine_trees_test {
namespace {

// ---- Ordered trees -----------------------------------------------------------

struct Before {
  bool operator()(Value a, Value b) const { return compare(a, b) < 0; }
};
using Reference = std::map<Value, Value, Before>;  // key => object

constexpr size_t kPosition = 1;

class OrderedTreeTest : public ::testing::Test {
 protected:
  Value object(Value key, int64_t value) { return heap_.tuple({Value::small(value), key}); }

  // 1 and 1.0 are one key.
  Value random_key(std::mt19937_64& random, uint64_t range) {
    const auto n = static_cast<int64_t>(random() % range);
    switch (random() % 4) {
      case 0:
        return heap_.real(static_cast<double>(n));
      case 1:
        return heap_.tuple({Value(atoms::ok), Value::small(n)});
      default:
        return Value::small(n);
    }
  }

  static std::vector<Value> objects(Value tree, bool backwards) {
    std::vector<Value> all;
    OrderedTreeWalk walk(tree, backwards);
    for (Value object = walk.next(); !object.is_none(); object = walk.next()) all.push_back(object);
    return all;
  }

  void expect_same(Value tree, const Reference& reference) {
    ASSERT_EQ(ordered_tree_size(tree), reference.size());
    std::vector<Value> expected;
    for (const auto& [key, object] : reference) expected.push_back(object);
    EXPECT_EQ(objects(tree, false), expected);
    for (size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(ordered_tree_at(tree, i), expected[i]);
    std::reverse(expected.begin(), expected.end());
    EXPECT_EQ(objects(tree, true), expected);
  }

  // Neighbours of a key, whether it is there or not.
  void expect_neighbours(Value tree, const Reference& reference, Value key) {
    OrderedTreeWalk up(tree, false,
                       [&](Value o) { return compare(o.element(kPosition), key) > 0; });
    const auto next = reference.upper_bound(key);
    EXPECT_EQ(up.next(), next == reference.end() ? Value::none() : next->second);
    OrderedTreeWalk down(tree, true,
                         [&](Value o) { return compare(o.element(kPosition), key) < 0; });
    const auto previous = reference.lower_bound(key);
    EXPECT_EQ(down.next(),
              previous == reference.begin() ? Value::none() : std::prev(previous)->second);
  }

  // The longest way from the root.
  static size_t depth(Value tree) {
    size_t depth = 0;
    for (std::vector<Value> level{tree}, below; !level.empty(); level = std::move(below)) {
      below.clear();
      for (const Value node : level) {
        if (node.is_nil()) continue;
        below.push_back(node.element(1));
        below.push_back(node.element(2));
      }
      ++depth;
    }
    return depth;
  }

  Heap heap_;
};

TEST_F(OrderedTreeTest, RandomChangesAgreeWithAMap) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const uint64_t range = seed < 10 ? 30 : 600;
    Value tree = empty_ordered_tree();
    Reference reference;
    for (int step = 0; step < 1500; ++step) {
      const Value key = random_key(random, range);
      // Phases in which it grows, and in which it shrinks.
      const bool grows = random() % 10 < (step / 300 % 2 == 0 ? 7 : 3);
      if (grows) {
        const Value added = object(key, step);
        tree = ordered_tree_put(heap_, tree, kPosition, added);
        reference.erase(key);
        reference[key] = added;
      } else {
        tree = ordered_tree_remove(heap_, tree, kPosition, key);
        reference.erase(key);
      }
      const auto found = reference.find(key);
      EXPECT_EQ(ordered_tree_get(tree, kPosition, key),
                found == reference.end() ? Value::none() : found->second);
      expect_neighbours(tree, reference, random_key(random, range));
      if (step % 50 == 0) expect_same(tree, reference);
      if (HasFailure()) return;
    }
    expect_same(tree, reference);
  }
}

TEST_F(OrderedTreeTest, OlderTreesStayAsTheyWere) {
  std::vector<Value> versions{empty_ordered_tree()};
  for (int64_t n = 0; n < 200; ++n) {
    const Value added = object(Value::small(n * 37 % 200), n);
    versions.push_back(ordered_tree_put(heap_, versions.back(), kPosition, added));
  }
  for (size_t i = 0; i < versions.size(); ++i) EXPECT_EQ(ordered_tree_size(versions[i]), i);
  EXPECT_EQ(objects(versions[1], false).size(), 1U);
}

TEST_F(OrderedTreeTest, StaysBalanced) {
  constexpr int64_t kCount = 1 << 14;
  Value tree = empty_ordered_tree();
  for (int64_t n = 0; n < kCount; ++n) {
    tree = ordered_tree_put(heap_, tree, kPosition, object(Value::small(n), n));
  }
  EXPECT_LE(depth(tree), 35U);  // log(2^14) / log(4/3)
  for (int64_t n = 0; n < kCount - 64; ++n) {
    tree = ordered_tree_remove(heap_, tree, kPosition, Value::small(n));
  }
  EXPECT_EQ(ordered_tree_size(tree), 64U);
  EXPECT_LE(depth(tree), 16U);
}

// ---- Hash trees --------------------------------------------------------------

// Going on after the last key visits each key once that stays, whatever is added and
// removed meanwhile, down to the empty tree and back.
TEST(HashTree, WalkGoesOnBehindAKey) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    Heap heap;
    const int64_t count = seed < 10 ? 40 : 2000;
    Value tree = empty_hash_tree(heap);
    for (int64_t n = 0; n < count; ++n) {
      tree = hash_tree_put(heap, tree, Value::small(n), Value::small(n));
    }
    std::vector<int> visits(static_cast<size_t>(count), 0);
    Value last = Value::none();
    for (;;) {
      HashTreePairs walk(tree);
      if (!last.is_none()) walk.go_behind(last);
      Value key;
      Value value;
      if (!walk.next(key, value)) break;
      last = key;
      if (key.small() < count) ++visits[static_cast<size_t>(key.small())];
      if (random() % 2 == 0 || seed % 3 == 0) tree = hash_tree_remove(heap, tree, key);
      if (random() % 4 == 0) {
        const Value other = Value::small(count + static_cast<int64_t>(random() % 1000));
        tree = hash_tree_put(heap, tree, other, other);
      }
    }
    EXPECT_EQ(visits, std::vector<int>(static_cast<size_t>(count), 1));
  }
}

TEST(HashTree, SlotsAreThePartsOfATree) {
  Heap heap;
  for (const int64_t count : {0, 1, 7, 100, 5000}) {
    Value tree = empty_hash_tree(heap);
    for (int64_t n = 0; n < count; ++n) {
      tree = hash_tree_put(heap, tree, Value::small(n), Value::small(-n));
    }
    std::vector<int> found(static_cast<size_t>(count), 0);
    for (unsigned slot = 0; slot < kHashTreeSlots; ++slot) {
      for (const Value value : hash_tree_slot(tree, slot))
        ++found[static_cast<size_t>(-value.small())];
    }
    EXPECT_EQ(found, std::vector<int>(static_cast<size_t>(count), 1));
  }
}

}  // namespace
}  // namespace fathom::machine::machine_trees_test
