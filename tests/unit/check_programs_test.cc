// The programs of tests/check, whose verdicts, numbers of interleavings and errors are known
// (tests/check/expected.txt): the search must find exactly these, by each algorithm that it
// has, and where all interleavings can be tried the numbers are those of their classes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "explore/check.h"
#include "interleavings.h"
#include "machine/services.h"
#include "natives/families.h"
#include "replayed_findings.h"
#include "samples.h"
#include "session/library.h"
#include "tests_dir.h"

namespace fathom::explore::check_programs_test {
namespace {

using machine::Machine;

struct Expected {
  std::string test;  // m:f(1)
  std::string verdict;
  std::string count;  // or a star
  std::set<std::string> kinds;

  std::string module() const { return test.substr(0, test.find(':')); }
};

std::ostream& operator<<(std::ostream& out, const Expected& e) { return out << e.test; }

std::vector<Expected> expectations() {
  std::vector<Expected> all;
  std::ifstream lines(tests_dir() / "check" / "expected.txt");
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with("#")) continue;
    // Arguments may have blanks between them.
    const size_t end = line.find(')') + 1;
    Expected expected;
    expected.test = line.substr(0, end);
    std::istringstream words(line.substr(end));
    words >> expected.verdict >> expected.count;
    for (std::string kind; words >> kind;) expected.kinds.insert(kind);
    all.push_back(std::move(expected));
  }
  return all;
}

std::string test_name(const ::testing::TestParamInfo<Expected>& info) {
  std::string name;
  for (const char c : info.param.test) {
    if (std::isalnum(static_cast<unsigned char>(c))) {
      name += c;
    } else if (!name.ends_with('_')) {
      name += '_';
    }
  }
  while (name.ends_with('_')) name.pop_back();
  return name;
}

// As `fathom check` has it.
constexpr machine::Mode kCheckMode = [] {
  machine::Mode mode = machine::kSearchMode;
  mode.is_silent = true;
  return mode;
}();

// The module of one of the programs, and its tests.
class Program {
 public:
  explicit Program(const Expected& expected) {
    Diagnostics diagnostics;
    project_.add((tests_dir() / "check" / (expected.module() + ".erl")).string(), diagnostics);
    auto found = library_.from_text(
        "call", fmt::format("-module(call). -export([test/0]).\ntest() -> {}.\n", expected.test),
        diagnostics);
    EXPECT_TRUE(found && !diagnostics.has_errors()) << expected.test;
    call_ = std::move(*found);
  }

  // It must not outlive the program.
  std::unique_ptr<Machine> machine(const machine::Mode& mode = kCheckMode) {
    auto m = std::make_unique<Machine>(library_, machine::native_table(), machine::Limits{}, mode);
    m->code().load(call_.unit, call_.core);
    return m;
  }

  std::unique_ptr<Machine> started() {
    auto m = machine();
    m->start(Atom::intern("call"), Atom::intern("test"), {});
    return m;
  }

  CheckResult check(Algorithm algorithm) {
    CheckOptions options;
    options.search.algorithm = algorithm;
    options.search.max_depth = 10'000;
    options.keep_going = true;
    return check(options);
  }
  CheckResult check(const CheckOptions& options, const machine::Mode& mode = kCheckMode) {
    const auto m = machine(mode);
    return explore::check(*m, Atom::intern("call"), Atom::intern("test"), {}, "call:test()",
                          options);
  }

  Result<CheckResult> replay(const Schedule& schedule) {
    const auto m = machine();
    CheckOptions options;
    options.keep_going = true;
    return explore::replay(*m, Atom::intern("call"), Atom::intern("test"), {}, "call:test()",
                           options, schedule);
  }

 private:
  Reader reader_;
  Project project_{ProjectOptions::from_environment()};
  session::Library library_{reader_, project_};
  machine::ModuleSource::Found call_;
};

class CheckedProgram : public ::testing::TestWithParam<Expected> {};

std::vector<Expected> checked() {
  const size_t every = takes_samples() ? 12 : 1;
  std::vector<Expected> some;
  const std::vector<Expected> all = expectations();
  for (size_t i = 0; i < all.size(); i += every) some.push_back(all[i]);
  return some;
}
INSTANTIATE_TEST_SUITE_P(Known, CheckedProgram, ::testing::ValuesIn(checked()), test_name);

std::set<std::string> kinds(const CheckResult& result) {
  std::set<std::string> all;
  for (const Finding& finding : result.findings) all.emplace(finding_kind_name(finding.kind));
  return all;
}

TEST_P(CheckedProgram, IsAsExpected) {
  const Expected& expected = GetParam();
  const CheckResult optimal = Program(expected).check(Algorithm::Optimal);
  EXPECT_EQ(verdict_name(optimal.verdict), expected.verdict)
      << fmt::format("{}", fmt::join(optimal.reasons, "; "));
  EXPECT_EQ(kinds(optimal), expected.kinds);
  EXPECT_EQ(optimal.blocked, 0U);
  if (expected.count != "*") {
    EXPECT_EQ(std::to_string(optimal.interleavings), expected.count);
  }
}

TEST_P(CheckedProgram, ReplaysItsErrors) {
  Program program(GetParam());
  expect_findings_replay(program.check(Algorithm::Optimal),
                         [&](const Schedule& schedule) { return program.replay(schedule); });
}

// By source sets the same is found; some interleavings more than once.
TEST_P(CheckedProgram, IsTheSameBySourceSets) {
  const Expected& expected = GetParam();
  constexpr uint64_t kMany = 2'000;
  if (expected.count != "*" && std::stoull(expected.count) > kMany) {
    GTEST_SKIP() << "takes a minute and more: most of what source sets explore is in vain";
  }
  Program program(expected);
  const CheckResult source = program.check(Algorithm::Source);
  constexpr size_t kReplayed = 2;
  expect_findings_replay(
      source, [&](const Schedule& schedule) { return program.replay(schedule); }, kReplayed);
  EXPECT_EQ(verdict_name(source.verdict), expected.verdict)
      << fmt::format("{}", fmt::join(source.reasons, "; "));
  EXPECT_EQ(kinds(source), expected.kinds);
  // Which of two messages came first is told by who receives them; source sets do not wait
  // for that, and explore both orders.
  if (expected.count != "*" && source.verdict == Verdict::Clean) {
    EXPECT_GE(source.interleavings, std::stoull(expected.count));
  }
}

// Where nothing can be overtaken visibly, late signals are nothing new: the families keep their
// numbers. But a message to an alias looks at that when it is sent and when it arrives, and so does
// link/1 at the process.
TEST_P(CheckedProgram, HasAsManyInterleavingsWithLateSignals) {
  const Expected& expected = GetParam();
  const auto is_of = [&](std::string_view name) { return expected.test.starts_with(name); };
  const bool is_of_family =
      is_of("families_") && !is_of("families_signals:aliases") && !is_of("families_signals:links");
  if (!is_of_family || expected.verdict != "clean") {
    GTEST_SKIP() << "others show that a signal was late";
  }
  machine::Mode mode = kCheckMode;
  mode.delays_delivery = true;
  const CheckResult result = Program(expected).check(CheckOptions{}, mode);
  EXPECT_EQ(verdict_name(result.verdict), "clean");
  EXPECT_EQ(std::to_string(result.interleavings), expected.count);
}

// What holds as long as signals arrive at once, and fails if they do not.
TEST(CheckedPrograms, MayFailIfSignalsAreLate) {
  machine::Mode mode = kCheckMode;
  mode.delays_delivery = true;
  for (const std::string name : {"monitor_fix", "link_bug", "link_fix", "alias_bug", "trap_bug",
                                 "trap_fix", "monitored_by_bug"}) {
    Program program({"late_signals:" + name + "()", "clean", "*", {}});
    EXPECT_EQ(verdict_name(program.check(CheckOptions{}).verdict), "clean") << name;
    const CheckResult late = program.check(CheckOptions{}, mode);
    EXPECT_EQ(verdict_name(late.verdict), name.ends_with("_bug") ? "bug" : "clean") << name;
  }
}

// With delays as a bound there are as many interleavings as classes within it. The plain search
// within the same bound has 153,137 and 826,976.
TEST(CheckedPrograms, WithinBoundsAreFew) {
  if (takes_samples()) GTEST_SKIP() << "takes long under a sanitizer";
  Program program({"families_ets:readers(7)", "clean", "*", {}});
  for (const auto& [delays, interleavings] : {std::pair{5U, 45U}, {6U, 75U}}) {
    CheckOptions options;
    options.search.algorithm = Algorithm::None;
    options.search.bound = Bound::Delays;
    options.search.budget = delays;
    EXPECT_EQ(program.check(options).interleavings, interleavings);
  }
}

// Who waits in a loop does not keep the others from running: it neither gives up too early, nor is
// what comes after the loop never seen.
TEST(CheckedPrograms, WithinBoundsDoNotStarve) {
  Program right({"patience:deadline_fix()", "clean", "*", {}});
  Program wrong({"patience:early_bug()", "bug", "*", {}});
  for (const Bound bound : {Bound::Delays, Bound::Preemptions}) {
    CheckOptions options;
    options.search.algorithm = Algorithm::None;
    options.search.bound = bound;
    options.search.budget = 2;
    EXPECT_NE(right.check(options).verdict, Verdict::Bug);
    EXPECT_EQ(wrong.check(options).verdict, Verdict::Bug);
  }
}

// N equal messages are one interleaving, and not much work; source sets would try all orders.
TEST(CheckedPrograms, ManyEqualMessagesAreOne) {
  Program program({"families_messages:equal(400)", "clean", "1", {}});
  const CheckResult result = program.check(Algorithm::Optimal);
  EXPECT_EQ(verdict_name(result.verdict), "clean");
  EXPECT_EQ(result.interleavings, 1U);
}

// Those of which all interleavings can be tried.
TEST(CheckedPrograms, HaveAsManyClasses) {
  if (takes_samples()) GTEST_SKIP() << "takes long under a sanitizer";
  constexpr uint64_t kLimit = 500;
  size_t compared = 0;
  for (const Expected& expected : expectations()) {
    // Where halt may come at any time there are more; where somebody goes round a loop any number
    // of times, infinitely many.
    const auto is_of = [&](std::string_view module) { return expected.test.starts_with(module); };
    // Nor does what is compared with know of signals that are late (late_signals.h).
    if (is_of("families_signals:demonitors") || is_of("told:lonely_client_bug")) continue;
    if (is_of("seen_late:")) continue;
    if (expected.count == "*" || is_of("halts:") || is_of("loops:") || is_of("beats:")) continue;
    Program program(expected);
    const auto tried = program.started();
    if (!has_at_most(*tried, kLimit)) continue;
    // What services do to start is not part of the program, nor of any class.
    const auto m = program.started();
    m->services_used = tried->services_used;
    machine::start_used_services(*m);
    const Interleavings all = all_interleavings(*m, kLimit);
    ++compared;
    EXPECT_EQ(std::to_string(all.classes.size()), expected.count) << expected.test;
  }
  EXPECT_GT(compared, 60U);
}

}  // namespace
}  // namespace fathom::explore::check_programs_test
