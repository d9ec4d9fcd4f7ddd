// Between terms and values, and back.
#include <gtest/gtest.h>

#include <random>

#include "machine_values.h"
#include "values/compare.h"
#include "values/convert.h"
#include "values/maps.h"

namespace fathom::machine::machine_convert_test {
namespace {

class ConvertTest : public ::testing::Test {
 protected:
  Value value(Term term) { return to_value(term, heap_, exports_.lookup()); }

  Term random_term(std::mt19937_64& random, int depth) {
    auto inner = [&] { return random_term(random, depth - 1); };
    auto some = [&] {
      std::vector<Term> items;
      for (uint64_t n = random() % 5; n > 0; --n) items.push_back(inner());
      return items;
    };
    switch (random() % (depth == 0 ? 7 : 11)) {
      case 0:
        return arena_.integer(static_cast<int64_t>(random()) >> (random() % 64));
      case 1:
        return Atom::intern("a" + std::to_string(random() % 9));
      case 2:
        return arena_.real(static_cast<double>(random() % 100) / 4);
      case 3:
        return arena_.bitstring("abcdefghijklmnopqrstuvwxyz", random() % 200);
      case 4:
        return arena_.parse_integer("-123456789012345678901234567890").value();
      case 5:
        return arena_.external_fun(atoms::module, atoms::if_, 3);
      case 6:
        return Term();
      case 7:
        return arena_.list(some());
      case 8:
        return arena_.list(some(), inner());
      case 9:
        return arena_.tuple(some());
      default: {
        std::vector<Term> pairs;
        for (uint64_t n = random() % 40; n > 0; --n) {
          pairs.push_back(random_term(random, 0));
          pairs.push_back(inner());
        }
        return arena_.map(pairs);
      }
    }
  }

  Heap heap_;
  TermArena arena_;
  TestExports exports_;
};

TEST_F(ConvertTest, ThereAndBack) {
  std::mt19937_64 random(1);
  Term previous;
  for (int i = 0; i < 5'000; ++i) {
    const Term term = random_term(random, static_cast<int>(random() % 4));
    const Value converted = value(term);
    EXPECT_TRUE(equal(to_term(converted, arena_), term)) << written(term);
    const auto order = compare(term, previous);
    const int value_order = compare(converted, value(previous));
    EXPECT_EQ(order < 0, value_order < 0) << written(term) << " " << written(previous);
    EXPECT_EQ(order > 0, value_order > 0) << written(term) << " " << written(previous);
    previous = term;
  }
}

TEST_F(ConvertTest, EdgesOfSmallIntegers) {
  for (const int64_t n :
       {Value::kMaxSmall, Value::kMinSmall, Value::kMaxSmall + 1, Value::kMinSmall - 1,
        Term::kMaxSmall, Term::kMaxSmall + 1, Term::kMinSmall - 1, INT64_MAX, INT64_MIN}) {
    const Value v = value(arena_.integer(n));
    EXPECT_EQ(v.is_small(), Value::fits_small(n)) << n;
    EXPECT_EQ(shown(v), std::to_string(n));
  }
}

TEST_F(ConvertTest, DeepTermsNeedNoStack) {
  Term term;
  for (int i = 0; i < 300'000; ++i) {
    term = i % 3 == 0   ? arena_.tuple({term})
           : i % 3 == 1 ? arena_.list({term, 1})
                        : arena_.map({1, term, 2, 3});
  }
  EXPECT_TRUE(equal(to_term(value(term), arena_), term));
}

TEST_F(ConvertTest, ForeignThingsKeepTheirBytes) {
  const std::string external(
      "X\x77\x03"
      "a@b\0\0\0\x01\0\0\0\x02\0\0\0\x03",
      18);
  const Term pid = arena_.opaque(OpaqueKind::Pid, "<0.1.2>", external);
  const Value v = value(pid);
  EXPECT_TRUE(v.is_pid());
  EXPECT_FALSE(v.is_local_pid());
  EXPECT_EQ(to_term(v, arena_).opaque().external, external);
  EXPECT_EQ(to_term(v, arena_).opaque().text, "<0.1.2>");
}

}  // namespace
}  // namespace fathom::machine::machine_convert_test
