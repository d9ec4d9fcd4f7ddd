// Tables of bytes and terms, random terms, damaged bytes; and, where there is an
// Erlang/OTP, its own opinion on thousands of random terms: how they are encoded,
// printed and compared.
#include "base/etf.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>

#include "base/term_print.h"
#include "oracle.h"

namespace fathom::etf_test {
namespace {

constexpr size_t kDeep = 1'000'000;

// Numbers are bytes, texts are their bytes.
template <class... Parts>
std::string bytes(Parts... parts) {
  std::string out;
  auto add = [&](auto part) {
    if constexpr (std::is_integral_v<decltype(part)>) {
      out += static_cast<char>(part);
    } else {
      out += part;
    }
  };
  (add(parts), ...);
  return out;
}

std::string be32(uint32_t n) { return bytes(n >> 24, n >> 16, n >> 8, n); }

std::string encoded(Term term) {
  std::string out;
  const Result<void> done = etf::encode(term, out);
  EXPECT_TRUE(done.ok());
  return out;
}

std::string deflated(std::string_view text) {
  uLongf size = compressBound(text.size());
  std::string out(size, '\0');
  compress2(reinterpret_cast<Bytef*>(out.data()), &size,
            reinterpret_cast<const Bytef*>(text.data()), text.size(), 9);
  out.resize(size);
  return out;
}

// Text of the term, or of the error.
std::string reading_of(std::string_view data) {
  TermArena arena;
  const Result<Term> term = etf::decode(data, arena);
  return term ? written(*term) : "error: " + term.error().message;
}

// ---- Tables -----------------------------------------------------------------

const std::string kNode = bytes(119, 13, "nonode@nohost");

TEST(EtfTest, ReadsEveryTag) {
  const struct {
    std::string data;  // without the version
    const char* text;
  } rows[] = {
      {bytes(97, 255), "255"},
      {bytes(98, 255, 255, 255, 254), "-2"},
      {bytes(110, 8, 1, 0, 0, 0, 0, 0, 0, 0, 128), "-9223372036854775808"},
      {bytes(110, 0, 1), "0"},
      {bytes(110, 1, 7, 1), "-1"},
      {bytes(111, be32(9), 0, be32(0), be32(0), 1), "18446744073709551616"},
      {bytes(70, 63, 248, be32(0), 0, 0), "1.5"},
      {bytes(99, "1.50000000000000000000e+00", be32(0), 0), "1.5"},
      {bytes(99, "+1.5", std::string(27, '\0')), "1.5"},
      {bytes(99, "-1.5E+3", std::string(24, '\0')), "-1.5e3"},
      {bytes(99, "1.5e-400", std::string(23, '\0')), "0.0"},
      {bytes(100, 0, 1, 229), "\u00E5"},
      {bytes(115, 1, 229), "\u00E5"},
      {bytes(118, 0, 2, "\u00E5"), "\u00E5"},
      {bytes(119, 3, "abc"), "abc"},
      {bytes(119, 0), "''"},
      {bytes(106), "[]"},
      {bytes(107, 0, 3, "abc"), "[97,98,99]"},
      {bytes(107, 0, 0), "[]"},
      {bytes(108, be32(1), 97, 1, 106), "[1]"},
      {bytes(108, be32(2), 97, 1, 97, 2, 97, 3), "[1,2|3]"},
      {bytes(108, be32(0), 97, 1), "1"},
      {bytes(108, be32(1), 97, 1, 108, be32(1), 97, 2, 106), "[1,2]"},
      {bytes(104, 0), "{}"},
      {bytes(104, 2, 97, 1, 104, 1, 97, 2), "{1,{2}}"},
      {bytes(105, be32(1), 97, 1), "{1}"},
      {bytes(116, be32(0)), "#{}"},
      {bytes(116, be32(2), 97, 2, 97, 0, 97, 1, 106), "#{1 => [],2 => 0}"},
      {bytes(109, be32(2), 1, 2), "<<1,2>>"},
      {bytes(77, be32(2), 3, 1, 255), "<<1,7:3>>"},
      {bytes(77, be32(1), 8, 5), "<<5>>"},
      {bytes(77, be32(0), 0), "<<>>"},
      {bytes(113, 119, 1, "m", 100, 0, 1, "f", 97, 3), "fun m:f/3"},
      {bytes(103, kNode, be32(84), be32(5), 0), "<0.84.5>"},
      {bytes(88, kNode, be32(84), be32(5), be32(0)), "<0.84.5>"},
      {bytes(102, kNode, be32(84), 0), "#Port<0.84>"},
      {bytes(89, kNode, be32(84), be32(0)), "#Port<0.84>"},
      {bytes(120, kNode, be32(1), be32(0), be32(0)), "#Port<0.4294967296>"},
      {bytes(101, kNode, be32(7), 0), "#Ref<0.0.0.7>"},
      {bytes(114, 0, 2, kNode, 0, be32(7), be32(8)), "#Ref<0.0.8.7>"},
      {bytes(90, 0, 3, kNode, be32(0), be32(1), be32(2), be32(3)), "#Ref<0.3.2.1>"},
      {bytes(112, be32(70), 1, std::string(16, 'u'), be32(0), be32(1), 119, 2, "m1", 97, 0, 98,
             be32(62731559), 88, kNode, be32(9), be32(0), be32(0), 97, 7),
       "#Fun<m1.0.62731559>"},
      {bytes(80, be32(2), deflated(bytes(97, 1))), "1"},
  };
  for (const auto& row : rows) EXPECT_EQ(reading_of(bytes(131, row.data)), row.text);
}

TEST(EtfTest, SaysWhatIsWrongAndWhere) {
  const std::string infinite = bytes(70, 127, 240, be32(0), 0, 0);
  const struct {
    std::string data;
    const char* message;
  } rows[] = {
      {"", "byte 0: the data is empty"},
      {bytes(130, 106), "byte 0: an external term begins with 131, not with 130"},
      {bytes(131), "byte 1: the data ends inside a term"},
      {bytes(131, 131), "byte 1: unknown tag 131"},
      {bytes(131, 104, 1, 82, 0), "byte 3: unknown tag 82"},
      {bytes(131, 121, be32(0)), "byte 1: a term is in the local format of the node that wrote it"},
      {bytes(131, 97), "byte 1: the data ends inside an integer"},
      {bytes(131, 104, 2, 97, 1), "byte 5: the data ends inside a term"},
      {bytes(131, 104, 9, 97, 1),
       "byte 1: a tuple is said to have 9 elements, but only 2 bytes follow"},
      {bytes(131, 108, be32(0xFFFFFFFF), 106),
       "byte 1: a list is said to have 4294967295 elements, but only 1 bytes follow"},
      {bytes(131, 108, be32(1), 106), "byte 1: the data ends inside a list"},
      {bytes(131, 116, be32(0x80000000), 106, 106),
       "byte 1: a map is said to have 2147483648 elements, but only 2 bytes follow"},
      {bytes(131, 116, be32(2), 97, 1, 97, 1, 97, 1, 97, 2), "two keys of a map are equal"},
      {bytes(131, 119, 5, "abc"), "byte 1: the data ends inside an atom"},
      {bytes(131, 119, 1, 229), "byte 1: an atom is not UTF-8"},
      {bytes(131, 119, 3, 237, 160, 128), "byte 1: an atom is not UTF-8"},
      {bytes(131, 118, 1, 0, std::string(256, 'a')), "byte 1: an atom has 256 characters"},
      {bytes(131, infinite), "byte 1: a float is not finite"},
      {bytes(131, 99, "15", std::string(29, '\0')), "byte 1: a float is not a number"},
      {bytes(131, 99, "1.", std::string(29, '\0')), "byte 1: a float is not a number"},
      {bytes(131, 99, "+-1.5", std::string(26, '\0')), "byte 1: a float is not a number"},
      {bytes(131, 99, "inf", std::string(28, '\0')), "byte 1: a float is not a number"},
      {bytes(131, 99, "1.5e400", std::string(24, '\0')), "byte 1: a float is not finite"},
      {bytes(131, 77, be32(1), 9, 5), "byte 1: a bitstring of 1 bytes uses 9 bits of the last"},
      {bytes(131, 77, be32(1), 0, 5), "byte 1: a bitstring of 1 bytes uses 0 bits of the last"},
      {bytes(131, 109, be32(0xFFFFFFFF), "x"), "byte 1: the data ends inside a binary"},
      {bytes(131, 111, be32(0xFFFFFFFF), 0, "x"), "byte 1: the data ends inside an integer"},
      {bytes(131, 113, 119, 1, "m", 106, 97, 3),
       "byte 1: a fun has tag 106 where an atom should be"},
      {bytes(131, 90, 0, 6, kNode, std::string(28, 'x')), "byte 1: a reference has 6 words"},
      {bytes(131, 112, be32(9999), std::string(40, 'x')),
       "byte 1: a fun is said to have 9999 bytes, but 44 follow"},
      {bytes(131, 80, 0), "byte 2: the data ends inside the size"},
      {bytes(131, 80, be32(0x10000001), "x"),
       "byte 2: 268435457 inflated bytes are more than Fathom reads"},
      {bytes(131, 80, be32(2), "no zlib data"), "byte 6: the compressed data is damaged"},
      {bytes(131, 80, be32(2), deflated(bytes(97, 1)).substr(0, 6)),
       "byte 6: the compressed data ends too early"},
      {bytes(131, 80, be32(1), deflated(bytes(97, 1))),
       "byte 6: the data inflates to more than 1 bytes"},
      {bytes(131, 80, be32(3), deflated(bytes(97, 1))),
       "byte 2: the data is said to inflate to 3 bytes, but there are 2"},
      {bytes(131, 80, be32(1), deflated(bytes(1))), "in the inflated data, byte 0: unknown tag 1"},
  };
  for (const auto& row : rows) {
    const std::string text = reading_of(row.data);
    EXPECT_TRUE(text.starts_with("error: ") && text.ends_with(row.message))
        << text << "\n  not: " << row.message;
  }
}

TEST(EtfTest, LeavesWhatFollows) {
  TermArena arena;
  size_t used = 0;
  const std::string plain = bytes(131, 97, 1);
  ASSERT_TRUE(etf::decode(plain + "more", arena, &used).ok());
  EXPECT_EQ(used, plain.size());
  const std::string compressed = bytes(131, 80, be32(2), deflated(bytes(97, 1)));
  ASSERT_TRUE(etf::decode(compressed + "more", arena, &used).ok());
  EXPECT_EQ(used, compressed.size());
}

// term_to_binary(T, [{minor_version, 2}])
TEST(EtfTest, Writes) {
  TermArena arena;
  auto integer = [&](const char* text) { return arena.parse_integer(text).value(); };
  std::string long_atom;
  for (int i = 0; i < 255; ++i) long_atom += "\u00E5";
  const std::vector<Term> ones(65536, Term(1));
  const auto ones_span = std::span<const Term>(ones);
  std::string many_ones;
  for (size_t i = 0; i < ones.size(); ++i) many_ones += bytes(97, 1);
  const struct {
    Term term;
    std::string data;  // without the version
  } rows[] = {
      {Term(), bytes(106)},
      {0, bytes(97, 0)},
      {255, bytes(97, 255)},
      {256, bytes(98, 0, 0, 1, 0)},
      {-1, bytes(98, 255, 255, 255, 255)},
      {std::numeric_limits<int32_t>::min(), bytes(98, 128, 0, 0, 0)},
      {uint32_t{1} << 31, bytes(110, 4, 0, 0, 0, 0, 128)},
      {integer("-2147483649"), bytes(110, 4, 1, 1, 0, 0, 128)},
      {integer("9223372036854775808"), bytes(110, 8, 0, be32(0), 0, 0, 0, 128)},
      {integer("1267650600228229401496703205376"), bytes(110, 13, 0, std::string(12, '\0'), 16)},
      {arena.real(1.5), bytes(70, 63, 248, be32(0), 0, 0)},
      {Atom::intern("a"), bytes(119, 1, "a")},
      {Atom::intern(long_atom), bytes(118, 1, 254, long_atom)},
      {arena.string("abc"), bytes(107, 0, 3, "abc")},
      {arena.cons(1, arena.cons(2, {})), bytes(107, 0, 2, 1, 2)},
      {arena.list({300, 2}), bytes(108, be32(2), 98, be32(300), 97, 2, 106)},
      {arena.list({1}, 2), bytes(108, be32(1), 97, 1, 97, 2)},
      {arena.list(ones_span.first(65535)), bytes(107, 255, 255, std::string(65535, '\x01'))},
      {arena.list(ones_span), bytes(108, 0, 1, 0, 0, many_ones, 106)},
      {arena.tuple({}), bytes(104, 0)},
      {arena.tuple(ones_span.first(256)), bytes(105, be32(256), many_ones.substr(0, 512))},
      {arena.map({2, 1, 1, 2}), bytes(116, be32(2), 97, 2, 97, 1, 97, 1, 97, 2)},
      {arena.binary("ab"), bytes(109, be32(2), "ab")},
      {arena.bitstring("\x20", 3), bytes(77, be32(1), 3, 32)},
      {arena.external_fun(Atom::intern("lists"), Atom::intern("map"), 2),
       bytes(113, 119, 5, "lists", 119, 3, "map", 97, 2)},
      {arena.opaque(OpaqueKind::Pid, "<0.1.2>", "raw"), "raw"},
  };
  for (const auto& row : rows) EXPECT_EQ(encoded(row.term), bytes(131, row.data));

  std::string out = "before";
  EXPECT_FALSE(etf::encode(arena.list({Atom::intern(std::string(70000, 'a'))}), out).ok());
  EXPECT_EQ(out, "before");
}

// ---- Random terms -----------------------------------------------------------

class RandomTerms {
 public:
  RandomTerms(TermArena& arena, uint32_t seed) : arena_(arena), random_(seed) {}

  Term term(int depth) {
    switch (below(depth > 0 ? 12 : 7)) {
      case 0:
        return {};
      case 1:
        return static_cast<int32_t>(below(600)) - 300;
      case 2:
        return arena_.integer(static_cast<int64_t>(random_() >> below(64)) * (coin() ? 1 : -1));
      case 3:
        return big();
      case 4:
        return arena_.real(
            std::ldexp(static_cast<double>(random_()), static_cast<int>(below(1900)) - 1000));
      case 5:
        return Atom::intern(fmt::format("atom {}", below(50)));
      case 6:
        return bits();
      case 7:
        return arena_.tuple(terms(depth, 5));
      case 8:
        return arena_.map(pairs(depth));
      case 9:
        return arena_.external_fun(Atom::intern("m"), Atom::intern("f"), below(256));
      case 10:
        return arena_.cons(term(depth - 1), arena_.list(terms(depth, 3)));
      default:
        return arena_.list(terms(depth, 8), coin() ? Term() : term(depth - 1));
    }
  }

  uint64_t below(uint64_t limit) { return random_() % limit; }

 private:
  bool coin() { return below(2) == 0; }

  std::vector<Term> terms(int depth, size_t limit) {
    std::vector<Term> result(below(limit + 1));
    for (Term& t : result) t = term(depth - 1);
    return result;
  }

  std::vector<Term> pairs(int depth) {
    std::vector<Term> result = terms(depth, 12);
    if (result.size() % 2 != 0) result.pop_back();
    return result;
  }

  Term big() {
    std::vector<uint8_t> digits(below(400));
    for (uint8_t& digit : digits) digit = static_cast<uint8_t>(random_());
    return arena_.integer(coin(), digits);
  }

  Term bits() {
    std::vector<uint8_t> data(below(20));
    for (uint8_t& byte : data) byte = static_cast<uint8_t>(random_());
    return arena_.bitstring(data.data(), data.empty() ? 0 : data.size() * 8 - below(8));
  }

  TermArena& arena_;
  std::mt19937_64 random_;
};

TEST(EtfTest, WhatIsWrittenIsReadBack) {
  for (uint32_t seed = 0; seed < 2000; ++seed) {
    TermArena arena;
    RandomTerms random(arena, seed);
    const Term term = random.term(4);
    const std::string data = encoded(term);
    TermArena other;
    size_t used = 0;
    const Result<Term> again = etf::decode(data, other, &used);
    ASSERT_TRUE(again.ok()) << "seed " << seed << ": " << again.error().message;
    EXPECT_EQ(used, data.size());
    EXPECT_EQ(etf::end_of(data, 1).value(), data.size());
    EXPECT_TRUE(equal(term, *again)) << "seed " << seed << ": " << written(term);
    EXPECT_EQ(encoded(*again), data) << "seed " << seed;
    EXPECT_EQ(written(*again), written(term)) << "seed " << seed;
  }
}

// An order is one: total, antisymmetric, transitive, and =:= implies ==.
TEST(EtfTest, RandomTermsAreOrdered) {
  TermArena arena;
  RandomTerms random(arena, 1);
  std::vector<Term> terms(400);
  for (Term& t : terms) t = random.term(static_cast<int>(random.below(3)));
  std::sort(terms.begin(), terms.end(), [](Term a, Term b) { return compare(a, b) < 0; });
  for (size_t i = 0; i < terms.size(); ++i) {
    for (size_t j = i; j < terms.size(); ++j) {
      ASSERT_TRUE(compare(terms[i], terms[j]) <= 0) << written(terms[i]) << written(terms[j]);
      ASSERT_TRUE(compare(terms[j], terms[i]) >= 0) << written(terms[i]) << written(terms[j]);
      const bool same = equal(terms[i], terms[j]);
      ASSERT_EQ(same,
                encoded(terms[i]) == encoded(terms[j]) || compare_exact(terms[i], terms[j]) == 0);
      if (same) {
        ASSERT_TRUE(compare(terms[i], terms[j]) == 0);
      }
    }
  }
}

// ---- Hostile bytes ----------------------------------------------------------

// One of everything.
std::string sample() {
  const std::string fun =
      bytes(112, be32(70), 1, std::string(16, 'u'), be32(0), be32(1), 119, 2, "m1", 97, 0, 98,
            be32(62731559), 88, kNode, be32(9), be32(0), be32(0), 97, 7);
  return bytes(131, 104, 18, 97, 1, 98, be32(7), 110, 2, 1, 1, 2, 111, be32(9), 0, "123456789", 70,
               63, 248, be32(0), 0, 0, 99, "1.5e3", std::string(26, '\0'), 100, 0, 1, 229, 118, 0,
               2, "\u00E5", 119, 1, "a", 107, 0, 2, "ab", 108, be32(2), 106, 104, 0, 97, 3, 105,
               be32(1), 97, 1, 116, be32(2), 97, 2, 106, 97, 1, 106, 109, be32(2), 1, 2, 77,
               be32(2), 3, 1, 255, 113, 119, 1, "m", 119, 1, "f", 97, 3, 90, 0, 2, kNode, be32(0),
               be32(1), be32(2), fun);
}

// Reads, and uses what was read if anything was.
bool survives(std::string_view data) {
  TermArena arena;
  const Result<Term> term = etf::decode(data, arena);
  // Slots are 8 bytes for at least one of input, and headers are no larger.
  EXPECT_LE(arena.bytes_used(), 64 + 40 * data.size());
  if (!term) return false;
  EXPECT_FALSE(printed(*term).empty());
  EXPECT_FALSE(encoded(*term).empty());
  EXPECT_TRUE(equal(*term, *term));
  return true;
}

TEST(EtfTest, EveryTruncationIsAnError) {
  const std::string data = sample();
  ASSERT_TRUE(survives(data)) << reading_of(data);
  for (size_t size = 0; size < data.size(); ++size) {
    const std::string copy(data, 0, size);  // of its own, so that a sanitizer sees the end
    EXPECT_FALSE(survives(copy)) << size;
    EXPECT_FALSE(etf::end_of(copy, 1).ok()) << size;
  }
  const std::string packed = bytes(131, 80, be32(data.size() - 1), deflated(data.substr(1)));
  ASSERT_TRUE(survives(packed)) << reading_of(packed);
  for (size_t size = 0; size < packed.size(); ++size) {
    EXPECT_FALSE(reading_of(packed.substr(0, size)).empty());
  }
}

TEST(EtfTest, ChangedBytesDoNoHarm) {
  const std::string data = sample();
  std::mt19937 random(1);
  size_t read = 0;
  for (int round = 0; round < 50'000; ++round) {
    std::string changed = data;
    const size_t changes = 1 + random() % 4;
    for (size_t i = 0; i < changes; ++i) {
      changed[1 + random() % (changed.size() - 1)] = static_cast<char>(random());
    }
    read += survives(changed);
    TermArena arena;
    size_t used = 0;
    if (etf::decode(changed, arena, &used)) {
      EXPECT_EQ(etf::end_of(changed, 1).value(), used);
    }
  }
  EXPECT_GT(read, 100u);  // some changes are harmless, or the test is
}

TEST(EtfTest, NestedClaimsAreNotAddedUp) {
  // Every list claims all the bytes that are left; the sum would be terabytes.
  std::string data(1, '\x83');
  const size_t total = 5'000'000;
  while (data.size() + 5 < total) data += bytes(108, be32(total - data.size() - 10));
  TermArena arena;
  EXPECT_FALSE(etf::decode(data, arena).ok());
  EXPECT_LE(arena.bytes_used(), 10 * total);
}

TEST(EtfTest, PlainBytesAreThoseOfTheTermInIt) {
  const std::string data = sample();
  const std::string packed = bytes(131, 80, be32(data.size() - 1), deflated(data.substr(1)));
  EXPECT_EQ(etf::plain_bytes(data).value(), data.substr(1));
  EXPECT_EQ(etf::plain_bytes(packed).value(), data.substr(1));
  EXPECT_FALSE(etf::plain_bytes("").ok());
  EXPECT_FALSE(etf::plain_bytes(packed.substr(0, packed.size() / 2)).ok());
}

TEST(EtfTest, LiesAboutInflatedSizeCostNothing) {
  const std::string zeros = deflated(std::string(10'000'000, '\0'));
  TermArena arena;
  EXPECT_FALSE(etf::decode(bytes(131, 80, be32(1 << 30), zeros), arena).ok());
  EXPECT_FALSE(etf::decode(bytes(131, 80, be32(1000), zeros), arena).ok());
  EXPECT_EQ(arena.bytes_used(), 0u);
  const Result<etf::Inflated> exact = etf::inflate(zeros, etf::Wrapping::Zlib, 10'000'000);
  ASSERT_TRUE(exact.ok());
  EXPECT_EQ(exact->bytes.size(), 10'000'000u);
  EXPECT_FALSE(etf::inflate(zeros, etf::Wrapping::Zlib, 9'999'999).ok());
}

TEST(EtfTest, DeepTermsNeedNoStack) {
  const std::string wrappings[] = {
      bytes(108, be32(1)),         // [X | ...
      bytes(104, 1),               // {X}
      bytes(104, 2, 97, 1),        // {1, X}
      bytes(116, be32(1), 97, 1),  // #{1 => X}
      bytes(116, be32(1)),         // #{X => ...
  };
  const std::string endings[] = {bytes(106), "", "", "", bytes(106)};
  for (size_t i = 0; i < std::size(wrappings); ++i) {
    std::string data = bytes(131);
    for (size_t n = 0; n < kDeep; ++n) data += wrappings[i];
    data += bytes(106);
    for (size_t n = 0; n < kDeep; ++n) data += endings[i];
    TermArena arena;
    const Result<Term> term = etf::decode(data, arena);
    ASSERT_TRUE(term.ok()) << term.error().message;
    EXPECT_EQ(encoded(*term), data);
    EXPECT_GE(written(*term).size(), 2 * kDeep);
    TermArena other;
    EXPECT_TRUE(equal(*term, etf::decode(data, other).value()));
  }
}

// ---- OTP itself -------------------------------------------------------------

Term check_term(Oracle& oracle, PrintableRange range, TermArena& arena) {
  const std::string_view data = oracle.next();
  const std::string_view older = oracle.next();
  const std::string_view as_written = oracle.next();
  const std::string_view as_printed = oracle.next();
  const Result<Term> term = etf::decode(data, arena);
  const Result<Term> same = etf::decode(older, arena);
  EXPECT_TRUE(term.ok() && same.ok()) << as_written;
  if (!term || !same) return {};
  EXPECT_EQ(written(*term), as_written);
  EXPECT_EQ(printed(*term, range), as_printed);
  EXPECT_EQ(encoded(*term), data) << as_written;
  // The textual floats of minor version 0 have 21 digits, enough to be exact.
  EXPECT_TRUE(equal(*term, *same)) << as_written;
  return *term;
}

void agree(const std::string& environment, PrintableRange range, const std::string& arguments) {
  if (!Oracle::available()) GTEST_SKIP() << "no escript on the PATH";
  Oracle oracle;
  ASSERT_TRUE(oracle.run("terms", arguments, environment));
  size_t pairs = 0;
  for (; !oracle.at_end(); ++pairs) {
    TermArena arena;
    const Term a = check_term(oracle, range, arena);
    const Term b = check_term(oracle, range, arena);
    const std::string_view verdict = oracle.next();
    const std::weak_ordering order = compare(a, b);
    const char sign = order < 0 ? '<' : order > 0 ? '>' : '=';
    EXPECT_EQ(sign, verdict[0]) << written(a) << "\n" << written(b);
    EXPECT_EQ(equal(a, b), verdict[1] == '=') << written(a) << "\n" << written(b);
    if (::testing::Test::HasFailure()) return;  // one is enough to read
  }
  EXPECT_GT(pairs, 0u);
}

TEST(EtfTest, AgreesWithOtp) { agree("", PrintableRange::Latin1, "1 2000"); }

TEST(EtfTest, AgreesWithOtpInUnicode) {
  agree("ERL_FLAGS='+pc unicode'", PrintableRange::Unicode, "2 2000");
}

}  // namespace
}  // namespace fathom::etf_test
