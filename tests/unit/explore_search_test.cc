// The search: how many classes of executions small programs have, with every algorithm.
#include <gtest/gtest.h>

#include <set>

#include "explore/search.h"
#include "replayed_search.h"
#include "running.h"

namespace fathom::explore::explore_search_test {
namespace {

struct Found {
  uint64_t interleavings = 0;
  uint64_t blocked = 0;
  uint64_t impossible = 0;
  std::set<uint64_t> classes;
};

Found explore(std::string_view program, Algorithm algorithm) {
  Found found;
  ReplayedSearch search([&] { return machine::started(program); }, {.algorithm = algorithm});
  search.run([&](const Search& s, Ending ending) {
    if (ending == Ending::Restart) {
      found = {};
    } else if (ending != Ending::Blocked) {
      found.classes.insert(s.execution().trace().class_hash());
    }
    return true;
  });
  found.interleavings = search.statistics().interleavings;
  found.blocked = search.statistics().blocked;
  found.impossible = search.explorer().impossible;
  return found;
}

struct Case {
  const char* name;
  const char* program;
  uint64_t classes;
};

constexpr Case kCases[] = {
    {"OneWriterOneReader",
     "main() -> T = ets:new(t, [public]), spawn(fun() -> ets:insert(T, {x, 1}) end),"
     " ets:lookup(T, x), receive never -> ok end.",
     2},
    {"OneWriterThreeReaders",
     "main() -> T = ets:new(t, [public]), spawn(fun() -> ets:insert(T, {x, 1}) end),"
     " [spawn(fun() -> ets:lookup(T, x) end) || _ <- [1, 2, 3]], receive never -> ok end.",
     8},
    {"IndependentWriters",
     "main() -> T = ets:new(t, [public]),"
     " [spawn(fun() -> ets:insert(T, {I, 1}) end) || I <- [1, 2, 3, 4]], receive never -> ok end.",
     1},
    {"ThreeSendersAnyOrder",
     "main() -> P = self(), [spawn(fun() -> P ! I end) || I <- [1, 2, 3]],"
     " [receive X -> X end || _ <- [1, 2, 3]].",
     6},
    {"ThreeSendersFixedOrder",
     "main() -> P = self(), [spawn(fun() -> P ! I end) || I <- [1, 2, 3]],"
     " [receive I -> I end || I <- [1, 2, 3]].",
     1},
    {"ThreeSendersNobodyReceives",
     "main() -> P = self(), [spawn(fun() -> P ! I end) || I <- [1, 2, 3]], receive never -> ok "
     "end.",
     1},
    {"AfterZero",
     "main() -> P = self(), spawn(fun() -> P ! hello end), receive hello -> 1 after 0 -> 2 end.",
     2},
    {"AfterZeroOtherMessage",
     "main() -> P = self(), spawn(fun() -> P ! hello end), receive bye -> 1 after 0 -> 2 end.", 1},
    {"RegisterAndWhereis",
     "main() -> spawn(fun() -> catch register(a, self()) end), catch (a ! hello).", 3},
    {"KillOrAct",
     "main() -> T = ets:new(t, [public]), P = spawn(fun() -> ets:insert(T, {x, 1}) end),"
     " exit(P, kill), receive never -> ok end.",
     4},  // the signal arrives before the insertion, after it, after the exit, or is sent too late
};

class Searched : public ::testing::TestWithParam<Case> {};

TEST_P(Searched, ByEveryAlgorithm) {
  const Case& c = GetParam();
  const Found all = explore(c.program, Algorithm::None);
  const Found optimal = explore(c.program, Algorithm::Optimal);
  const Found source = explore(c.program, Algorithm::Source);
  EXPECT_EQ(all.classes.size(), c.classes);
  // Not those of the plain search itself, which has the ends of all processes as events.
  EXPECT_EQ(optimal.classes.size(), c.classes);
  EXPECT_EQ(optimal.interleavings, c.classes);
  EXPECT_EQ(optimal.blocked, 0u);
  EXPECT_EQ(optimal.impossible, 0u);
  EXPECT_EQ(source.classes, optimal.classes);
}

INSTANTIATE_TEST_SUITE_P(Programs, Searched, ::testing::ValuesIn(kCases),
                         [](const auto& c) { return c.param.name; });

}  // namespace
}  // namespace fathom::explore::explore_search_test
