// Maps against std::map with the exact order of keys.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

#include "machine_values.h"
#include "values/compare.h"
#include "values/hash.h"
#include "values/maps.h"

namespace fathom::machine::machine_maps_test {
namespace {

struct Before {
  bool operator()(Value a, Value b) const { return compare_exact(a, b) < 0; }
};
using Reference = std::map<Value, Value, Before>;

class MapsTest : public ::testing::Test {
 protected:
  Value random_key(std::mt19937_64& random, uint64_t range) {
    const auto n = static_cast<int64_t>(random() % range);
    switch (random() % 6) {
      case 0:
        return Value::small(n);
      case 1:
        return heap_.real(static_cast<double>(n));
      case 2:
        return heap_.tuple({Value::small(n), Value::small(1)});
      case 3:
        return heap_.string(std::to_string(n));
      case 4:
        return heap_.binary(std::to_string(n));
      default:
        return Value(Atom::intern("key" + std::to_string(n)));
    }
  }

  void expect_same(Value map, const Reference& reference) {
    ASSERT_EQ(map_size(map), reference.size());
    EXPECT_EQ(map.is_box(BoxKind::FlatMap), reference.size() <= kMaxFlatMap);
    const std::vector<Value> sorted = sorted_pairs(map);
    ASSERT_EQ(sorted.size(), 2 * reference.size());
    size_t i = 0;
    for (const auto& [key, value] : reference) {
      ASSERT_TRUE(equal_exact(sorted[i], key));
      ASSERT_EQ(sorted[i + 1], value);
      i += 2;
    }
    // However it came about, it is the same map.
    const Value rebuilt = map_from_pairs(heap_, sorted);
    EXPECT_TRUE(equal_exact(map, rebuilt));
    EXPECT_EQ(compare(map, rebuilt), 0);
    EXPECT_EQ(map_hash(map, 1), map_hash(rebuilt, 1));
  }

  void check_random(uint64_t seed, uint64_t range, int steps, int look_every = 97) {
    std::mt19937_64 random(seed);
    Reference reference;
    Value map = empty_map(heap_);
    for (int i = 0; i < steps; ++i) {
      const Value key = random_key(random, range);
      const Value before = map;
      const size_t size = reference.size();
      const auto found = reference.find(key);
      const Value got = map_get(map, key);
      ASSERT_EQ(got.is_none(), found == reference.end());
      if (found != reference.end()) {
        ASSERT_EQ(got, found->second);
      }
      if (random() % 5 < 3) {
        map = map_put(heap_, map, key, Value::small(i));
        reference[key] = Value::small(i);
      } else {
        map = map_remove(heap_, map, key);
        if (found == reference.end()) {
          EXPECT_EQ(map, before);
        }
        reference.erase(key);
      }
      EXPECT_EQ(map_size(before), size);
      if (i % look_every == 0 || i + 1 == steps) expect_same(map, reference);
    }
    for (const auto& [key, value] : Reference(reference)) {
      map = map_remove(heap_, map, key);
      reference.erase(key);
      ASSERT_EQ(map_size(map), reference.size());
      if (map_size(map) % (reference.size() < 100 ? 16 : 1000) == 1) expect_same(map, reference);
    }
  }

  Heap heap_;
};

TEST_F(MapsTest, SmallOnes) { check_random(1, 8, 5'000); }
TEST_F(MapsTest, AroundTheLimitOfFlatOnes) { check_random(2, 12, 20'000); }
TEST_F(MapsTest, LargeOnes) { check_random(3, 2'000, 30'000, 5'000); }

TEST_F(MapsTest, ManyPairsAtOnce) {
  std::mt19937_64 random(4);
  for (const size_t count : {0, 1, 2, 31, 32, 33, 34, 64, 1000, 20'000}) {
    for (const uint64_t range : {3, 50, 100'000}) {
      Reference reference;
      std::vector<Value> pairs;
      for (size_t i = 0; i < count; ++i) {
        const Value key = random_key(random, range);
        pairs.insert(pairs.end(), {key, Value::small(static_cast<int64_t>(i))});
        reference[key] = Value::small(static_cast<int64_t>(i));
      }
      expect_same(map_from_pairs(heap_, pairs), reference);
    }
  }
}

TEST_F(MapsTest, PairsComeOnce) {
  std::vector<Value> pairs;
  for (int64_t i = 0; i < 1'000; ++i)
    pairs.insert(pairs.end(), {Value::small(i), Value::small(-i)});
  const Value map = map_from_pairs(heap_, pairs);
  std::vector<bool> seen(1'000);
  MapPairs walk(map);
  size_t count = 0;
  for (Value key, value; walk.next(key, value); ++count) {
    EXPECT_EQ(value.small(), -key.small());
    EXPECT_FALSE(seen[static_cast<size_t>(key.small())]);
    seen[static_cast<size_t>(key.small())] = true;
  }
  EXPECT_EQ(count, 1'000u);
}

TEST_F(MapsTest, MapsThatDifferInValuesShareTheirKeys) {
  const Value map = map_put(heap_, empty_map(heap_), Value::small(1), Value::small(2));
  const Value other = map_put(heap_, map, Value::small(1), Value::small(3));
  EXPECT_EQ(map.slot(0), other.slot(0));
  EXPECT_EQ(map_put(heap_, map, Value::small(1), Value::small(2)), map);
  EXPECT_EQ(map_get(map, Value::small(1)), Value::small(2));
}

// Both have the same keys; the first key with different values decides, and 1 is
// no different from 1.0 there.
TEST_F(MapsTest, LargeMapsInOrder) {
  auto large = [&](int64_t changed, Value value) {
    std::vector<Value> pairs;
    for (int64_t i = 0; i < 100; ++i) pairs.insert(pairs.end(), {Value::small(i), Value::small(0)});
    pairs.insert(pairs.end(), {Value::small(changed), value});
    return map_from_pairs(heap_, pairs);
  };
  const Value same = large(5, Value::small(0));
  EXPECT_EQ(compare(large(7, heap_.real(0.0)), same), 0);
  EXPECT_GT(compare_exact(large(7, heap_.real(0.0)), same), 0);
  EXPECT_FALSE(equal_exact(large(7, heap_.real(0.0)), same));
  EXPECT_GT(compare(large(7, Value::small(1)), same), 0);
  EXPECT_GT(compare(large(7, Value::small(1)), large(8, Value::small(1))), 0);
  EXPECT_LT(compare(large(200, Value::small(1)), large(201, Value::small(1))), 0);
  EXPECT_LT(compare(same, large(200, Value::small(1))), 0);  // fewer pairs
}

// The order of large maps that are keys of large maps, far deeper than anyone
// would nest them.
TEST_F(MapsTest, LargeMapsAsKeys) {
  auto nested = [&](int64_t inner) {
    Value map = Value::small(inner);
    for (int64_t depth = 0; depth < 300; ++depth) {
      std::vector<Value> pairs{map, Value::small(0)};
      for (int64_t i = 0; i < 40; ++i)
        pairs.insert(pairs.end(), {heap_.real(0.5 + static_cast<double>(i)), Value::small(i)});
      map = map_from_pairs(heap_, pairs);
    }
    return map;
  };
  const Value a = nested(1);
  const Value b = nested(1);
  const Value c = nested(2);
  EXPECT_TRUE(equal_exact(a, b));
  EXPECT_EQ(compare(a, b), 0);
  EXPECT_FALSE(equal_exact(a, c));
  EXPECT_EQ(compare(a, c) < 0, compare(c, a) > 0);
}

}  // namespace
}  // namespace fathom::machine::machine_maps_test
