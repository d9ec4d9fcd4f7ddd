// What code comes out of the compiler, where that matters for speed; and that it means
// the same.
#include <gtest/gtest.h>

#include <chrono>

#include "code/registers.h"
#include "listing.h"
#include "running.h"

namespace fathom::machine::machine_compile_test {
namespace {

size_t count(std::string_view text, std::string_view line_start) {
  size_t n = 0;
  for (size_t at = 0; (at = text.find(line_start, at)) != std::string_view::npos; ++at) {
    if (at == 0 || text[at - 1] == '\n') ++n;
  }
  return n;
}

// The code of t:name/arity, which is compiled when `call` calls it.
std::string code(std::string_view functions, std::string_view name, uint32_t arity,
                 std::string_view call) {
  TestMachine machine(fmt::format("{}\nmain() -> {}.", functions, call));
  machine.run("main");
  Export* found = machine->code().find_export(Atom::intern("t"), Atom::intern(name), arity);
  return machine->resolve(found) ? listing(*found->function) : "";
}

// ---- Moves --------------------------------------------------------------------

TEST(MachineCompile, ALoopComputesItsArgumentsInPlace) {
  EXPECT_EQ(code("f(0, S) -> S; f(N, S) -> f(N - 1, S + N).", "f", 2, "f(3, 0)"),
            "unless_is 0 0 0\n"
            "return 1 0 0\n"
            "subtract_small 2 0 1\n"
            "add 1 1 0\n"
            "move 0 2 0\n"
            "tail_call 0 2 0\n");
}

TEST(MachineCompile, TheResultOfACaseIsMadeInItsPlace) {
  const std::string text =
      code("f(X) -> Y = case X of a -> X + 1; _ -> [X] end, {X, Y}.", "f", 1, "f(b)");
  EXPECT_EQ(count(text, "move"), 0u) << text;
}

TEST(MachineCompile, ArgumentsThatChangePlacesDoSoAtOnce) {
  TestMachine machine(
      "swap(0, A, B, C) -> {A, B, C};\n"
      "swap(N, A, B, C) -> swap(N - 1, B, C, A).\n"
      "main() -> [swap(N, a, b, c) || N <- [0, 1, 2, 3]].");
  EXPECT_EQ(machine.run("main"), "[{a,b,c},{b,c,a},{c,a,b},{a,b,c}]");
}

// ---- Conditions ----------------------------------------------------------------

TEST(MachineCompile, ATruthValueThatOnlyDecidesIsNotMade) {
  const std::string text = code(
      "f(X, Y) -> case X < Y andalso is_atom(Y) orelse X =:= 7 of\n"
      "  true -> a; false -> b end.",
      "f", 2, "f(1, 2)");
  EXPECT_EQ(text,
            "unless_less 0 0 1\n"
            "unless_atom 0 1 0\n"
            "jump 0 0 0\n"
            "unless_is 0 0 0\n"
            "return_literal 0 0 0\n"
            "return_literal 0 0 0\n");
}

TEST(MachineCompile, ConditionsMeanWhatTheyDid) {
  TestMachine machine(R"(
f(A, B) -> case A andalso B of true -> yes; false -> no end.
g(A, B) -> if A orelse B -> yes; true -> no end.
h(A) -> case A > 1 of true -> yes end.
i(A) -> case not A of false -> no; Other -> {other, Other} end.
k(A) -> case A > 1 of true = X -> {X, A}; _ -> A end.
try_it(F) -> try F() catch _:R -> R end.
main() ->
  [try_it(fun() -> f(A, B) end) || A <- [true, false, x], B <- [true, false, y]] ++
  [try_it(fun() -> g(A, B) end) || A <- [true, false, x], B <- [true, false, y]] ++
  [try_it(fun() -> h(A) end) || A <- [1, 2]] ++ [try_it(fun() -> i(A) end) || A <- [true, false]] ++
  [k(1), k(2)].
)");
  EXPECT_EQ(machine.run("main"),
            "[yes,no,{case_clause,y},no,no,no,{badarg,x},{badarg,x},{badarg,x},"
            "yes,yes,yes,yes,no,no,no,no,no,"
            "{case_clause,false},yes,no,{other,true},1,{true,2}]");
}

// ---- Selection -----------------------------------------------------------------

constexpr std::string_view kShapes = R"(
area({circle, R}) -> R * 3;
area({square, A}) -> A * A;
area({oblong, A, B}) when A > 100 -> {big, B};
area(nothing) -> 0;
area({oblong, A, B}) -> A * B;
area({_, none}) -> none;
area([$a | _]) -> list;
area(42) -> number;
area({square, A, _}) -> A.
)";

TEST(MachineCompile, ClausesAreFoundByATable) {
  const std::string text = code(kShapes, "area", 1, "area(nothing)");
  EXPECT_EQ(count(text, "select "), 1u) << text;
  EXPECT_EQ(count(text, "select_tag"), 1u) << text;
  EXPECT_EQ(count(text, "select_head"), 1u) << text;
}

TEST(MachineCompile, TheFirstClauseThatMatchesIsTaken) {
  TestMachine machine(std::string(kShapes) + R"(
main() ->
  [try area(X) catch error:function_clause -> none_of_them end ||
   X <- [{circle, 2}, {square, 3}, {oblong, 101, 1}, {oblong, 3, 4}, {square, 5, 6}, nothing,
         {other, none}, {circle, none, 1}, "abc", "bcd", [], 42, 43, {}, {square}, 1.0,
         {"circle", 1}, {17, none}]].
)");
  EXPECT_EQ(machine.run("main"),
            "[6,9,{big,1},12,5,0,none,none_of_them,list,none_of_them,none_of_them,number,"
            "none_of_them,none_of_them,none_of_them,none_of_them,none_of_them,none]");
}

TEST(MachineCompile, ASelectedRecordLoadsOnlyWhatIsRead) {
  const std::string text =
      code("f({a, X, _}) -> X; f({b, _, Y}) -> Y; f({c, _, _}) -> c.", "f", 1, "f({c, 1, 2})");
  EXPECT_EQ(count(text, "element"), 2u) << text;
  EXPECT_EQ(count(text, "unless"), 0u) << text;
}

// ---- Bitstrings ----------------------------------------------------------------

TEST(MachineCompile, ConstantsInARowAreOneSegment) {
  const std::string text = code("f(B) -> <<B/binary, $a, $b, 1:16/little>>.", "f", 1, "f(<<>>)");
  EXPECT_EQ(text,
            "load 1 0 0\n"
            "build_bits 0 2 0\n"
            "return 0 0 0\n");
}

TEST(MachineCompile, SegmentsOfFixedSizesAreReadAtOnce) {
  constexpr std::string_view kFunction =
      "f(<<A:16/little, B:5/signed, _:3, C:13, D:56, E:11/signed, R/bitstring>>) -> "
      "{A, B, C, D, E, R}.";
  const std::string text = code(kFunction, "f", 1, "f(<<0:200>>)");
  EXPECT_EQ(count(text, "read_integer"), 5u) << text;
  EXPECT_EQ(count(text, "skip_fixed"), 1u) << text;
  EXPECT_EQ(count(text, "read_rest"), 1u) << text;
  EXPECT_EQ(count(text, "load"), 0u) << text;
  // What erl says.
  TestMachine machine(std::string(kFunction) +
                      "\nmain() -> f(<<1, 2, 16#F7, 16#ABCD:16, 16#123456789ABCDEF0:64, -7:8>>).");
  EXPECT_EQ(machine.run("main"), "{513,-2,5497,45676508220708763,-272,<<249>>}");
}

// ---- Operands ------------------------------------------------------------------

TEST(MachineCompile, SmallIntegersStandInTheInstruction) {
  const std::string text =
      code("f(X) when X > 3, X =/= a, X /= 5 -> (X - 1) * 2 rem 7.", "f", 1, "f(4)");
  EXPECT_EQ(count(text, "load"), 0u) << text;
}

TEST(MachineCompile, ErrorsNameTheOperatorAndItsOperands) {
  TestMachine machine(R"(
top(F) -> try F(a) catch error:badarith:S -> {M, N, A, _} = hd(S), {M, N, A} end.
main() -> [top(fun(X) -> X - 3 end), top(fun(X) -> X + -3 end), top(fun(X) -> 3 + X end),
           top(fun(X) -> X / 0 end), top(fun(_) -> 7 rem 0 end), top(fun(X) -> X bsl 2 end)].
)");
  EXPECT_EQ(machine.run("main"),
            "[{erlang,'-',[a,3]},{erlang,'+',[a,-3]},{erlang,'+',[3,a]},{erlang,'/',[a,0]},"
            "{erlang,'rem',[7,0]},{erlang,'bsl',[a,2]}]");
}

// ---- Receives -------------------------------------------------------------------

// How many parts of each message that it takes the receive of f/2 knows.
size_t known_parts(std::string_view receive) {
  const std::string text = code(fmt::format("f(X, Y) -> {}.", receive), "f", 2,
                                "begin self() ! 1, f(make_ref(), 2) end");
  for (size_t n = 0; n < 5; ++n) {
    if (count(text, fmt::format("receive_start {} {} ", Registers::kNone, n)) == 1) return n;
  }
  ADD_FAILURE() << text;
  return 0;
}

TEST(MachineCompile, AReceiveKnowsThePartsOfWhatItTakes) {
  struct {
    std::string_view receive;
    size_t expected;
  } const cases[] = {
      {"receive {X, Z} -> {Y, Z} end", 1},
      {"receive {[alias | X], Z} -> {Y, Z}; {'DOWN', X, _, _, R} -> R end", 1},
      {"receive X -> Y end", 1},
      {"receive {X, Y} -> ok end", 2},
      {"receive {X, Y} -> ok; {a, X} -> Y end", 1},
      {"receive {Z, _} when Z =:= X -> Y end", 1},
      {"receive {Z, _} when X =:= Z, Y > 1 -> Y end", 1},
      {"receive {Z, _} when Z =:= X; Y =:= Z -> Y end", 0},
      {"receive {Z, W} when Z =:= X; W =:= X -> Y end", 1},
      // Nothing of the message is compared.
      {"receive {Z, _} when X =:= Y -> Z end", 0},
      {"receive {Z, Z} -> {X, Y} end", 0},
      {"receive {X, _} -> Y; stop -> stop end", 0},
      {"receive {X, _} -> 1; {Y, _} -> 2 end", 0},
      {"receive Z -> {X, Y, Z} end", 0},
      {"receive {a, 1} -> {X, Y} end", 0},
  };
  for (const auto& [receive, expected] : cases)
    EXPECT_EQ(known_parts(receive), expected) << receive;
}

// Messages that are older than the reference are not tried: the work does not grow with them.
TEST(MachineCompile, OlderMessagesAreNotTried) {
  const auto work = [](size_t messages) {
    TestMachine machine(fmt::format(
        "main() -> [self() ! {{n, I}} || I <- lists:seq(1, {})], calls(1000).\n"
        "calls(0) -> ok;\n"
        "calls(N) -> R = make_ref(), self() ! {{R, N}}, receive {{R, N}} -> calls(N - 1) end.\n",
        messages));
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(machine.run("main"), "ok");
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  // 200 million looks would take seconds.
  EXPECT_LT(work(200'000), 1.5);
}

}  // namespace
}  // namespace fathom::machine::machine_compile_test
