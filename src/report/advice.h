// What to do about an error, where something can be said: an option of the command, or what to look
// for in the program.
#pragma once

#include <string>
#include <vector>

#include "explore/findings.h"

namespace fathom::report {

// Sentences, without a full stop.
std::vector<std::string> advice_on(const explore::Finding& finding);

}  // namespace fathom::report
