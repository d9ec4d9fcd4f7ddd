#include "base/term.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/term_print.h"

namespace fathom::term_test {
namespace {

constexpr size_t kDeep = 1'000'000;

class TermTest : public ::testing::Test {
 protected:
  Term atom(std::string_view text) { return Atom::intern(text); }
  Term integer(std::string_view text) { return arena_.parse_integer(text).value(); }

  TermArena arena_;
};

TEST_F(TermTest, ImmediatesAreTheirWord) {
  EXPECT_EQ(Term().kind(), TermKind::Nil);
  EXPECT_TRUE(Term().is_list());
  EXPECT_FALSE(Term().is_cons());
  EXPECT_EQ(Term(atoms::if_).atom(), atoms::if_);
  EXPECT_TRUE(Term(atoms::if_).is_atom(atoms::if_));
  EXPECT_EQ(Term(-7).small(), -7);
  EXPECT_EQ(Term(uint32_t{4000000000}).small(), 4000000000);
  EXPECT_EQ(arena_.integer(int64_t{42}), Term(42));
  EXPECT_EQ(arena_.bytes_used(), 0u);
}

TEST_F(TermTest, IntegersOfAllSizes) {
  const struct {
    const char* text;
    TermKind kind;
    std::optional<int64_t> value;
  } rows[] = {
      {"0", TermKind::Integer, 0},
      {"-1", TermKind::Integer, -1},
      {"1152921504606846975", TermKind::Integer, Term::kMaxSmall},
      {"1152921504606846976", TermKind::BigInteger, Term::kMaxSmall + 1},
      {"-1152921504606846976", TermKind::Integer, Term::kMinSmall},
      {"-1152921504606846977", TermKind::BigInteger, Term::kMinSmall - 1},
      {"9223372036854775807", TermKind::BigInteger, INT64_MAX},
      {"-9223372036854775808", TermKind::BigInteger, INT64_MIN},
      {"9223372036854775808", TermKind::BigInteger, std::nullopt},
      {"-9223372036854775809", TermKind::BigInteger, std::nullopt},
      {"18446744073709551615", TermKind::BigInteger, std::nullopt},
      {"18446744073709551616", TermKind::BigInteger, std::nullopt},
      {"-340282366920938463463374607431768211456", TermKind::BigInteger, std::nullopt},
  };
  for (const auto& row : rows) {
    const Term t = integer(row.text);
    EXPECT_EQ(t.kind(), row.kind) << row.text;
    EXPECT_EQ(t.to_int64(), row.value) << row.text;
    EXPECT_EQ(written(t), row.text);
    EXPECT_TRUE(equal(arena_.integer(MpzView(t)), t)) << row.text;
    if (row.value) {
      EXPECT_TRUE(equal(arena_.integer(*row.value), t)) << row.text;
    }
  }
  EXPECT_EQ(written(arena_.integer(UINT64_MAX)), "18446744073709551615");
}

TEST_F(TermTest, IntegerText) {
  const struct {
    const char* text;
    const char* value;  // null: not an integer
  } rows[] = {
      {"16#ff", "255"},
      {"16#FF_ff", "65535"},
      {"-16#10", "-16"},
      {"+5", "5"},
      {"2#1010", "10"},
      {"36#Zz", "1295"},
      {"1_6#f_f", "255"},
      {"1_000_000", "1000000"},
      {"16#ffffffffffffffffffff", "1208925819614629174706175"},
      {"007", "7"},
      {"", nullptr},
      {"-", nullptr},
      {"--1", nullptr},
      {"1_", nullptr},
      {"_1", nullptr},
      {"1__0", nullptr},
      {"16#_f", nullptr},
      {"16#", nullptr},
      {"16#-f", nullptr},
      {"#f", nullptr},
      {"1#0", nullptr},
      {"37#0", nullptr},
      {"99999999999999999999#0", nullptr},
      {"8#8", nullptr},
      {"1 0", nullptr},
      {"1.0", nullptr},
  };
  for (const auto& row : rows) {
    const std::optional<Term> t = arena_.parse_integer(row.text);
    ASSERT_EQ(t.has_value(), row.value != nullptr) << row.text;
    if (t) {
      EXPECT_EQ(written(*t), row.value);
    }
  }
  EXPECT_EQ(written(arena_.parse_integer("-ff", 16).value()), "-255");
  std::string hex;
  append_integer(hex, integer("-1208925819614629174706175"), 16);
  EXPECT_EQ(hex, "-FFFFFFFFFFFFFFFFFFFF");
}

TEST_F(TermTest, IntegersFromBytes) {
  const struct {
    std::vector<uint8_t> magnitude;
    const char* value;
  } rows[] = {
      {{}, "0"},
      {{0, 0, 0}, "0"},
      {{1}, "-1"},
      {{0, 1, 0, 0, 0, 0, 0, 0, 0, 0}, "-256"},
      {{0, 0, 0, 0, 0, 0, 0, 0x80}, "-9223372036854775808"},
      {{0, 0, 0, 0, 0, 0, 0, 0, 1}, "-18446744073709551616"},
  };
  for (const auto& row : rows) EXPECT_EQ(written(arena_.integer(true, row.magnitude)), row.value);
}

TEST_F(TermTest, ListsAcrossChunks) {
  const Term end = arena_.list({3, 4});
  const Term list = arena_.cons(1, arena_.cons(2, end));
  EXPECT_EQ(list.list().size(), 4u);
  EXPECT_EQ(list.list().front(), Term(1));
  EXPECT_TRUE(list.list().is_proper());
  std::vector<int64_t> seen;
  for (const Term t : list.list()) seen.push_back(t.small());
  EXPECT_EQ(seen, (std::vector<int64_t>{1, 2, 3, 4}));
  EXPECT_TRUE(equal(list, arena_.list({1, 2, 3, 4})));

  const Term improper = arena_.list({1, 2}, atom("x"));
  EXPECT_EQ(improper.list().tail(), atom("x"));
  EXPECT_EQ(improper.list().size(), 2u);
  EXPECT_EQ(written(improper), "[1,2|x]");

  EXPECT_EQ(arena_.list({}, end), end);
  EXPECT_TRUE(arena_.list({}).is_nil());
  EXPECT_TRUE(Term().list().empty());
  for (const Term t : Term().list()) FAIL() << t.raw();
}

TEST_F(TermTest, Tuples) {
  const Term t = arena_.tuple({atoms::case_, 3, arena_.tuple({}), arena_.string("ab")});
  EXPECT_TRUE(t.is_tagged(atoms::case_, 4));
  EXPECT_FALSE(t.is_tagged(atoms::case_, 3));
  EXPECT_FALSE(t.is_tagged(atoms::if_, 4));
  EXPECT_EQ(t[1].small(), 3);
  EXPECT_TRUE(t[2].is_tuple(0));
  EXPECT_FALSE(t[2].is_tagged(atoms::case_, 0));
  EXPECT_EQ(written(t), "{'case',3,{},[97,98]}");
}

TEST_F(TermTest, Strings) {
  EXPECT_EQ(written(arena_.string("")), "[]");
  EXPECT_EQ(written(arena_.string("a\u00E5\u4E2D\U0001F600")), "[97,229,20013,128512]");
  // Not UTF-8: Latin-1, byte by byte.
  EXPECT_EQ(written(arena_.string("\xE5 \xC3\xA5 \xE4\xB8")), "[229,32,229,32,228,184]");
  EXPECT_EQ(string_text(arena_.string("a\u00E5\u4E2D")), "a\u00E5\u4E2D");
  EXPECT_EQ(string_text(Term()), "");
  const Term no_strings[] = {atom("a"),         arena_.list({97}, 98), arena_.list({atom("a")}),
                             arena_.list({-1}), arena_.list({0xD800}), arena_.list({0x110000})};
  for (const Term t : no_strings) EXPECT_EQ(string_text(t), std::nullopt) << written(t);
}

TEST_F(TermTest, Maps) {
  const Term one_point_zero = arena_.real(1.0);
  const Term map = arena_.map({atom("b"), 1, 2, 3, one_point_zero, 4, 1, 5});
  const MapView view = map.map();
  ASSERT_EQ(view.size(), 4u);
  EXPECT_EQ(view.key(0), atom("b"));
  EXPECT_EQ(view.value(3), Term(5));
  EXPECT_EQ(view.find(1), Term(5));
  EXPECT_EQ(view.find(arena_.real(1.0)), Term(4));
  EXPECT_EQ(view.find(atom("a")), std::nullopt);
  EXPECT_EQ(written(map), "#{1 => 5,2 => 3,1.0 => 4,b => 1}");
  EXPECT_TRUE(equal(map, arena_.map({1, 5, 2, 3, one_point_zero, 4, atom("b"), 1})));

  EXPECT_EQ(written(arena_.map({1, 2, 0, 3, 1, 4})), "#{0 => 3,1 => 4}");
  const TermDraft twice = arena_.draft_map(2);
  std::fill(twice.slots.begin(), twice.slots.end(), Term(1));
  EXPECT_FALSE(arena_.finish_map(twice.term));
}

TEST_F(TermTest, Bits) {
  const Term binary = arena_.binary("abc");
  EXPECT_TRUE(binary.is_binary());
  EXPECT_EQ(binary.bits().text(), "abc");
  const Term bits = arena_.bitstring("\xFF\xFF", 11);
  EXPECT_TRUE(bits.is_bitstring());
  EXPECT_FALSE(bits.is_binary());
  EXPECT_EQ(bits.bits().bytes()[1], 0xE0);  // what is not part of it is zero
  EXPECT_EQ(arena_.bitstring(nullptr, 0).bits().bit_count, 0u);
}

TEST_F(TermTest, OthersKeepWhatTheyAreMadeOf) {
  const ExternalFun fun =
      arena_.external_fun(Atom::intern("lists"), Atom::intern("map"), 2).external_fun();
  EXPECT_EQ(fun.module.text(), "lists");
  EXPECT_EQ(fun.function.text(), "map");
  EXPECT_EQ(fun.arity, 2);
  const OpaqueView pid = arena_.opaque(OpaqueKind::Pid, "<0.1.2>", "raw").opaque();
  EXPECT_EQ(pid.kind, OpaqueKind::Pid);
  EXPECT_EQ(pid.text, "<0.1.2>");
  EXPECT_EQ(pid.external, "raw");
  EXPECT_EQ(arena_.real(-2.5).to_float(), -2.5);
}

// Each term is below the next, in both orders.
TEST_F(TermTest, TermOrder) {
  auto bits = [&](const char* bytes, uint64_t count) { return arena_.bitstring(bytes, count); };
  auto fun = [&](std::string_view m, std::string_view f, uint8_t a) {
    return arena_.external_fun(Atom::intern(m), Atom::intern(f), a);
  };
  const std::vector<Term> ascending = {
      integer("-100000000000000000000000"),
      integer("-10000000000"),
      -1,
      0,
      1,
      integer("1152921504606846976"),
      integer("100000000000000000000000"),
      atom(""),
      atom("a"),
      atom("aa"),
      atom("b"),
      atom("\u00E5"),
      atom("\u0400"),
      arena_.opaque(OpaqueKind::Reference, "#Ref<0.1.2.3>", ""),
      arena_.opaque(OpaqueKind::LocalFun, "#Fun<a.1.2>", ""),
      fun("a", "b", 1),
      fun("a", "b", 2),
      fun("a", "c", 1),
      fun("b", "a", 0),
      arena_.opaque(OpaqueKind::Port, "#Port<0.1>", ""),
      arena_.opaque(OpaqueKind::Pid, "<0.1.2>", ""),
      arena_.tuple({}),
      arena_.tuple({2}),
      arena_.tuple({1, 1}),
      arena_.tuple({1, 2}),
      arena_.map({}),
      arena_.map({1, 2}),
      arena_.map({2, 1}),
      arena_.map({1, 1, 2, 1}),
      arena_.map({2, 1, 1, 2}),
      arena_.map({1, 1, 3, 1}),
      Term(),
      arena_.list({1}, 2),
      arena_.list({1}, atom("a")),
      arena_.list({1}),
      arena_.list({1, 2}),
      arena_.list({1}, arena_.binary("")),
      arena_.list({2}),
      arena_.list({Term()}),
      bits("", 0),
      bits("\x00", 1),
      bits("\x00", 8),
      bits("\x00\x00", 16),
      bits("\x80", 1),
      bits("\xC0", 3),
      bits("\xE0", 3),
      bits("\xFF", 8),
  };
  for (size_t i = 0; i < ascending.size(); ++i) {
    for (size_t j = 0; j < ascending.size(); ++j) {
      EXPECT_EQ(compare(ascending[i], ascending[j]), i <=> j)
          << written(ascending[i]) << " and " << written(ascending[j]);
      EXPECT_EQ(compare_exact(ascending[i], ascending[j]), i <=> j)
          << written(ascending[i]) << " and " << written(ascending[j]);
    }
  }
}

TEST_F(TermTest, IntegersAndFloatsCompareWithoutRounding) {
  const struct {
    const char* integer;
    double real;
    std::weak_ordering order;
  } rows[] = {
      {"1", 1.0, std::weak_ordering::equivalent},
      {"0", -0.0, std::weak_ordering::equivalent},
      {"1", 1.5, std::weak_ordering::less},
      {"-1", -1.5, std::weak_ordering::greater},
      {"-2", -1.5, std::weak_ordering::less},
      {"9007199254740993", 9007199254740992.0, std::weak_ordering::greater},
      {"9007199254740992", 9007199254740992.0, std::weak_ordering::equivalent},
      {"9007199254740993", 9007199254740994.0, std::weak_ordering::less},
      {"1152921504606846975", 1152921504606846976.0, std::weak_ordering::less},
      {"1152921504606846976", 1152921504606846976.0, std::weak_ordering::equivalent},
      {"18446744073709551617", 18446744073709551616.0, std::weak_ordering::greater},
      {"5", 1.0e300, std::weak_ordering::less},
      {"5", -1.0e300, std::weak_ordering::greater},
      {"123456789012345678901234567890", 1.0e300, std::weak_ordering::less},
      {"-123456789012345678901234567890", -5.0, std::weak_ordering::less},
  };
  for (const auto& row : rows) {
    const Term i = integer(row.integer);
    const Term f = arena_.real(row.real);
    EXPECT_EQ(compare(i, f), row.order) << row.integer << " and " << row.real;
    EXPECT_EQ(compare(f, i), 0 <=> row.order) << row.integer << " and " << row.real;
    EXPECT_TRUE(compare_exact(i, f) < 0);
    EXPECT_FALSE(equal(i, f));
  }
  EXPECT_TRUE(equal(arena_.real(0.0), arena_.real(-0.0)));
}

// Keys are compared exactly, values and what is outside of the map are not.
TEST_F(TermTest, MapsCompareKeysExactly) {
  const Term one = 1;
  const Term real_one = arena_.real(1.0);
  const Term key_one = arena_.map({one, 0});
  const Term key_real = arena_.map({real_one, 0});
  EXPECT_TRUE(compare(key_one, key_real) < 0);
  const Term nested_one = arena_.map({arena_.tuple({one}), 0});
  const Term nested_real = arena_.map({arena_.tuple({real_one}), 0});
  EXPECT_TRUE(compare(nested_one, nested_real) < 0);
  EXPECT_TRUE(compare(arena_.map({0, one}), arena_.map({0, real_one})) == 0);
  EXPECT_FALSE(equal(arena_.map({0, one}), arena_.map({0, real_one})));
  EXPECT_TRUE(compare(arena_.list({arena_.map({0, one}), one}),
                      arena_.list({arena_.map({0, real_one}), real_one})) == 0);
}

// Wraps 1 or 2 a million times, and compares and prints what comes out.
void check_deep(Term (*wrap)(TermArena&, Term)) {
  TermArena arena;
  auto nested = [&](Term t) {
    for (size_t i = 0; i < kDeep; ++i) t = wrap(arena, t);
    return t;
  };
  const Term a = nested(1);
  const Term b = nested(1);  // equal, but not for being the same object
  const Term c = nested(2);
  EXPECT_TRUE(equal(a, b));
  EXPECT_TRUE(compare(a, c) < 0);
  EXPECT_TRUE(compare_exact(c, a) > 0);
  const std::string text = written(a);
  EXPECT_GT(text.size(), kDeep);
  EXPECT_EQ(printed(a), text);
}

TEST_F(TermTest, DeepTermsNeedNoStack) {
  check_deep([](TermArena& arena, Term t) { return arena.cons(7, t); });
  check_deep([](TermArena& arena, Term t) { return arena.list({t}); });
  check_deep([](TermArena& arena, Term t) { return arena.list({t, 1}); });
  check_deep([](TermArena& arena, Term t) { return arena.tuple({1, t, 2}); });
  check_deep([](TermArena& arena, Term t) { return arena.map({1, t}); });
  check_deep([](TermArena& arena, Term t) { return arena.map({t, 1}); });
}

// Of two keys, both maps of two pairs, the order has to be found at each level.
TEST_F(TermTest, DeepKeysNeedNoStack) {
  const Term other_key = arena_.map({1, 1, 2, 2});
  Term a = 1;
  Term b = 1;
  for (size_t i = 0; i < kDeep; ++i) {
    a = arena_.map({a, 1, other_key, 2});
    b = arena_.map({other_key, 2, b, 1});
  }
  EXPECT_TRUE(equal(a, b));
}

TEST_F(TermTest, ArenasMove) {
  const Term list = arena_.list({1, 2, 3});
  TermArena other = std::move(arena_);
  EXPECT_EQ(written(list), "[1,2,3]");
  EXPECT_GT(other.bytes_used(), 0u);
  arena_ = TermArena();
  EXPECT_EQ(written(arena_.tuple({1})), "{1}");
  EXPECT_EQ(written(other.tuple({list})), "{[1,2,3]}");
}

TEST_F(TermTest, LargeObjectsLiveBesideSmallOnes) {
  std::vector<Term> all;
  for (size_t i = 0; i < 200; ++i) {
    all.push_back(arena_.list(std::vector<Term>(i * i, Term(static_cast<int32_t>(i)))));
    all.push_back(arena_.tuple({static_cast<int32_t>(i)}));
  }
  for (size_t i = 0; i < 200; ++i) {
    EXPECT_EQ(all[2 * i].list().size(), i * i);
    for (const Term t : all[2 * i].list()) ASSERT_EQ(t, Term(static_cast<int32_t>(i)));
    EXPECT_EQ(all[2 * i + 1][0], Term(static_cast<int32_t>(i)));
  }
}

}  // namespace
}  // namespace fathom::term_test
