#include "report/xml.h"

#include <fmt/format.h>

#include "base/utf8.h"

namespace fathom::report {
namespace {

void append(std::string& out, uint32_t c, bool is_attribute) {
  switch (c) {
    case '&':
      out += "&amp;";
      return;
    case '<':
      out += "&lt;";
      return;
    case '>':
      out += "&gt;";
      return;
    case '"':
      out += "&quot;";
      return;
    case '\n':
    case '\t':
      // As such, it would be read as a blank in an attribute, and a \r as a \n anywhere.
      if (is_attribute) {
        out += fmt::format("&#{};", c);
      } else {
        out += static_cast<char>(c);
      }
      return;
    case '\r':
      out += "&#13;";
      return;
    default:
      append_utf8(out, c < ' ' || !is_erlang_character(c) ? kReplacementCharacter : c);
  }
}

std::string escaped(std::string_view text, bool is_attribute) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t valid = find_invalid_utf8(text).value_or(text.size());
    const char* end = text.data() + valid;
    for (const char* p = text.data(); p < end;) append(out, next_code_point(&p), is_attribute);
    text.remove_prefix(valid);
    if (text.empty()) break;
    append_utf8(out, kReplacementCharacter);
    text.remove_prefix(1);
  }
  return out;
}

}  // namespace

std::string xml_text(std::string_view text) { return escaped(text, false); }

std::string xml_attribute(std::string_view text) {
  return fmt::format("\"{}\"", escaped(text, true));
}

}  // namespace fathom::report
