// Numbers that are given out once: of references and of unique integers.
//
// Where a run can go back, a process numbers what it makes itself, so that a number does not
// depend on what other processes do: the same process makes the same reference in every
// interleaving.
#pragma once

#include <array>
#include <cstdint>

#include "machine/journal.h"
#include "machine/process.h"
#include "machine/reference_numbers.h"

namespace fathom::machine {

class UniqueNumbers {
 public:
  explicit UniqueNumbers(Journal& journal) : journal_(journal) {}

  uint64_t reference(Process& maker) { return next(references_, maker); }
  uint64_t integer(Process& maker) { return next(integers_, maker); }
  // References that the process makes from now on, or any process while none numbers its own, have
  // larger numbers of that kind (is_older).
  uint64_t stamp(const Process& p) const {
    if (!journal_.active()) return references_;
    return kOwnNumber | p.pid.local_number() << kPidShift | p.identifiers;
  }
  // Larger than all before, in any process.
  uint64_t ascending() { return count(ascending_); }
  // How many of each kind were given out.
  std::array<uint64_t, 3> counts() const { return {references_, integers_, ascending_}; }

 private:
  uint64_t count(uint64_t& counter) {
    journal_.set(counter, counter + 1);
    return counter;
  }
  uint64_t next(uint64_t& counter, Process& maker) {
    if (!journal_.active()) return count(counter);
    return kOwnNumber | maker.pid.local_number() << kPidShift | count(maker.identifiers);
  }

  Journal& journal_;
  uint64_t references_ = 0;
  uint64_t integers_ = 0;
  uint64_t ascending_ = 0;
};

}  // namespace fathom::machine
