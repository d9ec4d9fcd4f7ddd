#include "session/program_code.h"

#include <algorithm>

namespace fathom::session {

ProgramCode::ProgramCode(Library& library, std::vector<Atom> own)
    : library_(library), own_(std::move(own)), is_own_(own_.begin(), own_.end()) {}

const ModuleSource::Found* ProgramCode::module(Atom name) {
  auto at = modules_.find(name);
  if (at == modules_.end()) {
    auto found = library_.find(name);
    at = modules_.emplace(name, found ? *found : std::optional<ModuleSource::Found>()).first;
  }
  return at->second ? &*at->second : nullptr;
}

std::optional<flow::FunctionCode> ProgramCode::find(const flow::FunctionName& name) {
  const ModuleSource::Found* found = module(name.module);
  if (!found) return std::nullopt;
  const auto function = found->core->find(name.name, name.arity);
  if (!function) return std::nullopt;
  if (!found->parts) return flow::FunctionCode{found->core.get(), *function};
  auto part = found->parts->read(*function);
  if (!part) return std::nullopt;
  const core::Module* core = part->core.get();
  parts_.push_back(std::move(*part));
  return flow::FunctionCode{core, core::FunctionId{0}};
}

bool ProgramCode::has_module(Atom name) { return module(name) != nullptr; }

bool ProgramCode::is_exported(const flow::FunctionName& name) {
  const ModuleSource::Found* found = module(name.module);
  if (!found) return false;
  const auto function = found->core->find(name.name, name.arity);
  return function && (*found->core)[*function].exported;
}

std::vector<uint32_t> ProgramCode::arities(Atom module_name, Atom name) {
  std::vector<uint32_t> result;
  if (const ModuleSource::Found* found = module(module_name)) {
    for (const core::Function& f : found->core->functions) {
      if (f.name == name && f.exported) result.push_back(f.arity);
    }
  }
  std::ranges::sort(result);
  return result;
}

std::vector<flow::FunctionCode> ProgramCode::functions(Atom module_name) {
  std::vector<flow::FunctionCode> all;
  const ModuleSource::Found* found = module(module_name);
  if (!found || found->parts) return all;
  for (uint32_t i = 0; i < found->core->functions.size(); ++i) {
    if (exists(found->core->functions[i].body)) {
      all.push_back({found->core.get(), core::FunctionId{i}});
    }
  }
  return all;
}

bool ProgramCode::is_own(Atom module_name) { return is_own_.contains(module_name); }

}  // namespace fathom::session
