// Items and tests of fathom gen in words, for all of its formats.
#pragma once

#include <string>

#include "base/source.h"
#include "report/gen_report.h"

namespace fathom::report {

// "m.erl:12"
std::string item_place(const Place& place);
// "clause 2 of m:f/1 (m.erl:12)", "[X | Xs] matched by [Y | Ys] (m.erl:12 to m.erl:20)"
std::string item_text(const generate::Item& item);
// The same without lines, which change when something else does.
std::string stable_item_text(const generate::Item& item);
// "m:f([1, 2])"
std::string call_of(const generate::GenerateOptions& options, const generate::TestCase& test);
// "m:f(1): predicted 2, gives 3"
std::string wrong_text(const generate::WrongPrediction& wrong);
// "m:f/2"
std::string name_of(const generate::GenerateOptions& options);
// Whether what is not covered is known to be unreachable within the bounds.
bool is_complete(const generate::Suite& suite);

}  // namespace fathom::report
