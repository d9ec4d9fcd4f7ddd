// Processes that wait by looking again and again (polling.h): the search ends, and finds all
// endings that the plain one finds before it is cut. Of a table of programs, and of random ones.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>

#include "base/hash.h"
#include "explore/search.h"
#include "interleavings.h"
#include "replayed_search.h"
#include "running.h"
#include "samples.h"

namespace fathom::explore::explore_polling_test {
namespace {

constexpr std::string_view kWait =
    "wait(F) -> case F() of true -> ok; false -> receive after 5 -> wait(F) end end.\n"
    "spin(F) -> case F() of true -> ok; false -> spin(F) end.\n";

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
    // Without a pause.
    "A = atomics:new(2, []), spawn(fun() -> atomics:put(A, 1, 1), atomics:put(A, 2, 1) end),"
    " F = fun F() -> case atomics:get(A, 1) of 1 -> ok; _ -> F() end end, F(),"
    " exit({saw, atomics:get(A, 2)})",
    // A lock that is tried again and again, by one that has changed something before.
    "T = ets:new(t, [public]), ets:insert(T, {lock, 1}),"
    " spawn(fun() -> ets:insert(T, {x, 1}), ets:delete(T, lock), ets:insert(T, {y, 1}) end),"
    " wait(fun() -> ets:insert_new(T, {lock, 2}) end),"
    " exit({saw, ets:member(T, x), ets:member(T, y)})",
    "A = atomics:new(1, []), F = fun F() -> case atomics:compare_exchange(A, 1, 0, 1) of ok -> ok;"
    " _ -> F() end end, P = self(),"
    " spawn(fun() -> F(), P ! one, atomics:put(A, 1, 0) end),"
    " spawn(fun() -> F(), P ! two, atomics:put(A, 1, 0) end),"
    " exit({saw, receive X -> X end, receive Y -> Y end})",
    // A send to a name that is not there yet.
    "spawn(fun() -> register(n, self()), receive X -> exit({got, X}) end end),"
    " wait(fun() -> try n ! hello, true catch error:badarg -> false end end)",
    // A server that wakes up while nothing has happened, and once with another state.
    "S = spawn(fun() -> F = fun F(N) -> receive {get, From} -> From ! N, F(N) after 5 -> F(old) end"
    " end, F(new) end), S ! {get, self()}, exit({saw, receive X -> X end})",
};

// `most`: executions that are looked at, of a program that may be cut; 0: it may not.
std::set<std::string> endings(std::string_view body, Algorithm algorithm, uint32_t depth,
                              uint64_t most = 0, bool* is_all = nullptr) {
  const std::string program = "main() -> " + std::string(body) + ".\n" + std::string(kWait);
  SearchOptions options;
  options.algorithm = algorithm;
  options.max_depth = depth;
  std::set<std::string> found;
  ReplayedSearch search([&] { return machine::started(program); }, options);
  search.run([&](const Search& s, Ending ending) {
    if (ending == Ending::Restart) found.clear();
    if (ending == Ending::Complete) found.insert(ending_text(s.execution()));
    EXPECT_TRUE(ending != Ending::Cut || algorithm == Algorithm::None || most > 0) << body;
    EXPECT_NE(ending, Ending::Failed);
    const bool is_enough = most > 0 && s.statistics().interleavings >= most;
    if (is_enough && is_all) *is_all = false;
    return !is_enough;
  });
  EXPECT_EQ(search.explorer().impossible, 0);
  return found;
}

// ---- Random programs --------------------------------------------------------

// Two processes beside the first one. Each does a few random things, among them waiting for what
// another one may do; what it has seen is the reason of its exit.
class RandomWaiting {
 public:
  explicit RandomWaiting(uint64_t seed) : state_(seed) {}

  std::string make() {
    std::string text = "T = ets:new(t, [public]), A = atomics:new(2, []), P = self(),";
    for (int i = 0; i < 2; ++i) text += fmt::format(" spawn(fun() -> {} end),", actions());
    return text + " " + actions();
  }

 private:
  uint64_t below(uint64_t n) { return next_random(state_) % n; }

  std::string actions() {
    std::string text;
    const uint64_t count = 1 + below(2);
    // The table may be gone with the first process. (Errors would be logged, which takes long.)
    for (uint64_t i = 0; i < count; ++i) {
      text += fmt::format("X{} = try {} catch error:_ -> failed end, ", i, action());
    }
    return fmt::format("{}exit({{saw, X0, X{}}})", text, count - 1);
  }

  std::string action() {
    const auto key = [&] { return below(2) == 0 ? "a" : "b"; };
    switch (below(14)) {
      case 0:
        return fmt::format("ets:insert(T, {{{}, 1}})", key());
      case 1:
        return fmt::format("ets:member(T, {})", key());
      case 2:
        return fmt::format("ets:delete(T, {})", key());
      case 3:
        return "atomics:put(A, 1, 1)";
      case 4:
        return "atomics:get(A, 1)";
      case 5:
        return "catch register(n, self())";
      case 6:
        return "catch P ! m";
      case 7:
        return fmt::format("wait(fun() -> ets:member(T, {}) end)", key());
      case 8:
        return fmt::format("spin(fun() -> ets:member(T, {}) end)", key());
      case 9:
        return fmt::format("wait(fun() -> ets:insert_new(T, {{{}, 2}}) end)", key());
      case 10:
        return "spin(fun() -> atomics:compare_exchange(A, 1, 1, 0) =:= ok end)";
      case 11:
        return "wait(fun() -> whereis(n) =/= undefined end)";
      case 12:
        return "spin(fun() -> receive m -> true after 0 -> false end end)";
      default:
        return "wait(fun() -> try n ! hello, true catch error:badarg -> false end end)";
    }
  }

  uint64_t state_;
};

// What the plain search finds within a few events, the others find, too; those come to an end
// unless somebody waits for what never happens.
TEST(Polling, HidesNothingOfRandomPrograms) {
  const uint64_t count = std::getenv("SOAK") ? 1'000 : takes_samples() ? 10 : 100;
  constexpr uint32_t kPlainDepth = 13;
  constexpr uint32_t kDepth = 25;
  constexpr uint64_t kMost = 300;
  uint64_t compared = 0;
  for (uint64_t seed = 1; seed <= count && !HasFailure(); ++seed) {
    const std::string program = RandomWaiting(seed).make();
    const std::set<std::string> all = endings(program, Algorithm::None, kPlainDepth, kMost);
    for (const Algorithm algorithm : {Algorithm::Optimal, Algorithm::Source}) {
      bool is_all = true;
      const std::set<std::string> found = endings(program, algorithm, kDepth, kMost, &is_all);
      if (!is_all) continue;
      ++compared;
      for (const std::string& ending : all) {
        EXPECT_TRUE(found.contains(ending)) << seed << ": " << program << "\n" << ending;
      }
    }
  }
  EXPECT_GT(compared, count);
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
}  // namespace fathom::explore::explore_polling_test
