// Files of terms, as tables of text and the terms or the error. Whether OTP reads the
// same terms is what the tables of term_test.cc and tests/fuzz/consult_fuzz.cc add to.
#include "syntax/consult.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/term_print.h"

namespace fathom::consult_test {
namespace {

struct Row {
  std::string_view text;
  std::string_view terms;  // each written, with a space between two; or the error
};

std::string consulted(std::string_view text) {
  TermArena arena;
  const auto terms = consult("x.config", std::string(text), arena);
  if (!terms) return terms.error().message;
  std::string out;
  for (const Term term : *terms) {
    if (!out.empty()) out += ' ';
    print_term(out, term);
  }
  return out;
}

TEST(Consult, Terms) {
  const Row rows[] = {
      {"", ""},
      {"%% nothing\n", ""},
      {"a.", "a"},
      {"a. b.\n{c, 1}.\n", "a b {c,1}"},
      {"{a,\n  % comment\n  b}.", "{a,b}"},
      {"'a b'. 'it\\'s'. ''.", "'a b' 'it\\'s' ''"},
      {"1. -1. +1. 16#ff. $a. 123456789012345678901234567890.",
       "1 -1 1 255 97 123456789012345678901234567890"},
      {"1.5. -1.0e10. 0.0. -0.0.", "1.5 -1.0e10 0.0 -0.0"},
      {"\"a\" \"b\". \"\\x{3b1}\". \"\".", "\"ab\" \"α\" []"},
      {"[]. [a]. [a | b]. [a | [b]]. [1, 2 | T].", "x.config:1:30: this is not a constant"},
      {"[]. [a]. [a | b]. [a | [b]].", "[] [a] [a|b] [a,b]"},
      {"{}. {{{}}}.", "{} {{{}}}"},
      {"#{}. #{b => 1, a => #{}}.", "#{} #{a => #{},b => 1}"},
      {"#{a => 1, a => 2}.", "#{a => 2}"},
      {"<<>>. <<1, 2:4>>. <<\"ab\">>. <<\"\\x{3b1}\"/utf8>>.",
       "<<>> <<1,2:4>> <<\"ab\">> <<\"α\"/utf8>>"},
      {"<<1:16/little, 1.5:32/float>>.", "<<1,0,63,192,0,0>>"},
      {"fun lists:map/2.", "fun lists:map/2"},
      {"maybe. else. {maybe, else}.", "maybe else {maybe,else}"},
      {"~\"a\". ~s\"b\".", "<<\"a\">> \"b\""},
      {"%% coding: latin-1\n\"\xe9\".", "\"é\""},
  };
  for (const Row& row : rows) EXPECT_EQ(consulted(row.text), row.terms) << row.text;
}

TEST(Consult, Errors) {
  const Row rows[] = {
      {"a", "x.config:1:2: the file ends inside a form: expected a full stop"},
      {"a. b", "x.config:1:5: the file ends inside a form: expected a full stop"},
      {"a b.", "x.config:1:3: syntax error before `b`: expected a full stop"},
      {"{a, b.", "x.config:1:6: unexpected end of form: expected `,` or `}`"},
      {"{a,\n }.", "x.config:2:2: syntax error before `}`: expected an expression"},
      {".", "x.config:1:1: unexpected end of form: expected an expression"},
      {"a, b.", "x.config:1:1: expected one term before the full stop"},
      {"a.\n[X].", "x.config:2:1: this is not a constant"},
      {"f().", "x.config:1:1: this is not a constant"},
      {"1 + 2.", "x.config:1:1: this is not a constant"},
      {"a/1.", "x.config:1:1: this is not a constant"},
      {"?M.", "x.config:1:1: syntax error before `?`: expected an expression"},
      {"-define(A, 1).", "x.config:1:1: this is not a constant"},
      {"\"a.", "x.config:1:1: this string is never closed"},
      {"2#3.", "x.config:1:1: no digit of base 2 follows here"},
      {"\xff.",
       "x.config: line 1: byte 1 (0xFF) is not valid UTF-8; if the file is latin-1, say so "
       "in its first line: %% coding: latin-1"},
  };
  for (const Row& row : rows) EXPECT_EQ(consulted(row.text), row.terms) << row.text;
}

TEST(Consult, AFileThatIsNotThere) {
  TermArena arena;
  const auto terms = consult_file("no/such/file.config", arena);
  ASSERT_FALSE(terms);
  EXPECT_EQ(terms.error().message, "no/such/file.config: No such file or directory");
}

}  // namespace
}  // namespace fathom::consult_test
