// Options that a project keeps for itself: in fathom.config, or under `fathom` in its rebar.config.
//
//   {fathom, [{check, [eunit, {patience, 50}, {filter, ["a_tests", "b_tests"]}]},
//             {test, [{time_limit, 10}]}]}.
//
// fathom.config has the terms inside of the list. Each is an option of the command by its long
// name, with _ for -: an atom is one without a value; a list has it repeated. An option that is
// given on the command line takes the place of the project's; so does a test (-t, --eunit, --ct)
// that of all tests. The project is the one around the current folder; --no-project leaves it
// alone.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace fathom {

// What is to stand between the command and the arguments that were given. The error says what in
// the file cannot be understood.
Result<std::vector<std::string>> project_options(const std::vector<std::string>& arguments);

}  // namespace fathom
