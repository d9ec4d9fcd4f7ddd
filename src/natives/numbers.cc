// Numbers: absolute value, rounding, and integers as text.
#include "natives/families.h"
#include "values/arithmetic.h"
#include "values/lists.h"

namespace fathom::machine {
namespace {

Value number(Context& c, Value result) {
  if (result.is_none()) return c.badarg();
  if (result == limit()) return c.system_limit();
  return result;
}

#define ROUNDING(name, function) \
  Value name(Context& c, const Value* a) { return number(c, function(c.heap, a[0])); }

ROUNDING(abs_1, absolute)
ROUNDING(float_1, to_real)
ROUNDING(trunc_1, truncate)
ROUNDING(round_1, round_half_away)
ROUNDING(floor_1, floor_of)
ROUNDING(ceil_1, ceiling_of)

// ---- Integers as text -------------------------------------------------------

constexpr int kDecimal = 10;

std::optional<int> base_of(Value value) {
  const auto base = small_in(value, 2, 36);
  if (!base) return std::nullopt;
  return static_cast<int>(*base);
}

std::optional<std::string> integer_text(const Value* a, bool with_base) {
  const auto base = with_base ? base_of(a[1]) : kDecimal;
  if (!a[0].is_integer() || !base) return std::nullopt;
  return print_integer(a[0], *base);
}

Value as_list(Context& c, const std::optional<std::string>& text) {
  return text ? c.heap.string(*text) : c.badarg();
}
Value as_binary(Context& c, const std::optional<std::string>& text) {
  return text ? c.heap.binary(std::string_view(*text)) : c.badarg();
}

Value integer_to_list_1(Context& c, const Value* a) { return as_list(c, integer_text(a, false)); }
Value integer_to_list_2(Context& c, const Value* a) { return as_list(c, integer_text(a, true)); }
Value integer_to_binary_1(Context& c, const Value* a) {
  return as_binary(c, integer_text(a, false));
}
Value integer_to_binary_2(Context& c, const Value* a) {
  return as_binary(c, integer_text(a, true));
}

// OTP looks at the low eight bits of a digit, whatever the element is else; a sign it
// takes only as it is.
std::optional<std::string> digits_text(Value list) {
  std::string text;
  for (; list.is_cons(); list = list.tail()) {
    if (!list.head().is_small()) return std::nullopt;
    const int64_t element = list.head().small();
    const auto character = static_cast<char>(element & 0xFF);
    const bool is_sign = character == '+' || character == '-';
    text += is_sign && !is_byte(list.head()) ? '?' : character;
  }
  if (!list.is_nil()) return std::nullopt;
  return text;
}

Value list_to_integer(Context& c, Value list, std::optional<int> base) {
  const auto text = digits_text(list);
  if (!text || !base) return c.badarg();
  return number(c, parse_integer(c.heap, *text, *base));
}

Value binary_to_integer(Context& c, Value binary, std::optional<int> base) {
  if (!binary.is_binary() || !base) return c.badarg();
  return number(c, parse_integer(c.heap, BytesOf(binary).text(), *base));
}

Value list_to_integer_1(Context& c, const Value* a) { return list_to_integer(c, a[0], kDecimal); }
Value list_to_integer_2(Context& c, const Value* a) {
  return list_to_integer(c, a[0], base_of(a[1]));
}
Value binary_to_integer_1(Context& c, const Value* a) {
  return binary_to_integer(c, a[0], kDecimal);
}
Value binary_to_integer_2(Context& c, const Value* a) {
  return binary_to_integer(c, a[0], base_of(a[1]));
}

constexpr NativeEntry kEntries[] = {
    {"erlang", "abs", 1, abs_1},
    {"erlang", "float", 1, float_1},
    {"erlang", "trunc", 1, trunc_1},
    {"erlang", "round", 1, round_1},
    {"erlang", "floor", 1, floor_1},
    {"erlang", "ceil", 1, ceil_1},
    {"erlang", "integer_to_list", 1, integer_to_list_1},
    {"erlang", "integer_to_list", 2, integer_to_list_2},
    {"erlang", "integer_to_binary", 1, integer_to_binary_1},
    {"erlang", "integer_to_binary", 2, integer_to_binary_2},
    {"erlang", "list_to_integer", 1, list_to_integer_1},
    {"erlang", "list_to_integer", 2, list_to_integer_2},
    {"erlang", "binary_to_integer", 1, binary_to_integer_1},
    {"erlang", "binary_to_integer", 2, binary_to_integer_2},
};

}  // namespace

std::span<const NativeEntry> number_natives() { return kEntries; }

}  // namespace fathom::machine
