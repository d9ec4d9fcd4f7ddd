// --mock: modules in place of others.
#pragma once

#include "command.h"
#include "session/library.h"

namespace fathom {

// The modules of --mock, in place of those of the same name. False after an error.
bool load_mocks(const Project& mocks, session::Library& library, machine::Machine& m,
                Messages& messages);

}  // namespace fathom
