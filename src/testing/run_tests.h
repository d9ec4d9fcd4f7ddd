// Runs the tests of a module, through OTP's eunit or as a suite of Common Test (run_suite.h), on a
// machine of their own.
//
// EUnit gives up a module when one of its tests hangs, or a generator fails. Here the
// functions that have not been run then are run on a new machine, so that no test is lost
// because of another one. A new machine for each module costs little, since what was read
// of OTP and of the project is shared (session::Library): what remains is compiling the
// functions that are called, about 3 ms. It makes the results of a module independent of
// which others were run before.
#pragma once

#include "testing/test_run.h"

namespace fathom::testing {

// Calls on_result for each test, as soon as it is known. The thread's budget, if there is one,
// is renewed with every event: it is that of one test.
void run_tests(const TestModule& module, session::Session& session, const Filter& filter,
               const RunOptions& options, const OnResult& on_result);

}  // namespace fathom::testing
