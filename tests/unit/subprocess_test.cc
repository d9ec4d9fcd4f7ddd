#include "base/subprocess.h"

#include <gtest/gtest.h>

#include <chrono>

namespace fathom::subprocess_test {
namespace {

using std::chrono::milliseconds;

SubprocessResult run_shell(const std::string& script, Subprocess options = {}) {
  options.command = {"sh", "-c", script};
  return run_subprocess(options).value();
}

TEST(Subprocess, KeepsOutputAndMessagesApart) {
  const SubprocessResult result = run_shell("echo a; echo b >&2; exit 3");
  EXPECT_EQ(result.output, "a\n");
  EXPECT_EQ(result.messages, "b\n");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_FALSE(result.timed_out);
}

TEST(Subprocess, ReadsItsInput) {
  const std::string input(300'000, 'x');  // more than a pipe holds
  EXPECT_EQ(run_shell("cat; cat >&2 < /dev/null", {.input = input}).output, input);
  EXPECT_EQ(run_shell("cat").output, "");
  EXPECT_TRUE(run_shell("exit 0", {.input = input}).ok()) << "what is not read blocks nobody";
}

TEST(Subprocess, BothStreamsCanBeLong) {
  const SubprocessResult result =
      run_shell("for i in 1 2 3; do head -c 200000 /dev/zero; head -c 200000 /dev/zero >&2; done");
  EXPECT_EQ(result.output.size(), 600'000U);
  EXPECT_EQ(result.messages.size(), 600'000U);
}

TEST(Subprocess, KeepsNoMoreThanItShould) {
  const SubprocessResult result = run_shell("head -c 200000 /dev/zero", {.max_output = 70'000});
  EXPECT_EQ(result.output.size(), 70'000U);
  EXPECT_TRUE(result.ok());
}

TEST(Subprocess, SaysWhichSignalEndedIt) { EXPECT_EQ(run_shell("kill -9 $$").exit_code, 128 + 9); }

TEST(Subprocess, EndsWithItsTime) {
  const auto before = std::chrono::steady_clock::now();
  // What the shell has started holds the pipe open; then: nobody does.
  for (const char* script : {"echo a; sleep 600 & sleep 600", "exec >&- 2>&-; sleep 600"}) {
    EXPECT_TRUE(run_shell(script, {.time_limit = milliseconds(200)}).timed_out) << script;
  }
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(30));
}

TEST(Subprocess, SaysWhyItCouldNotBeStarted) {
  const auto result = run_subprocess({.command = {"no-such-program"}});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message, "No such file or directory");
}

}  // namespace
}  // namespace fathom::subprocess_test
