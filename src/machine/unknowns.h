// Unknown values: inputs of a program that are determined only as far as it looks at them.
//
// An unknown value is a box of its own kind (BoxKind::Unknown). Code that was compiled for such
// values (CodeMode::unknowns) has an Ask before each instruction that looks at values; all others
// only pass them on. Ask hands the instruction to the Unknowns, which either
//   - makes its operands known, as far as the instruction looks at them, and lets it run,
//   - performs it (the sum of two unknown integers is an unknown integer),
//   - has it raise an exception (a call of an unknown fun), or
//   - has the process pause: there is more than one way to go on, and the driver has to choose.
//     When the process goes on the same instruction is asked about again.
// A machine without such code has nothing to do with this.
#pragma once

#include <cstdint>

#include "values/value.h"

namespace fathom::machine {

class Unknowns {
 public:
  // Where to go on if the call at `pc` raises the exception that is pending.
  static const uint64_t kRaise;
  virtual ~Unknowns() = default;
  // The instruction at `pc`, whose registers are at `fp`, is next. Returns where to go on: at
  // `pc`, or behind it, or &kRaise; null: the process must pause. May allocate, and set registers.
  virtual const uint64_t* before(const uint64_t* pc, Value* fp) = 0;
  // A clause was chosen: its node in the program.
  virtual void reached(uint32_t clause) = 0;
};

}  // namespace fathom::machine
