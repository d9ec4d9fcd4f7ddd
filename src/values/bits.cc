#include "values/bits.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace fathom::machine {

static_assert(std::endian::native == std::endian::little, "words are read as bytes");

namespace {

constexpr uint64_t low_mask(unsigned bits) {
  return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
}

uint64_t load_word(const uint8_t* bytes) {
  uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return __builtin_bswap64(word);
}

void store_word(uint64_t number, uint8_t* bytes) {
  number = __builtin_bswap64(number);
  std::memcpy(bytes, &number, sizeof number);
}

// At most 8 bytes.
uint64_t load_bytes(const uint8_t* bytes, unsigned count) {
  if (count == 8) return load_word(bytes);
  uint64_t number = 0;
  for (unsigned i = 0; i < count; ++i) number = number << 8 | bytes[i];
  return number;
}

void store_bytes(uint64_t number, uint8_t* bytes, unsigned count) {
  if (count == 8) return store_word(number, bytes);
  for (unsigned i = count; i-- > 0; number >>= 8) bytes[i] = static_cast<uint8_t>(number);
}

// The bits inside of one byte that `mask` names.
void merge(uint8_t* byte, unsigned value, unsigned mask) {
  *byte = static_cast<uint8_t>((*byte & ~mask) | (value & mask));
}

}  // namespace

uint64_t load_bits(const uint8_t* bytes, uint64_t at, unsigned size) {
  if (size == 0) return 0;
  bytes += at / 8;
  const unsigned skip = at % 8;
  const unsigned end = skip + size;  // at most 71
  if (end > 64) {
    const unsigned beyond = end - 64;
    const uint64_t number = load_word(bytes) << beyond | bytes[8] >> (8 - beyond);
    return number & low_mask(size);
  }
  const unsigned count = (end + 7) / 8;
  return (load_bytes(bytes, count) >> (count * 8 - end)) & low_mask(size);
}

void store_bits(uint64_t number, uint8_t* bytes, uint64_t at, unsigned size) {
  if (size == 0) return;
  bytes += at / 8;
  const unsigned skip = at % 8;
  const unsigned head = 8 - skip;  // room in the first byte
  if (size <= head) {
    const unsigned shift = head - size;
    merge(bytes, static_cast<unsigned>(number & low_mask(size)) << shift,
          static_cast<unsigned>(low_mask(size)) << shift);
    return;
  }
  if (skip != 0) {
    size -= head;
    merge(bytes, static_cast<unsigned>(number >> size), 0xFFu >> skip);
    ++bytes;
  }
  const unsigned tail = size % 8;
  store_bytes(number >> tail, bytes, size / 8);
  if (tail != 0) {
    merge(bytes + size / 8, static_cast<unsigned>(number << (8 - tail)), 0xFF00u >> tail);
  }
}

void copy_bits(BitsView from, uint8_t* to, uint64_t at) {
  if (from.size == 0) return;
  if (const unsigned skip = at % 8; skip != 0) {
    const auto head = static_cast<unsigned>(std::min<uint64_t>(8 - skip, from.size));
    store_bits(load_bits(from.bytes, from.first, head), to, at, head);
    from.first += head;
    from.size -= head;
    at += head;
    if (from.size == 0) return;
  }
  to += at / 8;
  const uint8_t* source = from.bytes + from.first / 8;
  const unsigned shift = from.first % 8;
  uint64_t left = from.size;
  if (shift == 0) {
    const uint64_t whole = left / 8;
    std::memcpy(to, source, whole);
    to += whole;
    source += whole;
    left %= 8;
  }
  for (; left >= 64; left -= 64, to += 8, source += 8) {
    store_word(load_word(source) << shift | source[8] >> (8 - shift), to);
  }
  store_bits(load_bits(source, shift, static_cast<unsigned>(left)), to, 0,
             static_cast<unsigned>(left));
}

int compare_bits(BitsView a, BitsView b) {
  uint64_t left = std::min(a.size, b.size);
  uint64_t a_at = a.first;
  uint64_t b_at = b.first;
  if (a.is_aligned() && b.is_aligned() && left >= 8) {
    if (const int order = std::memcmp(a.data(), b.data(), left / 8); order != 0) return order;
    a_at += left / 8 * 8;
    b_at += left / 8 * 8;
    left %= 8;
  }
  while (left > 0) {
    const auto size = static_cast<unsigned>(std::min<uint64_t>(left, 64));
    const uint64_t x = load_bits(a.bytes, a_at, size);
    const uint64_t y = load_bits(b.bytes, b_at, size);
    if (x != y) return x < y ? -1 : 1;
    a_at += size;
    b_at += size;
    left -= size;
  }
  return a.size < b.size ? -1 : a.size > b.size ? 1 : 0;
}

// ---- Integers ---------------------------------------------------------------

namespace {

// Little-endian numbers consist of whole bytes, least significant first, and
// then of the bits that are left, which are the most significant ones.
uint64_t load_little(const uint8_t* bytes, uint64_t at, unsigned size) {
  const unsigned rest = size % 8;
  const unsigned whole = size - rest;
  uint64_t number = 0;
  if (whole > 0) number = __builtin_bswap64(load_bits(bytes, at, whole) << (64 - whole));
  if (rest > 0) number |= load_bits(bytes, at + whole, rest) << whole;
  return number;
}

void store_little(uint64_t number, uint8_t* bytes, uint64_t at, unsigned size) {
  const unsigned rest = size % 8;
  const unsigned whole = size - rest;
  if (whole > 0) store_bits(__builtin_bswap64(number) >> (64 - whole), bytes, at, whole);
  if (rest > 0) store_bits(number >> whole, bytes, at + whole, rest);
}

// The limbs of an integer in two's complement, as if there were no end of them.
class TwosComplement {
 public:
  explicit TwosComplement(Value integer) {
    if (integer.is_small()) {
      small_ = static_cast<uint64_t>(integer.small());
      limbs_ = {&small_, 1};
      beyond_ = integer.small() < 0 ? ~uint64_t{0} : 0;
      return;
    }
    limbs_ = integer.limbs();
    if (!integer.is_negative_big()) return;
    beyond_ = ~uint64_t{0};
    negate_from_ = 0;
    while (limbs_[negate_from_] == 0) ++negate_from_;
  }
  TwosComplement(const TwosComplement&) = delete;
  TwosComplement& operator=(const TwosComplement&) = delete;

  uint64_t operator[](size_t i) const {
    if (i >= limbs_.size()) return beyond_;
    if (i < negate_from_) return limbs_[i];
    return i == negate_from_ ? -limbs_[i] : ~limbs_[i];
  }

 private:
  uint64_t small_ = 0;
  std::span<const uint64_t> limbs_;
  uint64_t beyond_ = 0;
  size_t negate_from_ = std::numeric_limits<size_t>::max();
};

}  // namespace

Value read_integer(Heap& heap, const uint8_t* bytes, uint64_t at, uint64_t size, Endian endian,
                   bool is_signed) {
  if (size <= 64) {
    const auto bits = static_cast<unsigned>(size);
    const uint64_t number =
        endian == Endian::Big ? load_bits(bytes, at, bits) : load_little(bytes, at, bits);
    if (!is_signed || bits == 0) return heap.integer(number);
    const unsigned unused = 64 - bits;
    return heap.integer(static_cast<int64_t>(number << unused) >> unused);
  }
  const size_t count = (size + 63) / 64;
  const auto top_bits = static_cast<unsigned>(size - (count - 1) * 64);
  std::vector<uint64_t> limbs(count);
  for (size_t i = 0; i + 1 < count; ++i) {
    limbs[i] = endian == Endian::Big ? load_bits(bytes, at + size - 64 * (i + 1), 64)
                                     : load_little(bytes, at + 64 * i, 64);
  }
  limbs.back() = endian == Endian::Big ? load_bits(bytes, at, top_bits)
                                       : load_little(bytes, at + 64 * (count - 1), top_bits);
  const bool negative = is_signed && (limbs.back() >> (top_bits - 1)) != 0;
  if (negative) {
    limbs.back() |= ~low_mask(top_bits);
    mpn_neg(limbs.data(), limbs.data(), static_cast<mp_size_t>(count));
  }
  return heap.integer(negative, limbs);
}

void write_integer(Value integer, uint8_t* bytes, uint64_t at, uint64_t size, Endian endian) {
  const TwosComplement number(integer);
  const size_t whole = size / 64;
  const auto rest = static_cast<unsigned>(size % 64);
  if (endian == Endian::Big) {
    for (size_t i = 0; i < whole; ++i) store_bits(number[i], bytes, at + size - 64 * (i + 1), 64);
    store_bits(number[whole], bytes, at, rest);
  } else {
    for (size_t i = 0; i < whole; ++i) store_little(number[i], bytes, at + 64 * i, 64);
    store_little(number[whole], bytes, at + 64 * whole, rest);
  }
}

// ---- Floats -----------------------------------------------------------------

namespace {

// Half precision: sign, 5 bits of exponent, 10 of fraction.
constexpr int kHalfFraction = 10;
constexpr int kHalfBias = 15;
constexpr unsigned kHalfInfinity = 31u << kHalfFraction;

double half_to_double(unsigned half) {
  const unsigned exponent = half >> kHalfFraction & 31;
  const unsigned fraction = half & ((1u << kHalfFraction) - 1);
  double value;
  if (exponent == 31) {
    value = std::numeric_limits<double>::infinity();  // or no number: finite it is not
  } else if (exponent == 0) {
    value = std::ldexp(fraction, 1 - kHalfBias - kHalfFraction);
  } else {
    value = std::ldexp(fraction | 1u << kHalfFraction,
                       static_cast<int>(exponent) - kHalfBias - kHalfFraction);
  }
  return (half & 0x8000) != 0 ? -value : value;
}

// The nearest, ties to even; infinite if that is beyond the largest.
unsigned double_to_half(double value) {
  const unsigned sign = std::signbit(value) ? 0x8000 : 0;
  value = std::fabs(value);
  if (value == 0) return sign;
  int exponent = 0;
  std::frexp(value, &exponent);  // value = 0.1… * 2^exponent
  const int least = std::max(exponent - 1, 1 - kHalfBias) - kHalfFraction;  // of its last bit
  const double scaled = std::nearbyint(std::ldexp(value, -least));
  if (!(scaled < 4096)) return sign | kHalfInfinity;
  // A carry out of the fraction goes up into the exponent, as it should.
  const unsigned biased = static_cast<unsigned>(least + kHalfFraction + kHalfBias - 1)
                          << kHalfFraction;
  return sign | std::min(biased + static_cast<unsigned>(scaled), kHalfInfinity);
}

uint64_t load_endian(const uint8_t* bytes, uint64_t at, unsigned size, Endian endian) {
  return endian == Endian::Big ? load_bits(bytes, at, size) : load_little(bytes, at, size);
}

void store_endian(uint64_t number, uint8_t* bytes, uint64_t at, unsigned size, Endian endian) {
  if (endian == Endian::Big) {
    store_bits(number, bytes, at, size);
  } else {
    store_little(number, bytes, at, size);
  }
}

}  // namespace

std::optional<double> read_float(const uint8_t* bytes, uint64_t at, uint64_t size, Endian endian) {
  double value;
  if (size == 64) {
    value = std::bit_cast<double>(load_endian(bytes, at, 64, endian));
  } else if (size == 32) {
    value = std::bit_cast<float>(static_cast<uint32_t>(load_endian(bytes, at, 32, endian)));
  } else if (size == 16) {
    value = half_to_double(static_cast<unsigned>(load_endian(bytes, at, 16, endian)));
  } else {
    return std::nullopt;
  }
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

bool write_float(double number, uint8_t* bytes, uint64_t at, uint64_t size, Endian endian) {
  if (size == 64) {
    store_endian(std::bit_cast<uint64_t>(number), bytes, at, 64, endian);
    return true;
  }
  if (size == 32) {
    store_endian(std::bit_cast<uint32_t>(static_cast<float>(number)), bytes, at, 32, endian);
    return true;
  }
  if (size != 16) return false;
  store_endian(double_to_half(number), bytes, at, 16, endian);
  return true;
}

// ---- Characters -------------------------------------------------------------

namespace {

constexpr bool is_character(uint32_t c) { return c < 0xD800 || (c > 0xDFFF && c <= 0x10FFFF); }

std::optional<Character> read_utf8(const uint8_t* bytes, uint64_t at, uint64_t end) {
  if (end - at < 8) return std::nullopt;
  auto byte = [&](unsigned i) { return static_cast<uint32_t>(load_bits(bytes, at + 8 * i, 8)); };
  const uint32_t first = byte(0);
  if (first < 0x80) return Character{first, 8};
  const unsigned length = first < 0xC2   ? 0
                          : first < 0xE0 ? 2
                          : first < 0xF0 ? 3
                          : first < 0xF5 ? 4
                                         : 0;
  if (length == 0 || end - at < 8 * length) return std::nullopt;
  uint32_t c = first & (0x7Fu >> length);
  for (unsigned i = 1; i < length; ++i) {
    const uint32_t next = byte(i);
    if ((next & 0xC0) != 0x80) return std::nullopt;
    c = c << 6 | (next & 0x3F);
  }
  const bool overlong = (length == 3 && c < 0x800) || (length == 4 && c < 0x10000);
  if (overlong || !is_character(c)) return std::nullopt;
  return Character{c, 8 * length};
}

std::optional<Character> read_utf16(const uint8_t* bytes, uint64_t at, uint64_t end,
                                    Endian endian) {
  if (end - at < 16) return std::nullopt;
  const auto first = static_cast<uint32_t>(load_endian(bytes, at, 16, endian));
  if (is_character(first)) return Character{first, 16};
  if (first > 0xDBFF || end - at < 32) return std::nullopt;
  const auto second = static_cast<uint32_t>(load_endian(bytes, at + 16, 16, endian));
  if (second < 0xDC00 || second > 0xDFFF) return std::nullopt;
  return Character{0x10000 + ((first & 0x3FF) << 10 | (second & 0x3FF)), 32};
}

}  // namespace

std::optional<Character> read_character(const uint8_t* bytes, uint64_t at, uint64_t end, Utf utf,
                                        Endian endian) {
  if (at > end) return std::nullopt;
  switch (utf) {
    case Utf::Utf8:
      return read_utf8(bytes, at, end);
    case Utf::Utf16:
      return read_utf16(bytes, at, end, endian);
    case Utf::Utf32: {
      if (end - at < 32) return std::nullopt;
      const auto c = static_cast<uint32_t>(load_endian(bytes, at, 32, endian));
      if (!is_character(c)) return std::nullopt;
      return Character{c, 32};
    }
  }
  __builtin_unreachable();
}

uint64_t character_bits(uint32_t code_point, Utf utf) {
  if (!is_character(code_point)) return 0;
  switch (utf) {
    case Utf::Utf8:
      return code_point < 0x80 ? 8 : code_point < 0x800 ? 16 : code_point < 0x10000 ? 24 : 32;
    case Utf::Utf16:
      return code_point < 0x10000 ? 16 : 32;
    case Utf::Utf32:
      return 32;
  }
  __builtin_unreachable();
}

void write_character(uint32_t c, uint8_t* bytes, uint64_t at, Utf utf, Endian endian) {
  switch (utf) {
    case Utf::Utf8: {
      auto six = [&](int shift) { return 0x80u | (c >> shift & 0x3Fu); };
      if (c < 0x80) return store_bits(c, bytes, at, 8);
      if (c < 0x800) return store_bits((0xC0u | c >> 6) << 8 | six(0), bytes, at, 16);
      if (c < 0x10000) {
        return store_bits((0xE0u | c >> 12) << 16 | six(6) << 8 | six(0), bytes, at, 24);
      }
      return store_bits((0xF0u | c >> 18) << 24 | six(12) << 16 | six(6) << 8 | six(0), bytes, at,
                        32);
    }
    case Utf::Utf16:
      if (c < 0x10000) return store_endian(c, bytes, at, 16, endian);
      store_endian(0xD800 | (c - 0x10000) >> 10, bytes, at, 16, endian);
      return store_endian(0xDC00 | ((c - 0x10000) & 0x3FF), bytes, at + 16, 16, endian);
    case Utf::Utf32:
      return store_endian(c, bytes, at, 32, endian);
  }
}

}  // namespace fathom::machine
