// The printer: what it writes (tables), and that all of it reads back as the same
// tree: a corpus that has every kind of node, every construct inside every other,
// and trees deeper than any stack.
#include "syntax/print.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "parsed.h"
#include "syntax/compare.h"
#include "syntax/printer.h"

namespace fathom::print_test {
namespace {

std::string function_of(std::string_view expression) {
  return "f() -> " + std::string(expression) + ".\n";
}

std::string print_forms(const Parsed& parsed) {
  std::string out;
  for (const NodeId form : parsed.forms()) out += print_form(parsed.unit, form);
  return out;
}

std::string print_expression(std::string_view source) {
  const Parsed parsed = parse_text(function_of(source));
  EXPECT_EQ(parsed.errors, "") << source;
  if (!exists(parsed.expression())) return "(no expression)";
  return print_expr(parsed.unit, parsed.expression());
}

std::string print_type(std::string_view source) {
  const Parsed parsed = parse_text("-type t() :: " + std::string(source) + ".\n");
  EXPECT_EQ(parsed.errors, "") << source;
  const auto decl = parsed.ast().get<node::TypeDecl>(parsed.forms()[0]);
  return print_expr(parsed.unit, decl.type);
}

// Reads, prints, reads, prints: the trees are the same and so are the texts.
void expect_round_trip(const std::string& source) {
  const Parsed first = parse_text(source);
  ASSERT_EQ(first.errors, "");
  const std::string text = print_forms(first);
  const Parsed second = parse_text(text);
  ASSERT_EQ(second.errors, "") << text;
  const auto difference = find_difference(first.unit, first.forms(), second.unit, second.forms());
  if (difference) {
    const bool both = exists(difference->left) && exists(difference->right);
    ADD_FAILURE() << difference->what << "\n"
                  << (both ? print_expr(first.unit, difference->left) : "") << "\n"
                  << (both ? print_expr(second.unit, difference->right) : "");
  }
  EXPECT_EQ(print_forms(second), text);
}

struct Row {
  std::string_view source;
  std::string_view printed;
};

// ---- Tables -----------------------------------------------------------------

TEST(Print, Literals) {
  const Row rows[] = {
      {"foo", "foo"},
      {"'foo'", "foo"},
      {"'Foo'", "'Foo'"},
      {"''", "''"},
      {"'a b\\n\\''", "'a b\\n\\''"},
      {"'if'", "'if'"},
      {"'maybe'", "'maybe'"},
      {"'else'", "'else'"},
      {"'été'", "été"},
      {"'δ'", "'δ'"},
      {"16#FF", "255"},
      {"1_000_000_000_000_000_000_000", "1000000000000000000000"},
      {"2#101", "5"},
      {"1.0e10", "1.0e10"},
      {"0.1", "0.1"},
      {"100000.0", "1.0e5"},
      {"$a", "$a"},
      {"$ ", "$\\s"},
      {"$\\n", "$\\n"},
      {"$\\\\", "$\\\\"},
      {"$\"", "$\\\""},
      {"$é", "$é"},
      {"$\\x{1}", "$\\001"},
      {"\"\"", "\"\""},
      {"\"a\" \"b\"", "\"ab\""},
      {"\"q\\\"\\\\é\\e\\x{2028}\"", "\"q\\\"\\\\é\\e\u2028\""},
      {"~\"sigil\"", "<<\"sigil\"/utf8>>"},
      {"_Var@1", "_Var@1"},
  };
  for (const Row& row : rows) EXPECT_EQ(print_expression(row.source), row.printed);
}

TEST(Print, Data) {
  const Row rows[] = {
      {"[]", "[]"},
      {"[1,2|T]", "[1, 2 | T]"},
      {"[1|[2,3]]", "[1 | [2, 3]]"},
      {"[72,105]", "[72, 105]"},
      {"{}", "{}"},
      {"{a,{b}}", "{a, {b}}"},
      {"<<>>", "<<>>"},
      {"<<1,X:8,Y:(N*8)/little-unit:4,\"s\"/utf8>>",
       "<<1, X:8, Y:(N * 8)/little-unit:4, \"s\"/utf8>>"},
      {"<<(X+1):8,-1,(-(-1)),(f(X)):N,(X#r.a),(#{}),(m:f())/binary>>",
       "<<(X + 1):8, -1, -(-1), (f(X)):N, (X#r.a), (#{}), (m:f())/binary>>"},
      {"#{}", "#{}"},
      {"#{a=>1,\"b\":=c}", "#{a => 1, \"b\" := c}"},
      {"M#{a=>1}#{b=>2}", "M#{a => 1}#{b => 2}"},
      {"#{}#{a=>1}", "#{}#{a => 1}"},
      {"(f())#{a=>1}", "(f())#{a => 1}"},
      {"#r{}", "#r{}"},
      {"#r{a=1,_='_'}", "#r{a = 1, _ = '_'}"},
      {"X#r{a=1}#r.a", "X#r{a = 1}#r.a"},
      {"#r{a=1}#r.a", "#r{a = 1}#r.a"},
      {"(X#r{a=1})#{b=>2}", "(X#r{a = 1})#{b => 2}"},
      {"(M#{a=>1})#r.b", "(M#{a => 1})#r.b"},
      {"(1)#r.a", "(1)#r.a"},
      {"#r.a", "#r.a"},
      {"#'a b'.'C'", "#'a b'.'C'"},
  };
  for (const Row& row : rows) EXPECT_EQ(print_expression(row.source), row.printed);
}

TEST(Print, Operations) {
  const Row rows[] = {
      {"1+2*3", "1 + 2 * 3"},
      {"(1+2)*3", "(1 + 2) * 3"},
      {"1-(2-3)", "1 - (2 - 3)"},
      {"(1-2)-3", "1 - 2 - 3"},
      {"A++B++C", "A ++ B ++ C"},
      {"(A++B)++C", "(A ++ B) ++ C"},
      {"A--(B++C)", "A -- B ++ C"},
      {"(A<B)==C", "(A < B) == C"},
      {"A andalso B orelse C", "A andalso B orelse C"},
      {"A andalso (B orelse C)", "A andalso (B orelse C)"},
      {"A and B or C", "A and B or C"},
      {"not (A and B)", "not (A and B)"},
      {"not not A", "not not A"},
      {"-(-1)", "- -1"},
      {"- - -X", "- - -X"},
      {"not -1", "not -1"},
      {"-(not X)", "- not X"},
      {"-X#r.a", "-X#r.a"},
      {"(-X)#r.a", "(-X)#r.a"},
      {"-f(X)", "-f(X)"},
      {"1 - -1", "1 - -1"},
      {"1 - - -1", "1 - - -1"},
      {"+ -X", "+ -X"},
      {"bnot X bsl 2", "bnot X bsl 2"},
      {"bnot (X bsl 2)", "bnot (X bsl 2)"},
      {"A = B = C", "A = B = C"},
      {"(A = B) + 1", "(A = B) + 1"},
      {"A ! B ! C", "A ! B ! C"},
      {"A = B ! C = D", "A = B ! C = D"},
      {"(A ! B) = C", "(A ! B) = C"},
      {"X = catch f()", "X = (catch f())"},
      {"1 + catch f()", "1 + (catch f())"},
      {"catch X = f()", "catch X = f()"},
      {"catch catch X", "catch catch X"},
      {"[catch X, {catch Y}]", "[catch X, {catch Y}]"},
      {"f(catch X)", "f(catch X)"},
      {"f/1", "f/1"},
      {"X/1", "X / 1"},
  };
  for (const Row& row : rows) EXPECT_EQ(print_expression(row.source), row.printed);
}

TEST(Print, CallsAndFuns) {
  const Row rows[] = {
      {"f()", "f()"},
      {"m:f(X,Y)", "m:f(X, Y)"},
      {"M:F(X)", "M:F(X)"},
      {"m:f", "m:f"},
      {"(m:f)(X)", "m:f(X)"},
      {"(f(X))(Y)", "(f(X))(Y)"},
      {"(m:f(X)):g()", "(m:f(X)):g()"},
      {"(m()):(g())()", "(m()):(g())()"},
      {"(X#r.f)(Y)", "(X#r.f)(Y)"},
      {"fun f/1", "fun f/1"},
      {"fun m:f/1", "fun m:f/1"},
      {"fun M:F/A", "fun M:F/A"},
      {"fun 'a b'/1", "fun 'a b'/1"},
      {"(fun f/1)(X)", "(fun f/1)(X)"},
      {"fun(X) -> X end", "fun(X) -> X end"},
      {"(fun(X) -> X end)(1)", "(fun(X) -> X end)(1)"},
      {"fun F(X) when X > 0 -> F(X-1) end", "fun F(X) when X > 0 -> F(X - 1) end"},
      {"(begin a end)#r.a", "(begin\n    a\nend)#r.a"},
  };
  for (const Row& row : rows) EXPECT_EQ(print_expression(row.source), row.printed);
}

TEST(Print, Comprehensions) {
  const Row rows[] = {
      {"[X||X<-L]", "[X || X <- L]"},
      {"[{X,Y}||X<-L,X>1,<<Y:4>><=B]", "[{X, Y} || X <- L, X > 1, <<Y:4>> <= B]"},
      {"<<<<X>>||X<-L>>", "<< <<X>> || X <- L >>"},
      {"<<(f(X))||X<-L>>", "<< (f(X)) || X <- L >>"},
      {"#{K=>V||K:=V<-M}", "#{K => V || K := V <- M}"},
      {"[X||X<:-L,<<Y>><:=B,K:=V<:-M]", "[X || X <:- L, <<Y>> <:= B, K := V <:- M]"},
      {"[X||X<-A&&Y<-B,Z<-C]", "[X || X <- A && Y <- B, Z <- C]"},
      {"[X||(X=Y)<-L]", "[X || X = Y <- L]"},
      {"(#{K=>V||K:=V<-M})#{a=>1}", "(#{K => V || K := V <- M})#{a => 1}"},
  };
  for (const Row& row : rows) EXPECT_EQ(print_expression(row.source), row.printed);
}

TEST(Print, Types) {
  const Row rows[] = {
      {"a|b|c", "a | b | c"},
      {"(a|b)|c", "(a | b) | c"},
      {"a|(b|c)", "a | b | c"},
      {"X::integer()", "X :: integer()"},
      {"a|(X::b)", "a | (X :: b)"},
      {"(X::a)|b", "(X :: a) | b"},
      {"X::a|b", "X :: a | b"},
      {"1..10", "1..10"},
      {"-1..(1 bsl 8)-1", "-1..1 bsl 8 - 1"},
      {"1*(2+3)", "1 * (2 + 3)"},
      {"$a..$z", "$a..$z"},
      {"[]", "[]"},
      {"nil()", "[]"},
      {"[a]", "[a]"},
      {"list(a)", "[a]"},
      {"list()", "list()"},
      {"[a,...]", "[a, ...]"},
      {"nonempty_list()", "nonempty_list()"},
      {"{}", "{}"},
      {"tuple()", "tuple()"},
      {"{a,b}", "{a, b}"},
      {"map()", "map()"},
      {"#{}", "#{}"},
      {"#{a=>b,c:=d}", "#{a => b, c := d}"},
      {"#r{}", "#r{}"},
      {"#r{a::b}", "#r{a :: b}"},
      {"<<>>", "<<>>"},
      {"<<_:8>>", "<<_:8>>"},
      {"<<_:_*8>>", "<<_:_*8>>"},
      {"<<_:(1+2),_:_*(2*3)>>", "<<_:(1 + 2), _:_*(2 * 3)>>"},
      {"binary()", "binary()"},
      {"fun()", "fun()"},
      {"fun((...)->a)", "fun((...) -> a)"},
      {"fun(()->a)", "fun(() -> a)"},
      {"fun((A,b)->c|d)", "fun((A, b) -> c | d)"},
      {"m:t(a)", "m:t(a)"},
      {"my(a,_)", "my(a, _)"},
  };
  for (const Row& row : rows) EXPECT_EQ(print_type(row.source), row.printed);
}

TEST(Print, Attributes) {
  const Row rows[] = {
      {"-module(m).", "-module(m).\n"},
      {"-module(m,[A,B]).", "-module(m, [A, B]).\n"},
      {"-export([f/1,'G'/2]).", "-export([f/1, 'G'/2]).\n"},
      {"-import(lists,[map/2]).", "-import(lists, [map/2]).\n"},
      {"-compile({inline,[f/1]}).", "-compile({inline, [f/1]}).\n"},
      {"-vsn(\"1\").", "-vsn(\"1\").\n"},
      {"-my_own #{a=>-1.5}.", "-my_own(#{a => -1.5}).\n"},
      {"-'Odd one'([]).", "-'Odd one'([]).\n"},
      {"-record(r,{a,b=1,c::d,e=f::g|h}).", "-record(r, {a, b = 1, c :: d, e = f :: g | h}).\n"},
      {"-record(r,{}).", "-record(r, {}).\n"},
      {"-type t()::a.", "-type t() :: a.\n"},
      {"-opaque t(X,Y)::{X,Y}.", "-opaque t(X, Y) :: {X, Y}.\n"},
      {"-nominal t()::a.", "-nominal t() :: a.\n"},
      {"-spec f(a)->b.", "-spec f(a) -> b.\n"},
      {"-spec m:f(a)->b.", "-spec m:f(a) -> b.\n"},
      {"-callback f(A::a)->b.", "-callback f(A :: a) -> b.\n"},
      {"-spec f(A)->B when A::a,B::b.", "-spec f(A) -> B when A :: a, B :: b.\n"},
      {"-spec f(A)->a when is_subtype(A,b).", "-spec f(A) -> a when A :: b.\n"},
      {"-spec f(a)->b;(c)->d.", "-spec f\n    (a) -> b;\n    (c) -> d.\n"},
  };
  for (const Row& row : rows) {
    const Parsed parsed = parse_text(std::string(row.source) + "\n");
    EXPECT_EQ(parsed.errors, "") << row.source;
    EXPECT_EQ(print_forms(parsed), row.printed);
  }
}

// ---- Layout -----------------------------------------------------------------

// The text is as the printer writes it.
void expect_stays(const std::string& text) {
  const Parsed parsed = parse_text(text);
  ASSERT_EQ(parsed.errors, "");
  const std::string printed = print_unit(parsed.unit);
  EXPECT_EQ(printed, "-file(\"test.erl\", 1).\n\n" + text);
}

TEST(PrintLayout, BlankLines) {
  expect_stays(R"(-module(m).
-export([f/1]).

-record(r, {a}).

-type t() :: a.
-type u() :: b.

-spec f(t()) -> u().
f(a) -> b;
f(b) ->
    f(a).

g() ->
    f(a).
)");
}

TEST(PrintLayout, Blocks) {
  expect_stays(R"(f(X) ->
    Y =
        case X of
            a -> 1;
            b when X > 1, X < 2; X == 3 ->
                io:format("b"),
                2
        end,
    if
        Y > 1 -> ok;
        true -> error
    end,
    receive
        {msg, M} -> M;
        stop -> ok
    after 1000 ->
        timeout
    end,
    receive
    after infinity ->
        ok
    end,
    begin
        a,
        b
    end,
    F = fun
        (1) -> one;
        (N) when N > 1 -> many
    end,
    G = fun() ->
        a,
        F
    end,
    spawn(fun() ->
        a,
        G()
    end),
    maybe
        {ok, A} ?= f(X),
        A
    else
        error -> none
    end.
)");
}

TEST(PrintLayout, Try) {
  expect_stays(R"(f() ->
    try g() of
        ok -> fine
    catch
        throw:T -> T;
        error:{badmatch, V}:Stack when V > 1 -> {V, Stack};
        Class:_ -> Class;
        exit:(X = {shutdown, _}) -> X
    after
        h()
    end,
    try
        a,
        b
    of
        _ -> ok
    after
        c
    end,
    try
        a
    catch
        _:_ -> b
    end.
)");
}

TEST(PrintLayout, LongThingsBreak) {
  expect_stays(R"(-spec long_function_name(
    First :: some_module:some_type(),
    Second :: other_module:other_type(),
    Third :: integer()
) -> {ok, pid()}.
long_function_name(First, Second, Third) when
        is_integer(Third), Third > 0, is_map_key(a_long_key_name, First);
        is_atom(Second) ->
    Result = some_module_name:some_function_name(
        First,
        {tuple, with, some, elements},
        [list, with, elements],
        #{map => value, other => value}
    ),
    Medium =
        some_module_name:function_that_fits_on_one_line(First, Second, Third, [element]),
    Condition =
        is_first_condition(Result) andalso
            is_second_condition(Result, Medium) andalso
            (is_third(Result) orelse is_fourth_condition(Medium)),
    #state_record{
        first_field = Condition,
        second_field = some_module_name:some_function_name(First, Second),
        third_field = [
            {one, thing, after_another},
            {second, thing, after_another},
            {third, thing, after_another, yes}
        ]
    },
    [
        {Element, some_function_name(Element, First, Second)}
        || Element <- some_module_name:some_list(Third),
           is_a_condition_of_some_length(Element)
    ],
    [
        1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1010, 1011, 1012,
        1013, 1014, 1015, 1016, 1017, 1018
    ].
)");
}

TEST(PrintLayout, TypesBreakAtBars) {
  expect_stays(R"(-type t(X) ::
    {some_quite_long_tag_of_a_tuple, X}
    | #{key_of_the_map := X, other_key_of_the_map => X}
    | fun((X, X) -> {ok, X} | {error, term()}).

-type u() ::
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaa | bbbbbbbbbbbbbbbbbbbbbbbbbbbb | cccccccccccccccccccc.

-record(state, {
    name :: atom(),
    table = ets:new(table, [public]) :: ets:tid(),
    callback = fun(X) -> X end :: fun((term()) -> term())
}).

-spec f(A, B) -> C when
    A :: some_long_type_name_number_one(),
    B :: some_long_type_name_number_two(),
    C :: integer().
f(A, B) ->
    A + B.
)");
}

TEST(PrintLayout, LongTextsBreakAtNewlines) {
  expect_stays(R"(usage() ->
    io:format(
        "usage: fathom COMMAND [OPTIONS] PATH...\n"
        "\n"
        "Commands:\n"
        "  parse\n",
        []
    ).
)");
}

TEST(PrintLayout, ErrorsAreComments) {
  const Parsed parsed = parse_text("-module(m).\nf( -> .\ng() -> ok.\n");
  EXPECT_NE(parsed.errors, "");
  const std::string printed = print_unit(parsed.unit);
  EXPECT_NE(printed.find("\n% error: "), std::string::npos) << printed;
  EXPECT_EQ(parse_text(printed).errors, "");
}

// ---- Reading back -----------------------------------------------------------

constexpr std::string_view kAllKinds = R"(
-module(m).
-my({a, "s", 'Q', -1, 1.5, $c, <<"b">>, #{k => v}, fun m:f/1}).
-record(r, {a, b = 1, c :: t(), d = 2 :: X :: integer() | 1..2}).
-type t() :: tuple() | m:t(a) | [a, ...] | fun((...) -> any()) | my(X) | <<_:1>> | -1 .
-spec f(A, B) -> A when A :: B, B :: t().
f(X, [H | T]) when X > 1, H; not T ->
    <<A:4/little-unit:8, B/binary>> = X,
    #{a := 1} = M = #{b => 2},
    M#{a := 1, b => 2},
    #r{a = 1}, X#r{a = 1}, X#r.a, #r.a,
    X ! -Y,
    m:f(X), begin a, b end,
    if X -> a; true -> b end,
    case X of a -> b end,
    receive a -> b after 1 -> c end,
    try a of b -> c catch d:e:F -> g after h end,
    catch a,
    maybe a ?= b, c else d -> e end,
    fun(Z) -> Z end, fun F(Z) -> F(Z) end, fun f/1, fun m:f/1, fun X:Y/Z,
    [X || X <- a, Y <:- b, <<Z>> <= c, <<W>> <:= d, K := V <- e, K := V <:- f, X],
    << <<X>> || X <- a >>, #{X => Y || X <- a && Y <- b},
    {1, 123456789012345678901234567890, 1.5, $a, "s", a, Var}.
)";

TEST(PrintRoundTrip, EveryKindOfNode) {
  expect_round_trip(std::string(kAllKinds));
  const Parsed parsed = parse_text(std::string(kAllKinds));
  std::set<NodeKind> seen = {NodeKind::ErrorForm, NodeKind::WarningForm};
  for (size_t i = 0; i < parsed.ast().size(); ++i) {
    seen.insert(parsed.ast().kind(NodeId{static_cast<uint32_t>(i)}));
  }
  const NodeKind all[] = {
#define NODE(Id, Tag, Fields) NodeKind::Id,
#include "syntax/nodes.def"
#undef NODE
  };
  for (const NodeKind kind : all) {
    EXPECT_TRUE(seen.count(kind)) << schema_of(kind).tag << " is missing in kAllKinds";
  }
}

// Constructs with places for expressions, marked @.
constexpr std::string_view kConstructs[] = {
    "a",
    "1",
    "1.5",
    "$a",
    "\"s\"",
    "X",
    "[]",
    "[@ | @]",
    "{@, @}",
    "<<@:(@), (@)/binary>>",
    "<<-(@)>>",
    "#{@ => @, @ := @}",
    "(@)#{@ => @}",
    "#r{a = @, _ = @}",
    "(@)#r{a = @}",
    "(@)#r.a",
    "#r.a",
    "@ = @",
    "@ ! @",
    "@ orelse @",
    "@ andalso @",
    "@ == @",
    "@ ++ @",
    "@ -- @",
    "@ + @",
    "@ bsl @",
    "@ * @",
    "@ rem @",
    "- @",
    "+ @",
    "not @",
    "bnot @",
    "catch @",
    "(@)(@, @)",
    "(@):(@)",
    "(@):(@)(@)",
    "begin @, @ end",
    "if @, @; @ -> @; true -> @ end",
    "case @ of @ when @ -> @; @ -> @, @ end",
    "receive @ -> @ after @ -> @ end",
    "try @ of @ -> @ catch a:b:C -> @; error:X when @ -> @ after @ end",
    "maybe @ ?= @, @ else @ -> @ end",
    "fun() -> @ end",
    "fun (a) -> @; (X) when @ -> @, @ end",
    "fun F(X) -> @ end",
    "fun f/1",
    "fun M:F/A",
    "[@ || @ <- @, @, <<X>> <= @]",
    "<< (@) || @ <- @ >>",
    "#{@ => @ || @ := @ <- @, @ <- @ && @ <:- @}",
};

std::string filled(std::string_view construct, size_t place, const std::string& inner) {
  std::string out;
  size_t at = 0;
  for (const char c : construct) {
    if (c != '@') {
      out += c;
    } else {
      out += at++ == place ? "(" + inner + ")" : "x";
    }
  }
  return out;
}

size_t places_of(std::string_view construct) {
  return static_cast<size_t>(std::count(construct.begin(), construct.end(), '@'));
}

std::vector<std::string> constructs_around(const std::vector<std::string>& inner) {
  std::vector<std::string> all;
  for (const std::string_view outer : kConstructs) {
    for (size_t place = 0; place < places_of(outer); ++place) {
      for (const std::string& one : inner) all.push_back(filled(outer, place, one));
    }
  }
  return all;
}

TEST(PrintRoundTrip, EveryConstructInEveryPlace) {
  std::vector<std::string> small;
  for (const std::string_view construct : kConstructs) {
    small.push_back(filled(construct, static_cast<size_t>(-1), ""));
  }
  const std::vector<std::string> pairs = constructs_around(small);
  std::string module;
  for (const std::string& expression : pairs) module += function_of(expression);
  expect_round_trip(module);
}

// Operators and what binds tighter, three deep.
TEST(PrintRoundTrip, OperatorsThreeDeep) {
  const std::string_view constructs[] = {
      "@ = @", "@ ! @", "@ orelse @", "@ andalso @", "@ < @",  "@ ++ @", "@ - @",  "@ * @",
      "- @",   "not @", "catch @",    "(@)#r.a",     "(@)#{}", "(@)(@)", "(@):(@)"};
  std::vector<std::string> level = {"x"};
  for (int depth = 0; depth < 3; ++depth) {
    std::vector<std::string> next;
    for (const std::string_view outer : constructs) {
      for (size_t place = 0; place < places_of(outer); ++place) {
        for (const std::string& one : level) next.push_back(filled(outer, place, one));
      }
    }
    level = std::move(next);
  }
  std::string module;
  for (const std::string& expression : level) module += function_of(expression);
  expect_round_trip(module);
}

// Without its only pair of parentheses, an operation would be another one.
TEST(PrintRoundTrip, ParenthesesOfOperatorsAreNeeded) {
  const std::string_view operators[] = {"@ orelse @", "@ andalso @", "@ < @",  "@ ++ @",
                                        "@ - @",      "@ * @",       "bnot @", "not @"};
  size_t checked = 0;
  for (const std::string_view outer : operators) {
    for (size_t place = 0; place < places_of(outer); ++place) {
      for (const std::string_view inner : operators) {
        const std::string source = filled(outer, place, filled(inner, static_cast<size_t>(-1), ""));
        std::string printed = print_expression(source);
        if (printed.find('(') == std::string::npos) continue;
        ++checked;
        const Parsed with = parse_text(function_of(printed));
        std::erase_if(printed, [](char c) { return c == '(' || c == ')'; });
        const Parsed without = parse_text(function_of(printed));
        EXPECT_TRUE(!without.errors.empty() || !same_tree(with.unit, without.unit)) << source;
      }
    }
  }
  EXPECT_GT(checked, 20u);
}

// Debug info may hold anything: it prints somehow, and nothing breaks.
TEST(PrintRoundTrip, MalformedTypesPrintAsNames) {
  const SourceMap sources;
  const Literals literals;
  Unit unit(sources, literals);
  const NodeId one = unit.ast.add(NodeKind::Integer, {}, {}, {}, {1});
  for (const Atom name : {atoms::range, atoms::record, atoms::binary, atoms::fun_, atoms::union_,
                          atoms::map_field_assoc, atoms::field_type, atoms::nil}) {
    for (size_t count = 0; count < 4; ++count) {
      const std::vector<NodeId> arguments(count, one);
      const NodeId type = unit.ast.add(NodeKind::Type, {}, {}, {},
                                       {field(name), field(unit.ast.add_list(arguments))});
      EXPECT_NE(print_expr(unit, type), "");
    }
  }
  const NodeId fun = unit.ast.add(NodeKind::Fun, {}, {}, {}, {field(unit.ast.add_list({&one, 1}))});
  EXPECT_NE(print_expr(unit, fun), "");
}

// ---- The judge itself -------------------------------------------------------

std::string difference_of(std::string_view left, std::string_view right) {
  const Parsed a = parse_text(std::string(left));
  const Parsed b = parse_text(std::string(right));
  const auto difference = find_difference(a.unit, b.unit);
  return difference ? difference->what : "";
}

TEST(Compare, FindsTheFirstDifference) {
  EXPECT_EQ(difference_of("f() -> {a, 1}.", "f() ->\n  {'a',\n 16#1}. % places do not count"), "");
  EXPECT_EQ(difference_of("f() -> {a, 1}.", "f() -> {a, 2}."), "value: 1, 2");
  EXPECT_EQ(difference_of("f() -> {a, 1}.", "f() -> {b, 2}."), "value: a, b");
  EXPECT_EQ(difference_of("f() -> {a, 1}.", "f() -> [a, 1]."), "kind: tuple, list");
  EXPECT_EQ(difference_of("f() -> {a, 1}.", "f() -> {a}."), "missing: integer, none");
  EXPECT_EQ(difference_of("f() -> [a].", "f() -> [a|b]."), "missing: none, atom");
  EXPECT_EQ(difference_of("f() -> 1.0.", "f() -> 2.0."), "value: 1.0, 2.0");
  EXPECT_EQ(difference_of("f() -> 12345678901.", "f() -> 12345678902."),
            "value: 12345678901, 12345678902");
  EXPECT_EQ(difference_of("f() -> \"a\".", "f() -> \"b\"."), "value: a, b");
  EXPECT_EQ(difference_of("f() when a; b -> 1.", "f() when a, b -> 1."),
            "guard: 2 alternatives, 1");
  EXPECT_EQ(difference_of("f() -> 1.\ng() -> 1.", "f() -> 1."), "kind: function, eof");
}

// ---- Depth ------------------------------------------------------------------

constexpr size_t kDeep = 100000;

std::string repeated(std::string_view text, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; ++i) out += text;
  return out;
}

TEST(PrintDepth, LongChainsOfOperators) {
  expect_round_trip(function_of("x" + repeated(" ++ x", kDeep)));
  expect_round_trip(function_of("x" + repeated(" - x", kDeep)));
  expect_round_trip(function_of("X" + repeated(" = X", kDeep)));
  expect_round_trip(function_of(repeated("not ", kDeep) + "x"));
  expect_round_trip(function_of("X" + repeated("#r{a = 1}", kDeep)));
}

// Deeper than the parser lets text be; debug info may be so.
TEST(PrintDepth, DeepData) {
  const SourceMap sources;
  const Literals literals;
  Unit unit(sources, literals);
  NodeId node = unit.ast.add(NodeKind::List, {}, {}, {}, {0, field(kNoNode)});
  for (size_t i = 0; i < kDeep; ++i) {
    const ListId elements = unit.ast.add_list({&node, 1});
    node = i % 2 == 0 ? unit.ast.add(NodeKind::Tuple, {}, {}, {}, {field(elements)})
                      : unit.ast.add(NodeKind::List, {}, {}, {}, {field(elements), field(kNoNode)});
  }
  EXPECT_EQ(print_expr(unit, node).size(), 2 * kDeep + 2);
}

}  // namespace
}  // namespace fathom::print_test
