// The analysis has the same edges as the paper's own algorithm; and its example.
#include <gtest/gtest.h>

#include "flow/data_flows.h"
#include "flow/def_use.h"
#include "flow_program.h"
#include "reference_graph.h"

namespace fathom::flow {
namespace {

// The shape of the paper's Figure 3: a process that makes a sequence by a fun, and its user.
constexpr std::string_view kNumbers = R"(-module(numbers).
-export([serve/2, use/0]).
serve(Value, Next) ->
    receive
        {Client, next} ->
            Client ! {number, Value},
            serve(Next(Value), Next);
        stop -> ok
    end.
begin_at(First, Next) ->
    register(numbers, spawn(numbers, serve, [First, Next])).
finish() -> numbers ! stop.
next() ->
    numbers ! {self(), next},
    receive
        {number, N} -> N
    end.
use() ->
    begin_at(0, fun(N) -> N + 1 end),
    A = next(),
    finish(),
    A.
)";

// A throw that a catch in between keeps from the outer one, and another that passes.
constexpr std::string_view kThrows = R"(-module(throws).
-export([main/0]).
main() -> catch outer(1).
outer(X) ->
    Early = (catch inner(X)),
    throw({late, Early}).
inner(X) -> throw({early, X}).
)";

constexpr std::string_view kFunInMessage = R"(-module(posted).
-export([main/0]).
main() ->
    Worker = spawn(fun work/0),
    K = 7,
    Worker ! {do, fun(X) -> X + K end},
    Worker ! {do, fun(X) -> {X, K} end},
    Worker ! stop.
work() ->
    receive
        {do, F} -> F(1), work();
        stop -> ok
    end.
)";

constexpr std::string_view kTwoServers = R"(-module(two).
-export([main/0, one/0, other/1]).
main() ->
    register(one, spawn(two, one, [])),
    Other = spawn(two, other, [one]),
    Other ! {ask, self()},
    receive {answer, X} -> X end.
one() ->
    receive
        {question, From} -> From ! reply, one()
    end.
other(Name) ->
    receive
        {ask, Client} ->
            Name ! {question, self()},
            receive reply -> Client ! {answer, ok} end
    end.
)";

constexpr std::string_view kFunctions = R"(-module(functions).
-export([main/0]).
main() ->
    Add = adder(2),
    Twice = twice(Add),
    {apply1(Add, 1), apply1(Twice, 2), apply1(pick({Add, Twice}), 3)}.
adder(N) -> fun(X) -> X + N end.
twice(F) -> fun(X) -> F(F(X)) end.
apply1(F, X) -> F(X).
pick({_, F}) -> F.
)";

struct Small {
  std::string_view name;
  std::string_view text;
  std::string_view entry;
};
constexpr Small kPrograms[] = {{"numbers", kNumbers, "numbers:use"},
                               {"throws", kThrows, "throws:main"},
                               {"posted", kFunInMessage, "posted:main"},
                               {"two", kTwoServers, "two:main"},
                               {"functions", kFunctions, "functions:main"}};

struct Case {
  explicit Case(const Small& small)
      : program(std::string(small.text), std::string(small.name), std::string(small.entry)),
        module(*program.code()
                    .find({Atom::intern(small.name),
                           Atom::intern(small.entry.substr(small.entry.find(':') + 1)), 0})
                    ->module),
        first(*module.find(Atom::intern(small.entry.substr(small.entry.find(':') + 1)), 0)),
        reference(module, first) {}

  uint32_t line(core::NodeId id) const { return core::place_of(module, id).line; }
  std::string text(const ReferenceGraph::Edge& e) const {
    return fmt::format("{} {} -> {}{}", word_of(e.kind), line(e.from), line(e.to),
                       e.clause > 0 ? fmt::format(" clause {}", e.clause) : "");
  }

  FlowProgram program;
  const core::Module& module;
  core::FunctionId first;
  ReferenceGraph reference;
};

class ReferenceOf : public ::testing::TestWithParam<Small> {};

TEST_P(ReferenceOf, HasTheSameEdges) {
  const Case c(GetParam());
  std::multiset<std::string> expected;
  for (const auto& [edge, round] : c.reference.edges()) expected.insert(c.text(edge));
  std::multiset<std::string> found;
  const Graph& graph = c.program.graph();
  for (const GraphEdge& edge : graph.edges) {
    // The paper's throws are calls of throw/1.
    const bool is_throw = edge.kind == GraphEdgeKind::Throw;
    if (edge.kind == GraphEdgeKind::Neighbor ||
        (is_throw && graph[edge.from].kind != GraphNodeKind::Throw)) {
      continue;
    }
    const auto local = [&](GraphNodeId id) {
      return core::NodeId{static_cast<uint32_t>(graph[id].core) - c.module.base()};
    };
    found.insert(c.text({local(edge.from), local(edge.to), edge.kind,
                         edge.kind == GraphEdgeKind::Message ? *edge.clause : 0}));
  }
  EXPECT_EQ(found, expected);
  EXPECT_FALSE(expected.empty());
}

INSTANTIATE_TEST_SUITE_P(Programs, ReferenceOf, ::testing::ValuesIn(kPrograms),
                         [](const auto& tested) { return std::string(tested.param.name); });

// Example 3 of the paper.
TEST(Reference, FindsEdgesInTheIterationsOfTheExample) {
  const Case c(kPrograms[0]);
  std::map<std::string, uint32_t> rounds;
  for (const auto& [edge, round] : c.reference.edges()) rounds[c.text(edge)] = round;
  EXPECT_EQ(rounds.at("spawn 11 -> 3"), 0u);
  EXPECT_EQ(rounds.at("message 12 -> 4 clause 2"), 1u);   // edge 1: stop
  EXPECT_EQ(rounds.at("message 14 -> 4 clause 1"), 1u);   // edge 2: {self(), next}
  EXPECT_EQ(rounds.at("message 6 -> 15 clause 1"), 2u);   // edge 3 needs what edge 2 brings
  EXPECT_EQ(rounds.at("higher_order_call 7 -> 19"), 1u);  // edge 4
  EXPECT_EQ(c.reference.iterations(), 3u);
}

TEST(Reference, HasTheKindsOfNodesOfTheExample) {
  const Case c(kPrograms[0]);
  std::map<std::string, std::set<uint32_t>> lines;  // by kind
  for (const GraphNode& node : c.program.graph().nodes) {
    lines[std::string(word_of(node.kind))].insert(c.program.line_of(node.core));
  }
  using Lines = std::set<uint32_t>;
  EXPECT_EQ(lines["import"], (Lines{3, 10, 12, 13, 18, 19}));
  EXPECT_EQ(lines["return"].size(), 6u);
  EXPECT_EQ(lines["receive"], (Lines{4, 15}));
  EXPECT_EQ(lines["send"], (Lines{6, 12, 14}));
  EXPECT_EQ(lines["spawn"], (Lines{11}));
  EXPECT_EQ(lines["fun"], (Lines{19}));
  EXPECT_EQ(lines["call"], (Lines{7, 19, 20, 21}));
}

TEST(Reference, AThrowStopsAtTheCatchInBetween) {
  const Case c(kPrograms[1]);
  std::set<std::string> throws;
  for (const auto& [edge, round] : c.reference.edges()) {
    if (edge.kind == GraphEdgeKind::Throw) throws.insert(c.text(edge));
  }
  EXPECT_EQ(throws, (std::set<std::string>{"throw 6 -> 3", "throw 7 -> 5"}));
}

// ---- Definitions 8 to 13 ------------------------------------------------------

class Occurrences {
 public:
  explicit Occurrences(const Small& small)
      : c(small),
        steps(c.program.analysis(), c.program.graph()),
        def_use(c.program.analysis(), c.program.graph(), steps) {}

  std::string name(const Occurrence& o) const {
    const FunctionCode& code = c.program.graph()[o.function].code;
    return std::string(
        (*code.module)[code.function].variables[static_cast<size_t>(o.variable)].text());
  }
  // "Client 5 sm": its name, its line, its variants.
  std::string text(const Occurrence& o) const {
    return fmt::format(
        "{} {} {}{}{}", name(o), c.program.line_of(o.node), o.variants & kFunVariant ? "f" : "",
        o.variants & kStructureVariant ? "s" : "", o.variants & kMessageVariant ? "m" : "");
  }
  std::set<std::string> texts(std::span<const Occurrence> all) const {
    std::set<std::string> result;
    for (const Occurrence& o : all) result.insert(text(o));
    return result;
  }

  Case c;
  ValueSteps steps;
  DefUse def_use;
};

TEST(DefinitionsAndUses, HaveTheirVariants) {
  const Occurrences numbers(kPrograms[0]);
  const auto definitions = numbers.texts(numbers.def_use.definitions());
  EXPECT_TRUE(definitions.contains("Client 5 sm"));
  EXPECT_TRUE(definitions.contains("N 16 sm"));
  EXPECT_TRUE(definitions.contains("A 20 "));
  const auto uses = numbers.texts(numbers.def_use.uses());
  EXPECT_TRUE(uses.contains("Value 6 s"));  // in {number, Value}
  EXPECT_TRUE(uses.contains("Client 6 "));  // the destination
  EXPECT_TRUE(uses.contains(" 14 m"));      // the message, which has no name in the source
  const Occurrences posted(kPrograms[2]);
  EXPECT_TRUE(posted.texts(posted.def_use.definitions()).contains("K 6 f"));
  EXPECT_TRUE(posted.texts(posted.def_use.uses()).contains("K 6 f"));
}

TEST(DefinitionsAndUses, Correspond) {
  const Occurrences numbers(kPrograms[0]);
  std::set<std::string> pairs;
  for (const CorrespondingPair& pair : numbers.def_use.corresponding()) {
    pairs.insert(fmt::format("{} -> {}", numbers.c.program.line_of(numbers.def_use[pair.use].node),
                             numbers.c.program.line_of(numbers.def_use[pair.definition].node)));
  }
  EXPECT_TRUE(pairs.contains("14 -> 4"));  // m: {self(), next}
  EXPECT_TRUE(pairs.contains("12 -> 4"));  // m: stop
  EXPECT_TRUE(pairs.contains("14 -> 5"));  // s: self() and Client
  EXPECT_TRUE(pairs.contains("6 -> 16"));  // s: Value and N
  EXPECT_FALSE(pairs.contains("12 -> 15"));
  const Occurrences posted(kPrograms[2]);
  const auto funs =
      std::ranges::count(posted.def_use.corresponding(), kFunVariant, &CorrespondingPair::variant);
  EXPECT_EQ(funs, 2);
}

TEST(DefinitionsAndUses, ReachThroughMessagesAndCalls) {
  const Occurrences numbers(kPrograms[0]);
  const auto reached = [&](std::string_view definition) {
    std::set<std::string> found;
    for (size_t d = 0; d < numbers.def_use.definitions().size(); ++d) {
      if (numbers.text(numbers.def_use.definitions()[d]) != definition) continue;
      for (const UseId use : numbers.def_use.uses_reached(DefinitionId{static_cast<uint32_t>(d)}))
        found.insert(numbers.text(numbers.def_use[use]));
    }
    return found;
  };
  // What self() returns, which is not named, comes to be Client.
  EXPECT_TRUE(reached(" 14 ").contains("Client 6 "));
  // The first number is First, then Value, then N, then A.
  EXPECT_TRUE(reached("First 10 ").contains("Value 6 s"));
  EXPECT_TRUE(reached("First 10 ").contains("A 18 "));  // the value of the clause
  EXPECT_FALSE(reached("First 10 ").contains("Next 7 "));
}

// Each definition that reaches a use directly is before it, and not in another clause.
TEST(DefinitionsAndUses, OfSeveralClausesAreToldApart) {
  const Small small{"clauses", R"(-module(clauses).
-export([main/0]).
main() -> pick(self()).
pick(P) ->
    case P of
        a -> X = 1, use(X);
        _ -> X = 2, use(X)
    end,
    X.
use(X) -> X.
)",
                    "clauses:main"};
  const Occurrences o(small);
  std::multiset<std::string> pairs;
  for (const DirectPair& pair : o.def_use.direct()) {
    if (o.name(o.def_use[pair.use]) != "X") continue;
    pairs.insert(fmt::format("{} -> {}", o.c.program.line_of(o.def_use[pair.definition].node),
                             o.c.program.line_of(o.def_use[pair.use].node)));
  }
  EXPECT_TRUE(pairs.contains("6 -> 6"));
  EXPECT_TRUE(pairs.contains("7 -> 7"));
  EXPECT_TRUE(pairs.contains("6 -> 4"));  // X as the value of the function's clause
  EXPECT_TRUE(pairs.contains("7 -> 4"));
  EXPECT_FALSE(pairs.contains("6 -> 7"));
  EXPECT_FALSE(pairs.contains("7 -> 6"));
}

// Seed of data-flow coverage: what is built, where it is matched, and which funs are applied.
TEST(DataFlows, GoFromWhereValuesAreBuiltToWhereTheyAreUsed) {
  const Small& small = kPrograms[0];
  FlowProgram program(std::string(small.text), std::string(small.name), std::string(small.entry),
                      {.knows_origins = true});
  std::set<std::string> flows;
  for (const BuiltUse& flow : built_uses(program.analysis(), [&](const core::Module& m) {
                                return program.code().is_own(m.name());
                              }).all) {
    const auto [module, id] = program.program().local(flow.used);
    const bool is_applied = (*module)[id].kind == core::Kind::Apply;
    flows.insert(fmt::format("{} -> {}{}", program.line_of(flow.built), program.line_of(flow.used),
                             is_applied ? " applied" : ""));
  }
  EXPECT_TRUE(flows.contains("14 -> 5"));          // {self(), next}
  EXPECT_TRUE(flows.contains("6 -> 16"));          // {number, Value}
  EXPECT_TRUE(flows.contains("12 -> 8"));          // stop, a literal
  EXPECT_TRUE(flows.contains("19 -> 7 applied"));  // the fun
  EXPECT_FALSE(flows.contains("6 -> 5"));
}

}  // namespace
}  // namespace fathom::flow
