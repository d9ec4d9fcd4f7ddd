// An error of a check, for people to read.
#pragma once

#include <string>

#include "base/source.h"
#include "explore/findings.h"
#include "report/check_report.h"

namespace fathom::report {

// "bug: 1 error in 24 interleavings of m:f(), complete; 312 events in 0.01 s"
std::string verdict_text(const explore::CheckResult& result);

// What went wrong and where; the pair of steps whose order makes the difference; who waits;
// the interleaving step by step; the chart of its messages; what was written. Ends with a
// newline. `interleavings` is how many there were.
std::string finding_text(const explore::Finding& finding, uint64_t interleavings,
                         const SourceMap& sources, const CheckReportOptions& options);

}  // namespace fathom::report
