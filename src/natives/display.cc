// display/1: terms as the emulator itself prints them, which differs from io:format
// in floats, maps, and what it takes for text.
#include <fmt/format.h>

#include "base/budget.h"
#include "base/term_print.h"
#include "base/utf8.h"
#include "machine/machine.h"
#include "natives/families.h"
#include "values/convert.h"
#include "values/lists.h"
#include "values/maps.h"

namespace fathom::machine::display_natives {
namespace {

bool is_text_byte(Value value) {
  if (!is_byte(value)) return false;
  const int64_t c = value.small();
  return c == '\t' || c == '\n' || c == '\r' || (c >= 32 && c < 127) || c >= 160;
}

bool is_text(Value list) {
  while (list.is_cons() && is_text_byte(list.head())) list = list.tail();
  return list.is_nil();
}

class Display {
 public:
  std::string print(Value value) {
    later_.push_back({value, {}});
    while (!later_.empty()) {
      spend();
      const Piece piece = later_.back();
      later_.pop_back();
      out_ += piece.text;
      if (!piece.value.is_none()) write(piece.value);
    }
    return std::move(out_);
  }

 private:
  // A text, and the value after it; either may be missing.
  struct Piece {
    Value value;
    std::string_view text;
  };

  void write(Value value) {
    if (value.is_atom()) return append_atom_in_fun(out_, value.atom());
    if (value.is_float()) {
      out_ += fmt::format("{:.6e}", value.real());
    } else if (value.is_bitstring()) {
      write_bits(value);
    } else if (value.is_cons()) {
      write_list(value);
    } else if (value.is_tuple()) {
      out_ += '{';
      write_parts(value.elements(), "}");
    } else if (value.is_map()) {
      write_map(value);
    } else if (value.is_box(BoxKind::ExternalFun)) {
      const Mfa& target = *value.external();
      out_ += "fun ";
      append_atom_in_fun(out_, target.module);
      out_ += ':';
      append_atom_in_fun(out_, target.name);
      out_ += fmt::format("/{}", target.arity);
    } else {
      TermArena arena;
      write_term(out_, to_term(value, arena));
    }
  }

  // The values with commas between them, and the end; they are written later.
  void write_parts(std::span<const Value> parts, std::string_view end) {
    later_.push_back({Value::none(), end});
    for (size_t i = parts.size(); i-- > 0;) {
      later_.push_back({parts[i], i == 0 ? std::string_view() : ","});
    }
  }

  void write_list(Value list) {
    if (is_text(list)) {
      out_ += '"';
      for (; list.is_cons(); list = list.tail()) write_character(list.head().small());
      out_ += '"';
      return;
    }
    out_ += '[';
    std::vector<Value> items;
    for (; list.is_cons(); list = list.tail()) items.push_back(list.head());
    if (!list.is_nil()) {
      later_.push_back({Value::none(), "]"});
      later_.push_back({list, "|"});
    }
    write_parts(items, list.is_nil() ? "]" : "");
  }

  void write_character(int64_t c) {
    if (c == '\n') {
      out_ += "\\n";
    } else {
      if (c == '"') out_ += '\\';
      out_ += static_cast<char>(c);
    }
  }

  void write_map(Value map) {
    out_ += "#{";
    later_.push_back({Value::none(), "}"});
    const std::vector<Value> pairs = sorted_pairs(map);
    for (size_t i = pairs.size(); i > 0; i -= 2) {
      later_.push_back({pairs[i - 1], "=>"});
      later_.push_back({pairs[i - 2], i == 2 ? std::string_view() : ","});
    }
  }

  void write_bits(Value bits) {
    const BytesOf bytes(bits);
    const uint64_t left = bits.bit_size() % 8;
    const bool text = left == 0 && !bytes.text().empty() &&
                      bytes.text().find_first_not_of(kPrintable) == std::string_view::npos;
    out_ += "<<";
    if (text) {
      out_ += '"';
      for (const char c : bytes.text()) write_character(c);
      out_ += '"';
    } else {
      std::string_view comma;
      for (const char c : bytes.text()) {
        out_ += fmt::format("{}{}", comma, static_cast<uint8_t>(c));
        comma = ",";
      }
      if (left > 0) {
        const BitsView view = bits_of(bits);
        const uint64_t last =
            load_bits(view.bytes, view.first + view.size - left, static_cast<unsigned>(left));
        out_ += fmt::format("{}{}:{}", comma, last, left);
      }
    }
    out_ += ">>";
  }

  static constexpr std::string_view kPrintable =
      " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`"
      "abcdefghijklmnopqrstuvwxyz{|}~";

  std::string out_;
  std::vector<Piece> later_;
};

Value display_1(Context& c, const Value* a) {
  c.machine.output().write(Display().print(a[0]));
  c.machine.output().write("\r\n");
  return Value::boolean(true);
}

// erts_debug:display/1: also returns what it has written.
Value debug_display_1(Context& c, const Value* a) {
  const std::string text = Display().print(a[0]) + "\n";
  c.machine.output().write(text);
  return c.heap.string_utf8(text);
}

Value display_nl_0(Context& c, const Value*) {
  c.machine.output().write("\r\n");
  return Value::boolean(true);
}

Value display_string_1(Context& c, const Value* a) {
  std::string text;
  Value list = a[0];
  for (; list.is_cons(); list = list.tail()) {
    const auto character = small_in(list.head(), 0, 0x10FFFF);
    if (!character) return c.badarg();
    append_utf8(text, static_cast<uint32_t>(*character));
  }
  if (!list.is_nil()) return c.badarg();
  c.machine.output().write(text);
  return Value::boolean(true);
}

// To standard error nothing is written by programs: both go to the output.
Value display_string_2(Context& c, const Value* a) {
  const bool is_stream = a[0] == atom("stdout") || a[0] == atom("stderr") || a[0] == atom("stdin");
  if (!is_stream) return c.badarg();
  if (!a[1].is_binary()) return display_string_1(c, a + 1);
  c.machine.output().write(BytesOf(a[1]).text());
  return Value::boolean(true);
}

// A term as display/1 writes it, cut to so many characters.
Value term_to_string_2(Context& c, const Value* a) {
  const auto most = small_in(a[1], 0, INT64_MAX);
  if (!most && a[1] != Value(atoms::undefined)) return c.badarg();
  std::string text = Display().print(a[0]);
  if (most && text.size() > static_cast<uint64_t>(*most)) text.resize(static_cast<size_t>(*most));
  return c.heap.string_utf8(text);
}

constexpr NativeEntry kEntries[] = {
    {"erlang", "display_string", 2, display_string_2, false, {}, 26},
    {"erts_internal", "term_to_string", 2, term_to_string_2, false, {}, 26},
    {"erlang", "display", 1, display_1},
    {"erts_debug", "display", 1, debug_display_1},
    {"erlang", "display_nl", 0, display_nl_0},
    {"erlang", "display_string", 1, display_string_1},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::display_natives
