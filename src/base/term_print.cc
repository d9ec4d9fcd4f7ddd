// One loop and a stack of the places inside lists, tuples and maps where the
// writing must go on: depth costs memory, not C++ stack. Linear in the text,
// except that print_term looks at a list twice, once to see if it is text.
#include "base/term_print.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <variant>
#include <vector>

#include "base/utf8.h"

namespace fathom {

// ---- Characters -------------------------------------------------------------

namespace {

void append_octal(std::string& out, uint32_t c) {
  out += '\\';
  out += static_cast<char>('0' + (c >> 6));
  out += static_cast<char>('0' + ((c >> 3) & 7));
  out += static_cast<char>('0' + (c & 7));
}

// The letter of a one-letter escape, 0 if there is none.
char escape_letter(uint32_t c) {
  switch (c) {
    case '\b':
      return 'b';
    case '\t':
      return 't';
    case '\n':
      return 'n';
    case '\v':
      return 'v';
    case '\f':
      return 'f';
    case '\r':
      return 'r';
    case 0x1B:
      return 'e';
    case 0x7F:
      return 'd';
    default:
      return 0;
  }
}

void append_escaped(std::string& out, uint32_t c, char quote) {
  if (c == static_cast<uint32_t>(quote) || c == '\\') {
    out += '\\';
    out += static_cast<char>(c);
  } else if (const char letter = escape_letter(c)) {
    out += '\\';
    out += letter;
  } else if (c < ' ' || (c > 0x7F && c < 0xA0)) {
    append_octal(out, c);
  } else {
    append_utf8(out, c);
  }
}

void append_quoted(std::string& out, std::string_view utf8, char quote) {
  out += quote;
  const char* p = utf8.data();
  const char* end = p + utf8.size();
  while (p < end) append_escaped(out, next_code_point(&p), quote);
  out += quote;
}

// Letters are those of Latin-1, whatever the atom's own characters.
bool is_lower(uint32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 0xDF && c <= 0xFF && c != 0xF7);
}

bool is_upper(uint32_t c) {
  return (c >= 'A' && c <= 'Z') || (c >= 0xC0 && c <= 0xDE && c != 0xD7);
}

bool is_name_character(uint32_t c) {
  return is_lower(c) || is_upper(c) || (c >= '0' && c <= '9') || c == '_' || c == '@';
}

}  // namespace

bool is_printable(uint32_t c, PrintableRange range) {
  if (c >= ' ' && c < 0x7F) return true;
  if (c < ' ') return escape_letter(c) != 0;
  if (c < 0xA0) return false;
  if (c <= 0xFF) return true;
  return range == PrintableRange::Unicode && is_erlang_character(c);
}

bool atom_needs_quotes(Atom atom) {
  // atoms.def has the reserved words first, and the feature words after them.
  if (atom >= atoms::after_ && atom <= atoms::xor_) return true;
  const std::string_view text = atom.text();
  if (text.empty()) return true;
  const char* p = text.data();
  const char* end = p + text.size();
  if (!is_lower(next_code_point(&p))) return true;
  while (p < end) {
    if (!is_name_character(next_code_point(&p))) return true;
  }
  return false;
}

void append_atom(std::string& out, Atom atom) {
  if (atom_needs_quotes(atom)) {
    append_quoted(out, atom.text(), '\'');
  } else {
    out += atom.text();
  }
}

void append_atom_in_fun(std::string& out, Atom atom) {
  const std::string_view text = atom.text();
  const char* p = text.data();
  const char* end = p + text.size();
  bool plain = !text.empty() && is_lower(next_code_point(&p));
  while (plain && p < end) {
    const uint32_t c = next_code_point(&p);
    plain = is_name_character(c) && c != '@';
  }
  if (plain) {
    out += text;
    return;
  }
  out += '\'';
  for (const char c : text) {
    if (c == 0x1B) {
      append_octal(out, 0x1B);
    } else if (static_cast<uint8_t>(c) >= 0x7F) {
      out += c;
    } else {
      append_escaped(out, static_cast<uint8_t>(c), '\'');
    }
  }
  out += '\'';
}

void append_quoted_string(std::string& out, std::string_view utf8) {
  append_quoted(out, utf8, '"');
}

// ---- Numbers ----------------------------------------------------------------

namespace {

// d.ddd x 10^exponent
struct Decimal {
  std::array<char, 24> digits;
  int count = 0;
  int exponent = 0;
};

// The shortest digits of a positive finite number.
Decimal shortest_decimal(double value) {
  std::array<char, 32> text;
  const char* end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific)
          .ptr;
  Decimal result;
  const char* p = text.data();
  for (; *p != 'e'; ++p) {
    if (*p != '.') result.digits[result.count++] = *p;
  }
  p += p[1] == '+' ? 2 : 1;  // from_chars knows no plus
  std::from_chars(p, end, result.exponent);
  return result;
}

void append_scientific(std::string& out, const Decimal& d) {
  out += d.digits[0];
  out += '.';
  if (d.count == 1) out += '0';
  out.append(d.digits.data() + 1, d.count - 1);
  out += 'e';
  out += std::to_string(d.exponent);
}

void append_positional(std::string& out, const Decimal& d) {
  if (d.exponent < 0) {
    out += "0.";
    out.append(-d.exponent - 1, '0');
    out.append(d.digits.data(), d.count);
    return;
  }
  const int whole = d.exponent + 1;
  out.append(d.digits.data(), std::min(whole, d.count));
  if (d.count <= whole) {
    out.append(whole - d.count, '0');
    out += ".0";
  } else {
    out += '.';
    out.append(d.digits.data() + whole, d.count - whole);
  }
}

int scientific_length(const Decimal& d) {
  const int exponent_digits = static_cast<int>(std::to_string(d.exponent).size());
  return std::max(d.count, 2) + 2 + exponent_digits;
}

int positional_length(const Decimal& d) {
  if (d.exponent < 0) return 1 - d.exponent + d.count;
  return std::max(d.count + 1, d.exponent + 3);
}

}  // namespace

// As float_to_list(F, [short]): the shorter form, and of two as short the one
// without exponent; from 2^53 on, where not every integer is a float, always the
// one with it.
void append_float(std::string& out, double value) {
  if (std::signbit(value)) out += '-';
  if (value == 0) {
    out += "0.0";
    return;
  }
  constexpr double kIntegersEnd = 9007199254740992.0;
  const double magnitude = std::fabs(value);
  const Decimal d = shortest_decimal(magnitude);
  if (magnitude < kIntegersEnd && positional_length(d) <= scientific_length(d)) {
    append_positional(out, d);
  } else {
    append_scientific(out, d);
  }
}

void append_integer(std::string& out, Term integer, int base) {
  if (integer.is_small() && base == 10) {
    out += std::to_string(integer.small());
    return;
  }
  const MpzView value(integer);
  const size_t start = out.size();
  out.resize(start + mpz_sizeinbase(value, base) + 2);  // sign, and the final zero
  mpz_get_str(out.data() + start, -base, value);
  out.resize(out.find('\0', start));
}

// ---- Terms ------------------------------------------------------------------

namespace {

void append_segments(std::string& out, BitsView bits) {
  out += "<<";
  for (uint64_t i = 0; i < bits.bit_count / 8; ++i) {
    if (i > 0) out += ',';
    out += std::to_string(bits.data[i]);
  }
  if (!bits.is_binary()) {
    const int rest = static_cast<int>(bits.bit_count % 8);
    if (bits.bit_count > 8) out += ',';
    out += std::to_string(bits.data[bits.bit_count / 8] >> (8 - rest));
    out += ':';
    out += std::to_string(rest);
  }
  out += ">>";
}

class Printer {
 public:
  // Without a range: as ~tw.
  Printer(std::string& out, std::optional<PrintableRange> range) : out_(out), range_(range) {}

  void run(Term term) {
    begin(term);
    while (!stack_.empty()) {
      Frame& top = stack_.back();
      if (auto* elements = std::get_if<Elements>(&top)) {
        go_on(*elements);
      } else {
        go_on(std::get<Pairs>(top));
      }
    }
  }

 private:
  struct Elements {
    ListView::Iterator at;
    char close;
    bool first = true;
  };
  struct Pairs {
    MapView map;
    size_t next = 0;  // two steps for each pair
  };
  using Frame = std::variant<Elements, Pairs>;

  // Writes a term, or as much of it as stands before its first element.
  void begin(Term term) {
    switch (term.kind()) {
      case TermKind::Nil:
        out_ += "[]";
        return;
      case TermKind::Integer:
      case TermKind::BigInteger:
        append_integer(out_, term);
        return;
      case TermKind::Float:
        append_float(out_, term.to_float());
        return;
      case TermKind::Atom:
        append_atom(out_, term.atom());
        return;
      case TermKind::Bitstring:
        if (!append_as_text(term.bits())) append_segments(out_, term.bits());
        return;
      case TermKind::ExternalFun:
        append_fun(term.external_fun());
        return;
      case TermKind::Opaque:
        out_ += term.opaque().text;
        return;
      case TermKind::List:
        if (append_as_text(term.list())) return;
        out_ += '[';
        stack_.push_back(Elements{term.list().begin(), ']'});
        return;
      case TermKind::Tuple:
        out_ += '{';
        stack_.push_back(Elements{ListView::Iterator(term.tuple()), '}'});
        return;
      case TermKind::Map:
        out_ += "#{";
        stack_.push_back(Pairs{term.map()});
        return;
    }
  }

  // begin() may push a frame and so move the one given here: it comes last.
  void go_on(Elements& elements) {
    if (elements.at != std::default_sentinel) {
      if (!elements.first) out_ += ',';
      elements.first = false;
      begin(*elements.at++);
      return;
    }
    const Term tail = elements.at.rest();
    if (tail.is_nil()) {
      out_ += elements.close;
      stack_.pop_back();
      return;
    }
    out_ += '|';
    elements.at = ListView::Iterator(std::span<const Term>());
    begin(tail);
  }

  void go_on(Pairs& pairs) {
    const size_t step = pairs.next++;
    if (step == 2 * pairs.map.size()) {
      out_ += '}';
      stack_.pop_back();
      return;
    }
    const size_t i = pairs.map.rank(step / 2);
    if (step % 2 == 0) {
      if (step > 0) out_ += ',';
      begin(pairs.map.key(i));
    } else {
      out_ += " => ";
      begin(pairs.map.value(i));
    }
  }

  void append_fun(ExternalFun fun) {
    out_ += "fun ";
    append_atom_in_fun(out_, fun.module);
    out_ += ':';
    append_atom_in_fun(out_, fun.function);
    out_ += '/';
    out_ += std::to_string(fun.arity);
  }

  bool append_as_text(ListView list) {
    if (!range_) return false;
    auto it = list.begin();
    for (; it != std::default_sentinel; ++it) {
      if (!it->is_small() || it->small() < 0 || it->small() > 0x10FFFF) return false;
      if (!is_printable(static_cast<uint32_t>(it->small()), *range_)) return false;
    }
    if (!it.rest().is_nil()) return false;
    out_ += '"';
    for (const Term c : list) append_escaped(out_, static_cast<uint32_t>(c.small()), '"');
    out_ += '"';
    return true;
  }

  // UTF-8 if it is that, else Latin-1; only then is the question whether all the
  // characters are printable.
  bool append_as_text(BitsView bits) {
    if (!range_ || bits.bit_count == 0 || !bits.is_binary()) return false;
    const std::string_view bytes = bits.text();
    const bool is_utf8 = !find_invalid_utf8(bytes);
    const std::string recoded = is_utf8 ? std::string() : latin1_to_utf8(bytes);
    const std::string_view text = is_utf8 ? bytes : recoded;
    const PrintableRange range = is_utf8 ? *range_ : PrintableRange::Latin1;
    for (const char *p = text.data(), *end = p + text.size(); p < end;) {
      if (!is_printable(next_code_point(&p), range)) return false;
    }
    out_ += "<<";
    append_quoted_string(out_, text);
    out_ += is_utf8 && !is_ascii(bytes) ? "/utf8>>" : ">>";
    return true;
  }

  std::string& out_;
  std::optional<PrintableRange> range_;
  std::vector<Frame> stack_;
};

}  // namespace

void write_term(std::string& out, Term term) { Printer(out, std::nullopt).run(term); }

void print_term(std::string& out, Term term, PrintableRange range) {
  Printer(out, range).run(term);
}

}  // namespace fathom
