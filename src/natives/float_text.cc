// Floats as text, and back.
//
// With {decimals, N} OTP prints neither the nearest decimal nor the digits of
// printf: up to kMaxQuickDecimals of them it takes the fraction times a power of
// ten, rounded to an integer. Programs see the difference in the last digit
// (1.005 gives "1.00" by printf and "1.01" so), hence the same is done here.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "base/term_print.h"
#include "natives/families.h"
#include "values/lists.h"

namespace fathom::machine::float_text_natives {
namespace {

constexpr size_t kMaxText = 255;  // OTP's buffer
constexpr int kMaxQuickDecimals = 18;
constexpr double kMaxQuick = 0x1p53;

// As printf does it; empty if it is too long.
std::optional<std::string> formatted(const char* format, int precision, double value) {
  char text[kMaxText + 1];
  const int size = std::snprintf(text, sizeof(text), format, precision, value);
  if (size < 0 || static_cast<size_t>(size) > kMaxText) return std::nullopt;
  return std::string(text, static_cast<size_t>(size));
}

// All but one of the zeros at the end.
void drop_trailing_zeros(std::string& text) {
  size_t size = text.size();
  while (size > 1 && text[size - 1] == '0') --size;
  if (text[size - 1] == '.') ++size;
  text.resize(std::min(size, text.size()));
}

std::string quick_fixed(double value, int decimals) {
  const double magnitude = std::fabs(value);
  const std::string sign = std::signbit(value) ? "-" : "";
  if (decimals == 0) return sign + std::to_string(static_cast<uint64_t>(std::round(magnitude)));
  double power = 1;
  for (int i = 0; i < decimals; ++i) power *= 10;  // exact up to 10^22
  double whole = std::floor(magnitude);
  const double rounded = std::round((magnitude - whole) * power);
  auto fraction = static_cast<uint64_t>(rounded);
  if (rounded >= power) {
    whole += 1;
    fraction = 0;
  }
  std::string digits = std::to_string(fraction);
  digits.insert(0, static_cast<size_t>(decimals) - digits.size(), '0');
  return sign + std::to_string(static_cast<uint64_t>(whole)) + "." + digits;
}

std::optional<std::string> fixed(double value, int decimals, bool compact) {
  if (decimals < 0) return std::nullopt;
  std::optional<std::string> text;
  if (std::fabs(value) > kMaxQuick || decimals > kMaxQuickDecimals) {
    text = formatted("%.*f", decimals, value);
    // Even those of a number without decimals: a slip of OTP's.
    if (text && compact) drop_trailing_zeros(*text);
    return text;
  }
  text = quick_fixed(value, decimals);
  if (compact && decimals > 0) drop_trailing_zeros(*text);
  return text;
}

enum class Style : uint8_t { Scientific, Fixed, Short };
struct Options {
  Style style = Style::Scientific;
  int digits = 20;
  bool compact = false;
};

std::optional<Options> read_options(Value list) {
  static const Atom compact = Atom::intern("compact");
  static const Atom shortest = Atom::intern("short");
  static const Atom decimals = Atom::intern("decimals");
  static const Atom scientific = Atom::intern("scientific");
  Options options;
  for (; list.is_cons(); list = list.tail()) {
    const Value option = list.head();
    if (option.is_atom(compact)) {
      options.compact = true;
    } else if (option.is_atom(shortest)) {
      options.style = Style::Short;
    } else if (option.is_tuple(2) && option.element(1).is_small()) {
      options.digits = static_cast<int>(option.element(1).small());  // as OTP: the low bits
      if (option.element(0).is_atom(decimals)) {
        options.style = Style::Fixed;
      } else if (option.element(0).is_atom(scientific)) {
        options.style = Style::Scientific;
      } else {
        return std::nullopt;
      }
    } else {
      return std::nullopt;
    }
  }
  if (!list.is_nil()) return std::nullopt;
  return options;
}

std::optional<std::string> float_text(Value value, Value list) {
  const auto options = read_options(list);
  if (!value.is_float() || !options) return std::nullopt;
  switch (options->style) {
    case Style::Scientific:
      return formatted("%.*e", options->digits, value.real());
    case Style::Fixed:
      return fixed(value.real(), options->digits, options->compact);
    case Style::Short:
      break;
  }
  std::string text;
  append_float(text, value.real());
  return text;
}

Value as_list(Context& c, const std::optional<std::string>& text) {
  return text ? c.heap.string(*text) : c.badarg();
}
Value as_binary(Context& c, const std::optional<std::string>& text) {
  return text ? c.heap.binary(std::string_view(*text)) : c.badarg();
}

Value float_to_list_1(Context& c, const Value* a) {
  return as_list(c, float_text(a[0], Value::nil()));
}
Value float_to_list_2(Context& c, const Value* a) { return as_list(c, float_text(a[0], a[1])); }
Value float_to_binary_1(Context& c, const Value* a) {
  return as_binary(c, float_text(a[0], Value::nil()));
}
Value float_to_binary_2(Context& c, const Value* a) { return as_binary(c, float_text(a[0], a[1])); }

// ---- Text to floats ---------------------------------------------------------

bool is_digit(char c) { return c >= '0' && c <= '9'; }

size_t skip_digits(std::string_view text, size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

size_t skip_sign(std::string_view text, size_t at) {
  return at < text.size() && (text[at] == '+' || text[at] == '-') ? at + 1 : at;
}

// [+-] digits . digits [e [+-] digits], where a comma may stand for the point. As for
// OTP, the text ends where a zero byte is.
std::optional<double> parse_float(std::string text) {
  text.resize(std::min(text.find('\0'), text.size()));
  const size_t whole = skip_sign(text, 0);
  const size_t point = skip_digits(text, whole);
  if (point == whole || point == text.size()) return std::nullopt;
  if (text[point] != '.' && text[point] != ',') return std::nullopt;
  text[point] = '.';
  size_t end = skip_digits(text, point + 1);
  if (end == point + 1) return std::nullopt;
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    const size_t exponent = skip_sign(text, end + 1);
    end = skip_digits(text, exponent);
    if (end == exponent) return std::nullopt;
  }
  if (end != text.size()) return std::nullopt;
  const double value = std::strtod(text.c_str(), nullptr);
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

Value made(Context& c, std::optional<double> value) {
  return value ? c.heap.real(*value) : c.badarg();
}

Value list_to_float_1(Context& c, const Value* a) {
  const auto text = latin1_text(a[0]);
  return text ? made(c, parse_float(*text)) : c.badarg();
}

Value binary_to_float_1(Context& c, const Value* a) {
  if (!a[0].is_binary()) return c.badarg();
  return made(c, parse_float(std::string(BytesOf(a[0]).text())));
}

constexpr NativeEntry kEntries[] = {
    {"erlang", "float_to_list", 1, float_to_list_1},
    {"erlang", "float_to_list", 2, float_to_list_2},
    {"erlang", "float_to_binary", 1, float_to_binary_1},
    {"erlang", "float_to_binary", 2, float_to_binary_2},
    {"erlang", "list_to_float", 1, list_to_float_1},
    {"erlang", "binary_to_float", 1, binary_to_float_1},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::float_text_natives
