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
// The fun that an assert macro is, instead of the line on which it fails: the use of the macro.
// The line as it is, if the function is none or does not stand there.
Place place_of_fun(const LoadedModule& module, Place line, Atom function, uint32_t arity);
// Whether it is not the author's: read from debug information, as OTP's code is, or Fathom's own.
bool is_library(const Function& function);

}  // namespace fathom::machine
