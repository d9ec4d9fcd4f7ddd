// A schedule: which process did what, in which order. As text it has one line for each
// event, with the logical name of the process and the word of the event's kind:
//
//   fathom schedule 1
//   P        spawn        % pool.erl:12
//   P        receive      % pool.erl:14
//   timer    P.1
//   end
//
// Everything behind % is for people. A line that begins with "timer" says whose time is
// up: that of a process's receive, or of the n-th timer of those that a process has set
// ("P.1#3"). One that begins with "arrival" says between which processes a signal arrives
// ("P.1>P"), where that is a choice of its own. "silent" before all of them says that nothing
// was logged; "end" that the run is over; without it, a run goes on by itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fathom::explore {

struct Step {
  std::string who;      // a process, or whose timer
  std::string what;     // the word of the event; "timer"
  std::string comment;  // for people
  size_t line = 0;      // in the file that it was read from

  // The comment and the line do not count.
  bool operator==(const Step& other) const { return who == other.who && what == other.what; }
};

struct Schedule {
  std::vector<Step> steps;
  bool is_silent = false;
  bool has_end = false;

  // It was made where signals wait.
  bool has_arrivals() const;
};

std::string print_schedule(const Schedule& schedule);
// The message of an error begins with the number of the line.
Result<Schedule> parse_schedule(std::string_view text);

}  // namespace fathom::explore
