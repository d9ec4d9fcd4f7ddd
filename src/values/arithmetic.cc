// What the operators do with small integers and with floats, and where mixed
// operands part. Integers that are big go to big_integer.h.
#include "values/arithmetic.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>

#include "base/budget.h"
#include "values/big_integer.h"

namespace fathom::machine {

// ---- Views ------------------------------------------------------------------

IntegerView::IntegerView(Value integer) {
  if (integer.is_small()) {
    const int64_t n = integer.small();
    negative_ = n < 0;
    small_ = static_cast<uint64_t>(negative_ ? -n : n);
    limbs_ = {&small_, n == 0 ? size_t{0} : size_t{1}};
  } else {
    negative_ = integer.is_negative_big();
    limbs_ = integer.limbs();
  }
  const auto count = static_cast<mp_size_t>(limbs_.size());
  mpz_roinit_n(mpz_, limbs_.data(), negative_ ? -count : count);
}

uint64_t IntegerView::bits() const {
  return limbs_.empty() ? 0 : limbs_.size() * 64 - std::countl_zero(limbs_.back());
}

std::optional<int64_t> to_int64(Value integer) {
  if (integer.is_small()) return integer.small();
  if (!integer.is_big() || integer.limbs().size() != 1) return std::nullopt;
  const uint64_t magnitude = integer.limbs()[0];
  const bool negative = integer.is_negative_big();
  constexpr uint64_t kLimit = uint64_t{1} << 63;  // the magnitude of the least int64_t
  if (magnitude > kLimit - (negative ? 0 : 1)) return std::nullopt;
  return static_cast<int64_t>(negative ? -magnitude : magnitude);
}

std::optional<uint64_t> to_uint64(Value integer) {
  if (integer.is_small()) {
    if (integer.small() < 0) return std::nullopt;
    return static_cast<uint64_t>(integer.small());
  }
  if (!integer.is_box(BoxKind::BigPositive) || integer.limbs().size() != 1) return std::nullopt;
  return integer.limbs()[0];
}

std::optional<double> to_double(Value number) {
  if (number.is_small()) return static_cast<double>(number.small());
  if (number.is_float()) return number.real();
  if (!number.is_big()) return std::nullopt;
  const double value = integer_to_double(IntegerView(number));
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

int sign(Value number) {
  if (number.is_small()) return number.small() > 0 ? 1 : number.small() < 0 ? -1 : 0;
  if (number.is_float()) return number.real() > 0 ? 1 : number.real() < 0 ? -1 : 0;
  return number.is_negative_big() ? -1 : 1;
}

// ---- Operators --------------------------------------------------------------

namespace {

Value finite(Heap& heap, double value) {
  return std::isfinite(value) ? heap.real(value) : Value::none();
}

// One of the operands at least is not an integer: both as floats, or badarith.
template <class Operation>
Value on_floats(Heap& heap, Value a, Value b, Operation operation) {
  const std::optional<double> x = to_double(a);
  const std::optional<double> y = to_double(b);
  if (!x || !y) return Value::none();
  return finite(heap, operation(*x, *y));
}

bool both_small(Value a, Value b) { return a.is_small() && b.is_small(); }
bool both_integers(Value a, Value b) { return a.is_integer() && b.is_integer(); }

}  // namespace

// The words of two small integers may be added as they are, for their tag is 0;
// and the sum of two numbers of 62 bits fits 64.
Value add(Heap& heap, Value a, Value b) {
  if (both_small(a, b)) {
    int64_t sum;
    if (!__builtin_add_overflow(static_cast<int64_t>(a.raw()), static_cast<int64_t>(b.raw()),
                                &sum)) {
      return Value::from_raw(static_cast<uint64_t>(sum));
    }
    return heap.integer(a.small() + b.small());
  }
  if (both_integers(a, b)) return big::add(heap, IntegerView(a), IntegerView(b), false);
  return on_floats(heap, a, b, [](double x, double y) { return x + y; });
}

Value subtract(Heap& heap, Value a, Value b) {
  if (both_small(a, b)) {
    int64_t difference;
    if (!__builtin_sub_overflow(static_cast<int64_t>(a.raw()), static_cast<int64_t>(b.raw()),
                                &difference)) {
      return Value::from_raw(static_cast<uint64_t>(difference));
    }
    return heap.integer(a.small() - b.small());
  }
  if (both_integers(a, b)) return big::add(heap, IntegerView(a), IntegerView(b), true);
  return on_floats(heap, a, b, [](double x, double y) { return x - y; });
}

Value multiply(Heap& heap, Value a, Value b) {
  if (both_small(a, b)) {
    int64_t product;
    if (!__builtin_mul_overflow(a.small(), b.small(), &product)) return heap.integer(product);
  }
  if (both_integers(a, b)) return big::multiply(heap, IntegerView(a), IntegerView(b));
  return on_floats(heap, a, b, [](double x, double y) { return x * y; });
}

Value divide(Heap& heap, Value a, Value b) {
  const std::optional<double> divisor = to_double(b);
  if (!divisor || *divisor == 0) return Value::none();
  return on_floats(heap, a, b, [](double x, double y) { return x / y; });
}

Value integer_divide(Heap& heap, Value a, Value b) {
  if (!both_integers(a, b) || b == Value::small(0)) return Value::none();
  if (both_small(a, b)) return heap.integer(a.small() / b.small());
  return big::divide(heap, IntegerView(a), IntegerView(b), big::Part::Quotient);
}

Value remainder(Heap& heap, Value a, Value b) {
  if (!both_integers(a, b) || b == Value::small(0)) return Value::none();
  if (both_small(a, b)) return Value::small(a.small() % b.small());
  return big::divide(heap, IntegerView(a), IntegerView(b), big::Part::Remainder);
}

Value bit_and(Heap& heap, Value a, Value b) {
  if (both_small(a, b)) return Value::from_raw(a.raw() & b.raw());
  if (!both_integers(a, b)) return Value::none();
  return big::bitwise(heap, IntegerView(a), IntegerView(b), big::Bitwise::And);
}

Value bit_or(Heap& heap, Value a, Value b) {
  if (both_small(a, b)) return Value::from_raw(a.raw() | b.raw());
  if (!both_integers(a, b)) return Value::none();
  return big::bitwise(heap, IntegerView(a), IntegerView(b), big::Bitwise::Or);
}

Value bit_xor(Heap& heap, Value a, Value b) {
  if (both_small(a, b)) return Value::from_raw(a.raw() ^ b.raw());
  if (!both_integers(a, b)) return Value::none();
  return big::bitwise(heap, IntegerView(a), IntegerView(b), big::Bitwise::Xor);
}

Value bit_not(Heap& heap, Value a) {
  if (a.is_small()) return Value::small(~a.small());
  if (!a.is_big()) return Value::none();
  return subtract(heap, Value::small(-1), a);
}

namespace {

Value shift_by(Heap& heap, Value a, bool left, uint64_t count) {
  if (a.is_small()) {
    const int64_t n = a.small();
    if (!left) return Value::small(n >> std::min<uint64_t>(count, 63));
    if (n == 0) return a;
    if (count < 62) {
      const auto shifted = static_cast<int64_t>(static_cast<uint64_t>(n) << count);
      if (shifted >> count == n) return heap.integer(shifted);
    }
  }
  return left ? big::shift_left(heap, IntegerView(a), count)
              : big::shift_right(heap, IntegerView(a), count);
}

Value shift(Heap& heap, Value a, Value b, bool left) {
  if (!both_integers(a, b)) return Value::none();
  if (sign(b) < 0) left = !left;
  const IntegerView count(b);
  if (count.size() > 1) return shift_by(heap, a, left, std::numeric_limits<uint64_t>::max());
  return shift_by(heap, a, left, count.size() == 0 ? 0 : count.limbs()[0]);
}

}  // namespace

Value shift_left(Heap& heap, Value a, Value b) { return shift(heap, a, b, true); }
Value shift_right(Heap& heap, Value a, Value b) { return shift(heap, a, b, false); }

Value negate(Heap& heap, Value a) {
  if (a.is_float()) return heap.real(-a.real());
  return subtract(heap, Value::small(0), a);
}

// Of two zeros the one with a sign keeps it, as in OTP.
Value absolute(Heap& heap, Value a) {
  if (a.is_float()) return a.real() < 0 ? heap.real(-a.real()) : a;
  if (!a.is_integer()) return Value::none();
  return sign(a) < 0 ? negate(heap, a) : a;
}

// ---- Between floats and integers --------------------------------------------

namespace {

// Of a float without a fraction.
Value whole(Heap& heap, double value) {
  constexpr double kBeyond = 0x1p63;
  if (value > -kBeyond && value < kBeyond) return heap.integer(static_cast<int64_t>(value));
  mpz_t number;
  mpz_init_set_d(number, value);
  const Value result = heap.integer(number);
  mpz_clear(number);
  return result;
}

template <class Rounding>
Value rounded(Heap& heap, Value a, Rounding rounding) {
  if (a.is_integer()) return a;
  if (!a.is_float()) return Value::none();
  return whole(heap, rounding(a.real()));
}

}  // namespace

Value to_real(Heap& heap, Value a) {
  if (a.is_float()) return a;
  const std::optional<double> value = to_double(a);
  return value ? heap.real(*value) : Value::none();
}

Value truncate(Heap& heap, Value a) {
  return rounded(heap, a, [](double x) { return std::trunc(x); });
}
Value round_half_away(Heap& heap, Value a) {
  return rounded(heap, a, [](double x) { return std::round(x); });
}
Value floor_of(Heap& heap, Value a) {
  return rounded(heap, a, [](double x) { return std::floor(x); });
}
Value ceiling_of(Heap& heap, Value a) {
  return rounded(heap, a, [](double x) { return std::ceil(x); });
}

// ---- Text -------------------------------------------------------------------

namespace {

constexpr int kNoDigit = 99;

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return kNoDigit;
}

}  // namespace

Value parse_integer(Heap& heap, std::string_view digits, int base) {
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  if (digits.empty()) return Value::none();
  std::string values;
  values.reserve(digits.size());
  uint64_t number = 0;
  bool fits = true;
  for (const char c : digits) {
    const int digit = digit_value(c);
    if (digit >= base) return Value::none();
    if (values.empty() && digit == 0) continue;
    values += static_cast<char>(digit);
    fits = fits && !__builtin_mul_overflow(number, base, &number) &&
           !__builtin_add_overflow(number, digit, &number);
  }
  if (fits) return heap.integer(negative, {&number, 1});
  return big::from_digits(heap, negative, values, base);
}

std::string print_integer(Value integer, int base) {
  if (integer.is_small()) {
    constexpr char kDigits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const int64_t n = integer.small();
    auto magnitude = static_cast<uint64_t>(n < 0 ? -n : n);
    const auto radix = static_cast<uint64_t>(base);
    char text[65];
    char* begin = std::end(text);
    do {
      *--begin = kDigits[magnitude % radix];
      magnitude /= radix;
    } while (magnitude != 0);
    if (n < 0) *--begin = '-';
    return {begin, std::end(text)};
  }
  const IntegerView number(integer);
  constexpr size_t kWorkPerLimb = 100;  // see spend()
  spend(static_cast<int64_t>(kWorkPerLimb * number.size()));
  // For GMP a negative base asks for upper case.
  std::string text(mpz_sizeinbase(number, base) + 2, '\0');
  mpz_get_str(text.data(), base <= 10 ? base : -base, number);
  text.resize(text.find('\0'));
  return text;
}

}  // namespace fathom::machine
