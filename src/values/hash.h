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
// For values of one machine, while nothing is collected: goes on from `seed`. Of each word that it
// looks at, `left` becomes less by one; when it is 0, the place of a value counts, not its content.
uint64_t content_hash(Value value, uint64_t seed, size_t& left);

}  // namespace fathom::machine
