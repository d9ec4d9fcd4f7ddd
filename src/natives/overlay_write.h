// What a program has written, put on the disk: `fathom run --write-files`.
#pragma once

#include "base/result.h"
#include "machine/machine.h"

namespace fathom::machine {

// At the end of a run. The first thing that could not be done is the error; the others are done.
Result<void> write_files(Machine& m);

}  // namespace fathom::machine
