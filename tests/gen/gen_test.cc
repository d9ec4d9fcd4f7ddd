// fathom gen against brute force: the solver chain on random conditions, and the paths of small
// programs over all inputs of their specs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <set>

#include "generate/concrete.h"
#include "generate/generate.h"
#include "generate/items.h"
#include "symbolic/solver.h"
#include "temp_tree.h"
#include "tests_dir.h"

namespace fathom {
namespace {

using generate::Criterion;
using generate::GenerateOptions;
using generate::Suite;
using symbolic::Answer;
using symbolic::Condition;
using symbolic::Expressions;
using symbolic::ExprId;
using symbolic::ExprOp;
using symbolic::Model;
using symbolic::Relation;

// ---- The solver -------------------------------------------------------------

ExprId random_term(Expressions& e, std::span<const ExprId> variables, std::mt19937& random,
                   int depth) {
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  if (depth == 0 || pick(3) == 0) {
    if (pick(3) == 0) return e.constant(pick(9) - 4);
    return variables[static_cast<size_t>(pick(static_cast<int>(variables.size())))];
  }
  constexpr ExprOp kOps[] = {ExprOp::Add, ExprOp::Subtract, ExprOp::Multiply, ExprOp::And};
  const ExprId a = random_term(e, variables, random, depth - 1);
  switch (pick(10)) {
    case 0:
      return e.binary(ExprOp::Divide, a, e.constant(1 + pick(4)));
    case 1:
      return e.binary(ExprOp::Remainder, a, e.constant(1 + pick(4)));
    case 2:
      return e.binary(ExprOp::ShiftRight, a, e.constant(pick(3)));
    case 3:
      return e.binary(ExprOp::And, a, e.constant(pick(2) == 0 ? 3 : 7));
    default:
      break;
  }
  return e.binary(kOps[pick(4)], a, random_term(e, variables, random, depth - 1));
}

TEST(SolverChain, AgreesWithBruteForce) {
  constexpr int64_t kLow = -3;
  constexpr int64_t kHigh = 3;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    Expressions e;
    const ExprId variables[] = {e.new_variable(), e.new_variable(), e.new_variable()};
    symbolic::SolverChain solver;
    symbolic::Conditions conditions;
    Model model;
    for (const ExprId v : variables) {
      for (const Condition c : {Condition{Relation::LessEqual, e.constant(kLow), v},
                                Condition{Relation::LessEqual, v, e.constant(kHigh)}}) {
        ASSERT_EQ(solver.check(e, conditions, c, model), Answer::Yes);
        conditions.add(e, c);
      }
    }
    for (int i = 0; i < 5; ++i) {
      const auto relation = static_cast<Relation>(random() % 4);
      const ExprId a = random_term(e, variables, random, 2);
      const Condition extra{relation, a, random_term(e, variables, random, 2)};
      bool is_possible = false;
      Model trial(3);
      for (trial[0] = kLow; trial[0] <= kHigh; ++trial[0]) {
        for (trial[1] = kLow; trial[1] <= kHigh; ++trial[1]) {
          for (trial[2] = kLow; trial[2] <= kHigh; ++trial[2]) {
            const auto holds = [&](const Condition& c) { return e.holds(c, trial).value(); };
            is_possible =
                is_possible || (holds(extra) && std::ranges::all_of(conditions.all(), holds));
          }
        }
      }
      const Answer answer = solver.check(e, conditions, extra, model);
      if (answer != Answer::Unknown) {
        EXPECT_EQ(answer == Answer::Yes, is_possible) << seed;
      }
      if (answer != Answer::Yes) continue;
      conditions.add(e, extra);
      for (const Condition& c : conditions.all()) EXPECT_TRUE(e.holds(c, model).value()) << seed;
    }
  }
}

TEST(SolverChain, SquaresAreNotTwoModuloThree) {
  Expressions e;
  const ExprId x = e.new_variable();
  const ExprId y = e.new_variable();
  const ExprId term = e.binary(ExprOp::Subtract, e.binary(ExprOp::Multiply, x, x),
                               e.binary(ExprOp::Multiply, y, e.constant(3)));
  symbolic::SolverChain solver;
  Model model;
  EXPECT_EQ(solver.check(e, {}, {Relation::Equal, term, e.constant(11)}, model), Answer::No);
  EXPECT_EQ(solver.check(e, {}, {Relation::Equal, term, e.constant(10)}, model), Answer::Yes);
}

// ---- Paths ------------------------------------------------------------------

session::SessionOptions options_of(const std::string& path) {
  session::SessionOptions options;
  options.paths = {path};
  return options;
}

GenerateOptions paths_of(const char* function, uint32_t arity, uint16_t length) {
  GenerateOptions options;
  options.module = Atom::intern("p");
  options.function = Atom::intern(function);
  options.arity = arity;
  options.criterion = Criterion::Paths;
  options.length = length;
  return options;
}

constexpr const char* kSort =
    "-module(p).\n-export([sort/1]).\n-spec sort([integer()]) -> [integer()].\n"
    "sort(L) -> bsort(L, []).\n"
    "bsort([], Acc) -> Acc;\n"
    "bsort([H | T], Acc) -> {NT, Max} = bubble(H, T), bsort(NT, [Max | Acc]).\n"
    "bubble(X, []) -> {[], X};\n"
    "bubble(X, [Y | T]) when X > Y -> {NT, Max} = bubble(X, T), {[Y | NT], Max};\n"
    "bubble(X, [Y | T]) when X =< Y -> {NT, Max} = bubble(Y, T), {[X | NT], Max}.\n";

// A list of n elements has n! orders: 1 + 1 + 2 + 6 + 24.
TEST(Paths, BubbleSortUpToFour) {
  TempTree tree;
  tree.add("p.erl", kSort);
  session::Session session(options_of(tree / "p.erl"));
  const auto suite = generate::generate(session, paths_of("sort", 1, 4));
  ASSERT_TRUE(suite);
  EXPECT_EQ(suite->distinct, 34u);
  EXPECT_EQ(suite->tests.size(), 34u);
  EXPECT_TRUE(suite->wrong.empty());
  EXPECT_TRUE(suite->exhausted);
}

// Bodies made at random of comparisons, arithmetic and matches on X, Y in -2..2 and a list L of up
// to two elements of 0..1.
class RandomBody {
 public:
  explicit RandomBody(uint32_t seed) : random_(seed) {}

  std::string body(int depth) {
    if (depth == 0) return term();
    const std::string name = "Z" + std::to_string(++names_);
    const auto deeper = [&] { return " -> " + body(depth - 1); };
    const int kind = pick(6);
    const int number = pick(4) - 1;
    const std::string first = deeper();
    const std::string second = deeper();
    if (kind == 0) return "if " + test() + first + "; true" + second + " end";
    const std::string third = deeper();
    if (kind == 1) {
      return fmt::format("case {} of {}{}; {} when {} > 1{}; _{} end", term(), number, first, name,
                         name, second, third);
    }
    if (kind == 2) {
      return fmt::format("case L of []{}; [{} | _] when {} < X{}; _{} end", first, name, name,
                         second, third);
    }
    if (kind == 3) {
      return fmt::format("case L of [0 | _]{}; [1, 0]{}; [1 | _]{}; _ -> 9 end", first, second,
                         third);
    }
    if (kind == 4) {
      return fmt::format("case {{X, L}} of {{0, _}}{}; {{1, [0 | _]}}{}; {{_, []}}{}; _ -> 8 end",
                         first, second, third);
    }
    return fmt::format("case {{X, L}} of {{Y, [_]}}{}; {{_, [{}, {}]}}{}; _{} end", first, name,
                       name, second, third);
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string term() {
    static const char* const terms[] = {"X + Y",   "X * Y",     "X - 2 * Y", "X div 2",
                                        "X rem 2", "length(L)", "X band 3",  "Y * Y - X"};
    return terms[pick(8)];
  }
  std::string test() {
    static const char* const tests[] = {"X > Y",   "X =:= Y",       "X + Y =< 1",
                                        "L == []", "length(L) > X", "X rem 2 =:= Y"};
    return tests[pick(6)];
  }

  std::mt19937 random_;
  int names_ = 0;
};

TEST(Paths, NoneIsMissed) {
  const char* count = std::getenv("COUNT");
  const uint32_t programs = count ? static_cast<uint32_t>(std::atoi(count)) : 25;
  for (uint32_t seed = 0; seed < programs; ++seed) {
    TempTree tree;
    const std::string text =
        "-module(p).\n-export([f/3]).\n-spec f(-2..2, -2..2, [0..1]) -> integer().\nf(X, Y, L) "
        "-> " +
        RandomBody(seed).body(3) + ".\n";
    tree.add("p.erl", text);
    session::Session session(options_of(tree / "p.erl"));
    const auto suite = generate::generate(session, paths_of("f", 3, 2));
    ASSERT_TRUE(suite) << text;
    EXPECT_TRUE(suite->exhausted) << text;
    EXPECT_TRUE(suite->wrong.empty()) << text;
    std::set<std::vector<uint32_t>> found;
    for (const generate::TestCase& test : suite->tests) found.insert(test.path);
    generate::ConcreteRuns runs(session, {.unknowns = true}, 10'000);
    std::set<std::vector<uint32_t>> expected;
    for (int x = -2; x <= 2; ++x) {
      for (int y = -2; y <= 2; ++y) {
        for (const char* l : {"[]", "[0]", "[1]", "[0,0]", "[0,1]", "[1,0]", "[1,1]"}) {
          const auto run = runs.run(fmt::format("p:f({}, {}, {})", x, y, l));
          ASSERT_TRUE(run);
          std::vector<uint32_t> path;
          for (const uint32_t clause : run->clauses) {
            for (uint32_t i = 0; i < suite->items.size(); ++i) {
              if (suite->items[i].node == clause) path.push_back(i);
            }
          }
          expected.insert(path);
        }
      }
    }
    EXPECT_EQ(found, expected) << "seed " << seed << "\n" << text;
  }
}

// ---- Rare values ------------------------------------------------------------

// Each within so few choices that it takes milliseconds. (rare:sum/1 needs OTP's lists:
// gen/rare.test of the golden tests.)
TEST(Rare, AllAreFound) {
  constexpr uint64_t kMostStates = 5000;
  session::Session session(options_of(tests_dir() / "gen/rare.erl"));
  for (const auto& [function, arity] :
       {std::pair("eq", 1), std::pair("quad2", 2), std::pair("bits", 1), std::pair("map", 1),
        std::pair("func", 1), std::pair("str", 1), std::pair("flt", 1), std::pair("chk", 1),
        std::pair("atm", 1)}) {
    GenerateOptions options;
    options.module = Atom::intern("rare");
    options.function = Atom::intern(function);
    options.arity = static_cast<uint32_t>(arity);
    options.criterion = Criterion::Both;
    const auto suite = generate::generate(session, options);
    ASSERT_TRUE(suite) << function;
    const bool is_hit = std::ranges::any_of(
        suite->tests, [](const generate::TestCase& test) { return test.value == "hit"; });
    EXPECT_TRUE(is_hit) << function;
    EXPECT_TRUE(suite->wrong.empty()) << function;
    EXPECT_LT(suite->states, kMostStates) << function;
  }
}

TEST(Rare, NoTestForWhatNothingReaches) {
  session::Session session(options_of(tests_dir() / "gen/rare.erl"));
  GenerateOptions options;
  options.module = Atom::intern("rare");
  options.function = Atom::intern("quad");
  options.arity = 2;
  options.inputs = generate::Inputs::Any;
  options.patience = 200;
  const auto suite = generate::generate(session, options);
  ASSERT_TRUE(suite);
  for (const generate::TestCase& test : suite->tests) EXPECT_NE(test.value, "hit");
  EXPECT_EQ(suite->uncovered.size(), 1u);
}

// ---- Functions without an end -----------------------------------------------

struct Hard {
  const char* body;
  const char* reason;  // what the verdict must say
};

TEST(Hard, EndsWithAVerdict) {
  const Hard programs[] = {
      {"f(N) -> f(N + 1).\n", "calls"},
      {"f(N) -> receive N -> ok end.\n", "wait for ever"},
      {"f(L) -> [X || X <- L, X > 0], f([0 | L]).\n", "calls"},
      {"f(X) -> case erlang:phash2(X) of 12345 -> hit; _ -> miss end.\n", "phash2"},
      {"f(X) -> case get(X) of undefined -> put(X, 1), f(X); _ -> done end.\n", ""},
      {"f(X) -> exit(self(), kill), X.\n", ""},
  };
  for (const Hard& hard : programs) {
    TempTree tree;
    tree.add("p.erl", std::string("-module(p).\n-export([f/1]).\n") + hard.body);
    session::Session session(options_of(tree / "p.erl"));
    GenerateOptions options = paths_of("f", 1, 3);
    options.criterion = Criterion::Both;
    options.calls = 100;
    options.patience = 50;
    const auto suite = generate::generate(session, options);
    ASSERT_TRUE(suite) << hard.body;
    EXPECT_TRUE(suite->wrong.empty()) << hard.body;
    const bool says_so = std::ranges::any_of(suite->reasons, [&](const std::string& reason) {
      return reason.find(hard.reason) != std::string::npos;
    });
    EXPECT_TRUE(says_so || *hard.reason == 0) << hard.body;
  }
}

// ---- Strategies -------------------------------------------------------------

TEST(Strategy, AllFindTheSamePaths) {
  TempTree tree;
  tree.add("p.erl", kSort);
  for (const generate::Strategy strategy :
       {generate::Strategy::Guided, generate::Strategy::Smallest, generate::Strategy::Breadth,
        generate::Strategy::Depth, generate::Strategy::Deepening, generate::Strategy::Random}) {
    session::Session session(options_of(tree / "p.erl"));
    GenerateOptions options = paths_of("sort", 1, 4);
    options.strategy = strategy;
    const auto suite = generate::generate(session, options);
    ASSERT_TRUE(suite);
    EXPECT_EQ(suite->distinct, 34u) << static_cast<int>(strategy);
    EXPECT_TRUE(suite->exhausted);
  }
}

}  // namespace
}  // namespace fathom
