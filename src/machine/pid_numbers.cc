#include "machine/pid_numbers.h"

#include <algorithm>
#include <bit>

#include "base/hash.h"

namespace fathom::machine {
namespace {

// Numbers of pids have 28 bits.
uint64_t child_key(uint64_t parent, uint64_t ordinal) { return parent << 32 | ordinal; }

struct Bits {
  uint64_t word;
  unsigned count;
};

Bits bits_of(uint64_t ordinal) {
  const auto digits = static_cast<unsigned>(std::bit_width(ordinal + 1)) - 1;
  const uint64_t ones = (uint64_t{1} << digits) - 1;
  return {ones << (digits + 1) | ((ordinal + 1) & ones), 2 * digits + 1};
}

}  // namespace

// `number`: of its pid, unless it does not fit.
PidNumbers::Lineage PidNumbers::lineage_of(uint64_t parent, uint64_t ordinal,
                                           uint64_t& number) const {
  number = ordinal;
  if (parent == 0) return {hash_words(ordinal), ordinal == 1 ? 0 : kDoesNotFit};
  const Lineage& above = lineages_[indices_.find(parent)];
  const uint64_t hash = hash_words(above.hash, ordinal);
  const Bits bits = bits_of(ordinal);
  if (above.bits == kDoesNotFit || above.bits + bits.count > kBits) return {hash, kDoesNotFit};
  const unsigned used = above.bits + bits.count;
  number = (above.bits == 0 ? 0 : parent) | bits.word << (kBits - used);
  return {hash, used};
}

PidNumbers::Pid PidNumbers::of_child(uint64_t parent, uint64_t ordinal) {
  const auto [it, is_new] = pids_.try_emplace(child_key(parent, ordinal));
  Pid& pid = it->second;
  if (!is_new) return pid;
  const Lineage lineage = lineage_of(parent, ordinal, pid.number);
  if (lineage.bits == kDoesNotFit && parent != 0) {
    constexpr uint64_t kRoom = (uint64_t{1} << (kBits + 1)) - kHashed;
    uint64_t place = hash_finish(lineage.hash) % kRoom;
    while (indices_.find(kHashed + place) != NumberIndex::kNone) place = (place + 1) % kRoom;
    pid.number = kHashed + place;
  }
  pid.index = indices_.find_or_add(pid.number);
  lineages_.push_back(lineage);
  const auto after = std::ranges::upper_bound(in_order_, pid.number, {}, &Pid::number);
  in_order_.insert(after, pid);
  return pid;
}

const PidNumbers::Pid* PidNumbers::find_child(uint64_t parent, uint64_t ordinal) const {
  const auto it = pids_.find(child_key(parent, ordinal));
  return it == pids_.end() ? nullptr : &it->second;
}

}  // namespace fathom::machine
