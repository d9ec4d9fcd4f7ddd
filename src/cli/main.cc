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

// erl and erlc write -pa DIR and -DNAME; the library knows long options with two
// dashes only.
std::vector<std::string> erl_style_arguments(int argc, char** argv) {
  std::vector<std::string> arguments;
  for (int i = argc - 1; i > 0; --i) {  // the library wants them in reverse
    std::string argument = argv[i];
    if (argument == "-pa" || argument == "-pz") argument.insert(0, "-");
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

// What `ulimit -v` has to do with it; empty: nothing.
std::string address_limit_text() {
  constexpr unsigned kLeast = 400;  // megabytes
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return {};
  return fmt::format(": ulimit -v allows {} MB of addresses, and the least that works is {} MB",
                     limit.rlim_cur >> 20, kLeast);
}

int run(int argc, char** argv) {
  CLI::App app("Fathom reads Erlang programs and tells what they can do.", "fathom");
  app.set_version_flag("--version", "fathom " FATHOM_VERSION);
  app.require_subcommand(1);
  app.failure_message([](const CLI::App* failed, const CLI::Error& error) {
    return std::string("error: ") + error.what() + "\nTry `" +
           (failed->get_subcommands().empty()
                ? "fathom"
                : "fathom " + failed->get_subcommands()[0]->get_name()) +
           " --help`.\n";
  });
  int exit_code = fathom::kClean;
  fathom::add_parse_command(app, &exit_code);
  fathom::add_run_command(app, &exit_code);
  fathom::add_test_command(app, &exit_code);
  fathom::add_check_command(app, &exit_code);
  fathom::add_natives_command(app, &exit_code);
  const auto named = [&](const CLI::App* command) { return command->get_name() == argv[1]; };
  if (argc > 1 && argv[1][0] != '-' && app.get_subcommands(named).empty()) {
    std::fprintf(stderr, "error: there is no command `%s`\nTry `fathom --help`.\n", argv[1]);
    return fathom::kCouldNotRun;
  }
  try {
    app.parse(erl_style_arguments(argc, argv));
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? fathom::kClean : fathom::kCouldNotRun;
  }
  return exit_code;
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
