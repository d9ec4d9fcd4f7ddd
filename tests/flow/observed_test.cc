// Whatever a machine is seen to do is in the graph (observed_flow.h). Where there are many programs
// a sample of them is taken, unless SOAK is in the environment; SEED and COUNT say which random
// ones.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "observed_flow.h"
#include "random_processes.h"
#include "samples.h"
#include "script_corpus.h"
#include "tests_dir.h"

namespace fathom::flow {
namespace {

bool takes_all() { return std::getenv("SOAK") != nullptr; }

uint64_t number(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

// A library that modules are read into.
struct Programs {
  Reader reader;
  Project project{ProjectOptions::from_environment()};
  session::Library library{reader, project};
  Observed all = {};

  // Of a module of which that function is to be run; `own`: the author's other modules.
  void observe(const std::string& module, const std::string& text, std::string_view function,
               std::vector<Atom> own = {}) {
    Diagnostics diagnostics;
    const auto test = library.from_text(module, text, diagnostics);
    ASSERT_TRUE(test && !diagnostics.has_errors()) << text;
    own.push_back(test->core->name());
    const Observed seen = flow::observe(library, own, *test, function);
    EXPECT_EQ(text_of(seen.missing), "") << text;
    all += seen;
  }
  ~Programs() { fmt::print("{}\n", all.text()); }
};

// ---- tests/check ----------------------------------------------------------------

std::vector<std::string> calls() {
  std::vector<std::string> all;
  const size_t every = takes_samples() ? 12 : takes_all() ? 1 : 3;
  size_t count = 0;
  std::ifstream lines(tests_dir() / "check" / "expected.txt");
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with("#") || count++ % every != 0) continue;
    all.push_back(line.substr(0, line.find(')') + 1));
  }
  return all;
}

TEST(ObservedFlow, OfCheckedProgramsIsPredicted) {
  Programs programs;
  programs.library.add((tests_dir() / "check").string());
  size_t count = 0;
  for (const std::string& call : calls()) {
    const std::string name = fmt::format("call_{}", ++count);
    programs.observe(name,
                     fmt::format("-module({}). -export([test/0]).\ntest() -> {}.\n", name, call),
                     "test", {Atom::intern(call.substr(0, call.find(':')))});
  }
  EXPECT_GT(programs.all.throws, 0u);
  EXPECT_GT(programs.all.messages, 0u);
}

// ---- The differential corpora -----------------------------------------------------

// The expressions of a script, each in a module of its own.
void observe_script(std::string_view script, size_t every) {
  constexpr std::string_view kEnd = "%% the end\n";
  const std::string text = script_value(
      script,
      fmt::format(
          "[[script:module_text(\"batch_\" ++ integer_to_list(N), [T]), \"{}\"] || {{N, T}} "
          "<- lists:enumerate([T || {{_, F}} <- script:families(), T <- Some(F())])]",
          "%% the end\\n"),
      every);
  Programs programs;
  size_t number = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find(kEnd, at);
    std::string module = text.substr(at, end - at);
    // It is a part of the script, not of the programs, and modelled: what it does is not seen.
    constexpr std::string_view kQuiet = "logger:set_primary_config(level, none), ";
    if (const size_t quiet = module.find(kQuiet); quiet != std::string::npos)
      module.erase(quiet, kQuiet.size());
    programs.observe(fmt::format("batch_{}", ++number), module, "all");
    at = end + kEnd.size();
  }
  EXPECT_GT(number, 20u);
}

TEST(ObservedFlow, OfProcessesIsPredicted) {
  observe_script("processes_test", takes_all() ? 1 : 10);
}
TEST(ObservedFlow, OfBehavioursIsPredicted) {
  observe_script("behaviours_test", takes_all() ? 1 : 12);
}

// ---- Random programs ----------------------------------------------------------------

TEST(ObservedFlow, OfRandomProcessesIsPredicted) {
  const uint64_t first = number("SEED", 1);
  Programs programs;
  for (uint64_t seed = first; seed < first + number("COUNT", takes_all() ? 700 : 25); ++seed) {
    for (const auto& program : {explore::random_program(seed), explore::rare_random_program(seed),
                                explore::large_random_program(seed)}) {
      programs.observe("rnd", program.text(), "test");
      if (HasFailure()) FAIL() << "seed " << seed;
    }
  }
  EXPECT_GT(programs.all.messages, 0u);
}

// Random sequential modules, with funs and exceptions (random_module.hrl).
TEST(ObservedFlow, OfRandomModulesIsPredicted) {
  constexpr std::string_view kEnd = "%% the end\n";
  const uint64_t first = number("SEED", 1);
  const std::string text = script_value(
      "random_modules_test",
      fmt::format("[begin {{N, T, C}} = script:random_module(S), [T, \"\\ntest() -> [try "
                  "apply(?MODULE, F, A) catch _:_ -> error end || {{F, A}} <- \", C, \"].\\n%% the "
                  "end\\n\"] end || S <- lists:seq({}, {})]",
                  first, first + number("COUNT", takes_all() ? 500 : 15) - 1));
  Programs programs;
  programs.library.add((tests_dir() / "differential" / "fathom_driver.erl").string());
  uint64_t seed = first;
  for (size_t at = 0; at < text.size(); ++seed) {
    const size_t end = text.find(kEnd, at);
    programs.observe(fmt::format("random_{}", seed), text.substr(at, end - at), "test");
    at = end + kEnd.size();
  }
  EXPECT_GT(programs.all.throws, 0u);
}

}  // namespace
}  // namespace fathom::flow
