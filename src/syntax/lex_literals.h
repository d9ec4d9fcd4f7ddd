// The inner parts of the lexer: numbers, characters, quoted texts. Each reads
// from a pointer up to `end` and says where it stopped; none allocates unless
// an escape or a big number makes it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fathom {

struct NumberToken {
  const char* end = nullptr;
  bool is_float = false;
  double float_value = 0;
  uint32_t small_value = 0;  // when `digits` is empty
  std::string digits;        // decimal, for integers beyond 31 bits
  std::string error;
};
// `p` stands on a digit. 1_000, 16#FF, 1.5e-3, 2#1.01#e5; `1.` leaves the dot.
NumberToken lex_number(const char* p, const char* end);

struct CharacterToken {
  const char* end = nullptr;
  uint32_t code_point = 0;
  std::string error;
};
// `p` stands after the `$`.
CharacterToken lex_character(const char* p, const char* end);

enum class Escapes : uint8_t { Processed, Verbatim };

struct QuotedText {
  const char* end = nullptr;  // after the closing quote
  std::string_view raw;       // the text between the quotes
  std::string unescaped;      // instead of `raw` when has_escapes
  bool has_escapes = false;
  bool unterminated = false;
  std::string error;
  const char* error_at = nullptr;
  const char* error_end = nullptr;

  std::string_view text() const { return has_escapes ? std::string_view(unescaped) : raw; }
};
// `p` stands after the opening quote.
QuotedText lex_quoted(const char* p, const char* end, char quote, Escapes escapes);

// Whether the three quotes at `p` open a triple-quoted string, that is, whether
// nothing but white space follows them on their line.
bool opens_triple_quoted(const char* p, const char* end);
// `p` stands on the first of the opening quotes. Indentation is removed as EEP 64 says.
QuotedText lex_triple_quoted(const char* p, const char* end, Escapes escapes);

// The closing partner of a sigil's opening delimiter, '\0' if it is none.
char sigil_closing_delimiter(char open);

}  // namespace fathom
