// Searches of interleavings on labelled machines: they find as many as on plain ones, and see
// each pair of labels that an execution has.
#include "explore/search.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "replayed_search.h"
#include "running.h"

namespace fathom::explore {
namespace {

using machine::Label;
using machine::TestMachine;

struct Searched {
  uint64_t interleavings = 0;
  std::set<std::string> uses;  // "text of the value -> text of the pattern"
};

std::string text_of(const core::Module& module, Label label) {
  const core::NodeId id{label - machine::node_label(module, core::NodeId{0})};
  const auto span = module.unit().used_span(module[id].origin);
  return std::string(span ? module.unit().sources().slice(*span) : "");
}

Searched searched(std::string_view program, bool is_labelled) {
  Searched found;
  machine::Mode mode = machine::kSearchMode;
  mode.code.labels = is_labelled;
  std::vector<std::shared_ptr<TestMachine>> machines;
  ReplayedSearch search(
      [&] {
        machines.push_back(std::make_shared<TestMachine>(program, machine::Limits{}, mode));
        machines.back()->start("main");
        return std::shared_ptr<machine::Machine>(machines.back(), &**machines.back());
      },
      {});
  search.run([](const Search&, Ending) { return true; });
  found.interleavings = search.statistics().interleavings;
  for (const auto& m : machines) {
    const core::Module& module = *(*m)->code().find_module(Atom::intern("t"))->core;
    const Label first = machine::node_label(module, core::NodeId{0});
    const auto is_own = [&](Label l) { return l >= first && l - first < module.size(); };
    (*m)->uses().for_each([&](const machine::LabelUse& use) {
      if (!is_own(use.value) || !is_own(use.user)) return;
      found.uses.insert(text_of(module, use.value) + " -> " + text_of(module, use.user));
    });
  }
  return found;
}

struct Case {
  std::string_view name;
  std::string_view program;
  std::set<std::string> uses;  // some of them
};

const Case kCases[] = {
    {"two senders",
     "main() -> S = self(), spawn(fun() -> S ! {one, [1]} end), spawn(fun() -> S ! {two, 2} end),"
     "  receive {one, [X | _]} -> X; {two, Y} -> Y end.",
     {"{one, [1]} -> {one, [X | _]}", "{one, [1]} -> [X | _]", "{two, 2} -> {two, Y}"}},
    {"atoms",
     "main() -> S = self(), spawn(fun() -> S ! stop end), spawn(fun() -> S ! go end),"
     "  receive stop -> ok; go -> ok end.",
     {"stop -> stop", "go -> go"}},
    {"guards and structures that are made on the way",
     "main() -> S = self(), [spawn(fun() -> S ! {I, #{i => I}} end) || I <- [1, 2, 3]],"
     "  receive {I, #{i := J}} when I < J + 1, I > 1 -> {I, J} end.",
     {"{I, #{i => I}} -> {I, #{i := J}}"}},
    {"a table",
     "main() -> T = ets:new(t, [public]), S = self(),"
     "  spawn(fun() -> ets:insert(T, {k, a}), S ! done end),"
     "  spawn(fun() -> ets:insert(T, {k, [b]}), S ! done end),"
     "  receive done -> ok end, case ets:lookup(T, k) of [{_, a}] -> 1; [{_, [b]}] -> 2; [] -> 3 "
     "end.",
     {"{k, a} -> {_, a}", "{k, a} -> a", "{k, [b]} -> {_, [b]}", "done -> done"}},
};

TEST(LabelsInSearch, LeaveItAsItIsAndSeeEveryOrder) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    const Searched plain = searched(c.program, false);
    const Searched labelled = searched(c.program, true);
    EXPECT_EQ(labelled.interleavings, plain.interleavings);
    EXPECT_GT(labelled.interleavings, 1u);
    EXPECT_TRUE(plain.uses.empty());
    for (const std::string& use : c.uses) {
      std::string all;
      for (const std::string& seen : labelled.uses) all += seen + "\n";
      EXPECT_TRUE(labelled.uses.contains(use)) << use << " is not among\n" << all;
    }
  }
}

}  // namespace
}  // namespace fathom::explore
