// A test that hangs. No process can run: what would end the waiting, and who waits where?
//
// EUnit gives each test a time: a timer that sends {timeout, Child, Id} to the process
// that watches the one in which the test runs. So do the timetraps of Common Test
// (fathom_ct_case.erl). When only such timers are left, no process
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

struct Hang {
  std::string_view kind;
  std::string message;
  // In which the test runs; null: the hanging is outside of a test, in a setup or a
  // generator.
  const machine::Process* test = nullptr;
  // Processes with lower numbers were there before the test, and are told of only if they
  // have messages.
  uint64_t first_process = 0;
};

// What to tell of it: who waits where, but for EUnit's own processes.
Failure hang_failure(machine::Machine& m, const Hang& hang);

}  // namespace fathom::testing
