// A function as values know it: a fun refers to one, and is compared, hashed, printed and
// encoded by its name. Its code is a matter of src/code, whose Function and Export begin
// with these.
#pragma once

#include <cstdint>

#include "base/atom.h"

namespace fathom::machine {

struct Mfa {
  Atom module;
  Atom name;
  uint32_t arity = 0;
};

// Of `fun() -> … end` and `fun f/1`: the arity includes the captured values, which come
// last.
struct LocalFunction : Mfa {
  uint32_t captures = 0;  // 0 but for a fun's code
  uint32_t index = 0;     // unique in its module
};

}  // namespace fathom::machine
