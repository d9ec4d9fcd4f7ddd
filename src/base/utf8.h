// UTF-8, as much of it as reading and writing Erlang needs. Code points that
// are not characters in UTF-8 (surrogates) are encoded like any other: Erlang
// strings may hold them through escapes of other tools' debug info.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fathom {

bool is_ascii(std::string_view bytes);
std::string latin1_to_utf8(std::string_view bytes);
// Offset of the first byte that is not part of well-formed UTF-8.
std::optional<size_t> find_invalid_utf8(std::string_view bytes);
size_t count_code_points(std::string_view utf8);
void append_utf8(std::string& out, uint32_t code_point);

// What stands for bytes that are not text.
constexpr uint32_t kReplacementCharacter = 0xFFFD;
// Decodes the code point at `*p` and moves `*p` after it; the text must be
// well-formed and not at its end.
uint32_t next_code_point(const char** p);

// What erl_scan accepts as a character: no surrogates, no U+FFFE, U+FFFF.
constexpr bool is_erlang_character(uint32_t c) {
  return c < 0xD800 || (c > 0xDFFF && c < 0xFFFE) || (c > 0xFFFF && c <= 0x10FFFF);
}

}  // namespace fathom
