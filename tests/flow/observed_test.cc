// Whatever a machine is seen to do is in the graph (observed_flow.h). Where there are many programs
// a sample of them is taken, unless SOAK is in the environment; SEED and COUNT say which random
// ones.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

#include "flow/effects.h"
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
  bool may_be_refused = false;  // random modules, which OTP does not compile either
  size_t refused = 0;

  // Of a module of which that function is to be run; `own`: the author's other modules.
  void observe(const std::string& module, const std::string& text, std::string_view function,
               std::vector<Atom> own = {}) {
    Diagnostics diagnostics;
    const auto test = library.from_text(module, text, diagnostics);
    if (may_be_refused && (!test || diagnostics.has_errors())) {
      ++refused;
      return;
    }
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
      {.every = every});
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

// ---- A program that is given: FILE in the environment, a module with test/0 ---------

TEST(ObservedFlow, OfAGivenModuleIsPredicted) {
  const char* file = std::getenv("FILE");
  if (!file) GTEST_SKIP() << "FILE says which";
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  Programs().observe(std::filesystem::path(file).stem().string(), text.str(), "test");
}

// ---- Small programs, each with a way that values take -------------------------------

TEST(ObservedFlow, OfSmallProgramsIsPredicted) {
  Programs programs;
  size_t count = 0;
  for (const auto& file : std::filesystem::directory_iterator(tests_dir() / "flow" / "ways")) {
    std::stringstream text;
    text << std::ifstream(file.path()).rdbuf();
    programs.observe(file.path().stem().string(), text.str(), "test");
    ++count;
  }
  EXPECT_GT(count, 40u);
}

// ---- Functions that are modelled: rows of effects.def -------------------------------

// What a call gives, sends and raises is taken apart, and funs and processes in it are used; so
// where each part comes from is seen.
constexpr std::string_view kLook = R"(
look([H | T]) -> look(H), look(T);
look({A}) -> look(A);
look({A, B}) -> look(A), look(B);
look({A, B, C}) -> look(A), look(B), look(C);
look({A, B, C, D}) -> look([A, B, C, D]);
look({A, B, C, D, E}) -> look([A, B, C, D, E]);
look(F) when is_function(F, 0) -> F();
look(F) when is_function(F, 1) -> F(1);
look(P) when is_pid(P) -> P ! looked;
look(M) when is_map(M) -> maps:foreach(fun(K, V) -> look(K), look(V) end, M);
look(<<B/bitstring>>) -> {B};
look(k) -> k;
look(1) -> 1;
look(_) -> ok.
drain() -> receive M -> look(M), drain() after 1 -> ok end.
)";

std::string quoted(std::string_view atom) { return fmt::format("'{}'", atom); }

// Calls of the function with arguments of all kinds, each in a process of its own.
std::string module_of_calls(const EffectRow& row, size_t number, uint64_t seed) {
  static constexpr std::string_view kArguments[] = {
      "{k, fun() -> in_tuple end}",
      "[{k, fun() -> in_list end}, {1, self()}]",
      "fun() -> plain end",
      "fun(X) -> {one, X} end",
      "self()",
      "#{k => fun() -> in_map end, 1 => self()}",
      "<<\"a,b\">>",
      "\"a,b\"",
      "k",
      "1",
      "2",
      "[]",
      "[fun() -> in_list end]",
      "[3, 1, 2]",
      "make_ref()",
      "begin T = ets:new(t, [public]), ets:insert(T, {k, fun() -> stored end}), T end",
      "{1, k, fun() -> third end}",
      "2.5",
      "true",
      "[[k, 1], [fun() -> deep end]]",
      "[<<\"x\">>, \"y\"]",
  };
  constexpr size_t kCalls = 14;
  std::mt19937_64 random(seed);
  std::string text = fmt::format("-module(row_{}).\n-export([test/0]).\ntest() ->\n", number);
  for (size_t call = 0; call < kCalls; ++call) {
    std::string arguments;
    for (uint32_t i = 0; i < row.arity; ++i) {
      arguments += (i == 0 ? "" : ", ") + std::string(kArguments[random() % std::size(kArguments)]);
    }
    // Variables of an argument are those of its call.
    const std::string called =
        fmt::format("try {}:{}({}) catch ", quoted(row.module), quoted(row.name), arguments);
    const std::string made = called + "C:R -> {C, R} end";
    // What is in the reasons with which OTP's code fails is not followed (docs/graph.md).
    const bool is_followed = is_native(Atom::intern(row.module));
    const std::string looked_at =
        is_followed ? made : called + "error:_ -> failed; C:R -> {C, R} end";
    text += fmt::format(
        "  spawn(fun() -> V = {}, look(V), drain() end), spawn(fun() -> exit({{v, {}}}) end),\n",
        looked_at, made);
    if (row.arity == 0) break;
  }
  return text + "  ok.\n" + std::string(kLook);
}

TEST(ObservedFlow, OfModelledFunctionsIsPredicted) {
  // Those that end the system, write to the disk, or wait for input.
  const std::set<std::string_view> kLeftOut = {"halt", "get_line", "hibernate", "logfile"};
  const std::set<std::string_view> kDisk = {"file", "filelib", "compile", "code"};
  const size_t every = takes_samples() ? 40 : takes_all() ? 1 : 9;
  const uint64_t first = number("SEED", 1);
  Programs programs;
  programs.may_be_refused = true;  // by the same variable in two arguments
  size_t count = 0;
  for (const EffectRow& row : effect_rows()) {
    if (count++ % every != 0 || kLeftOut.contains(row.name) || kDisk.contains(row.module)) continue;
    programs.observe(fmt::format("row_{}", count), module_of_calls(row, count, first + count),
                     "test");
  }
  EXPECT_GT(programs.all.flows, 100u);
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

// Random sequential modules, with funs and exceptions (random_module.hrl). A process exits with all
// results, so that they are compared.
TEST(ObservedFlow, OfRandomModulesIsPredicted) {
  constexpr std::string_view kEnd = "%% the end\n";
  const uint64_t first = number("SEED", 1);
  const std::string text = script_value(
      "random_modules_test",
      fmt::format("[begin {{N, T, C}} = script:random_module(S), [T, \"\\ntest() -> "
                  "spawn(fun() -> exit(all()) end).\\nall() -> [try "
                  "apply(?MODULE, F, A) catch _:_ -> error end || {{F, A}} <- \", C, \"].\\n%% the "
                  "end\\n\"] end || S <- lists:seq({}, {})]",
                  first, first + number("COUNT", takes_all() ? 500 : 15) - 1));
  Programs programs;
  programs.library.add((tests_dir() / "differential" / "fathom_driver.erl").string());
  programs.may_be_refused = true;
  uint64_t seed = first;
  for (size_t at = 0; at < text.size(); ++seed) {
    const size_t end = text.find(kEnd, at);
    programs.observe(fmt::format("random_{}", seed), text.substr(at, end - at), "test");
    at = end + kEnd.size();
  }
  EXPECT_LE(programs.refused * 50, seed - first);
  EXPECT_GT(programs.all.throws, 0u);
}

}  // namespace
}  // namespace fathom::flow
