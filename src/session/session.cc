#include "session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lint/auto_imported.h"
#include "natives/families.h"
#include "session/config_script.h"

namespace fathom::session {
namespace {

constexpr std::string_view kExpressionModule = "fathom_expression";
constexpr std::string_view kExpressionFunction = "value";

// Compiled to instructions: no call of it would reach a mock.
bool is_instruction(Atom module, const core::Function& f) {
  static const Atom apply = Atom::intern("apply");
  return module == atoms::erlang && (lint::is_guard_operator(f.name, f.arity) || f.name == apply ||
                                     lint::auto_imported(f.name, f.arity, UINT32_MAX).is_guard);
}

std::string_view without_full_stop(std::string_view expression) {
  const size_t end = expression.find_last_not_of(" \t\r\n\v\f.");
  return expression.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

ProjectOptions with_scripts(ProjectOptions options) {
  ProjectOptions plain = options;
  options.run_script = [plain](const std::string& script) {
    return run_config_script(script, plain);
  };
  return options;
}

}  // namespace

Session::Session(const SessionOptions& options)
    : project_(with_scripts(options.project)), library_(reader_, project_, options.libraries) {
  for (const std::string& path : options.paths) library_.add(path);
  read_mocks(options.mocks, options.project);
}

Diagnostics Session::take_diagnostics() { return std::exchange(library_.diagnostics, {}); }

// ---- Mocks ------------------------------------------------------------------

void Session::read_mocks(const std::vector<std::string>& paths, const ProjectOptions& options) {
  if (paths.empty()) return;
  Project mocks(options);
  for (const std::string& path : paths) mocks.add(path, library_.diagnostics);
  for (const SourceModule& module : mocks.modules()) add_mock(module);
}

void Session::add_mock(const SourceModule& module) {
  const size_t errors = library_.diagnostics.error_count();
  const auto fail = [&](std::string message) {
    if (library_.diagnostics.error_count() == errors) {
      library_.diagnostics.file_error("", std::move(message));
    }
  };
  auto mock = library_.read_mock(module);
  if (!mock) return fail(mock.error().message);
  const Atom name = mock->core->name();
  const auto first =
      std::ranges::find_if(mocks_, [&](const auto& other) { return other.core->name() == name; });
  if (first != mocks_.end()) {
    return fail(fmt::format("--mock: {} and {} both define the module {}", first->unit->path,
                            module.path, name.text()));
  }
  for (const core::Function& f : mock->core->functions) {
    if (!f.exported || !is_instruction(name, f)) continue;
    return fail(fmt::format("--mock: {} defines {}:{}/{}, which the machine evaluates itself",
                            module.path, name.text(), f.name.text(), f.arity));
  }
  mocks_.push_back(std::move(*mock));
}

// ---- Running ----------------------------------------------------------------

std::optional<Expression> Session::read_expression(std::string_view text) {
  auto found = library_.from_text(
      "expression",
      fmt::format("-module({}). -export([{}/0]). {}() ->\n{}\n.\n", kExpressionModule,
                  kExpressionFunction, kExpressionFunction, without_full_stop(text)),
      library_.diagnostics);
  if (!found) return std::nullopt;
  return Expression{std::move(*found), Atom::intern(kExpressionModule),
                    Atom::intern(kExpressionFunction)};
}

std::unique_ptr<machine::Machine> Session::make_machine(const machine::Limits& limits,
                                                        machine::Mode mode) {
  auto m = std::make_unique<machine::Machine>(library_, machine::native_table(), limits, mode);
  for (const auto& mock : mocks_) m->code().load_mock(mock.unit, mock.core);
  return m;
}

}  // namespace fathom::session
