// What is said of wrong source, and where: line:column, and the message. The places
// of thousands of other errors are compared with OTP's in tests/differential.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>

#include "error_lines.h"
#include "syntax/reader.h"

namespace fathom::parser_errors_test {
namespace {

std::string errors_of(std::string_view source) {
  Reader reader;
  Unit unit = reader.make_unit();
  Diagnostics diagnostics;
  EXPECT_TRUE(reader.read_text("test.erl", std::string(source), {}, unit, diagnostics));
  return error_lines(diagnostics, reader.sources());
}

struct Row {
  std::string_view source;
  std::string_view errors;
};

void check(std::span<const Row> rows) {
  for (const Row& row : rows) EXPECT_EQ(errors_of(row.source), row.errors) << row.source;
}

TEST(ParserErrors, Expressions) {
  const Row rows[] = {
      {"f() -> .", "1:8 unexpected end of form: expected an expression"},
      {"f() -> a b.", "1:10 syntax error before `b`: expected `,`, `;` or the full stop"},
      {"f() -> X Y.", "1:10 syntax error before variable `Y`: expected `,`, `;` or the full stop"},
      {"f() -> a \"s\".", "1:10 syntax error before a string: expected `,`, `;` or the full stop"},
      {"f() -> 1 2.5.", "1:10 syntax error before `2.5`: expected `,`, `;` or the full stop"},
      {"f() -> a @ b.", "1:10 syntax error before `@`: expected `,`, `;` or the full stop"},
      {"f() -> 1 + .", "1:12 unexpected end of form: expected an expression"},
      {"f() -> a < b < c.",
       "1:14 syntax error before `<`: expected parentheses, since comparisons do not associate"},
      {"f() -> a:b:c.", "1:11 syntax error before `:`: expected `,`, `;` or the full stop"},
      {"f() -> [1, 2.", "1:13 unexpected end of form: expected `,` or `]`"},
      {"f() -> [1 | 2, 3].", "1:14 syntax error before `,`: expected `]`"},
      {"f() -> {1, }.", "1:12 syntax error before `}`: expected an expression"},
      {"f() -> (1.", "1:10 unexpected end of form: expected `)`"},
      {"f() -> g(1 2).", "1:12 syntax error before `2`: expected `,` or `)`"},
      {"f() -> <<1.", "1:11 unexpected end of form: expected `,` or `>>`"},
      {"f() -> <<1/8>>.",
       "1:12 syntax error before `8`: expected a type such as integer, binary or unit:8"},
      {"f() -> <<1/unit:a>>.", "1:17 syntax error before `a`: expected an integer"},
      {"f() -> #{a}.", "1:11 syntax error before `}`: expected `=>` or `:=` behind the key"},
      {"f() -> #{a => 1, }.", "1:18 syntax error before `}`: expected an expression"},
      {"f() -> #r.", "1:10 unexpected end of form: expected `{` or `.` behind the record's name"},
      {"f() -> #R{}.", "1:9 syntax error before variable `R`: expected a record name or `{`"},
      {"f() -> #r{a}.", "1:12 syntax error before `}`: expected `=`"},
      {"f() -> #r{1 = 2}.", "1:11 syntax error before `1`: expected an atom"},
      {"f() -> X#{}#r.f.",
       "1:13 syntax error before `r`: expected `{`: put the map before the `#` in parentheses to "
       "use "
       "it as a record"},
      {"f() -> X#r{}#{}.",
       "1:14 syntax error before `{`: expected a record's name: put the record before the `#` in "
       "parentheses to update a map"},
      {"f() -> fun.",
       "1:11 unexpected end of form: expected clauses, Name/Arity or Module:Name/Arity behind "
       "`fun`"},
      {"f() -> fun g/a.", "1:14 syntax error before `a`: expected the arity"},
      {"f() -> fun G/1.", "1:13 syntax error before `/`: expected `:`"},
      {"f() -> fun(X) -> 1; (X, Y) -> 2 end.",
       "1:21 head mismatch: the clauses of a fun have the same name and number of arguments"},
      {"f() -> fun F() -> 1; G() -> 2 end.",
       "1:22 head mismatch: the clauses of a fun have the same name and number of arguments"},
      {"f() -> [X || X <= L].",
       "1:16 the pattern of a binary generator is a binary: <<X>> <= Source"},
      {"f() -> [X || K := V].",
       "1:20 syntax error before `]`: expected `<-` behind the pattern of a map generator"},
      {"f() -> #{K := V || K := V <- M}.",
       "1:17 syntax error before `||`: expected `,` or `}`: what a map comprehension collects is "
       "written Key => Value"},
      {"f() -> [X || X <- L, ].", "1:22 syntax error before `]`: expected an expression"},
      {"f() -> if.", "1:10 unexpected end of form: expected an expression"},
      {"f() -> case X of 1 -> a.", "1:24 unexpected end of form: expected `,`, `;` or `end`"},
      {"f() -> case X 1 -> a end.", "1:15 syntax error before `1`: expected `of`"},
      {"f() -> receive a -> b after 1 end.", "1:31 syntax error before `end`: expected `->`"},
      {"f() -> try a end.", "1:14 syntax error before `end`: expected `catch` or `after`"},
      {"f() -> try a catch f(X) -> b end.", "1:21 syntax error before `(`: expected `->`"},
      {"f() -> try a catch X:Y:z -> b end.",
       "1:24 syntax error before `z`: expected a variable for the stack trace"},
      {"f() -> maybe a ?= b, c else d end.", "1:31 syntax error before `end`: expected `->`"},
      {"f() -> begin end.", "1:14 syntax error before `end`: expected an expression"},
      {"f() -> end.", "1:8 syntax error before `end`: expected an expression"},
      {"f() -> cond a -> b end.", "1:8 syntax error before `cond`: expected an expression"},
  };
  check(rows);
}

TEST(ParserErrors, Functions) {
  const Row rows[] = {
      {"f.", "1:2 unexpected end of form: expected `(`"},
      {"f() a.", "1:5 syntax error before `a`: expected `->`"},
      {"f() = a.", "1:5 syntax error before `=`: expected `->`"},
      {"f(g()) -> a.", "1:4 syntax error before `(`: expected `,` or `)`"},
      {"f(X when a) -> b.", "1:5 syntax error before `when`: expected `,` or `)`"},
      {"f(case a of b -> c end) -> d.", "1:3 syntax error before `case`: expected a pattern"},
      {"f(X) when -> b.", "1:11 syntax error before `->`: expected an expression"},
      {"f() -> a; g() -> b.", "1:11 head mismatch: this clause is of g/0, the function is f/0"},
      {"f() -> a; f(X) -> b.", "1:11 head mismatch: this clause is of f/1, the function is f/0"},
      {"f() -> a;.", "1:10 unexpected end of form: expected a clause of the function"},
      {"F() -> a.", "1:1 syntax error before variable `F`: expected a function or an attribute"},
      {"1.", "1:1 syntax error before `1`: expected a function or an attribute"},
      {"f() -> a", "1:9 the file ends inside a form: expected `,`, `;` or the full stop"},
  };
  check(rows);
}

TEST(ParserErrors, Attributes) {
  const Row rows[] = {
      {"-.", "1:2 unexpected end of form: expected the name of an attribute"},
      {"-1.", "1:2 syntax error before `1`: expected the name of an attribute"},
      {"-a(X).", "1:4 bad attribute: its value must be a constant term"},
      {"-a(f()).", "1:4 bad attribute: its value must be a constant term"},
      {"-a(<<X>>).", "1:4 bad attribute: its value must be a constant term"},
      {"-a(#{f/1 => b}).", "1:4 bad attribute: its value must be a constant term"},
      {"-a(b, c).", "1:7 bad attribute: -a has one value"},
      {"-a(b", "1:5 the file ends inside a form: expected `,` or `)`"},
      {"-a(b) c.", "1:7 syntax error before `c`: expected the full stop"},
      {"-module(M).", "1:9 bad module declaration: write -module(name)."},
      {"-module(m, [x]).", "1:12 bad variable list: write -module(name, [Variable])."},
      {"-export(f/1).", "1:9 bad Name/Arity: expected a list, [name/arity]"},
      {"-export([f]).", "1:9 bad Name/Arity: expected name/arity, such as f/1"},
      {"-export([f/1, g]).", "1:15 bad Name/Arity: expected name/arity, such as f/1"},
      {"-export([F/1]).", "1:10 bad function name: expected an atom"},
      {"-export([f/X]).", "1:12 bad function arity: expected an integer"},
      {"-export([f/1 | g]).", "1:16 bad Name/Arity: the list of name/arity must end with `]`"},
      {"-import(m).", "1:9 bad import declaration: write -import(module, [name/arity])."},
      {"-record(r).", "1:9 bad record declaration: write -record(name, {field, …})."},
      {"-record(r, [a]).", "1:12 bad record declaration: write -record(name, {field, …})."},
      {"-record(R, {a}).", "1:9 bad record declaration: write -record(name, {field, …})."},
      {"-record(r, {A}).", "1:13 bad record field: the name of a field is an atom"},
      {"-record(r, {a = }).", "1:17 syntax error before `}`: expected an expression"},
      {"-record(r, {a :: }).", "1:18 syntax error before `}`: expected a type"},
      {"-a(b, {c :: d}).", "1:2 bad attribute: only a -record has fields with types, not -a"},
      {"-doc #{a => f(X)}.", "1:6 bad attribute: its value must be a constant term"},
  };
  check(rows);
}

TEST(ParserErrors, Types) {
  const Row rows[] = {
      {"-type t :: a.", "1:2 bad type declaration: write -type name(Variables) :: Type."},
      {"-type t() = a.", "1:7 bad type declaration: write -type name(Variables) :: Type."},
      {"-opaque T() :: a.", "1:2 bad opaque declaration: write -opaque name(Variables) :: Type."},
      {"-foo t() :: a.", "1:2 bad attribute: -foo declares no type"},
      {"-type t(a) :: b.", "1:9 bad type variable: a parameter is a variable with a name"},
      {"-type t(_) :: b.", "1:9 bad type variable: a parameter is a variable with a name"},
      {"-type t() :: .", "1:14 unexpected end of form: expected a type"},
      {"-type t() :: \"s\".", "1:14 syntax error before a string: expected a type"},
      {"-type t() :: 1..2..3.", "1:18 syntax error before `..`: expected no second `..`"},
      {"-type t() :: m:t.", "1:17 unexpected end of form: expected `(`"},
      {"-type t() :: [a, b].", "1:18 syntax error before `b`: expected `...`"},
      {"-type t() :: #{a}.",
       "1:17 syntax error before `}`: expected `=>` or `:=` behind the key's type"},
      {"-type t() :: #r{a}.", "1:18 syntax error before `}`: expected `::`"},
      {"-type t() :: <<X:1>>.",
       "1:16 bad binary type: only _ may stand here, as in <<_:Size, _:_*Unit>>"},
      {"-type t() :: <<_:1, _:2>>.", "1:23 syntax error before `2`: expected `_*Unit`"},
      {"-type t() :: fun(a).", "1:18 syntax error before `a`: expected `(`"},
      {"-spec f.", "1:8 unexpected end of form: expected `(`"},
      {"-spec f(a).", "1:11 unexpected end of form: expected `->`"},
      {"-spec F() -> a.", "1:7 syntax error before variable `F`: expected the name of a function"},
      {"-spec f(...) -> a.", "1:8 a spec names its arguments: (...) is not allowed here"},
      {"-spec f() -> a when.", "1:20 unexpected end of form: expected a type variable"},
      {"-spec f() -> a when _ :: b.",
       "1:21 bad type variable: a constraint is of a variable with a name"},
      {"-spec f() -> a when is_list(X).", "1:21 unsupported constraint: write Variable :: Type"},
  };
  check(rows);
}

// A note says where the bracket or block was opened, if that is another line.
TEST(ParserErrors, NotesOfWhatIsOpen) {
  const Row rows[] = {
      {"f() -> [1,\n 2.",
       "2:3 unexpected end of form: expected `,` or `]`\n  1:8 `[` was opened here"},
      {"f() ->\n  case a of\n    b -> c.",
       "3:11 unexpected end of form: expected `,`, `;` or `end`\n  2:3 `case` was opened here"},
      {"f() ->\n  g(\n  1 2).",
       "3:5 syntax error before `2`: expected `,` or `)`\n  2:4 `(` was opened here"},
      {"f() -> try a\n.",
       "2:1 unexpected end of form: expected `catch` or `after`\n  1:8 `try` was opened here"},
  };
  check(rows);
}

TEST(ParserErrors, InMacros) {
  const Row rows[] = {
      {"-define(M, )).\nf() -> ?M.",
       "2:8 syntax error before `)`: expected an expression\n  1:12 in the expansion of ?M"},
      {"-define(M(X), X +).\nf() -> ?M(1).", "2:13 unexpected end of form: expected an expression"},
      {"-define(A, ]).\n-define(B, ?A).\nf() -> ?B.",
       "3:8 syntax error before `]`: expected an expression\n  1:12 in the expansion of ?A"},
      {"f() -> ?M.", "1:9 undefined macro ?M"},
      {"f() -> ?M(1, 2).", "1:9 undefined macro ?M/2"},
      {"-define(M, 1).\n-define(M(X, Y), 2).\nf() -> ?M(1).",
       "3:9 ?M is not defined with 1 arguments"},
      {"-define(M(X), X).\nf() -> ?M.", "2:9 ?M is not defined with 0 arguments"},
      {"-define(M(X), X).\nf() -> ?M(1.", "2:9 badly formed arguments of ?M"},
      {"-define(M(X), X).\nf() -> ?M(,).", "2:9 badly formed arguments of ?M"},
      {"-define(M(X, Y, Z), X).\nf() -> ?M(1,,2).", "2:9 an argument of ?M is empty"},
      {"f() -> ?1.", "1:9 illegal macro call: `integer` names no macro"},
      {"f() -> ??X.", "1:9 `??` makes a string of a parameter, inside a macro's definition only"},
      {"-define(M, ?M).\nf() -> ?M.", "2:9 ?M expands to itself"},
      {"-define(A, ?B(1)).\n-define(B(X), ?A).\nf() -> ?A.", "3:9 ?A expands to itself"},
      {"?FUNCTION_NAME() -> a.", "1:2 ?FUNCTION_NAME must not begin a form"},
      {"-a(?FUNCTION_ARITY).", "1:5 ?FUNCTION_ARITY can only be used within a function"},
  };
  check(rows);
}

// Hints for what people do.
TEST(ParserErrors, Hints) {
  const Row rows[] = {
      {"f() -> a\ng() -> b.",
       "2:1 syntax error before `g`: expected `,`, `;` or the full stop; is the full stop of the "
       "form "
       "before it missing?"},
      {"-module(m)\n-export([]).",
       "2:1 syntax error before `-`: expected the full stop; is the full stop of the form before "
       "it "
       "missing?"},
  };
  check(rows);
}

// Every error of a file is reported: one for each form, and one for each clause of a
// function.
TEST(ParserErrors, Recovery) {
  const Row rows[] = {
      {"f() -> ).\ng() -> ok.\nh() -> ].\n",
       "1:8 syntax error before `)`: expected an expression\n"
       "3:8 syntax error before `]`: expected an expression"},
      {"f(1) -> );\nf(2) -> ok;\nf(3) -> ].\n",
       "1:9 syntax error before `)`: expected an expression\n"
       "3:9 syntax error before `]`: expected an expression"},
      {"f(1) -> case a of b -> ) end;\nf(2) -> ok;\nf(3, 4) -> ok;\nf(5) -> }.\n",
       "1:24 syntax error before `)`: expected an expression\n"
       "3:1 head mismatch: this clause is of f/2, the function is f/1\n"
       "4:9 syntax error before `}`: expected an expression"},
      {"-a(X).\n-b(Y).\n-record(r, {A}).\n-type t() :: .\n",
       "1:4 bad attribute: its value must be a constant term\n"
       "2:4 bad attribute: its value must be a constant term\n"
       "3:13 bad record field: the name of a field is an atom\n"
       "4:14 unexpected end of form: expected a type"},
      {"f() -> 2#3.\ng() -> $\\x{.\nh() -> ?no.\ni() -> 1 1.\n",
       "1:8 no digit of base 2 follows here\n"
       "2:8 \\x{ is closed by } behind hexadecimal digits\n"
       "3:9 undefined macro ?no\n"
       "4:10 syntax error before `1`: expected `,`, `;` or the full stop"},
  };
  check(rows);
}

TEST(ParserErrors, NestingIsLimited) {
  std::string source = "f() -> ";
  source.append(10000, '[');
  EXPECT_EQ(errors_of(source + "."), "1:4007 this is nested too deeply (4000 levels)");
}

}  // namespace
}  // namespace fathom::parser_errors_test
