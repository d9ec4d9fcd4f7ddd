#include "mocks.h"

#include <fmt/format.h>

#include "core/auto_imported.h"

namespace fathom {
namespace {

// Compiled to instructions: no call of it would reach a mock.
bool is_instruction(Atom module, const core::Function& f) {
  static const Atom apply = Atom::intern("apply");
  return module == atoms::erlang && (core::is_guard_operator(f.name, f.arity) || f.name == apply ||
                                     core::auto_imported(f.name, f.arity, UINT32_MAX).is_guard);
}

}  // namespace

bool load_mocks(const Project& mocks, session::Library& library, machine::Machine& m,
                Messages& messages) {
  for (const SourceModule& module : mocks.modules()) {
    auto mock = library.read_mock(module);
    if (!mock) return false;
    const Atom name = mock->core->name();
    if (const machine::LoadedModule* first = m.code().find_mock(name)) {
      messages.error(fmt::format("--mock: {} and {} both define the module {}", first->unit->path,
                                 module.path, name.text()));
      return false;
    }
    for (const core::Function& f : mock->core->functions) {
      if (!f.exported || !is_instruction(name, f)) continue;
      messages.error(fmt::format("--mock: {} defines {}:{}/{}, which the machine evaluates itself",
                                 module.path, name.text(), f.name.text(), f.arity));
      return false;
    }
    m.code().load_mock(std::move(mock->unit), std::move(mock->core));
  }
  return true;
}

}  // namespace fathom
