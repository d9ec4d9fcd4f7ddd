// Registers for the variables of a function.
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "code/liveness.h"
#include "core/core.h"

namespace fathom::machine {

struct Registers {
  static constexpr uint16_t kNone = 0xFFFF;
  // No frame becomes larger than this for a variable's best place.
  static constexpr uint32_t kMaxWanted = 60;

  std::vector<uint16_t> of;                               // by variable; kNone: it needs none
  std::vector<std::optional<core::LiteralId>> constants;  // by variable
  uint32_t count = 0;
};

// By variable: the register where it would best be.
using WantedRegisters = std::vector<std::optional<uint32_t>>;

// Parameters have the first ones. An error if there are too many.
Result<Registers> assign_registers(const core::Module& module, const core::Function& function,
                                   const Liveness& liveness, const WantedRegisters& wanted);

}  // namespace fathom::machine
