#include "session/library.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/budget.h"
#include "core/lower.h"
#include "lint/lint.h"
#include "natives/embedded.h"
#include "syntax/read_beam.h"

namespace fathom::session {
namespace {

using Found = ModuleSource::Found;

constexpr int64_t kWork = 10'000;  // for reading a module, at least

// Who runs suites of Common Test brings its own of these; nobody else does.
constexpr std::string_view kSuiteRunner = "fathom_ct";
bool is_for_suites(std::string_view module) { return module == "ct" || module == "test_server"; }

Result<std::optional<Found>> some(const Result<Found>& found) {
  if (!found) return found.error();
  return std::optional<Found>(*found);
}

}  // namespace

Library::Library(Reader& reader, Project& project, Reading reading)
    : reader_(reader), project_(project), reading_(reading) {
  index_project();
}

void Library::add(const std::string& path) {
  project_.add(path, diagnostics);
  index_project();
}

void Library::index_project() {
  for (const SourceModule& module : project_.modules()) {
    own_.emplace(std::filesystem::path(module.path).stem().string(), module);
  }
}

Result<std::optional<ModuleSource::Found>> Library::find(Atom module) {
  if (transforms_.is_running()) return look_for(std::string(module.text()));
  if (const auto known = modules_.find(module); known != modules_.end()) return known->second;
  auto found = look_for(std::string(module.text()));
  return modules_.insert_or_assign(module, std::move(found)).first->second;
}

Result<std::optional<ModuleSource::Found>> Library::look_for(const std::string& name) {
  if (const auto it = own_.find(name); it != own_.end()) {
    return some(read(it->second.path, *it->second.options, Reading::Whole));
  }
  if (name == kSuiteRunner) run_suites();
  const bool is_hidden = !runs_suites_ && is_for_suites(name);
  if (const auto text = is_hidden ? std::nullopt : machine::embedded_module(name)) {
    return some(from_text(name + ".erl", std::string(*text), diagnostics));
  }
  const auto found = project_.find_module(name, diagnostics);
  if (!found) return std::optional<Found>();
  return some(read(found->path, *found->options, reading_));
}

void Library::run_suites() {
  runs_suites_ = true;
  std::erase_if(modules_, [](const auto& entry) { return is_for_suites(entry.first.text()); });
}

std::vector<ModuleSource::Application> Library::applications() {
  std::vector<Application> all;
  for (const AppDir& app : project_.applications()) {
    all.push_back({app.name, absolute_path(app.dir)});
  }
  return all;
}

std::string Library::file_of(Atom module) {
  const std::string name(module.text());
  if (const auto it = own_.find(name); it != own_.end()) return it->second.path;
  const auto found = project_.find_module(name, diagnostics);
  return found ? found->path : std::string();
}

Result<std::optional<ModuleSource::Found>> Library::find_in(const std::string& dir, Atom module) {
  const std::string path = path_in(dir, std::string(module.text()) + ".beam");
  if (!is_plain_file(path)) return std::optional<Found>();
  return some(read(path, loose_options(), reading_));
}

Result<std::optional<ModuleSource::Found>> Library::TransformCode::find(Atom module) {
  if (machine::embedded_module(module.text())) return library.find(module);
  const std::string path = library.project_.code_path().find_module(std::string(module.text()));
  for (const char* application : {"kernel-", "stdlib-", "compiler-"}) {
    if (!path.starts_with(path_in(library.project_.otp().lib_dir(), application))) continue;
    return some(library.read(path, library.loose_options(), library.reading_));
  }
  return library.find(module);
}

Result<ModuleSource::Found> Library::read_code(Atom file, std::string bytes) {
  auto unit = std::make_unique<Unit>(reader_.make_unit());
  Diagnostics messages;
  const std::string name(file.text());
  if (!reader_.read_beam_bytes(name, std::move(bytes), *unit, messages) || unit->has_errors) {
    return Error{fmt::format("the code of {} has no debug information (+debug_info)", name)};
  }
  return lower_unit(std::move(unit));
}

Result<ModuleSource::Found> Library::read_mock(const SourceModule& module) {
  return read(module.path, *module.options, Reading::Whole);
}

CompileOptions Library::loose_options() {
  CompileOptions options;
  options.otp_release = project_.otp().release();
  options.libraries = &project_.code_path();
  return options;
}

bool Library::transform(Unit& unit, const CompileOptions& options, Diagnostics& messages) {
  return transforms_.apply(unit, reader_.literals(), options, messages);
}

Result<ModuleSource::Found> Library::read(const std::string& path, const CompileOptions& options,
                                          Reading reading) {
  // Code of parse transforms is read without those that the options name (parse_transform.h);
  // debug information is the same either way.
  if (transforms_.is_running() && !path.ends_with(".beam")) return read_whole(path, options);
  if (const auto known = files_.find(path); known != files_.end()) return known->second;
  auto found = read_now(path, options, reading);
  return files_.insert_or_assign(path, std::move(found)).first->second;
}

Result<ModuleSource::Found> Library::read_now(const std::string& path,
                                              const CompileOptions& options, Reading reading) {
  if (reading == Reading::InParts && path.ends_with(".beam")) {
    spend(kWork);
    if (auto parts = core::Parts::open(path, reader_.sources(), program_)) {
      auto [unit, core] = parts->outline();
      return Found{std::move(unit), std::move(core), std::move(parts)};
    }
  }
  return read_whole(path, options);
}

Result<ModuleSource::Found> Library::read_whole(const std::string& path,
                                                const CompileOptions& options) {
  spend(kWork);
  auto unit = std::make_unique<Unit>(reader_.make_unit());
  const size_t errors = diagnostics.error_count();
  bool ok = read_module(reader_, path, options, TypeForms::Skipped, *unit, diagnostics) &&
            !unit->has_errors;
  // Debug info is of a module that was transformed and linted when it was compiled.
  if (ok && unit->file) {
    ok = transform(*unit, options, diagnostics) &&
         lint::check(*unit, diagnostics, {.otp_release = options.otp_release});
  }
  if (!ok || diagnostics.error_count() > errors) {
    return Error{fmt::format("{} has errors", path)};
  }
  return lower_unit(std::move(unit));
}

Result<ModuleSource::Found> Library::with_text(Atom module, std::string text,
                                               Diagnostics& messages) {
  const auto own = own_.find(std::string(module.text()));
  if (own == own_.end()) return Error{fmt::format("{} is not of the project", module.text())};
  const CompileOptions& options = *own->second.options;
  auto unit = std::make_unique<Unit>(reader_.make_unit());
  if (!reader_.read_text(own->second.path, std::move(text), options, *unit, messages) ||
      unit->has_errors || !transform(*unit, options, messages) ||
      !lint::check(*unit, messages, {.otp_release = options.otp_release})) {
    return Error{fmt::format("{} has errors", own->second.path)};
  }
  return lower_unit(std::move(unit));
}

Result<ModuleSource::Found> Library::from_text(const std::string& name, std::string text,
                                               Diagnostics& messages) {
  auto unit = std::make_unique<Unit>(reader_.make_unit());
  const CompileOptions options = loose_options();
  if (!reader_.read_text(name, std::move(text), options, *unit, messages) || unit->has_errors ||
      !lint::check(*unit, messages, {.otp_release = options.otp_release})) {
    return Error{fmt::format("{} has errors", name)};
  }
  return lower_unit(std::move(unit));
}

Result<ModuleSource::Found> Library::lower_unit(std::unique_ptr<Unit> unit) {
  auto core = core::lower(*unit);
  if (!core) return core.error();
  auto added = program_.add(std::move(unit), std::move(*core));
  if (!added) return added.error();
  return Found{std::move(added->unit), std::move(added->core)};
}

}  // namespace fathom::session
