// Several machines on several threads. Under ThreadSanitizer (the preset tsan) these tests also
// find what is shared and should not be.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>
#include <unordered_map>

#include "base/existing_atom.h"
#include "corpus.h"
#include "running.h"
#include "session/session.h"
#include "shell.h"
#include "temp_tree.h"
#include "testing/run_tests.h"
#include "tests_dir.h"

namespace fathom {
namespace {

constexpr size_t kThreads = 2;

// What each thread has computed, with what it is given: its number.
template <class F>
auto on_threads(F&& f) {
  std::array<decltype(f(size_t{0})), kThreads> results;
  std::array<std::thread, kThreads> threads;
  for (size_t i = 0; i < kThreads; ++i) {
    threads[i] = std::thread([&, i] { results[i] = f(i); });
  }
  for (std::thread& thread : threads) thread.join();
  return results;
}

TEST(Threads, InternAtoms) {
  constexpr size_t kWords = 40'000;  // the table grows meanwhile
  const auto word = [](size_t i) {
    return (i % 3 == 0 ? "thread_test_word_of_more_than_24_bytes_" : "tt_") + std::to_string(i);
  };
  const auto ids = on_threads([&](size_t thread) {
    std::vector<Atom> atoms(kWords);
    for (size_t k = 0; k < kWords; ++k) {
      const size_t i = thread == 0 ? k : kWords - 1 - k;
      atoms[i] = Atom::intern(word(i));
      EXPECT_EQ(atoms[i].text(), word(i));
      EXPECT_EQ(existing_atom(word(i)), atoms[i]);
    }
    return atoms;
  });
  EXPECT_EQ(ids[0], ids[1]);
}

// Natives, tables, regular expressions, maps of atoms, errors with their stack traces.
constexpr std::string_view kPrograms = R"(
maps() -> maps:fold(fun(K, V, A) -> A + V + length(atom_to_list(K)) end, 0,
                    maps:from_list([{list_to_atom("k" ++ integer_to_list(N)), N} || N <- lists:seq(1, 2000)])).
tables() -> T = ets:new(t, [ordered_set]), [ets:insert(T, {N, N * N}) || N <- lists:seq(1, 500)],
            lists:sum(ets:select(T, [{{'_', '$1'}, [], ['$1']}])).
patterns() -> [re:run("key" ++ integer_to_list(N) ++ "=value", "^(k[a-z]+)([0-9]+)=", [{capture, all_but_first, list}])
               || N <- lists:seq(1, 200)].
processes() -> S = self(), [spawn(fun() -> S ! {N, N * N} end) || N <- lists:seq(1, 50)],
               [receive {N, X} -> X end || N <- lists:seq(1, 50)].
numbers() -> erlang:phash2({lists:foldl(fun(I, A) -> A * I end, 1, lists:seq(1, 300)), math:sqrt(2.0)}).
failing() -> try element(3, {a, b}) catch C:R:S -> {C, R, hd(S)} end.
texts() -> lists:flatten(io_lib:format("~p ~s ~w ~tp", [#{a => [1.5, "x"]}, "text", <<1, 2>>, {fun lists:map/2, 'Ä'}])).
external() -> binary_to_term(term_to_binary({[1, 2.5, <<"b">>], #{k => v}, make_ref() =:= make_ref()})).
)";
constexpr std::array kFunctions = {"maps",    "tables",  "patterns", "processes",
                                   "numbers", "failing", "texts",    "external"};

std::string run_programs() {
  machine::TestMachine m(kPrograms);
  std::string text;
  for (const char* function : kFunctions) text += m.run(function) + "\n";
  return text;
}

TEST(Threads, RunMachines) {
  const auto results = on_threads([](size_t) { return run_programs(); });
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], run_programs());
}

// The modules of tests/differential/eunit, whose results are compared with OTP's there.
std::string run_suites() {
  session::SessionOptions options{.project = ProjectOptions::from_environment(),
                                  .paths = {(tests_dir() / "differential" / "eunit").string()}};
  options.project.tests = true;
  session::Session session(options);
  std::string text;
  for (const testing::TestModule& module : testing::find_tests(session, {}).modules) {
    testing::run_tests(module, session, {}, {}, [&](testing::TestResult&& test) {
      text += test.name() + " " + std::string(testing::status_name(test.status)) + "\n";
    });
  }
  return text;
}

TEST(Threads, RunTheSuitesOfTheDifferentialTests) {
  if (!have_erl()) GTEST_SKIP() << "no Erlang/OTP";
  const auto results = on_threads([](size_t) { return run_suites(); });
  EXPECT_EQ(results[0], results[1]);
  EXPECT_NE(results[0].find(" passed\n"), std::string::npos);
}

// ---- The corpus -------------------------------------------------------------

using Program = DifferentialCorpus::Program;

// Each on a machine of its own. A program that takes long ends after so many calls, and says
// in which one.
std::vector<std::string> run_each(const std::vector<Program>& programs, uint64_t reductions) {
  session::SessionOptions options{.project = ProjectOptions::from_environment()};
  for (const Program& program : programs) options.paths.push_back(program.path);
  session::Session session(options);
  std::vector<std::string> results;
  for (const Program& program : programs) {
    results.push_back(program.path + "\n" +
                      evaluated(session, program.expression, {.reductions = reductions}));
  }
  return results;
}

TEST(Threads, RunTheDifferentialCorpus) {
  if (!have_erl()) GTEST_SKIP() << "no Erlang/OTP";
  const DifferentialCorpus corpus;
  const auto results = on_threads([&](size_t) { return run_each(corpus.programs(), UINT64_MAX); });
  const std::vector<std::string> alone = run_each(corpus.programs(), UINT64_MAX);
  for (size_t i = 0; i < alone.size(); ++i) {
    EXPECT_NE(alone[i].find("{value,"), std::string::npos) << alone[i];
    EXPECT_EQ(results[0][i], alone[i]);
    EXPECT_EQ(results[1][i], alone[i]);
  }
}

TEST(Threads, RunTheBenchmarks) {
  constexpr uint64_t kReductions = 20'000;
  if (!have_erl()) GTEST_SKIP() << "no Erlang/OTP";
  const std::vector<Program> programs = benchmark_programs();
  const auto results = on_threads([&](size_t) { return run_each(programs, kReductions); });
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], run_each(programs, kReductions));
}

session::SessionOptions check_options() {
  return {.project = ProjectOptions::from_environment(),
          .paths = {(tests_dir() / "check").string()}};
}

std::vector<std::string> check_each() {
  session::Session session(check_options());
  std::vector<std::string> results;
  for (const std::string& call : checked_calls()) {
    const auto expression = session.read_expression(call);
    EXPECT_TRUE(expression) << call;
    if (expression)
      results.push_back(call + " " + checked(session, *expression, session.library()));
  }
  return results;
}

TEST(Threads, CheckEveryInterleaving) {
  if (!have_erl()) GTEST_SKIP() << "no Erlang/OTP";
  const auto results = on_threads([](size_t) { return check_each(); });
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], check_each());
}

// ---- One session --------------------------------------------------------------

// The modules that a session has read so far. What was read is immutable, so that machines on
// any threads may have it; the library itself belongs to one.
class ModulesRead : public machine::ModuleSource {
 public:
  explicit ModulesRead(session::Session& session) {
    const core::Program& program = session.library().program();
    for (size_t i = 0; i < program.module_count(); ++i) {
      const core::ProgramModule& module = program.module(i);
      modules_[module.core->name()] = {module.unit, module.core};
    }
    applications_ = session.library().applications();
    root_dir_ = session.library().root_dir();
  }

  Result<std::optional<Found>> find(Atom module) override {
    const auto it = modules_.find(module);
    return it == modules_.end() ? std::nullopt : std::optional<Found>(it->second);
  }
  std::vector<Application> applications() override { return applications_; }
  std::string root_dir() override { return root_dir_; }

 private:
  std::unordered_map<Atom, Found> modules_;
  std::vector<Application> applications_;
  std::string root_dir_;
};

// Meanwhile the session's own thread reads on.
TEST(Threads, MachinesOfOneSession) {
  if (!have_erl()) GTEST_SKIP() << "no Erlang/OTP";
  session::SessionOptions options = check_options();
  options.libraries = session::Reading::Whole;  // so that all that was read is in the program
  session::Session session(options);
  std::vector<session::Expression> calls;
  std::vector<std::string> alone;
  for (const std::string& call : checked_calls()) {
    auto expression = session.read_expression(call);
    ASSERT_TRUE(expression) << call;
    alone.push_back(checked(session, *expression, session.library()));
    calls.push_back(std::move(*expression));
  }
  ModulesRead modules(session);
  std::atomic<bool> is_over = false;
  size_t more = 0;
  std::thread reader([&] {
    for (const char* name : {"erl_lint", "erl_parse", "xref", "epp", "qlc", "shell", "dets"}) {
      if (is_over) return;
      const auto found = session.library().find(Atom::intern(name));
      more += found && *found ? 1 : 0;
    }
  });
  const auto results = on_threads([&](size_t) {
    std::vector<std::string> texts;
    for (const session::Expression& call : calls) {
      texts.push_back(checked(session, call, modules));
    }
    return texts;
  });
  is_over = true;
  reader.join();
  EXPECT_GT(more, 0u);
  EXPECT_EQ(results[0], alone);
  EXPECT_EQ(results[1], alone);
}

// ThreadSanitizer has a use of its own for most addresses.
#if !defined(__SANITIZE_THREAD__)
TEST(Threads, AHundredMachinesFitIntoOneProcess) {
  std::vector<std::unique_ptr<machine::TestMachine>> machines;
  for (int i = 0; i < 100; ++i) {
    machines.push_back(std::make_unique<machine::TestMachine>("t() -> lists:sum([1, 2, 3])."));
  }
  for (const auto& m : machines) EXPECT_EQ(m->run("t"), "6");
}
#endif

}  // namespace
}  // namespace fathom
