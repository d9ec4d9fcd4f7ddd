#include "code/places.h"

#include <fmt/format.h>

#include "code/module.h"
#include "core/places.h"
#include "syntax/unit.h"

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

Place place_of_fun(const LoadedModule& module, Place line, Atom function, uint32_t arity) {
  const bool is_fun = function.text().find("-fun-") != std::string_view::npos;
  const auto id = is_fun && line.span.begin ? module.core->find(function, arity) : std::nullopt;
  if (!id) return line;
  const Span span = core::place_of(*module.core, (*module.core)[*id].origin).span;
  // OTP's ?LINE is one of those over which the macro's arguments spread.
  const SourceMap& sources = module.unit->sources();
  if (span.begin && sources.line_column(span.begin).line <= line.line &&
      line.line <= sources.line_column(span.end).line) {
    line.span = span;
  }
  return line;
}

bool is_library(const Function& function) {
  const Unit* unit = function.owner ? function.owner->unit.get() : nullptr;
  return unit && (!unit->file || unit->path.starts_with("fathom_"));
}

}  // namespace fathom::machine
