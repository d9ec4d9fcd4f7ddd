// math, and the numbers that string finds at the beginning of a list.
#include <cmath>
#include <cstdlib>
#include <string>

#include "natives/families.h"
#include "values/arithmetic.h"

namespace fathom::machine::math_natives {
namespace {

// badarg for what is not a number, badarith for a number that is not a float, or a result
// that is none.
Value finite(Context& c, double result) {
  return std::isfinite(result) ? c.heap.real(result) : c.badarith();
}

template <double (*Compute)(double)>
Value unary(Context& c, const Value* a) {
  if (!a[0].is_number()) return c.badarg();
  const std::optional<double> x = to_double(a[0]);
  return x ? finite(c, Compute(*x)) : c.badarith();
}

template <double (*Compute)(double, double)>
Value binary(Context& c, const Value* a) {
  if (!a[0].is_number()) return c.badarg();
  const std::optional<double> x = to_double(a[0]);
  if (!x) return c.badarith();
  if (!a[1].is_number()) return c.badarg();
  const std::optional<double> y = to_double(a[1]);
  return y ? finite(c, Compute(*x, *y)) : c.badarith();
}

// ---- string -----------------------------------------------------------------

// The characters of a list one by one; what is not a byte ends it.
class Characters {
 public:
  explicit Characters(Value list) : rest_(list) {}

  Value rest() const { return rest_; }
  char peek() const {
    if (!rest_.is_cons() || !rest_.head().is_small()) return 0;
    const int64_t n = rest_.head().small();
    return n > 0 && n < 0x80 ? static_cast<char>(n) : '\0';
  }
  bool is_digit() const { return peek() >= '0' && peek() <= '9'; }
  // Moves on, and adds the character to the text.
  void take(std::string& text) {
    text += peek();
    rest_ = rest_.tail();
  }
  void take_sign(std::string& text) {
    if (peek() == '+' || peek() == '-') take(text);
  }
  // False: there is none.
  bool take_digits(std::string& text) {
    if (!is_digit()) return false;
    while (is_digit()) take(text);
    return true;
  }

 private:
  Value rest_;
};

Value failure(Context& c, Value argument, std::string_view reason) {
  if (!argument.is_list()) reason = "not_a_list";
  return c.heap.tuple({Value(atoms::error), Value(Atom::intern(reason))});
}

Value list_to_integer_1(Context& c, const Value* a) {
  Characters in(a[0]);
  std::string digits;
  in.take_sign(digits);
  if (!in.take_digits(digits)) return failure(c, a[0], "no_integer");
  const Value number = parse_integer(c.heap, digits, 10);
  if (number == limit() || number.is_none()) return c.system_limit();
  return c.heap.tuple({number, in.rest()});
}

// Digits, a point (or a comma), digits, and perhaps an exponent.
Value list_to_float_1(Context& c, const Value* a) {
  Characters in(a[0]);
  std::string text;
  in.take_sign(text);
  if (!in.take_digits(text) || (in.peek() != '.' && in.peek() != ',')) {
    return failure(c, a[0], "no_float");
  }
  in.take(text);
  text.back() = '.';
  if (!in.take_digits(text)) return failure(c, a[0], "no_float");
  if (in.peek() == 'e' || in.peek() == 'E') {
    Characters after = in;
    std::string exponent;
    after.take(exponent);
    after.take_sign(exponent);
    if (after.take_digits(exponent)) {
      text += exponent;
      in = after;
    }
  }
  const double number = std::strtod(text.c_str(), nullptr);
  if (!std::isfinite(number)) return failure(c, a[0], "no_float");
  return c.heap.tuple({c.heap.real(number), in.rest()});
}

constexpr NativeEntry kEntries[] = {
    {"math", "acos", 1, unary<std::acos>},
    {"math", "acosh", 1, unary<std::acosh>},
    {"math", "asin", 1, unary<std::asin>},
    {"math", "asinh", 1, unary<std::asinh>},
    {"math", "atan", 1, unary<std::atan>},
    {"math", "atan2", 2, binary<std::atan2>},
    {"math", "atanh", 1, unary<std::atanh>},
    {"math", "ceil", 1, unary<std::ceil>},
    {"math", "cos", 1, unary<std::cos>},
    {"math", "cosh", 1, unary<std::cosh>},
    {"math", "erf", 1, unary<std::erf>},
    {"math", "erfc", 1, unary<std::erfc>},
    {"math", "exp", 1, unary<std::exp>},
    {"math", "floor", 1, unary<std::floor>},
    {"math", "fmod", 2, binary<std::fmod>},
    {"math", "log", 1, unary<std::log>},
    {"math", "log10", 1, unary<std::log10>},
    {"math", "log2", 1, unary<std::log2>},
    {"math", "pow", 2, binary<std::pow>},
    {"math", "sin", 1, unary<std::sin>},
    {"math", "sinh", 1, unary<std::sinh>},
    {"math", "sqrt", 1, unary<std::sqrt>},
    {"math", "tan", 1, unary<std::tan>},
    {"math", "tanh", 1, unary<std::tanh>},
    {"string", "list_to_integer", 1, list_to_integer_1},
    {"string", "list_to_float", 1, list_to_float_1},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::math_natives
