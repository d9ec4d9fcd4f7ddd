// Bits against a reference that goes bit by bit, and against OTP's bit syntax.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "machine_values.h"
#include "oracle.h"
#include "values/arithmetic.h"
#include "values/bits.h"
#include "values/compare.h"
#include "values/external.h"

namespace fathom::machine::machine_bits_test {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes random_bytes(std::mt19937_64& random, size_t size) {
  Bytes bytes(size);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

bool bit(const uint8_t* bytes, uint64_t at) { return (bytes[at / 8] >> (7 - at % 8) & 1) != 0; }

void set_bit(uint8_t* bytes, uint64_t at, bool value) {
  const auto mask = static_cast<uint8_t>(0x80 >> at % 8);
  bytes[at / 8] = static_cast<uint8_t>(value ? bytes[at / 8] | mask : bytes[at / 8] & ~mask);
}

// Vectors of exactly the bytes that may be touched, so that the sanitizer sees more.
TEST(BitsTest, LoadStoreAndCopy) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 50'000; ++i) {
    const uint64_t from_at = random() % 20;
    const uint64_t to_at = random() % 20;
    const uint64_t size = random() % (i % 2 == 0 ? 65 : 400);
    const Bytes from = random_bytes(random, (from_at + size + 7) / 8);
    Bytes to = random_bytes(random, (to_at + size + 7) / 8);
    Bytes expected = to;
    for (uint64_t k = 0; k < size; ++k) {
      set_bit(expected.data(), to_at + k, bit(from.data(), from_at + k));
    }
    if (size <= 64 && random() % 2 == 0) {
      const auto bits = static_cast<unsigned>(size);
      uint64_t number = load_bits(from.data(), from_at, bits);
      if (bits < 64) number |= random() << bits;  // what is beyond must not matter
      store_bits(number, to.data(), to_at, bits);
    } else {
      copy_bits({from.data(), from_at, size}, to.data(), to_at);
    }
    ASSERT_EQ(to, expected) << from_at << " " << to_at << " " << size;
  }
}

TEST(BitsTest, Compare) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 50'000; ++i) {
    const uint64_t a_at = random() % 10;
    const uint64_t b_at = random() % 3 == 0 ? a_at : random() % 10;
    const uint64_t size = random() % 200;
    const uint64_t b_size = random() % 3 == 0 ? random() % 200 : size;
    const Bytes a = random_bytes(random, (a_at + size + 7) / 8);
    Bytes b = random_bytes(random, (b_at + b_size + 7) / 8);
    copy_bits({a.data(), a_at, std::min(size, b_size)}, b.data(), b_at);
    if (b_size > 0 && random() % 2 == 0) {
      const uint64_t at = b_at + random() % b_size;
      set_bit(b.data(), at, !bit(b.data(), at));
    }
    int expected = size < b_size ? -1 : size > b_size ? 1 : 0;
    for (uint64_t k = std::min(size, b_size); k-- > 0;) {
      const int difference = bit(a.data(), a_at + k) - bit(b.data(), b_at + k);
      if (difference != 0) expected = difference;
    }
    const int order = compare_bits({a.data(), a_at, size}, {b.data(), b_at, b_size});
    ASSERT_EQ(order < 0 ? -1 : order > 0 ? 1 : 0, expected);
  }
}

class BitSyntaxTest : public ::testing::Test {
 protected:
  struct Field {
    std::string type;
    Endian endian;
    uint64_t size;
    uint64_t at;
    Value value;
    Value bits;  // none: it cannot be made
    Value read;
  };

  Field next_field(Oracle& oracle) {
    const Value t = decode_value(oracle.next(), heap_, exports_.lookup()).value();
    return {std::string(t.element(0).atom().text()),
            t.element(1) == Value::small(1) ? Endian::Little : Endian::Big,
            static_cast<uint64_t>(t.element(2).small()),
            static_cast<uint64_t>(t.element(3).small()),
            t.element(4),
            t.element(5),
            t.element(6)};
  }

  // Room for the field after the bits that come first: 5, as OTP was told.
  static Bytes room(const Field& field, uint64_t size) {
    Bytes bytes((field.at + size + 7) / 8, 0);
    store_bits(5, bytes.data(), 0, static_cast<unsigned>(field.at));
    return bytes;
  }

  static void expect_bits(const Field& field, const Bytes& bytes, uint64_t size) {
    const BitsView expected = bits_of(field.bits);
    ASSERT_EQ(expected.size, field.at + size);
    EXPECT_EQ(compare_bits({bytes.data(), 0, field.at + size}, expected), 0)
        << field.type << " " << shown(field.value) << " " << shown(field.bits);
  }

  void check_integer(const Field& field) {
    Bytes bytes = room(field, field.size);
    write_integer(field.value, bytes.data(), field.at, field.size, field.endian);
    expect_bits(field, bytes, field.size);
    for (const bool is_signed : {false, true}) {
      const Value read =
          read_integer(heap_, bytes.data(), field.at, field.size, field.endian, is_signed);
      EXPECT_TRUE(equal_exact(read, field.read.element(is_signed ? 1 : 0)))
          << shown(field.bits) << " " << shown(read);
    }
  }

  void check_float(const Field& field) {
    Bytes bytes = room(field, field.size);
    const bool fits =
        write_float(field.value.real(), bytes.data(), field.at, field.size, field.endian);
    ASSERT_EQ(fits, field.bits.is_bitstring()) << shown(field.value);
    if (!fits) return;
    expect_bits(field, bytes, field.size);
    const auto read = read_float(bytes.data(), field.at, field.size, field.endian);
    ASSERT_EQ(read.has_value(), field.read.is_float());
    if (read) {
      EXPECT_EQ(*read, field.read.real());
    }
  }

  static void check_character(const Field& field) {
    const Utf utf = field.type == "utf8"    ? Utf::Utf8
                    : field.type == "utf16" ? Utf::Utf16
                                            : Utf::Utf32;
    const auto c = static_cast<uint32_t>(field.value.small());
    const uint64_t size = character_bits(c, utf);
    ASSERT_EQ(size > 0, field.bits.is_bitstring()) << c;
    if (size == 0) return;
    Bytes bytes = room(field, size);
    write_character(c, bytes.data(), field.at, utf, field.endian);
    expect_bits(field, bytes, size);
    const auto read = read_character(bytes.data(), field.at, field.at + size, utf, field.endian);
    ASSERT_TRUE(read.has_value()) << c;
    EXPECT_EQ(read->code_point, c);
    EXPECT_EQ(read->bits, size);
    EXPECT_FALSE(read_character(bytes.data(), field.at, field.at + size - 1, utf, field.endian));
  }

  Heap heap_;
  TestExports exports_;
};

TEST_F(BitSyntaxTest, FieldsAreAsInOtp) {
  if (!Oracle::available()) GTEST_SKIP() << "no escript";
  Oracle oracle;
  ASSERT_TRUE(oracle.run("bits", "1 20000"));
  while (!oracle.at_end()) {
    const Field field = next_field(oracle);
    if (field.type == "integer") {
      check_integer(field);
    } else if (field.type == "float") {
      check_float(field);
    } else {
      check_character(field);
    }
    if (HasFatalFailure()) return;
  }
}

TEST_F(BitSyntaxTest, WhatIsNoCharacter) {
  const struct {
    std::string_view bytes;
    Utf utf;
  } rows[] = {
      {"\x80", Utf::Utf8},
      {"\xC1\xBF", Utf::Utf8},
      {"\xE0\x9F\xBF", Utf::Utf8},
      {"\xED\xA0\x80", Utf::Utf8},
      {"\xF0\x8F\xBF\xBF", Utf::Utf8},
      {"\xF4\x90\x80\x80", Utf::Utf8},
      {"\xE2\x82", Utf::Utf8},
      {"\xE2\x28\xA1", Utf::Utf8},
      {"", Utf::Utf8},
      {std::string_view("\xD8\x00", 2), Utf::Utf16},
      {std::string_view("\xD8\x00\x00\x41", 4), Utf::Utf16},
      {std::string_view("\xDC\x00\xD8\x00", 4), Utf::Utf16},
      {std::string_view("\x00\x00\xD8\x00", 4), Utf::Utf32},
      {std::string_view("\x00\x11\x00\x00", 4), Utf::Utf32},
  };
  for (const auto& row : rows) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(row.bytes.data());
    EXPECT_FALSE(read_character(bytes, 0, row.bytes.size() * 8, row.utf, Endian::Big))
        << ::testing::PrintToString(row.bytes);
  }
}

// Parts share the bytes of a long bitstring; what they hold is the same.
TEST_F(BitSyntaxTest, PartsOfBitstrings) {
  std::mt19937_64 random(3);
  const Bytes bytes = random_bytes(random, 300);
  const Value whole = heap_.binary(bytes);
  for (int i = 0; i < 2'000; ++i) {
    const uint64_t first = random() % 1200;
    const uint64_t size = random() % 1200;
    const Value part = heap_.sub_bits(whole, first, size);
    const Value copy = heap_.bitstring(bytes.data(), first, size);
    ASSERT_EQ(part.bit_size(), size);
    EXPECT_TRUE(equal_exact(part, copy));
    EXPECT_EQ(shown(part), shown(copy));
    if (size < 20) continue;
    EXPECT_TRUE(
        equal_exact(heap_.sub_bits(part, 10, size - 15), heap_.sub_bits(copy, 10, size - 15)));
  }
}

}  // namespace
}  // namespace fathom::machine::machine_bits_test
