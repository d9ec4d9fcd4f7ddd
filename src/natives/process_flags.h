// The flags of processes, and what erlang:system_flag/2 says of those that are to come.
#pragma once

#include <span>

#include "machine/native.h"
#include "machine/process.h"

namespace fathom::machine {

// The sizes that heaps have in BEAM, in words, ascending.
std::span<const int64_t> heap_sizes();
// The least of them that is enough.
int64_t heap_size_for(int64_t words);

// What the flag is of a new process; none(): there is no such flag.
Value default_flag(Context& c, Value flag);
Value flag_value(Context& c, const Process& p, Value flag);
// The value as the flag keeps it, or none() if it is not one for it. `least`: the size that a limit
// of the heap must have, if it is not 0.
Value checked_flag(Context& c, Value flag, Value value, int64_t least);
// The map of a limit of the heap, from a size or a map; none() if it is neither.
Value checked_heap_limit(Context& c, Value value, int64_t least);

// What system_flag/2 was given; none(): nothing.
Value system_flag_value(Context& c, Value flag);
void set_system_flag(Context& c, Value flag, Value value);
// With what a process begins whose options are these: what system_flag/2 was given of its flags is
// added.
Value with_system_flags(Context& c, Value flags);

}  // namespace fathom::machine
