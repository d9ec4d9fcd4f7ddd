#include "base/display_width.h"

#include <gtest/gtest.h>

#include "report/text.h"

namespace fathom::display_width_test {
namespace {

TEST(DisplayWidth, IsInColumnsOfATerminal) {
  const struct {
    std::string_view text;
    size_t width;
  } cases[] = {
      {"", 0},
      {"abc", 3},
      {"häß", 3},
      {"κόσμος", 6},
      {"a\u0301", 1},               // a combining accent
      {"\u0939\u093F", 1},          // Devanagari: a vowel sign
      {"中文", 4},                  // CJK ideographs
      {"カナ", 4},                  // katakana
      {"\uFF76\uFF85", 2},          // the same, half width
      {"한글", 4},                  // Hangul syllables
      {"Ａ", 2},                    // a fullwidth letter
      {"😀", 2},                     // emoji
      {"✅", 2},                     // emoji among the older symbols
      {"✓", 1},                     // not one
      {"♥\uFE0F", 1},               // a variation selector adds nothing
      {"…─►", 3},                   // what the reports draw with
      {"\uFFFD", 1},                // what replaces bytes that are not UTF-8
      {"\U00020000", 2},            // an ideograph beyond the first plane
      {"\U0001F469\U0001F680", 4},  // would be one with a joiner between them
  };
  for (const auto& c : cases) EXPECT_EQ(display_width(c.text), c.width) << c.text;
}

TEST(DisplayWidth, CutsAndPadsByColumns) {
  EXPECT_EQ(report::cut("中文中文", 8), "中文中文");
  EXPECT_EQ(report::cut("中文中文", 7), "中文中…");
  EXPECT_EQ(report::cut("中文中文", 6), "中文…");
  EXPECT_EQ(report::padded("中", 4), "中  ");
  EXPECT_EQ(report::padded_left("e\u0301", 3), "  e\u0301");
}

}  // namespace
}  // namespace fathom::display_width_test
