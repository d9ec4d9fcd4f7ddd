// The command line. Commands register themselves; this file only puts them
// together.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iterator>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "base/large_pages.h"
#include "base/stack.h"
#include "command.h"
#include "project_options.h"

namespace {

// What `ulimit -v` has to do with it; empty: nothing.
std::string address_limit_text() {
  constexpr unsigned kLeast = 400;  // megabytes
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return {};
  return fmt::format(": ulimit -v allows {} MB of addresses, and the least that works is {} MB",
                     limit.rlim_cur >> 20, kLeast);
}

struct NamedCommand {
  std::string_view name;
  void (*add)(fathom::CommandLine&);
};
constexpr NamedCommand kCommands[] = {
    {"parse", fathom::add_parse_command}, {"run", fathom::add_run_command},
    {"test", fathom::add_test_command},   {"check", fathom::add_check_command},
    {"graph", fathom::add_graph_command}, {"natives", fathom::add_natives_command},
    {"slice", fathom::add_slice_command}, {"cover", fathom::add_cover_command},
    {"gen", fathom::add_gen_command},
};

// A command that is named comes alone: making the options of all would take a fifth of a short
// run. Help and errors want all of them.
int run(int argc, char** argv) {
  const std::string_view first = argc > 1 ? argv[1] : "";
  const bool is_named =
      std::ranges::find(kCommands, first, &NamedCommand::name) != std::end(kCommands);
  fathom::CommandLine command_line;
  for (const NamedCommand& command : kCommands) {
    if (!is_named || command.name == first) command.add(command_line);
  }
  if (!is_named) return command_line.run(argc, argv);
  const std::vector<std::string> given(argv + 1, argv + argc);
  std::vector<std::string_view> names;
  for (const NamedCommand& command : kCommands) names.push_back(command.name);
  auto own = fathom::project_options(given, names);
  if (!own) {
    std::fprintf(stderr, "error: %s\n", own.error().message.c_str());
    return fathom::kCouldNotRun;
  }
  std::vector<char*> all{argv[0], argv[1]};
  for (std::string& option : own->arguments) all.push_back(option.data());
  command_line.set_origin(own->file, own->names);
  all.insert(all.end(), argv + 2, argv + argc);
  return command_line.run(static_cast<int>(all.size()), all.data());
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
