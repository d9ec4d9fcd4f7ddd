// External forms, hashes and order of values, against the installed OTP.
#include <gtest/gtest.h>

#include <vector>

#include "machine_values.h"
#include "oracle.h"
#include "values/compare.h"
#include "values/external.h"
#include "values/hash.h"
#include "values/maps.h"

namespace fathom::machine::machine_external_test {
namespace {

std::string encoded(Value value, EncodeOptions options = {}) {
  std::string out;
  EXPECT_TRUE(encode_value(value, out, options).ok());
  return out;
}

class ExternalTest : public ::testing::Test {
 protected:
  Value decode(std::string_view bytes) {
    size_t used = 0;
    Result<Value> value = decode_value(bytes, heap_, exports_.lookup(), &used);
    EXPECT_TRUE(value.ok()) << (value ? "" : value.error().message);
    EXPECT_EQ(used, bytes.size());
    return value ? *value : Value::nil();
  }

  // Large maps have an order of their own, at any depth.
  static bool has_large_map(Value value) {
    std::vector<Value> left{value};
    while (!left.empty()) {
      const Value v = left.back();
      left.pop_back();
      if (v.is_box(BoxKind::HashMap)) return true;
      if (v.is_cons()) left.insert(left.end(), {v.head(), v.tail()});
      if (v.is_tuple()) left.insert(left.end(), v.elements().begin(), v.elements().end());
      if (!v.is_map()) continue;
      MapPairs pairs(v);
      for (Value key, item; pairs.next(key, item);) left.insert(left.end(), {key, item});
    }
    return false;
  }

  Value check_value(Oracle& oracle) {
    const std::string_view utf8 = oracle.next();
    const std::string_view plain = oracle.next();
    const std::string_view oldest = oracle.next();
    const std::string_view compressed = oracle.next();
    const std::string_view level_1 = oracle.next();
    const uint32_t hash2 = oracle.number();
    const uint32_t hash = oracle.number();
    const Value value = decode(utf8);
    EXPECT_EQ(portable_hash2(value), hash2) << shown(value);
    EXPECT_EQ(portable_hash(value), hash) << shown(value);
    EXPECT_TRUE(equal_exact(decode(encoded(value)), value));
    if (has_large_map(value)) return value;
    EXPECT_EQ(encoded(value, {2, 0}), utf8) << shown(value);
    EXPECT_EQ(encoded(value), plain) << shown(value);
    EXPECT_EQ(encoded(value, {0, 0}), oldest) << shown(value);
    EXPECT_EQ(encoded(value, {1, 6}), compressed) << shown(value);
    EXPECT_EQ(encoded(value, {1, 1}), level_1) << shown(value);
    EXPECT_EQ(external_size(value), plain.size());
    EXPECT_TRUE(equal_exact(decode(compressed), value));
    EXPECT_TRUE(equal_exact(decode(oldest), value));
    return value;
  }

  static void check_pair(std::string_view verdict, Value a, Value b) {
    const int order = compare(a, b);
    EXPECT_EQ(order < 0 ? '<' : order > 0 ? '>' : '=', verdict[0]) << shown(a) << " " << shown(b);
    EXPECT_EQ(equal_exact(a, b) ? '=' : '/', verdict[1]) << shown(a) << " " << shown(b);
    EXPECT_EQ(compare_exact(a, b) == 0, verdict[1] == '=') << shown(a) << " " << shown(b);
    EXPECT_EQ(equal(a, b), verdict[0] == '=') << shown(a) << " " << shown(b);
    if (verdict[1] == '=') {
      EXPECT_EQ(map_hash(a, 0), map_hash(b, 0)) << shown(a);
      EXPECT_EQ(map_hash(a, 3), map_hash(b, 3)) << shown(a);
    }
  }

  Heap heap_;
  TestExports exports_;
};

TEST_F(ExternalTest, ValuesAreAsInOtp) {
  if (!Oracle::available()) GTEST_SKIP() << "no escript";
  Oracle oracle;
  ASSERT_TRUE(oracle.run("values", "1 1500"));
  std::vector<Value> chosen(oracle.number());
  for (Value& value : chosen) value = check_value(oracle);
  EXPECT_GT(chosen.size(), 120u);
  for (const Value a : chosen) {
    for (const Value b : chosen) check_pair(oracle.next(), a, b);
  }
  for (uint32_t n = oracle.number(); n > 0; --n) {
    const Value a = check_value(oracle);
    const Value b = check_value(oracle);
    check_pair(oracle.next(), a, b);
  }
  EXPECT_TRUE(oracle.at_end());
}

TEST_F(ExternalTest, LocalThingsComeBackAsThemselves) {
  const Value values[] = {Value::pid(0),
                          Value::pid(42),
                          Value::pid((uint64_t{1} << 40) + 3),
                          Value::port(7),
                          Value::port(uint64_t{1} << 33),
                          heap_.reference(0),
                          heap_.reference(UINT64_MAX),
                          heap_.reference(123456789012345)};
  for (const Value value : values) {
    const Value back = decode(encoded(value));
    EXPECT_TRUE(equal_exact(back, value)) << shown(value) << " " << shown(back);
    EXPECT_FALSE(back.is_box(BoxKind::Foreign)) << shown(value);
  }
  EXPECT_EQ(shown(Value::pid(42)), "<0.42.0>");
  EXPECT_EQ(shown(Value::port(7)), "#Port<0.7>");
  EXPECT_EQ(shown(heap_.reference(uint64_t{5} << 50 | uint64_t{4} << 18 | 3)), "#Ref<0.5.4.3>");
}

TEST_F(ExternalTest, SafeRefusesNewAtoms) {
  const std::string known = encoded(Atom::intern("known_before"));
  EXPECT_TRUE(decode_value(known, heap_, exports_.lookup(), nullptr, true).ok());
  std::string unknown = encoded(Atom::intern("known_befora"));
  unknown.back() = 'z';
  EXPECT_FALSE(decode_value(unknown, heap_, exports_.lookup(), nullptr, true).ok());
}

TEST_F(ExternalTest, FunsAreWritten) {
  Function code{Atom::intern("m"), Atom::intern("-f/1-fun-0-"), 3, 2, 5};
  const Value captures[] = {Value::small(1), heap_.string("x")};
  const Value fun = heap_.fun(&code, Value::pid(1), captures);
  const Value back = decode(encoded(heap_.tuple({fun, Value::small(9)})));
  EXPECT_TRUE(back.element(0).is_fun());
  EXPECT_EQ(back.element(1), Value::small(9));
  EXPECT_TRUE(shown(fun).starts_with("#Fun<m.5."));
}

TEST_F(ExternalTest, DeepValuesNeedNoStack) {
  Value value = Value::nil();
  for (int i = 0; i < 300'000; ++i) {
    value = i % 3 == 0   ? heap_.tuple({value, Value::small(i)})
            : i % 3 == 1 ? heap_.cons(value, Value::nil())
                         : map_put(heap_, empty_map(heap_), Value::small(1), value);
  }
  const Value back = decode(encoded(value));
  EXPECT_TRUE(equal_exact(back, value));
  EXPECT_EQ(compare(back, value), 0);
  EXPECT_EQ(map_hash(back, 0), map_hash(value, 0));
  EXPECT_EQ(portable_hash2(back), portable_hash2(value));
  EXPECT_EQ(portable_hash(back), portable_hash(value));
}

}  // namespace
}  // namespace fathom::machine::machine_external_test
