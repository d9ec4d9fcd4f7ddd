// An expression of the command line, as a module with one function.
#pragma once

#include <string>

#include "session/library.h"

namespace fathom {

inline constexpr std::string_view kExpressionModule = "fathom_expression";
inline constexpr std::string_view kExpressionFunction = "value";

// Reads it; what is wrong with it is among the diagnostics.
Result<machine::ModuleSource::Found> read_expression(session::Library& library,
                                                     const std::string& expression,
                                                     Diagnostics& diagnostics);

}  // namespace fathom
