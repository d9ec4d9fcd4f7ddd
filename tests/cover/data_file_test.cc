// Data files: what is written is read; what is damaged, of another version or of changed sources is
// told, and nothing is lost.
#include "cover/data_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "temp_tree.h"

namespace fathom::cover {
namespace {

Coverage sample() {
  Coverage c;
  c.criteria = of(Criterion::Line) | of(Criterion::Mcdc);
  ModuleCoverage m{.name = "m\t1", .path = "src/m.erl", .hash = 0xABCDEF, .items = {}};
  m.items.push_back({.kind = ItemKind::Line, .place = {3, 0, 3, 0}, .count = 7});
  m.items.push_back({.kind = ItemKind::Line, .place = {4, 0, 4, 0}});
  m.items.push_back({.kind = ItemKind::Mcdc, .place = {4, 1, 4, 9}, .what = "a\\b\nc"});
  m.items.push_back(
      {.kind = ItemKind::Mcdc, .place = {4, 2, 4, 9}, .state = ItemState::Unreachable});
  m.decisions.push_back({"ab&", {2, 3}, {4, 5, 7}});
  c.modules.push_back(m);
  c.tests.push_back({"m:a_test", {{0, 1, 3}}});
  return c;
}

TEST(CoverData, IsReadAsItWasWritten) {
  const std::string text = data_text(sample());
  const auto read = parse_data(text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(data_text(*read), text);
  EXPECT_EQ(read->modules[0].items[2].what, "a\\b\nc");
  EXPECT_EQ(read->modules[0].items[3].state, ItemState::Unreachable);
}

// Every byte that is lost or changed is noticed.
TEST(CoverData, DamageIsNoticed) {
  const std::string text = data_text(sample());
  for (size_t i = 0; i < text.size(); ++i) {
    EXPECT_FALSE(parse_data(text.substr(0, i))) << i;
    std::string changed = text;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_FALSE(parse_data(changed)) << i;
  }
  EXPECT_FALSE(parse_data(""));
  EXPECT_FALSE(parse_data(text + "more"));
}

TEST(CoverData, OtherVersionsAreTold) {
  std::string text = data_text(sample());
  text.replace(text.find("\t1\n"), 3, "\t9\n");
  EXPECT_EQ(parse_data(text).error().message,
            "the file is of version 9, and this Fathom reads version 1");
  EXPECT_EQ(parse_data("{\"a\": 1}").error().message,
            "this is not a file of coverage; --cover-data FILE of run, test and check writes one");
}

TEST(CoverData, AFileThatCannotBeWrittenLeavesTheOldOne) {
  TempTree tree;
  tree.add("data", data_text(sample()));
  ASSERT_FALSE(write_data(tree / "nowhere" + "/data", sample()));
  ASSERT_TRUE(write_data(tree / "data", sample()));
  EXPECT_TRUE(read_data(tree / "data"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(tree / "."), {}), 1);
}

TEST(CoverMerge, AddsCountsTestsAndVectors) {
  Coverage a = sample();
  Coverage b = sample();
  b.modules[0].decisions[0].vectors = {8};
  b.tests[0].name = "m:b_test";
  ASSERT_TRUE(merge(a, b));
  EXPECT_EQ(a.modules[0].items[0].count, 14u);
  EXPECT_EQ(a.tests.size(), 2u);
  EXPECT_EQ(a.modules[0].decisions[0].vectors, (std::vector<uint32_t>{4, 5, 7, 8}));
  ASSERT_TRUE(merge(a, b));
  EXPECT_EQ(a.tests.size(), 2u);
}

TEST(CoverMerge, ChangedSourcesChangeNothing) {
  Coverage a = sample();
  Coverage b = sample();
  b.modules[0].hash = 1;
  const std::string before = data_text(a);
  EXPECT_FALSE(merge(a, b));
  EXPECT_EQ(data_text(a), before);
}

}  // namespace
}  // namespace fathom::cover
