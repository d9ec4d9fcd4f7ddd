// Texts in DOT, the language of Graphviz.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fathom::report {

inline std::string dot_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

inline std::string dot_string(std::string_view text) { return '"' + dot_escaped(text) + '"'; }

// Each line is ended by \l, which sets it to the left.
inline std::string dot_lines(const std::vector<std::string>& lines) {
  std::string out = "\"";
  for (const std::string& line : lines) out += dot_escaped(line) + "\\l";
  return out + '"';
}

}  // namespace fathom::report
