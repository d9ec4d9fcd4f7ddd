#include "testing/places.h"

#include <algorithm>

#include "code/places.h"
#include "core/places.h"
#include "syntax/line_place.h"

namespace fathom::testing {

bool Places::has_text(Atom module) const {
  const machine::LoadedModule* found = loaded(module);
  return found && found->unit->file;
}

Place Places::line(Atom module, uint32_t line) const {
  const machine::LoadedModule* found = loaded(module);
  return found ? this->line(module, found->unit->path, line) : Place{{}, {}, line};
}

Place Places::line(Atom module, std::string_view file, uint32_t line) const {
  const machine::LoadedModule* found = loaded(module);
  return found ? place_of_line(*found->unit, file, line) : Place{{}, std::string(file), line};
}

Place Places::assertion(Atom module, uint32_t line, Atom function, uint32_t arity) const {
  Place place = this->line(module, line);
  const machine::LoadedModule* found = loaded(module);
  return found ? machine::place_of_fun(*found, std::move(place), function, arity) : place;
}

Place Places::function(Atom module, Atom name, uint32_t arity) const {
  const machine::LoadedModule* found = loaded(module);
  if (!found) return {};
  const auto id = found->core->find(name, arity);
  if (!id) return {{}, found->unit->path, 0};
  Place place = core::place_of(*found->core, (*found->core)[*id].origin);
  if (!place.span.begin) return place;
  const std::string_view text = found->unit->sources().slice(place.span);
  const size_t length = std::min(name.text().size(), text.size());
  place.span.end = place.span.begin.plus(static_cast<uint32_t>(length));
  return place;
}

}  // namespace fathom::testing
