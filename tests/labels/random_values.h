// Random small programs whose values take many ways: module t with main/0, functions that call
// each other without recursion, natives, maps, binaries, funs, exceptions, the dictionary, a table,
// messages, processes that send. Types are kept, so what is raised is raised on purpose.
#pragma once

#include <cstdint>
#include <string>

namespace fathom::machine {

std::string random_values_program(uint64_t seed);

}  // namespace fathom::machine
