// A page of HTML that holds all that it needs; nothing is loaded from elsewhere.
#pragma once

#include <string>
#include <string_view>

namespace fathom::report {

// Colors for light and dark screens, and the text's font, are those of all our pages: --fg, --bg,
// --dim, --line, --good, --some, --bad, and -fg of the last three. `style` comes after them.
struct HtmlPage {
  std::string_view title;
  std::string_view style;
  std::string_view body;
  std::string_view script = {};
};
std::string html_page(const HtmlPage& page);

}  // namespace fathom::report
