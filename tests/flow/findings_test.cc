// Small programs with one fault each, and the same without it (tests/findings): what is found is
// what their first lines say, and nothing else.
#include "flow/findings.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "flow_program.h"
#include "tests_dir.h"

namespace fathom::flow {
namespace {

std::vector<std::string> programs() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(tests_dir() / "findings")) {
    if (entry.path().extension() == ".erl") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

struct Expected {
  std::string entry;
  std::vector<std::string> others;   // modules in tests/findings/with
  std::multiset<std::string> lines;  // "FINDING kind 12"
};

Expected expected_of(const std::filesystem::path& path) {
  Expected expected;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("%% ENTRY ")) expected.entry = line.substr(9);
    if (line.starts_with("%% WITH ")) expected.others.push_back(line.substr(8));
    if (line.starts_with("%% FINDING ") || line.starts_with("%% NOTE ")) {
      expected.lines.insert(line.substr(3));
    }
  }
  return expected;
}

class FindingsOf : public ::testing::TestWithParam<std::string> {};

TEST_P(FindingsOf, AreThoseThatItNames) {
  const std::filesystem::path path = tests_dir() / "findings" / (GetParam() + ".erl");
  const Expected expected = expected_of(path);
  std::vector<std::filesystem::path> paths = {path};
  for (const std::string& other : expected.others) {
    paths.push_back(path.parent_path() / "with" / (other + ".erl"));
  }
  FlowProgram program(paths, expected.entry);
  const auto processes = process_view(program.analysis(), program.messages(), program.graph());
  const Findings found = find_faults({.analysis = program.analysis(),
                                      .graph = program.graph(),
                                      .processes = processes,
                                      .code = program.code(),
                                      .is_open = expected.entry.empty()});
  std::multiset<std::string> lines;
  for (const Finding& f : found.all) {
    EXPECT_FALSE(f.reason.empty());
    lines.insert(fmt::format("{} {} {}", f.is_note() ? "NOTE" : "FINDING", word_of(f.kind),
                             program.line_of(f.node)));
  }
  EXPECT_EQ(lines, expected.lines);
}

INSTANTIATE_TEST_SUITE_P(Programs, FindingsOf, ::testing::ValuesIn(programs()),
                         [](const auto& tested) { return tested.param; });

// Each kind has a program that has it, and there are programs without any.
TEST(FindingsPrograms, HaveEachKind) {
  std::set<std::string> kinds;
  size_t clean = 0;
  for (const std::string& name : programs()) {
    const Expected expected = expected_of(tests_dir() / "findings" / (name + ".erl"));
    clean += expected.lines.empty();
    for (const std::string& line : expected.lines) {
      if (line.starts_with("FINDING ")) kinds.insert(line.substr(8, line.rfind(' ') - 8));
    }
  }
  EXPECT_EQ(kinds.size(), finding_rules().size());
  EXPECT_GE(clean, finding_rules().size());
}

}  // namespace
}  // namespace fathom::flow
