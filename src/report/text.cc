#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/utf8.h"

namespace fathom::report {
namespace {

struct Range {
  uint32_t first;
  uint32_t last;
};

template <size_t N>
bool is_in(const Range (&ranges)[N], uint32_t c) {
  return std::ranges::any_of(ranges, [c](Range r) { return r.first <= c && c <= r.last; });
}

// Controls, line separators, and what changes the direction of writing or cannot be seen.
constexpr Range kHarmful[] = {{0, 0x1F},        {0x7F, 0x9F},     {0x200B, 0x200F},
                              {0x2028, 0x202E}, {0x2060, 0x2069}, {0xFEFF, 0xFEFF},
                              {0xD800, 0xDFFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F}};

// As Erlang writes them in a string.
void append_escape(std::string& out, uint32_t c) {
  switch (c) {
    case '\n':
      out += "\\n";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\r':
      out += "\\r";
      return;
    case 0x1B:
      out += "\\e";
      return;
    default:
      out += fmt::format("\\x{{{:X}}}", c);
  }
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t valid = find_invalid_utf8(text).value_or(text.size());
    const char* end = text.data() + valid;
    for (const char* p = text.data(); p < end;) {
      const uint32_t c = next_code_point(&p);
      if (is_in(kHarmful, c)) {
        append_escape(out, c);
      } else {
        append_utf8(out, c);
      }
    }
    text.remove_prefix(valid);
    if (text.empty()) break;
    append_utf8(out, kReplacementCharacter);
    text.remove_prefix(1);
  }
  return out;
}

std::string cut(std::string_view text, size_t width) {
  // A term may have megabytes. Sixteen bytes for each column are enough, unless marks pile up
  // on every character: then there is less than would fit, and the dots say so.
  const bool is_far_longer = text.size() > 16 * (width + 1);
  std::string shown = printable(text.substr(0, 16 * (width + 1)));
  if (!is_far_longer && display_width(shown) <= width) return shown;
  size_t used = 1;  // the dots
  const char* p = shown.data();
  const char* end = shown.data() + shown.size();
  while (p < end) {
    const char* next = p;
    used += character_width(next_code_point(&next));
    if (used > width) break;
    p = next;
  }
  shown.resize(static_cast<size_t>(p - shown.data()));
  return width == 0 ? "" : shown + "…";
}

std::string padded(std::string_view text, size_t width) {
  const size_t used = display_width(text);
  return std::string(text) + std::string(width - std::min(width, used), ' ');
}

std::string padded_left(std::string_view text, size_t width) {
  const size_t used = display_width(text);
  return std::string(width - std::min(width, used), ' ') + std::string(text);
}

std::string with_commas(uint64_t number) {
  std::string digits = fmt::format("{}", number);
  for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::string counted(uint64_t number, std::string_view singular) {
  return fmt::format("{} {}{}", with_commas(number), singular, number == 1 ? "" : "s");
}

std::string ordinal(uint64_t number) {
  const uint64_t last = number % 10;
  const bool is_teen = number / 10 % 10 == 1;
  const std::string_view ending = is_teen     ? "th"
                                  : last == 1 ? "st"
                                  : last == 2 ? "nd"
                                  : last == 3 ? "rd"
                                              : "th";
  return with_commas(number).append(ending);
}

void append_lines(std::string& out, std::string_view indent, std::string_view text, size_t most) {
  size_t count = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (++count <= most) out += fmt::format("{}{}\n", indent, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (count > most) out += fmt::format("{}… and {} more lines\n", indent, count - most);
}

Color verdict_color(Verdict verdict) {
  switch (verdict) {
    case Verdict::Clean:
      return Color::Good;
    case Verdict::Bug:
      return Color::Bad;
    case Verdict::Unknown:
      return Color::Doubtful;
  }
  return Color::Doubtful;
}

std::string Painter::operator()(Color color, std::string_view text) const {
  static constexpr std::string_view kCodes[] = {"", "1", "2", "1;32", "1;31", "1;35", "1;33"};
  if (!enabled_ || color == Color::None || text.empty()) return std::string(text);
  return fmt::format("\033[{}m{}\033[0m", kCodes[static_cast<size_t>(color)], text);
}

}  // namespace fathom::report
