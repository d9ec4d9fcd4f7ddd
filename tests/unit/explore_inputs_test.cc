// What a program has looked at beside the schedule is named by the verdict, and nothing else
// (machine/inputs.def).
#include <gtest/gtest.h>

#include <algorithm>

#include "explore/check.h"
#include "running.h"

namespace fathom::explore::explore_inputs_test {
namespace {

struct Case {
  std::string_view body;        // of main/0
  std::string_view assumption;  // a part of it; empty: there is none
};

constexpr Case kCases[] = {
    {"ok", ""},
    {"rand:uniform(2)", "random numbers"},
    {"rand:seed(exsss, 1), rand:uniform(2)", ""},
    {"erlang:monotonic_time()", "virtual clock"},
    {"spawn(fun() -> ok end) < self()", "pids and references"},
    {"spawn(fun() -> ok end) =:= self()", ""},
    {"lists:sort([make_ref(), make_ref()])", ""},
    {"P = self(), spawn(fun() -> P ! make_ref() end), receive R -> R < make_ref() end",
     "pids and references"},
    {"maps:to_list(#{self() => 1, spawn(fun() -> ok end) => 2})", "pids and references"},
    {"maps:get(self(), #{self() => 1, spawn(fun() -> ok end) => 2})", ""},
    {"catch list_to_existing_atom(\"nobody has made this\")", "an atom"},
    {"list_to_atom(\"made\")", ""},
    {"code:is_loaded(lists)", "a module"},
    {"code:ensure_loaded(lists)", ""},
    {"T = ets:new(t, []), ets:insert(T, [{1}, {2}]), ets:tab2list(T)", "tables are walked"},
    {"T = ets:new(t, []), ets:insert(T, [{1}, {2}]), ets:first(T)", "tables are walked"},
    {"T = ets:new(t, []), ets:insert(T, [{1}, {2}]), ets:lookup(T, 1)", ""},
    {"T = ets:new(t, [ordered_set]), ets:insert(T, [{1}, {2}]), ets:tab2list(T)", ""},
    {"T = ets:new(t, [ordered_set, {write_concurrency, true}]), ets:insert(T, [{1}, {2}]),"
     " ets:tab2list(T)",
     "write_concurrency"},
    {"maps:keys(maps:from_list([{I, I} || I <- lists:seq(1, 33)]))", "large maps"},
    {"maps:keys(maps:from_list([{I, I} || I <- lists:seq(1, 32)]))", ""},
    {"P = spawn(fun() -> receive stop -> ok end end), process_info(P, status), P ! stop",
     "how far another process"},
    {"P = spawn(fun() -> receive stop -> ok end end), process_info(P, links), P ! stop", ""},
    {"process_info(self(), current_function)", ""},
    {"P = self(), spawn(fun() -> is_process_alive(P) end), process_info(P, messages)", ""},
    {"P = spawn(fun() -> receive stop -> ok end end), process_info(P, messages), P ! stop", ""},
    {"Q = self(), P = spawn(fun() -> is_process_alive(Q), receive stop -> ok end end),"
     " process_info(P, messages), P ! stop",
     "has asked a third one"},
    {"process_flag(max_heap_size, 1000)", "max_heap_size"},
    {"spawn_opt(fun() -> ok end, [{max_heap_size, 1000}])", "max_heap_size"},
};

// Beside those that every check has.
std::vector<std::string> assumptions_of(std::string_view body) {
  machine::TestMachine m("main() -> " + std::string(body) + ".\n", {}, machine::kSearchMode);
  const CheckResult result =
      check(*m, Atom::intern("t"), Atom::intern("main"), {}, "main", CheckOptions());
  EXPECT_EQ(result.verdict, Verdict::Clean) << body;
  std::vector<std::string> rest;
  for (const std::string& text : result.assumptions) {
    const bool is_usual =
        text.starts_with("time-outs of") || text.starts_with("signals to a process");
    if (!is_usual) rest.push_back(text);
  }
  return rest;
}

TEST(Inputs, AreNamedIfTheyWereLookedAt) {
  for (const Case& c : kCases) {
    const std::vector<std::string> found = assumptions_of(c.body);
    ASSERT_EQ(found.size(), c.assumption.empty() ? 0 : 1) << c.body;
    if (found.empty()) continue;
    EXPECT_NE(found[0].find(c.assumption), std::string::npos) << c.body;
  }
}

}  // namespace
}  // namespace fathom::explore::explore_inputs_test
