#include "base/display_width.h"

#include <utf8proc.h>

#include "base/utf8.h"

namespace fathom {

size_t character_width(uint32_t code_point) {
  constexpr uint32_t kFirstCombining = 0x300;
  if (code_point < kFirstCombining) return 1;
  return static_cast<size_t>(utf8proc_charwidth(static_cast<utf8proc_int32_t>(code_point)));
}

size_t display_width(std::string_view text) {
  size_t width = 0;
  const char* end = text.data() + text.size();
  for (const char* p = text.data(); p < end;) width += character_width(next_code_point(&p));
  return width;
}

}  // namespace fathom
