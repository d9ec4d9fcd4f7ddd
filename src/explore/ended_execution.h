// An execution that has come to its end, for the files that look for what went wrong in it.
#pragma once

#include "explore/execution.h"
#include "explore/search.h"

namespace fathom::explore {

// The machine is in its last state.
struct EndedExecution {
  const Execution& execution;
  Ending ending;
  uint64_t number = 1;                 // of all that have ended
  EventIndex fresh_from{};             // see Search
  const Reversal* reversal = nullptr;  // see Search::last_reversal

  const Trace& trace() const { return execution.trace(); }
};

}  // namespace fathom::explore
