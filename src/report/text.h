// Text on a terminal: what of it can be shown, how wide it is, numbers and colors.
//
// Terms come from the program that is checked, so they may hold anything: what would
// move the cursor, ring a bell or turn the direction of the line is shown as an escape.
// Widths are columns of a terminal (base/display_width.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/display_width.h"
#include "base/verdict.h"

namespace fathom::report {

// On one line, and only characters that are harmless: \n, \e, \x{202E}; a byte that is no
// UTF-8 is U+FFFD.
std::string printable(std::string_view text);
// Printable, and at most so wide; "…" at its end says that there was more.
std::string cut(std::string_view text, size_t width);
// Filled up with blanks.
std::string padded(std::string_view text, size_t width);
std::string padded_left(std::string_view text, size_t width);

// 12,345
std::string with_commas(uint64_t number);
// "1 error", "12,345 errors"; the plural is the singular with an s.
std::string counted(uint64_t number, std::string_view singular);
// "1st", "2nd", "11th"
std::string ordinal(uint64_t number);

// Each line of the text after the indent, the first `most` of them.
void append_lines(std::string& out, std::string_view indent, std::string_view text, size_t most);

enum class Color : uint8_t { None, Bold, Dim, Good, Bad, Doubtful, Warning };
// Of clean, bug and unknown.
Color verdict_color(Verdict verdict);

class Painter {
 public:
  explicit Painter(bool enabled) : enabled_(enabled) {}
  std::string operator()(Color color, std::string_view text) const;

 private:
  bool enabled_;
};

}  // namespace fathom::report
