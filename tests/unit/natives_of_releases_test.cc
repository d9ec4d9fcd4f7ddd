// Native functions that OTP has since releases after the installed one: expected results are those
// of OTP's documentation.
#include "running.h"

namespace fathom::machine::natives_of_releases_test {
namespace {

class OfRelease : public session::Library {
 public:
  OfRelease(Reader& reader, Project& project, uint32_t release)
      : Library(reader, project), release_(release) {}
  uint32_t otp_release() override { return release_; }

 private:
  uint32_t release_;
};

std::string value_of(std::string_view expression, uint32_t release) {
  Reader reader;
  Project project{ProjectOptions::from_environment()};
  OfRelease library(reader, project, release);
  Machine m(library, native_table(), {});
  Diagnostics diagnostics;
  auto found = library.from_text("t.erl",
                                 "-module(t). -export([f/0]).\nf() -> try " +
                                     std::string(expression) + " catch C:R -> {C, R} end.\n",
                                 diagnostics);
  EXPECT_TRUE(found) << expression;
  if (!found) return "";
  m.code().load(std::move(found->unit), std::move(found->core));
  return TestMachine::shown(m.run(Atom::intern("t"), Atom::intern("f"), {}));
}

struct Case {
  uint32_t since;
  std::string_view expression;
  std::string_view value;
};

constexpr Case kCases[] = {
    // What the system says that it is.
    {26, "{erlang:system_info(otp_release), erlang:system_info(compat_rel)}", "{[50,54],26}"},
    {27, "erlang:system_info(version)", "[49,53,46,48]"},
    {28, "{erlang:system_info(otp_release), erlang:system_info(version)}",
     "{[50,56],[49,54,46,48]}"},
    // "Works like lookup_element/3 but also accepts a default value."
    {26, "T = ets:new(t, []), ets:insert(T, {k, v}), ets:lookup_element(T, k, 2, none)", "v"},
    {26, "T = ets:new(t, []), ets:lookup_element(T, k, 2, none)", "none"},
    {26,
     "T = ets:new(t, [bag]), ets:insert(T, {k, 1}), ets:insert(T, {k, 2}),"
     " ets:lookup_element(T, k, 2, none)",
     "[1,2]"},
    {26, "T = ets:new(t, []), ets:insert(T, {k, v}), ets:lookup_element(T, k, 3, none)",
     "{error,badarg}"},
    {26, "T = ets:new(t, []), ets:lookup_element(T, k, 0, none)", "{error,badarg}"},
    {26, "ets:lookup_element(no_table, k, 1, none)", "{error,badarg}"},
    // The default is updated and inserted, with the key in its place.
    {27,
     "T = ets:new(t, []), {ets:update_element(T, k, {2, new}, {x, old, rest}), ets:lookup(T, k)}",
     "{true,[{k,new,rest}]}"},
    {27,
     "T = ets:new(t, []), ets:insert(T, {k, a, b}),"
     " {ets:update_element(T, k, [{2, x}, {3, y}], {q, q, q}), ets:lookup(T, k)}",
     "{true,[{k,x,y}]}"},
    {27, "T = ets:new(t, []), ets:update_element(T, k, {1, x}, {k, 1})", "{error,badarg}"},
    {27, "T = ets:new(t, []), ets:update_element(T, k, {2, x}, {})", "{error,badarg}"},
    {27, "T = ets:new(t, []), ets:update_element(T, k, {2, x}, none)", "{error,badarg}"},
    {27, "T = ets:new(t, [bag]), ets:update_element(T, k, {2, x}, {k, 1})", "{error,badarg}"},
    // "Similar to first/1 except that it returns the object(s) along with the key."
    {27,
     "T = ets:new(t, [ordered_set]), ets:insert(T, [{1, a}, {2, b}]),"
     " [ets:first_lookup(T), ets:last_lookup(T), ets:next_lookup(T, 1), ets:prev_lookup(T, 2),"
     " ets:next_lookup(T, 2), ets:prev_lookup(T, 1)]",
     "[{1,[{1,a}]},{2,[{2,b}]},{2,[{2,b}]},{1,[{1,a}]},'$end_of_table','$end_of_table']"},
    {27, "T = ets:new(t, []), {ets:first_lookup(T), ets:last_lookup(T)}",
     "{'$end_of_table','$end_of_table'}"},
    {27,
     "T = ets:new(t, [bag]), ets:insert(T, {k, 1}), ets:insert(T, {k, 2}),"
     " {ets:first_lookup(T), ets:next_lookup(T, k)}",
     "{{k,[{k,1},{k,2}]},'$end_of_table'}"},
    // A key that has the same value is not an error.
    {26, "{persistent_term:put_new(k, 1), persistent_term:put_new(k, 1), persistent_term:get(k)}",
     "{ok,ok,1}"},
    {26, "persistent_term:put_new(k, 1), persistent_term:put_new(k, 2)", "{error,badarg}"},
    // An iterator with an order holds the keys that are left.
    {26, "erts_internal:map_next([b, a], #{a => 1, b => 2}, iterator)", "{b,2,{a,1,none}}"},
    {26, "erts_internal:map_next([], #{a => 1}, iterator)", "none"},
    {26, "erts_internal:map_next([b, a], #{a => 1, b => 2}, [])", "[{b,2},{a,1}]"},
    {26, "erts_internal:map_next([c], #{a => 1}, iterator)", "{error,badarg}"},
    {26, "erts_internal:map_next(0, #{a => 1}, iterator)", "{a,1,none}"},
    {26, "erlang:display_string(stdout, \"\")", "true"},
    {26, "erlang:display_string(nowhere, \"\")", "{error,badarg}"},
    {26, "list_to_binary(erts_internal:term_to_string({a, [1]}, undefined)) =:= <<\"{a,[1]}\">>",
     "true"},
    {28,
     "{1, L} = erts_internal:processes_next(0), {lists:member(self(), L),"
     " erts_internal:processes_next(1)}",
     "{true,none}"},
    {28,
     "process_flag(trap_exit, true), P = spawn(fun() -> receive stop -> ok end end),"
     " erlang:link(P, []), erlang:exit(P, bye, []), receive {'EXIT', P, Why} -> Why end",
     "bye"},
    {28, "erlang:link(self(), [unknown])", "{error,badarg}"},
    // What erlang:binary_to_integer/2 and string:to_integer/1 of OTP 27 go through: atoms, no
    // exceptions.
    {27, "[erts_internal:binary_to_integer(B, 10) || B <- [<<\"12\">>, <<\"-7\">>, <<\"+7\">>]]",
     "[12,-7,7]"},
    {27, "erts_internal:binary_to_integer(<<\"ff\">>, 16)", "255"},
    {27, "[erts_internal:binary_to_integer(B, 10) || B <- [<<>>, <<\"1x\">>, <<\"-\">>, x]]",
     "[badarg,badarg,badarg,badarg]"},
    {27, "erts_internal:binary_to_integer(<<\"1\">>, 37)", "badarg"},
    {27, "erts_internal:list_to_integer(\"12 and\", 10) =:= {12, \" and\"}", "true"},
    {27, "erts_internal:list_to_integer(\"-12\", 10)", "{-12,[]}"},
    {27, "erts_internal:list_to_integer(\"zZ\", 36)", "{1295,[]}"},
    {27, "erts_internal:list_to_integer(\"\", 10)", "no_integer"},
    {27, "erts_internal:list_to_integer(\"-x\", 10)", "no_integer"},
    {27, "erts_internal:list_to_integer(x, 10)", "not_a_list"},
    {27, "erts_internal:list_to_integer(\"1\", 1)", "badarg"},
    {27, "string:list_to_integer(\"12a\") =:= {12, \"a\"}", "true"},
    // A system without native coverage: "badarg if the runtime system does not support coverage".
    {27, "code:coverage_support()", "false"},
    {27, "code:get_coverage_mode()", "none"},
    {27, "code:set_coverage_mode(line)", "{error,badarg}"},
    {27, "code:get_coverage_mode(lists)", "{error,badarg}"},
    {27, "code:get_coverage(line, lists)", "{error,badarg}"},
    {27, "code:reset_coverage(lists)", "{error,badarg}"},
    {28, "lists:reverse([]), code:get_debug_info(lists)", "none"},
    {28, "code:get_debug_info(no_such_module)", "{error,badarg}"},
    {28, "erl_debugger:supported()", "false"},
    // "import/1: imports a regular expression that was compiled with option export."
    {28,
     "{ok, E} = re:compile(\"a(b)c\", [caseless, export]), re:run(\"xABC\", re:import(E),"
     " [{capture, all, list}]) =:= {match, [\"ABC\", \"B\"]}",
     "true"},
    {28,
     "{ok, E} = re:compile(<<\"ä\"/utf8>>, [unicode, export]),"
     " re:run(<<\"xä\"/utf8>>, re:import(E), [{capture, first, index}])",
     "{match,[{1,2}]}"},
    {28, "element(1, element(2, re:compile(\"a\", [export])))", "re_exported_pattern"},
    {28, "element(1, element(2, re:compile(\"(\", [export]))) =/= re_exported_pattern", "true"},
    {28, "re:import({re_pattern, 0, 0, 0, <<>>})", "{error,badarg}"},
    {28, "re:import(x)", "{error,badarg}"},
    {28, "erlang:exit(self(), x, [unknown])", "{error,badarg}"},
};

TEST(NativesOfReleases, AreAsDocumented) {
  for (const Case& c : kCases) EXPECT_EQ(value_of(c.expression, c.since), c.value) << c.expression;
}

// Those of later releases are not there: the module has no such function.
TEST(NativesOfReleases, AreNotThereBefore) {
  EXPECT_EQ(value_of("ets:lookup_element(x, k, 2, none)", 25), "{error,undef}");
  EXPECT_EQ(value_of("persistent_term:put_new(k, 1)", 25), "{error,undef}");
  EXPECT_EQ(value_of("ets:first_lookup(x)", 26), "{error,undef}");
  EXPECT_EQ(value_of("re:compile(\"a\", [export])", 27), "{error,badarg}");
  EXPECT_EQ(value_of("re:import(x)", 27), "{error,undef}");
  EXPECT_EQ(value_of("code:coverage_support()", 26), "{error,undef}");
  EXPECT_EQ(value_of("erts_internal:map_next([a], #{a => 1}, iterator)", 25), "{error,badarg}");
}

}  // namespace
}  // namespace fathom::machine::natives_of_releases_test
