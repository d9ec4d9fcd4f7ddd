// A test that hangs. No process can run: what would end the waiting, and who waits where?
//
// EUnit gives each test a time: a timer that sends {timeout, Child, Id} to the process
// that watches the one in which the test runs. When only such timers are left, no process
// of the program will ever go on by itself.
#pragma once

#include "machine/machine.h"
#include "testing/results.h"

namespace fathom::testing {

// The process in which the test runs that this timer of EUnit's would end; null if the
// timer is none of EUnit's, or that process is no more.
const machine::Process* watched_process(machine::Machine& m, const machine::Timer& timer);

// Whether a timer that is not EUnit's may yet wake a process.
bool has_program_timer(machine::Machine& m);

// What to tell of it: who waits where, but for EUnit's own processes. `test` may be null:
// the hanging is outside of a test, in a setup or a generator.
Failure hang_failure(machine::Machine& m, const machine::Process* test, std::string_view kind,
                     std::string message);

}  // namespace fathom::testing
