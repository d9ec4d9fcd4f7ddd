// How references are numbered, and what follows from a number: when it was given out.
#pragma once

#include <cstdint>

namespace fathom::machine {

// A number that a process has given out itself (UniqueNumbers): its pid, and how many it had then.
inline constexpr uint64_t kOwnNumber = uint64_t{1} << 58;
inline constexpr uint64_t kPidShift = 30;

// Whether the reference was certainly made after the stamp (UniqueNumbers::stamp).
inline bool is_older(uint64_t stamp, uint64_t reference) {
  const bool is_own = (reference & kOwnNumber) != 0;
  if (is_own != ((stamp & kOwnNumber) != 0)) return false;
  if (is_own && stamp >> kPidShift != reference >> kPidShift) return false;
  return stamp < reference;
}

}  // namespace fathom::machine
