// What the linter says, and where: line:column and the message, notes indented. That
// it reports what OTP 25 reports, at OTP's places, is what tests/differential compares;
// what is new in OTP 26 to 28 is checked here only, by the sources of those releases.
#include "lint/lint.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>

#include "error_lines.h"
#include "lint/auto_imported.h"
#include "syntax/reader.h"

namespace fathom::lint_test {
namespace {

std::string lint_errors(std::string_view source, uint32_t otp_release) {
  Reader reader;
  Unit unit = reader.make_unit();
  Diagnostics diagnostics;
  ReadOptions options;
  options.otp_release = otp_release;
  EXPECT_TRUE(reader.read_text("test.erl", std::string(source), options, unit, diagnostics));
  const bool clean = lint::check(unit, diagnostics, {otp_release});
  EXPECT_EQ(clean, !diagnostics.has_errors()) << source;
  return error_lines(diagnostics, reader.sources());
}

struct Row {
  std::string_view source;
  std::string_view errors;
};

void check(std::span<const Row> rows, uint32_t otp_release = 28) {
  for (const Row& row : rows) {
    EXPECT_EQ(lint_errors(row.source, otp_release), row.errors) << row.source;
  }
}

TEST(Lint, Variables) {
  const Row rows[] = {
      {"-module(m).\n"
       "f(Value) -> Valeu.\n",
       "2:13 variable Valeu is unbound; did you mean `Value`?"},
      {"-module(m).\n"
       "f() -> _.\n",
       "2:8 `_` has no value: it may stand in patterns only"},
      {"-module(m).\n"
       "f(P) -> {X = P, X}.\n",
       "2:17 variable X is unbound"},
      {"-module(m).\n"
       "f(P) ->\n"
       "  case P of\n"
       "    1 -> X = 1;\n"
       "    _ -> ok\n"
       "  end,\n"
       "  X.\n",
       "7:3 variable X may have no value here: not every way through the `case` binds it\n"
       "  3:3 this is the `case`\n"
       "  4:10 X is bound here"},
      {"-module(m).\n"
       "f(P) -> try X = P catch _:_ -> X end.\n",
       "2:32 variable X may have no value here: not every way through the `try` binds it\n"
       "  2:9 this is the `try`\n"
       "  2:13 X is bound here"},
      {"-module(m).\n"
       "f(P) -> P andalso (X = 1), X.\n",
       "2:28 variable X may have no value here: not every way through the `andalso` binds it\n"
       "  2:9 this is the `andalso`\n"
       "  2:20 X is bound here"},
      {"-module(m).\n"
       "f(P) -> catch X = P, X.\n",
       "2:22 variable X may have no value here: not every way through the `catch` binds it\n"
       "  2:9 this is the `catch`\n"
       "  2:15 X is bound here"},
      {"-module(m).\n"
       "f(P) -> maybe X ?= P else _ -> X end.\n",
       "2:32 variable X may have no value here: not every way through the `maybe` binds it\n"
       "  2:9 this is the `maybe`\n"
       "  2:15 X is bound here"},
      {"-module(m).\n"
       "f() -> receive 1 -> X = 1 after 0 -> ok end, X.\n",
       "2:46 variable X may have no value here: not every way through the `receive` binds it\n"
       "  2:8 this is the `receive`\n"
       "  2:21 X is bound here"},
      {"-module(m).\n"
       "f(P) -> fun(X) -> X + Y end.\n",
       "2:23 variable Y is unbound"},
      {"-module(m).\n"
       "f(P) -> [X || X <- P], X.\n",
       "2:24 variable X is unbound"},
      {"-module(m).\n"
       "f(P) -> case P of <<N, B:N/binary, R:M>> -> {B, R} end.\n",
       "2:38 variable M is unbound"},
      {"-module(m).\n"
       "f() -> fun F(X) -> F(X - 1) end, F.\n",
       "2:34 variable F is unbound"},
      {"-module(m).\n"
       "f(P) -> X = P, X = 1, Y = X = 2, Y.\n",
       ""},
  };
  check(rows);
}

TEST(Lint, StackTraces) {
  const Row rows[] = {
      {"-module(m).\n"
       "f(P) -> try P catch _:_:S when S =:= [] -> S end.\n",
       "2:32 the stack trace S must not be used in the guard of its handler; test it in the body\n"
       "  2:25 it is bound here"},
      {"-module(m).\n"
       "f(P, S) -> try P catch _:_:S -> S end.\n",
       "2:28 the stack trace needs a new variable, and S is bound already\n"
       "  2:6 here"},
      {"-module(m).\n"
       "f(P) -> try P catch _:S:S -> S end.\n",
       "2:25 the stack trace needs a new variable, and S is bound already"},
      {"-module(m).\n"
       "f(P) -> try P catch _:_:S -> S end.\n",
       ""},
  };
  check(rows);
}

TEST(Lint, Functions) {
  const Row rows[] = {
      {"-module(m).\n"
       "f() -> g(1).\n"
       "g() -> 1.\n",
       "2:8 there is no function g/1\n"
       "  3:1 g/0 is defined here"},
      {"-module(m).\n"
       "f() -> lenght([]).\n",
       "2:8 there is no function lenght/1; did you mean `length/1`?"},
      {"-module(m).\n"
       "start() -> strat().\n",
       "2:12 there is no function strat/0; did you mean `start/0`?"},
      {"-module(m).\n"
       "-export([f/1]).\n"
       "f() -> 1.\n",
       "2:10 there is no function f/1\n"
       "  3:1 f/0 is defined here"},
      {"-module(m).\n"
       "f() -> 1.\n"
       "f() -> 2.\n",
       "3:1 function f/0 is defined twice\n"
       "  2:1 it is defined here first"},
      {"-module(m).\n"
       "module_info() -> 1.\n",
       "2:1 module_info/0 is made by the compiler in every module"},
      {"-module(m).\n"
       "-import(lists, [map/2]).\n"
       "map(F, L) -> {F, L}.\n",
       "3:1 map/2 is imported from lists, and cannot be defined too\n"
       "  2:17 it is imported here"},
      {"-module(m).\n"
       "-import(lists, [map/2]).\n"
       "-import(maps, [map/2]).\n",
       "3:16 map/2 is imported from lists already\n"
       "  2:17 here"},
      {"-module(m).\n"
       "-import(lists, [map/2]).\n"
       "f() -> fun map/2.\n",
       "3:8 `fun map/2` cannot name an imported function: write `fun lists:map/2`\n"
       "  2:17 it is imported here"},
      {"-module(m).\n"
       "f() -> fun g/2.\n",
       "2:8 there is no function g/2"},
      {"-module(m).\n"
       "f() -> m:f, 1.\n",
       "2:8 Module:Function is not an expression by itself: call it, or write `fun "
       "Module:Function/Arity`"},
      {"-module(m).\n"
       "f() -> '':g().\n",
       "2:8 a module's name must not be empty"},
      {"-module(m).\n"
       "f() -> 'a\\n':g().\n",
       "2:8 the module name 'a\\n' has a control character"},
      {"-module(m).\n"
       "f() -> record_info(fields, r), record_info(what, r), record_info(fields).\n",
       "2:28 there is no record r\n"
       "2:44 record_info/2 tells `fields` or `size`, not `what`\n"
       "2:54 there is no function record_info/1"},
  };
  check(rows);
}

TEST(Lint, Records) {
  const Row rows[] = {
      {"-module(m).\n"
       "-record(rec, {name, value = 0}).\n"
       "f() -> #rec{nmae = 1}.\n",
       "3:13 record rec has no field nmae; did you mean `name`?\n"
       "  2:1 the record is defined here"},
      {"-module(m).\n"
       "f() -> #r{}.\n"
       "-record(r, {}).\n",
       "2:9 there is no record r\n"
       "  3:1 it is defined only here, behind its use"},
      {"-module(m).\n"
       "-record(person, {}).\n"
       "f(P) -> P#persn.name.\n",
       "3:11 there is no record persn; did you mean `person`?"},
      {"-module(m).\n"
       "-record(r, {a, a}).\n",
       "2:16 record r has two fields a\n"
       "  2:13 this is the first one"},
      {"-module(m).\n"
       "-record(r, {}).\n"
       "-record(r, {a}).\n",
       "3:1 record r is defined twice\n"
       "  2:1 it is defined here first"},
      {"-module(m).\n"
       "-record(r, {a, b}).\n"
       "f(R) -> R#r{_ = 1}.\n",
       "3:13 `_` sets the fields that a new record leaves out; an update of record r leaves them "
       "as they are"},
      {"-module(m).\n"
       "-record(r, {a, b}).\n"
       "f(#r{a = 1, b = 2, _ = 3}) -> #r{a = 1, a = 2}.\n",
       "3:20 no field is left over for `_`: leave it out\n"
       "3:41 field a of record r is given twice\n"
       "  3:34 it is given here first"},
      {"-module(m).\n"
       "-record(r, {a}).\n"
       "f(X) -> #r{X = 1}.\n",
       "3:12 the field of a record must be named: X is a variable"},
      {"-module(m).\n"
       "-record(r, {a = X = 1, b = Y}).\n",
       "2:17 the default of a record's field is put wherever the record is made, and must not bind "
       "a variable such as X; call a function\n"
       "2:28 variable Y is unbound"},
  };
  check(rows);
}

TEST(Lint, Patterns) {
  const Row rows[] = {
      {"-module(m).\n"
       "f(P) -> g(1) = P.\n"
       "g(X) -> X.\n",
       "2:9 this is not a pattern: a call cannot be matched: call it before, and match with its "
       "result"},
      {"-module(m).\n"
       "f(X + 1) -> 1.\n",
       "2:3 this is not a pattern: only data, variables and constant arithmetic can be matched"},
      {"-module(m).\n"
       "f(1 / 0) -> 1.\n",
       "2:3 this is not a pattern: only data, variables and constant arithmetic can be matched"},
      {"-module(m).\n"
       "f(#{a => X}) -> X.\n",
       "2:5 a pattern asks for a key that is there: write `:=` instead of `=>`\n"
       "2:17 variable X is unbound"},
      {"-module(m).\n"
       "f(X ++ \"a\") -> X.\n",
       "2:3 in a pattern, only a constant string may stand before `++`\n"
       "2:16 variable X is unbound"},
      {"-module(m).\n"
       "f(P) -> #{g(P) := X} = P, X.\n"
       "g(X) -> X.\n",
       "2:11 g/1 is a function of this module, and the key of a map pattern may call built-in "
       "functions only\n"
       "  3:1 g/1 is defined here"},
      {"-module(m).\n"
       "f() -> #{a := 1}.\n",
       "2:10 a new map has no key to update: write `=>` instead of `:=`"},
      {"-module(m).\n"
       "f(-1, 2 * 8, \"a\" ++ X, <<1:(4 + 4)>>) -> X.\n",
       ""},
  };
  check(rows);
}

TEST(Lint, Guards) {
  const Row rows[] = {
      {"-module(m).\n"
       "f(X) when g(X) -> X.\n"
       "g(X) -> X.\n",
       "2:11 g/1 is a function of this module, and a guard may call built-in functions only\n"
       "  3:1 g/1 is defined here"},
      {"-module(m).\n"
       "f(X) when lists:member(X, []) -> X.\n",
       "2:11 this call is not allowed in a guard: only tests, arithmetic, comparisons and guard "
       "functions are"},
      {"-module(m).\n"
       "f(X) when X = 1 -> X.\n",
       "2:11 a match is not allowed in a guard: only tests, arithmetic, comparisons and guard "
       "functions are; did you mean `==` or `=:=`?"},
      {"-module(m).\n"
       "f(X) when X ++ [] == [] -> X.\n",
       "2:11 `++` is not allowed in a guard: only tests, arithmetic, comparisons and guard "
       "functions are"},
      {"-module(m).\n"
       "length(L) -> L.\n"
       "f(X) when length(X) > 1 -> X.\n",
       "3:11 length/1 is a function of this module, and a guard may call built-in functions only; "
       "write `erlang:length(…)`\n"
       "  2:1 length/1 is defined here"},
      {"-module(m).\n"
       "-record(r, {a = self(), b = put(a, 1)}).\n"
       "f(X) when X == #r{} -> X.\n",
       "3:16 this call is not allowed in a guard: only tests, arithmetic, comparisons and guard "
       "functions are"},
      {"-module(m).\n"
       "f(X) when is_record(X, X) -> X.\n",
       "2:11 in a guard, is_record needs the record's name (and size) as a constant"},
      {"-module(m).\n"
       "is_port(X) -> X.\n"
       "f(X) when port(X) -> X.\n",
       "3:11 the old test port/1 means is_port/1, and this module has a function of that name: "
       "write `erlang:is_port(…)`\n"
       "  2:1 here"},
      {"-module(m).\n"
       "f(X) when min(X, 1) == 1; max(X, 1) == 1 -> X.\n",
       ""},
  };
  check(rows);
}

TEST(Lint, Binaries) {
  const Row rows[] = {
      {"-module(m).\n"
       "f(X) -> <<X/strng>>.\n",
       "2:13 there is no segment type `strng`"},
      {"-module(m).\n"
       "f(X) -> <<X/binray>>.\n",
       "2:13 there is no segment type `binray`; did you mean `binary`?"},
      {"-module(m).\n"
       "f(X) -> <<X/integer-float>>.\n",
       "2:21 a segment has one type: it cannot be both integer and float"},
      {"-module(m).\n"
       "f(X) -> <<X/signed-unsigned, X/big-little, X:8/unit:8-unit:4>>.\n",
       "2:20 a segment has one sign: it cannot be both signed and unsigned\n"
       "2:36 a segment has one byte order: it cannot be both big and little\n"
       "2:55 a segment has one unit: it cannot be both 8 and 4"},
      {"-module(m).\n"
       "f(X) -> <<X/unit:8>>.\n",
       "2:11 a unit counts only together with a size"},
      {"-module(m).\n"
       "f(X) -> <<X:8/utf8>>.\n",
       "2:11 a segment of type utf8 is as long as its character: it has neither size nor unit"},
      {"-module(m).\n"
       "f(X) -> <<X:8/unit:300>>.\n",
       "2:15 a unit is between 1 and 256"},
      {"-module(m).\n"
       "f(X) -> <<X:all>>.\n",
       "2:11 only a binary can have all that is left"},
      {"-module(m).\n"
       "f(<<X/binary, Y>>) -> {X, Y}.\n",
       "2:5 a binary without a size takes all that is left: it can only be the last segment of a "
       "pattern"},
      {"-module(m).\n"
       "f(<<\"ab\":8>>) -> 1.\n",
       "2:5 in a pattern, a string has neither size nor type but utf8, utf16 or utf32"},
      {"-module(m).\n"
       "f(B) -> [X || <<X/binary>> <= B].\n",
       "2:17 a generator takes its binary in pieces: each segment needs a size"},
      {"-module(m).\n"
       "f(<<X:(g(1))>>) -> X.\n"
       "g(X) -> X.\n",
       "2:8 g/1 is a function of this module, and the size of a segment may call built-in "
       "functions only\n"
       "  3:1 g/1 is defined here"},
      {"-module(m).\n"
       "f(<<X:(lists:sum([1]))>>) -> X.\n",
       "2:8 this call cannot be computed while matching: the size of a segment is a guard "
       "expression"},
      {"-module(m).\n"
       "f(<<<<1>>/binary>>) -> 1.\n",
       "2:5 this is not a pattern: a binary cannot be a segment of a binary here; use a variable "
       "of "
       "type binary"},
  };
  check(rows);
}

TEST(Lint, Types) {
  const Row rows[] = {
      {"-module(m).\n"
       "-type t() :: u().\n",
       "2:14 there is no type u()"},
      {"-module(m).\n"
       "-type tree() :: leaf.\n"
       "-type t() :: tere().\n",
       "3:14 there is no type tere(); did you mean `tree()`?"},
      {"-module(m).\n"
       "-type t(A) :: integer().\n",
       "2:9 type variable A occurs only once, and so relates nothing: write `_A`, `_` or `term()`"},
      {"-module(m).\n"
       "-type t() :: a.\n"
       "-type t() :: b.\n",
       "3:1 type t() is defined twice\n"
       "  2:1 it is defined here first"},
      {"-module(m).\n"
       "-type t() :: 5..1.\n",
       "2:14 a range goes from an integer to a greater one"},
      {"-module(m).\n"
       "-type t() :: <<_:(-1)>>.\n",
       "2:14 the sizes of a binary type are integers and not negative"},
      {"-module(m).\n"
       "-type t() :: 1 + a.\n",
       "2:14 this does not compute to an integer"},
      {"-module(m).\n"
       "-record(r, {a}).\n"
       "-type t() :: #r{b :: a} | #q{}.\n",
       "3:17 record r has no field b\n"
       "  2:1 the record is defined here\n"
       "3:28 there is no record q"},
      {"-module(m).\n"
       "-export_type([t/1]).\n"
       "-type t() :: a.\n",
       "2:15 there is no type t(_)\n"
       "  3:1 t() is defined here"},
  };
  check(rows);
}

TEST(Lint, Specs) {
  const Row rows[] = {
      {"-module(m).\n"
       "-spec f(X) -> ok.\n"
       "f(_) -> ok.\n",
       "2:9 type variable X occurs only once, and so relates nothing: write `_X`, `_` or `term()`"},
      {"-module(m).\n"
       "-spec f() -> ok.\n"
       "-spec f() -> error.\n"
       "f() -> ok.\n",
       "3:1 f/0 has two specs: join them by `;`\n"
       "  2:1 this is the first one"},
      {"-module(m).\n"
       "-spec g() -> ok.\n"
       "f() -> ok.\n",
       "2:1 this is a spec of g/0, which is not defined"},
      {"-module(m).\n"
       "-spec x:f() -> ok.\n"
       "f() -> ok.\n",
       "2:1 a spec is for a function of this module, not of x"},
      {"-module(m).\n"
       "-callback f() -> ok.\n"
       "-callback f() -> ok.\n",
       "3:1 callback f/0 is declared twice\n"
       "  2:1 it is declared here first"},
      {"-module(m).\n"
       "-callback x:f() -> ok.\n",
       "2:1 a callback belongs to this module: write f/0 without `x:`"},
      {"-module(m).\n"
       "-callback f() -> ok.\n"
       "behaviour_info(_) -> 1.\n",
       "2:1 the callbacks of a module are told either by `-callback`, as of f/0, or by "
       "behaviour_info/1\n"
       "  3:1 behaviour_info/1 is defined here"},
      {"-module(m).\n"
       "-optional_callbacks([f/0, f/0]).\n",
       "2:22 f/0 is optional, but there is no callback of that name\n"
       "2:27 f/0 is listed twice\n"
       "  2:22 it is listed here first"},
      {"-module(m).\n"
       "-type t() :: {ok, A} | {error, A}.\n",
       "2:19 type variable A occurs only once, and so relates nothing: write `_A`, `_` or "
       "`term()`"},
  };
  check(rows);
}

TEST(Lint, Attributes) {
  const Row rows[] = {
      {"f() -> 1.\n", "1:1 a module starts with `-module(name).`, and this one does not"},
      {"-module(m).\n"
       "-module(n).\n",
       "2:1 the module is called m already\n"
       "  1:1 here"},
      {"-module('').\n", "1:9 a module's name must not be empty"},
      {"-module(m, [X]).\n"
       "f() -> X.\n",
       "1:1 OTP no longer knows modules with parameters\n"
       "2:8 variable X is unbound"},
      {"-module(m).\n"
       "f() -> 1.\n"
       "-export([f/0]).\n",
       "3:1 -export must stand before the first function\n"
       "  2:1 this is the first function"},
      {"-module(m).\n"
       "-on_load(f/1).\n"
       "f(_) -> 1.\n",
       "2:10 the function of -on_load is called without arguments: f/1 has 1"},
      {"-module(m).\n"
       "-on_load(f).\n",
       "2:1 write `-on_load(function/0).`"},
      {"-module(m).\n"
       "-on_load(f/0).\n"
       "-on_load(g/0).\n"
       "f() -> 1.\n"
       "g() -> 1.\n",
       "3:1 a module has one -on_load at most\n"
       "  2:1 this is the first one"},
      {"-module(m).\n"
       "-on_load(init/0).\n",
       "2:10 -on_load names init/0, which is not defined"},
      {"-module(m).\n"
       "-nifs([f/1]).\n",
       "2:8 f/1 is to be a NIF, and is not defined; write a function that fails until the library "
       "is loaded"},
      {"-module(m).\n"
       "-compile({inline, [f/1]}).\n",
       "2:20 the option inline names f/1, which is not a function of this module"},
      {"-module(m).\n"
       "-compile(nowarn_bif_clash).\n",
       "2:10 nowarn_bif_clash is no longer allowed: write `erlang:f(…)` where the built-in "
       "function is meant, or `-compile({no_auto_import, [f/1]})`"},
      {"-module(m).\n"
       "-deprecated([{f, 1}, g]).\n",
       "2:14 `{f, 1}` is said to be deprecated, and no such function is exported\n"
       "2:22 `g` is nothing that can be deprecated: write {function, arity, \"text\"}"},
      {"-module(m).\n"
       "-removed([{f, 0}]).\n"
       "-export([f/0]).\n"
       "f() -> 1.\n",
       "2:11 `{f, 0}` is said to be removed, and is exported still"},
      {"-module(m).\n"
       "-dialyzer(no_macth).\n",
       "2:11 Dialyzer has no option no_macth; did you mean `no_match`?"},
      {"-module(m).\n"
       "-dialyzer({nowarn_function, f/1}).\n",
       "2:29 there is no function f/1"},
      {"-module(m).\n"
       "-dialyzer({a, b, c}).\n",
       "2:11 write -dialyzer(option) or -dialyzer({option, function/arity})"},
      {"-module(m).\n"
       "-doc \"a\".\n"
       "-doc \"b\".\n"
       "f() -> 1.\n"
       "-doc \"c\".\n"
       "g() -> 1.\n",
       "3:1 there is a -doc for this already\n"
       "  2:1 here"},
      {"-module(m).\n"
       "-moduledoc \"a\".\n"
       "-moduledoc \"b\".\n",
       "3:1 there is a -moduledoc for this already\n"
       "  2:1 here"},
  };
  check(rows);
}

TEST(Lint, Macros) {
  const Row rows[] = {
      {"-module(m).\n"
       "-define(BAD(X), {X, Unknown}).\n"
       "f(P) -> ?BAD(P).\n",
       "3:9 variable Unknown is unbound\n"
       "  2:21 here in the macro ?BAD"},
      {"-module(m).\n"
       "-define(ADD(X), X + 1).\n"
       "f() -> ?ADD(Unknown).\n",
       "3:13 variable Unknown is unbound"},
  };
  check(rows);
}

TEST(Lint, NewSyntax) {
  const Row rows[] = {
      {"-module(m).\n"
       "f(A, B) -> [{X, Y} || X <- A && Y <- B, X], X.\n",
       "2:45 variable X is unbound"},
      {"-module(m).\n"
       "f(A) -> [X || X <- A && X > 1].\n",
       "2:25 only generators can be joined by `&&`; put a filter behind a comma"},
      {"-module(m).\n"
       "f(A) -> [X || {ok, X} <:- A, Y].\n",
       "2:30 variable Y is unbound"},
      {"-module(m).\n"
       "f(A) -> #{K => V || K := V <- A, W}.\n",
       "2:34 variable W is unbound"},
      {"-module(m).\n"
       "f(A) -> #{X => Y || <<X, Y:X>> <:= A}, X.\n",
       "2:40 variable X is unbound"},
      {"-module(m).\n"
       "-nominal t() :: u().\n",
       "2:17 there is no type u()"},
      {"-module(m).\n"
       "f() -> 1.\n"
       "-nominal t() :: integer().\n",
       ""},
      {"-module(m).\n"
       "f(A) -> [V || K := V <- A, K > 1].\n",
       ""},
  };
  check(rows);
}

TEST(Lint, OtpBefore26) {
  const Row rows[] = {
      {"-module(m).\n"
       "f(<<A>> = <<B>>) -> {A, B}.\n",
       "2:3 before OTP 26, a binary pattern cannot be joined with another by `=`\n"
       "  2:11 this is the other one"},
      {"-module(m).\n"
       "-type integer() :: a.\n",
       "2:1 integer() is a predefined type, and cannot be defined anew before OTP 26"},
      {"-module(m).\n"
       "f(X) when min(X, 1) == 1 -> X.\n",
       "2:11 this call is not allowed in a guard: only tests, arithmetic, comparisons and guard "
       "functions are"},
      {"-module(m).\n"
       "length(X) -> X.\n"
       "f() -> length(1).\n",
       "3:8 length/1 is a function of this module and a built-in function too: write "
       "`erlang:length(…)`, or `-compile({no_auto_import, [length/1]})` to mean the function of "
       "this module\n"
       "  2:1 this function hides the built-in one"},
      {"-module(m).\n"
       "-import(m, [length/1]).\n",
       "2:13 length/1 is a built-in function; to import another one, write "
       "`-compile({no_auto_import, [length/1]})`"},
      {"-module(m).\n"
       "-type t() :: dynamic().\n",
       "2:14 there is no type dynamic()"},
      {"-module(m).\n"
       "f() -> 1.\n"
       "-doc \"x\".\n",
       "3:1 -doc must stand before the first function\n"
       "  2:1 this is the first function"},
      {"-module(m).\n"
       "-import(lists, [map/2]).\n"
       "f() -> fun map/2.\n",
       "3:8 `fun map/2` cannot name an imported function: write `fun lists:map/2`\n"
       "  2:17 it is imported here"},
  };
  check(rows, 25);
}

TEST(Lint, OtpFrom26) {
  const Row rows[] = {
      {"-module(m).\n"
       "f(<<A>> = <<B>>) -> {A, B}.\n",
       ""},
      {"-module(m).\n"
       "-type integer() :: a.\n",
       ""},
      {"-module(m).\n"
       "length(X) -> X.\n"
       "f() -> length(1).\n",
       ""},
      {"-module(m).\n"
       "-import(m, [length/1]).\n",
       ""},
      {"-module(m).\n"
       "-type t() :: dynamic().\n",
       ""},
  };
  check(rows);
}

TEST(Lint, AfterParseErrors) {
  const Row rows[] = {
      {"-module(m).\n"
       "-include(\"nope.hrl\").\n"
       "f(#r{a = X}) -> g(X).\n",
       "2:10 can't find include file \"nope.hrl\""},
      {"-module(m).\n"
       "f() -> g(X).\n"
       "g(X) -> .\n",
       "2:10 variable X is unbound\n"
       "3:9 unexpected end of form: expected an expression"},
  };
  check(rows);
}

TEST(Lint, LongChainsOfOperators) {
  const auto chain = [](std::string_view link, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += link;
    return text;
  };
  constexpr int kLinks = 100'000;
  for (const std::string_view link :
       {"1 + ", "a ++ ", "a andalso ", "- ", "not ", "A = ", "self() ! A = ", "a ! "}) {
    const std::string source = "-module(m).\nf(A) -> " + chain(link, kLinks) + "A.\n";
    EXPECT_EQ(lint_errors(source, 28), "") << link;
  }
  std::string sends;
  std::string tuple;
  for (int i = 0; i < kLinks; ++i) {
    sends += fmt::format("X{} = self() ! ", i);
    tuple += fmt::format("X{} = 1, ", i);
  }
  EXPECT_EQ(lint_errors("-module(m).\nf() -> " + sends + "1.\n", 28), "");
  EXPECT_EQ(lint_errors("-module(m).\nf() -> {" + tuple + "1}.\n", 28), "");
  EXPECT_EQ(lint_errors("-module(m).\nf(M) -> M" + chain("#{a => 1}", kLinks) + ".\n", 28), "");
  EXPECT_EQ(lint_errors("-module(m).\nf(" + chain("A = ", kLinks) + "A) -> A.\n", 28), "");
  EXPECT_EQ(lint_errors("-module(m).\nf(\"a\"" + chain(" ++ \"a\"", kLinks) + ") -> 1.\n", 28), "");
  EXPECT_EQ(lint_errors("-module(m).\nf(A) when " + chain("A or ", kLinks) + "A -> 1.\n", 28), "");
  EXPECT_EQ(lint_errors("-module(m).\n-type t() :: " + chain("1 + ", kLinks) + "1.\n", 28), "");
  EXPECT_EQ(lint_errors("-module(m).\nf(A = " + chain("<<B>> = ", 1000) + "C) -> {A, B, C}.\n", 25)
                .empty(),
            false);
}

TEST(AutoImported, Releases) {
  const auto of = [](std::string_view name, size_t arity, uint32_t release) {
    return lint::auto_imported(Atom::intern(name), arity, release);
  };
  EXPECT_TRUE(of("length", 1, 25).is_guard);
  EXPECT_TRUE(of("length", 1, 25).is_old);
  EXPECT_FALSE(of("length", 1, 28).is_old);
  EXPECT_FALSE(of("length", 2, 28).is_imported);
  EXPECT_TRUE(of("min", 2, 25).is_imported);
  EXPECT_FALSE(of("min", 2, 25).is_guard);
  EXPECT_TRUE(of("min", 2, 26).is_guard);
  EXPECT_TRUE(of("is_map", 1, 25).is_type_test);
  EXPECT_FALSE(of("link", 2, 27).is_imported);
  EXPECT_TRUE(of("link", 2, 28).is_imported);
  EXPECT_FALSE(of("is_integer", 3, 28).is_imported);
  EXPECT_TRUE(of("is_integer", 3, 29).is_guard);
}

}  // namespace
}  // namespace fathom::lint_test
