#include "code/places.h"

#include <fmt/format.h>

#include "code/module.h"
#include "core/places.h"

namespace fathom::machine {

Place place_of(const Function* function, core::NodeId node) {
  if (!function || !function->owner) return {};
  return core::place_of(*function->owner->core, node);
}

std::string place_text(const Function* function, core::NodeId node) {
  if (!function) return "";
  const auto at = core::file_line(*function->owner->core, node);
  return at ? fmt::format("{}:{}", at->file, at->line) : "";
}

}  // namespace fathom::machine
