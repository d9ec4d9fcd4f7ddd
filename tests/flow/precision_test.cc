// The example projects with their tests: whatever a machine is seen to do is in the graph, and how
// much of the graph is seen. Edges that are never seen are possible in other runs, or not at all:
// their share is what the analysis is measured by.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "example_projects.h"
#include "flow/process_view.h"
#include "flow_program.h"
#include "observed_flow.h"
#include "temp_tree.h"
#include "tests_dir.h"

namespace fathom::flow {
namespace {

constexpr uint64_t kOrders = 20;  // of the processes, and of what time-outs they see

TEST(Precision, OfExamples) {
  std::map<GraphEdgeKind, Share> all;
  for (const Example& example : kExamples) {
    Reader reader;
    Project project(ProjectOptions::from_environment());
    session::Library library(reader, project);
    const std::vector<Atom> own =
        add_modules(library, tests_dir().parent_path() / "examples" / example.name);
    Diagnostics diagnostics;
    const auto test = library.from_text("call", fmt::format(kRunner, example.tests), diagnostics);
    ASSERT_TRUE(test && !diagnostics.has_errors()) << example.name;
    const Observed seen = observe(library, own, *test, "test", kOrders);
    EXPECT_EQ(text_of(seen.missing), "") << example.name;
    EXPECT_GT(seen.messages, 0u) << example.name;
    for (const auto& [kind, share] : seen.shares) {
      fmt::print("{:10} {:18} {:4} of {:4} edges seen\n", example.name, word_of(kind), share.seen,
                 share.all);
      all[kind].seen += share.seen;
      all[kind].all += share.all;
    }
    if (std::getenv("UNSEEN")) fmt::print("{}", text_of(seen.unseen));
  }
  for (const auto& [kind, share] : all) {
    fmt::print("{:10} {:18} {:4} of {:4} edges seen: {:.0f} %\n", "all", word_of(kind), share.seen,
               share.all, 100.0 * static_cast<double>(share.seen) / static_cast<double>(share.all));
  }
  // What is reached so far; bench/flow_precision.sh has the goals.
  const auto percent = [&](GraphEdgeKind kind) { return 100 * all[kind].seen / all[kind].all; };
  EXPECT_GE(percent(GraphEdgeKind::HigherOrderCall), 85u);
  EXPECT_GE(percent(GraphEdgeKind::Message), 60u);
}

// ---- Behaviours -----------------------------------------------------------------

constexpr std::string_view kServer = R"(-module({0}). -behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).
init(_) -> {{ok, []}}.
handle_call(get, _, S) -> {{reply, from_{0}, S}}.
handle_cast(_, S) -> {{noreply, S}}.
)";
constexpr std::string_view kCallers = R"(-module(callers). -export([main/0]).
main() ->
    {ok, A} = gen_server:start_link(one, [], []),
    {ok, B} = gen_server:start_link({local, b}, two, [], []),
    X = gen_server:call(A, get),
    Y = gen_server:call(b, get),
    gen_server:stop(A),
    gen_server:stop(B),
    {X, Y}.
)";

// A call to one server never reaches the callback module of another, nor does its answer come from
// there; and each start is one process.
TEST(Precision, OfServersTellsThemApart) {
  TempTree tree;
  tree.add("callers.erl", kCallers);
  for (const char* name : {"one", "two"})
    tree.add(fmt::format("{}.erl", name), fmt::format(kServer, name));
  FlowProgram program({tree / "callers.erl", tree / "one.erl", tree / "two.erl"}, "callers:main");
  const Analysis& analysis = program.analysis();
  const Facts& facts = analysis.facts();
  std::map<ContextId, std::set<Atom>> called;
  for (const CallEdge& edge : facts.calls) {
    const Instance& caller = facts[facts[edge.site].instance];
    const Atom callee = facts[edge.callee].code.module->name();
    if (caller.context != kNoContext && program.code().is_own(callee))
      called[caller.context].insert(callee);
  }
  EXPECT_EQ(called.size(), 2u);
  for (const auto& [context, modules] : called) EXPECT_EQ(modules.size(), 1u);

  const ObjectSet& results = analysis.values(facts[facts.roots[0].entry].result);
  EXPECT_EQ(results.size(), 1u);
  results.for_each([&](ObjectId pair) {
    for (const size_t part : {0u, 1u}) {
      std::set<std::string_view> answers;
      analysis.values(analysis.objects().part(pair, part)).for_each([&](ObjectId id) {
        answers.insert(analysis.objects()[id].atom.text());
      });
      EXPECT_TRUE(answers.contains(part == 0 ? "from_one" : "from_two"));
      EXPECT_FALSE(answers.contains(part == 0 ? "from_two" : "from_one"));
    }
  });
  EXPECT_EQ(process_view(analysis, program.messages(), program.graph()).size(), 3u);
}

}  // namespace
}  // namespace fathom::flow
