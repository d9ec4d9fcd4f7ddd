// A place of the program, as it is told to people.
#pragma once

#include <cstdint>
#include <string>

#include "base/source.h"

namespace fathom::machine {

// The span is empty where there is no text (debug info has lines only); the line is 0
// where not even that is known.
struct Place {
  Span span;
  std::string file;
  uint32_t line = 0;
};

struct Frame {
  std::string function;  // m:f/1, with arguments where they are known
  std::string file;      // empty: unknown
  uint32_t line = 0;
};

}  // namespace fathom::machine
