#include "syntax/token.h"

namespace fathom {
namespace {

constexpr std::string_view kTexts[] = {
#define TOKEN(Id, Text) Text,
#include "syntax/tokens.def"
#undef TOKEN
};

static_assert(static_cast<uint32_t>(TokenKind::Else) - static_cast<uint32_t>(TokenKind::After) ==
                  atoms::else_.id() - atoms::after_.id(),
              "reserved words are in the same order in tokens.def and atoms.def");

}  // namespace

std::string_view token_text(TokenKind kind) { return kTexts[static_cast<size_t>(kind)]; }

bool is_reserved_word(TokenKind kind) {
  return kind >= TokenKind::After && kind <= TokenKind::Else;
}

Atom token_atom(TokenKind kind) {
  static const std::vector<Atom> table = [] {
    std::vector<Atom> atoms(std::size(kTexts));
    for (auto k = static_cast<size_t>(TokenKind::After); k < std::size(kTexts); ++k) {
      atoms[k] = Atom::intern(kTexts[k]);
    }
    return atoms;
  }();
  return table[static_cast<size_t>(kind)];
}

uint32_t Literals::add_integer(std::string digits) {
  return static_cast<uint32_t>(integers.append(std::move(digits)));
}

uint32_t Literals::add_float(double value) { return static_cast<uint32_t>(floats.append(value)); }

uint32_t Literals::add_string(std::string_view utf8) {
  return static_cast<uint32_t>(strings.append(utf8));
}

uint32_t Literals::add_owned_string(std::string utf8) {
  owned_.push_back(std::move(utf8));
  return add_string(owned_.back());
}

}  // namespace fathom
