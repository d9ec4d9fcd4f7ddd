// The room that recursion needs. Fathom recurses on what it bounds only, but the
// parser's bound (kMaxNesting) needs more than the usual 8 MB.
#pragma once

namespace fathom {

// For programs, at their start. Linux lets the main thread's stack grow to the
// limit that is in force when it is needed, so raising the limit is enough.
void raise_stack_limit();

}  // namespace fathom
