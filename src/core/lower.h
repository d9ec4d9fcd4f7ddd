// From the tree of a module to Core.
#pragma once

#include <memory>

#include "base/result.h"
#include "core/core.h"

namespace fathom::core {

// Of a unit in which lint found no error. An error only if the module is beyond
// what Fathom handles (expressions nested too deeply).
Result<std::unique_ptr<Module>> lower(const Unit& unit);

}  // namespace fathom::core
