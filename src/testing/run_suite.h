// Runs a suite of Common Test, with the rules of OTP's test_server (fathom_ct.erl): groups, init
// and end functions, timetraps, skipped cases. Cases that a filter does not want are left out, and
// so are groups of which it wants none.
//
// Not as under ct_run: no node is started and no log is written; hooks and event handlers do not
// run; time is virtual. priv_dir and the working directory are in memory, as all that is written.
//
// A case that ends the machine costs no other one: the rest of the suite goes on on a new machine,
// after the init functions around it have been run again.
#pragma once

#include "testing/test_run.h"

namespace fathom::testing {

// A case of a suite, in the order of all/0.
struct SuiteCase {
  int64_t number = 0;  // from 1 on
  Atom name;
  std::vector<std::string> groups;
};

struct Suite {
  std::vector<SuiteCase> cases;
  std::optional<TestResult> problem;  // why it has none: it is skipped, or all/0 or groups/0 fails
};
Suite read_suite(const TestModule& module, session::Session& session);

// Whether the filter wants it.
bool is_wanted(const SuiteCase& test, const TestModule& module, const Filter& filter);

void run_suite(const TestModule& module, session::Session& session, const Filter& filter,
               const RunOptions& options, const OnResult& on_result);

}  // namespace fathom::testing
