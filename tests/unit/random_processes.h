// Random small concurrent programs, for tests of searches of their interleavings.
//
// A program is a module rnd with test/0: a process that starts one to three others, each with
// one to four operations on mailboxes, an ETS table, names, links, monitors, timers,
// persistent terms, atomics, and on the lives of others. What a process sees it keeps, and at
// its end it exits with that, or reports it to the test, or ends normally. It may as well wait
// for ever, or be killed: these are outcomes too.
//
// Programs are small enough that all their interleavings can be tried: mostly some hundreds,
// about 20,000 at most. The same seed gives the same program.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace fathom::explore {

struct RandomOperation {
  std::string text;
  std::string result;  // the variable with what it saw; empty: nothing
};

struct RandomProcess {
  enum class Ending : uint8_t { Normal, Exit, Report };

  uint64_t id = 0;              // by which others know it; 0: the test
  std::string_view start;       // spawn or spawn_link
  std::vector<uint64_t> knows;  // which of the others it may name, beside the test
  std::vector<RandomOperation> operations;
  Ending ending = Ending::Exit;
};

struct RandomProcesses {
  // The first is the test, which starts the others in their order.
  std::vector<RandomProcess> processes;
  std::string_view table = "public";   // options of its table, if it has one
  std::string_view alias = "[reply]";  // of its alias

  std::string text() const;
  // The others are started in another order, if there is one in which each starts after
  // those that it knows: the same program otherwise. False: there is none.
  bool start_in_another_order();
};

RandomProcesses random_program(uint64_t seed);
// With things that are seldom used.
RandomProcesses rare_random_program(uint64_t seed);
// With all that processes can see of each other: tables of every type with walks, fixations,
// owners, heirs and names; what process_info shows; group leaders, dictionaries, suspended
// processes.
RandomProcesses wide_random_program(uint64_t seed);
RandomProcesses large_wide_random_program(uint64_t seed);
// With messages that are alike.
RandomProcesses equal_random_program(uint64_t seed);
// With too many interleavings to try them all.
RandomProcesses large_random_program(uint64_t seed);
RandomProcesses large_equal_random_program(uint64_t seed);
inline std::string random_processes(uint64_t seed) { return random_program(seed).text(); }

// The program without operations and processes that are not needed for `holds`.
RandomProcesses shrink(RandomProcesses program,
                       const std::function<bool(const RandomProcesses&)>& holds);

}  // namespace fathom::explore
