// The collector: random graphs keep their contents, garbage goes, buffers with it.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "machine_values.h"
#include "values/collector.h"
#include "values/compare.h"
#include "values/hash.h"
#include "values/maps.h"

namespace fathom::machine::machine_collector_test {
namespace {

class CollectorTest : public ::testing::Test {
 protected:
  void collect(std::vector<Value>& roots, bool full) {
    Collector collector(heap_, full);
    collector.visit(std::span(roots));
    collector.finish();
    EXPECT_EQ(heap_.young_bytes(), 0u);
  }

  // A value of random kind that may contain those in the pool.
  Value random_value(std::mt19937_64& random, const std::vector<Value>& pool) {
    auto any = [&] {
      return pool.empty() || random() % 4 == 0 ? Value::small(static_cast<int64_t>(random() % 1000))
                                               : pool[random() % pool.size()];
    };
    switch (random() % 12) {
      case 0:
        return heap_.real(static_cast<double>(random() % 1000) / 8);
      case 1: {
        const uint64_t limbs[] = {random(), random(), random() | 1};
        return heap_.integer(random() % 2 == 0, limbs);
      }
      case 2:
        return heap_.binary(std::string(random() % 60, 'x'));
      case 3:
        return heap_.binary(
            std::string(100 + random() % 200, static_cast<char>('a' + random() % 26)));
      case 4:
        return heap_.sub_bits(heap_.binary(std::string(200, 'q')), random() % 50,
                              1000 + random() % 99);
      case 5: {
        std::vector<Value> pairs;
        for (uint64_t n = random() % 50; n > 0; --n) pairs.insert(pairs.end(), {any(), any()});
        return map_from_pairs(heap_, pairs);
      }
      case 6:
        return heap_.fun(&code_, Value::pid(1), std::vector<Value>{any(), any()});
      case 7:
        return heap_.tuple({heap_.reference(random()), heap_.foreign(OpaqueKind::Pid, "some bytes"),
                            heap_.external_fun(&target_), any()});
      case 8:
        return heap_.tuple(std::vector<Value>(random() % 5, any()));
      default: {
        Value list = random() % 3 == 0 ? any() : Value::nil();
        for (uint64_t n = random() % 10; n > 0; --n) list = heap_.cons(any(), list);
        return list;
      }
    }
  }

  Heap heap_;
  Function code_{Atom::intern("m"), Atom::intern("f"), 2, 2, 0};
  Export target_{Atom::intern("lists"), Atom::intern("map"), 2};
};

// Sharing makes a graph's text exponentially long; hashes are taken of values that
// contain few others.
TEST_F(CollectorTest, RandomGraphsSurvive) {
  std::mt19937_64 random(1);
  std::vector<Value> roots;
  std::vector<uint32_t> hashes;
  for (int round = 0; round < 200; ++round) {
    for (int i = 0; i < 30; ++i) {
      std::vector<Value> pool;  // leaves and shallow values: two random ones
      for (int k = 0; k < 2 && !roots.empty(); ++k) pool.push_back(roots[random() % roots.size()]);
      const Value value = random_value(random, random() % 3 == 0 ? std::vector<Value>{} : pool);
      if (roots.size() < 200) {
        roots.push_back(value);
        hashes.push_back(0);
      } else {
        const size_t at = random() % roots.size();
        roots[at] = random_value(random, {});
        hashes[at] = 0;
      }
    }
    for (size_t i = 0; i < roots.size(); ++i) hashes[i] = map_hash(roots[i], 0);
    collect(roots, round % 7 == 0);
    for (size_t i = 0; i < roots.size(); ++i) {
      ASSERT_EQ(map_hash(roots[i], 0), hashes[i]) << "round " << round;
    }
    if (HasFatalFailure()) return;
  }
  EXPECT_LT(heap_.used_bytes(), size_t{32} << 20);
}

TEST_F(CollectorTest, WhatIsSharedStaysShared) {
  const Value pair = heap_.tuple({Value::small(1), heap_.string("abc")});
  const Value list = heap_.list(std::vector<Value>{pair, pair});
  std::vector<Value> roots{list, pair, list.tail(), pair.element(1).tail()};
  for (const bool full : {false, true, true}) {
    collect(roots, full);
    EXPECT_EQ(roots[0].head(), roots[1]);
    EXPECT_EQ(roots[0].tail(), roots[2]);
    EXPECT_EQ(roots[2].head(), roots[1]);
    EXPECT_EQ(roots[1].element(1).tail(), roots[3]);
    EXPECT_EQ(shown(roots[0]), "[{1,[97,98,99]},{1,[97,98,99]}]");
  }
  const size_t words = 3 + 2 * 3 + 2 * 2;
  EXPECT_EQ(heap_.used_bytes(), words * sizeof(uint64_t));
}

TEST_F(CollectorTest, ListsLieInOrder) {
  Value list = Value::nil();
  for (int64_t i = 1000; i-- > 0;) {
    heap_.tuple({Value::small(i)});  // garbage in between
    list = heap_.cons(heap_.real(static_cast<double>(i)), list);
  }
  std::vector<Value> roots{list};
  collect(roots, false);
  for (Value rest = roots[0]; rest.tail().is_cons(); rest = rest.tail()) {
    ASSERT_EQ(rest.tail().words(), rest.words() + 2);
  }
}

TEST_F(CollectorTest, YoungCollectionsLeaveOldValuesAlone) {
  std::vector<Value> roots{heap_.string("old")};
  collect(roots, false);
  const Value old = roots[0];
  roots.push_back(heap_.cons(Value::small(1), old));
  collect(roots, false);
  EXPECT_EQ(roots[0], old);
  EXPECT_EQ(roots[1].tail(), old);
  collect(roots, true);
  EXPECT_NE(roots[0], old);
  EXPECT_EQ(shown(roots[1]), "[1,111,108,100]");
}

TEST_F(CollectorTest, LiteralsStay) {
  heap_.begin_permanent();
  const Value literal = heap_.tuple({heap_.string("lit"), heap_.binary(std::string(100, 'l'))});
  heap_.end_permanent();
  std::vector<Value> roots{heap_.cons(literal, Value::nil()), literal,
                           heap_.sub_bits(literal.element(1), 8, 512)};
  for (const bool full : {false, true, false, true}) {
    collect(roots, full);
    EXPECT_EQ(roots[1], literal);
    EXPECT_EQ(roots[0].head(), literal);
  }
  EXPECT_EQ(shown(literal.element(0)), "[108,105,116]");
  EXPECT_EQ(bits_of(roots[2]).data()[0], 'l');
}

TEST_F(CollectorTest, BuffersLiveAsLongAsTheirUsers) {
  std::vector<Value> roots{heap_.binary(std::string(1000, 'a')),
                           heap_.binary(std::string(5000, 'b'))};
  roots[1] = heap_.sub_bits(roots[1], 80, 800);
  const size_t both = heap_.buffer_bytes();
  heap_.binary(std::string(100'000, 'c'));
  collect(roots, false);
  EXPECT_EQ(heap_.buffer_bytes(), both);
  roots[0] = Value::nil();
  collect(roots, false);  // it is old: nobody looks
  EXPECT_EQ(heap_.buffer_bytes(), both);
  collect(roots, true);
  EXPECT_LT(heap_.buffer_bytes(), both - 1000);
  EXPECT_EQ(bits_of(roots[1]).data()[99], 'b');
  roots.clear();
  collect(roots, true);
  EXPECT_EQ(heap_.buffer_bytes(), 0u);
}

// A loop as the machine runs it: the same amount is alive all the time.
TEST_F(CollectorTest, MemoryDoesNotGrow) {
  std::mt19937_64 random(2);
  std::vector<Value> roots(10'000, Value::nil());
  size_t most = 0;
  int full = 0;
  for (int i = 0; i < 3'000'000; ++i) {
    Value& root = roots[random() % roots.size()];
    root = i % 50 == 0 ? heap_.binary(std::string(3'000, 'x'))
                       : heap_.tuple({Value::small(i), heap_.string("abcdefgh")});
    if (!heap_.wants_collection()) continue;
    most = std::max(most, heap_.used_bytes());
    full += heap_.wants_full_collection() ? 1 : 0;
    collect(roots, heap_.wants_full_collection());
  }
  EXPECT_LT(most, size_t{300} << 20);
  EXPECT_GT(full, 0);
}

TEST_F(CollectorTest, DeepValuesNeedNoStack) {
  Value value = Value::nil();
  for (int i = 0; i < 1'000'000; ++i) {
    value = i % 2 == 0 ? heap_.tuple({value}) : heap_.cons(value, Value::nil());
  }
  const uint32_t hash = map_hash(value, 0);
  std::vector<Value> roots{value};
  collect(roots, false);
  collect(roots, true);
  EXPECT_EQ(map_hash(roots[0], 0), hash);
}

}  // namespace
}  // namespace fathom::machine::machine_collector_test
