// A place of the program, as reports show it.
#pragma once

#include <cstdint>
#include <string>

#include "base/source.h"

namespace fathom {

// `span` is in the author's text: the use of a macro as a whole. It is empty where there is
// no text (debug info has only lines). `file` and `line` are what OTP's stack traces say, by
// the -file attribute in force; the line is 0 where it is unknown.
struct Place {
  Span span;
  std::string file;
  uint32_t line = 0;
};

}  // namespace fathom
