// From Core to the machine's code, one function at a time, when it is first called.
//
// Variables that are never needed at once share registers (liveness.h); a variable
// that is bound to the value of another one has that one's register; a constant
// has none, and is loaded where it is needed. The code of a pattern is a sequence
// of tests that jump to the next clause. A call in tail position is a tail call.
#pragma once

#include "base/result.h"
#include "code/code.h"
#include "code/module.h"

namespace fathom::machine {

class CodeTable;

// In the mode of the table. An error if the function is larger than the code can express, or
// cannot be read.
Result<void> compile(Function& function, CodeTable& table);

}  // namespace fathom::machine
