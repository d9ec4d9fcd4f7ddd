// For tests of the compiler: the code of a function, one instruction a line.
#pragma once

#include <fmt/format.h>

#include <string>

#include "code/instruction_layout.h"

namespace fathom::machine {

// "move 1 0" and so on: name, a, b, c.
inline std::string listing(const Function& function) {
  std::string text;
  for (size_t at = 0; at < function.code.size();) {
    const uint64_t* pc = &function.code[at];
    const Instruction i(*pc);
    text +=
        fmt::format("{} {} {} {}\n", kOpNames[static_cast<size_t>(i.op())], i.a(), i.b(), i.c());
    at += instruction_words(pc);
  }
  return text;
}

}  // namespace fathom::machine
