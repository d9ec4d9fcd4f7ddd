// Runs the tests of a module through OTP's eunit, on a machine of their own.
//
// EUnit gives up a module when one of its tests hangs, or a generator fails. Here the
// functions that have not been run then are run on a new machine, so that no test is lost
// because of another one. A new machine for each module costs little, since what was read
// of OTP and of the project is shared (session::Library): what remains is compiling the
// functions that are called, about 3 ms. It makes the results of a module independent of
// which others were run before.
//
// Time is virtual: it passes only when no process can run. So a test that hangs is seen at
// once. If nothing but EUnit's own timer is left, it is a deadlock; if other timers are,
// it is a time-out like EUnit's.
#pragma once

#include "machine/driver.h"
#include "testing/eunit_log.h"
#include "testing/find_tests.h"

namespace fathom::testing {

struct RunOptions {
  uint64_t reductions = UINT64_MAX;   // from one event of EUnit to the next
  machine::Driver* driver = nullptr;  // who decides what happens next; null: each in turn
  machine::Mode mode = {};
  // A test has ended, or what belongs to it after that: before the next one begins.
  OnEnd on_end = {};
  // No more tests run on the machine.
  std::function<void(machine::Machine&)> on_machine_end = {};
};

// Calls on_result for each test, as soon as it is known. The thread's budget, if there is one,
// is renewed with every event of EUnit: it is that of one test.
void run_tests(const TestModule& module, session::Session& session, const RunOptions& options,
               const OnResult& on_result);

}  // namespace fathom::testing
