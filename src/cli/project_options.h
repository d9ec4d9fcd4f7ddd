// Options that a project keeps for itself: in fathom.config, or under `fathom` in its rebar.config.
//
//   {fathom, [{check, [eunit, {patience, 50}, {filter, ["a_tests", "b_tests"]}]},
//             {test, [{time_limit, 10}]}]}.
//
// fathom.config has that, or the terms inside of the list. Each is an option of the command by its
// long name, with _ for -: an atom is one without a value; a list has it repeated. An option that
// is given on the command line takes the place of the project's; so does a test (-t, --eunit, --ct)
// that of all tests. The project is the one around the current folder; --no-project leaves it
// alone.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fathom {

struct OwnOptions {
  std::string file;                    // empty: there is none
  std::vector<std::string> names;      // of the options, "--patience"
  std::vector<std::string> arguments;  // to stand between the command and what was given
};

// Of the first of the arguments, which is one of the commands. The error says what in the file
// cannot be understood.
Result<OwnOptions> project_options(const std::vector<std::string>& arguments,
                                   std::span<const std::string_view> commands);

}  // namespace fathom
