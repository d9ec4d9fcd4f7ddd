// The example projects with their tests: whatever a machine is seen to do is in the graph, and how
// much of the graph is seen. Edges that are never seen are possible in other runs, or not at all:
// their share is what the analysis is measured by.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "flow/process_view.h"
#include "flow_program.h"
#include "observed_flow.h"
#include "temp_tree.h"
#include "tests_dir.h"

namespace fathom::flow {
namespace {

struct Example {
  std::string_view name;
  std::string_view tests;  // a list of EUnit's tests
};
constexpr Example kExamples[] = {
    {"cache", "[cache_tests:cache_test_()]"},
    {"handshake", "[handshake_tests:lossy_test_(), handshake_tests:nobody_answers_test_()]"},
    {"pipeline", "[pipeline_tests:pipeline_test_()]"},
    {"pool", "[pool_tests:pool_test_(), pool_tests:size_test_()]"},
    {"registry", "[registry_tests:registry_test_()]"},
};

// Runs tests of EUnit one after another.
constexpr std::string_view kRunner = R"(-module(call). -export([test/0]).
test() -> run({}).
run([]) -> ok;
run([Test | Tests]) -> run(Test), run(Tests);
run({{foreach, Start, Stop, Tests}}) -> [run({{setup, Start, Stop, T}}) || T <- Tests];
run({{setup, Start, Stop, Tests}}) ->
    Value = Start(),
    try run(instance(Tests, Value)) after Stop(Value) end;
run({{setup, Start, Tests}}) -> run(instance(Tests, Start()));
run({{spawn, Tests}}) -> run(Tests);
run({{inorder, Tests}}) -> run(Tests);
run({{timeout, _, Tests}}) -> run(Tests);
run({{Line, Test}}) when is_integer(Line) -> run(Test);
run({{_, Line, Test}}) when is_integer(Line) -> run(Test);
run({{_, Test}}) -> run(Test);
run(Test) when is_function(Test, 0) -> catch Test();
run(_) -> ok.
instance(Tests, Value) when is_function(Tests, 1) -> Tests(Value);
instance(Tests, _) -> Tests.
)";

std::vector<Atom> add_modules(session::Library& library, const std::filesystem::path& project) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(project)) {
    if (entry.path().extension() == ".erl") paths.push_back(entry.path().string());
  }
  std::ranges::sort(paths);
  std::vector<Atom> names;
  for (const std::string& path : paths) {
    library.add(path);
    names.push_back(Atom::intern(std::filesystem::path(path).stem().string()));
  }
  return names;
}

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
    const Observed seen = observe(library, own, *test);
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
  EXPECT_GE(percent(GraphEdgeKind::HigherOrderCall), 80u);
  EXPECT_GE(percent(GraphEdgeKind::Message), 55u);
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
