#include "syntax/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/utf8.h"
#include "syntax/lex_literals.h"

namespace fathom {
namespace {

// What a token that starts with a byte is. Single: that byte alone, see kSingles.
enum class Class : uint8_t { Space, Lower, Upper, Digit, Single, Other };

constexpr std::array<TokenKind, 256> kSingles = [] {
  std::array<TokenKind, 256> table{};
  table.fill(TokenKind::Invalid);
  table[','] = TokenKind::Comma;
  table[';'] = TokenKind::Semicolon;
  table['('] = TokenKind::LeftParen;
  table[')'] = TokenKind::RightParen;
  table['{'] = TokenKind::LeftBrace;
  table['}'] = TokenKind::RightBrace;
  table['['] = TokenKind::LeftBracket;
  table[']'] = TokenKind::RightBracket;
  table['#'] = TokenKind::Hash;
  table['*'] = TokenKind::Star;
  table['!'] = TokenKind::Bang;
  return table;
}();

constexpr std::array<Class, 256> kClasses = [] {
  std::array<Class, 256> table{};
  for (int c = 0; c < 256; ++c) {
    if (c <= ' ') {
      table[c] = Class::Space;
    } else if (c >= 'a' && c <= 'z') {
      table[c] = Class::Lower;
    } else if ((c >= 'A' && c <= 'Z') || c == '_') {
      table[c] = Class::Upper;
    } else if (c >= '0' && c <= '9') {
      table[c] = Class::Digit;
    } else if (kSingles[c] != TokenKind::Invalid) {
      table[c] = Class::Single;
    } else {
      table[c] = Class::Other;
    }
  }
  return table;
}();

// Characters that go on a name; the lead byte of U+00C0..U+00FF is looked at apart.
constexpr std::array<bool, 256> kNameChar = [] {
  std::array<bool, 256> table{};
  for (int c = 0; c < 256; ++c) {
    table[c] = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '@';
  }
  return table;
}();

constexpr size_t kMaxAtomCharacters = 255;

Class class_of(char c) { return kClasses[static_cast<uint8_t>(c)]; }

// Of the eight bytes at `p`, those before the first one that is not a blank.
size_t count_blanks(const char* p) {
  uint64_t word;
  std::memcpy(&word, p, sizeof(word));
  const uint64_t others = word ^ 0x2020202020202020ull;
  const int zero_bits = std::endian::native == std::endian::little ? std::countr_zero(others)
                                                                   : std::countl_zero(others);
  return static_cast<size_t>(zero_bits) / 8;
}

class Lexer {
 public:
  Lexer(const SourceMap& sources, FileId file, Literals& literals, TokenBuffer& out)
      : text_(sources.text(file)),
        begin_(text_.data()),
        end_(text_.data() + text_.size()),
        base_(sources.start(file).index()),
        ascii_(sources.is_ascii(file)),
        literals_(literals),
        out_(out) {
    out_.clear();
    out_.file = file;
    // A token is rarely shorter than four bytes with its white space.
    out_.tokens.reserve(text_.size() / 4 + 16);
  }

  void run() {
    while (true) {
      p_ += *p_ == ' ';  // between most tokens stands one; after the text stands NUL
      if (p_ >= end_) break;
      next();
    }
    close_form(true);
    out_.end = loc(end_);
  }

 private:
  Loc loc(const char* p) const { return Loc::text(base_ + static_cast<uint32_t>(p - begin_)); }

  void push(TokenKind kind, const char* start, uint32_t value = 0, uint8_t flags = 0) {
    out_.tokens.push_back({kind, flags, loc(start), static_cast<uint32_t>(p_ - start), value});
  }

  void punctuation(TokenKind kind, size_t length) {
    const char* start = p_;
    p_ += length;
    push(kind, start);
  }

  // Text after the end reads as NUL.
  char peek(size_t n) const { return n < static_cast<size_t>(end_ - p_) ? p_[n] : '\0'; }

  void next() {
    switch (class_of(*p_)) {
      case Class::Space:
        return space();
      case Class::Lower:
        return word();
      case Class::Upper:
        return variable();
      case Class::Digit:
        return number();
      case Class::Single:
        return punctuation(kSingles[static_cast<uint8_t>(*p_)], 1);
      case Class::Other:
        return other();
    }
  }

  // Mostly one blank, or a newline and the indentation after it.
  void space() {
    const char* p = p_ + 1;
    while (end_ - p >= 8) {
      const size_t blanks = count_blanks(p);
      p += blanks;
      if (blanks < 8) break;
    }
    while (p < end_ && class_of(*p) == Class::Space) ++p;
    p_ = p;
  }

  // Moves after the name that starts at p_; whether it is ASCII.
  bool skip_name() {
    const char* p = p_;
    bool ascii = true;
    while (true) {
      while (kNameChar[static_cast<uint8_t>(*p)]) ++p;
      // U+00C0..U+00FF without the multiplication and division signs
      if (static_cast<uint8_t>(*p) != 0xC3 || p[1] == '\x97' || p[1] == '\xB7') break;
      p += 2;
      ascii = false;
    }
    p_ = p;
    return ascii;
  }

  bool too_long(const char* start, bool ascii) const {
    const std::string_view name(start, static_cast<size_t>(p_ - start));
    if (name.size() <= kMaxAtomCharacters) return false;
    return ascii || count_code_points(name) > kMaxAtomCharacters;
  }

  void word() {
    const char* start = p_;
    const bool ascii = skip_name();
    if (too_long(start, ascii)) return error(start, "an atom has at most 255 characters");
    const Atom name = Atom::intern({start, static_cast<size_t>(p_ - start)});
    const uint32_t word_index = name.id() - atoms::after_.id();
    if (word_index < atoms::maybe_.id() - atoms::after_.id()) {
      const auto kind = static_cast<uint32_t>(TokenKind::After) + word_index;
      return push(static_cast<TokenKind>(kind), start, name.id());
    }
    if (name == atoms::maybe_ || name == atoms::else_) flags_ |= TokenForm::kHasFeatureWord;
    push(TokenKind::Atom, start, name.id());
  }

  void variable() {
    const char* start = p_;
    const bool ascii = skip_name();
    if (too_long(start, ascii)) return error(start, "a variable has at most 255 characters");
    push(TokenKind::Var, start, Atom::intern({start, static_cast<size_t>(p_ - start)}).id());
  }

  void number() {
    const char* start = p_;
    if (plain_number()) return;
    const NumberToken number = lex_number(p_, end_);
    p_ = number.end;
    if (!number.error.empty()) return error(start, number.error);
    if (number.is_float) {
      return push(TokenKind::Float, start, literals_.add_float(number.float_value));
    }
    if (number.digits.empty()) return push(TokenKind::Integer, start, number.small_value);
    push(TokenKind::Integer, start, literals_.add_integer(number.digits), Token::kPooled);
  }

  // Most numbers: a few decimal digits and nothing that could go on with them.
  bool plain_number() {
    constexpr ptrdiff_t kMaxDigits = 9;  // 31 bits hold them
    const char* p = p_;
    uint32_t value = 0;
    for (; class_of(*p) == Class::Digit; ++p) value = value * 10 + static_cast<uint8_t>(*p - '0');
    if (p - p_ > kMaxDigits || *p == '.' || *p == '_' || *p == '#') return false;
    const char* start = p_;
    p_ = p;
    push(TokenKind::Integer, start, value);
    return true;
  }

  void other() {
    switch (*p_) {
      case '%':
        return comment();
      case '"':
        return string();
      case '\'':
        return quoted_atom();
      case '$':
        return character();
      case '~':
        return sigil();
      case '.':
        return dot();
      case '?':
        if (peek(1) == '=') return punctuation(TokenKind::QuestionEqual, 2);
        flags_ |= TokenForm::kHasMacro;
        return punctuation(TokenKind::Question, 1);
      default:
        return static_cast<uint8_t>(*p_) < 0x80 ? operator_token() : non_ascii();
    }
  }

  void operator_token() {
    const char b = peek(1);
    const char c = peek(2);
    switch (*p_) {
      case '-':
        if (b == '>') return punctuation(TokenKind::Arrow, 2);
        if (b == '-') return punctuation(TokenKind::MinusMinus, 2);
        return punctuation(TokenKind::Minus, 1);
      case '=':
        if (b == ':' && c == '=') return punctuation(TokenKind::EqualColonEqual, 3);
        if (b == '/' && c == '=') return punctuation(TokenKind::EqualSlashEqual, 3);
        if (b == '<') return punctuation(TokenKind::EqualLess, 2);
        if (b == '>') return punctuation(TokenKind::DoubleArrow, 2);
        if (b == '=') return punctuation(TokenKind::EqualEqual, 2);
        return punctuation(TokenKind::Equal, 1);
      case ':':
        if (b == ':') return punctuation(TokenKind::ColonColon, 2);
        if (b == '=') return punctuation(TokenKind::ColonEqual, 2);
        return punctuation(TokenKind::Colon, 1);
      case '<':
        if (b == '<') return punctuation(TokenKind::LeftBinary, 2);
        if (b == '-') return punctuation(TokenKind::LeftArrow, 2);
        if (b == '=') return punctuation(TokenKind::LessEqual, 2);
        if (b == ':' && c == '-') return punctuation(TokenKind::StrictLeftArrow, 3);
        if (b == ':' && c == '=') return punctuation(TokenKind::StrictLessEqual, 3);
        return punctuation(TokenKind::Less, 1);
      case '>':
        if (b == '>') return punctuation(TokenKind::RightBinary, 2);
        if (b == '=') return punctuation(TokenKind::GreaterEqual, 2);
        return punctuation(TokenKind::Greater, 1);
      case '+':
        if (b == '+') return punctuation(TokenKind::PlusPlus, 2);
        return punctuation(TokenKind::Plus, 1);
      case '/':
        if (b == '=') return punctuation(TokenKind::SlashEqual, 2);
        return punctuation(TokenKind::Slash, 1);
      case '|':
        if (b == '|') return punctuation(TokenKind::BarBar, 2);
        return punctuation(TokenKind::Bar, 1);
      case '&':
        if (b == '&') return punctuation(TokenKind::AmpAmp, 2);
        return punctuation(TokenKind::OtherPunctuation, 1);
      default:
        return punctuation(TokenKind::OtherPunctuation, 1);
    }
  }

  // Latin-1 letters may start names, U+0080..U+00A0 is white space.
  void non_ascii() {
    const char* start = p_;
    const char* after = p_;
    const uint32_t c = next_code_point(&after);
    if (c <= 0xA0) {
      p_ = after;
      return;
    }
    if (c >= 0xC0 && c <= 0xFF && c != 0xD7 && c != 0xF7) return c >= 0xDF ? word() : variable();
    p_ = after;
    if (c <= 0xFF) return push(TokenKind::OtherPunctuation, start);
    constexpr uint32_t kByteOrderMark = 0xFEFF;
    if (c == kByteOrderMark && start == begin_) {
      return error(start,
                   "the file begins with a byte order mark (U+FEFF), which Erlang does not allow");
    }
    error(start, fmt::format("the character U+{:04X} is not allowed here", c));
  }

  void comment() {
    const char* start = p_;
    const void* newline = std::memchr(p_, '\n', static_cast<size_t>(end_ - p_));
    p_ = newline ? static_cast<const char*>(newline) : end_;
    out_.comments.push_back({loc(start), loc(p_)});
    if (ascii_) return;
    // U+FFFE and U+FFFF, encoded EF BF BE/BF, are not characters to erl_scan.
    const std::string_view text(start, static_cast<size_t>(p_ - start));
    for (size_t at = text.find("\xEF\xBF"); at != std::string_view::npos;
         at = text.find("\xEF\xBF", at + 1)) {
      if (static_cast<uint8_t>(text[at + 2]) >= 0xBE) {
        return error(start + at, "illegal character in a comment");
      }
    }
  }

  void dot() {
    const char b = peek(1);
    if (b == '.') {
      if (peek(2) == '.') return punctuation(TokenKind::ThreeDots, 3);
      return punctuation(TokenKind::TwoDots, 2);
    }
    const bool at_end = end_ - p_ == 1;
    const bool latin_space =
        static_cast<uint8_t>(b) == 0xC2 && static_cast<uint8_t>(peek(2)) <= 0xA0;
    if (!at_end && b != '%' && static_cast<uint8_t>(b) > ' ' && !latin_space) {
      return punctuation(TokenKind::Period, 1);
    }
    punctuation(TokenKind::Dot, 1);
    if (!at_end && b != '%') p_ += latin_space ? 2 : 1;  // the white space belongs to the full stop
    close_form(false);
  }

  void close_form(bool at_end) {
    const auto first = form_first_;
    const auto count = static_cast<uint32_t>(out_.tokens.size()) - first;
    if (count == 0 && !(flags_ & TokenForm::kHasError)) return;
    if (at_end) flags_ |= TokenForm::kNoDot;
    out_.forms.push_back({first, count, flags_, loc(p_)});
    push(TokenKind::End, p_);
    form_first_ = static_cast<uint32_t>(out_.tokens.size());
    flags_ = 0;
    last_long_text_ = {};
  }

  // A long row of quotes that opens nothing is looked at once.
  bool opens_triple() {
    if (p_ < plain_quotes_end_ || peek(0) != '"' || peek(1) != '"' || peek(2) != '"') return false;
    if (opens_triple_quoted(p_, end_)) return true;
    plain_quotes_end_ = std::find_if(p_, end_, [](char c) { return c != '"'; });
    return false;
  }

  void string() {
    if (opens_triple()) return triple_quoted(true);
    const char* start = p_;
    quoted('"', TokenKind::String, start, Escapes::Processed);
  }

  // Reads up to the closing quote and pushes the literal.
  void quoted(char quote, TokenKind kind, const char* start, Escapes escapes) {
    const QuotedText text = lex_quoted(p_ + 1, end_, quote, escapes);
    if (text.unterminated) return unterminated(kind, start);
    p_ = text.end;
    if (text.raw.find('\n') != std::string_view::npos) last_long_text_ = text.raw;
    if (!text.error.empty()) {
      return error_at(text.error_at, text.error_end, text.error);
    }
    if (kind == TokenKind::String) return push_string(start, text);
    const std::string_view name = text.text();
    if (name.size() > kMaxAtomCharacters && count_code_points(name) > kMaxAtomCharacters) {
      return error(start, "an atom has at most 255 characters");
    }
    push(TokenKind::Atom, start, Atom::intern(name).id(), Token::kQuoted);
  }

  void push_string(const char* start, const QuotedText& text, uint8_t flags = 0) {
    const uint32_t index = text.has_escapes ? literals_.add_owned_string(text.unescaped)
                                            : literals_.add_string(text.raw);
    push(TokenKind::String, start, index, flags);
  }

  // The text from a lone quote to the end of the file is no help to anyone:
  // report the quote, once for each kind, and go on with the next line.
  void unterminated(TokenKind kind, const char* start) {
    const bool seen = kind == TokenKind::Atom ? unterminated_atom_ : unterminated_string_;
    (kind == TokenKind::Atom ? unterminated_atom_ : unterminated_string_) = true;
    const void* newline = std::memchr(start, '\n', static_cast<size_t>(end_ - start));
    p_ = !newline || seen ? end_ : static_cast<const char*>(newline);
    std::string message = kind == TokenKind::Atom ? "this quoted atom is never closed"
                                                  : "this string is never closed";
    if (!last_long_text_.empty()) {
      message += fmt::format("; or is the quote missing that ends the one of line {}?",
                             1 + std::count(begin_, last_long_text_.data(), '\n'));
    }
    error_at(start, start + 1, message);
    // What looks like a full stop most likely is one.
    const std::string_view skipped(start, static_cast<size_t>(p_ - start));
    const size_t last = skipped.find_last_not_of(" \t\r");
    if (p_ < end_ && skipped[last] == '.') close_form(false);
  }

  void triple_quoted(bool plain) {
    const char* start = p_;
    const QuotedText text = lex_triple_quoted(
        p_, end_, plain || verbatim_sigil_ ? Escapes::Verbatim : Escapes::Processed);
    if (text.unterminated) return unterminated(TokenKind::String, start);
    p_ = text.end;
    if (!text.error.empty()) return error_at(text.error_at, text.error_end, text.error);
    push_string(start, text, Token::kTripleQuoted);
  }

  void quoted_atom() { quoted('\'', TokenKind::Atom, p_, Escapes::Processed); }

  void character() {
    const char* start = p_;
    const CharacterToken character = lex_character(p_ + 1, end_);
    p_ = character.end;
    if (!character.error.empty()) return error(start, character.error);
    push(TokenKind::Char, start, character.code_point);
  }

  // ~, a name of letters, a delimiter: ~"…", ~b"…", ~s(…), ~B"""…
  void sigil() {
    const char* start = p_++;
    const char* name = p_;
    while (kNameChar[static_cast<uint8_t>(*p_)]) ++p_;
    const Atom type = Atom::intern({name, static_cast<size_t>(p_ - name)});
    const char close = sigil_closing_delimiter(*p_);
    if (p_ >= end_ || close == '\0') {
      p_ = start + 1;
      return push(TokenKind::OtherPunctuation, start);
    }
    const std::string_view t = type.text();
    if (t != "" && t != "b" && t != "B" && t != "s" && t != "S") {
      return error(start, fmt::format("unknown sigil ~{}: there are ~, ~b, ~B, ~s and ~S", t));
    }
    push(TokenKind::SigilPrefix, start, type.id());
    const size_t forms_before = out_.forms.size();
    const bool triple = opens_triple();
    verbatim_sigil_ = t == "B" || t == "S" || (t == "" && triple);
    if (triple) {
      triple_quoted(false);
    } else {
      const char* open = p_;
      quoted(close, TokenKind::String, open,
             verbatim_sigil_ ? Escapes::Verbatim : Escapes::Processed);
    }
    if (flags_ & TokenForm::kHasError || out_.forms.size() != forms_before) return;
    const char* suffix = p_;
    while (kNameChar[static_cast<uint8_t>(*p_)]) ++p_;
    push(TokenKind::SigilSuffix, suffix);
    if (p_ > suffix) error(suffix, "no sigil has a suffix");
  }

  void error(const char* start, std::string_view message) { error_at(start, p_, message); }

  void error_at(const char* start, const char* end, std::string_view message) {
    if (!(flags_ & TokenForm::kHasError)) {
      const Span span{loc(start), loc(std::min(std::max(end, start + 1), end_))};
      out_.errors.push_back({static_cast<uint32_t>(out_.forms.size()), span, std::string(message)});
    }
    flags_ |= TokenForm::kHasError;
    if (p_ < end_) push(TokenKind::Invalid, start);
  }

  std::string_view text_;
  const char* begin_;
  const char* end_;
  const char* p_ = begin_;
  uint32_t base_;
  bool ascii_;
  Literals& literals_;
  TokenBuffer& out_;
  const char* plain_quotes_end_ = nullptr;
  std::string_view last_long_text_;  // in quotes and of several lines, in this form
  uint32_t form_first_ = 0;
  uint8_t flags_ = 0;
  bool verbatim_sigil_ = false;
  bool unterminated_atom_ = false;
  bool unterminated_string_ = false;
};

}  // namespace

void lex(const SourceMap& sources, FileId file, Literals& literals, TokenBuffer& out) {
  Lexer(sources, file, literals, out).run();
}

TokenBuffer lex(const SourceMap& sources, FileId file, Literals& literals) {
  TokenBuffer out;
  lex(sources, file, literals, out);
  return out;
}

}  // namespace fathom
