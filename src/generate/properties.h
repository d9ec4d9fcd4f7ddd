// Generators of inputs for PropEr, from the specs of functions (fathom gen --property).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "generate/options.h"
#include "session/session.h"

namespace fathom::generate {

struct PropertyModule {
  std::string text;
  std::vector<std::string> without_spec;  // "m:f/1": for these there is no property
};

// A module with a property for each function that has a spec: it takes all arguments of the spec
// without an exception. An error: a function is not there.
Result<PropertyModule> property_module(session::Session& session,
                                       std::span<const GenerateOptions> functions,
                                       const std::string& module);

}  // namespace fathom::generate
