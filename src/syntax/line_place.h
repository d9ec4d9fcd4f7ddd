// From a file and a line, which is all that a stack trace has, to the text.
#pragma once

#include <string_view>

#include "base/place.h"
#include "syntax/unit.h"

namespace fathom {

// The first character of the line, in the module's own file or in a header that it includes.
// No span if there is no such line. Limit: where a -file attribute has changed the lines
// of a module, none of its lines has a span.
Place place_of_line(const Unit& unit, std::string_view file, uint32_t line);

}  // namespace fathom
