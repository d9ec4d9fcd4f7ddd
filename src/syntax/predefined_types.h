// The types that Erlang knows without a -type.
#pragma once

#include <cstddef>

#include "base/atom.h"

namespace fathom {

bool is_predefined_type(Atom name, size_t arity);

}  // namespace fathom
