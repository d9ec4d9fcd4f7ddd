// Tests of texts for a terminal, and of the line that says how far a search is.
#include "report/progress.h"

#include <gtest/gtest.h>

#include <limits>

#include "report/text.h"

namespace fathom::report::progress_test {
namespace {

TEST(Progress, IsOneLine) {
  EXPECT_EQ(progress_text({.interleavings = 12'345,
                           .events = 1'000'000,
                           .findings = 2,
                           .pending = 37,
                           .estimate = 50'321,
                           .seconds = 0.11869}),
            "  12,345 interleavings, 2 errors, 37 pending, 100,000/s, about 50,000 in all");
}

TEST(Progress, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(progress_text({}), "  0 interleavings, 0 pending");
  explore::Progress progress{.interleavings = 1, .findings = 1, .seconds = 4};
  EXPECT_EQ(progress_text(progress), "  1 interleaving, 1 error, 0 pending, 0.25/s");
  progress.estimate = std::numeric_limits<double>::infinity();
  EXPECT_EQ(progress_text(progress), "  1 interleaving, 1 error, 0 pending, 0.25/s");
  progress.estimate = 3e40;
  EXPECT_EQ(progress_text(progress),
            "  1 interleaving, 1 error, 0 pending, 0.25/s, about 10^40 in all");
}

TEST(Progress, IsCutToTheTerminal) {
  EXPECT_EQ(progress_text({.interleavings = 12'345, .pending = 37}, 20), "  12,345 interleavi…");
}

TEST(ProgressLine, IsRewrittenInPlaceTenTimesASecond) {
  std::string out;
  {
    ProgressLine line([&](std::string_view text) { out += text; }, 79);
    for (const double seconds : {1.0, 1.05, 1.09, 1.11}) {
      line.show({.interleavings = static_cast<uint64_t>(seconds * 100), .seconds = seconds});
    }
  }
  EXPECT_EQ(out,
            "\r  100 interleavings, 0 pending, 100/s\033[K"
            "\r  111 interleavings, 0 pending, 100/s\033[K"
            "\r\033[K");
}

TEST(Text, ShowsWhatWouldDoHarmAsEscapes) {
  EXPECT_EQ(printable("a\tb\n\033[2J\x01\x7F"), "a\\tb\\n\\e[2J\\x{1}\\x{7F}");
  EXPECT_EQ(printable("\u202Eabc\u200B"), "\\x{202E}abc\\x{200B}");
  EXPECT_EQ(printable("a\xFFz"), "a\uFFFDz");
  EXPECT_EQ(printable("κόσμος 日本"), "κόσμος 日本");
}

TEST(Text, KnowsHowWideCharactersAre) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("日本"), 4U);
  EXPECT_EQ(display_width("e\u0301"), 1U);
  EXPECT_EQ(display_width("😀"), 2U);
}

TEST(Text, IsCutToAWidth) {
  EXPECT_EQ(cut("abc", 3), "abc");
  EXPECT_EQ(cut("abcd", 3), "ab…");
  EXPECT_EQ(cut("日本語", 5), "日本…");
  EXPECT_EQ(cut("日本語", 4), "日…");
  EXPECT_EQ(cut("abc", 0), "");
  EXPECT_EQ(cut(std::string(1'000'000, 'x'), 4), "xxx…");
}

TEST(Text, HasNumbersForPeople) {
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(1000), "1,000");
  EXPECT_EQ(with_commas(1'234'567), "1,234,567");
  EXPECT_EQ(counted(1, "error"), "1 error");
  EXPECT_EQ(counted(0, "error"), "0 errors");
  for (const auto& [number, text] : {std::pair{1, "1st"},
                                     {2, "2nd"},
                                     {3, "3rd"},
                                     {4, "4th"},
                                     {11, "11th"},
                                     {12, "12th"},
                                     {21, "21st"},
                                     {113, "113th"}}) {
    EXPECT_EQ(ordinal(number), text);
  }
}

}  // namespace
}  // namespace fathom::report::progress_test
