// Which nodes may raise: by a table, and against the machine.
#include <gtest/gtest.h>

#include "core/places.h"
#include "core/raise.h"
#include "lowered.h"
#include "machine/outcome_text.h"
#include "running.h"

namespace fathom::core::core_raise_test {
namespace {

struct Raising {
  std::string_view body;      // of f(A, B)
  std::string_view expected;  // the tags of the nodes that may raise, in the order of the nodes
};

constexpr Raising kRaising[] = {
    {"{A, [B], #{A => B}}", ""},
    {"A#{B => 1}", "map_put"},
    {"A#{B := 1}", "map_replace"},
    {"<<A, B/binary>>", "binary"},
    {"fun() -> A + B end", ""},
    {"fun A:B/1", "external_fun"},
    {"A + B", "call_remote"},
    {"A < B", ""},
    {"is_atom(A) =:= (A == B)", ""},
    {"is_function(A, B)", "call_remote"},
    {"put(A, B), {get(A), self(), make_ref()}", ""},
    {"lists:reverse(A)", "call_remote"},
    {"f(A, B)", "call"},
    {"A:B(1)", "call_dynamic"},
    {"A(B)", "apply"},
    {"X = A, {X, B}", ""},
    {"{X} = A, {X, B}", "no_match"},
    {"case A of B -> 1; _ -> 2 end", "no_match"},  // which no value reaches
    {"case A of 1 when A + B > hd(B) -> 1; _ -> 2 end", "no_match"},
    {"case A of B -> 1 end", "no_match"},
    {"if A > B -> 1 end", "no_match"},
    {"receive A -> B end", ""},
    {"receive A -> B after 10 -> ok end", "receive"},
    {"try A catch _:_ -> B end", "raise"},  // likewise
    {"try A catch throw:_ -> B end", "raise"},
    {"A andalso B", "no_match"},
    {"A ! B", "call_remote"},
};

TEST(CoreRaise, WhichNodesOfABody) {
  for (const Raising& raising : kRaising) {
    const Lowered t(fmt::format("f(A, B) -> {}.", raising.body));
    std::string tags;
    for (const NodeId id : t.nodes("f", 2)) {
      if (!may_raise(*t, id)) continue;
      tags += fmt::format("{}{}", tags.empty() ? "" : " ", schema_of((*t)[id].kind).tag);
    }
    EXPECT_EQ(tags, raising.expected) << raising.body;
  }
}

TEST(CoreRaise, WhatAlwaysRaises) {
  const Lowered t("f(A) -> try A of 1 -> 2 catch throw:_ -> 3 end.");
  EXPECT_EQ(raises(*t, t.find(Kind::NoMatch, "f", 1)), Raises::Always);
  EXPECT_EQ(raises(*t, t.find(Kind::Raise, "f", 1)), Raises::Always);
}

// Each total function, with every combination of values of all kinds.
TEST(CoreRaise, TotalFunctionsReturnOnTheMachine) {
  std::string calls;
#define TOTAL(Name, Arity) \
  calls += fmt::format("{}{{'{}', {}}}", calls.empty() ? "" : ", ", Name, Arity);
#include "core/total_functions.def"
#undef TOTAL
  machine::TestMachine m(fmt::format(R"(
values() -> [0, -1, 1 bsl 100, 1.5, a, true, [], "text", [a | b], {{}}, {{1, 2}}, #{{}}, #{{1 => 2}}, <<>>,
             <<1:3>>, self(), make_ref(), fun() -> 1 end, fun lists:map/2].
arguments(0) -> [[]];
arguments(N) -> [[V | Rest] || V <- values(), Rest <- arguments(N - 1)].
failures(Functions) -> [{{F, A, E}} || {{F, N}} <- Functions, A <- arguments(N),
                        E <- try apply(erlang, F, A) of _ -> [] catch _:R -> [R] end].
main() -> {{failures([{}]), failures([{{self, 0}}, {{tuple_size, 1}}, {{put, 2}}]) =/= []}}.
)",
                                     calls));
  EXPECT_EQ(m.run("main"), "{[],true}");
}

// Expressions that end in an exception: a node that may raise is on the line that the stack
// trace names.
constexpr std::string_view kFailing[] = {
    "1 + id(a)",
    "hd(id([]))",
    "{x} = id({y})",
    "throw(t)",
    "(id(#{}))#{a := 1}",
    "<<(id(a))>>",
    "exits()",
    "undefined_module:f()",
    "case id(1) of 2 -> 3 end",
    "if 1 > 2 -> 3 end",
    "only(2)",
    "(id(fun(X) -> X end))()",
    "(fun(1) -> 2 end)(id(3))",
    "[X || X <- id(no_list)]",
    "receive x -> y after id(a) -> z end",
    "id(x) andalso true",
    "fun id:id/0, X = id(x), fun id:id/X",
    "try id(1) of 2 -> 3 catch _ -> 4 end",
    "try throw(a) catch throw:b -> 4 end",
};

TEST(CoreRaise, ExceptionsOfTheMachineArePredicted) {
  std::string functions = "id(X) -> X. exits() -> exit(e). only(1) -> 1.\n";
  for (size_t i = 0; i < std::size(kFailing); ++i) {
    functions += fmt::format("f{}() -> [begin\n{}\nend].\n", i, kFailing[i]);
  }
  machine::TestMachine m(functions);
  const Module& core = *m->code().find_module(Atom::intern("t"))->core;
  for (size_t i = 0; i < std::size(kFailing); ++i) {
    const machine::Outcome outcome =
        m->run(Atom::intern("t"), Atom::intern(fmt::format("f{}", i)), {});
    ASSERT_EQ(outcome.kind, machine::Outcome::Kind::Exception) << kFailing[i];
    machine::Value trace = outcome.trace;
    while (trace.is_cons() && !trace.head().element(0).is_atom(Atom::intern("t"))) {
      trace = trace.tail();
    }
    ASSERT_TRUE(trace.is_cons()) << kFailing[i];
    const int64_t line = machine::stack_frame(trace.head()).line;
    bool is_predicted = false;
    for (uint32_t n = 0; n < core.size(); ++n) {
      const auto at = file_line(core, NodeId{n});
      is_predicted |= at && at->line == line && may_raise(core, NodeId{n});
    }
    EXPECT_TRUE(is_predicted) << kFailing[i];
  }
}

}  // namespace
}  // namespace fathom::core::core_raise_test
