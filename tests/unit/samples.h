// Under a sanitizer, tests of many programs take a sample of them, unless SOAK is in the
// environment (scripts/soak).
#pragma once

#include <cstdlib>

namespace fathom {

inline bool takes_samples() {
#ifdef FATHOM_SANITIZED
  return std::getenv("SOAK") == nullptr;
#else
  return false;
#endif
}

}  // namespace fathom
