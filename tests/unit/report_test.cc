// Tests of src/report.
#include <gtest/gtest.h>

#include "report/failure_text.h"
#include "report/test_report.h"
#include "report/xml.h"

namespace fathom::report::report_test {
namespace {

TEST(Difference, ShowsShortTermsWhole) {
  const Difference d = difference("[a,b,c]", "[a,x,c]", 80);
  EXPECT_EQ(d.expected, "[a,b,c]");
  EXPECT_EQ(d.got, "[a,x,c]");
  EXPECT_EQ(d.column, 3U);
}

TEST(Difference, CountsCharactersNotBytes) {
  EXPECT_EQ(difference("\"κόσμα\"", "\"κόσμε\"", 80).column, 5U);
}

TEST(Difference, ShowsTheNeighbourhoodInLongTerms) {
  const std::string same(500, 'a');
  const Difference d = difference(same + "b" + same, same + "c" + same, 80);
  EXPECT_EQ(d.expected, "…" + std::string(40, 'a') + "b" + std::string(39, 'a') + "…");
  EXPECT_EQ(d.got, "…" + std::string(40, 'a') + "c" + std::string(39, 'a') + "…");
  EXPECT_EQ(d.column, 41U);
}

TEST(Difference, ATermMayEndWhereTheOtherGoesOn) {
  const std::string same(500, 'a');
  const Difference d = difference(same, same + "bcd", 80);
  EXPECT_EQ(d.expected, "…" + std::string(40, 'a'));
  EXPECT_EQ(d.got, "…" + std::string(40, 'a') + "bcd");
  EXPECT_EQ(d.column, 41U);
}

TEST(Xml, EscapesWhatHasAMeaning) {
  EXPECT_EQ(xml_text("a<b & \"c\"\n\r\t"), "a&lt;b &amp; &quot;c&quot;\n&#13;\t");
  EXPECT_EQ(xml_attribute("a\n\"b\""), "\"a&#10;&quot;b&quot;\"");
}

TEST(Xml, ReplacesWhatItCannotSay) {
  EXPECT_EQ(xml_text("a\x01"
                     "b\xFF"
                     "c\xE2\x82"),
            "a\uFFFDb\uFFFDc\uFFFD\uFFFD");
  EXPECT_EQ(xml_text("κόσμος"), "κόσμος");
}

testing::TestResult test_of(std::string_view module, testing::Status status) {
  testing::TestResult test;
  test.module = module;
  test.function = "f_test";
  test.status = status;
  if (status != testing::Status::Passed)
    test.failure = testing::Failure{.kind = "k", .message = "why"};
  return test;
}

TEST(JunitReport, HasASuiteForEachModule) {
  std::string xml;
  const SourceMap sources;
  const auto report =
      make_test_report("junit", [&](std::string_view text) { xml += text; }, sources, {});
  report->add(test_of("a", testing::Status::Passed));
  report->add(test_of("a", testing::Status::Skipped));
  report->add(test_of("b", testing::Status::Unknown));
  TestSummary summary;
  summary.counts = {.passed = 1, .failed = 0, .skipped = 1, .unknown = 1};
  report->finish(summary);
  EXPECT_EQ(xml,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites name=\"fathom\" tests=\"3\" failures=\"0\" errors=\"1\" skipped=\"1\""
            " time=\"0.000\">\n"
            "  <testsuite name=\"a\" tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"1\""
            " time=\"0.000\">\n"
            "    <testcase classname=\"a\" name=\"f_test\" time=\"0.000\"/>\n"
            "    <testcase classname=\"a\" name=\"f_test\" time=\"0.000\">\n"
            "      <skipped message=\"why\"/>\n"
            "    </testcase>\n"
            "  </testsuite>\n"
            "  <testsuite name=\"b\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\""
            " time=\"0.000\">\n"
            "    <testcase classname=\"b\" name=\"f_test\" time=\"0.000\">\n"
            "      <error type=\"k\" message=\"why\">UNKNOWN b:f_test\nwarning: why\n</error>\n"
            "    </testcase>\n"
            "  </testsuite>\n"
            "</testsuites>\n");
}

}  // namespace
}  // namespace fathom::report::report_test
