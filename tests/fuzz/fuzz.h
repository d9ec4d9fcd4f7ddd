// What the fuzz targets share.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/stack.h"

namespace fathom {

// A finding: the texts that show it go to standard error, and the target aborts.
[[noreturn]] inline void report(std::string_view what,
                                std::initializer_list<std::string_view> texts) {
  std::fprintf(stderr, "FOUND: %.*s\n", static_cast<int>(what.size()), what.data());
  for (const std::string_view text : texts) {
    std::fprintf(stderr, "--------\n%.*s\n", static_cast<int>(text.size()), text.data());
  }
  std::abort();
}

inline std::string_view text_of(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace fathom

extern "C" inline int LLVMFuzzerInitialize(int*, char***) {
  fathom::raise_stack_limit();
  return 0;
}
