// Whatever a machine is seen to let flow is among the items that the analysis has found: values,
// messages, callees, exceptions.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "cover/flow_items.h"
#include "example_projects.h"
#include "machine/driver.h"
#include "machine/machine.h"
#include "natives/families.h"
#include "random_processes.h"
#include "samples.h"
#include "session/program_code.h"
#include "tests_dir.h"

namespace fathom::cover {
namespace {

constexpr CriteriaSet kAll = flow_criteria();

struct Seen {
  size_t items = 0;
  size_t predicted = 0;
  size_t outside = 0;  // by ways that the analysis says it could not follow
  std::map<ItemKind, size_t> kinds = {};
  std::vector<std::string> missing = {};
};

std::string text_of(const FlowItems& items, const FlowItem& flow) {
  const Item item = items.describe(flow);
  return fmt::format("{} {}:{}:{} -> {}:{} ({})\n", name_of(item.kind),
                     items.module_of(flow.from).name().text(), item.place.line, item.place.column,
                     item.to.line, item.to.column, item.what);
}

// Runs test:test(), which the analysis sees as the only entry.
Seen observe(session::Library& library, const std::vector<Atom>& own,
             const machine::ModuleSource::Found& test) {
  machine::Limits limits;
  limits.reductions = 2'000'000;
  machine::Machine m(library, machine::native_table(), limits,
                     {.is_observed = true,
                      .outlives_first_process = true,
                      .is_silent = true,
                      .code = {.labels = true}});
  const Atom module = test.core->name();
  m.code().load(test.unit, test.core);
  m.start(module, Atom::intern("test"), {});
  machine::RoundRobin in_turn;
  drive(m, in_turn);

  session::ProgramCode code(library, own);
  code.add(module, test);
  flow::Analysis analysis(code, {.knows_origins = true});
  EXPECT_TRUE(analysis.add_entry({module, Atom::intern("test"), 0}, false));
  analysis.run();
  const flow::MessageIndex messages(analysis);
  const flow::Graph graph = make_graph(analysis, messages, code, SIZE_MAX);
  std::vector<const core::Module*> measured;
  for (const Atom name : own) {
    if (name == module) {
      measured.push_back(test.core.get());
    } else {
      const auto found = library.find(name);
      if (found && *found) measured.push_back((*found)->core.get());
    }
  }
  FlowItems items(measured, kAll, Scope::Global);
  items.find(analysis, &graph);
  Seen seen;
  seen.predicted = items.all().size();
  m.uses().for_each([&](const machine::LabelUse& use) {
    for (const FlowItem& flow : items.seen(use)) {
      ++seen.items;
      ++seen.kinds[flow.kind];
      if (items.contains(flow)) continue;
      ++seen.outside;
      if (!items.may_come_from_outside(flow)) seen.missing.push_back(text_of(items, flow));
    }
  });
  return seen;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

uint64_t number(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

// The programs of tests/check.
TEST(ObservedItems, OfCheckedProgramsArePredicted) {
  std::ifstream lines(tests_dir() / "check" / "expected.txt");
  Seen all;
  size_t count = 0;
  const size_t every = takes_samples() ? 12 : 1;
  Reader reader;
  Project project(ProjectOptions::from_environment());
  session::Library library(reader, project);
  library.add((tests_dir() / "check").string());
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with("#") || count++ % every != 0) continue;
    const std::string call = line.substr(0, line.find(')') + 1);
    const Atom module = Atom::intern(call.substr(0, call.find(':')));
    Diagnostics diagnostics;
    auto test = library.from_text(
        fmt::format("call_{}", count),
        fmt::format("-module(call_{}). -export([test/0]).\ntest() -> {}.\n", count, call),
        diagnostics);
    ASSERT_TRUE(test && !diagnostics.has_errors()) << call;
    const Seen seen = observe(library, {module}, *test);
    EXPECT_EQ(joined(seen.missing), "") << call;
    all.items += seen.items;
    all.outside += seen.outside;
    for (const auto& [kind, n] : seen.kinds) all.kinds[kind] += n;
  }
  if (takes_samples()) return;  // what follows is true of all of them
  // They are the exception.
  EXPECT_LT(all.outside * 20, all.items);
  for (const ItemKind kind :
       {ItemKind::DataFlow, ItemKind::Message, ItemKind::Callee, ItemKind::Caught}) {
    EXPECT_GT(all.kinds[kind], 0u) << name_of(kind);
  }
}

TEST(ObservedItems, OfExamplesArePredicted) {
  for (const Example& example : kExamples) {
    Reader reader;
    Project project(ProjectOptions::from_environment());
    session::Library library(reader, project);
    const std::vector<Atom> own =
        add_modules(library, tests_dir().parent_path() / "examples" / example.name);
    Diagnostics diagnostics;
    auto test = library.from_text("call", fmt::format(kRunner, example.tests), diagnostics);
    ASSERT_TRUE(test && !diagnostics.has_errors()) << example.name;
    const Seen seen = observe(library, own, *test);
    EXPECT_EQ(joined(seen.missing), "") << example.name;
    EXPECT_GT(seen.items, 0u) << example.name;
  }
}

// Random concurrent programs (random_processes.h). SEED and COUNT in the environment say which.
TEST(ObservedItems, OfRandomProgramsArePredicted) {
  const uint64_t first = number("SEED", 1);
  Reader reader;
  Project project(ProjectOptions::from_environment());
  session::Library library(reader, project);
  size_t items = 0;
  for (uint64_t seed = first; seed < first + number("COUNT", takes_samples() ? 10 : 100); ++seed) {
    for (const auto& program : {explore::random_program(seed), explore::rare_random_program(seed),
                                explore::large_random_program(seed)}) {
      Diagnostics diagnostics;
      auto test = library.from_text("rnd", program.text(), diagnostics);
      ASSERT_TRUE(test && !diagnostics.has_errors()) << seed;
      const Seen seen = observe(library, {test->core->name()}, *test);
      items += seen.items;
      ASSERT_EQ(joined(seen.missing), "") << "seed " << seed << "\n" << program.text();
    }
  }
  EXPECT_GT(items, 0u);
}

}  // namespace
}  // namespace fathom::cover
