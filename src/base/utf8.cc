#include "base/utf8.h"

#include <cstring>

namespace fathom {
namespace {

// Length of the well-formed sequence at p, 0 if there is none.
size_t sequence_length(const uint8_t* p, size_t room) {
  auto cont = [&](size_t i) { return i < room && (p[i] & 0xC0) == 0x80; };
  const uint8_t b = p[0];
  if (b < 0x80) return 1;
  if (b < 0xC2) return 0;
  if (b < 0xE0) return cont(1) ? 2 : 0;
  if (b < 0xF0) {
    if (!cont(1) || !cont(2)) return 0;
    if (b == 0xE0 && p[1] < 0xA0) return 0;  // overlong
    if (b == 0xED && p[1] > 0x9F) return 0;  // surrogate
    return 3;
  }
  if (b > 0xF4 || !cont(1) || !cont(2) || !cont(3)) return 0;
  if (b == 0xF0 && p[1] < 0x90) return 0;  // overlong
  if (b == 0xF4 && p[1] > 0x8F) return 0;  // beyond U+10FFFF
  return 4;
}

}  // namespace

bool is_ascii(std::string_view bytes) {
  const char* p = bytes.data();
  size_t n = bytes.size();
  uint64_t seen = 0;
  for (; n >= 8; p += 8, n -= 8) {
    uint64_t word;
    std::memcpy(&word, p, 8);
    seen |= word;
  }
  for (; n > 0; ++p, --n) seen |= static_cast<uint8_t>(*p);
  return (seen & 0x8080808080808080ull) == 0;
}

std::string latin1_to_utf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() + bytes.size() / 16);
  for (const char c : bytes) append_utf8(out, static_cast<uint8_t>(c));
  return out;
}

std::optional<size_t> find_invalid_utf8(std::string_view bytes) {
  const auto* p = reinterpret_cast<const uint8_t*>(bytes.data());
  for (size_t i = 0; i < bytes.size();) {
    const size_t n = sequence_length(p + i, bytes.size() - i);
    if (n == 0) return i;
    i += n;
  }
  return std::nullopt;
}

size_t count_code_points(std::string_view utf8) {
  size_t n = 0;
  for (const char c : utf8) n += (static_cast<uint8_t>(c) & 0xC0) != 0x80;
  return n;
}

void append_utf8(std::string& out, uint32_t c) {
  auto put = [&](uint32_t byte) { out += static_cast<char>(byte); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | (c >> 6));
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | (c >> 18));
    put(0x80 | ((c >> 12) & 0x3F));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

uint32_t next_code_point(const char** p) {
  const auto* s = reinterpret_cast<const uint8_t*>(*p);
  if (s[0] < 0x80) {
    *p += 1;
    return s[0];
  }
  if (s[0] < 0xE0) {
    *p += 2;
    return (s[0] & 0x1Fu) << 6 | (s[1] & 0x3Fu);
  }
  if (s[0] < 0xF0) {
    *p += 3;
    return (s[0] & 0x0Fu) << 12 | (s[1] & 0x3Fu) << 6 | (s[2] & 0x3Fu);
  }
  *p += 4;
  return (s[0] & 0x07u) << 18 | (s[1] & 0x3Fu) << 12 | (s[2] & 0x3Fu) << 6 | (s[3] & 0x3Fu);
}

}  // namespace fathom
