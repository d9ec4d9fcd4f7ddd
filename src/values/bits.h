// Bits: copying them, and reading and writing numbers and characters in them, as
// the bit syntax does. Positions count from the most significant bit of the first
// byte. Nothing here looks beyond what it is told.
//
// Everything goes through words of up to 64 bits that begin at any bit, and
// through memcpy and memcmp where bytes meet bytes: O(bytes), never bit by bit.
#pragma once

#include <cstdint>
#include <optional>

#include "values/heap.h"
#include "values/value.h"

namespace fathom::machine {

// Up to 64 bits at `at`, as a number; and the lowest `size` bits of a number put
// there, with the bits around left as they are.
uint64_t load_bits(const uint8_t* bytes, uint64_t at, unsigned size);
void store_bits(uint64_t number, uint8_t* bytes, uint64_t at, unsigned size);

// Copies all bits of `from` to bit `at` of `to`; the bits around stay as they are.
void copy_bits(BitsView from, uint8_t* to, uint64_t at);
// Negative, zero or positive: as bitstrings are ordered.
int compare_bits(BitsView a, BitsView b);

enum class Endian : uint8_t { Big, Little };

// The `size` bits at `at` as an integer: at most 2^30 - 64, what a header can tell.
Value read_integer(Heap& heap, const uint8_t* bytes, uint64_t at, uint64_t size, Endian endian,
                   bool is_signed);
// The lowest `size` bits of an integer (two's complement), written at `at`.
void write_integer(Value integer, uint8_t* bytes, uint64_t at, uint64_t size, Endian endian);
// Floats of 16, 32 or 64 bits. Reading: empty for a size or bits that are not a finite number.
std::optional<double> read_float(const uint8_t* bytes, uint64_t at, uint64_t size, Endian endian);
// Writing: false for another size. A number that is too large for 16 or 32 bits
// becomes infinite there, as in OTP.
bool write_float(double number, uint8_t* bytes, uint64_t at, uint64_t size, Endian endian);

enum class Utf : uint8_t { Utf8, Utf16, Utf32 };
struct Character {
  uint32_t code_point;
  uint64_t bits;  // that it takes
};
// The character that begins at bit `at`, of `end` bits in all; empty if it is none.
std::optional<Character> read_character(const uint8_t* bytes, uint64_t at, uint64_t end, Utf utf,
                                        Endian endian);
// How many bits it takes; 0 for what is not a character (surrogates are none).
uint64_t character_bits(uint32_t code_point, Utf utf);
void write_character(uint32_t code_point, uint8_t* bytes, uint64_t at, Utf utf, Endian endian);

}  // namespace fathom::machine
