// Trees of every construct of the language, as tables of source and terse dump. That
// the places are OTP's is what tests/differential compares; the syntax of OTP 26 to
// 28, which OTP 25 does not read, is checked here with its places too, by the grammar
// of OTP 28 (erl_parse.yrl) and "The Abstract Format" in the ERTS user's guide.
#include "syntax/parser.h"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>

#include "base/term_print.h"
#include "parsed.h"
#include "syntax/abstract.h"
#include "terse.h"

namespace fathom::parser_test {
namespace {

struct Row {
  std::string_view source;
  std::string_view tree;
};

std::string expression_tree(std::string_view source) {
  const Parsed parsed = parse_text("f() -> " + std::string(source) + ".\n");
  return parsed.errors.empty() ? terse(parsed.unit, parsed.expression()) : parsed.errors;
}

std::string form_trees(std::string_view source) {
  const Parsed parsed = parse_text(std::string(source));
  if (!parsed.errors.empty()) return parsed.errors;
  std::string out;
  for (const NodeId form : parsed.forms()) {
    if (!out.empty()) out += ' ';
    out += terse(parsed.unit, form);
  }
  return out;
}

std::string type_tree(std::string_view source) {
  const Parsed parsed = parse_text("-type t() :: " + std::string(source) + ".\n");
  if (!parsed.errors.empty()) return parsed.errors;
  return terse(parsed.unit, parsed.ast().get<node::TypeDecl>(parsed.forms()[0]).type);
}

void check(std::string (*tree)(std::string_view), std::span<const Row> rows) {
  for (const Row& row : rows) EXPECT_EQ(tree(row.source), row.tree) << row.source;
}

TEST(ParseExpression, Literals) {
  const Row rows[] = {
      {"a", "a"},
      {"'a b'", "'a b'"},
      {"X", "X"},
      {"_", "_"},
      {"12345678901234567890", "12345678901234567890"},
      {"1.5", "1.5"},
      {"$a", "$a"},
      {"\"a\" \"b\" \"c\"", "\"abc\""},
  };
  check(expression_tree, rows);
}

TEST(ParseExpression, Data) {
  const Row rows[] = {
      {"[]", "list{[] -}"},
      {"[a]", "list{[a] -}"},
      {"[a, b | T]", "list{[a b] T}"},
      {"[a | [b | []]]", "list{[a] list{[b] list{[] -}}}"},
      {"{}", "tuple{[]}"},
      {"{a, {b}}", "tuple{[a tuple{[b]}]}"},
      {"#{}", "map{[]}"},
      {"#{a => 1, B := 2}", "map{[map_field_assoc{a 1} map_field_exact{B 2}]}"},
      {"M#{a => 1}", "map_update{M [map_field_assoc{a 1}]}"},
      {"M#{a => 1}#{b := 2}",
       "map_update{map_update{M [map_field_assoc{a 1}]} [map_field_exact{b 2}]}"},
      {"#{1 + 1 => catch 2}", "map{[map_field_assoc{op{+ 1 1} catch{2}}]}"},
      {"#r{}", "record{r []}"},
      {"#r{a = 1, _ = 2}", "record{r [record_field{a 1} record_field{_ 2}]}"},
      {"X#r{a = 1}", "record_update{X r [record_field{a 1}]}"},
      {"X#r.a", "record_access{X r a}"},
      {"#r.a", "record_index{r a}"},
      {"#r{}#s.a#t{}", "record_update{record_access{record{r []} s a} t []}"},
      {"(f(X))#r.a", "record_access{call{f [X]} r a}"},
  };
  check(expression_tree, rows);
}

TEST(ParseExpression, Binaries) {
  const Row rows[] = {
      {"<<>>", "bin{[]}"},
      {"<<1>>", "bin{[bin_element{1 - []}]}"},
      {"<<\"abc\">>", "bin{[bin_element{\"abc\" - []}]}"},
      {"<<X:8>>", "bin{[bin_element{X 8 []}]}"},
      {"<<X/binary>>", "bin{[bin_element{X - [segment_type{binary -}]}]}"},
      {"<<X:N/little-signed-integer-unit:8>>",
       "bin{[bin_element{X N [segment_type{little -} segment_type{signed -} segment_type{integer "
       "-} "
       "segment_type{unit 8}]}]}"},
      {"<<1, (X + 1):(2 * 8)>>", "bin{[bin_element{1 - []} bin_element{op{+ X 1} op{* 2 8} []}]}"},
      {"<<-1, +X, bnot 2, not a>>",
       "bin{[bin_element{unary_op{- 1} - []} bin_element{unary_op{+ X} - []} "
       "bin_element{unary_op{bnot 2} - []} bin_element{unary_op{not a} - []}]}"},
      {"<<<<1>>/binary>>",
       "bin{[bin_element{bin{[bin_element{1 - []}]} - [segment_type{binary -}]}]}"},
      {"<<X:$a>>", "bin{[bin_element{X $a []}]}"},
  };
  check(expression_tree, rows);
}

TEST(ParseExpression, CallsAndFuns) {
  const Row rows[] = {
      {"f()", "call{f []}"},
      {"f(1, 2)", "call{f [1 2]}"},
      {"m:f(1)", "call{remote{m f} [1]}"},
      {"M:F(X)", "call{remote{M F} [X]}"},
      {"(m:f()):(g())()", "call{remote{call{remote{m f} []} call{g []}} []}"},
      {"F()", "call{F []}"},
      {"(fun() -> a end)()", "call{fun{[clause{[] [] [a]}]} []}"},
      {"fun() -> a end()", "call{fun{[clause{[] [] [a]}]} []}"},
      {"m:f", "remote{m f}"},
      {"\"a\":\"b\"()", "call{remote{\"a\" \"b\"} []}"},
      {"fun f/1", "fun_name{f 1}"},
      {"fun m:f/1", "fun_remote{m f 1}"},
      {"fun M:F/A", "fun_remote{M F A}"},
      {"fun(X) when X > 1, a; b -> X; (_) -> 1, 2 end",
       "fun{[clause{[X] [[op{> X 1} a] [b]] [X]} clause{[_] [] [1 2]}]}"},
      {"fun F(0) -> 1; F(N) -> F(N - 1) end",
       "named_fun{F [clause{[0] [] [1]} clause{[N] [] [call{F [op{- N 1}]}]}]}"},
  };
  check(expression_tree, rows);
}

TEST(ParseExpression, Control) {
  const Row rows[] = {
      {"begin a, b end", "block{[a b]}"},
      {"if X -> 1; Y, Z; W -> 2 end", "if{[clause{[] [[X]] [1]} clause{[] [[Y Z] [W]] [2]}]}"},
      {"case X of 1 -> a; Y when Y > 1 -> b, c end",
       "case{X [clause{[1] [] [a]} clause{[Y] [[op{> Y 1}]] [b c]}]}"},
      {"receive a -> b end", "receive{[clause{[a] [] [b]}] - []}"},
      {"receive a -> b after 10 -> c, d end", "receive{[clause{[a] [] [b]}] 10 [c d]}"},
      {"receive after infinity -> ok end", "receive{[] infinity [ok]}"},
      {"catch f(), 1", "catch{call{f []}}"},
      {"try a catch b -> c end", "try{[a] [] [clause{[tuple{[throw b _]}] [] [c]}] []}"},
      {"try a of b -> c catch error:E -> d end",
       "try{[a] [clause{[b] [] [c]}] [clause{[tuple{[error E _]}] [] [d]}] []}"},
      {"try a catch C:{E}:S when S -> d after e, f end",
       "try{[a] [] [clause{[tuple{[C tuple{[E]} S]}] [[S]] [d]}] [e f]}"},
      {"try a after b end", "try{[a] [] [] [b]}"},
      {"try a, b of c -> d after e end", "try{[a b] [clause{[c] [] [d]}] [] [e]}"},
      {"maybe ok ?= f(), X = 1, {a, Y} ?= X end",
       "maybe{[maybe_match{ok call{f []}} match{X 1} maybe_match{tuple{[a Y]} X}] -}"},
      {"maybe a else b -> c; d when e -> f end",
       "maybe{[a] else{[clause{[b] [] [c]} clause{[d] [[e]] [f]}]}}"},
  };
  check(expression_tree, rows);
}

TEST(ParseExpression, Comprehensions) {
  const Row rows[] = {
      {"[X || X <- L]", "lc{X [generate{X L}]}"},
      {"[{X, Y} || X <- L, X > 1, <<Y>> <= B]",
       "lc{tuple{[X Y]} [generate{X L} op{> X 1} b_generate{bin{[bin_element{Y - []}]} B}]}"},
      {"<< <<X>> || X <- L >>", "bc{bin{[bin_element{X - []}]} [generate{X L}]}"},
      {"<<(f(X)) || <<X:4>> <= B>>", "bc{call{f [X]} [b_generate{bin{[bin_element{X 4 []}]} B}]}"},
      {"[[Y || Y <- X] || X <- L]", "lc{lc{Y [generate{Y X}]} [generate{X L}]}"},
      // OTP 26
      {"#{K => V || K := V <- M}", "mc{map_field_assoc{K V} [m_generate{map_field_exact{K V} M}]}"},
      {"[K || K := _ <- M, {K} <- L]",
       "lc{K [m_generate{map_field_exact{K _} M} generate{tuple{[K]} L}]}"},
      // OTP 28
      {"[X || X <:- L]", "lc{X [generate_strict{X L}]}"},
      {"[X || <<X>> <:= B]", "lc{X [b_generate_strict{bin{[bin_element{X - []}]} B}]}"},
      {"[K || K := V <:- M]", "lc{K [m_generate_strict{map_field_exact{K V} M}]}"},
      {"[{X, Y} || X <- A && Y <:- B, X]",
       "lc{tuple{[X Y]} [zip{[generate{X A} generate_strict{Y B}]} X]}"},
      {"#{a => b || X <- A && Y <- B && Z <- C}",
       "mc{map_field_assoc{a b} [zip{[generate{X A} generate{Y B} generate{Z C}]}]}"},
      {"#{a => b || X <- A}#{c => d}",
       "map_update{mc{map_field_assoc{a b} [generate{X A}]} [map_field_assoc{c d}]}"},
      {"#{a => b || X <- A}:f()", "call{remote{mc{map_field_assoc{a b} [generate{X A}]} f} []}"},
  };
  check(expression_tree, rows);
}

TEST(ParseExpression, Sigils) {
  const Row rows[] = {
      {"~\"é\"", "bin{[bin_element{\"é\" - [segment_type{utf8 -}]}]}"},
      {"~b[a\\tb]", "bin{[bin_element{\"a\\tb\" - [segment_type{utf8 -}]}]}"},
      {"~B[a\\tb]", "bin{[bin_element{\"a\\\\tb\" - [segment_type{utf8 -}]}]}"},
      {"~s(a)", "\"a\""},
      {"~S(a\\)", "\"a\\\\\""},
      {"\"\"\"\n  a\n    b\n  \"\"\"", "\"a\\n  b\""},
      {"{~\"a\", ~s\"b\"}", "tuple{[bin{[bin_element{\"a\" - [segment_type{utf8 -}]}]} \"b\"]}"},
  };
  check(expression_tree, rows);
}

// All pairs of operators are in tests/differential; here is the shape of the rules.
TEST(ParseExpression, Precedence) {
  const Row rows[] = {
      {"A = B ! C", "match{A op{! B C}}"},
      {"A ! B = C", "op{! A match{B C}}"},
      {"A = B = C", "match{A match{B C}}"},
      {"A orelse B andalso C", "op{orelse A op{andalso B C}}"},
      {"A andalso B orelse C", "op{orelse op{andalso A B} C}"},
      {"A andalso B andalso C", "op{andalso A op{andalso B C}}"},
      {"A == B orelse C", "op{orelse op{== A B} C}"},
      {"A ++ B == C", "op{== op{++ A B} C}"},
      {"A ++ B -- C", "op{++ A op{-- B C}}"},
      {"A + B ++ C", "op{++ op{+ A B} C}"},
      {"A - B + C", "op{+ op{- A B} C}"},
      {"A + B * C", "op{+ A op{* B C}}"},
      {"A * B / C", "op{/ op{* A B} C}"},
      {"A bor B band C", "op{bor A op{band B C}}"},
      {"-A * B", "op{* unary_op{- A} B}"},
      {"not A and B", "op{and unary_op{not A} B}"},
      {"- - A", "unary_op{- unary_op{- A}}"},
      {"-A#r.f", "unary_op{- record_access{A r f}}"},
      {"-f(A)", "unary_op{- call{f [A]}}"},
      {"A = catch B + C", "match{A catch{op{+ B C}}}"},
      {"A + catch B + C", "op{+ A catch{op{+ B C}}}"},
      {"catch A = B", "catch{match{A B}}"},
      {"not catch A", "unary_op{not catch{A}}"},
      {"(A + B) * C", "op{* op{+ A B} C}"},
      {"A - (B - C)", "op{- A op{- B C}}"},
  };
  check(expression_tree, rows);
}

TEST(ParseForm, Functions) {
  const Row rows[] = {
      {"f() -> a.", "function{f 0 [clause{[] [] [a]}]}"},
      {"'f g'(X) -> X.", "function{f g 1 [clause{[X] [] [X]}]}"},
      {"f(0) -> a; f(N) when N > 0, b; c -> d, e.",
       "function{f 1 [clause{[0] [] [a]} clause{[N] [[op{> N 0} b] [c]] [d e]}]}"},
      {"f(X = {Y}, [H | T], #{a := B}, #r{c = C}, <<D:8>>, \"s\" ++ S) -> ok.",
       "function{f 6 [clause{[match{X tuple{[Y]}} list{[H] T} map{[map_field_exact{a B}]} record{r "
       "[record_field{c C}]} bin{[bin_element{D 8 []}]} op{++ \"s\" S}] [] [ok]}]}"},
      {"f(-1, 1 + 2, #r.a, ~\"x\") -> ok.",
       "function{f 4 [clause{[unary_op{- 1} op{+ 1 2} record_index{r a} bin{[bin_element{\"x\" - "
       "[segment_type{utf8 -}]}]}] [] [ok]}]}"},
  };
  check(form_trees, rows);
}

TEST(ParseForm, Attributes) {
  const Row rows[] = {
      {"-module(m).", "attribute{module [m]}"},
      {"-module(m, [X, Y]).", "attribute{module [m list{[X Y] -}]}"},
      {"-export([f/1, g/0]).", "attribute{export [list{[op{/ f 1} op{/ g 0}] -}]}"},
      {"-export [].", "attribute{export [list{[] -}]}"},
      {"-import(lists, [map/2]).", "attribute{import [lists list{[op{/ map 2}] -}]}"},
      {"-export_type([t/0]).", "attribute{export_type [list{[op{/ t 0}] -}]}"},
      {"-behaviour(gen_server).", "attribute{behaviour [gen_server]}"},
      {"-vsn(\"1\").", "attribute{vsn [\"1\"]}"},
      {"-compile([inline, {d, 'X'}]).", "attribute{compile [list{[inline tuple{[d 'X']}] -}]}"},
      {"-on_load(init/0).", "attribute{on_load [op{/ init 0}]}"},
      {"-foo #{a => [f/1, -1, +1.5, $c, <<1:4>>], b => fun m:f/1}.",
       "attribute{foo [map{[map_field_assoc{a list{[op{/ f 1} unary_op{- 1} unary_op{+ 1.5} $c "
       "bin{[bin_element{1 4 []}]}] -}} map_field_assoc{b fun_remote{m f 1}}]}]}"},
      {"-foo (a).", "attribute{foo [a]}"},
      // OTP 27: documentation.
      {"-moduledoc \"text\".", "attribute{moduledoc [\"text\"]}"},
      {"-moduledoc false.", "attribute{moduledoc [false]}"},
      {"-doc ~\"text\".", "attribute{doc [bin{[bin_element{\"text\" - [segment_type{utf8 -}]}]}]}"},
      {"-doc \"\"\"\n  a\n  b\n  \"\"\".", "attribute{doc [\"a\\nb\"]}"},
      {"-doc #{since => \"1\", group => f/1}.",
       "attribute{doc [map{[map_field_assoc{since \"1\"} map_field_assoc{group op{/ f 1}}]}]}"},
      {"-doc(#{equiv => f(X, 1)}).",
       "attribute{doc [map{[map_field_assoc{equiv call{f [X 1]}}]}]}"},
      {"-doc({file, \"doc.md\"}).", "attribute{doc [tuple{[file \"doc.md\"]}]}"},
      {"-doc hidden.", "attribute{doc [hidden]}"},
  };
  check(form_trees, rows);
}

TEST(ParseForm, Records) {
  const Row rows[] = {
      {"-record(r, {}).", "record_decl{r []}"},
      {"-record(r, {a, b = 1, c :: t(), d = [] :: [x]}).",
       "record_decl{r [record_field_decl{a - -} record_field_decl{b 1 -} record_field_decl{c - "
       "user_type{t []}} record_field_decl{d list{[] -} type{list [x]}}]}"},
      {"-record(r, {a = b = c}).", "record_decl{r [record_field_decl{a match{b c} -}]}"},
      {"-record('R r', {'A b'}).", "record_decl{R r [record_field_decl{'A b' - -}]}"},
      {"-record r, {a}.", "record_decl{r [record_field_decl{a - -}]}"},
  };
  check(form_trees, rows);
}

TEST(ParseForm, TypesAndSpecs) {
  const Row rows[] = {
      {"-type t() :: a.", "type_decl{type t [] a}"},
      {"-type(t(X, _Y) :: X).", "type_decl{type t [X _Y] X}"},
      {"-opaque t() :: a.", "type_decl{opaque t [] a}"},
      // OTP 28
      {"-nominal meter() :: integer().", "type_decl{nominal meter [] type{integer []}}"},
      {"-spec f() -> ok.", "spec{spec - f 0 [type{fun [type{product []} ok]}]}"},
      {"-spec m:f(a, X :: b) -> c.",
       "spec{spec m f 2 [type{fun [type{product [a ann_type{X b}]} c]}]}"},
      {"-spec(f(a) -> b; (c) -> d).",
       "spec{spec - f 1 [type{fun [type{product [a]} b]} type{fun [type{product [c]} d]}]}"},
      {"-spec f(X) -> Y when X :: a, is_subtype(Y, b).",
       "spec{spec - f 1 [bounded_fun{type{fun [type{product [X]} Y]} [constraint{X a} "
       "constraint{Y b}]}]}"},
      {"-callback f(a) -> b.", "spec{callback - f 1 [type{fun [type{product [a]} b]}]}"},
  };
  check(form_trees, rows);
}

TEST(ParseType, EveryConstruct) {
  const Row rows[] = {
      {"a", "a"},
      {"X", "X"},
      {"_", "_"},
      {"1", "1"},
      {"-1", "unary_op{- 1}"},
      {"$a", "$a"},
      {"1..2", "type{range [1 2]}"},
      {"-1..1 bsl 4", "type{range [unary_op{- 1} op{bsl 1 4}]}"},
      {"a | b | c", "type{union [a b c]}"},
      {"a | (b | c)", "type{union [a b c]}"},
      {"(a | b) | c", "type{union [type{union [a b]} c]}"},
      {"X :: a | b", "ann_type{X type{union [a b]}}"},
      {"a | X :: b", "type{union [a ann_type{X b}]}"},
      {"t()", "user_type{t []}"},
      {"t(a, b)", "user_type{t [a b]}"},
      {"integer()", "type{integer []}"},
      {"list(a)", "type{list [a]}"},
      {"list(a, b)", "user_type{list [a b]}"},
      {"m:t(a)", "remote_type{m t [a]}"},
      {"tuple()", "any_type{tuple}"},
      {"map()", "any_type{map}"},
      {"[]", "type{nil []}"},
      {"[a]", "type{list [a]}"},
      {"[a, ...]", "type{nonempty_list [a]}"},
      {"{}", "type{tuple []}"},
      {"{a, b}", "type{tuple [a b]}"},
      {"#{}", "type{map []}"},
      {"#{a := b, c => d}", "type{map [type{map_field_exact [a b]} type{map_field_assoc [c d]}]}"},
      {"#r{}", "type{record [r]}"},
      {"#r{f :: a}", "type{record [r type{field_type [f a]}]}"},
      {"<<>>", "type{binary [0 0]}"},
      {"<<_:8>>", "type{binary [8 0]}"},
      {"<<_:_*8>>", "type{binary [0 8]}"},
      {"<<_:4, _:_*8>>", "type{binary [4 8]}"},
      {"fun()", "type{fun []}"},
      {"fun((...) -> a)", "type{fun [any_arguments{} a]}"},
      {"fun((a, b) -> c)", "type{fun [type{product [a b]} c]}"},
      {"fun(() -> fun(() -> a))", "type{fun [type{product []} type{fun [type{product []} a]}]}"},
  };
  check(type_tree, rows);
}

// --- places of what OTP 25 does not read

std::string expression_term(std::string_view source) {
  const Parsed parsed = parse_text("f() -> " + std::string(source) + ".\n");
  if (!parsed.errors.empty()) return parsed.errors;
  TermArena arena;
  return written(to_abstract(parsed.unit, parsed.expression(), arena));
}

TEST(ParseExpression, PlacesOfNewSyntax) {
  const Row rows[] = {
      {"#{K => V || K := V <- M}",
       "{mc,{1,8},{map_field_assoc,{1,12},{var,{1,10},'K'},{var,{1,15},'V'}},"
       "[{m_generate,{1,27},{map_field_exact,{1,22},{var,{1,20},'K'},{var,{1,25},'V'}},"
       "{var,{1,30},'M'}}]}"},
      {"[X || X <:- L]",
       "{lc,{1,8},{var,{1,9},'X'},[{generate_strict,{1,16},{var,{1,14},'X'},{var,{1,20},'L'}}]}"},
      {"[X || <<X>> <:= L]",
       "{lc,{1,8},{var,{1,9},'X'},[{b_generate_strict,{1,20},{bin,{1,14},[{bin_element,{1,16},"
       "{var,{1,16},'X'},default,default}]},{var,{1,24},'L'}}]}"},
      // A zip stands at its first generator's arrow …
      {"[X || X <- A && Y <- B]",
       "{lc,{1,8},{var,{1,9},'X'},[{zip,{1,16},[{generate,{1,16},{var,{1,14},'X'},{var,{1,19},'A'}}"
       ","
       "{generate,{1,26},{var,{1,24},'Y'},{var,{1,29},'B'}}]}]}"},
      // … or at the comma after it.
      {"[X || X <- A && Y <- B, X]",
       "{lc,{1,8},{var,{1,9},'X'},[{zip,{1,30},[{generate,{1,16},{var,{1,14},'X'},{var,{1,19},'A'}}"
       ","
       "{generate,{1,26},{var,{1,24},'Y'},{var,{1,29},'B'}}]},{var,{1,32},'X'}]}"},
      {"~b\"a\"", "{bin,{1,8},[{bin_element,{1,10},{string,{1,10},\"a\"},default,[utf8]}]}"},
      {"~s\"a\"", "{string,{1,10},\"a\"}"},
  };
  for (const Row& row : rows) {
    std::string expected(row.tree);
    const size_t string = expected.find("\"a\"");  // ~w has no strings
    if (string != std::string::npos) expected.replace(string, 3, "[97]");
    EXPECT_EQ(expression_term(row.source), expected) << row.source;
  }
}

TEST(ParseForm, TermsOfDocumentation) {
  const Parsed parsed = parse_text("-doc #{equiv => f(X), since => ~\"27\"}.\n");
  TermArena arena;
  EXPECT_EQ(written(to_abstract(parsed.unit, parsed.forms()[0], arena)),
            "{attribute,{1,2},doc,#{equiv => {call,{1,17},{atom,{1,17},f},[{var,{1,19},'X'}]},"
            "since => <<50,55>>}}");
}

}  // namespace
}  // namespace fathom::parser_test
