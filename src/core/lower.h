// From the tree of a module to Core.
#pragma once

#include <memory>

#include "base/result.h"
#include "core/core.h"
#include "core/declarations.h"

namespace fathom::core {

// Of a unit in which lint found no error. An error only if the module is beyond
// what Fathom handles (expressions nested too deeply).
Result<std::unique_ptr<Module>> lower(const Unit& unit);

// One function of such a unit, with those that are lifted out of it. Other functions of the
// module that it mentions have no bodies there.
std::unique_ptr<Module> lower_function(const Unit& unit, const Declarations& declarations,
                                       AstId form);

}  // namespace fathom::core
