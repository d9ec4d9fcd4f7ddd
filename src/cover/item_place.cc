#include "cover/item_place.h"

#include "core/places.h"

namespace fathom::cover {

bool is_own(const core::Module& module, core::AstId origin) {
  if (!fathom::exists(origin)) return false;
  const core::FileLine at = core::file_line(module, origin);
  // Debug information begins with a -file that names it.
  const bool is_named = !module.unit().file && !module.files.empty();
  const std::string_view main =
      is_named ? std::string_view(module.files[0].file) : module.unit().path;
  return at.line > 0 && at.file == main;
}

ItemPlace item_place(const core::Module& module, core::AstId origin) {
  const Unit& unit = module.unit();
  const Place place = core::place_of(module, origin);
  if (!place.span.begin) {
    const Position at = unit.otp_position(unit.ast[origin].anchor);
    return {at.line, at.column, 0, 0};
  }
  const LineColumn begin = unit.sources().line_column(place.span.begin);
  const LineColumn end = unit.sources().line_column(place.span.end);
  return {begin.line, begin.column, end.line, end.column};
}

std::string item_text(const core::Module& module, core::AstId origin) {
  const Place place = core::place_of(module, origin);
  return place.span.begin ? item_text(module.unit().sources().slice(place.span)) : std::string();
}

std::string item_text(std::string_view source) {
  constexpr size_t kMost = 32;
  std::string text;
  bool is_space = false;
  for (const char c : source) {
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      is_space = !text.empty();
      continue;
    }
    // Not in the middle of a character.
    if (text.size() >= kMost && (static_cast<unsigned char>(c) & 0xC0) != 0x80) {
      return text + "…";
    }
    if (is_space) text += ' ';
    is_space = false;
    text += c;
  }
  return text;
}

}  // namespace fathom::cover
