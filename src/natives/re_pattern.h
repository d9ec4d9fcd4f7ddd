// Regular expressions, compiled with PCRE2 to behave as the PCRE 8.44 inside OTP 25.
//
// A compiled pattern is, as a term, {re_pattern, Captures, Unicode, Crlf, Binary}
// with the source and its options in the binary: it needs no state, and what PCRE2
// makes of it is kept in a cache.
#pragma once

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fathom::machine {

// What a pattern is made of; 0 for a newline or \R that is left as it is by default.
struct ReSource {
  std::string text;
  uint32_t options = 0;  // PCRE2's
  uint32_t newline = 0;
  uint32_t bsr = 0;

  std::string encoded() const;
  // False: not written by encoded().
  bool decode(std::string_view bytes);
  // Without (*CRLF) and the like at the beginning of the text.
  void drop_newline_verbs();
};

struct ReName {
  std::string name;
  uint32_t group;
};

struct RePattern {
  ReSource source;
  pcre2_code* code = nullptr;
  uint32_t captures = 0;
  bool crlf = false;          // \r\n may be a newline
  std::vector<ReName> names;  // sorted
  // If code is null: as PCRE 8.44 says it, and where.
  std::string error;
  size_t error_offset = 0;

  RePattern() = default;
  RePattern(const RePattern&) = delete;
  RePattern& operator=(const RePattern&) = delete;
  ~RePattern() { pcre2_code_free(code); }
};

// From the cache, if it is there.
std::shared_ptr<const RePattern> re_pattern(const ReSource& source);

}  // namespace fathom::machine
