// Whatever a machine is seen to do is in the graph: calls, starts of processes, messages.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "observed_flow.h"
#include "random_processes.h"
#include "samples.h"
#include "tests_dir.h"

namespace fathom::flow {
namespace {

// A test of tests/check, by its call.
std::vector<std::string> calls() {
  std::vector<std::string> all;
  const size_t every = takes_samples() ? 12 : 1;
  size_t count = 0;
  std::ifstream lines(tests_dir() / "check" / "expected.txt");
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with("#") || count++ % every != 0) continue;
    all.push_back(line.substr(0, line.find(')') + 1));
  }
  return all;
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name;
  for (const char c : info.param) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

class ObservedFlow : public ::testing::TestWithParam<std::string> {};

TEST_P(ObservedFlow, IsPredicted) {
  const std::string& call = GetParam();
  const std::string module = call.substr(0, call.find(':'));
  Reader reader;
  Project project(ProjectOptions::from_environment());
  session::Library library(reader, project);
  Diagnostics diagnostics;
  library.add((tests_dir() / "check" / (module + ".erl")).string());
  auto test = library.from_text(
      "call", fmt::format("-module(call). -export([test/0]).\ntest() -> {}.\n", call), diagnostics);
  ASSERT_TRUE(test && !diagnostics.has_errors()) << call;
  FlowListener listener;
  const Observed seen = observe(library, {Atom::intern(module)}, *test, listener, listener);
  EXPECT_GT(seen.calls, 0u);
  EXPECT_EQ(text_of(seen.missing), "") << call;
}

INSTANTIATE_TEST_SUITE_P(Checked, ObservedFlow, ::testing::ValuesIn(calls()), test_name);

// Random concurrent programs (random_processes.h). SEED and COUNT in the environment say which.
TEST(ObservedFlow, OfRandomProgramsIsPredicted) {
  const auto number = [](const char* name, uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 10) : otherwise;
  };
  const uint64_t first = number("SEED", 1);
  Reader reader;
  Project project(ProjectOptions::from_environment());
  session::Library library(reader, project);
  size_t messages = 0;
  for (uint64_t seed = first; seed < first + number("COUNT", takes_samples() ? 20 : 200); ++seed) {
    for (const auto& program : {explore::random_program(seed), explore::rare_random_program(seed),
                                explore::large_random_program(seed)}) {
      Diagnostics diagnostics;
      auto test = library.from_text("rnd", program.text(), diagnostics);
      ASSERT_TRUE(test && !diagnostics.has_errors()) << seed;
      FlowListener listener;
      const Observed seen = observe(library, {test->core->name()}, *test, listener, listener);
      messages += seen.messages;
      ASSERT_EQ(text_of(seen.missing), "") << "seed " << seed << "\n" << program.text();
    }
  }
  EXPECT_GT(messages, 0u);
}

}  // namespace
}  // namespace fathom::flow
