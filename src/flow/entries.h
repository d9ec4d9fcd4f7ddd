// Where a program is entered from outside, if nothing else is said.
#pragma once

#include <vector>

#include "flow/code.h"

namespace fathom::flow {

// The exported functions of the author's modules, without callbacks of OTP's behaviours, which
// only these call.
std::vector<FunctionName> exported_entries(Code& code);

}  // namespace fathom::flow
