// The command line. Commands register themselves; this file only puts them
// together.
#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdio>
#include <exception>
#include <new>

#include "base/budget.h"
#include "base/large_pages.h"
#include "base/stack.h"
#include "command.h"

namespace {

// What `ulimit -v` has to do with it; empty: nothing.
std::string address_limit_text() {
  constexpr unsigned kLeast = 400;  // megabytes
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return {};
  return fmt::format(": ulimit -v allows {} MB of addresses, and the least that works is {} MB",
                     limit.rlim_cur >> 20, kLeast);
}

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
  } catch (const fathom::BudgetSpent& spent) {
    std::fprintf(stderr, "error: %s\n", spent.reason.c_str());
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "error: out of memory%s\n", address_limit_text().c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: internal error: %s\n", error.what());
  }
  return fathom::kCouldNotRun;
}
