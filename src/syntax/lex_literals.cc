#include "syntax/lex_literals.h"

#include <fmt/format.h>
#include <gmp.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/term.h"
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

// Whether the digits are sure to make more bits than an integer may have.
bool is_too_large(const char* p, const char* end, uint8_t base) {
  constexpr double kMaxBits = 1 << 22;  // OTP 25 goes on to nearly 2^26, if one waits
  while (p < end && (*p == '0' || *p == '_')) ++p;
  const auto digits = static_cast<double>(std::count_if(p, end, [](char c) { return c != '_'; }));
  return (digits - 1) * std::log2(base) > kMaxBits;
}

// The value of [p, end) in `base`, into small_value or digits.
void set_integer(NumberToken& out, const char* p, const char* end, uint8_t base) {
  uint64_t value = 0;
  for (const char* q = p; q < end; ++q) {
    if (*q == '_') continue;
    value = value * base + digit_value(*q);
    if (value > 0x7FFFFFFF) {
      if (is_too_large(p, end, base)) {
        out.error = "this integer is too large: it has more than 4 million bits";
        return;
      }
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

// The digits of [p, end) with one dot among them, in `base`, times base^exponent.
// erl_scan computes it in this way too, not to the nearest float.
double based_float(std::string digits, uint32_t base, int64_t exponent) {
  const size_t dot = digits.find('.');
  while (digits.size() > dot + 2 && digits.back() == '0') digits.pop_back();
  const auto fraction = static_cast<int64_t>(digits.size() - dot - 1);
  digits.erase(dot, 1);
  mpz_t number;
  mpz_init_set_str(number, digits.c_str(), static_cast<int>(base));
  const double value = integer_to_double(number);
  mpz_clear(number);
  return value * std::pow(static_cast<double>(base), static_cast<double>(exponent - fraction));
}

// 16#F.8#e-3: EEP 75. `dot` stands on the dot, a digit of the base follows.
void lex_based_float(NumberToken& out, const char* digits, const char* dot, const char* end,
                     uint32_t base) {
  const char* p = skip_digits(dot + 1, end, static_cast<uint8_t>(base));
  std::string text = without_underscores(digits, p);
  std::string exponent = "0";
  if (end - p >= 2 && *p == '#' && (p[1] == 'e' || p[1] == 'E')) {
    const char* sign = p + 2;
    const char* first = sign < end && (*sign == '+' || *sign == '-') ? sign + 1 : sign;
    p = skip_digits(first, end, 10);
    if (p == first) out.error = "this float has no digits in its exponent";
    exponent = without_underscores(*sign == '-' ? sign : first, p);
  }
  out.is_float = true;
  out.end = p;
  if (!out.error.empty()) return;
  if (base == 10) {
    out.float_value = std::strtod((text + "e" + exponent).c_str(), nullptr);
  } else {
    const long power = std::strtol(exponent.c_str(), nullptr, 10);  // far too large ones stay so
    out.float_value =
        based_float(std::move(text), base, std::clamp(power, -1'000'000'000L, 1'000'000'000L));
  }
  if (!std::isfinite(out.float_value)) out.error = "this float is too large for 64 bits";
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
  if (end - out.end >= 2 && *out.end == '.' && digit_value(out.end[1]) < base) {
    return lex_based_float(out, digits, out.end, end, base);
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

constexpr std::string_view kUnfinished = "this escape is not complete";
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

// `p` stands after the backslash.
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
      out.error = escape.unterminated ? kUnfinished : escape.error;
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
    if (p + 1 == end) return {escape.end, 0, "a character must follow the backslash"};
    if (escape.unterminated) return {escape.end, 0, std::string(kUnfinished)};
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

// Behind white space of a line, as erl_scan knows it: U+0080 to U+00A0 too.
const char* skip_space(const char* p, const char* end) {
  while (p < end && *p != '\n') {
    if (static_cast<uint8_t>(*p) <= ' ') {
      ++p;
    } else if (end - p >= 2 && *p == '\xC2' && static_cast<uint8_t>(p[1]) <= 0xA0) {
      p += 2;
    } else {
      break;
    }
  }
  return p;
}

const char* next_line(const char* p, const char* end) {
  const void* newline = std::memchr(p, '\n', static_cast<size_t>(end - p));
  return newline ? static_cast<const char*>(newline) + 1 : nullptr;
}

// One line with its newline, if it has not been taken away, to the text without
// the indentation; lines that are empty need none.
void append_indented(QuotedText& out, std::string_view line, std::string_view indent,
                     const char* source) {
  if (line.starts_with(indent)) {
    out.unescaped.append(line.substr(indent.size()));
  } else if (line.empty() || line == "\n" || line == "\r\n") {
    out.unescaped.append(line);
  } else {
    size_t same = 0;
    while (same < line.size() && line[same] == indent[same]) ++same;
    out.error = "this line is indented less than the line with the closing quotes";
    out.error_at = source + same;
    out.error_end = out.error_at + 1;
  }
}

}  // namespace

// Escapes are replaced before indentation is removed, as in erl_scan: a \ at the
// end of the last line stands for its newline, which is not part of the text.
QuotedText lex_triple_quoted(const char* p, const char* end, Escapes escapes) {
  QuotedText out;
  out.has_escapes = true;
  size_t quotes = 0;
  while (p + quotes < end && p[quotes] == '"') ++quotes;
  const char* body = next_line(p, end);
  const char* close = body;
  const char* closing_quotes = nullptr;
  for (; close; close = next_line(close, end)) {
    closing_quotes = skip_space(close, end);
    size_t n = 0;
    while (closing_quotes + n < end && closing_quotes[n] == '"') ++n;
    if (n >= quotes) break;
  }
  if (!close) {
    out.unterminated = true;
    return out;
  }
  out.end = closing_quotes + quotes;
  out.raw = {body, static_cast<size_t>(close - body)};
  const std::string_view indent(close, static_cast<size_t>(closing_quotes - close));
  for (const char* line = body; line < close && out.error.empty();) {
    const char* next = next_line(line, end);
    QuotedText piece;
    if (escapes == Escapes::Processed) {
      unescape(piece, line, next);
    } else {
      piece.unescaped.assign(line, next);
    }
    out.error = piece.error;
    out.error_at = piece.error_at;
    out.error_end = piece.error_end;
    if (!out.error.empty()) return out;
    std::string_view text = piece.unescaped;
    if (next == close) text.remove_suffix(text.ends_with("\r\n") ? 2 : 1);
    append_indented(out, text, indent, line);
    line = next;
  }
  if (out.error.empty()) check_characters(out);
  return out;
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
