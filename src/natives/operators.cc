// The operators as functions: those without an instruction, and all of them for
// apply and funs.
#include "natives/families.h"
#include "values/arithmetic.h"
#include "values/compare.h"

namespace fathom::machine::operator_natives {
namespace {

Value number(Context& c, Value result) {
  if (result.is_none()) return c.badarith();
  if (result == limit()) return c.system_limit();
  return result;
}

#define BINARY(name, function) \
  Value name(Context& c, const Value* a) { return number(c, function(c.heap, a[0], a[1])); }
#define UNARY(name, function) \
  Value name(Context& c, const Value* a) { return number(c, function(c.heap, a[0])); }
#define COMPARISON(name, test) \
  Value name(Context&, const Value* a) { return Value::boolean(test); }

BINARY(plus_2, add)
BINARY(minus_2, subtract)
BINARY(times_2, multiply)
BINARY(divide_2, divide)
BINARY(div_2, integer_divide)
BINARY(rem_2, remainder)
BINARY(band_2, bit_and)
BINARY(bor_2, bit_or)
BINARY(bxor_2, bit_xor)
BINARY(bsl_2, shift_left)
BINARY(bsr_2, shift_right)
UNARY(bnot_1, bit_not)
UNARY(minus_1, negate)

Value plus_1(Context& c, const Value* a) { return a[0].is_number() ? a[0] : c.badarith(); }

COMPARISON(less_2, compare(a[0], a[1]) < 0)
COMPARISON(less_equal_2, compare(a[0], a[1]) <= 0)
COMPARISON(greater_2, compare(a[0], a[1]) > 0)
COMPARISON(greater_equal_2, compare(a[0], a[1]) >= 0)
COMPARISON(equal_2, equal(a[0], a[1]))
COMPARISON(not_equal_2, !equal(a[0], a[1]))
COMPARISON(same_2, equal_exact(a[0], a[1]))
COMPARISON(not_same_2, !equal_exact(a[0], a[1]))

Value not_1(Context& c, const Value* a) {
  return a[0].is_boolean() ? Value::boolean(a[0].is_atom(atoms::false_)) : c.badarg();
}

#define LOGICAL(name, expression)                                    \
  Value name(Context& c, const Value* a) {                           \
    if (!a[0].is_boolean() || !a[1].is_boolean()) return c.badarg(); \
    const bool x = a[0].is_atom(atoms::true_);                       \
    const bool y = a[1].is_atom(atoms::true_);                       \
    return Value::boolean(expression);                               \
  }
LOGICAL(and_2, x&& y)
LOGICAL(or_2, x || y)
LOGICAL(xor_2, x != y)

constexpr NativeEntry kEntries[] = {
    {"erlang", "+", 2, plus_2},    {"erlang", "-", 2, minus_2},
    {"erlang", "*", 2, times_2},   {"erlang", "/", 2, divide_2},
    {"erlang", "div", 2, div_2},   {"erlang", "rem", 2, rem_2},
    {"erlang", "band", 2, band_2}, {"erlang", "bor", 2, bor_2},
    {"erlang", "bxor", 2, bxor_2}, {"erlang", "bsl", 2, bsl_2},
    {"erlang", "bsr", 2, bsr_2},   {"erlang", "bnot", 1, bnot_1},
    {"erlang", "-", 1, minus_1},   {"erlang", "+", 1, plus_1},
    {"erlang", "<", 2, less_2},    {"erlang", "=<", 2, less_equal_2},
    {"erlang", ">", 2, greater_2}, {"erlang", ">=", 2, greater_equal_2},
    {"erlang", "==", 2, equal_2},  {"erlang", "/=", 2, not_equal_2},
    {"erlang", "=:=", 2, same_2},  {"erlang", "=/=", 2, not_same_2},
    {"erlang", "not", 1, not_1},   {"erlang", "and", 2, and_2},
    {"erlang", "or", 2, or_2},     {"erlang", "xor", 2, xor_2},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::operator_natives
