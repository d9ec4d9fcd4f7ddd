#include "core/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <mutex>

#include "core/constant_parts.h"
#include "core/places.h"

namespace fathom::core {

Result<ProgramModule> Program::add(std::shared_ptr<const Unit> unit, std::unique_ptr<Module> core) {
  const std::unique_lock lock(mutex_);
  if (core->id_count() > std::numeric_limits<uint32_t>::max() - next_base_) {
    return Error{fmt::format("{}: the program has too many nodes", unit->path)};
  }
  core->set_base(next_base_);
  next_base_ += static_cast<uint32_t>(core->id_count());
  return modules_.emplace_back(ProgramModule{std::move(unit), std::move(core)});
}

size_t Program::id_count() const {
  const std::shared_lock lock(mutex_);
  return next_base_;
}

size_t Program::module_count() const {
  const std::shared_lock lock(mutex_);
  return modules_.size();
}

const ProgramModule& Program::module(size_t index) const {
  const std::shared_lock lock(mutex_);
  return modules_[index];
}

Program::Local Program::local(GlobalNodeId node) const {
  const std::shared_lock lock(mutex_);
  const auto id = static_cast<uint32_t>(node);
  assert(id < next_base_);
  // A module without nodes has the base of the next one, and comes before it.
  const auto after = std::ranges::upper_bound(
      modules_, id, {}, [](const ProgramModule& m) { return m.core->base(); });
  const Module* module = std::prev(after)->core.get();
  return {module, NodeId{id - module->base()}};
}

Place Program::place_of(GlobalNodeId node) const {
  const auto [module, id] = local(node);
  return core::place_of(*module, id);
}

const Function& Program::function_of(GlobalNodeId node) const {
  const auto [module, id] = local(node);
  return (*module)[core::function_of(*module, id)];
}

}  // namespace fathom::core
