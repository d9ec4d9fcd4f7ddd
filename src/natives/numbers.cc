// Numbers: absolute value, rounding, and integers as text.
#include "natives/families.h"
#include "values/arithmetic.h"
#include "values/lists.h"

namespace fathom::machine::number_natives {
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

// erts_internal:binary_to_integer/2, to which erlang:binary_to_integer/2 leaves it since OTP 27: an
// atom instead of an exception.
Value internal_binary_to_integer_2(Context& c, const Value* a) {
  const auto base = base_of(a[1]);
  if (!a[0].is_binary() || !base) return atom("badarg");
  const Value number = parse_integer(c.heap, BytesOf(a[0]).text(), *base);
  if (number == limit()) return atom("big");
  return number.is_none() ? atom("badarg") : number;
}

// 36 and more: it is no digit.
int digit_value(int c) {
  if (c >= '0' && c <= '9') return c - '0';
  const int letter = c | 0x20;
  return letter >= 'a' && letter <= 'z' ? letter - 'a' + 10 : 36;
}

// The same for a list, with what comes after the digits.
Value internal_list_to_integer_2(Context& c, const Value* a) {
  if (!a[0].is_list()) return atom("not_a_list");
  const auto base = base_of(a[1]);
  if (!base) return atom("badarg");
  std::string text;
  Value rest = a[0];
  const auto take = [&] {
    text += static_cast<char>(rest.head().small());
    rest = rest.tail();
  };
  const auto is_next = [&](auto&& fits) {
    return rest.is_cons() && is_byte(rest.head()) && fits(static_cast<int>(rest.head().small()));
  };
  if (is_next([](int x) { return x == '+' || x == '-'; })) take();
  const size_t sign = text.size();
  while (is_next([&](int x) { return digit_value(x) < *base; })) take();
  if (text.size() == sign) return atom("no_integer");
  const Value number = parse_integer(c.heap, text, *base);
  return number == limit() ? atom("big") : c.heap.tuple({number, rest});
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
    {"erts_internal", "binary_to_integer", 2, internal_binary_to_integer_2, false, {}, 27},
    {"erts_internal", "list_to_integer", 2, internal_list_to_integer_2, false, {}, 27},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::number_natives
