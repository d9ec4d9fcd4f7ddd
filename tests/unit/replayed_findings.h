// Every finding of a check comes again when its schedule is printed, read and followed on a fresh
// machine. What the program has written is not compared: there may be pids and references in it,
// which are those of a machine.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "explore/check.h"

namespace fathom::explore {

// `replay` follows a schedule on a fresh machine, with the options of the check. At most so many
// findings are replayed.
inline void expect_findings_replay(
    const CheckResult& result, const std::function<Result<CheckResult>(const Schedule&)>& replay,
    size_t most = SIZE_MAX) {
  for (const Finding& finding :
       std::span(result.findings).first(std::min(most, result.findings.size()))) {
    // Its schedule does not come to an end.
    if (finding.kind == FindingKind::Endless) continue;
    const std::string text = print_schedule(finding.schedule);
    const auto schedule = parse_schedule(text);
    ASSERT_TRUE(schedule) << text;
    EXPECT_EQ(schedule->steps, finding.schedule.steps);
    const auto again = replay(*schedule);
    ASSERT_TRUE(again) << again.error().message << "\n" << text;
    const auto is_same = [&](const Finding& other) {
      return other.kind == finding.kind && other.process == finding.process &&
             other.reason == finding.reason && other.place.file == finding.place.file &&
             other.place.line == finding.place.line;
    };
    EXPECT_TRUE(std::any_of(again->findings.begin(), again->findings.end(), is_same))
        << result.test << ": " << finding.reason << " does not come again\n"
        << text;
  }
}

}  // namespace fathom::explore
