// Which tests the modules of a project have. EUnit's are the exported functions NAME_test/0 and
// the generators NAME_test_/0, in the order of the source; a module that was asked for
// brings the module of its tests, MODULE_tests, if the project has one. A module NAME_SUITE that
// exports all/0 is a suite of Common Test; its cases are known only when all/0 has run.
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
  bool is_suite = false;                // of Common Test; it has no functions here
};

struct FoundTests {
  std::vector<TestModule> modules;  // with at least one test
  std::vector<std::string> broken;  // paths of those that cannot be read
};

inline constexpr std::string_view kNoTests =
    "no tests were found: exported functions NAME_test/0 and NAME_test_/0 of these modules, or of "
    "MODULE_tests (EUnit), and all/0 of modules NAME_SUITE (Common Test)";

// NAME_test_.
bool is_generator_name(std::string_view function);
// NAME_test or NAME_test_.
bool is_test_name(std::string_view function);

FoundTests find_tests(session::Session& session, const Filter& filter);

}  // namespace fathom::testing
