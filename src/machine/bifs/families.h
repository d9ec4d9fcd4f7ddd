// The families of native functions: each is a file here and a table of entries.
#pragma once

#include <span>
#include <vector>

#include "machine/native.h"

namespace fathom::machine {

#define FAMILY(name) std::span<const NativeEntry> name();
#include "machine/bifs/families.def"
#undef FAMILY

inline std::vector<std::span<const NativeEntry>> native_families() {
  return {
#define FAMILY(name) name(),
#include "machine/bifs/families.def"
#undef FAMILY
  };
}

// In place of OTP's, in a machine that logs nothing (Machine::silence).
std::span<const NativeEntry> silent_natives();

// All of them, each once, in the order of module, name and arity.
std::vector<NativeEntry> native_functions();

}  // namespace fathom::machine
