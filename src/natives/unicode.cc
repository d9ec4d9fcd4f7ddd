// unicode: characters_to_binary/2, characters_to_list/2, bin_is_7bit/1.
//
// A walk over the characters and binaries of nested lists. A binary may end within
// a character of UTF-8: its bytes are left over, and the next binary has to go on
// with them. What has not been converted when an error is met is given back as
// OTP does: the current list from its bad item on, wrapped into the lists around.
#include <string>

#include "base/budget.h"
#include "base/utf8.h"
#include "natives/families.h"
#include "values/lists.h"
#include "values/small_stack.h"

namespace fathom::machine::unicode_natives {
namespace {

enum class Encoding : uint8_t { Latin1, Utf8, Other };

Encoding encoding_of(Value value) {
  static const Atom latin1 = Atom::intern("latin1");
  static const Atom unicode = Atom::intern("unicode");
  if (value.is_atom(latin1)) return Encoding::Latin1;
  if (value.is_atom(unicode) || value.is_atom(atoms::utf8)) return Encoding::Utf8;
  return Encoding::Other;
}

// Whether there is nothing but lists, integers and binaries in it.
bool is_character_data(Value data) {
  if (data.is_binary()) return true;
  if (!data.is_list()) return false;
  SmallStack<Value, 16> open;
  open.push(data);
  while (!open.empty()) {
    spend();
    Value rest = open.pop();
    for (; rest.is_cons(); rest = rest.tail()) {
      const Value item = rest.head();
      if (item.is_cons()) {
        open.push(rest.tail());
        open.push(item);
        break;
      }
      if (!item.is_integer() && !item.is_nil() && !item.is_binary()) return false;
    }
    if (!rest.is_list() && !rest.is_binary()) return false;
  }
  return true;
}

// The bytes that a character takes by its first one; 0: it begins none.
size_t length_by_first(uint8_t first) {
  if (first < 0x80) return 1;
  if ((first & 0xE0) == 0xC0) return 2;
  if ((first & 0xF0) == 0xE0) return 3;
  return (first & 0xF8) == 0xF0 ? 4 : 0;
}

class Conversion {
 public:
  Conversion(Heap& heap, bool latin1) : heap_(heap), latin1_(latin1) {}

  // False: stopped at an error.
  bool run(Value data) {
    current_ = data;
    for (;;) {
      if (current_.is_binary()) {
        if (!add_binary(current_)) return false;
        current_ = Value::nil();
      }
      if (current_.is_nil()) {
        if (open_.empty()) return true;
        current_ = open_.back();
        open_.pop_back();
        continue;
      }
      const Value item = current_.head();
      if (item.is_cons()) {
        open_.push_back(current_.tail());
        current_ = item;
        continue;
      }
      if (item.is_integer() && !add_character(item)) return false;
      if (item.is_binary() && !add_binary(item)) {
        current_ = heap_.cons(bad_binary_, current_.tail());
        return false;
      }
      current_ = current_.tail();
    }
  }

  std::string& out() { return out_; }
  bool has_left_over() const { return !left_over_.empty(); }
  // Whether what is left over could be the beginning of a character. As in OTP only
  // the kind of the bytes counts, not yet their values.
  bool can_go_on() const {
    for (size_t i = 1; i < left_over_.size(); ++i) {
      if ((static_cast<uint8_t>(left_over_[i]) & 0xC0) != 0x80) return false;
    }
    return true;
  }
  Value left_over() { return heap_.binary(left_over_); }
  // What was not converted, after an error.
  Value rest() {
    Value rest = current_.is_binary() ? bad_binary_ : current_;
    while (!open_.empty()) {
      rest = heap_.cons(rest, open_.back());
      open_.pop_back();
    }
    if (left_over_.empty()) return rest;
    const Value items[] = {left_over(), rest};
    return heap_.list(items);
  }

 private:
  bool add_character(Value integer) {
    if (!left_over_.empty() || !integer.is_small()) return false;
    const int64_t n = integer.small();
    if (n < 0 || n > (latin1_ ? 0xFF : 0x10FFFF) || (n >= 0xD800 && n <= 0xDFFF)) return false;
    append_utf8(out_, static_cast<uint32_t>(n));
    return true;
  }

  bool add_binary(Value binary) {
    const BytesOf whole(binary);
    const std::string_view bytes = whole.text();
    if (latin1_) {
      for (const char byte : bytes) append_utf8(out_, static_cast<uint8_t>(byte));
      return true;
    }
    const size_t done = add_utf8(bytes);
    if (done == bytes.size()) return true;
    bad_binary_ = heap_.sub_bits(binary, done * 8, (bytes.size() - done) * 8);
    return false;
  }

  // How many bytes were taken.
  size_t add_utf8(std::string_view bytes) {
    size_t at = 0;
    if (!left_over_.empty()) {
      const size_t missing =
          length_by_first(static_cast<uint8_t>(left_over_[0])) - left_over_.size();
      if (bytes.size() < missing) {
        left_over_ += bytes;
        return bytes.size();
      }
      std::string whole = left_over_;
      whole += bytes.substr(0, missing);
      if (find_invalid_utf8(whole)) return 0;
      out_ += whole;
      left_over_.clear();
      at = missing;
    }
    const std::string_view others = bytes.substr(at);
    const size_t good = find_invalid_utf8(others).value_or(others.size());
    out_ += others.substr(0, good);
    at += good;
    if (at == bytes.size()) return at;
    const std::string_view end = bytes.substr(at);
    if (end.size() >= length_by_first(static_cast<uint8_t>(end[0]))) return at;
    left_over_ = end;
    return bytes.size();
  }

  Heap& heap_;
  bool latin1_;
  std::string out_;  // UTF-8
  std::string left_over_;
  Value current_;
  Value bad_binary_;
  std::vector<Value> open_;  // the lists around, after the current one
};

Value list_of_characters(Heap& heap, const std::string& utf8) {
  return is_ascii(utf8) ? heap.string(utf8) : heap.string_utf8(utf8);
}

Value convert(Context& c, const Value* a, bool to_list) {
  static const Atom unicode = Atom::intern("unicode");
  static const Atom incomplete = Atom::intern("incomplete");
  const Encoding encoding = encoding_of(a[1]);
  if (encoding == Encoding::Other) {
    static const Atom list_int = Atom::intern("characters_to_list_int");
    static const Atom binary_int = Atom::intern("characters_to_binary_int");
    return c.tail_call(unicode, to_list ? list_int : binary_int, {a, 2});
  }
  if (!is_character_data(a[0])) return c.badarg();
  Conversion conversion(c.heap, encoding == Encoding::Latin1);
  // OTP makes a binary of a list that holds nothing else.
  const bool alone = !to_list && a[0].is_cons() && a[0].tail().is_nil() && a[0].head().is_binary();
  const bool fine = conversion.run(alone ? a[0].head() : a[0]);
  const Value out = to_list ? list_of_characters(c.heap, conversion.out())
                            : c.heap.binary(std::string_view(conversion.out()));
  if (!fine) return c.heap.tuple({Value(atoms::error), out, conversion.rest()});
  if (!conversion.has_left_over()) return out;
  const Value tag = conversion.can_go_on() ? Value(incomplete) : Value(atoms::error);
  return c.heap.tuple({tag, out, conversion.left_over()});
}

Value characters_to_binary_2(Context& c, const Value* a) { return convert(c, a, false); }
Value characters_to_list_2(Context& c, const Value* a) { return convert(c, a, true); }

Value bin_is_7bit_1(Context&, const Value* a) {
  if (!a[0].is_binary()) return Value(atoms::false_);
  return Value::boolean(is_ascii(BytesOf(a[0]).text()));
}

constexpr NativeEntry kEntries[] = {
    {"unicode", "characters_to_binary", 2, characters_to_binary_2, true},
    {"unicode", "characters_to_list", 2, characters_to_list_2, true},
    {"unicode", "bin_is_7bit", 1, bin_is_7bit_1},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::unicode_natives
