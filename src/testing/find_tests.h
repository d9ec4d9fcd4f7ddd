// Which EUnit tests the modules of a project have: the exported functions NAME_test/0 and
// the generators NAME_test_/0, in the order of the source. A module that was asked for
// brings the module of its tests, MODULE_tests, if the project has one.
//
// Cost: every module is read and lowered, once for all machines of the session.
#pragma once

#include <string>
#include <vector>

#include "session/session.h"
#include "testing/filter.h"

namespace fathom::testing {

struct TestFunction {
  Atom name;
  bool is_generator = false;
};

struct TestModule {
  Atom name;
  std::string path;
  std::vector<TestFunction> functions;  // those that the filter may want
};

struct FoundTests {
  std::vector<TestModule> modules;  // with at least one test
  std::vector<std::string> broken;  // paths of those that cannot be read
};

inline constexpr std::string_view kNoTests =
    "no EUnit tests were found: exported functions NAME_test/0 and NAME_test_/0 of these modules, "
    "or "
    "of MODULE_tests";

// NAME_test_.
bool is_generator_name(std::string_view function);

FoundTests find_tests(session::Session& session, const Filter& filter);

}  // namespace fathom::testing
