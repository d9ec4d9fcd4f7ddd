// The example projects with their tests: whatever a machine is seen to do is in the graph, and how
// much of the graph is seen. Edges that are never seen are possible in other runs, or not at all:
// their share is what the analysis is measured by.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "observed_flow.h"
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
  EXPECT_GE(percent(GraphEdgeKind::Message), 25u);
}

}  // namespace
}  // namespace fathom::flow
