// Interned atoms, as in Erlang itself: one process-wide table, equal texts have
// equal ids, comparing two atoms is comparing two integers. Variable names,
// module names and macro names are atoms too.
//
// The names that the sources of Fathom mention are listed in atoms.def and have
// constant ids (`atoms::module`), so that code can switch on them. Text is
// UTF-8 and never freed. Safe for several threads; reading takes no lock.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <string_view>

namespace fathom {

class Atom {
 public:
  constexpr Atom() = default;  // ''
  constexpr explicit Atom(uint32_t id) : id_(id) {}

  static Atom intern(std::string_view text);

  constexpr uint32_t id() const { return id_; }
  std::string_view text() const;

  constexpr auto operator<=>(const Atom&) const = default;

 private:
  uint32_t id_ = 0;
};

namespace atoms {
namespace detail {
enum Id : uint32_t {
  kEmpty,
#define ATOM(Name, Text) k_##Name,
#include "base/atoms.def"
#undef ATOM
  kCount
};
}  // namespace detail
#define ATOM(Name, Text) inline constexpr Atom Name{detail::k_##Name};
#include "base/atoms.def"
#undef ATOM
}  // namespace atoms

// Number of atoms interned so far; ids are dense below it.
uint32_t atom_count();

}  // namespace fathom

template <>
struct std::hash<fathom::Atom> {
  size_t operator()(fathom::Atom a) const noexcept { return a.id(); }
};
