// Arithmetic of integers of which one at least does not fit a word, or the result
// might not: GMP's functions on limbs, written straight to where the result will
// stay in the heap. For the arithmetic of values see arithmetic.h.
#pragma once

#include <cstdint>
#include <string_view>

#include "values/arithmetic.h"
#include "values/heap.h"

namespace fathom::machine::big {

enum class Part : uint8_t { Quotient, Remainder };
enum class Bitwise : uint8_t { And, Or, Xor };

// a + b, or a - b.
Value add(Heap& heap, const IntegerView& a, const IntegerView& b, bool subtract);
Value multiply(Heap& heap, const IntegerView& a, const IntegerView& b);
// Rounded towards zero; b is not 0.
Value divide(Heap& heap, const IntegerView& a, const IntegerView& b, Part part);
Value bitwise(Heap& heap, const IntegerView& a, const IntegerView& b, Bitwise operation);
Value shift_left(Heap& heap, const IntegerView& a, uint64_t count);
// Rounded towards minus infinity.
Value shift_right(Heap& heap, const IntegerView& a, uint64_t count);
// From the values of its digits, the first one not 0.
Value from_digits(Heap& heap, bool negative, std::string_view digits, int base);

}  // namespace fathom::machine::big
