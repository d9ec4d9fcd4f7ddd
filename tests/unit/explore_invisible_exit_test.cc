// Invisible exits (assumptions.h): the exit of a process is not an event as long as nobody refers
// to the process. Whatever a search assumes about that, it comes to the same endings as one in
// which every exit is an event. In a schedule every exit is a step, so that a replay, which assumes
// nothing, comes to them too (replayed_search.h).
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "explore/search.h"
#include "interleavings.h"
#include "replayed_search.h"
#include "running.h"

namespace fathom::explore::explore_invisible_exit_test {
namespace {

struct Seen {
  std::set<std::string> endings;
  uint64_t events = 0;
  uint64_t starts = 1;  // of the search
};

std::string program(std::string_view body) {
  return "main() -> P = self(), " + std::string(body) + ".";
}

Seen searched(std::string_view body, Algorithm algorithm) {
  Seen seen;
  ReplayedSearch search([&] { return machine::started(program(body)); }, {.algorithm = algorithm});
  search.run([&](const Search& s, Ending ending) {
    if (ending == Ending::Restart) {
      seen.endings.clear();
      ++seen.starts;
    } else if (ending == Ending::Complete) {
      seen.endings.insert(ending_text(s.execution()));
    }
    return true;
  });
  seen.events = search.statistics().events;
  return seen;
}

struct Case {
  std::string_view what;
  std::string_view body;
  uint64_t starts;
};

constexpr Case kCases[] = {
    {"nobody has anything to do with it", "spawn(fun() -> P ! a end), receive a -> ok end", 1},
    {"it is linked from the beginning", "spawn_link(fun() -> ok end)", 1},
    {"it is monitored from the beginning",
     "{_, R} = spawn_monitor(fun() -> P ! a end), receive {'DOWN', R, _, _, Why} -> exit(Why) end",
     1},
    {"it has a name", "spawn(fun() -> register(n, self()) end), exit(whereis(n) =:= undefined)", 1},
    {"it owns a table",
     "spawn(fun() -> ets:new(t, [named_table]) end), exit(ets:info(t) =:= undefined)", 1},
    {"it is looked at", "C = spawn(fun() -> P ! a end), exit(is_process_alive(C))", 1},
    {"it is looked at when it has said something",
     "C = spawn(fun() -> P ! a end), receive a -> exit(is_process_alive(C)) end", 2},
    {"it is monitored late",
     "C = spawn(fun() -> ok end), monitor(process, C), receive {'DOWN', _, _, _, Why} -> exit(Why)"
     " end",
     2},
    // Once more, since the link may come too late (late_signals.h).
    {"it is linked late", "C = spawn(fun() -> P ! a end), receive a -> link(C) end", 3},
    {"it is registered by another", "C = spawn(fun() -> ok end), register(n, C)", 2},
    {"it is sent something", "C = spawn(fun() -> ok end), C ! a", 2},
    {"a timer sends it something", "C = spawn(fun() -> P ! a end), erlang:send_after(5, C, x)", 2},
    {"it is killed",
     "C = spawn(fun() -> P ! a end), exit(C, kill), receive a -> ok after 5 -> ok end", 1},
    {"it is an heir",
     "C = spawn(fun() -> P ! a end), spawn(fun() -> ets:new(t, [{heir, C, x}]) end)", 2},
    // The services, which are counted too, have to be there from the beginning.
    {"all are counted", "spawn(fun() -> P ! a end), exit(length(processes()))", 2},
    // Of the first two interleavings, one has it looked at.
    {"it is looked at only sometimes",
     "C = spawn(fun() -> P ! a end), spawn(fun() -> P ! b end),"
     " receive a -> ok; b -> exit(is_process_alive(C)) end",
     2},
    {"one is noticed after the other",
     "C = spawn(fun() -> P ! a end), D = spawn(fun() -> P ! b end),"
     " receive a -> exit(is_process_alive(D)); b -> exit(is_process_alive(C)) end",
     3},
};

TEST(InvisibleExit, ChangesNoEnding) {
  for (const Case& c : kCases) {
    const Seen all = searched(c.body, Algorithm::None);
    ASSERT_FALSE(all.endings.empty()) << c.what;
    for (const Algorithm algorithm : {Algorithm::Optimal, Algorithm::Source}) {
      const Seen seen = searched(c.body, algorithm);
      EXPECT_EQ(seen.endings, all.endings) << c.what;
      EXPECT_EQ(seen.starts, c.starts) << c.what;
    }
  }
}

TEST(InvisibleExit, SavesAnEventForEachProcess) {
  const std::string_view body = "[spawn(fun() -> P ! a end) || _ <- [1, 2, 3]]";
  constexpr uint64_t kSpawnsAndSends = 6;
  EXPECT_EQ(searched(body, Algorithm::Optimal).events, kSpawnsAndSends + 1);
}

}  // namespace
}  // namespace fathom::explore::explore_invisible_exit_test
