// Tests of src/testing: which tests there are, what comes of running them.
#include <gtest/gtest.h>
#include <malloc.h>

#include "base/budget.h"
#include "machine/assertion.h"
#include "shell.h"
#include "temp_tree.h"
#include "testing/failures.h"
#include "testing/run_tests.h"

namespace fathom::testing::testing_test {
namespace {

Filter filter(const std::vector<std::string>& patterns) {
  Filter result;
  for (const std::string& pattern : patterns) EXPECT_TRUE(result.add(pattern)) << pattern;
  return result;
}

TEST(TestFilter, WithoutPatternsAllIsWanted) {
  EXPECT_TRUE(Filter().wants_function("m", "f_test"));
  EXPECT_FALSE(Filter().may_want_titles());
}

TEST(TestFilter, AGlobIsForAWholeName) {
  EXPECT_TRUE(filter({"m:f*"}).wants_function("m", "f_test"));
  EXPECT_FALSE(filter({"m:f"}).wants_function("m", "f_test"));
  EXPECT_TRUE(filter({"f_te?t"}).wants_function("m", "f_test"));
  EXPECT_TRUE(filter({"m"}).wants_function("m", "f_test"));
  EXPECT_FALSE(filter({"m"}).wants_function("mm", "f_test"));
  EXPECT_FALSE(filter({"f.test"}).wants_function("m", "f_test")) << "a dot is a dot";
  EXPECT_TRUE(filter({"x", "f_test"}).wants_function("m", "f_test"));
}

TEST(TestFilter, ARegularExpressionIsFoundAnywhere) {
  EXPECT_TRUE(filter({"/:f.t/"}).wants_function("m", "f_test"));
  EXPECT_FALSE(filter({"/^f/"}).wants_function("m", "f_test"));
  Filter broken;
  EXPECT_FALSE(broken.add("/(/"));
}

TEST(TestFilter, OnlyAPatternWithoutColonIsForTitles) {
  TestResult test;
  test.module = "m";
  test.function = "f_test_";
  test.titles = {"outer", "it works"};
  EXPECT_TRUE(filter({"it *"}).wants(test));
  EXPECT_TRUE(filter({"/wor/"}).wants(test));
  EXPECT_TRUE(filter({"outer"}).wants(test));
  EXPECT_FALSE(filter({"it"}).wants(test));
  EXPECT_TRUE(filter({"it *"}).may_want_titles());
  EXPECT_FALSE(filter({"n:*"}).may_want_titles());
}

TEST(TidyTokens, AreCloseToWhatWasWritten) {
  const auto tidy = [](std::string_view text) { return machine::tidy_tokens(text); };
  EXPECT_EQ(tidy("{ ok , [ _ | T ] } when length ( T ) > 3"), "{ok, [_ | T]} when length(T) > 3");
  EXPECT_EQ(tidy("lists : reverse ( [ 1 , 2 ] )"), "lists:reverse([1, 2])");
  EXPECT_EQ(tidy("# { key := V }"), "#{key := V}");
  EXPECT_EQ(tidy("X andalso ( Y orelse Z )"), "X andalso (Y orelse Z)");
  EXPECT_EQ(tidy("<< A : 8 , \"( a , b )\" >>"), "<<A:8, \"( a , b )\">>");
  EXPECT_EQ(tidy("'a b' ( \"\\\" x\" )"), "'a b'(\"\\\" x\")");
  EXPECT_EQ(tidy(""), "");
}

// The tests of a module, run.
class RunTests : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!have_erl()) GTEST_SKIP() << "no Erlang/OTP";
  }

  std::vector<TestResult> run(std::string_view functions, const RunOptions& options = {}) {
    tree_.add("m.erl",
              "-module(m).\n-include_lib(\"eunit/include/eunit.hrl\").\n" + std::string(functions));
    session::SessionOptions session_options{.project = ProjectOptions::from_environment(),
                                            .paths = {tree_ / "m.erl"}};
    session_options.project.tests = true;
    session_ = std::make_unique<session::Session>(session_options);
    std::vector<TestResult> results;
    for (const TestModule& module : find_tests(*session_, {}).modules) {
      run_tests(module, *session_, {}, options,
                [&](TestResult&& test) { results.push_back(std::move(test)); });
    }
    EXPECT_FALSE(session_->take_diagnostics().has_errors());
    return results;
  }

  static std::string listed(const std::vector<TestResult>& results) {
    std::string text;
    for (const TestResult& test : results) {
      text += test.name() + " " + std::string(status_name(test.status));
      if (test.failure) text += " " + test.failure->kind;
      text += '\n';
    }
    return text;
  }

  TempTree tree_;
  std::unique_ptr<session::Session> session_;  // of the last run: results refer to its texts
};

TEST_F(RunTests, AreFoundInTheOrderOfTheSource) {
  EXPECT_EQ(listed(run("z_test() -> ok.\n"
                       "a_test_() -> [?_test(ok), {\"t\", ?_test(ok)}].\n"
                       "tests() -> ok.\n"
                       "a_test(_) -> ok.\n"
                       "b_test() -> error(x).\n")),
            "m:z_test passed\n"
            "m:a_test_:4 passed\n"
            "m:a_test_:4 \"t\" passed\n"
            "m:b_test failed error\n");
}

TEST_F(RunTests, GoOnBehindWhatCannotGoOn) {
  malloc_trim(0);  // what earlier tests have left would not count
  Budget budget({.memory = resident_bytes() + (size_t{64} << 20)});
  const BudgetScope scope(budget);
  EXPECT_EQ(listed(run("a_test() -> receive x -> x end.\n"
                       "b_test() -> loop().\n"
                       "loop() -> loop().\n"
                       "c_test_() -> error(x).\n"
                       "d_test() -> open_port({spawn, \"true\"}, []).\n"
                       "e_test() -> halt().\n"
                       "f_test() -> exit(self(), kill).\n"
                       "g_test() -> lists:seq(1, 100 * 1000 * 1000).\n"
                       "h_test() -> ok.\n",
                       {.reductions = 10'000'000})),
            "m:a_test failed deadlock\n"
            "m:b_test unknown reduction limit\n"
            "m:c_test_ failed generator\n"
            "m:d_test unknown unsupported\n"
            "m:e_test failed halt\n"
            "m:f_test failed killed\n"
            "m:g_test unknown limit\n"
            "m:h_test passed\n");
}

TEST_F(RunTests, LeaveNothingToTheNextMachine) {
  EXPECT_EQ(listed(run("a_test() -> register(n, self()), receive x -> x end.\n"
                       "b_test() -> ?assertEqual(undefined, whereis(n)).\n")),
            "m:a_test failed deadlock\n"
            "m:b_test passed\n");
}

TEST_F(RunTests, ShareAProcessAsInEunit) {
  EXPECT_EQ(listed(run("a_test() -> put(k, 1).\n"
                       "b_test() -> ?assertEqual(1, get(k)).\n")),
            "m:a_test passed\nm:b_test passed\n");
}

TEST_F(RunTests, KnowWhereAnAssertionStands) {
  const auto results = run("a_test() -> ok, ?assertEqual(1, 2), ok.\n");
  ASSERT_EQ(results.size(), 1U);
  const Failure& failure = *results[0].failure;
  EXPECT_EQ(session_->sources().slice(failure.place.span), "?assertEqual(1, 2)");
  EXPECT_EQ(failure.expected, "1");
  EXPECT_EQ(failure.got, "2");
  EXPECT_TRUE(failure.is_equality);
}

TEST_F(RunTests, KeepWhatWasWritten) {
  const auto results =
      run("a_test() -> io:format(\"to ~s\", [eunit]), io:format(user, \"; past it\", []).\n"
          "b_test() -> ok.\n");
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0].output, "to eunit; past it");
  EXPECT_EQ(results[1].output, "");
}

}  // namespace
}  // namespace fathom::testing::testing_test
