// The state of a process: the same if it would go on in the same way.
//
// It is made of where the process stands (in a receive: whether there is a message for it or not),
// of what it still needs on its stack, of its dictionary and its flags. What belongs to others too
// (its mailbox, links, tables, the clock) is not part of it, nor is how often it has done anything.
//
// States are compared by a hash of their content, up to kMostWords of it; beyond that the same
// value must lie in the same place. So two states of a process that holds much data may be taken to
// be different though they are not; never the other way round, but for a collision of 64 bits.
//
// Most states are never compared. So a state is saved as the words that it consists of, and hashed
// when it is first asked for: saving costs the live words of the stack. Of a stack of more than
// kMostStack words (a deep recursion) no state is saved.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/process.h"

namespace fathom::machine {

class ProcessState {
 public:
  static constexpr size_t kMostStack = 4096;

  // Of a process that waits or stands before an event. Valid as long as the values are.
  void save(Process& p);
  void clear() { pc_ = nullptr; }
  bool exists() const { return pc_ != nullptr; }

  bool operator==(const ProcessState& other) const {
    return exists() && pc_ == other.pc_ && frame_ == other.frame_ && hash() == other.hash();
  }
  // Without the values: it stays valid, and compares as before.
  ProcessState hashed() const;

  // Whether the process stands where this one did.
  bool is_at_place_of(const Process& p) const { return pc_ == p.pc && frame_ == p.frame; }

 private:
  uint64_t hash() const;
  uint64_t compute_hash() const;

  const uint64_t* pc_ = nullptr;
  size_t frame_ = 0;
  std::vector<Value> values_;
  std::vector<const uint64_t*> sites_;  // of the calls that it is in
  mutable uint64_t hash_ = 0;           // 0: not known yet
};

// Whether the event may leave all as it is, but for where the process stands, and the process may
// come back there: the call of a native function, or a time-out. False: it takes or sends a
// message, or exits, or is the last thing that the process does.
bool may_change_nothing(const Process& p);

}  // namespace fathom::machine
