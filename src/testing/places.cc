#include "testing/places.h"

#include <algorithm>

namespace fathom::testing {
namespace {

std::optional<FileId> file_named(const Unit& unit, std::string_view name) {
  const SourceMap& sources = unit.sources();
  if (unit.file && sources.name(*unit.file) == name) return unit.file;
  const auto found = std::find_if(unit.included.begin(), unit.included.end(),
                                  [&](FileId header) { return sources.name(header) == name; });
  if (found == unit.included.end()) return std::nullopt;
  return *found;
}

}  // namespace

bool Places::has_text(Atom module) const {
  const machine::LoadedModule* found = loaded(module);
  return found && found->unit->file;
}

Place Places::line(Atom module, uint32_t line) const {
  const machine::LoadedModule* found = loaded(module);
  return found ? this->line(module, found->unit->path, line) : Place{{}, {}, line};
}

Place Places::line(Atom module, std::string_view file, uint32_t line) const {
  Place place{{}, std::string(file), line};
  const machine::LoadedModule* found = loaded(module);
  if (!found || line == 0 || !found->unit->line_shifts.empty()) return place;
  const SourceMap& sources = found->unit->sources();
  if (const auto id = file_named(*found->unit, file)) {
    place.span.begin = sources.place(*id, {line, 0});
    place.span.end = place.span.begin;
  }
  return place;
}

std::optional<Span> Places::written(Atom module, Atom function, uint32_t arity) const {
  const machine::LoadedModule* found = loaded(module);
  const auto id = found ? found->core->find(function, arity) : std::nullopt;
  if (!id) return std::nullopt;
  const auto span = found->unit->used_span((*found->core)[*id].origin);
  return span && span->begin.is_text() && span->begin ? span : std::nullopt;
}

Place Places::assertion(Atom module, uint32_t line, Atom function, uint32_t arity) const {
  Place place = this->line(module, line);
  const auto span = written(module, function, arity);
  const bool is_fun = function.text().find("-fun-") != std::string_view::npos;
  if (!place.span.begin || !span || !is_fun) return place;
  // OTP's ?LINE is one of those over which the macro's arguments spread.
  const SourceMap& sources = loaded(module)->unit->sources();
  if (sources.line_column(span->begin).line <= line &&
      line <= sources.line_column(span->end).line) {
    place.span = *span;
  }
  return place;
}

Place Places::function(Atom module, Atom name, uint32_t arity) const {
  const machine::LoadedModule* found = loaded(module);
  if (!found) return {};
  Place place{{}, found->unit->path, 0};
  const auto id = found->core->find(name, arity);
  if (!id) return place;
  const Unit& unit = *found->unit;
  place.line = unit.otp_position(unit.ast[(*found->core)[*id].origin].anchor).line;
  if (const auto span = written(module, name, arity)) {
    const size_t length = std::min(name.text().size(), unit.sources().slice(*span).size());
    place.span = {span->begin, span->begin.plus(static_cast<uint32_t>(length))};
  }
  return place;
}

}  // namespace fathom::testing
