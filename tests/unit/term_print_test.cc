// The expectations are OTP 25's: io_lib:format with ~tw and ~0tp. Random terms
// are compared with OTP itself in etf_test.cc.
#include "base/term_print.h"

#include <gtest/gtest.h>

#include <limits>

namespace fathom::term_print_test {
namespace {

class TermPrintTest : public ::testing::Test {
 protected:
  TermArena arena_;
};

TEST_F(TermPrintTest, Atoms) {
  const struct {
    const char* atom;
    const char* text;
  } rows[] = {
      {"", "''"},
      {"a", "a"},
      {"aB_1@x", "aB_1@x"},
      {"A", "'A'"},
      {"_a", "'_a'"},
      {"@a", "'@a'"},
      {"1", "'1'"},
      {"a b", "'a b'"},
      {"a.b", "'a.b'"},
      {"[]", "'[]'"},
      {"if", "'if'"},
      {"fun", "'fun'"},
      {"cond", "'cond'"},
      {"let", "'let'"},
      {"xor", "'xor'"},
      {"after", "'after'"},
      {"maybe", "maybe"},
      {"else", "else"},
      {"query", "query"},
      {"true", "true"},
      {"\u00DF", "\u00DF"},
      {"\u00E5\u00C5", "\u00E5\u00C5"},
      {"\u00C5", "'\u00C5'"},
      {"a\u00F7", "'a\u00F7'"},
      {"a\u00D7", "'a\u00D7'"},
      {"\u0430", "'\u0430'"},
      {"a\u4E2D", "'a\u4E2D'"},
      {"it's", "'it\\'s'"},
      {"a\\\"", "'a\\\\\"'"},
      {"\b\t\n\v\f\r\x1B\x7F", "'\\b\\t\\n\\v\\f\\r\\e\\d'"},
      {"\x01", "'\\001'"},
      {"\u0080\u009F\u00A0", "'\\200\\237\u00A0'"},
  };
  for (const auto& row : rows) {
    std::string text;
    append_atom(text, Atom::intern(row.atom));
    EXPECT_EQ(text, row.text);
  }
}

TEST_F(TermPrintTest, Floats) {
  const struct {
    double value;
    const char* text;
  } rows[] = {
      {0.0, "0.0"},
      {-0.0, "-0.0"},
      {1.0, "1.0"},
      {-1.5, "-1.5"},
      {0.1, "0.1"},
      {1.0 / 3, "0.3333333333333333"},
      {100.0, "100.0"},
      {1000.0, "1.0e3"},
      {1200.0, "1.2e3"},
      {1230.0, "1230.0"},
      {123456.0, "123456.0"},
      {0.01, "0.01"},
      {0.001, "0.001"},
      {0.0001, "0.0001"},
      {0.00001, "1.0e-5"},
      {0.00012, "1.2e-4"},
      {1.0e22, "1.0e22"},
      {9007199254740991.0, "9007199254740991.0"},
      {9007199254740992.0, "9.007199254740992e15"},
      {-123456789012345680.0, "-1.2345678901234568e17"},
      {5.0e-324, "5.0e-324"},
      {2.2250738585072014e-308, "2.2250738585072014e-308"},
      {std::numeric_limits<double>::max(), "1.7976931348623157e308"},
  };
  for (const auto& row : rows) EXPECT_EQ(written(arena_.real(row.value)), row.text);
}

TEST_F(TermPrintTest, Compound) {
  const Term a = Atom::intern("a");
  const Term b = Atom::intern("b");
  const struct {
    Term term;
    const char* write;
    const char* print;
  } rows[] = {
      {Term(), "[]", "[]"},
      {arena_.tuple({}), "{}", "{}"},
      {arena_.map({}), "#{}", "#{}"},
      {arena_.list({a, b}), "[a,b]", "[a,b]"},
      {arena_.list({a}, b), "[a|b]", "[a|b]"},
      {arena_.list({a}, arena_.tuple({a, b})), "[a|{a,b}]", "[a|{a,b}]"},
      {arena_.list({97}, 98), "[97|98]", "[97|98]"},
      {arena_.string("abc"), "[97,98,99]", "\"abc\""},
      {arena_.list({arena_.string("ab"), Term()}), "[[97,98],[]]", "[\"ab\",[]]"},
      {arena_.tuple({arena_.string("ab"), arena_.list({1})}), "{[97,98],[1]}", "{\"ab\",[1]}"},
      {arena_.map({b, arena_.string("x"), a, 1}), "#{a => 1,b => [120]}", "#{a => 1,b => \"x\"}"},
      {arena_.list({97, a}), "[97,a]", "[97,a]"},
      {arena_.list({97}, arena_.binary("x")), "[97|<<120>>]", "[97|<<\"x\">>]"},
      {arena_.external_fun(Atom::intern("lists"), Atom::intern("map"), 2), "fun lists:map/2",
       "fun lists:map/2"},
      {arena_.external_fun(Atom::intern("A b"), Atom::intern("a@b"), 0), "fun 'A b':'a@b'/0",
       "fun 'A b':'a@b'/0"},
      {arena_.external_fun(Atom::intern("if"), Atom::intern("\x1B\n'"), 0),
       "fun if:'\\033\\n\\''/0", "fun if:'\\033\\n\\''/0"},
      {arena_.opaque(OpaqueKind::Pid, "<0.84.0>", ""), "<0.84.0>", "<0.84.0>"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(written(row.term), row.write);
    EXPECT_EQ(printed(row.term), row.print);
  }
}

TEST_F(TermPrintTest, WhatLooksLikeText) {
  const struct {
    Term term;
    const char* latin1;
    const char* unicode;
  } rows[] = {
      {arena_.string("a\"b'\\\n"), R"("a\"b'\\\n")", R"("a\"b'\\\n")"},
      {arena_.list({27, 8, 11}), R"("\e\b\v")", R"("\e\b\v")"},
      {arena_.list({127}), "[127]", "[127]"},
      {arena_.list({0}), "[0]", "[0]"},
      {arena_.list({128}), "[128]", "[128]"},
      {arena_.list({160}), "\"\u00A0\"", "\"\u00A0\""},
      {arena_.list({-1}), "[-1]", "[-1]"},
      {arena_.string("\u00E5\u0400"), "[229,1024]", "\"\u00E5\u0400\""},
      {arena_.list({0xD800}), "[55296]", "[55296]"},
      {arena_.list({0xFFFE}), "[65534]", "[65534]"},
      {arena_.list({0xFFFD}), "[65533]", "\"\uFFFD\""},
      {arena_.list({0x10FFFF}), "[1114111]", "\"\U0010FFFF\""},
      {arena_.list({0x110000}), "[1114112]", "[1114112]"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(printed(row.term, PrintableRange::Latin1), row.latin1);
    EXPECT_EQ(printed(row.term, PrintableRange::Unicode), row.unicode);
  }
}

TEST_F(TermPrintTest, Bitstrings) {
  const struct {
    const char* bytes;
    uint64_t bits;
    const char* write;
    const char* latin1;
    const char* unicode;
  } rows[] = {
      {"", 0, "<<>>", "<<>>", "<<>>"},
      {"\x01\x02", 16, "<<1,2>>", "<<1,2>>", "<<1,2>>"},
      {"\xA0", 3, "<<5:3>>", "<<5:3>>", "<<5:3>>"},
      {"abc\xC0", 26, "<<97,98,99,3:2>>", "<<97,98,99,3:2>>", "<<97,98,99,3:2>>"},
      {"abc", 24, "<<97,98,99>>", "<<\"abc\">>", "<<\"abc\">>"},
      {"a\n\"", 24, "<<97,10,34>>", "<<\"a\\n\\\"\">>", "<<\"a\\n\\\"\">>"},
      {"\xE5", 8, "<<229>>", "<<\"\u00E5\">>", "<<\"\u00E5\">>"},
      {"\xC3\xA5", 16, "<<195,165>>", "<<\"\u00E5\"/utf8>>", "<<\"\u00E5\"/utf8>>"},
      {"\xD0\x80", 16, "<<208,128>>", "<<208,128>>", "<<\"\u0400\"/utf8>>"},
      // Its bytes would be printable as Latin-1, but it is UTF-8.
      {"\xD0\xA0", 16, "<<208,160>>", "<<208,160>>", "<<\"\u0420\"/utf8>>"},
      {"abc\x01", 32, "<<97,98,99,1>>", "<<97,98,99,1>>", "<<97,98,99,1>>"},
  };
  for (const auto& row : rows) {
    const Term term = arena_.bitstring(row.bytes, row.bits);
    EXPECT_EQ(written(term), row.write);
    EXPECT_EQ(printed(term, PrintableRange::Latin1), row.latin1);
    EXPECT_EQ(printed(term, PrintableRange::Unicode), row.unicode);
  }
}

TEST_F(TermPrintTest, QuotedStrings) {
  std::string out = "x = ";
  append_quoted_string(out, "it's \"\u00E5\u0400\"\n");
  EXPECT_EQ(out, "x = \"it's \\\"\u00E5\u0400\\\"\\n\"");
}

}  // namespace
}  // namespace fathom::term_print_test
