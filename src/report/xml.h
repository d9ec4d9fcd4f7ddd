// Text in XML 1.0.
#pragma once

#include <string>
#include <string_view>

namespace fathom::report {

// What XML cannot say at all (most control characters, bytes that are not UTF-8) becomes
// U+FFFD.
std::string xml_text(std::string_view text);       // the content of an element
std::string xml_attribute(std::string_view text);  // of an attribute, with its quotes

}  // namespace fathom::report
