// MD5 (RFC 1321), CRC-32 and Adler-32 (zlib).
#include <zlib.h>

#include <array>
#include <bit>
#include <cstring>

#include "natives/families.h"
#include "values/arithmetic.h"
#include "values/lists.h"

namespace fathom::machine::checksum_natives {
namespace {

// ---- MD5 --------------------------------------------------------------------

// As it stands in the binary that md5_init/0 gives: OTP has the same 88 bytes.
struct Md5 {
  std::array<uint32_t, 4> state = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476};
  uint64_t bits = 0;  // of all bytes so far
  std::array<uint8_t, 64> block{};

  void update(std::string_view bytes);
  std::string finish();

 private:
  void transform(const uint8_t* bytes);
};
static_assert(sizeof(Md5) == 88);

constexpr uint32_t kSines[64] = {
    0xD76AA478, 0xE8C7B756, 0x242070DB, 0xC1BDCEEE, 0xF57C0FAF, 0x4787C62A, 0xA8304613, 0xFD469501,
    0x698098D8, 0x8B44F7AF, 0xFFFF5BB1, 0x895CD7BE, 0x6B901122, 0xFD987193, 0xA679438E, 0x49B40821,
    0xF61E2562, 0xC040B340, 0x265E5A51, 0xE9B6C7AA, 0xD62F105D, 0x02441453, 0xD8A1E681, 0xE7D3FBC8,
    0x21E1CDE6, 0xC33707D6, 0xF4D50D87, 0x455A14ED, 0xA9E3E905, 0xFCEFA3F8, 0x676F02D9, 0x8D2A4C8A,
    0xFFFA3942, 0x8771F681, 0x6D9D6122, 0xFDE5380C, 0xA4BEEA44, 0x4BDECFA9, 0xF6BB4B60, 0xBEBFBC70,
    0x289B7EC6, 0xEAA127FA, 0xD4EF3085, 0x04881D05, 0xD9D4D039, 0xE6DB99E5, 0x1FA27CF8, 0xC4AC5665,
    0xF4292244, 0x432AFF97, 0xAB9423A7, 0xFC93A039, 0x655B59C3, 0x8F0CCC92, 0xFFEFF47D, 0x85845DD1,
    0x6FA87E4F, 0xFE2CE6E0, 0xA3014314, 0x4E0811A1, 0xF7537E82, 0xBD3AF235, 0x2AD7D2BB, 0xEB86D391};
constexpr int kShifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

void Md5::transform(const uint8_t* bytes) {
  static_assert(std::endian::native == std::endian::little);
  uint32_t words[16];
  std::memcpy(words, bytes, sizeof(words));
  auto [a, b, c, d] = state;
  for (uint32_t i = 0; i < 64; ++i) {
    const uint32_t round = i / 16;
    uint32_t mixed;
    uint32_t from;
    if (round == 0) {
      mixed = (b & c) | (~b & d);
      from = i;
    } else if (round == 1) {
      mixed = (d & b) | (~d & c);
      from = 5 * i + 1;
    } else if (round == 2) {
      mixed = b ^ c ^ d;
      from = 3 * i + 5;
    } else {
      mixed = c ^ (b | ~d);
      from = 7 * i;
    }
    const uint32_t sum = a + mixed + kSines[i] + words[from % 16];
    a = d;
    d = c;
    c = b;
    b += std::rotl(sum, kShifts[round][i % 4]);
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
}

void Md5::update(std::string_view bytes) {
  size_t used = bits / 8 % 64;
  bits += bytes.size() * 8;
  const auto* p = reinterpret_cast<const uint8_t*>(bytes.data());
  size_t left = bytes.size();
  while (left > 0) {
    const size_t part = std::min(left, 64 - used);
    std::memcpy(block.data() + used, p, part);
    used += part;
    p += part;
    left -= part;
    if (used == 64) {
      transform(block.data());
      used = 0;
    }
  }
}

std::string Md5::finish() {
  const uint64_t size = bits;
  const size_t used = bits / 8 % 64;
  std::string padding(used < 56 ? 56 - used : 120 - used, '\0');
  padding[0] = static_cast<char>(0x80);
  padding.append(reinterpret_cast<const char*>(&size), sizeof(size));
  update(padding);
  return {reinterpret_cast<const char*>(state.data()), sizeof(state)};
}

// Every part of an iolist to `add`; false if it is none.
template <class Add>
bool for_bytes(Value iolist, Add add) {
  std::string small;
  const auto flush = [&] {
    add(std::string_view(small));
    small.clear();
  };
  constexpr size_t kGathered = 4096;
  const bool ok = walk_iolist(
      iolist,
      [&](uint8_t byte) {
        small += static_cast<char>(byte);
        if (small.size() >= kGathered) flush();
      },
      [&](Value bits) {
        if (bits.bit_size() % 8 != 0) return false;
        flush();
        add(BytesOf(bits).text());
        return true;
      });
  flush();
  return ok;
}

Value context_binary(Context& c, const Md5& md5) {
  return c.heap.binary({reinterpret_cast<const uint8_t*>(&md5), sizeof(md5)});
}

std::optional<Md5> read_context(Value value) {
  if (!value.is_binary() || value.bit_size() != sizeof(Md5) * 8) return std::nullopt;
  Md5 md5;
  std::memcpy(static_cast<void*>(&md5), BytesOf(value).text().data(), sizeof(md5));
  return md5;
}

Value md5_1(Context& c, const Value* a) {
  Md5 md5;
  if (!for_bytes(a[0], [&](std::string_view bytes) { md5.update(bytes); })) return c.badarg();
  return c.heap.binary(std::string_view(md5.finish()));
}

Value md5_init_0(Context& c, const Value*) { return context_binary(c, Md5()); }

Value md5_update_2(Context& c, const Value* a) {
  auto md5 = read_context(a[0]);
  if (!md5) return c.badarg();
  if (!for_bytes(a[1], [&](std::string_view bytes) { md5->update(bytes); })) return c.badarg();
  return context_binary(c, *md5);
}

Value md5_final_1(Context& c, const Value* a) {
  auto md5 = read_context(a[0]);
  return md5 ? c.heap.binary(std::string_view(md5->finish())) : c.badarg();
}

// ---- CRC-32 and Adler-32 ----------------------------------------------------

using Sum = uLong (*)(uLong, const Bytef*, uInt);
using Combine = uLong (*)(uLong, uLong, z_off_t);

std::optional<uint32_t> to_uint32(Value value) {
  const auto n = to_uint64(value);
  if (!value.is_integer() || !n || *n > UINT32_MAX) return std::nullopt;
  return static_cast<uint32_t>(*n);
}

Value checksum(Context& c, Sum sum, std::optional<uint32_t> before, Value iolist) {
  if (!before) return c.badarg();
  uLong value = *before;
  const bool ok = for_bytes(iolist, [&](std::string_view bytes) {
    while (!bytes.empty()) {  // zlib counts in 32 bits
      const std::string_view part = bytes.substr(0, size_t{1} << 30);
      value =
          sum(value, reinterpret_cast<const Bytef*>(part.data()), static_cast<uInt>(part.size()));
      bytes.remove_prefix(part.size());
    }
  });
  return ok ? c.heap.integer(uint64_t{value}) : c.badarg();
}

Value combined(Context& c, Combine combine, const Value* a) {
  const auto first = to_uint32(a[0]);
  const auto second = to_uint32(a[1]);
  const auto size = to_uint32(a[2]);
  if (!first || !second || !size) return c.badarg();
  return c.heap.integer(uint64_t{combine(*first, *second, static_cast<z_off_t>(*size))});
}

Value crc32_1(Context& c, const Value* a) { return checksum(c, crc32, 0, a[0]); }
Value crc32_2(Context& c, const Value* a) { return checksum(c, crc32, to_uint32(a[0]), a[1]); }
Value crc32_combine_3(Context& c, const Value* a) { return combined(c, crc32_combine, a); }
Value adler32_1(Context& c, const Value* a) { return checksum(c, adler32, 1, a[0]); }
Value adler32_2(Context& c, const Value* a) { return checksum(c, adler32, to_uint32(a[0]), a[1]); }
// What has no bytes adds nothing, whatever its sum is said to be.
Value adler32_combine_3(Context& c, const Value* a) {
  const bool is_empty = a[2] == Value::small(0) && to_uint32(a[0]) && to_uint32(a[1]);
  return is_empty ? a[0] : combined(c, adler32_combine, a);
}

constexpr NativeEntry kEntries[] = {
    {"erlang", "md5", 1, md5_1},
    {"erlang", "md5_init", 0, md5_init_0},
    {"erlang", "md5_update", 2, md5_update_2},
    {"erlang", "md5_final", 1, md5_final_1},
    {"erlang", "crc32", 1, crc32_1},
    {"erlang", "crc32", 2, crc32_2},
    {"erlang", "crc32_combine", 3, crc32_combine_3},
    {"erlang", "adler32", 1, adler32_1},
    {"erlang", "adler32", 2, adler32_2},
    {"erlang", "adler32_combine", 3, adler32_combine_3},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::checksum_natives
