// Lists of characters as programs give them to native functions.
#pragma once

#include <optional>
#include <string>

#include "values/value.h"

namespace fathom::machine {

enum class Atoms : uint8_t { No, Yes };

// The characters of nested lists, and perhaps of atoms among them, in UTF-8; empty if
// there is anything else in them.
std::optional<std::string> char_list_text(Value list, Atoms atoms = Atoms::No);

}  // namespace fathom::machine
