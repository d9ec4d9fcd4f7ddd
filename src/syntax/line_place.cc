#include "syntax/line_place.h"

#include <algorithm>

namespace fathom {
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

Place place_of_line(const Unit& unit, std::string_view file, uint32_t line) {
  Place place{{}, std::string(file), line};
  if (line == 0 || !unit.line_shifts.empty()) return place;
  if (const auto id = file_named(unit, file)) {
    place.span.begin = unit.sources().place(*id, {line, 0});
    place.span.end = place.span.begin;
  }
  return place;
}

}  // namespace fathom
