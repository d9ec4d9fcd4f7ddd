// Whether code reads only what it has written: a check of the compiler, which debug builds make of
// each function that is compiled, and tests of whole libraries.
//
// A forward analysis of the code of a function: which registers have been written on every way
// to an instruction. At the entry these are the parameters; where ways meet, what all of them
// have written; at a handler, what was written before each instruction of its body. An
// instruction may read only such registers, and the mask of a call may name only such: the
// collector reads those.
//
// What a call, or a receive that waits, does not name in its mask is not there afterwards: the
// callee may have overwritten it, the collector has not seen it.
//
// The code is walked until nothing changes: at most a few times, since only receives go back.
// O(words of code times registers / 64).
#pragma once

#include <string>

#include "code/code.h"

namespace fathom::machine {

// What is wrong with the code of a function that has been compiled; empty: nothing.
std::string find_unwritten_register(const Function& function);

}  // namespace fathom::machine
