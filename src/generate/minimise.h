// Leaves out tests that others make superfluous.
#pragma once

#include "generate/options.h"

namespace fathom::generate {

// As few tests as cover what all do (cover/minimize.h), the smaller ones of equals, and those that
// are findings; with Criterion::Paths all. Tests that were there before are taken first. They come
// in the order of their inputs, small ones first. Sets TestCase::only.
void minimise(Suite& suite, const GenerateOptions& options);

}  // namespace fathom::generate
