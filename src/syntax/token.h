// Tokens: 16 bytes each, in one array for each file. A token says where it
// stands (a Loc and a length) and what it is worth: the atom or variable name,
// a small integer, or an index into the run's pool of literals.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/append_only.h"
#include "base/atom.h"
#include "base/source.h"

namespace fathom {

enum class TokenKind : uint8_t {
#define TOKEN(Id, Text) Id,
#include "syntax/tokens.def"
#undef TOKEN
};

// As in source: "->", "case"; for tokens with a value the name of their class.
std::string_view token_text(TokenKind kind);
bool is_reserved_word(TokenKind kind);
// The atom of a reserved word or operator token; '' for other kinds.
Atom token_atom(TokenKind kind);

struct Token {
  enum Flag : uint8_t {
    kPooled = 1,  // Integer: `value` is an index into Literals::integers
    kQuoted = 2,  // Atom: written in quotes
    kTripleQuoted = 4,
  };

  TokenKind kind = TokenKind::End;
  uint8_t flags = 0;
  Loc loc;
  uint32_t length = 0;
  uint32_t value = 0;  // Atom, Var, SigilPrefix: atom id; Char: code point; …

  Atom atom() const { return Atom(value); }
  bool is(TokenKind k) const { return kind == k; }
  bool is_atom(Atom a) const { return kind == TokenKind::Atom && value == a.id(); }
};

// Values of literals that do not fit into a token, for all files of a run.
// Append-only; a token's or node's index stays valid for the whole run. One thread at a
// time adds; meanwhile any may read what was added before.
class Literals {
 public:
  AppendOnly<std::string> integers;  // decimal digits; a sign in debug info only
  AppendOnly<double> floats;
  AppendOnly<std::string_view> strings;  // UTF-8, in a source text or owned here

  uint32_t add_integer(std::string digits);
  uint32_t add_float(double value);
  // The view must stay valid for the run, as the texts of a SourceMap do.
  uint32_t add_string(std::string_view utf8);
  uint32_t add_owned_string(std::string utf8);

 private:
  std::deque<std::string> owned_;
};

// A form: the tokens up to and with its full stop.
struct TokenForm {
  enum Flag : uint8_t {
    kHasMacro = 1,        // a '?' occurs
    kHasFeatureWord = 2,  // `maybe` or `else` occurs as a plain word
    kHasError = 4,        // a token could not be read; the form is not parsed
    kNoDot = 8,           // the file ended before the full stop
  };
  uint32_t first = 0;
  uint32_t count = 0;  // with the full stop
  uint8_t flags = 0;
  Loc after;  // where the scanner stands after the form
};

// Why a form with kHasError cannot be read. Kept with the tokens and not reported
// at once: an error in a part that -ifdef leaves out is none.
struct TokenError {
  uint32_t form = 0;  // index into TokenBuffer::forms
  Span span;
  std::string message;
};

// A file's tokens. After each form's full stop stands an End token, so that a
// parser may look at the token after any token of a form.
struct TokenBuffer {
  FileId file{};
  std::vector<Token> tokens;
  std::vector<TokenForm> forms;
  std::vector<TokenError> errors;  // ordered by form, at most one for each
  std::vector<Span> comments;
  Loc end;  // end of the text

  // Keeps the memory.
  void clear() {
    tokens.clear();
    forms.clear();
    errors.clear();
    comments.clear();
  }
};

}  // namespace fathom
