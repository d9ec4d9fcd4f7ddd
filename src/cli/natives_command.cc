// fathom natives: what the machine has of the functions that OTP writes in C.
#include <fmt/format.h>

#include <algorithm>

#include "command.h"
#include "natives/families.h"

namespace fathom {
namespace {

struct NativesOptions {
  std::vector<std::string> modules;  // empty: all
};

std::string_view state(const machine::NativeEntry& entry) {
  if (!entry.code) return "no";
  return entry.missing.empty() ? "yes" : "in part";
}

int natives(const NativesOptions& options) {
  for (const machine::NativeEntry& entry : machine::native_functions()) {
    if (!options.modules.empty() &&
        std::ranges::find(options.modules, entry.module) == options.modules.end()) {
      continue;
    }
    const std::string name = fmt::format("{}:{}/{}", entry.module, entry.name, entry.arity);
    fmt::print("{:<44} {:<8} {}\n", name, state(entry), entry.missing);
  }
  return kClean;
}

}  // namespace

void add_natives_command(CommandLine& command_line) {
  Command command = command_line.add_command(
      "natives",
      "List the native functions of OTP that the machine knows, and what it has of them");
  auto options = std::make_shared<NativesOptions>();
  command.add_option("MODULE", options->modules, "Only those of these modules");
  command.when_chosen([options] { return natives(*options); });
}

}  // namespace fathom
