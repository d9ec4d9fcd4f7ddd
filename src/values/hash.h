// Hashes of values. All of them agree with =:=.
#pragma once

#include <cstdint>

#include "values/value.h"

namespace fathom::machine {

// As erlang:phash2/1 gives it, before the range is applied: 27 bits of it are the default.
uint32_t portable_hash2(Value value);
// As erlang:phash/2, before the range is applied.
uint32_t portable_hash(Value value);
// For the machine's own tables and maps: quick, and the same in every run. `level`
// gives a fresh hash of the same value, for a map that has used up one.
uint32_t map_hash(Value value, uint32_t level);

}  // namespace fathom::machine
