// Random sequential modules, for tests of slices.
//
// A module t has main/2, which takes a number and a list, and some functions that call each other
// with less fuel each time, so that every call ends. Now and then a value is shown, by
// `erlang:display({N, Value})`, where N is a number of its own for each place: these are the
// criteria of slices, and what is shown by one of them is its sequence of values. Errors happen:
// matches that fail, arithmetic with what is not a number, exceptions, which are caught or not.
//
// The same seed gives the same module.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fathom::slice {

struct RandomProgram {
  struct Shown {
    uint32_t id = 0;
    uint32_t line = 0;
    uint32_t column = 0;  // of the call
  };
  std::string text;
  std::vector<Shown> shown;
};

RandomProgram random_program(uint64_t seed);
// One whose functions also have values computed by other processes, which answer by messages, and
// share a table with them.
RandomProgram random_concurrent_program(uint64_t seed);

}  // namespace fathom::slice
