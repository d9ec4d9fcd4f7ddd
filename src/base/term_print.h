// Terms as text, in UTF-8, exactly as OTP 25 writes them. The two forms are
//   write_term  io_lib:format("~tw", [T])
//   print_term  io_lib:format("~0tp", [T]): on one line, and lists and binaries
//               that look like text are written as text
// Three liberties: the pairs of a map are in the order of their keys, which OTP
// keeps for small maps only; pids, ports and references show 0 for their node;
// and the name of a fun has its characters, where OTP 25 shows the bytes of their
// UTF-8.
#pragma once

#include <string>
#include <string_view>

#include "base/atom.h"
#include "base/term.h"

namespace fathom {

// Which characters make a list look like text: erl's option +pc. OTP's default
// is latin1.
enum class PrintableRange : uint8_t { Latin1, Unicode };

void write_term(std::string& out, Term term);
void print_term(std::string& out, Term term, PrintableRange range = PrintableRange::Unicode);

inline std::string written(Term term) {
  std::string out;
  write_term(out, term);
  return out;
}
inline std::string printed(Term term, PrintableRange range = PrintableRange::Unicode) {
  std::string out;
  print_term(out, term, range);
  return out;
}

// In quotes if need be: foo, 'Foo', 'if'. The words that only a language feature
// reserves (maybe, else) stand without.
void append_atom(std::string& out, Atom atom);
// As in the text of a fun, which the emulator writes by rules of its own: no word
// is reserved, @ needs quotes, and the escapes are fewer.
void append_atom_in_fun(std::string& out, Atom atom);
// "..." with its escapes, of well-formed UTF-8, as io_lib:write_string/1.
void append_quoted_string(std::string& out, std::string_view utf8);
// The shortest digits that read back as the same float, always with a point.
void append_float(std::string& out, double value);
// Any integer; letters are upper case.
void append_integer(std::string& out, Term integer, int base = 10);

bool atom_needs_quotes(Atom atom);
// Whether ~tp takes a character for text.
bool is_printable(uint32_t code_point, PrintableRange range);

}  // namespace fathom
