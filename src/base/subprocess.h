// Running another program to its end: `dot`, or an `erl` that is asked where it lives.
//
// The program gets a process group of its own, so that whatever it has started ends with it when
// its time is over. Its input is a file, so that a program which does not read it blocks nobody;
// its output and its messages are read at the same time, each through a pipe.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fathom {

struct Subprocess {
  std::vector<std::string> command = {};  // the program, looked for on the PATH, and its arguments
  std::string_view input = {};
  std::optional<std::chrono::milliseconds> time_limit = std::nullopt;
  size_t max_output = size_t{1} << 30;  // bytes of each stream that are kept; the rest is dropped
};

struct SubprocessResult {
  int exit_code = 0;  // 128 + N if signal N ended it
  bool timed_out = false;
  std::string output;
  std::string messages;  // standard error

  bool ok() const { return exit_code == 0 && !timed_out; }
};

// An error says why the program could not be started.
Result<SubprocessResult> run_subprocess(const Subprocess& subprocess);

}  // namespace fathom
