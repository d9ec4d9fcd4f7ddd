// A direct predecessor of an event: one that happens before it, with nothing in between that would
// already say so (trace.h).
#pragma once

#include <cstdint>

#include "explore/event_index.h"

namespace fathom::explore {

struct Predecessor {
  enum class Reason : uint8_t {
    Enabled,    // the event could not happen without it: not a race
    Dependent,  // the two are dependent
    Observed,   // they send to the same mailbox, and a receive has observed their order
  };

  EventIndex index;
  Reason reason;
  bool is_stable = false;          // of two that are dependent: see explore::is_stable
  EventIndex observer = kNoEvent;  // Observed: the receive; without a meaning otherwise
};

}  // namespace fathom::explore
