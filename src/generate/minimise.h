// Leaves out tests that others make superfluous.
#pragma once

#include "generate/options.h"

namespace fathom::generate {

// No test that is left is redundant: each is the only one for some item, path or exception. Large
// inputs go first. Sets TestCase::only. O(tests * items).
void minimise(Suite& suite, const GenerateOptions& options);

}  // namespace fathom::generate
