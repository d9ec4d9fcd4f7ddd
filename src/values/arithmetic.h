// Numbers of any size. Integers that leave the 62 bits of a small one become big
// (GMP on the limbs in place); mixed with a float, both are floats.
//
// A function returns none() where Erlang raises badarith: an operand is not a number
// of the right kind, a division by zero, a float out of range. An integer of more
// than kMaxIntegerBits bits is refused with system_limit: limit() is returned.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "values/heap.h"
#include "values/value.h"

namespace fathom::machine {

// As in OTP 25. Only what is read from outside (bits, external terms) may be longer.
inline constexpr uint64_t kMaxIntegerBits = ((uint64_t{1} << 19) - 1) * 64;

// Returned instead of an integer that would be too large.
constexpr Value limit() { return Value::moved(); }

Value add(Heap& heap, Value a, Value b);
Value subtract(Heap& heap, Value a, Value b);
Value multiply(Heap& heap, Value a, Value b);
Value divide(Heap& heap, Value a, Value b);  // a / b
Value integer_divide(Heap& heap, Value a, Value b);
Value remainder(Heap& heap, Value a, Value b);
Value bit_and(Heap& heap, Value a, Value b);
Value bit_or(Heap& heap, Value a, Value b);
Value bit_xor(Heap& heap, Value a, Value b);
Value bit_not(Heap& heap, Value a);
Value shift_left(Heap& heap, Value a, Value b);
Value shift_right(Heap& heap, Value a, Value b);
Value negate(Heap& heap, Value a);
Value absolute(Heap& heap, Value a);
// float(A), trunc(A), round(A), floor(A), ceil(A).
Value to_real(Heap& heap, Value a);
Value truncate(Heap& heap, Value a);
Value round_half_away(Heap& heap, Value a);
Value floor_of(Heap& heap, Value a);
Value ceiling_of(Heap& heap, Value a);

// An integer as sign and magnitude, for the functions of GMP; zero has no limbs.
// It borrows the limbs of a big one: it must not be moved, nor outlive the value.
class IntegerView {
 public:
  explicit IntegerView(Value integer);
  IntegerView(const IntegerView&) = delete;
  IntegerView& operator=(const IntegerView&) = delete;

  bool negative() const { return negative_; }
  std::span<const uint64_t> limbs() const { return limbs_; }
  size_t size() const { return limbs_.size(); }
  // Number of bits of the magnitude.
  uint64_t bits() const;
  operator mpz_srcptr() const { return mpz_; }

 private:
  uint64_t small_ = 0;
  std::span<const uint64_t> limbs_;
  bool negative_;
  mpz_t mpz_;
};

// An integer if it fits.
std::optional<int64_t> to_int64(Value integer);
std::optional<uint64_t> to_uint64(Value integer);
// The nearest float; empty if there is none, or the value is not a number.
std::optional<double> to_double(Value number);
// -1, 0, 1.
int sign(Value number);

// The integer that the digits mean in a base from 2 to 36, as list_to_integer/2
// takes it: [+-] digits. none() if they are not that.
Value parse_integer(Heap& heap, std::string_view digits, int base);
std::string print_integer(Value integer, int base);

}  // namespace fathom::machine
