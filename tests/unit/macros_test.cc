// Macros: what a use expands to, what a wrong one is told, and where the tokens that
// come out stand. That epp does the same with thousands of other uses, places
// included, is what tests/differential/preprocessor_test.escript compares.
#include "syntax/macros.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>

#include "read_text.h"
#include "terse.h"

namespace fathom::macros_test {
namespace {

// The body of the last function, or the errors.
std::string last_body(std::string text) {
  const ReadText read = read_text(std::move(text));
  if (!read.errors.empty()) return read.errors;
  const Ast& ast = read.unit.ast;
  const auto forms = ast.forms();
  if (forms.size() < 2 || !ast.is(forms[forms.size() - 2], NodeKind::Function))
    return "no function";
  const auto function = ast.get<node::Function>(forms[forms.size() - 2]);
  const auto clauses = ast.list(function.clauses);
  const std::string body = terse_list(read.unit, ast.get<node::Clause>(clauses.back()).body);
  return body.substr(1, body.size() - 2);
}

struct Row {
  std::string_view source;
  std::string_view body;
};

// Each row's source is what stands in a function after the definitions.
void check_uses(std::string_view definitions, std::span<const Row> rows) {
  for (const Row& row : rows) {
    EXPECT_EQ(last_body(fmt::format("{}\nf(A, B) -> {}.\n", definitions, row.source)), row.body)
        << row.source;
  }
}

TEST(Macros, TheNumberOfArgumentsChooses) {
  const Row rows[] = {
      {"?O", "o"},
      {"?O()", "zero"},
      {"?O(1)", "tuple{[1]}"},
      {"?O(1, 2)", "list{[1 2] -}"},
      {"?O(1, 2, 3)", "2:13 ?O is not defined with 3 arguments"},
      {"? O\n(1)", "tuple{[1]}"},
      // Only defined without arguments: what follows is left alone.
      {"?N", "n"},
      {"?N()", "call{n []}"},
      {"?N(1, 2)", "call{n [1 2]}"},
      {"?N:g()", "call{remote{n g} []}"},
      // Only defined with some.
      {"?Z()", "z"},
      {"?Z", "2:13 ?Z is not defined with 0 arguments"},
      {"?Z(1)", "2:13 ?Z is not defined with 1 arguments"},
      // A name may be an atom, quoted or not; a variable and an atom can be one name.
      {"?lower", "1"},
      {"?'lower'", "1"},
      {"?'two words'", "2"},
      {"?'O'", "o"},
      {"?NO", "2:13 undefined macro ?NO"},
      {"?NO(1, 2)", "2:13 undefined macro ?NO/2"},
  };
  check_uses(
      "-define(O, o). -define(O(), zero). -define(O(X), {X}). -define(O(X, Y), [X, Y]). "
      "-define(N, n). -define(Z(), z). -define(lower, 1). -define('two words', 2).",
      rows);
}

TEST(Macros, Arguments) {
  const Row rows[] = {
      // A comma inside of brackets or a block separates nothing.
      {"?O([1, 2])", "tuple{[list{[1 2] -}]}"},
      {"?O({1, 2})", "tuple{[tuple{[1 2]}]}"},
      {"?O(<<1, 2>>)", "tuple{[bin{[bin_element{1 - []} bin_element{2 - []}]}]}"},
      {"?O(g(1, 2))", "tuple{[call{g [1 2]}]}"},
      {"?O(begin 1, 2 end)", "tuple{[block{[1 2]}]}"},
      {"?O(if A -> 1, 2 end)", "tuple{[if{[clause{[] [[A]] [1 2]}]}]}"},
      {"?O(case A of 1 -> 1, 2 end)", "tuple{[case{A [clause{[1] [] [1 2]}]}]}"},
      {"?O(receive 1 -> 1, 2 end)", "tuple{[receive{[clause{[1] [] [1 2]}] - []}]}"},
      {"?O(try 1, 2 after 3, 4 end)", "tuple{[try{[1 2] [] [] [3 4]}]}"},
      {"?O(maybe 1, 2 end)", "tuple{[maybe{[1 2] -}]}"},
      {"?O(fun(X) -> 1, X end)", "tuple{[fun{[clause{[X] [] [1 X]}]}]}"},
      {"?O(fun F(X) -> 1, F end)", "tuple{[named_fun{F [clause{[X] [] [1 F]}]}]}"},
      {"?O('maybe', 1)", "2:13 ?O is not defined with 2 arguments"},
      // A fun that is only named has no `end`.
      {"?TWO(fun g/1, 2)", "tuple{[fun_name{g 1} 2]}"},
      {"?TWO(fun m:g/1, 2)", "tuple{[fun_remote{m g 1} 2]}"},
      // Uses in arguments; the comma that one brings along separates, but no arguments
      // of the outer use.
      {"?O(?O(?N))", "tuple{[tuple{[n]}]}"},
      {"?O(?PAIR(1, 2))", "tuple{[1 2]}"},
      {"?TWO(?PAIR(1, 2), 3)", "tuple{[1 2 3]}"},
      {"?TWO(1, ?TWO(2, 3))", "tuple{[1 tuple{[2 3]}]}"},
      // A macro without arguments does not take those after it, one with arguments
      // does.
      {"?NAME(1)", "call{g [1]}"},
      {"?O(?EMPTY)", "tuple{[]}"},
      // A parameter is not replaced again in an argument.
      {"?TWO(Y, X)", "tuple{[Y X]}"},
      {"?DROP(1)", "dropped"},
      {"?MANY(1, 2, 3, 4, 5, 6, 7, 8, 9)", "list{[9 8 7 6 5 4 3 2 1] -}"},
  };
  check_uses(
      "-define(O(X), {X}). -define(TWO(X, Y), {X, Y}). -define(PAIR(X, Y), X, Y). -define(N, n). "
      "-define(NAME, g). -define(EMPTY, ). -define(DROP(_), dropped). "
      "-define(MANY(A, B, C, D, E, F, G, H, I), [I, H, G, F, E, D, C, B, A]).",
      rows);
}

TEST(Macros, WrongArguments) {
  const Row rows[] = {
      {"?TWO(,)", "2:13 badly formed arguments of ?TWO"},
      {"?TWO(, 1)", "2:13 badly formed arguments of ?TWO"},
      {"?TWO(1, )", "2:13 badly formed arguments of ?TWO"},
      {"?TWO(1", "2:13 badly formed arguments of ?TWO"},
      {"?TWO((1, 2)", "2:13 badly formed arguments of ?TWO"},
      {"?TWO(begin 1, 2)", "2:13 badly formed arguments of ?TWO"},
      // An empty one between others is counted first, and then refused.
      {"?THREE(1, , 2)", "2:13 an argument of ?THREE is empty"},
      {"?TWO(1, , 2)", "2:13 ?TWO is not defined with 3 arguments"},
      {"?NO(1, , 2)", "2:13 undefined macro ?NO/3"},
      // To a macro that takes none, what follows must still look like arguments.
      {"?N(1, , 2)", "2:18 syntax error before `,`: expected an expression"},
      {"?N(1, )", "2:13 badly formed arguments of ?N"},
      {"?N(", "2:13 badly formed arguments of ?N"},
      // The first wrong use of a form is the one that is told.
      {"[?NO, ?TWO(1)]", "2:14 undefined macro ?NO"},
  };
  check_uses("-define(TWO(X, Y), {X, Y}). -define(THREE(X, Y, Z), {X, Y, Z}). -define(N, n).",
             rows);
}

TEST(Macros, QuestionMarks) {
  const Row rows[] = {
      {"?", "2:13 illegal macro call: `.` names no macro"},
      {"?1", "2:13 illegal macro call: `integer` names no macro"},
      {"?(", "2:13 illegal macro call: `(` names no macro"},
      {"?case", "2:13 illegal macro call: `case` names no macro"},
      {"??N", "2:13 `??` makes a string of a parameter, inside a macro's definition only"},
      {"???N", "2:13 `??` makes a string of a parameter, inside a macro's definition only"},
      // One that ends a body goes on with what stands after the use.
      {"?LAST N", "n"},
      {"?LAST", "2:17 illegal macro call: `.` names no macro"},
      {"?LASTOF(1)N", "match{1 n}"},
      // `??` before something else than a parameter.
      {"?NOPARAMETER(1)", "X"},
      {"?ATOM(1)", "2:12 `??` makes a string of a parameter, inside a macro's definition only"},
  };
  check_uses(
      "-define(N, n). -define(LAST, ?). -define(LASTOF(X), X = ?). -define(NOPARAMETER(Y), ??X). "
      "-define(ATOM(Y), ??y).",
      rows);
}

TEST(Macros, Strings) {
  const Row rows[] = {
      // Tokens with one space between them, however they were written.
      {"?S(a+b)", R"("a + b")"},
      {"?S(g( x,[1|T] ))", "\"g ( x , [ 1 | T ] )\""},
      {"?S(% comment\n  a\n  b)", R"("a b")"},
      {"?S(#r{a= <<1:8>>})", R"("# r { a = << 1 : 8 >> }")"},
      {"?S(case A of _ -> b end)", R"("case A of _ -> b end")"},
      // Literals by their values.
      {"?S(16#ff)", R"("255")"},
      {"?S(1_000)", R"("1000")"},
      {"?S(123456789012345678901234567890)", R"("123456789012345678901234567890")"},
      {"?S(1.50)", R"("1.5")"},
      {"?S(1.0e22)", R"("1.0e22")"},
      {"?S(\"a\\tb\")", R"("\"a\\tb\"")"},
      {"?S(\"\")", R"("\"\"")"},
      {"?S(\"a\" \"b\")", R"("\"a\" \"b\"")"},
      {"?S(\"\\x{3b1}é\")", R"("\"αé\"")"},
      {"?S($a)", R"("$a")"},
      {"?S($ )", R"("$\\s")"},
      {"?S($\\n)", R"("$\\n")"},
      {"?S($\\\")", R"("$\"")"},
      {"?S($\\\\)", R"("$\\\\")"},
      {"?S($\\x{3b1})", R"("$α")"},
      // Atoms as ~w prints them: beyond latin-1 escaped.
      {"?S('a b')", R"("'a b'")"},
      {"?S('abc')", R"("abc")"},
      {"?S('')", R"("''")"},
      {"?S('case')", R"("'case'")"},
      {"?S('it\\'s')", R"("'it\\'s'")"},
      {"?S('A')", R"("'A'")"},
      {"?S(été)", R"("été")"},
      {"?S('É')", R"("'É'")"},
      {"?S('\\x{3b1}\\x{1f600}')", R"("'\\x{3B1}\\x{1F600}'")"},
      // A use in the argument is not expanded first.
      {"?S(?N)", R"("? N")"},
      {"?S(?NO(1))", "\"? NO ( 1 )\""},
      {"?S(?LINE)", R"("? LINE")"},
      {"?BOTH(?N)", R"(tuple{["? N" n]})"},
      // Each parameter by itself, side by side strings are one.
      {"?S(a, b)", R"("ab")"},
      // Through another macro: what the outer one was given.
      {"?THROUGH(?N)", R"("? N")"},
  };
  check_uses(
      "-define(S(X), ??X). -define(S(X, Y), ??X ??Y). -define(BOTH(X), {??X, X}). -define(N, n). "
      "-define(THROUGH(X), ?S(X)).",
      rows);
}

TEST(Macros, InMacros) {
  const Row rows[] = {
      {"?TWICE(x)", "list{[x x] -}"},
      {"?TWICE(?N)", "list{[n n] -}"},
      // A macro in a body is looked up when it is used.
      {"?LATE", "n"},
      // The body of a macro without arguments ends where it ends.
      {"?PART", "o"},
      {"?PART(1)", "call{o [1]}"},
      // That of one with arguments goes on with what follows.
      {"?PARTOF(1)(2)", "tuple{[2]}"},
      {"?OPEN 1, 2)", "call{g [1 2]}"},
      {"?CALL(N)", "n"},
      {"?CALL('N')", "n"},
      {"?CALL(NO)", "2:18 undefined macro ?NO"},
      // Cycles.
      {"?ME", "2:13 ?ME expands to itself"},
      {"?PING", "2:13 ?PING expands to itself"},
      {"?DOWN(1)", "2:13 ?DOWN/1 expands to itself"},
      // No cycle: another arity, or in the argument.
      {"?OVER", "1"},
      {"?ID(?ID(?ID(1)))", "1"},
      // A wrong use in a body stands, for the author, where the outermost one does.
      {"{1, ?BROKEN}", "2:16 undefined macro ?NOWHERE"},
  };
  check_uses(
      "-define(LATE, ?N). -define(N, n). -define(O, o). -define(O(X), {X}). -define(O(X, Y), [X, "
      "Y]). -define(TWICE(X), ?O(X, X)). -define(PART, ?O). -define(PARTOF(X), ?O). -define(OPEN, "
      "g(). -define(CALL(X), ?X). -define(ME, ?ME). -define(PING, ?PONG). -define(PONG, {?PING}). "
      "-define(DOWN(X), ?DOWN). -define(DOWN, ?DOWN(1)). -define(OVER, ?OVER(1)). -define(OVER(X), "
      "X). -define(ID(X), X). -define(BROKEN, {?NOWHERE}).",
      rows);
}

TEST(Macros, Predefined) {
  const Row rows[] = {
      {"f() -> ?LINE.", "1"},
      {"f() ->\n\n  {?LINE,\n?LINE}.", "tuple{[3 4]}"},
      {"-define(L, {?LINE}).\n\nf() -> ?L.", "tuple{[3]}"},
      {"-define(L(X), {?LINE, X}).\nf() -> ?L(\n?LINE).", "tuple{[2 3]}"},
      {"-file(\"g.y\", 40).\nf() -> {?FILE, ?LINE}.", "tuple{[\"g.y\" 41]}"},
      {"f() -> ?FILE.", "\"test.erl\""},
      {"-module(m). f() -> {?MODULE, ?MODULE_STRING}.", "tuple{[m \"m\"]}"},
      {"-module('a b'). f() -> {?MODULE, ?MODULE_STRING}.", "tuple{['a b' \"a b\"]}"},
      {"f() -> ?MODULE.", "1:9 undefined macro ?MODULE"},
      {"f() -> {?MACHINE, ?BEAM, ?OTP_RELEASE}.", "tuple{['BEAM' true 28]}"},
      {"f() -> ?FUNCTION_NAME.", "f"},
      {"'F g'(A, B) -> {?FUNCTION_NAME, ?FUNCTION_ARITY}.", "tuple{['F g' 2]}"},
      {"f(A) -> 1; f({B, C}) -> ?FUNCTION_ARITY.", "1"},
      {"f(A, [B, C], {D, <<E, F>>}) -> ?FUNCTION_ARITY.", "3"},
      // As epp counts: a first argument that is empty does not count.
      {"f([]) -> ?FUNCTION_ARITY.", "0"},
      {"-define(N, g). ?N(A) -> {?FUNCTION_NAME, ?FUNCTION_ARITY}.", "tuple{[g 1]}"},
      {"-define(W, ?FUNCTION_NAME). f() -> ?W.", "f"},
      {"-define(DEF(F), F() -> ?FUNCTION_NAME). ?DEF(g).", "g"},
      {"-a(?FUNCTION_NAME).", "1:5 ?FUNCTION_NAME can only be used within a function"},
      {"?FUNCTION_NAME() -> 1.", "1:2 ?FUNCTION_NAME must not begin a form"},
      {"f() -> ?LINE(1).", "call{1 [1]}"},
      {"f() -> {?FEATURE_AVAILABLE(a), ?FEATURE_ENABLED(a)}.",
       "tuple{[op{== a maybe_expr} op{== a maybe_expr}]}"},
  };
  for (const Row& row : rows) EXPECT_EQ(last_body(std::string(row.source)), row.body) << row.source;
}

// The tokens that a use expands to, one in each line: the place where the author used
// a macro for it, the place where it was written, and the place that OTP gives it.
std::string token_places(std::string text) {
  const ReadText read = read_text(std::move(text));
  if (!read.errors.empty()) return read.errors;
  const SourceMap& sources = read.reader->sources();
  std::string out;
  for (const ExpandedToken& t : read.unit.expanded) {
    const Expansion& e = read.unit.expansions[t.expansion];
    const Position otp = read.unit.otp_position(t.anchor);
    out +=
        fmt::format("{}?{}{} used {} in {} written {} otp {}:{}", out.empty() ? "" : "\n",
                    e.macro.text(), e.parent ? " in another" : "", shown(sources, e.use),
                    shown(sources, e.outermost), shown(sources, t.written), otp.line, otp.column);
  }
  return out;
}

TEST(Macros, PlacesOfTokens) {
  const Row rows[] = {
      {"-define(M, a).\nf() -> ?M.", "?M used 2:8-2:10 in 2:8-2:10 written 1:12-1:13 otp 2:9"},
      // The use ends with its arguments, which keep their own places.
      {"-define(M(X), {X}).\nf() -> ?M(b).",
       "?M used 2:8-2:13 in 2:8-2:13 written 1:15-1:16 otp 2:9\n"
       "?M used 2:8-2:13 in 2:8-2:13 written 1:17-1:18 otp 2:11"},
      {"-define(M(X), ??X).\nf() -> ?M(b).",
       "?M used 2:8-2:13 in 2:8-2:13 written 1:17-1:18 otp 2:9"},
      {"-define(M, a).\nf() -> ?M().", "?M used 2:8-2:10 in 2:8-2:10 written 1:12-1:13 otp 2:9"},
      {"-define(M(), a).\nf() -> ?M().", "?M used 2:8-2:12 in 2:8-2:12 written 1:14-1:15 otp 2:9"},
      // A use in a body.
      {"-define(I, i).\n-define(O, ?I).\nf() -> ?O.",
       "?O used 3:8-3:10 in 3:8-3:10 written 2:12-2:13 otp 3:9\n"
       "?O used 3:8-3:10 in 3:8-3:10 written 2:13-2:14 otp 3:9\n"
       "?I in another used 2:12-2:14 in 3:8-3:10 written 1:12-1:13 otp 3:9"},
      // A use in an argument is the author's own.
      {"-define(I, i).\n-define(O(X), X).\nf() -> ?O(?I).",
       "?I used 3:11-3:13 in 3:11-3:13 written 1:12-1:13 otp 3:12"},
      {"f() -> ?LINE.", "?LINE used 1:8-1:13 in 1:8-1:13 written none otp 1:9"},
  };
  for (const Row& row : rows) EXPECT_EQ(token_places(std::string(row.source)), row.body);
}

TEST(MacroTable, ForgetsAndOverloads) {
  MacroTable table;
  const Atom name = Atom::intern("macros_test_name");
  const auto macro = [&](int arity) {
    Macro m;
    m.name = name;
    m.arity = arity;
    return m;
  };
  const Macro plain = macro(Macro::kNoArguments);
  const Macro unary = macro(1);
  const Macro binary = macro(2);
  EXPECT_EQ(table.find(name), -1);
  table.define(plain);
  EXPECT_GE(table.find(name, 3), 0);  // leaves the arguments alone
  table.define(unary);
  EXPECT_LT(table.find(name, 3), 0);
  ASSERT_GE(table.find(name, 1), 0);
  EXPECT_EQ(table[table.find(name, 1)].arity, 1);
  EXPECT_EQ(table[table.find(name, Macro::kNoArguments)].arity, Macro::kNoArguments);
  table.undefine(name);  // all of them
  EXPECT_EQ(table.find(name), -1);
  table.define(binary);
  EXPECT_LT(table.find(name, 1), 0);
  table.clear();
  EXPECT_EQ(table.find(name, 2), -1);
}

}  // namespace
}  // namespace fathom::macros_test
