// How a run ended.
#pragma once

#include <cstdint>
#include <string>

#include "values/value.h"

namespace fathom::machine {

struct Outcome {
  enum class Kind : uint8_t { Value, Exception, Unsupported, Limit, Deadlock, Halt };
  Kind kind = Kind::Value;
  Value value;            // the value, or the reason of the exception
  Value exception_class;  // of the exception
  Value trace;            // of the exception, or of what is unsupported: a list
  std::string message;    // Unsupported, Limit, Deadlock: what was met
  int exit_code = 0;      // Halt
};

}  // namespace fathom::machine
