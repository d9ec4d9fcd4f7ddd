// Tokens, one table for each family. A row is a text and its tokens, written as
// token_text() writes them, with their values: `atom(a)`, `int(1)`, `dot`. Behind the
// tokens of a text that cannot be read stands `! line:column message`.
#include "syntax/lexer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/term_print.h"

namespace fathom::lexer_test {
namespace {

struct Lexed {
  explicit Lexed(std::string text) {
    auto decoded = decode_source(std::move(text));
    EXPECT_TRUE(decoded);
    const auto file = sources.add("test.erl", decoded->text, decoded->encoding);
    buffer = lex(sources, *file, literals);
  }

  SourceMap sources;
  Literals literals;
  TokenBuffer buffer;
};

std::string shown(const Lexed& lexed, const Token& t) {
  std::string text;
  switch (t.kind) {
    case TokenKind::Atom:
      append_atom(text, t.atom());
      return fmt::format("atom({})", text);
    case TokenKind::Var:
      return fmt::format("var({})", t.atom().text());
    case TokenKind::Integer:
      return fmt::format("int({})", t.flags & Token::kPooled ? lexed.literals.integers[t.value]
                                                             : std::to_string(t.value));
    case TokenKind::Float:
      append_float(text, lexed.literals.floats[t.value]);
      return fmt::format("float({})", text);
    case TokenKind::Char:
      return fmt::format("char({})", t.value);
    case TokenKind::String:
      append_quoted_string(text, lexed.literals.strings[t.value]);
      return text;
    case TokenKind::SigilPrefix:
      return fmt::format("~{}", t.atom().text());
    case TokenKind::SigilSuffix:
      return "~end";
    case TokenKind::Dot:
      return "dot";
    case TokenKind::OtherPunctuation:
      return fmt::format("other({})", lexed.sources.slice({t.loc, t.loc.plus(t.length)}));
    default:
      return std::string(token_text(t.kind));
  }
}

std::string tokens_of(std::string text) {
  const Lexed lexed(std::move(text));
  std::string out;
  for (const Token& t : lexed.buffer.tokens) {
    if (t.kind == TokenKind::End || t.kind == TokenKind::Invalid) continue;
    if (!out.empty()) out += ' ';
    out += shown(lexed, t);
  }
  for (const TokenError& e : lexed.buffer.errors) {
    const LineColumn at = lexed.sources.line_column(e.span.begin);
    if (!out.empty()) out += ' ';
    out += fmt::format("! {}:{} {}", at.line, at.column, e.message);
  }
  return out;
}

struct Row {
  std::string_view text;
  std::string_view tokens;
};

void check(std::span<const Row> rows) {
  for (const Row& row : rows) EXPECT_EQ(tokens_of(std::string(row.text)), row.tokens) << row.text;
}

TEST(Lexer, Words) {
  const Row rows[] = {
      {"", ""},
      {"a", "atom(a)"},
      {"aB_c@1", "atom(aB_c@1)"},
      {"X _ _x X@1 Ab", "var(X) var(_) var(_x) var(X@1) var(Ab)"},
      {"été Été", "atom(été) var(Été)"},
      {"ß ÿ À Þ", "atom(ß) atom(ÿ) var(À) var(Þ)"},
      {"after begin case try cond catch", "after begin case try cond catch"},
      {"andalso orelse end fun if let of receive when",
       "andalso orelse end fun if let of receive when"},
      {"bnot not div rem band and bor bxor bsl bsr or xor",
       "bnot not div rem band and bor bxor bsl bsr or xor"},
      // Reserved by a feature only: words to the lexer.
      {"maybe else", "atom(maybe) atom(else)"},
      {"ifx case1 Case", "atom(ifx) atom(case1) var(Case)"},
  };
  check(rows);
}

TEST(Lexer, QuotedAtoms) {
  const Row rows[] = {
      {"'a'", "atom(a)"},          {"'A b'", "atom('A b')"},      {"''", "atom('')"},
      {"'if'", "atom('if')"},      {"'a\\nb'", "atom('a\\nb')"},  {"'\\''", "atom('\\'')"},
      {"'\\\\'", "atom('\\\\')"},  {"'a\nb'", "atom('a\\nb')"},   {"'δ'", "atom('δ')"},
      {"'\\x{3b4}'", "atom('δ')"}, {"'a''b'", "atom(a) atom(b)"},
  };
  check(rows);
}

TEST(Lexer, AtomsHaveAtMost255Characters) {
  const std::string longest(255, 'a');
  EXPECT_EQ(tokens_of(longest), "atom(" + longest + ")");
  EXPECT_EQ(tokens_of(longest + "a"), "! 1:1 an atom has at most 255 characters");
  EXPECT_EQ(tokens_of("'" + longest + " '"), "! 1:1 an atom has at most 255 characters");
  EXPECT_EQ(tokens_of("A" + longest), "! 1:1 a variable has at most 255 characters");
  std::string greek;
  for (int i = 0; i < 255; ++i) greek += "δ";
  EXPECT_EQ(tokens_of("'" + greek + "'"), "atom('" + greek + "')");
  EXPECT_EQ(tokens_of("'δ" + greek + "'"), "! 1:1 an atom has at most 255 characters");
}

TEST(Lexer, Punctuation) {
  const Row rows[] = {
      {"( ) { } [ ] << >> , ;", "( ) { } [ ] << >> , ;"},
      {": :: := -> <- <= => | || # ? ?= =", ": :: := -> <- <= => | || # ? ?= ="},
      {"! + - ++ -- * /", "! + - ++ -- * /"},
      {"== /= =< < >= > =:= =/=", "== /= =< < >= > =:= =/="},
      {".. ...", ".. ..."},
      {"a.b", "atom(a) . atom(b)"},
      // OTP 28
      {"<:- <:= &&", "<:- <:= &&"},
      // The longest one wins.
      {"=:=:=", "=:= :="},
      {"<<<", "<< <"},
      {"---", "-- -"},
      {"->>", "-> >"},
      {"<-->", "<- ->"},
      {"=<=", "=< ="},
      {"=/", "= /"},
      {"<:", "< :"},
      {"....", "... dot"},
      {"|||", "|| |"},
      {"??X", "? ? var(X)"},
      {"@ ^ ` \\ &", "other(@) other(^) other(`) other(\\) other(&)"},
      {"~ ~1", "other(~) other(~) int(1)"},
      {"a§b", "atom(a) other(§) atom(b)"},
      {"× ÷", "other(×) other(÷)"},
      {"a→b", "atom(a) atom(b) ! 1:2 the character U+2192 is not allowed here"},
  };
  check(rows);
}

TEST(Lexer, Integers) {
  const Row rows[] = {
      {"0 1 007 12", "int(0) int(1) int(7) int(12)"},
      {"1_000_000", "int(1000000)"},
      {"1__0", "int(1) var(__0)"},
      {"1_", "int(1) var(_)"},
      {"2147483647 2147483648", "int(2147483647) int(2147483648)"},
      {"123456789012345678901234567890", "int(123456789012345678901234567890)"},
      {"16#ff 16#FF 2#101 36#zZ 8#17", "int(255) int(255) int(5) int(1295) int(15)"},
      {"16#f_f 1_6#ff", "int(255) int(255)"},
      {"16#ffffffffffffffffffff", "int(1208925819614629174706175)"},
      {"2#12", "int(1) int(2)"},
      {"2#", "! 1:1 no digit of base 2 follows here"},
      {"2#2", "int(2) ! 1:1 no digit of base 2 follows here"},
      {"1#0", "int(0) ! 1:1 the base of an integer is from 2 to 36"},
      {"37#0", "int(0) ! 1:1 the base of an integer is from 2 to 36"},
      {"99999999999999999999#0", "int(0) ! 1:1 the base of an integer is from 2 to 36"},
      {"1.", "int(1) dot"},
      {"1..2", "int(1) .. int(2)"},
      {"1.a", "int(1) . atom(a)"},
  };
  check(rows);
}

TEST(Lexer, Floats) {
  const Row rows[] = {
      {"1.5 0.0 007.5", "float(1.5) float(0.0) float(7.5)"},
      {"1.5e3 1.5E3 1.5e+3 1.5e-3", "float(1.5e3) float(1.5e3) float(1.5e3) float(0.0015)"},
      {"1_0.5_5e1_0", "float(1.055e11)"},
      {"1.7976931348623157e308", "float(1.7976931348623157e308)"},
      {"1.8e308", "! 1:1 this float is too large for 64 bits"},
      {"5.0e-324 1.0e-400", "float(5.0e-324) float(0.0)"},
      {"2.2250738585072014e-308", "float(2.2250738585072014e-308)"},
      {"9007199254740993.0", "float(9.007199254740992e15)"},
      {"1.5e", "! 1:1 this float has no digits in its exponent"},
      {"1.5e+", "! 1:1 this float has no digits in its exponent"},
      {"1.e3", "int(1) . atom(e3)"},
      {"1e3", "int(1) atom(e3)"},
      {"1.5.5", "float(1.5) . int(5)"},
  };
  check(rows);
}

// EEP 75, since OTP 28: the exponent is decimal, and is one of the base.
TEST(Lexer, BasedFloats) {
  const Row rows[] = {
      {"16#F.8 2#1.01 10#1.5", "float(15.5) float(1.25) float(1.5)"},
      {"16#1.8#e2 16#1.8#E-1 2#1.1#e+3", "float(384.0) float(0.09375) float(12.0)"},
      {"10#1.5#e-3 1_0#1_0.5#e1_0", "float(0.0015) float(1.05e11)"},
      {"16#ff.ff 3#0.2", "float(255.99609375) float(0.6666666666666666)"},
      {"16#ff.", "int(255) dot"},
      {"2#1.2", "int(1) . int(2)"},
      {"16#1.8#r{}", "float(1.5) # atom(r) { }"},
      {"16#1.8#e", "! 1:1 this float has no digits in its exponent"},
      {"16#1.0#e1000", "! 1:1 this float is too large for 64 bits"},
      {"16#1.0#e-1000", "float(0.0)"},
  };
  check(rows);
}

TEST(Lexer, Characters) {
  const Row rows[] = {
      {"$a $A $0 $$ $\" $' $%", "char(97) char(65) char(48) char(36) char(34) char(39) char(37)"},
      {"$é $δ $😀", "char(233) char(948) char(128512)"},
      {"$ ", "char(32)"},
      {"$\n", "char(10)"},
      {"$\\n$\\r$\\t$\\v$\\b$\\f$\\e$\\s$\\d",
       "char(10) char(13) char(9) char(11) char(8) char(12) "
       "char(27) char(32) char(127)"},
      {"$\\\\ $\\' $\\\" $\\q", "char(92) char(39) char(34) char(113)"},
      {"$\\0 $\\7 $\\77 $\\377 $\\8", "char(0) char(7) char(63) char(255) char(56)"},
      {"$\\1234", "char(83) int(4)"},
      {"$\\xff $\\xFF $\\x{3b4} $\\x{10FFFF}", "char(255) char(255) char(948) char(1114111)"},
      {"$\\^a $\\^A $\\^@ $\\^[", "char(1) char(1) char(0) char(27)"},
      {"$\\é", "char(233)"},
      {"$ab", "char(97) atom(b)"},
      {"$", "! 1:1 a character must follow the $"},
      {"$\\", "! 1:1 a character must follow the backslash"},
      {"$\\x{110000}", "! 1:1 this escape stands for no character"},
      {"$\\x{d800}", "! 1:1 this escape stands for no character"},
      {"$\\x{}", "! 1:1 this escape stands for no character"},
      {"$\\xg", "atom(g) ! 1:1 \\x is followed by two hexadecimal digits, or by some in braces"},
      {"$\\x{4g}", "atom(g) } ! 1:1 \\x{ is closed by } behind hexadecimal digits"},
  };
  check(rows);
}

TEST(Lexer, Strings) {
  const Row rows[] = {
      {"\"\"", "\"\""},
      {"\"abc\"", "\"abc\""},
      {"\"a\nb\"", "\"a\\nb\""},
      {"\"a\\\nb\"", "\"a\\nb\""},
      {"\"\\n\\r\\t\\v\\b\\f\\e\\s\\d\"", "\"\\n\\r\\t\\v\\b\\f\\e \\d\""},
      {"\"\\\"\\\\\\'\\z\"", "\"\\\"\\\\'z\""},
      {"\"\\1\\12\\123\\x41\\x{1F600}\\^A\"", "\"\\001\\nSA😀\\001\""},
      {"\"δ😀\"", "\"δ😀\""},
      {"\"a\" \"b\"", "\"a\" \"b\""},
      {"\"a\"\"b\"", "\"a\" \"b\""},
      {"\"a%b\" % c\"", "\"a%b\""},
      {"\"a\\xzz\" b",
       "atom(b) ! 1:3 \\x is followed by two hexadecimal digits, or by some in braces"},
      {"\"\\x{FFFE}\"", "! 1:2 this escape stands for no character"},
      {"\"a\xEF\xBF\xBEz\"", "! 1:3 illegal character"},
      {"\"abc", "! 1:1 this string is never closed"},
      {"\"abc\\\"", "! 1:1 this string is never closed"},
      {"'abc", "! 1:1 this quoted atom is never closed"},
  };
  check(rows);
}

// EEP 64, since OTP 27.
TEST(Lexer, TripleQuotedStrings) {
  const Row rows[] = {
      {"\"\"\"\nabc\n\"\"\"", "\"abc\""},
      {"\"\"\"\n\"\"\"", "\"\""},
      {"\"\"\"\n\n\"\"\"", "\"\""},
      {"\"\"\"\na\n\n\"\"\"", "\"a\\n\""},
      {"\"\"\"  \na\n\"\"\"", "\"a\""},
      // The indentation of the closing quotes is taken away.
      {"\"\"\"\n  a\n    b\n  \"\"\"", "\"a\\n  b\""},
      {"\"\"\"\n\ta\n\t\"\"\"", "\"a\""},
      {"\"\"\"\n  a\n\n  b\n  \"\"\"", "\"a\\n\\nb\""},
      {"\"\"\"\n  a\n b\n  \"\"\"",
       "! 3:2 this line is indented less than the line with the closing quotes"},
      {"\"\"\"\n  a\n\t b\n  \"\"\"",
       "! 3:1 this line is indented less than the line with the closing quotes"},
      // No escapes; quotes inside.
      {"\"\"\"\na\\nb\\\n\"\"\"", "\"a\\\\nb\\\\\""},
      {"\"\"\"\nsay \"\"\" or \"\n\"\"\"", "\"say \\\"\\\"\\\" or \\\"\""},
      {"\"\"\"\n\"\" \n\"\"\"", "\"\\\"\\\" \""},
      {"\"\"\"\"\n\"\"\"\n\"\"\"\"", "\"\\\"\\\"\\\"\""},
      {"\"\"\"\r\na\r\nb\r\n\"\"\"", "\"a\\r\\nb\""},
      {"\"\"\"\na\n\"\"\".", "\"a\" dot"},
      // Three quotes that do not end their line are what they were before.
      {"\"\"\"a\"\"\"", "\"\" \"a\" \"\""},
      {"\"\"\"\nabc", "atom(abc) ! 1:1 this string is never closed"},
  };
  check(rows);
}

// EEP 66, since OTP 27.
TEST(Lexer, Sigils) {
  const Row rows[] = {
      {"~\"a\"", "~ \"a\" ~end"},
      {"~b\"a\" ~B\"a\" ~s\"a\" ~S\"a\"",
       "~b \"a\" ~end ~B \"a\" ~end ~s \"a\" ~end ~S \"a\" ~end"},
      {"~(a) ~[a] ~{a} ~<a>", "~ \"a\" ~end ~ \"a\" ~end ~ \"a\" ~end ~ \"a\" ~end"},
      {"~/a/ ~|a| ~'a' ~`a` ~#a#",
       "~ \"a\" ~end ~ \"a\" ~end ~ \"a\" ~end ~ \"a\" ~end ~ \"a\" ~end"},
      {"~b(a\\nb) ~B(a\\nb)", "~b \"a\\nb\" ~end ~B \"a\\\\nb\" ~end"},
      {"~s(a\\)b) ~S(a\\)", "~s \"a)b\" ~end ~S \"a\\\\\" ~end"},
      {"~\"a\nb\"", "~ \"a\\nb\" ~end"},
      // Of the triple-quoted ones only ~b and ~s have escapes.
      {"~\"\"\"\n  a\\n\n  \"\"\"", "~ \"a\\\\n\" ~end"},
      {"~b\"\"\"\n  a\\tb\n  \"\"\"", "~b \"a\\tb\" ~end"},
      {"~s\"\"\"\n  a\\\n  \"\"\"", "~s \"a\" ~end"},
      {"~s\"\"\"\n\\s a\n  \"\"\"", "~s \"a\" ~end"},
      {"~S\"\"\"\n  a\\\n  \"\"\"", "~S \"a\\\\\" ~end"},
      {"~B\"\"\"\n  a\\x\n  \"\"\"", "~B \"a\\\\x\" ~end"},
      {"~s\"\"\"\n  a\\xz\n  \"\"\"",
       "~s ! 2:4 \\x is followed by two hexadecimal digits, or by some in braces"},
      {"~x\"a\"", "\"a\" ! 1:1 unknown sigil ~x: there are ~, ~b, ~B, ~s and ~S"},
      {"~b\"a\"x", "~b \"a\" ~end ! 1:6 no sigil has a suffix"},
      {"~b\"a", "~b ! 1:3 this string is never closed"},
      {"~a", "other(~) atom(a)"},
  };
  check(rows);
}

TEST(Lexer, FullStops) {
  const Row rows[] = {
      {"a.", "atom(a) dot"},
      {"a.\n", "atom(a) dot"},
      {"a. b", "atom(a) dot atom(b)"},
      {"a.\tb", "atom(a) dot atom(b)"},
      {"a.%c", "atom(a) dot"},
      {"a.%c\nb.", "atom(a) dot atom(b) dot"},
      {"a.\xC2\xA0"
       "b",
       "atom(a) dot atom(b)"},
      {"a.b.c", "atom(a) . atom(b) . atom(c)"},
      {"a..", "atom(a) .."},
      {"a...", "atom(a) ..."},
      {".", "dot"},
      {"#r.f.", "# atom(r) . atom(f) dot"},
  };
  check(rows);
}

TEST(Lexer, WhiteSpaceAndComments) {
  const Row rows[] = {
      {" a\t\r\n\f\v b", "atom(a) atom(b)"},
      {"a\xC2\x85\xC2\xA0"
       "b",
       "atom(a) atom(b)"},
      {std::string_view("a\0b", 3), "atom(a) atom(b)"},
      {"% c\na % d\n% e", "atom(a)"},
      {"%%% -*- x -*-", ""},
      {"$% % c", "char(37)"},
      {"% \xEF\xBF\xBF\na", "atom(a) ! 1:3 illegal character in a comment"},
  };
  check(rows);
  const Lexed lexed("% one\na. %two\n%\xC3\xA9");
  std::string comments;
  for (const Span span : lexed.buffer.comments)
    comments += fmt::format("<{}>", lexed.sources.slice(span));
  EXPECT_EQ(comments, "<% one><%two><%é>");
}

struct PlaceRow {
  std::string_view text;
  std::string_view places;  // line:column+bytes of each token
};

TEST(Lexer, Places) {
  const PlaceRow rows[] = {
      {"a bb\n  c.", "1:1+1 1:3+2 2:3+1 2:4+1"},
      {"\"é\" a", "1:1+4 1:5+1"},
      {"'δδ' + X", "1:1+6 1:6+1 1:8+1"},
      {"😀 a", "1:1+4 1:3+1"},
      {"\"a\nb\" c", "1:1+5 2:4+1"},
      {"\ta", "1:2+1"},
      {"a\r\nb", "1:1+1 2:1+1"},
      {"~b\"x\"", "1:1+2 1:3+3 1:6+0"},
      {"16#ff $\\x{41}", "1:1+5 1:7+7"},
      // Latin-1 is turned into UTF-8 first.
      {"% coding: latin-1\n\"\xE9\" a", "2:1+4 2:5+1"},
  };
  for (const PlaceRow& row : rows) {
    const Lexed lexed(std::string(row.text));
    std::string places;
    for (const Token& t : lexed.buffer.tokens) {
      if (t.kind == TokenKind::End) continue;
      const LineColumn at = lexed.sources.line_column(t.loc);
      places += fmt::format("{}{}:{}+{}", places.empty() ? "" : " ", at.line, at.column, t.length);
    }
    EXPECT_EQ(places, row.places) << row.text;
  }
}

// Forms, and what is known of each.
TEST(Lexer, Forms) {
  const Lexed lexed("a(). ?b. 1 maybe. 2#9. 'x'. c");
  std::string forms;
  for (const TokenForm& form : lexed.buffer.forms) {
    forms += fmt::format("[{}", form.count);
    if (form.flags & TokenForm::kHasMacro) forms += " macro";
    if (form.flags & TokenForm::kHasFeatureWord) forms += " word";
    if (form.flags & TokenForm::kHasError) forms += " error";
    if (form.flags & TokenForm::kNoDot) forms += " no dot";
    forms += "]";
  }
  EXPECT_EQ(forms, "[4][3 macro][3 word][3 error][2][1 no dot]");
}

// One error for each form; the next form is read.
TEST(Lexer, ErrorsOfSeveralForms) {
  EXPECT_EQ(
      tokens_of("1#1 1#2. a. 'b"),
      "int(1) int(2) dot atom(a) dot ! 1:1 the base of an integer is from 2 to 36 ! 1:13 this "
      "quoted atom is never closed");
  // A quote that is never closed does not hide the lines after it.
  EXPECT_EQ(
      tokens_of("a() -> \"x.\nb() -> 'y.\nc() -> 1.\n"),
      "atom(a) ( ) -> atom(b) ( ) -> atom(c) ( ) -> int(1) dot ! 1:8 this string is never closed "
      "! 2:8 this quoted atom is never closed");
}

}  // namespace
}  // namespace fathom::lexer_test
