#include "natives/re_pattern.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <unordered_map>

namespace fathom::machine {
namespace {

constexpr std::string_view kMagic = "ERCP fathom ";
constexpr size_t kMaxCached = 1000;

// ---- Latin-1 ----------------------------------------------------------------

bool is_latin1_upper(unsigned c) { return c >= 192 && c <= 222 && c != 215; }
bool is_latin1_lower(unsigned c) {
  return (c >= 223 && c != 247) || c == 170 || c == 181 || c == 186;
}

// Places in PCRE2's tables (pcre2_maketables).
constexpr size_t kLower = 0;
constexpr size_t kFlip = 256;
constexpr size_t kBits = 512;
constexpr size_t kTypes = 512 + 320;
constexpr size_t kTableSize = kTypes + 256;
constexpr size_t kUpperBits = 96;
constexpr size_t kLowerBits = 128;
constexpr size_t kWordBits = 160;
constexpr size_t kGraphBits = 192;
constexpr size_t kPrintBits = 224;
constexpr size_t kPunctBits = 256;
constexpr size_t kCntrlBits = 288;

// OTP's tables know the letters of Latin-1: those of the C locale, with the upper
// half added.
std::array<uint8_t, kTableSize> make_tables() {
  std::array<uint8_t, kTableSize> tables;
  const uint8_t* base = pcre2_maketables(nullptr);
  std::memcpy(tables.data(), base, kTableSize);
  pcre2_maketables_free(nullptr, base);
  for (unsigned c = 128; c < 256; ++c) {
    const auto add = [&](size_t set) {
      tables[kBits + set + c / 8] |= static_cast<uint8_t>(1u << c % 8);
    };
    const bool upper = is_latin1_upper(c);
    const bool lower = is_latin1_lower(c);
    if (upper) {
      tables[kLower + c] = static_cast<uint8_t>(c + 32);
      tables[kFlip + c] = static_cast<uint8_t>(c + 32);
      tables[kTypes + c] = tables[kTypes + 'G'];
      add(kUpperBits);
    } else if (lower) {
      if (c >= 224 && c != 255) tables[kFlip + c] = static_cast<uint8_t>(c - 32);
      tables[kTypes + c] = tables[kTypes + 'g'];
      add(kLowerBits);
    } else if (c >= 160) {
      add(kPunctBits);
    }
    if (upper || lower) add(kWordBits);
    if (c >= 160) add(kGraphBits);
    if (c >= 160) add(kPrintBits);
    if (c < 160) add(kCntrlBits);
  }
  return tables;
}

// ---- Errors -----------------------------------------------------------------

// Where PCRE2 says something else than PCRE 8.44: its code, and the old text.
struct ErrorText {
  int code;
  const char* text;
};
constexpr ErrorText kErrorTexts[] = {
    {107, "invalid escape sequence in character class"},
    {109, "nothing to repeat"},
    {114, "missing )"},
    {118, "missing ) after comment"},
    {119, "regular expression is too complicated"},
    {122, "unmatched parentheses"},
    {124, "malformed number or name after (?("},
    {126, "a numbered reference must not be zero"},
    {127, "conditional group contains more than two branches"},
    {129, "digit expected after (?+"},
    {134, "character value in \\x{} or \\o{} is too large"},
    {136, "\\C not allowed in lookbehind assertion"},
    {137, "PCRE does not support \\L, \\l, \\N{name}, \\U, or \\u"},
    {138, "number after (?C is > 255"},
    {139, "closing ) for (?C expected"},
    {142, "syntax error in subpattern name (missing terminator)"},
    {143, "two named subpatterns have the same name"},
    {144, "group name must start with a non-digit"},
    {147, "unknown property name after \\P or \\p"},
    {148, "subpattern name is too long (maximum 32 characters)"},
    {154, "DEFINE group contains more than one branch"},
    {158, "(?R or (?[+-]digits must be followed by )"},
    {161, "number is too big"},
    {168, "\\c must be followed by an ASCII character"},
    {174, "setting UTF is disabled by the application"},
    {178, "digits missing in \\x{} or \\o{}"},
    {179, "malformed number or name after (?("},
};
constexpr int kUnknownEscape = 103;
constexpr int kUnknownGroup = 111;
constexpr int kMissingParenthesis = 114;
constexpr int kBadRange = 150;
constexpr uint32_t kMostNested = 798;

std::string error_text(int code) {
  if (code < 0) return "invalid UTF-8 string";
  for (const ErrorText& known : kErrorTexts) {
    if (known.code == code) return known.text;
  }
  char text[256];
  pcre2_get_error_message(code, reinterpret_cast<PCRE2_UCHAR*>(text), sizeof text);
  return text;
}

bool is_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Of the parenthesis that closes the one at `at`.
size_t closing_place(std::string_view text, size_t at) {
  size_t depth = 0;
  for (size_t i = at; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '[') {
      const size_t end = text.find(']', i + 2);
      if (end == std::string_view::npos) break;
      i = end;
    } else if (text[i] == '(') {
      ++depth;
    } else if (text[i] == ')' && --depth == 0) {
      return i;
    }
  }
  return text.size();
}

// Where PCRE 8.44 would have stopped.
size_t old_offset(int code, std::string_view text, size_t at) {
  switch (code) {
    case 115:  // a number is looked up at the end of the pattern, a name at its own end
      if (at > 0 && text[at - 1] == '\\') return text.size();
      while (at < text.size() && is_word(text[at])) ++at;
      return at;
    case 125:
      return closing_place(text, at);
    case kBadRange:
      return at - 1;
    case 137:
    case 143:
    case 147:
    case 169:
      return at > 0 ? at - 1 : at;
    default:
      return at;
  }
}

// ---- Compiling --------------------------------------------------------------

// PCRE2 has another name for this one.
std::string with_new_verbs(const std::string& text) {
  constexpr std::string_view kOld = "(*UTF8)";
  return text.starts_with(kOld) ? "(*UTF)" + text.substr(kOld.size()) : text;
}

void read_names(RePattern& pattern) {
  uint32_t count = 0;
  uint32_t size = 0;
  PCRE2_SPTR table = nullptr;
  pcre2_pattern_info(pattern.code, PCRE2_INFO_NAMECOUNT, &count);
  pcre2_pattern_info(pattern.code, PCRE2_INFO_NAMEENTRYSIZE, &size);
  pcre2_pattern_info(pattern.code, PCRE2_INFO_NAMETABLE, &table);
  for (uint32_t i = 0; i < count; ++i) {
    PCRE2_SPTR entry = table + size_t{i} * size;
    pattern.names.push_back({reinterpret_cast<const char*>(entry + 2),
                             static_cast<uint32_t>(entry[0]) << 8 | entry[1]});
  }
}

// Where a class of characters begins at `at`, behind what it begins with.
size_t begin_of_class(std::string_view text, size_t at) {
  ++at;
  if (at < text.size() && text[at] == '^') ++at;
  return at < text.size() && text[at] == ']' ? at + 1 : at;
}

// The length of the item of a class at `at`, and whether it stands for several characters.
struct ClassItem {
  size_t size;
  bool is_set;
};
ClassItem class_item(std::string_view text, size_t at) {
  constexpr std::string_view kSets = "dDwWsShHvVpPRNX";
  if (text.substr(at).starts_with("[:")) {
    const size_t end = text.find(":]", at + 2);
    if (end != std::string_view::npos) return {end + 2 - at, true};
  }
  if (text[at] != '\\' || at + 1 >= text.size()) return {1, false};
  const bool is_set = kSets.find(text[at + 1]) != std::string_view::npos;
  if (is_set && at + 2 < text.size() && text[at + 2] == '{') {
    const size_t end = text.find('}', at);
    if (end != std::string_view::npos) return {end + 1 - at, true};
  }
  return {2, is_set};
}

// A hyphen after something like \d in a class is itself in PCRE 8, and an error in PCRE2: it is
// escaped here.
std::string with_literal_hyphens(std::string_view text) {
  std::string result;
  size_t at = 0;
  while (at < text.size()) {
    if (text[at] != '[') {
      const size_t size = text[at] == '\\' && at + 1 < text.size() ? 2 : 1;
      result += text.substr(at, size);
      at += size;
      continue;
    }
    const size_t first = begin_of_class(text, at);
    result += text.substr(at, first - at);
    at = first;
    bool after_set = false;
    while (at < text.size() && text[at] != ']') {
      const bool is_hyphen = text[at] == '-' && at + 1 < text.size() && text[at + 1] != ']';
      if (is_hyphen && after_set) result += '\\';
      const ClassItem item = class_item(text, at);
      result += text.substr(at, item.size);
      at += item.size;
      after_set = item.is_set;
    }
  }
  return result;
}

// Where a match may begin PCRE2 computes without the tables above if the text is UTF-8: it would
// never look at an ä for \w.
bool is_misled(const ReSource& source) {
  if ((source.options & PCRE2_UTF) == 0 || (source.options & PCRE2_UCP) != 0) return false;
  return source.text.find('\\') != std::string::npos || source.text.find("[:") != std::string::npos;
}

void compile_into(const ReSource& source, RePattern& pattern) {
  static const std::array<uint8_t, kTableSize> tables = make_tables();
  pcre2_compile_context* context = pcre2_compile_context_create(nullptr);
  pcre2_set_character_tables(context, tables.data());
  pcre2_set_newline(context, source.newline != 0 ? source.newline : PCRE2_NEWLINE_LF);
  pcre2_set_bsr(context, source.bsr != 0 ? source.bsr : PCRE2_BSR_UNICODE);
  pcre2_set_parens_nest_limit(context, kMostNested);
  std::string text = with_new_verbs(source.text);
  int code = 0;
  PCRE2_SIZE offset = 0;
  const uint32_t options = source.options | (is_misled(source) ? PCRE2_NO_START_OPTIMIZE : 0);
  const auto compile = [&] {
    pattern.code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), options,
                                 &code, &offset, context);
  };
  compile();
  // An escape that means nothing is the character itself, in PCRE 8.
  if (!pattern.code && code == kUnknownEscape) {
    pcre2_set_compile_extra_options(context, PCRE2_EXTRA_BAD_ESCAPE_IS_LITERAL);
    compile();
  }
  if (!pattern.code && code == kBadRange) {
    text = with_literal_hyphens(text);
    compile();
  }
  pcre2_compile_context_free(context);
  if (!pattern.code) {
    if (code == kMissingParenthesis && text.ends_with("(?")) code = kUnknownGroup;
    pattern.error = error_text(code);
    pattern.error_offset = old_offset(code, text, offset);
    return;
  }
  uint32_t newline = 0;
  pcre2_pattern_info(pattern.code, PCRE2_INFO_CAPTURECOUNT, &pattern.captures);
  pcre2_pattern_info(pattern.code, PCRE2_INFO_NEWLINE, &newline);
  pattern.crlf = newline == PCRE2_NEWLINE_CRLF || newline == PCRE2_NEWLINE_ANY ||
                 newline == PCRE2_NEWLINE_ANYCRLF;
  read_names(pattern);
}

}  // namespace

std::string ReSource::encoded() const {
  std::string bytes(kMagic);
  for (const uint32_t number : {options, newline, bsr}) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  return bytes + text;
}

void ReSource::drop_newline_verbs() {
  size_t at = 0;
  while (text.compare(at, 2, "(*") == 0) {
    const size_t end = text.find(')', at);
    if (end == std::string::npos) return;
    const std::string verb = text.substr(at + 2, end - at - 2);
    if (verb == "CR" || verb == "LF" || verb == "CRLF" || verb == "ANYCRLF" || verb == "ANY") {
      text.erase(at, end + 1 - at);
    } else {
      at = end + 1;
    }
  }
}

bool ReSource::decode(std::string_view bytes) {
  if (!bytes.starts_with(kMagic) || bytes.size() < kMagic.size() + 12) return false;
  bytes.remove_prefix(kMagic.size());
  for (uint32_t* number : {&options, &newline, &bsr}) {
    std::memcpy(number, bytes.data(), sizeof *number);
    bytes.remove_prefix(sizeof *number);
  }
  text = bytes;
  return true;
}

std::shared_ptr<const RePattern> re_pattern(const ReSource& source) {
  static std::mutex mutex;
  static std::unordered_map<std::string, std::shared_ptr<const RePattern>> cache;
  const std::string key = source.encoded();
  const std::lock_guard lock(mutex);
  if (const auto it = cache.find(key); it != cache.end()) return it->second;
  if (cache.size() >= kMaxCached) cache.clear();
  auto pattern = std::make_shared<RePattern>();
  pattern->source = source;
  compile_into(source, *pattern);
  cache.emplace(key, pattern);
  return pattern;
}

}  // namespace fathom::machine
