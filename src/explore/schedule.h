// A schedule: a path (choice.h) together with the kind of event that each
// choice led to, so that a replay notices where a program does something else.
// As text it has one line for each event, with the logical name of the process
// and the word of the event's kind:
//
//   fathom schedule 1
//   P        spawn        % pool.erl:12
//   P        receive      % pool.erl:14
//   timer    P.1
//   P.1      after
//   end
//
// Everything after % is for people. A line that begins with "timer" says which
// timer fires: that of the receive in which a process waits ("P.1", directly
// before its "after"), or the n-th of the timers that a process has set
// ("P.1#3"). One that begins with "arrival" says on which channel a signal
// arrives ("P.1>P"). "silent" before all of them says that nothing was logged,
// "late" that all signals take time to arrive (--delivery any), "leaders", "dictionaries" and
// "beginnings" that group_leader/0, changes of dictionaries, and that an exit begins, are events
// (machine/watched.h); "error" what went
// wrong in the execution, so that a replay can say whether it has come again ("error exit P.1").
// "end" says that the execution is over; without it the file was cut off, and the execution goes on
// by itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "code/event_kind.h"
#include "explore/choice.h"

namespace fathom::explore {

struct Step {
  Choice choice;
  machine::EventKind kind;  // Timer, of a process: the first half of its time-out, not an event
  std::string comment;      // for people
  size_t line = 0;          // in the file that it was read from

  // Whether it says only that the timer of a receive fires; the event follows.
  bool is_half() const {
    return choice.kind == ActorKind::Process && kind == machine::EventKind::Timer;
  }
  // The comment and the line do not count.
  bool operator==(const Step& other) const { return choice == other.choice && kind == other.kind; }
};

struct Schedule {
  // What went wrong: the name of a FindingKind, and the process. Empty: it is not known.
  struct Fault {
    std::string kind;
    std::string process;
    bool operator==(const Fault&) const = default;
  };

  std::vector<Step> steps;
  Fault fault;
  bool is_silent = false;
  bool delays_delivery = false;
  bool watches_leaders = false;
  bool watches_dictionaries = false;
  bool watches_beginnings = false;
  std::vector<Choice> late;  // channels on which signals take time, where they do not on all
  bool has_end = false;

  // The line after the last step.
  size_t end_line() const { return steps.empty() ? 1 : steps.back().line + 1; }
};

std::string print_schedule(const Schedule& schedule);
// The message of an error begins with the number of the line.
Result<Schedule> parse_schedule(std::string_view text);

}  // namespace fathom::explore
