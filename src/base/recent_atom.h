// Atoms of a text that uses the same few again and again, as debug info does (clause, call, var):
// short ones are found without a look into the table of all atoms, which is larger than the
// processor's first cache.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/atom.h"

namespace fathom {

// As Atom::intern.
inline Atom recent_atom(std::string_view text) {
  struct Entry {
    uint64_t letters = 0;  // all of the text, zeros after it; 0: empty
    Atom atom;
  };
  thread_local std::array<Entry, 256> entries;
  if (text.empty() || text.size() > sizeof(uint64_t)) return Atom::intern(text);
  if (text.back() == '\0') return Atom::intern(text);  // it would look like a shorter one
  uint64_t letters = 0;
  std::memcpy(&letters, text.data(), text.size());
  Entry& entry = entries[letters * 0x9E3779B97F4A7C15 >> 56];
  if (entry.letters != letters) entry = {letters, Atom::intern(text)};
  return entry.atom;
}

}  // namespace fathom
