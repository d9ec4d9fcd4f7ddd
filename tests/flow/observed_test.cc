// Whatever a machine is seen to do is in the graph: calls, starts of processes, messages.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "observed_flow.h"
#include "tests_dir.h"

namespace fathom::flow {
namespace {

// A test of tests/check, by its call.
std::vector<std::string> calls() {
  std::vector<std::string> all;
  std::ifstream lines(tests_dir() / "check" / "expected.txt");
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && !line.starts_with("#")) all.push_back(line.substr(0, line.find(')') + 1));
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

  machine::Limits limits;
  limits.reductions = 2'000'000;
  machine::Machine m(library, machine::native_table(), limits,
                     {.is_observed = true,
                      .outlives_first_process = true,
                      .is_silent = true,
                      .code = {.reports_calls = true}});
  m.code().load(test->unit, test->core);
  m.start(Atom::intern("call"), Atom::intern("test"), {});
  FlowListener listener;
  drive(m, listener);

  // The analysis sees the call as the only entry.
  session::ProgramCode code(library, {Atom::intern(module)});
  code.add(Atom::intern("call"), *test);
  Analysis analysis(code);
  ASSERT_TRUE(analysis.add_entry({Atom::intern("call"), Atom::intern("test"), 0}, false));
  analysis.run();
  const Observed observed = compare(m, listener, analysis.facts(), make_graph(analysis, code));
  EXPECT_GT(observed.calls, 0u);
  std::string missing;
  for (const std::string& edge : observed.missing) missing += edge + "\n";
  EXPECT_EQ(missing, "") << call;
}

INSTANTIATE_TEST_SUITE_P(Checked, ObservedFlow, ::testing::ValuesIn(calls()), test_name);

}  // namespace
}  // namespace fathom::flow
