#include "machine/library.h"

#include <fmt/format.h>

#include <filesystem>

#include "core/lint.h"
#include "core/lower.h"
#include "machine/group_leader.h"

namespace fathom::machine {

Library::Library(Reader& reader, Project& project) : reader_(reader), project_(project) {
  for (const SourceModule& module : project_.modules()) {
    own_.emplace(std::filesystem::path(module.path).stem().string(), &module);
  }
}

Result<std::optional<ModuleSource::Found>> Library::find(Atom module) {
  const std::string name(module.text());
  if (const auto it = own_.find(name); it != own_.end()) {
    return read(it->second->path, *it->second->options);
  }
  if (name == kGroupLeaderModule) {
    auto found = from_text("fathom_io.erl", std::string(kGroupLeaderCode), diagnostics);
    if (!found) return found.error();
    return std::optional<Found>(std::move(*found));
  }
  const std::string path = project_.code_path().find_module(name);
  if (path.empty()) return std::optional<Found>();
  ReadOptions options;
  options.otp_release = project_.otp().release();
  options.libraries = &project_.code_path();
  return read(path, options);
}

Result<std::optional<ModuleSource::Found>> Library::read(const std::string& path,
                                                         const ReadOptions& options) {
  auto unit = std::make_unique<Unit>(reader_.make_unit());
  const size_t errors = diagnostics.error_count();
  const bool ok = reader_.read(path, options, *unit, diagnostics) && !unit->has_errors;
  // Debug info is of a module that was linted when it was compiled.
  if (ok && unit->file) core::lint(*unit, diagnostics, {.otp_release = options.otp_release});
  if (!ok || diagnostics.error_count() > errors) {
    return Error{fmt::format("{} has errors", path)};
  }
  auto found = lower_unit(std::move(unit));
  if (!found) return found.error();
  return std::optional<Found>(std::move(*found));
}

Result<ModuleSource::Found> Library::from_text(const std::string& name, std::string text,
                                               Diagnostics& messages) {
  auto unit = std::make_unique<Unit>(reader_.make_unit());
  ReadOptions options;
  options.otp_release = project_.otp().release();
  options.libraries = &project_.code_path();
  if (!reader_.read_text(name, std::move(text), options, *unit, messages) || unit->has_errors ||
      !core::lint(*unit, messages, {.otp_release = options.otp_release})) {
    return Error{"the expression has errors"};
  }
  return lower_unit(std::move(unit));
}

Result<ModuleSource::Found> Library::lower_unit(std::unique_ptr<Unit> unit) {
  auto core = core::lower(*unit);
  if (!core) return core.error();
  return Found{std::move(unit), std::move(*core)};
}

}  // namespace fathom::machine
