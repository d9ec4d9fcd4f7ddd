// The programs of the differential tests. These are Erlang scripts that write modules of hundreds
// of expressions; here the machine runs the scripts' own functions, so that the same modules are
// made.
#pragma once

#include <string>
#include <string_view>

namespace fathom {

// The value, which must be a binary, of an expression in which script:F is a function of the script
// of that name; `Some(List)` is one in `every` of a list, the first included.
std::string script_value(std::string_view script, std::string_view expression, size_t every = 1);

}  // namespace fathom
