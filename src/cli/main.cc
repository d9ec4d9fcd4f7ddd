// The command line. Commands register themselves; this file only puts them
// together.
#include <cstdio>
#include <exception>
#include <new>

#include "base/large_pages.h"
#include "base/stack.h"
#include "command.h"

namespace {

int run(int argc, char** argv) {
  fathom::CommandLine command_line;
  fathom::add_parse_command(command_line);
  fathom::add_run_command(command_line);
  fathom::add_test_command(command_line);
  fathom::add_check_command(command_line);
  fathom::add_natives_command(command_line);
  return command_line.run(argc, argv);
}

}  // namespace

int main(int argc, char** argv) {
  fathom::raise_stack_limit();
  fathom::use_large_pages();
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("error: out of memory\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: internal error: %s\n", error.what());
  }
  return fathom::kCouldNotRun;
}
