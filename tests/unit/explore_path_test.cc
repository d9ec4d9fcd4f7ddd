// Paths of choices (choice.h): an execution goes to any of them from any other, on the machine that
// has found them and on another one.
#include <gtest/gtest.h>

#include <algorithm>
#include <unordered_set>

#include "explore/search.h"
#include "interleavings.h"
#include "replayed_search.h"
#include "running.h"

namespace fathom::explore::explore_path_test {
namespace {

using machine::TestMachine;

// Processes, a timer that sends a message, a time-out that comes early and one that does not.
constexpr std::string_view kProgram = R"(
main() ->
    Me = self(),
    T = ets:new(t, [public]),
    spawn(fun() -> ets:insert(T, {x, 1}), Me ! a end),
    spawn(fun() -> Me ! {b, ets:lookup(T, x)} end),
    erlang:send_after(10, Me, tick),
    First = receive X -> X after 5 -> none end,
    Second = receive Y -> Y after 5000 -> none end,
    exit({First, Second}).
)";

struct Leaf {
  Path path;
  std::string ending;
};

// The executions of a plain search, but for most of them.
std::vector<Leaf> some_executions(size_t every) {
  std::vector<Leaf> leaves;
  size_t count = 0;
  ReplayedSearch search([] { return machine::started(kProgram); }, {.algorithm = Algorithm::None});
  search.run([&](const Search& s, Ending ending) {
    // A process that fails is logged: the logger has to be there from the beginning.
    if (ending == Ending::Restart) {
      leaves.clear();
      count = 0;
      return true;
    }
    EXPECT_EQ(ending, Ending::Complete);
    if (count++ % every == 0) {
      leaves.push_back({s.execution().path(), ending_text(s.execution())});
    }
    return true;
  });
  return leaves;
}

TEST(Path, LeadsToTheSameStateFromAnywhere) {
  std::vector<Leaf> leaves = some_executions(97);
  ASSERT_GT(leaves.size(), 20U);
  // Neighbours of a depth-first search have most in common; so others are next to each other.
  std::ranges::sort(leaves, {}, [](const Leaf& leaf) { return leaf.path.back().name(); });
  TestMachine m(kProgram, {}, machine::kSearchMode);
  m.start("main");
  Execution execution(*m, SearchOptions().patience);
  execution.begin();
  for (const Leaf& leaf : leaves) {
    ASSERT_EQ(execution.go_to(leaf.path), leaf.path.size());
    EXPECT_EQ(execution.path(), leaf.path);
    EXPECT_EQ(ending_text(execution), leaf.ending);
    const Path half(leaf.path.begin(), leaf.path.begin() + leaf.path.size() / 2);
    ASSERT_EQ(execution.go_to(half), half.size());
    EXPECT_EQ(execution.path(), half);
  }
}

TEST(Path, EndsWhereAChoiceIsNotEnabled) {
  Path path = some_executions(97).front().path;
  const size_t end = path.size() / 2;
  path[end].process = ProcessName("P.7");
  TestMachine m(kProgram, {}, machine::kSearchMode);
  m.start("main");
  Execution execution(*m, SearchOptions().patience);
  execution.begin();
  EXPECT_EQ(execution.go_to(path), end);
  EXPECT_EQ(number(execution.depth()), end);
}

TEST(Choice, IsReadAsItIsPrinted) {
  const std::pair<ActorKind, std::string_view> names[] = {
      {ActorKind::Process, "P"},     {ActorKind::Process, "P.1.2"}, {ActorKind::Process, "P#2"},
      {ActorKind::Timer, "P.1#3"},   {ActorKind::Timer, "P#2#1"},   {ActorKind::Channel, "P.1>P"},
      {ActorKind::Channel, "P>P#2"},
  };
  std::unordered_set<Choice> all;
  for (const auto& [kind, name] : names) {
    const auto choice = parse_choice(kind, name);
    ASSERT_TRUE(choice) << name;
    EXPECT_EQ(choice->kind, kind);
    EXPECT_EQ(choice->name(), name);
    EXPECT_EQ(parse_choice(kind, name), choice);
    all.insert(*choice);
  }
  EXPECT_EQ(all.size(), std::size(names));
}

TEST(Choice, HasNoOtherNames) {
  EXPECT_FALSE(parse_choice(ActorKind::Process, "Q"));
  EXPECT_FALSE(parse_choice(ActorKind::Process, "P>P.1"));
  EXPECT_FALSE(parse_choice(ActorKind::Timer, "P"));
  EXPECT_FALSE(parse_choice(ActorKind::Timer, "P#x"));
  EXPECT_FALSE(parse_choice(ActorKind::Timer, "P#"));
  EXPECT_FALSE(parse_choice(ActorKind::Channel, "P>"));
}

}  // namespace
}  // namespace fathom::explore::explore_path_test
