#include "machine/pid_numbers.h"

#include <algorithm>
#include <bit>

#include "base/hash.h"

namespace fathom::machine {
namespace {

// Numbers of pids have 28 bits.
uint64_t child_key(uint64_t parent, uint64_t ordinal) { return parent << 32 | ordinal; }

constexpr uint64_t low_bits(unsigned count) { return (uint64_t{1} << count) - 1; }

struct Bits {
  uint64_t word;
  unsigned count;
};

Bits bits_of(uint64_t ordinal) {
  const auto digits = static_cast<unsigned>(std::bit_width(ordinal + 1)) - 1;
  const uint64_t ones = low_bits(digits);
  return {ones << (digits + 1) | ((ordinal + 1) & ones), 2 * digits + 1};
}

}  // namespace

// `number`: of its parent's pid, then of its own, unless it does not fit.
PidNumbers::Lineage PidNumbers::lineage_of_child(const Lineage& above, uint64_t ordinal,
                                                 uint64_t& number) {
  const uint64_t hash = hash_words(above.hash, ordinal);
  const Bits bits = bits_of(ordinal);
  if (above.bits == kDoesNotFit || above.bits + bits.count > kBits) return {hash, kDoesNotFit};
  const unsigned used = above.bits + bits.count;
  const uint64_t before = above.bits == 0 ? 0 : number & ~low_bits(kBits - above.bits);
  number = before | bits.word << (kBits - used);
  if (used < kBits) number |= hash_finish(hash) & low_bits(kBits - used - 1);
  return {hash, used};
}

PidNumbers::Lineage PidNumbers::lineage_of_orphan(uint64_t ordinal) {
  return {hash_words(ordinal), ordinal == 1 ? 0 : kDoesNotFit};
}

uint64_t PidNumbers::hashed_number(const Lineage& lineage, uint64_t tries) {
  constexpr uint64_t kRoom = (uint64_t{1} << (kBits + 1)) - kHashed;
  return kHashed + (hash_finish(lineage.hash) % kRoom + tries) % kRoom;
}

uint64_t PidNumbers::number_of(std::span<const uint64_t> ordinals) {
  uint64_t number = ordinals.front();
  Lineage lineage = lineage_of_orphan(number);
  for (const uint64_t ordinal : ordinals.subspan(1)) {
    lineage = lineage_of_child(lineage, ordinal, number);
    if (lineage.bits == kDoesNotFit) number = hashed_number(lineage, 0);
  }
  return number;
}

PidNumbers::Pid PidNumbers::of_child(uint64_t parent, uint64_t ordinal) {
  const auto [it, is_new] = pids_.try_emplace(child_key(parent, ordinal));
  Pid& pid = it->second;
  if (!is_new) return pid;
  pid.number = parent == 0 ? ordinal : parent;
  const Lineage lineage =
      parent == 0 ? lineage_of_orphan(ordinal)
                  : lineage_of_child(lineages_[indices_.find(parent)], ordinal, pid.number);
  if (lineage.bits == kDoesNotFit && parent != 0) {
    uint64_t tries = 0;
    do pid.number = hashed_number(lineage, tries++);
    while (indices_.find(pid.number) != NumberIndex::kNone);
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
