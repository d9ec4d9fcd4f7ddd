// Atoms as text, and back. An atom has at most 255 characters.
//
// Which atoms exist depends on what was loaded before, in OTP and here. Here the
// names of variables in the sources that were read count too.
#include "base/existing_atom.h"
#include "base/utf8.h"
#include "machine/machine.h"
#include "natives/families.h"
#include "values/lists.h"

namespace fathom::machine::atom_natives {
namespace {

constexpr size_t kMaxCharacters = 255;

enum class Encoding : uint8_t { Latin1, Utf8 };

std::optional<Encoding> encoding_of(Value value) {
  static const Atom latin1 = Atom::intern("latin1");
  static const Atom unicode = Atom::intern("unicode");
  if (value.is_atom(latin1)) return Encoding::Latin1;
  if (value.is_atom(atoms::utf8) || value.is_atom(unicode)) return Encoding::Utf8;
  return std::nullopt;
}

// UTF-8 as Latin-1; empty if some character has no place there.
std::optional<std::string> to_latin1(std::string_view utf8) {
  std::string bytes;
  const char* p = utf8.data();
  while (p < utf8.data() + utf8.size()) {
    const uint32_t character = next_code_point(&p);
    if (character > 255) return std::nullopt;
    bytes += static_cast<char>(character);
  }
  return bytes;
}

Value atom_to_list_1(Context& c, const Value* a) {
  return a[0].is_atom() ? c.heap.string_utf8(a[0].atom().text()) : c.badarg();
}

Value atom_to_binary(Context& c, Value atom, std::optional<Encoding> encoding) {
  if (!atom.is_atom() || !encoding) return c.badarg();
  const std::string_view text = atom.atom().text();
  if (*encoding == Encoding::Utf8) return c.heap.binary(text);
  const auto latin1 = to_latin1(text);
  return latin1 ? c.heap.binary(std::string_view(*latin1)) : c.badarg();
}

Value atom_to_binary_1(Context& c, const Value* a) {
  return atom_to_binary(c, a[0], Encoding::Utf8);
}
Value atom_to_binary_2(Context& c, const Value* a) {
  return atom_to_binary(c, a[0], encoding_of(a[1]));
}

// ---- Text to atoms ----------------------------------------------------------

enum class Problem : uint8_t { None, BadText, TooLong };
struct AtomText {
  Problem problem = Problem::None;
  std::string utf8;
};

// What stands after the 255th character is not looked at.
AtomText text_of_list(Value list) {
  AtomText result;
  size_t count = 0;
  for (; list.is_cons(); list = list.tail()) {
    if (count++ == kMaxCharacters) return {Problem::TooLong, {}};
    const auto character = small_in(list.head(), 0, 0x10FFFF);
    if (!character || (*character >= 0xD800 && *character <= 0xDFFF)) {
      return {Problem::BadText, {}};
    }
    append_utf8(result.utf8, static_cast<uint32_t>(*character));
  }
  if (!list.is_nil()) result.problem = Problem::BadText;
  return result;
}

AtomText text_of_binary(Value binary, std::optional<Encoding> encoding) {
  if (!binary.is_binary() || !encoding) return {Problem::BadText, {}};
  const BytesOf bytes(binary);
  const std::string_view text = bytes.text();
  if (*encoding == Encoding::Latin1) {
    if (text.size() > kMaxCharacters) return {Problem::TooLong, {}};
    return {Problem::None, latin1_to_utf8(text)};
  }
  const size_t valid = find_invalid_utf8(text).value_or(text.size());
  const size_t count = count_code_points(text.substr(0, valid));
  if (count > kMaxCharacters || (count == kMaxCharacters && valid < text.size())) {
    return {Problem::TooLong, {}};
  }
  if (valid < text.size()) return {Problem::BadText, {}};
  return {Problem::None, std::string(text)};
}

Value make_atom(Context& c, const AtomText& text) {
  if (text.problem == Problem::TooLong) return c.system_limit();
  if (text.problem == Problem::BadText) return c.badarg();
  return Value(Atom::intern(text.utf8));
}

Value find_atom(Context& c, const AtomText& text) {
  if (text.problem != Problem::None) return c.badarg();
  c.machine.inputs().look_at(Input::ExistingAtoms);
  const auto atom = existing_atom(text.utf8);
  return atom ? Value(*atom) : c.badarg();
}

Value list_to_atom_1(Context& c, const Value* a) { return make_atom(c, text_of_list(a[0])); }
Value list_to_existing_atom_1(Context& c, const Value* a) {
  return find_atom(c, text_of_list(a[0]));
}
Value binary_to_atom_1(Context& c, const Value* a) {
  return make_atom(c, text_of_binary(a[0], Encoding::Utf8));
}
Value binary_to_atom_2(Context& c, const Value* a) {
  return make_atom(c, text_of_binary(a[0], encoding_of(a[1])));
}
Value binary_to_existing_atom_1(Context& c, const Value* a) {
  return find_atom(c, text_of_binary(a[0], Encoding::Utf8));
}
Value binary_to_existing_atom_2(Context& c, const Value* a) {
  return find_atom(c, text_of_binary(a[0], encoding_of(a[1])));
}

constexpr NativeEntry kEntries[] = {
    {"erlang", "atom_to_list", 1, atom_to_list_1},
    {"erlang", "atom_to_binary", 1, atom_to_binary_1},
    {"erlang", "atom_to_binary", 2, atom_to_binary_2},
    {"erlang", "list_to_atom", 1, list_to_atom_1},
    {"erlang", "list_to_existing_atom", 1, list_to_existing_atom_1},
    {"erlang", "binary_to_atom", 1, binary_to_atom_1},
    {"erlang", "binary_to_atom", 2, binary_to_atom_2},
    {"erlang", "binary_to_existing_atom", 1, binary_to_existing_atom_1},
    {"erlang", "binary_to_existing_atom", 2, binary_to_existing_atom_2},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::atom_natives
