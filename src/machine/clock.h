// The virtual clock, in nanoseconds since the machine began.
//
// Time passes when a timer fires. In a plain run it also goes on while code runs: by a microsecond
// whenever a program looks, so that what measures how long something takes never finds that it has
// taken no time. In a search it stands still while anything can happen, so that no order of looks
// makes a difference. A program that polls the clock, waiting for it to go on, still sees that:
// after kPatience reads in a row each further one takes a microsecond.
//
// A time-out may come before its time (Machine::fire): then the clock is ahead for the process
// whose receive it ends, and for no other one.
#pragma once

#include <algorithm>
#include <cstdint>

#include "machine/journal.h"
#include "machine/process.h"

namespace fathom::machine {

// What the monotonic clock shows when a machine begins, in nanoseconds: far below zero,
// as in OTP.
inline constexpr int64_t kMonotonicStart = -576'460'752'000'000'000;

class Clock {
 public:
  explicit Clock(Journal& journal) : journal_(journal) {}
  // From now on it does, unless a timer fires.
  void stand_still() { patience_ = kPatience; }

  int64_t now() const { return now_; }
  // As the process has it.
  int64_t of(const Process& p) const { return std::max(now_, p.clock); }
  // The running process reads it.
  int64_t read(const Process& p) {
    was_read_ = true;
    journal_.set(reads_, reads_ + 1);
    if (reads_ > patience_) journal_.set(now_, now_ + kMicrosecond);
    return of(p);
  }
  uint64_t reads() const { return reads_; }  // since it last went on
  // Whether any process has, since the machine was made.
  bool was_read() const { return was_read_; }
  // A timer of that time has fired; `passes`: nothing else could happen before.
  void fired(int64_t time, bool passes) {
    if (passes) journal_.set(now_, std::max(now_, time));
    journal_.set(reads_, 0);
  }

 private:
  static constexpr uint64_t kPatience = 10'000;
  static constexpr int64_t kMicrosecond = 1'000;

  Journal& journal_;
  uint64_t patience_ = 0;
  int64_t now_ = 0;
  uint64_t reads_ = 0;
  bool was_read_ = false;
};

}  // namespace fathom::machine
