// Order of what OTP cannot be asked about from outside: funs, and the pids, ports
// and references of this node. Everything else: machine_external_test.cc.
#include <gtest/gtest.h>

#include <vector>

#include "machine_values.h"
#include "values/compare.h"
#include "values/hash.h"

namespace fathom::machine::machine_compare_test {
namespace {

TEST(CompareTest, EachIsBelowTheNext) {
  Heap heap;
  TestExports exports;
  const Atom a = Atom::intern("a");
  const Atom b = Atom::intern("b");
  const Function first{a, Atom::intern("-f/0-fun-1-"), 1, 1, 0};
  const Function second{a, Atom::intern("-f/0-fun-0-"), 1, 1, 1};
  const Function other{b, Atom::intern("-f/0-fun-0-"), 1, 1, 0};
  auto fun = [&](const Function& code, Value captured) {
    return heap.fun(&code, Value::pid(1), std::vector<Value>{captured});
  };
  const std::vector<Value> ascending = {
      heap.integer(INT64_MAX),
      Value(b),
      heap.reference(0),
      heap.reference(1),
      heap.reference(uint64_t{1} << 18),
      heap.reference(uint64_t{1} << 50),
      fun(first, Value::small(1)),
      fun(first, Value::small(2)),
      fun(first, Value(a)),
      fun(second, Value::small(1)),
      fun(other, Value::small(1)),
      heap.external_fun(exports(a, b, 1)),
      heap.external_fun(exports(b, a, 0)),
      Value::port(1),
      Value::port(uint64_t{1} << 33),
      Value::pid(1),
      Value::pid(2),
      Value::pid(uint64_t{1} << 28),
      heap.tuple({}),
  };
  for (size_t i = 0; i < ascending.size(); ++i) {
    for (size_t j = 0; j < ascending.size(); ++j) {
      const int expected = i < j ? -1 : i > j ? 1 : 0;
      const int order = compare(ascending[i], ascending[j]);
      EXPECT_EQ(order < 0 ? -1 : order > 0 ? 1 : 0, expected) << i << " " << j;
      EXPECT_EQ(equal_exact(ascending[i], ascending[j]), i == j) << i << " " << j;
      EXPECT_EQ(map_hash(ascending[i], 0) == map_hash(ascending[j], 0), i == j) << i << " " << j;
    }
  }
  const Value again = fun(first, Value::small(1));
  EXPECT_TRUE(equal_exact(ascending[6], again));
  EXPECT_EQ(map_hash(ascending[6], 0), map_hash(again, 0));
  // A module that was loaded again has the same funs.
  const Function reloaded = first;
  EXPECT_TRUE(equal_exact(fun(reloaded, Value::small(1)), again));
}

}  // namespace
}  // namespace fathom::machine::machine_compare_test
