// Texts about the system as BEAM writes them into a crash dump.
#pragma once

#include <string>

#include "machine/native.h"

namespace fathom::machine {

// Frames as process_info(P, backtrace) shows them; addresses are all zero, and no values are shown.
std::string backtrace_text(Value trace);
// What erlang:system_info/1 says of `procs`, `info` and `loaded`.
std::string processes_text(Context& c);
std::string memory_text(Context& c);
std::string loaded_text(Context& c);

}  // namespace fathom::machine
