// Where a program is entered from outside, if nothing else is said.
#pragma once

#include <string_view>
#include <vector>

#include "flow/code.h"

namespace fathom::flow {

// All exported functions of the author's modules.
std::vector<FunctionName> exported_functions(Code& code);

// The exported functions of the author's modules, without callbacks of OTP's behaviours, which
// only these call.
std::vector<FunctionName> exported_entries(Code& code);

// The exported functions that one of OTP's behaviours calls, of modules that declare it.
std::vector<FunctionName> callbacks_of(Code& code, std::string_view behaviour);

}  // namespace fathom::flow
