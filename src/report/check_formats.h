// The formats of check_report.h, each in a file of its own.
#pragma once

#include "report/check_report.h"

namespace fathom::report {

std::unique_ptr<CheckReport> make_check_text(Sink sink, const SourceMap& sources,
                                             const CheckReportOptions& options);
std::unique_ptr<CheckReport> make_check_json(Sink sink, const SourceMap& sources);
std::unique_ptr<CheckReport> make_check_sarif(Sink sink, const SourceMap& sources,
                                              const CheckReportOptions& options);

}  // namespace fathom::report
