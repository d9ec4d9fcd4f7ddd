// An execution that was cut at the depth bound, as a finding: still running, and what it repeats.
//
// A program that does not end mostly goes round in a loop. The shortest piece that the execution
// repeats at its end, three times at least, is looked for, by actor, kind and place of the events:
// a report need show it only once.
//
// Example: the events are a b c d c d c d. The shortest piece is c d, repeated from the third event
// on: loop_begin is 2, loop_length is 2.
//
// Limits: pieces of at most 1000 events. Cost: usually the length of the execution; a thousand
// times that at worst.
#pragma once

#include "explore/ended_execution.h"
#include "explore/findings.h"

namespace fathom::explore {

Finding endless_finding(const EndedExecution& e);

}  // namespace fathom::explore
