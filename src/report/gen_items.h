// Items and tests of fathom gen in words, for all of its formats.
#pragma once

#include <string>

#include "base/source.h"
#include "report/gen_report.h"

namespace fathom::report {

// "m.erl:12"
std::string item_place(const generate::Item& item);
// "clause 2 of m:f/1 (m.erl:12)"
std::string item_text(const generate::Item& item);
// "m:f([1, 2])"
std::string call_of(const generate::GenerateOptions& options, const generate::TestCase& test);
// "error: badarith"
std::string outcome_of(const generate::TestCase& test);
// "m:f/2"
std::string name_of(const generate::GenerateOptions& options);
// Whether what is not covered is known to be unreachable within the bounds.
bool is_complete(const generate::Suite& suite);

}  // namespace fathom::report
