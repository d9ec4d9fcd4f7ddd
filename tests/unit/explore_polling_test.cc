// Polling processes (polling.h): the search ends, and finds all endings that the plain one finds
// before it is cut.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "explore/search.h"
#include "interleavings.h"
#include "replayed_search.h"
#include "running.h"

namespace fathom::explore {
namespace {

constexpr std::string_view kWait =
    "wait(F) -> case F() of true -> ok; false -> receive after 5 -> wait(F) end end.\n";

// Of main/0. How processes end tells what they have seen.
constexpr std::string_view kPrograms[] = {
    "C = spawn(fun() -> ok end), wait(fun() -> not is_process_alive(C) end)",
    "T = ets:new(t, [public]),"
    " spawn(fun() -> ets:insert(T, {a, 1}), ets:insert(T, {b, 1}) end),"
    " wait(fun() -> ets:member(T, a) end), exit({saw, ets:member(T, b)})",
    // Each waits for the other: one after it has set its own key, the other before.
    "T = ets:new(t, [public]), P = self(),"
    " spawn(fun() -> ets:insert(T, {a, 1}), wait(fun() -> ets:member(T, b) end), P ! done end),"
    " wait(fun() -> ets:member(T, a) end), ets:insert(T, {b, 1}), receive done -> ok end",
    // Other changes do not matter to the polling process.
    "T = ets:new(t, [public]),"
    " spawn(fun() -> ets:insert(T, {x, 1}), ets:insert(T, {a, 1}) end),"
    " wait(fun() -> ets:member(T, a) end), exit({saw, ets:member(T, x)})",
    // A process that counts is not in the same state, and gives up.
    "T = ets:new(t, [public]), spawn(fun() -> ets:insert(T, {a, 1}) end),"
    " F = fun F(0) -> gave_up; F(N) -> ets:member(T, a) orelse receive after 5 -> F(N - 1) end"
    " end, exit({saw, F(2)})",
    // A name that is given and taken again may be missed.
    "spawn(fun() -> register(n, self()), receive after 7 -> ok end end),"
    " F = fun F(0) -> never; F(N) -> case whereis(n) of undefined -> receive after 5 -> F(N - 1)"
    " end; _ -> seen end end, exit({saw, F(2)})",
};

std::set<std::string> endings(std::string_view body, Algorithm algorithm, uint32_t depth) {
  const std::string program = "main() -> " + std::string(body) + ".\n" + std::string(kWait);
  SearchOptions options;
  options.algorithm = algorithm;
  options.max_depth = depth;
  std::set<std::string> found;
  ReplayedSearch search([&] { return machine::started(program); }, options);
  search.run([&](const Search& s, Ending ending) {
    if (ending == Ending::Restart) found.clear();
    if (ending == Ending::Complete) found.insert(ending_text(s.execution()));
    EXPECT_TRUE(ending != Ending::Cut || algorithm == Algorithm::None);
    EXPECT_NE(ending, Ending::Failed);
    return true;
  });
  EXPECT_EQ(search.explorer().impossible, 0);
  return found;
}

TEST(Polling, ComesToAnEndWithAllOutcomes) {
  for (const std::string_view program : kPrograms) {
    const std::set<std::string> all = endings(program, Algorithm::None, 15);
    EXPECT_FALSE(all.empty()) << program;
    EXPECT_EQ(endings(program, Algorithm::Optimal, 1000), all) << program;
    EXPECT_EQ(endings(program, Algorithm::Source, 1000), all) << program;
  }
}

}  // namespace
}  // namespace fathom::explore
