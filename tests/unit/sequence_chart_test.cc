// Tests of the charts of messages.
#include "report/sequence_chart.h"

#include <gtest/gtest.h>

#include "check_results.h"
#include "report/text.h"

namespace fathom::report::sequence_chart_test {
namespace {

using machine::EventKind;

std::string chart_of(const explore::Finding& finding, size_t width = 100) {
  return "\n" + sequence_text(finding, {.width = width, .color = false});
}

size_t count(std::string_view text, std::string_view part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

explore::TraceStep message(std::string from, std::string to, std::string text,
                           EventKind kind = EventKind::Send) {
  explore::TraceStep step = step_of(std::move(from), kind, to + " ! " + text, {});
  step.peer = std::move(to);
  step.message = std::move(text);
  return step;
}

TEST(SequenceText, ShowsMessagesAndWhoWaits) {
  EXPECT_EQ(chart_of(wrong_answer(counter_text())), R"(
        P                      P.1
     1  ├─ spawn ─────────────→○
     2  │                      ├ register(counter,P.1)
     3  ├─ {add,2,P} ─────────→│
     4  │                      ● from 3: {add,2,P}
last 5  │←───────── {total,3} ─┤
        ◌ waits for {total,2}  │
        │                      ◌ waits for {add,_,_}
)");
}

TEST(SequenceText, ShowsTimersEndsAndMessagesToTheDead) {
  explore::Finding finding;
  finding.trace = {message("P", "P.1", "x", EventKind::Spawn),
                   message("P", "P.1", "tick", EventKind::Timer),
                   step_of("P.1", EventKind::Timer, "P.1's time is up", {}),
                   message("P.1", "P", "late", EventKind::Arrival),
                   message("P.1", "P.1", "again"),
                   step_of("P.1", EventKind::Exit, "exit(normal)", {}),
                   message("P", "P.1", "lost")};
  finding.trace[5].ended = {"P.1"};
  EXPECT_EQ(chart_of(finding), R"(
        P           P.1
     1  ├─ spawn ──→○
     2  ◇╌ tick ╌╌╌→│
     3  │           ◇ P.1's time is up
     4  │←╌╌╌ late ╌┤
     5  │           ├ to itself: again
     6  │           ✗ exit(normal)
     7  ├─ lost ───→×
)");
}

TEST(SequenceText, LeavesOutWhatOtpDoesBesideMessages) {
  explore::Finding finding;
  finding.trace = {message("P", "P.1", "hello"), message("P", "P.1", "", EventKind::Monitor),
                   message("P", "P.1", "{call,1}"), step_of("P", EventKind::Exit, "exit(x)", {})};
  finding.trace[1].is_library = finding.trace[2].is_library = true;
  const std::string out = chart_of(finding);
  EXPECT_EQ(count(out, "monitor"), 0U) << out;
  EXPECT_EQ(count(out, "{call,1}"), 1U) << out;
}

TEST(SequenceText, WideCharactersKeepTheColumnsInLine) {
  explore::Finding finding;
  finding.trace = {message("P", "P.1", "\"日本語\""), message("P.1", "P", "\"cafe\u0301\"")};
  EXPECT_EQ(chart_of(finding),
            "\n"
            "        P              P.1\n"
            "     1  ├─ \"日本語\" ──→│\n"
            "     2  │←──── \"cafe\u0301\" ─┤\n");
}

explore::Finding crowd(size_t processes, size_t steps) {
  explore::Finding finding;
  finding.process = child_name(40);
  for (size_t i = 0; i < steps; ++i) {
    finding.trace.push_back(message(child_name(i % processes), child_name((i + 1) % processes),
                                    "{message," + std::string(i, 'x') + "}"));
  }
  return finding;
}

TEST(SequenceText, FitsAnyTerminal) {
  for (const size_t width : {0U, 1U, 30U, 40U, 79U, 100U, 250U}) {
    const std::string out = chart_of(crowd(50, 100), width);
    std::string_view rest = out;
    while (!rest.empty()) {
      const size_t end = rest.find('\n');
      // Two columns are the least, beside the margin of 10.
      EXPECT_LE(display_width(rest.substr(0, end)), std::max<size_t>(width, 30))
          << rest.substr(0, end);
      rest.remove_prefix(end + 1);
    }
  }
}

TEST(SequenceText, ManyProcessesShareAColumn) {
  const std::string out = chart_of(crowd(50, 100));
  EXPECT_TRUE(
      out.starts_with("\n          P.0                    P.1                    P.2       "
                      "P.40                   46 more\n"))
      << "who fails keeps a column" << out;
  EXPECT_EQ(count(out, "├─ to P.3: {message,xx}"), 1U) << out;
  EXPECT_EQ(count(out, "\n          ┊ 36 more "), 2U)
      << "what the others do among themselves" << out;
}

TEST(SequenceText, ALongChartHasGaps) {
  const std::string out = chart_of(crowd(3, 1000));
  EXPECT_EQ(count(out, "┊ 880 more"), 1U) << out;
  EXPECT_LT(count(out, "\n"), 150U);
}

TEST(Chart, RemembersWhenProcessesLive) {
  explore::Finding finding;
  finding.trace = {message("P", "P.1", "", EventKind::Spawn), message("P", "P.1", "a"),
                   step_of("P.1", EventKind::Exit, "exit(normal)", {}), message("P", "P.1", "b")};
  finding.trace[2].ended = {"P.1"};
  const Chart chart = make_chart(finding, 10);
  ASSERT_EQ(chart.columns.size(), 2U);
  const ChartColumn& child = chart.columns[1];
  EXPECT_EQ(child.begin, 0U);
  EXPECT_EQ(child.end, 2U);
  EXPECT_FALSE(child.lives_at(0));
  EXPECT_TRUE(child.lives_at(1));
  EXPECT_FALSE(child.lives_at(3));
  EXPECT_TRUE(chart.columns[0].lives_at(3));
}

TEST(SequenceSvg, NeedsNothingButItself) {
  const SampleText text = counter_text();
  const std::string svg = sequence_svg(name_race(text), text.sources(), "counter:test()");
  EXPECT_TRUE(svg.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=")) << svg;
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_EQ(count(svg, "://"), 1U) << "only the name of SVG";
  EXPECT_EQ(count(svg, "<script"), 0U);
  EXPECT_EQ(count(svg, "href"), 0U);
  EXPECT_EQ(count(svg, ">race</text>"), 2U);
  EXPECT_EQ(count(svg, ">fail</text>"), 1U);
  EXPECT_EQ(count(svg, "counter.erl:6:5"), 2U) << "beside the step, and in its tooltip";
  EXPECT_EQ(count(svg, "counter ! {add, 2, self()},"), 1U) << "the line of the source";
}

TEST(SequenceSvg, ClosesWhatItOpensWhateverTheTermsAre) {
  explore::Finding finding = crowd(50, 200);
  finding.reason = "</text><script>\x01\xFF";
  for (explore::TraceStep& step : finding.trace) step.message = "<\"&'>\033" + step.message;
  const std::string svg = sequence_svg(finding, SourceMap(), "<title>");
  EXPECT_EQ(count(svg, "<script"), 0U);
  EXPECT_EQ(count(svg, "\033"), 0U);
  EXPECT_EQ(count(svg, "<text"), count(svg, "</text>"));
  EXPECT_EQ(count(svg, "<title>"), count(svg, "</title>"));
}

}  // namespace
}  // namespace fathom::report::sequence_chart_test
