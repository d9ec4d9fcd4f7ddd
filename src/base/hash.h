// Mixing of hashes, for tables and sets in memory.
//
// hash_combine() multiplies to 128 bits and keeps both halves, so that one multiplication is
// enough for each word: every bit of either operand reaches every bit of the result. The order
// of the words matters. Nothing here guards against somebody who chooses words to collide.
//
// The order of a map's pairs (values/hash.h) and the schedules of a random seed depend on these
// functions: what they return must not change.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fathom {

inline constexpr uint64_t kGoldenRatio = 0x9E3779B97F4A7C15;  // 2^64 divided by it; odd

// The hash of what `hash` was of, followed by `word`.
constexpr uint64_t hash_combine(uint64_t hash, uint64_t word) {
  constexpr uint64_t kSeed = 0x2545F4914F6CDD1D;
  const auto product = static_cast<unsigned __int128>(hash ^ word ^ kSeed) * kGoldenRatio;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

template <class... Words>
constexpr uint64_t hash_words(Words... words) {
  uint64_t hash = 0;
  ((hash = hash_combine(hash, static_cast<uint64_t>(words))), ...);
  return hash;
}

// Fibonacci hashing: a slot in a table of 2^bits, by one multiplication and a shift.
constexpr size_t hash_slot(uint64_t word, unsigned bits) {
  return bits == 0 ? 0 : word * kGoldenRatio >> (64 - bits);
}

// A bijection all of whose bits look random, also those of sums of its results (the finalizer
// of SplitMix64, by Sebastiano Vigna).
constexpr uint64_t hash_finish(uint64_t hash) {
  hash = (hash ^ hash >> 30) * 0xBF58476D1CE4E5B9;
  hash = (hash ^ hash >> 27) * 0x94D049BB133111EB;
  return hash ^ hash >> 31;
}

// SplitMix64: the next number of the pseudo-random sequence that `state` stands for.
constexpr uint64_t next_random(uint64_t& state) { return hash_finish(state += kGoldenRatio); }

}  // namespace fathom
