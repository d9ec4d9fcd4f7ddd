// The state of a process as one number: the same if it would go on in the same way.
//
// It is made of where the process stands (in a receive: whether there is a message for it or not),
// of what it still needs on its stack, of its dictionary and its flags. What belongs to others too
// (its mailbox, links, tables, the clock) is not part of it, nor is how often it has done anything.
//
// Values count by their content, up to kMostWords of them in all; beyond that the same value must
// lie in the same place. So two states of a process that holds much data may be taken to be
// different though they are not; never the other way round, but for a collision of 64 bits.
#pragma once

#include <cstdint>

#include "machine/process.h"

namespace fathom::machine {

// Of one that waits or stands before an event.
uint64_t state_hash(Process& p);

}  // namespace fathom::machine
