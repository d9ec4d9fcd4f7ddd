// How a machine runs, given at its construction. The defaults are those of a plain run.
#pragma once

#include "code/code_mode.h"

namespace fathom::machine {

struct Mode {
  // Processes stop before events (event.h), and each event is reported.
  bool is_observed = false;
  // Every signal between processes is in transit until Machine::arrive delivers it; otherwise
  // only exit signals that end their receiver are, on an observed machine.
  bool delays_delivery = false;
  // The run is not over when the first process has ended.
  bool outlives_first_process = false;
  // Nothing is logged: log events are not even made.
  bool is_silent = false;
  // What compiled code does beside running the program.
  CodeMode code = {};
};

// What a search of interleavings needs: it decides about every event, and an interleaving ends
// when nothing can happen any more.
inline constexpr Mode kSearchMode{.is_observed = true, .outlives_first_process = true};

}  // namespace fathom::machine
