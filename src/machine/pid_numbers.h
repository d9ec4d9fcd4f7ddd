// Numbers of pids by lineage: the same in every execution and on every machine.
//
// A program can compare pids, hash them and print them. If their numbers were given out one after
// another, what it sees would depend on which interleavings were explored before: an error might
// not come again when its schedule is followed. So the number of a process is made of its lineage,
// that is, of the ordinals from P on, and of nothing else.
//
// An ordinal is written as a string of bits of which none is the beginning of another, and which
// are ordered as the ordinals are: for n + 1 with k + 1 binary digits, k ones, a zero, and the
// digits after the first. The strings of a lineage, one after the other, are the first bits of a
// number of kBits. Then come a zero, with which no string begins, and bits of a hash: only the low
// bits of a number are hashed and printed first, and those would be zeros otherwise. So P comes
// before its children, the first child with all that it starts before the second, and so on: pids
// are in the order of the names.
//
//   P.1    100 0…        P.2    101 0…        P.2.1  101 100 0…        P.3    11000 0…
//
// A lineage that does not fit (some nine generations) has a number above all those, by a hash of
// it: no order that means anything, but always the same one, unless two hashes collide (2^-27 for
// two such processes): then the second that is met gets the next free number. Processes that
// nobody has started are numbered from 2 on, P is 1; numbers between 2^kBits and kHashed are of
// services that are not processes (services.cc).
//
// Cost: a hash and a search in a table for each process that is started.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/number_index.h"

namespace fathom::machine {

class PidNumbers {
 public:
  // `index`: how many others were met before.
  struct Pid {
    uint64_t number = 0;
    uint32_t index = 0;
  };

  // The n-th child of a process, by the number of that one's pid; 0: of those that nobody started.
  Pid of_child(uint64_t parent, uint64_t ordinal);
  // Null: it was never met.
  const Pid* find_child(uint64_t parent, uint64_t ordinal) const;
  // NumberIndex::kNone: no process had it.
  uint32_t index_of(uint64_t number) const { return indices_.find(number); }
  // Of a lineage, from P on, whether it was met or not; collisions apart.
  static uint64_t number_of(std::span<const uint64_t> ordinals);
  // All that were met, by their numbers.
  const std::vector<Pid>& in_order() const { return in_order_; }

 private:
  static constexpr unsigned kBits = 27;
  static constexpr uint64_t kHashed = (uint64_t{1} << kBits) + 1024;
  static constexpr unsigned kDoesNotFit = UINT32_MAX;

  struct Lineage {
    uint64_t hash;
    unsigned bits;  // how many of the number it takes; kDoesNotFit
  };

  static Lineage lineage_of_child(const Lineage& above, uint64_t ordinal, uint64_t& number);
  static Lineage lineage_of_orphan(uint64_t ordinal);
  // The first that is tried, the second, …
  static uint64_t hashed_number(const Lineage& lineage, uint64_t tries);

  NumberIndex indices_;
  std::vector<Lineage> lineages_;  // by index
  std::vector<Pid> in_order_;
  std::unordered_map<uint64_t, Pid> pids_;  // by parent and ordinal
};

}  // namespace fathom::machine
