// How long an instruction is, and which registers it reads and writes: ops.def in a form that can
// be computed with. For what looks at code without running it.
#pragma once

#include <cstdint>
#include <vector>

#include "code/code.h"

namespace fathom::machine {

// Words of the instruction.
size_t instruction_words(const uint64_t* pc);

struct InstructionLayout {
  std::vector<uint32_t> reads;   // registers
  std::vector<uint32_t> writes;  // if it goes on to the next instruction
  std::vector<int32_t> targets;  // where else it may go on: words from its own first one
  bool goes_on = true;           // to the next instruction
  const uint64_t* mask =
      nullptr;  // it may collect: of the registers only those of the mask survive
};
InstructionLayout layout_of(const uint64_t* pc);

}  // namespace fathom::machine
