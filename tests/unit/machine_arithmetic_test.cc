// Arithmetic: OTP's answers for boundary values, GMP's for random ones.
#include <gmpxx.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <random>
#include <string>

#include "machine_values.h"
#include "oracle.h"
#include "values/arithmetic.h"
#include "values/compare.h"
#include "values/external.h"

namespace fathom::machine::machine_arithmetic_test {
namespace {

using Unary = Value (*)(Heap&, Value);
using Binary = Value (*)(Heap&, Value, Value);

const std::map<std::string, Unary, std::less<>> kUnary = {
    {"-", negate},       {"bnot", bit_not},          {"abs", absolute},   {"float", to_real},
    {"trunc", truncate}, {"round", round_half_away}, {"floor", floor_of}, {"ceil", ceiling_of},
};
const std::map<std::string, Binary, std::less<>> kBinary = {
    {"+", add},          {"-", subtract},         {"*", multiply},
    {"/", divide},       {"div", integer_divide}, {"rem", remainder},
    {"band", bit_and},   {"bor", bit_or},         {"bxor", bit_xor},
    {"bsl", shift_left}, {"bsr", shift_right},
};

class ArithmeticTest : public ::testing::Test {
 protected:
  Value decode(std::string_view bytes) {
    return decode_value(bytes, heap_, exports_.lookup()).value();
  }
  Value parse(std::string_view text, int base = 10) { return parse_integer(heap_, text, base); }

  Heap heap_;
  TestExports exports_;
};

std::string outcome(Value result, bool conversion) {
  if (result.is_none()) return conversion ? "badarg" : "badarith";
  if (result == limit()) return "system_limit";
  return shown(result);
}

TEST_F(ArithmeticTest, BoundaryValuesAreAsInOtp) {
  if (!Oracle::available()) GTEST_SKIP() << "no escript";
  Oracle oracle;
  ASSERT_TRUE(oracle.run("arithmetic"));
  size_t cases = 0;
  for (; !oracle.at_end(); ++cases) {
    const Heap::Mark mark = heap_.mark();
    const std::string name(oracle.next());
    const bool binary = oracle.number() == 2;
    const Value a = decode(oracle.next());
    const Value b = binary ? decode(oracle.next()) : Value();
    const Value expected = decode(oracle.next());
    const uint64_t* before = heap_.top();
    const Value result = binary ? kBinary.at(name)(heap_, a, b) : kUnary.at(name)(heap_, a);
    // What is not in the result is given back.
    const size_t words = result.is_box() ? box_words(result.words()) : 0;
    EXPECT_LE(static_cast<size_t>(heap_.top() - before), words) << name;
    const bool conversion = !binary && name != "-" && name != "bnot";
    const std::string text = outcome(result, conversion);
    EXPECT_EQ(text, shown(expected)) << name << " " << shown(a) << " " << shown(b);
    if (result.is_float() && expected.is_float()) {
      EXPECT_EQ(std::signbit(result.real()), std::signbit(expected.real()))
          << name << " " << shown(a) << " " << shown(b);
    }
    heap_.rewind(mark);
  }
  EXPECT_GT(cases, 100'000u);
}

mpz_class random_integer(std::mt19937_64& random, gmp_randclass& bits) {
  mpz_class n = random() % 2 == 0 ? bits.get_z_bits(random() % 300) : bits.get_z_bits(62);
  if (random() % 4 == 0) n = mpz_class(1) << (random() % 200);
  if (random() % 4 == 0) n -= 1;
  return random() % 2 == 0 ? n : mpz_class(-n);
}

TEST_F(ArithmeticTest, RandomIntegersAgreeWithGmp) {
  std::mt19937_64 random(1);
  gmp_randclass bits(gmp_randinit_default);
  for (int i = 0; i < 20'000; ++i) {
    const Heap::Mark mark = heap_.mark();
    const mpz_class x = random_integer(random, bits);
    const mpz_class y = random_integer(random, bits);
    const Value a = heap_.integer(x.get_mpz_t());
    const Value b = heap_.integer(y.get_mpz_t());
    auto check = [&](Value result, const mpz_class& expected, const char* what) {
      ASSERT_TRUE(equal_exact(result, heap_.integer(expected.get_mpz_t())))
          << x.get_str() << " " << what << " " << y.get_str() << " gave " << shown(result);
    };
    check(add(heap_, a, b), x + y, "+");
    check(subtract(heap_, a, b), x - y, "-");
    check(multiply(heap_, a, b), x * y, "*");
    check(multiply(heap_, a, a), x * x, "squared");
    check(bit_and(heap_, a, b), x & y, "band");
    check(bit_or(heap_, a, b), x | y, "bor");
    check(bit_xor(heap_, a, b), x ^ y, "bxor");
    check(bit_not(heap_, a), ~x, "bnot");
    if (y != 0) {
      check(integer_divide(heap_, a, b), x / y, "div");
      check(remainder(heap_, a, b), x % y, "rem");
    }
    const unsigned count = random() % 200;
    mpz_class shifted;
    mpz_mul_2exp(shifted.get_mpz_t(), x.get_mpz_t(), count);
    check(shift_left(heap_, a, Value::small(count)), shifted, "bsl");
    check(shift_right(heap_, a, Value::small(-int64_t{count})), shifted, "bsr -");
    mpz_fdiv_q_2exp(shifted.get_mpz_t(), x.get_mpz_t(), count);
    check(shift_right(heap_, a, Value::small(count)), shifted, "bsr");
    EXPECT_EQ(sign(a), sgn(x));
    EXPECT_EQ(print_integer(a, 10), x.get_str());
    const int base = 2 + static_cast<int>(random() % 35);
    check(parse(print_integer(a, base), base), x, "in another base");
    heap_.rewind(mark);
  }
}

TEST_F(ArithmeticTest, Text) {
  const struct {
    const char* text;
    int base;
    const char* value;  // null: no integer
  } rows[] = {
      {"0", 10, "0"},
      {"-0", 10, "0"},
      {"+7", 10, "7"},
      {"007", 10, "7"},
      {"zZ", 36, "1295"},
      {"-ff", 16, "-255"},
      {"2305843009213693951", 10, "2305843009213693951"},
      {"2305843009213693952", 10, "2305843009213693952"},
      {"-2305843009213693952", 10, "-2305843009213693952"},
      {"-2305843009213693953", 10, "-2305843009213693953"},
      {"18446744073709551615", 10, "18446744073709551615"},
      {"18446744073709551616", 10, "18446744073709551616"},
      {"1000000000000000000000000000000000000000000000", 10,
       "1000000000000000000000000000000000000000000000"},
      {"", 10, nullptr},
      {"-", 10, nullptr},
      {"+-1", 10, nullptr},
      {"1_0", 10, nullptr},
      {" 1", 10, nullptr},
      {"8", 8, nullptr},
      {"1.0", 10, nullptr},
  };
  for (const auto& row : rows) {
    const Value value = parse(row.text, row.base);
    ASSERT_EQ(value.is_none(), row.value == nullptr) << row.text;
    if (row.value != nullptr) {
      EXPECT_EQ(print_integer(value, 10), row.value);
    }
  }
  EXPECT_EQ(print_integer(parse("-1208925819614629174706175"), 16), "-FFFFFFFFFFFFFFFFFFFF");
}

TEST_F(ArithmeticTest, Words) {
  const struct {
    const char* text;
    std::optional<int64_t> with_sign;
    std::optional<uint64_t> without;
  } rows[] = {
      {"0", 0, 0},
      {"-1", -1, {}},
      {"2305843009213693952", int64_t{1} << 61, uint64_t{1} << 61},
      {"9223372036854775807", INT64_MAX, INT64_MAX},
      {"9223372036854775808", {}, uint64_t{1} << 63},
      {"-9223372036854775808", INT64_MIN, {}},
      {"-9223372036854775809", {}, {}},
      {"18446744073709551615", {}, UINT64_MAX},
      {"18446744073709551616", {}, {}},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(to_int64(parse(row.text)), row.with_sign) << row.text;
    EXPECT_EQ(to_uint64(parse(row.text)), row.without) << row.text;
  }
}

TEST_F(ArithmeticTest, IntegersHaveALimit) {
  const Value one = Value::small(1);
  const Value largest = shift_left(heap_, one, Value::small(kMaxIntegerBits - 1));
  ASSERT_TRUE(largest.is_big());
  EXPECT_EQ(shift_left(heap_, one, Value::small(kMaxIntegerBits)), limit());
  EXPECT_EQ(multiply(heap_, largest, Value::small(2)), limit());
  EXPECT_EQ(add(heap_, largest, largest), limit());
  EXPECT_TRUE(equal_exact(multiply(heap_, largest, Value::small(1)), largest));
  EXPECT_EQ(parse(std::string(kMaxIntegerBits, '1'), 2).is_big(), true);
  EXPECT_EQ(parse(std::string(kMaxIntegerBits + 1, '1'), 2), limit());
}

}  // namespace
}  // namespace fathom::machine::machine_arithmetic_test
