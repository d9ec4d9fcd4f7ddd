// label_cost FILE MODULE plain|labelled: runs MODULE:main() of the file, and prints how long that
// took and how many pairs of labels were seen. bench/label_cost.sh compares the two.
#include <fmt/format.h>

#include <chrono>
#include <string_view>

#include "machine/machine.h"
#include "natives/families.h"
#include "session/library.h"

using namespace fathom;

int main(int argc, char** argv) {
  if (argc != 4) return 1;
  Reader reader;
  Project project{ProjectOptions::from_environment()};
  session::Library library(reader, project);
  library.add(argv[1]);
  const machine::Mode mode{.code = {.labels = std::string_view(argv[3]) == "labelled"}};
  machine::Machine m(library, machine::native_table(), {}, mode);
  const auto begin = std::chrono::steady_clock::now();
  const machine::Outcome outcome = m.run(Atom::intern(argv[2]), Atom::intern("main"), {});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  fmt::print("{:.3f} s, {} pairs {}\n", took.count(), m.uses().size(), outcome.message);
  return outcome.kind == machine::Outcome::Kind::Value ? 0 : 2;
}
