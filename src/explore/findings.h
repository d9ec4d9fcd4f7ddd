// The result of a check: plain data, for the reports. Terms are texts, as ~p prints them on
// one line; pids among them are logical names of processes (P.1).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/place.h"
#include "base/verdict.h"
#include "explore/schedule.h"
#include "machine/event.h"
#include "machine/frame.h"

namespace fathom::explore {

inline constexpr size_t kNoStep = SIZE_MAX;

// One event of an interleaving.
struct TraceStep {
  std::string process;  // that performs it; of a timer that sends a message: that has set it
  machine::EventKind kind = machine::EventKind::None;
  std::string text;                // in Erlang's words: "P.1 ! {hello, P}", "register(server, P.1)"
  std::string result;              // "true", "raises error: badarg"; empty: nothing of interest
  Place place;                     // empty where there is none: of a timer, before the first call
  std::string function;            // m:f/1, in which the place is; may be empty
  Place caller;                    // of OTP's code: where the program's own has called it; or empty
  std::string via;                 // the function that it has called there: gen_server:call/2
  std::string peer;                // of a signal: the process that it goes to; spawn: the new one
  std::string message;             // of Send, Receive, Timer and Arrival: what
  size_t cause = kNoStep;          // of Receive: the step that has sent it, or brought it about
  bool is_library = false;         // it is done by OTP's code: less interesting
  std::vector<std::string> ended;  // processes that exit because of this step
};

// Two steps of an interleaving whose order makes the difference. (In the interleaving that is
// shown `first` comes before `second`.)
struct Race {
  size_t first = kNoStep;
  size_t second = kNoStep;
  std::string what;  // on what they conflict: "the name server", "key 1 of table t"
};

// Two places whose events have raced, and whether they were seen in both orders (race_orders.h).
struct RacingPlaces {
  Place first;
  Place second;
  bool in_both_orders = false;
};

// A process that waits for ever.
struct WaitingProcess {
  std::string process;
  std::string name;  // registered, or empty
  std::string function;
  Place place;
  std::string awaits;                // the patterns of its receive, "{reply, _} or stop"; or empty
  std::vector<std::string> mailbox;  // the messages that it has not taken
  bool is_idle = false;              // in the main loop of an OTP behaviour
  Place caller = {};                 // as of a TraceStep
  std::string via = {};
  std::string answerer = {};  // the process whose answer it waits for, as gen:call does
  std::string request = {};   // what it has asked that; may be empty
};

// What it waits for, in words: "the answer of P.1 to get", or the patterns; empty: nobody can tell.
std::string awaited(const WaitingProcess& process);

enum class FindingKind : uint8_t {
  Exit,       // a process exits because of an exception, or of a signal
  Assertion,  // the exception is that of a failed ?assert…
  Deadlock,   // processes wait, the first one among them
  Stuck,      // the first one has exited, others wait
  Halt,       // with a status other than 0
  Endless,    // the interleaving was cut at the depth bound
};
std::string_view finding_kind_name(FindingKind kind);  // "exit", "assertion", …

struct Finding {
  FindingKind kind = FindingKind::Exit;
  std::string process;                  // that exits, or that waits (the first of them)
  std::string reason;                   // the reason of the exit, as ~p; of the others: one line
  Place place;                          // of a process that a signal has stopped: where it was
  std::string signal_from;              // the process whose exit signal that was
  std::vector<std::string> advice;      // what is known of the cause beside
  std::vector<machine::Frame> stack;    // innermost first; may be empty
  std::vector<WaitingProcess> waiting;  // Deadlock, Stuck
  std::vector<TraceStep> trace;         // the whole interleaving
  std::optional<Race> race;             // none: it happens in every interleaving seen so far
  // Endless: the last steps repeat these, from `loop_begin` on, so many at a time. 0: they do
  // not repeat.
  size_t loop_begin = 0;
  size_t loop_length = 0;
  Schedule schedule;
  std::string schedule_file;  // where it was written; empty: nowhere
  std::string output;         // what the program wrote
  std::string why;            // what of the program led to it, as text; empty: not asked for
  bool ends_test = false;     // Exit, Assertion: the first process exits because of it
  uint64_t count = 1;         // interleavings in which the same was seen
  uint64_t interleaving = 0;  // the first of them, from 1
};

// A process that exits abnormally, of which others are told: not a finding.
struct HandledExit {
  std::string process;
  std::string reason;
  Place place;
  std::vector<std::string> told;  // the processes that get 'DOWN' or 'EXIT' messages
  uint64_t count = 0;             // interleavings in which it was seen
};

// As a schedule names it.
Schedule::Fault fault_of(const Finding& finding);

// For the picture of the tree that was explored: each step under the one before it.
struct TreeNode {
  size_t parent = kNoStep;
  std::string label;        // "P.1 ! x"
  bool is_finding = false;  // an interleaving that ends here has a finding
  bool is_end = false;      // an interleaving ends here
  bool is_cut = false;      // by a bound, or because everything enabled sleeps
};

struct CheckResult {
  std::string test;  // "m:f()"
  Verdict verdict = Verdict::Unknown;
  bool complete = false;             // all interleavings were seen, within what `assumptions` say
  std::vector<std::string> reasons;  // why not more
  std::vector<std::string>
      assumptions;                 // "time-outs of 1 s and more only when nothing else can run"
  std::vector<std::string> notes;  // "P.1 (server) was idle in gen_server:loop/7 at the end"
  std::vector<HandledExit> handled_exits;
  std::string algorithm;  // optimal, source, none
  std::string bound;      // "2 preemptions"; empty: none
  uint64_t interleavings = 0;
  uint64_t blocked = 0;  // explored in part, and then found to be explored before
  uint64_t events = 0;
  double seconds = 0;
  std::vector<Finding> findings;
  std::vector<TreeNode> tree;                       // if it was asked for
  bool tree_is_cut = false;                         // it was too large to keep all of it
  std::optional<std::vector<RacingPlaces>> racing;  // if it was asked for
};

// During a search.
struct Progress {
  uint64_t interleavings = 0;
  uint64_t events = 0;
  uint64_t findings = 0;
  uint64_t pending = 0;  // branches that are still to be explored, as far as they are known
  double estimate = 0;   // of the number of all
  double seconds = 0;
};

}  // namespace fathom::explore
