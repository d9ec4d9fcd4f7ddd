// The families of native functions: each is a file here, a namespace (so that files
// can be compiled together) and a table of entries.
#pragma once

#include <span>
#include <vector>

#include "machine/native.h"

namespace fathom::machine {

#define FAMILY(name)                      \
  namespace name {                        \
  std::span<const NativeEntry> entries(); \
  }
#include "natives/families.def"
#undef FAMILY

// For Machine: all of the above, and what it needs of them.
const NativeTable& native_table();

// All of them, each once, in the order of module, name and arity.
std::vector<NativeEntry> native_functions();

}  // namespace fathom::machine
