// Where a node of a function that runs stands in the source. There may be no function: a
// timer has none, nor has a process before its first call.
#pragma once

#include <string>

#include "base/place.h"
#include "code/code.h"

namespace fathom::machine {

// Empty where there is no function.
Place place_of(const Function* function, core::NodeId node);
// "file:line", as in stack traces; empty where there is no function.
std::string place_text(const Function* function, core::NodeId node);

}  // namespace fathom::machine
