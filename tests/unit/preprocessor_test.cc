// Directives: which forms come out, and what is said of wrong ones. That epp does the
// same with thousands of other texts, places included, is what
// tests/differential/preprocessor_test.escript compares.
#include "syntax/preprocessor.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "read_text.h"
#include "terse.h"

namespace fathom::preprocessor_test {
namespace {

using Headers = std::map<std::string, std::string>;

// What came out, in short: f/0 for a function, the value of other attributes than the
// -file before them all, `error` and `warning` for the forms that stand for one; then
// the messages.
std::string result_of(std::string_view text, const ReadOptions& options = {},
                      const Headers& headers = {}) {
  const ReadText read = read_text(std::string(text), options, headers);
  const Ast& ast = read.unit.ast;
  std::string out;
  for (const NodeId id : std::span(ast.forms()).subspan(1)) {
    if (ast.is(id, NodeKind::Eof)) continue;
    if (!out.empty()) out += ' ';
    if (ast.is(id, NodeKind::Function)) {
      const auto function = ast.get<node::Function>(id);
      out += fmt::format("{}/{}", function.name.text(), function.arity);
    } else if (ast.is(id, NodeKind::Attribute)) {
      const auto attribute = ast.get<node::Attribute>(id);
      out += attribute.name.text();
      out += terse_list(read.unit, attribute.values);
    } else {
      out += schema_of(ast.kind(id)).tag;
    }
  }
  if (!read.errors.empty()) out += fmt::format("{}{}", out.empty() ? "" : "\n", read.errors);
  return out;
}

struct Row {
  std::string_view source;
  std::string_view result;
};

void check(std::span<const Row> rows, const ReadOptions& options = {},
           const Headers& headers = {}) {
  for (const Row& row : rows)
    EXPECT_EQ(result_of(row.source, options, headers), row.result) << row.source;
}

// --- conditionals

TEST(Conditionals, Branches) {
  const Row rows[] = {
      {"-define(A, 1).\n-ifdef(A).\na()->1.\n-else.\nb()->1.\n-endif.\nc()->1.", "a/0 c/0"},
      {"-ifdef(A).\na()->1.\n-else.\nb()->1.\n-endif.\nc()->1.", "b/0 c/0"},
      {"-ifndef(A).\na()->1.\n-else.\nb()->1.\n-endif.\nc()->1.", "a/0 c/0"},
      {"-define(A, 1).\n-ifndef(A).\na()->1.\n-endif.\nc()->1.", "c/0"},
      {"-if(1 < 2).\na()->1.\n-elif(true).\nb()->1.\n-else.\nc()->1.\n-endif.", "a/0"},
      {"-if(1 > 2).\na()->1.\n-elif(true).\nb()->1.\n-else.\nc()->1.\n-endif.", "b/0"},
      {"-if(1 > 2).\na()->1.\n-elif(false).\nb()->1.\n-else.\nc()->1.\n-endif.", "c/0"},
      {"-if(false).\na()->1.\n-endif.", ""},
      // An atom and a variable are one name; any arity counts.
      {"-define(a(X), 1).\n-ifdef(a).\na()->1.\n-endif.", "a/0"},
      {"-define('A', 1).\n-ifdef(A).\na()->1.\n-endif.", "a/0"},
      {"-define(A, 1).\n-undef(A).\n-ifdef(A).\na()->1.\n-endif.", ""},
      {"-define(A, 1).\n-define(A(X), 1).\n-undef(A).\n-ifdef(A).\na()->1.\n-endif.", ""},
      {"-undef(A).\na()->1.", "a/0"},
      // Nested.
      {"-ifndef(A).\n-ifdef(A).\na()->1.\n-else.\nb()->1.\n-endif.\nc()->1.\n-endif.", "b/0 c/0"},
      {"-ifdef(A).\n-ifndef(A).\na()->1.\n-else.\nb()->1.\n-endif.\nc()->1.\n-else.\nd()->1.\n"
       "-endif.",
       "d/0"},
      // Nothing in a skipped part counts, not even what cannot be read.
      {"-ifdef(A).\nf() -> ).\n?no.\n-include(\"no\").\n-error(a).\n2#3.\n-define(B, 1).\n-endif.\n"
       "-ifdef(B).\nb()->1.\n-endif.",
       ""},
      {"-ifdef(A).\n-if(this is no condition).\n-elif().\n-endif.\n-endif.\na()->1.", "a/0"},
      // epp does not remember that a branch was taken.
      {"-if(true).\na()->1.\n-elif(false).\nb()->1.\n-elif(true).\nc()->1.\n-endif.",
       "a/0 c/0\nwarning 5:2 OTP takes this branch too, though one before it has been taken"},
      // A macro in the condition, and what is defined in a branch.
      {"-define(N, 3).\n-if(?N == 3).\n-define(M, 1).\n-endif.\n-ifdef(M).\na()->1.\n-endif.",
       "a/0"},
  };
  check(rows);
}

TEST(Conditionals, Errors) {
  const Row rows[] = {
      {"-endif.\na()->1.", "error a/0\n1:2 -endif without an -ifdef, -ifndef or -if before it"},
      {"-else.", "error\n1:2 -else without an -ifdef, -ifndef or -if before it"},
      {"-elif(true).", "error\n1:2 -elif without an -if before it"},
      {"-ifdef(A).\n-else.\na()->1.\n-else.\nb()->1.\n-endif.", "a/0 error\n4:2 a second -else"},
      {"-ifdef(A).\n-else.\na()->1.\n-elif(true).\nb()->1.\n-endif.",
       "a/0 error\n4:2 -elif behind -else"},
      {"-ifdef(A).\na()->1.", "error\n1:2 this -ifdef has no -endif"},
      {"-if(true).\n-ifndef(A).\na()->1.",
       "a/0 error\n1:2 this -if has no -endif, nor have 1 more behind it"},
      // A badly formed one counts as false.
      {"-ifdef.\na()->1.\n-endif.", "error\n1:7 badly formed -ifdef: write -ifdef(NAME)."},
      {"-ifdef().\n-endif.", "error\n1:8 badly formed -ifdef: write -ifdef(NAME)."},
      {"-ifdef(1).\n-endif.", "error\n1:8 badly formed -ifdef: write -ifdef(NAME)."},
      {"-ifdef(A, B).\n-endif.", "error\n1:9 badly formed -ifdef: write -ifdef(NAME)."},
      {"-ifndef \"A\".\na()->1.\n-else.\nb()->1.\n-endif.",
       "error b/0\n1:9 badly formed -ifndef: write -ifndef(NAME)."},
      {"-if.\n-endif.", "error\n1:4 badly formed -if: write -if(Expression)."},
      {"-if true.\n-endif.", "error\n1:5 badly formed -if: write -if(Expression)."},
      {"-if().\n-endif.", "error\n1:5 syntax error before `)`: expected an expression"},
      {"-if(true, true).\n-endif.", "error\n1:9 syntax error before `,`: expected `)`"},
      {"-if(?NO).\n-endif.", "error\n1:6 undefined macro ?NO"},
      {"-if(X = 1).\n-endif.", "error\n1:2 the condition of -if is not a guard expression"},
      {"-if(begin true end).\n-endif.",
       "error\n1:2 the condition of -if is not a guard expression"},
      {"-ifdef(A).\n-elif(+).\n-endif.",
       "error\n2:8 syntax error before `)`: expected an expression"},
      {"-ifdef(A).\n-endif(A).\n-endif.",
       "error\n3:2 -endif without an -ifdef, -ifndef or -if before it"},
      {"-ifndef(A).\n-endif(A).\na()->1.\n-endif.",
       "error a/0\n2:7 badly formed -endif: write -endif."},
      {"-ifndef(A).\n-else(A).\na()->1.\n-endif.",
       "error a/0\n2:6 badly formed -else: write -else."},
  };
  check(rows);
}

// Conditions by their value: yes, no, or the error.
TEST(Conditionals, Conditions) {
  const Row rows[] = {
      {"true", "yes"},
      {"false", "no"},
      {"1", "no"},
      {"a", "no"},
      {"not false", "yes"},
      {"not 1", "no"},
      // Arithmetic.
      {"1 + 2 * 3 == 7", "yes"},
      {"7 div 2 =:= 3", "yes"},
      {"-7 rem 2 =:= -1", "yes"},
      {"7 / 2 == 3.5", "yes"},
      {"1 div 0 == 1", "no"},
      {"1 / 0.0 == 1", "no"},
      {"1 bsl 70 == 1180591620717411303424", "yes"},
      {"1 bsl 1000000000 > 1", "no"},
      {"bnot 5 == -6", "yes"},
      {"(5 band 6) bor (1 bxor 3) == 6", "yes"},
      {"12345678901234567890123 + 1 > 12345678901234567890123", "yes"},
      // Comparison, with and without conversion.
      {"1 == 1.0", "yes"},
      {"1 =:= 1.0", "no"},
      {"1 =/= 1.0", "yes"},
      {"1 < a andalso a < {} andalso {} < #{} andalso #{} < [] andalso [] < <<>>", "yes"},
      {"\"ab\" == [97, 98]", "yes"},
      {"#{a => 1} == #{a => 1.0}", "yes"},
      // The right side counts only if it is needed.
      {"false andalso nope(1)", "no"},
      {"true orelse nope(1)", "yes"},
      {"true andalso 1", "no"},
      {"true and nope(1)", "no"},
      {"true xor true", "no"},
      // Guard functions; one that fails or does not exist makes the condition false.
      {"is_list([a | b])", "yes"},
      {"is_boolean(true)", "yes"},
      {"is_pid(a)", "no"},
      {"length([1, 2]) == 2", "yes"},
      {"length([1 | 2]) == 2", "no"},
      {"hd(\"a\") == $a", "yes"},
      {"tl([1]) == []", "yes"},
      {"element(2, {a, b}) == b", "yes"},
      {"element(3, {a, b}) == b", "no"},
      {"map_get(a, #{a => 1}) == 1", "yes"},
      {"is_map_key(b, #{a => 1})", "no"},
      {"byte_size(<<1:9>>) == 2 andalso bit_size(<<1:9>>) == 9", "yes"},
      {"tuple_size({}) == 0 andalso map_size(#{}) == 0 andalso size(<<1, 2>>) == 2", "yes"},
      {"round(1.5) + trunc(-1.5) + floor(-1.5) + ceil(1.5) + abs(-1) == 2", "yes"},
      {"is_record({r, 1}, r)", "yes"},
      {"erlang:is_atom(a)", "yes"},
      {"nope()", "no"},
      {"X", "no"},
      // defined().
      {"defined(D)", "yes"},
      {"defined('D')", "yes"},
      {"defined(NO)", "no"},
      {"not defined(NO) andalso ?D == 1", "yes"},
      {"defined(LINE) and defined(FILE) and defined(MODULE) and defined(FUNCTION_NAME)", "yes"},
      {"defined(MACHINE) and defined(OTP_RELEASE) and defined(FEATURE_ENABLED)", "yes"},
      {"defined(1)", "2:2 the condition of -if is not a guard expression"},
      // What is not a guard expression.
      {"lists:sum([1]) == 1", "2:2 the condition of -if is not a guard expression"},
      {"fun() -> true end", "2:2 the condition of -if is not a guard expression"},
      {"[X || X <- [true]]", "2:2 the condition of -if is not a guard expression"},
      {"a ! b", "2:2 the condition of -if is not a guard expression"},
      {"catch true", "2:2 the condition of -if is not a guard expression"},
  };
  for (const Row& row : rows) {
    const std::string result = result_of(fmt::format(
        "-define(D, 1).\n-if({}).\nyes() -> 1.\n-else.\nno() -> 1.\n-endif.\n", row.source));
    const std::string expected = row.result.size() <= 3 ? fmt::format("{}/0", row.result)
                                                        : fmt::format("error no/0\n{}", row.result);
    EXPECT_EQ(result, expected) << row.source;
  }
}

TEST(Conditionals, TooDeepACondition) {
  std::string text = "-if(";
  for (int i = 0; i < 600; ++i) text += "not ";
  EXPECT_EQ(result_of(text + "true).\na()->1.\n-endif.\n"),
            "error\n1:2 the condition of -if is nested too deeply");
}

// --- other directives

TEST(Directives, Define) {
  const Row rows[] = {
      {"-define(A, ).", ""},
      {"-define(A, (1, 2)).", ""},
      {"-define(A, 1)).\na() -> ?A.",
       "error\n2:8 syntax error before `)`: expected `,`, `;` or the full stop"},
      {"-define(A).", "error\n1:10 badly formed -define: a comma must follow the name"},
      {"-define().", "error\n1:9 badly formed -define: write -define(NAME, Body)."},
      {"-define(1, 2).", "error\n1:9 badly formed -define: write -define(NAME, Body)."},
      {"-define A, 1.", "error\n1:9 badly formed -define: write -define(NAME, Body)."},
      {"-define(A, 1.", "error\n1:13 badly formed -define: the closing parenthesis is missing"},
      {"-define(A, 1", "error\n1:12 the file ends inside this -define"},
      {"-define(A(x), 1).",
       "error\n1:11 badly formed -define: parameters are variables separated by commas"},
      {"-define(A(X, ), 1).",
       "error\n1:12 badly formed -define: parameters are variables separated by commas"},
      {"-define(A(X, X), 1).", "error\n1:14 the parameter X occurs twice"},
      {"-define(A, 1).\n-define(A, 1).", "error\n2:9 ?A is defined already; -undef it first"},
      {"-define(A, 1).\n-define(A(X), 1).\n-define(A(Y), 1).",
       "error\n3:9 ?A is defined already; -undef it first"},
      {"-define(A, 1).\n-undef(A).\n-define(A, 1).", ""},
      {"-define(LINE, 1).", "error\n1:9 ?LINE is predefined and cannot be defined"},
      {"-define(MODULE(X), 1).", "error\n1:9 ?MODULE is predefined and cannot be defined"},
      {"-define(A, ?B(1,)).", "error\n1:13 badly formed arguments of ?B"},
      {"-undef().", "error\n1:8 badly formed -undef: write -undef(NAME)."},
      {"-undef A.", "error\n1:8 badly formed -undef: write -undef(NAME)."},
      {"-undef(A, B).", "error\n1:9 badly formed -undef: write -undef(NAME)."},
  };
  check(rows);
}

TEST(Directives, Messages) {
  const Row rows[] = {
      {"-error(\"no\").\na()->1.", "error a/0\n1:1 -error(\"no\")"},
      {"-error({a, [1]}).", "error\n1:1 -error({a, [1]})"},
      {"-warning(\"mind\").\na()->1.", "warning a/0\nwarning 1:1 -warning(\"mind\")"},
      {"-define(A, 1).\n-warning(?A).", "warning\nwarning 2:1 -warning(?A)"},
      {"-error.", "error\n1:7 badly formed -error: write -error(Term)."},
      {"-error(X).", "error\n1:2 badly formed -error: write -error(Term)."},
      {"-error(a, b).", "error\n1:2 badly formed -error: write -error(Term)."},
      {"-warning(f()).", "error\n1:2 badly formed -warning: write -warning(Term)."},
      {"-warning(?NO).", "error\n1:2 badly formed -warning: write -warning(Term)."},
  };
  check(rows);
}

TEST(Directives, File) {
  const Row rows[] = {
      {"-file(\"a.y\", 10).\n-l(?LINE).\n-f(?FILE).", "file[\"a.y\" 10] l[11] f[\"a.y\"]"},
      {"-file(\"a\" \".y\", 10).", "file[\"a.y\" 10]"},
      {"\n\n-file(?FILE, ?LINE).\n-l(?LINE).", "file[\"test.erl\" 3] l[4]"},
      {"-file(\"a.y\", 0).\n-l(?LINE).", "file[\"a.y\" 0] l[1]"},
      {"-file(a, 1).", "error\n1:7 badly formed -file: write -file(\"name\", Line)."},
      {"-file(\"a\").", "error\n1:10 badly formed -file: write -file(\"name\", Line)."},
      {"-file(\"a\", -1).", "error\n1:12 badly formed -file: write -file(\"name\", Line)."},
      {"-file.", "error\n1:6 badly formed -file: write -file(\"name\", Line)."},
      {"-file(\"a\", ?NO).", "error\n1:13 undefined macro ?NO"},
  };
  check(rows);
}

TEST(Directives, Feature) {
  const Row rows[] = {
      {"f() -> maybe.", "f/0"},
      {"f() -> maybe 1 end.",
       "error\n1:14 syntax error before `1`: expected `,`, `;` or the full stop; `maybe` is a "
       "keyword only with -feature(maybe_expr, enable) before OTP 27"},
      {"-feature(maybe_expr, enable).\nf() -> maybe 1 end.", "f/0"},
      {"-feature(maybe_expr, enable).\nf() -> 'maybe'.", "f/0"},
      {"-feature(maybe_expr, enable).\nf() -> maybe.",
       "error\n2:13 unexpected end of form: expected an expression"},
      {"-feature(maybe_expr, enable).\n-feature(maybe_expr, disable).\nf() -> maybe.", "f/0"},
      {"-module(m).\n-feature(maybe_expr, enable).\nf() -> maybe 1 end.", "module[m] f/0"},
      {"-feature(maybe_expr, enable).\n-define(M, maybe 1 end).\nf() -> ?M.", "f/0"},
      {"f() -> 1.\n-feature(maybe_expr, enable).",
       "f/0 error\n2:2 -feature must stand before exports, records and functions"},
      {"-feature(nope, enable).", "error\n1:10 unknown feature `nope`"},
      {"-feature(maybe_expr, on).",
       "error\n1:9 badly formed -feature: write -feature(name, enable)."},
      {"-feature(maybe_expr).", "error\n1:9 badly formed -feature: write -feature(name, enable)."},
      {"-feature(maybe_expr, enable).\n-if(?FEATURE_ENABLED(maybe_expr)).\na()->1.\n-endif.",
       "a/0"},
      {"-if(?FEATURE_ENABLED(maybe_expr)).\na()->1.\n-endif.", ""},
      {"-if(?FEATURE_AVAILABLE(maybe_expr)).\na()->1.\n-endif.", "a/0"},
  };
  ReadOptions otp25;
  otp25.otp_release = 25;
  check(rows, otp25);
  // epp counts the commas of a `maybe` in an argument until it is corrected in OTP 26.
  const std::string_view argument =
      "-feature(maybe_expr, enable).\n-define(M(X), X).\n-define(N, ?M(maybe 1, 2 end)).\n"
      "f() -> ?N.\ng() -> ?M(maybe 1, 2 end).";
  EXPECT_EQ(result_of(argument, otp25),
            "error error\n4:8 ?M is not defined with 2 arguments\n"
            "5:9 ?M is not defined with 2 arguments");
  ReadOptions otp26;
  otp26.otp_release = 26;
  EXPECT_EQ(result_of(argument, otp26), "f/0 g/0");
  // From OTP 27 on it is enabled unless a module says otherwise.
  EXPECT_EQ(result_of("f() -> maybe 1 end."), "f/0");
  EXPECT_EQ(result_of("-feature(maybe_expr, disable).\nf() -> maybe."), "f/0");
}

// --- headers

TEST(Include, FindsAndComesBack) {
  const Headers headers = {
      {"./one.hrl", "-define(ONE, 1).\none() -> 1.\n"},
      {"./two.hrl", "-include(\"one.hrl\").\n-l(?LINE).\n-f(?FILE).\n"},
      {"sub/deep.hrl", "-include(\"beside.hrl\").\n"},
      {"sub/beside.hrl", "-f(?FILE).\n"},
      {"inc/far.hrl", "-f(?FILE).\n"},
      {"/abs/far.hrl", "-f(?FILE).\n"},
      {"/env/far.hrl", "-f(?FILE).\n"},
      {"./open.hrl", "\n-ifdef(A).\n"},
      {"./close.hrl", "-endif.\n"},
      {"./bad.hrl", "a() -> ).\nb() -> 1.\n"},
      {"./nodot.hrl", "a() -> 1"},
      {"./shift.hrl", "-file(\"s\", 9).\n-l(?LINE).\n"},
  };
  setenv("FATHOM_TEST_INCLUDE", "/env", 1);
  const Row rows[] = {
      {"-include(\"one.hrl\").\n-o(?ONE).",
       "file[\"./one.hrl\" 1] one/0 file[\"test.erl\" 2] o[1]"},
      {"\n\n-include(\"two.hrl\").\n-l(?LINE).\n-f(?FILE).",
       "file[\"./two.hrl\" 1] file[\"./one.hrl\" 1] one/0 file[\"./two.hrl\" 2] l[2] "
       "f[\"./two.hrl\"] file[\"test.erl\" 4] l[4] f[\"test.erl\"]"},
      {"-include(\"one\" \".hrl\").", "file[\"./one.hrl\" 1] one/0 file[\"test.erl\" 1]"},
      // A header beside the header that asks for it; -I; absolute; $VARIABLE.
      {"-include(\"deep.hrl\").",
       "file[\"sub/deep.hrl\" 1] file[\"sub/beside.hrl\" 1] f[\"sub/beside.hrl\"] "
       "file[\"sub/deep.hrl\" 2] file[\"test.erl\" 1]"},
      {"-include(\"far.hrl\").", "file[\"inc/far.hrl\" 1] f[\"inc/far.hrl\"] file[\"test.erl\" 1]"},
      {"-include(\"/abs/far.hrl\").",
       "file[\"/abs/far.hrl\" 1] f[\"/abs/far.hrl\"] file[\"test.erl\" 1]"},
      {"-include(\"$FATHOM_TEST_INCLUDE/far.hrl\").",
       "file[\"/env/far.hrl\" 1] f[\"/env/far.hrl\"] file[\"test.erl\" 1]"},
      {"-include_lib(\"one.hrl\").", "file[\"./one.hrl\" 1] one/0 file[\"test.erl\" 1]"},
      // A conditional belongs to its file.
      {"-include(\"open.hrl\").\na()->1.",
       "file[\"./open.hrl\" 1] error file[\"test.erl\" 2] a/0\n"
       "./open.hrl:2:2 this -ifdef has no -endif"},
      {"-ifndef(A).\n-include(\"close.hrl\").\n-endif.",
       "file[\"./close.hrl\" 1] error file[\"test.erl\" 3]\n"
       "./close.hrl:1:2 -endif without an -ifdef, -ifndef or -if before it"},
      // Errors in headers, and what follows them.
      {"-include(\"bad.hrl\").\nc()->1.",
       "file[\"./bad.hrl\" 1] error b/0 file[\"test.erl\" 2] c/0\n"
       "./bad.hrl:1:8 syntax error before `)`: expected an expression"},
      {"-include(\"nodot.hrl\").\nc()->1.",
       "file[\"./nodot.hrl\" 1] error file[\"test.erl\" 2] c/0\n"
       "./nodot.hrl:1:9 the file ends inside a form: expected `,`, `;` or the full stop"},
      {"-include(\"shift.hrl\").\n-l(?LINE).",
       "file[\"./shift.hrl\" 1] file[\"s\" 9] l[10] file[\"test.erl\" 2] l[2]"},
  };
  ReadOptions options;
  options.include_dirs = {"sub", "inc"};
  check(rows, options, headers);
}

TEST(Include, Errors) {
  const Row rows[] = {
      {"-include(\"no.hrl\").", "error\n1:10 can't find include file \"no.hrl\""},
      {"-include_lib(\"no/include/no.hrl\").",
       "error\n1:14 can't find include lib \"no/include/no.hrl\""},
      {"-include(one).", "error\n1:10 badly formed -include: write -include(\"file.hrl\")."},
      {"-include \"one.hrl\".", "error\n1:10 badly formed -include: write -include(\"file.hrl\")."},
      {"-include_lib().",
       "error\n1:14 badly formed -include_lib: write -include_lib(\"file.hrl\")."},
      // The macros that a missing header may define are its fault.
      {"-include(\"no.hrl\").\nf() -> ?A.\ng() -> ?B.",
       "error error error\n1:10 can't find include file \"no.hrl\"\nwarning 1:10 2 uses of "
       "undefined macros are not shown: the missing header may define them"},
      {"f() -> ?A.\n-include(\"no.hrl\").",
       "error error\n1:9 undefined macro ?A\n2:10 can't find include file \"no.hrl\""},
  };
  check(rows);
}

TEST(Include, OfAnApplication) {
  struct Libraries : LibraryPath {
    std::string library_dir(const std::string& application) override {
      return application == "app" ? "/lib/app-1.0" : "";
    }
  } libraries;
  ReadOptions options;
  options.libraries = &libraries;
  const Headers headers = {{"/lib/app-1.0/include/a.hrl", "-a(1).\n"}, {"./app/b.hrl", "-b(1).\n"}};
  const Row rows[] = {
      {"-include_lib(\"app/include/a.hrl\").",
       "file[\"/lib/app-1.0/include/a.hrl\" 1] a[1] file[\"test.erl\" 1]"},
      {"-include(\"app/include/a.hrl\").",
       "error\n1:10 can't find include file \"app/include/a.hrl\""},
      {"-include_lib(\"other/include/a.hrl\").",
       "error\n1:14 can't find include lib \"other/include/a.hrl\""},
      // First as -include would find it.
      {"-include_lib(\"app/b.hrl\").", "file[\"./app/b.hrl\" 1] b[1] file[\"test.erl\" 1]"},
  };
  check(rows, options, headers);
}

TEST(Directives, MacrosOfTheCommandLine) {
  ReadOptions options;
  options.macros = {{"A", ""}, {"B", "{1, \"x\"}"}, {"c", "d"}, {"two words", "1"}};
  const Row rows[] = {
      {"-v([?A, ?B, ?c, ?'two words']).", "v[list{[true tuple{[1 \"x\"]} d 1] -}]"},
      {"-ifdef(A).\na()->1.\n-endif.", "a/0"},
      {"-undef(A).\n-define(A, 2).\n-v(?A).", "v[2]"},
  };
  check(rows, options);
}

}  // namespace
}  // namespace fathom::preprocessor_test
