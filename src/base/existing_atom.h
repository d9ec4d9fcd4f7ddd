// Looking for an atom without making it.
#pragma once

#include <optional>
#include <string_view>

#include "base/atom.h"

namespace fathom {

// Only if somebody has interned it before.
std::optional<Atom> existing_atom(std::string_view text);

}  // namespace fathom
