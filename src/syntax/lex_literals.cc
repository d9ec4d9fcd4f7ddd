#include "syntax/lex_literals.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <fmt/format.h>
#include <gmp.h>

#include "base/utf8.h"

namespace fathom {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Value of a digit in bases up to 36; 255 if it is none.
uint8_t digit_value(char c) {
  if (is_digit(c)) return static_cast<uint8_t>(c - '0');
  if (c >= 'a' && c <= 'z') return static_cast<uint8_t>(c - 'a' + 10);
  if (c >= 'A' && c <= 'Z') return static_cast<uint8_t>(c - 'A' + 10);
  return 255;
}

// Moves over digits of a base, with single underscores between them.
const char* skip_digits(const char* p, const char* end, uint8_t base) {
  bool after_digit = false;
  for (; p < end; ++p) {
    if (digit_value(*p) < base) {
      after_digit = true;
    } else if (*p == '_' && after_digit && p + 1 < end && digit_value(p[1]) < base) {
      after_digit = false;
    } else {
      break;
    }
  }
  return p;
}

std::string without_underscores(const char* p, const char* end) {
  std::string digits;
  for (; p < end; ++p) {
    if (*p != '_') digits += *p;
  }
  return digits;
}

// The value of [p, end) in `base`, into small_value or digits.
void set_integer(NumberToken& out, const char* p, const char* end, uint8_t base) {
  uint64_t value = 0;
  for (const char* q = p; q < end; ++q) {
    if (*q == '_') continue;
    value = value * base + digit_value(*q);
    if (value > 0x7FFFFFFF) {
      mpz_t big;
      mpz_init_set_str(big, without_underscores(p, end).c_str(), base);
      std::vector<char> text(mpz_sizeinbase(big, 10) + 2);
      out.digits = mpz_get_str(text.data(), 10, big);
      mpz_clear(big);
      return;
    }
  }
  out.small_value = static_cast<uint32_t>(value);
}

void lex_float(NumberToken& out, const char* start, const char* p, const char* end) {
  out.is_float = true;
  p = skip_digits(p + 1, end, 10);
  if (p < end && (*p == 'e' || *p == 'E')) {
    ++p;
    if (p < end && (*p == '+' || *p == '-')) ++p;
    const char* exponent = p;
    p = skip_digits(p, end, 10);
    if (p == exponent) out.error = "this float has no digits in its exponent";
  }
  out.end = p;
  if (!out.error.empty()) return;
  const std::string text = without_underscores(start, p);
  const auto result = std::from_chars(text.data(), text.data() + text.size(), out.float_value);
  if (result.ec == std::errc::result_out_of_range) {
    // from_chars does not say at which end; strtod gives 0.0 or infinity.
    out.float_value = std::strtod(text.c_str(), nullptr);
    if (std::isinf(out.float_value)) out.error = "this float is too large for 64 bits";
  }
}

void lex_based(NumberToken& out, const char* start, const char* hash, const char* end) {
  uint32_t base = 0;
  for (const char* q = start; q < hash && base < 1000; ++q) {
    if (*q != '_') base = base * 10 + digit_value(*q);
  }
  if (base < 2 || base > 36) {
    out.end = hash + 1;
    out.error = "the base of an integer is from 2 to 36";
    return;
  }
  const char* digits = hash + 1;
  out.end = skip_digits(digits, end, static_cast<uint8_t>(base));
  if (out.end == digits) {
    out.error = fmt::format("no digit of base {} follows here", base);
    return;
  }
  set_integer(out, digits, out.end, static_cast<uint8_t>(base));
}

char escape_value(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'v':
      return '\v';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'e':
      return '\033';
    case 's':
      return ' ';
    case 'd':
      return '\177';
    default:
      return c;
  }
}

struct Escape {
  const char* end;
  uint32_t code_point = 0;
  std::string_view error = {};
  bool unterminated = false;
};

constexpr std::string_view kIllegalCharacter = "this escape stands for no character";

Escape hex_escape(const char* p, const char* end) {
  if (p < end && *p == '{') {
    uint32_t value = 0;
    const char* q = p + 1;
    for (; q < end && digit_value(*q) < 16; ++q) {
      if (value <= 0x10FFFF) value = value * 16 + digit_value(*q);
    }
    if (q >= end) return {.end = q, .unterminated = true};
    if (*q != '}') return {.end = q, .error = "\\x{ is closed by } behind hexadecimal digits"};
    const bool ok = q > p + 1 && is_erlang_character(value);
    return {.end = q + 1, .code_point = value, .error = ok ? "" : kIllegalCharacter};
  }
  if (end - p >= 2 && digit_value(p[0]) < 16 && digit_value(p[1]) < 16) {
    return {.end = p + 2, .code_point = digit_value(p[0]) * 16u + digit_value(p[1])};
  }
  return {.end = p, .error = "\\x is followed by two hexadecimal digits, or by some in braces"};
}

// `p` stands behind the backslash.
Escape lex_escape(const char* p, const char* end) {
  if (p >= end) return {.end = p, .unterminated = true};
  if (*p >= '0' && *p <= '7') {
    uint32_t value = 0;
    const char* q = p;
    for (; q < end && q < p + 3 && *q >= '0' && *q <= '7'; ++q) {
      value = value * 8 + static_cast<uint32_t>(*q - '0');
    }
    return {.end = q, .code_point = value};
  }
  if (*p == 'x') return hex_escape(p + 1, end);
  if (*p == '^') {
    if (p + 1 >= end) return {.end = p, .unterminated = true};
    const char* q = p + 1;
    const uint32_t c = next_code_point(&q);
    return {.end = q, .code_point = c == '\n' ? c : c & 31};
  }
  if (static_cast<uint8_t>(*p) < 0x80) {
    return {.end = p + 1, .code_point = static_cast<uint8_t>(escape_value(*p))};
  }
  const char* q = p;
  const uint32_t c = next_code_point(&q);
  return {.end = q, .code_point = c, .error = is_erlang_character(c) ? "" : kIllegalCharacter};
}

// Replaces the escapes in [p, end); the first error stops it.
void unescape(QuotedText& out, const char* p, const char* end) {
  out.has_escapes = true;
  while (p < end) {
    const void* found = std::memchr(p, '\\', static_cast<size_t>(end - p));
    const char* backslash = found ? static_cast<const char*>(found) : end;
    out.unescaped.append(p, backslash);
    if (backslash == end) return;
    const Escape escape = lex_escape(backslash + 1, end);
    if (!escape.error.empty() || escape.unterminated) {
      out.error = escape.unterminated ? kIllegalCharacter : escape.error;
      out.error_at = backslash;
      out.error_end = escape.end;
      return;
    }
    append_utf8(out.unescaped, escape.code_point);
    p = escape.end;
  }
}

// U+FFFE and U+FFFF are encoded EF BF BE and EF BF BF.
void check_characters(QuotedText& out) {
  for (size_t at = out.raw.find("\xEF\xBF"); at != std::string_view::npos;
       at = out.raw.find("\xEF\xBF", at + 1)) {
    if (static_cast<uint8_t>(out.raw[at + 2]) < 0xBE) continue;
    out.error = "illegal character";
    out.error_at = out.raw.data() + at;
    out.error_end = out.error_at + 3;
    return;
  }
}

}  // namespace

NumberToken lex_number(const char* p, const char* end) {
  NumberToken out;
  const char* start = p;
  p = skip_digits(p, end, 10);
  if (end - p >= 2 && *p == '.' && is_digit(p[1])) {
    lex_float(out, start, p, end);
  } else if (p < end && *p == '#') {
    lex_based(out, start, p, end);
  } else {
    out.end = p;
    set_integer(out, start, p, 10);
  }
  return out;
}

CharacterToken lex_character(const char* p, const char* end) {
  if (p >= end) return {p, 0, "a character must follow the $"};
  if (*p == '\\') {
    const Escape escape = lex_escape(p + 1, end);
    if (escape.unterminated) return {escape.end, 0, "a character must follow the backslash"};
    return {escape.end, escape.code_point, std::string(escape.error)};
  }
  const char* after = p;
  const uint32_t c = next_code_point(&after);
  return {after, c, is_erlang_character(c) ? "" : "illegal character"};
}

QuotedText lex_quoted(const char* p, const char* end, char quote, Escapes escapes) {
  QuotedText out;
  const char* start = p;
  bool backslash = false;
  for (; p < end && *p != quote; ++p) {
    if (*p == '\\' && escapes == Escapes::Processed) {
      backslash = true;
      ++p;
      // The character of \^X is part of the escape even if it is a quote.
      if (p < end && *p == '^' && p + 1 < end) ++p;
    }
  }
  if (p >= end) {
    out.unterminated = true;
    return out;
  }
  out.end = p + 1;
  out.raw = {start, static_cast<size_t>(p - start)};
  if (backslash) unescape(out, start, p);
  if (out.error.empty()) check_characters(out);
  return out;
}

bool opens_triple_quoted(const char* p, const char* end) {
  while (p < end && *p == '"') ++p;
  while (p < end && *p != '\n' && static_cast<uint8_t>(*p) <= ' ') ++p;
  return p < end && *p == '\n';
}

namespace {

// Removes the closing line's indentation from every line of [p, end).
void remove_indentation(QuotedText& out, const char* p, const char* end, std::string_view indent,
                        std::string& text) {
  while (p < end) {
    const void* found = std::memchr(p, '\n', static_cast<size_t>(end - p));
    const char* next = found ? static_cast<const char*>(found) + 1 : end;
    const std::string_view line(p, static_cast<size_t>(next - p));
    if (line.starts_with(indent)) {
      text.append(line.substr(indent.size()));
    } else if (line == "\n" || line == "\r\n" || line.empty()) {
      text.append(line);
    } else {
      out.error = "this line is indented less than the line with the closing quotes";
      out.error_at = p;
      out.error_end = next;
      return;
    }
    p = next;
  }
}

}  // namespace

QuotedText lex_triple_quoted(const char* p, const char* end, Escapes escapes) {
  QuotedText out;
  size_t quotes = 0;
  while (p + quotes < end && p[quotes] == '"') ++quotes;
  const char* body = static_cast<const char*>(std::memchr(p, '\n', static_cast<size_t>(end - p)));
  if (!body) {
    out.unterminated = true;
    return out;
  }
  ++body;
  for (const char* line = body;;) {
    const char* q = line;
    while (q < end && (*q == ' ' || *q == '\t')) ++q;
    size_t n = 0;
    while (q + n < end && q[n] == '"') ++n;
    if (n >= quotes) {
      const std::string_view indent(line, static_cast<size_t>(q - line));
      const char* last = line;  // the newline before the closing line is not part of the text
      if (last > body) --last;
      if (last > body && last[-1] == '\r') --last;
      out.end = q + quotes;
      std::string text;
      remove_indentation(out, body, last, indent, text);
      out.has_escapes = true;
      if (!out.error.empty()) return out;
      if (escapes == Escapes::Verbatim) {
        out.unescaped = std::move(text);
      } else {
        const std::string escaped = std::move(text);
        unescape(out, escaped.data(), escaped.data() + escaped.size());
        if (!out.error.empty()) {
          out.error_at = p;
          out.error_end = p + quotes;
        }
      }
      return out;
    }
    const void* newline = q < end ? std::memchr(q, '\n', static_cast<size_t>(end - q)) : nullptr;
    if (!newline) {
      out.unterminated = true;
      return out;
    }
    line = static_cast<const char*>(newline) + 1;
  }
}

char sigil_closing_delimiter(char open) {
  switch (open) {
    case '(':
      return ')';
    case '[':
      return ']';
    case '{':
      return '}';
    case '<':
      return '>';
    case '"':
    case '\'':
    case '/':
    case '|':
    case '`':
    case '#':
      return open;
    default:
      return '\0';
  }
}

}  // namespace fathom
