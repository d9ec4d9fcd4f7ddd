// How wide text is on a terminal, in columns, by utf8proc's tables: 2 for East Asian wide
// characters and emoji, 0 for marks that combine with the character before them. Limit: a
// sequence of emoji that is drawn as one (a family, a flag) counts as several.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fathom {

size_t character_width(uint32_t code_point);
// Of well-formed UTF-8 without line breaks; a control character or a tab counts as one column.
size_t display_width(std::string_view text);

}  // namespace fathom
