// A frame of a stack trace, as reports show it.
#pragma once

#include <cstdint>
#include <string>

namespace fathom::machine {

struct Frame {
  std::string function;  // m:f/1, with arguments where they are known
  std::string file;      // empty: unknown
  uint32_t line = 0;
};

}  // namespace fathom::machine
