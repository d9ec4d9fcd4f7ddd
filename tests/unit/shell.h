// Shell commands, for tests that ask the installed programs.
#pragma once

#include <string>

#include "base/subprocess.h"

namespace fathom {

inline SubprocessResult shell(const std::string& command) {
  SubprocessResult not_started;
  not_started.exit_code = 127;
  auto result = run_subprocess({.command = {"sh", "-c", command}});
  return result ? *result : not_started;
}

// What it writes to its standard output.
inline std::string output_of(const std::string& command) { return shell(command).output; }

inline bool have_program(const std::string& name) { return shell("command -v " + name).ok(); }
inline bool have_erl() { return have_program("erl"); }

}  // namespace fathom
