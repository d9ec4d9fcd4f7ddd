// Arithmetic. Both operands small and the result small: done here. Else the general
// functions (arithmetic.h).
#include "machine/compare.h"
#include "machine/interpreter.h"

namespace fathom::machine {
namespace {

using Operation = Value (*)(Heap&, Value, Value);

// What was called, for the stack trace of its failure.
void arithmetic_failed(STEP, Value result, std::string_view name, Value x, Value y) {
  if (result == limit()) {
    m.context.system_limit();
  } else {
    m.context.badarith();
  }
  static const Atom erlang = Atom::intern("erlang");
  const Value arguments[] = {x, y};
  return native_failed(m, pc, fp, hp, 1, m.code().find_export(erlang, Atom::intern(name), 2),
                       arguments);
}

#define SLOW_OPERATION(Name, function, text)                                   \
  __attribute__((noinline)) void slow_##Name(STEP) {                           \
    const Value x = fp[op_b(pc)];                                              \
    const Value y = fp[op_c(pc)];                                              \
    m.heap().set_top(hp);                                                      \
    const Value result = function(m.heap(), x, y);                             \
    if (result.is_none() || result == limit()) {                               \
      return arithmetic_failed(m, pc, fp, m.heap().top(), result, text, x, y); \
    }                                                                          \
    fp[op_a(pc)] = result;                                                     \
    hp = m.heap().top();                                                       \
    NEXT(2);                                                                   \
  }

SLOW_OPERATION(Add, add, "+")
SLOW_OPERATION(Subtract, subtract, "-")
SLOW_OPERATION(Multiply, multiply, "*")
SLOW_OPERATION(IntegerDivide, integer_divide, "div")
SLOW_OPERATION(Remainder, remainder, "rem")
SLOW_OPERATION(BitAnd, bit_and, "band")
SLOW_OPERATION(BitOr, bit_or, "bor")
SLOW_OPERATION(ShiftLeft, shift_left, "bsl")
SLOW_OPERATION(ShiftRight, shift_right, "bsr")

__attribute__((noinline)) void slow_add_small(STEP) {
  const Value x = fp[op_b(pc)];
  const auto n = static_cast<int16_t>(op_c(pc));
  m.heap().set_top(hp);
  const Value result = add(m.heap(), x, Value::small(n));
  if (result.is_none() || result == limit()) {
    // X - 3 is compiled as X + -3.
    return arithmetic_failed(m, pc, fp, m.heap().top(), result, n < 0 ? "-" : "+", x,
                             Value::small(n < 0 ? -n : n));
  }
  fp[op_a(pc)] = result;
  hp = m.heap().top();
  NEXT(2);
}

bool both_small(Value x, Value y) { return ((x.raw() | y.raw()) & 3) == 0; }

}  // namespace

void op_Add(STEP) {
  const Value x = fp[op_b(pc)];
  const Value y = fp[op_c(pc)];
  int64_t sum;
  if (!both_small(x, y) ||
      __builtin_add_overflow(static_cast<int64_t>(x.raw()), static_cast<int64_t>(y.raw()), &sum)) {
    return slow_Add(m, pc, fp, hp);
  }
  fp[op_a(pc)] = Value::from_raw(static_cast<uint64_t>(sum));
  NEXT(2);
}

void op_Subtract(STEP) {
  const Value x = fp[op_b(pc)];
  const Value y = fp[op_c(pc)];
  int64_t difference;
  if (!both_small(x, y) || __builtin_sub_overflow(static_cast<int64_t>(x.raw()),
                                                  static_cast<int64_t>(y.raw()), &difference)) {
    return slow_Subtract(m, pc, fp, hp);
  }
  fp[op_a(pc)] = Value::from_raw(static_cast<uint64_t>(difference));
  NEXT(2);
}

void op_AddSmall(STEP) {
  const Value x = fp[op_b(pc)];
  const int64_t n = static_cast<int64_t>(static_cast<int16_t>(op_c(pc))) * 4;
  int64_t sum;
  if (!x.is_small() || __builtin_add_overflow(static_cast<int64_t>(x.raw()), n, &sum)) {
    return slow_add_small(m, pc, fp, hp);
  }
  fp[op_a(pc)] = Value::from_raw(static_cast<uint64_t>(sum));
  NEXT(2);
}

void op_Multiply(STEP) {
  const Value x = fp[op_b(pc)];
  const Value y = fp[op_c(pc)];
  int64_t product;
  if (!both_small(x, y) ||
      __builtin_mul_overflow(x.small(), static_cast<int64_t>(y.raw()), &product)) {
    return slow_Multiply(m, pc, fp, hp);
  }
  fp[op_a(pc)] = Value::from_raw(static_cast<uint64_t>(product));
  NEXT(2);
}

void op_IntegerDivide(STEP) {
  const Value x = fp[op_b(pc)];
  const Value y = fp[op_c(pc)];
  // The least small integer divided by -1 is not small.
  if (!both_small(x, y) || y.small() == 0 || y.small() == -1) {
    return slow_IntegerDivide(m, pc, fp, hp);
  }
  fp[op_a(pc)] = Value::small(x.small() / y.small());
  NEXT(2);
}

void op_Remainder(STEP) {
  const Value x = fp[op_b(pc)];
  const Value y = fp[op_c(pc)];
  if (!both_small(x, y) || y.small() == 0) return slow_Remainder(m, pc, fp, hp);
  fp[op_a(pc)] = Value::small(x.small() % y.small());
  NEXT(2);
}

void op_BitAnd(STEP) {
  const Value x = fp[op_b(pc)];
  const Value y = fp[op_c(pc)];
  if (!both_small(x, y)) return slow_BitAnd(m, pc, fp, hp);
  fp[op_a(pc)] = Value::from_raw(x.raw() & y.raw());
  NEXT(2);
}

void op_BitOr(STEP) {
  const Value x = fp[op_b(pc)];
  const Value y = fp[op_c(pc)];
  if (!both_small(x, y)) return slow_BitOr(m, pc, fp, hp);
  fp[op_a(pc)] = Value::from_raw(x.raw() | y.raw());
  NEXT(2);
}

void op_ShiftLeft(STEP) { return slow_ShiftLeft(m, pc, fp, hp); }

void op_ShiftRight(STEP) {
  const Value x = fp[op_b(pc)];
  const Value y = fp[op_c(pc)];
  if (!both_small(x, y) || y.small() < 0 || y.small() > 61) return slow_ShiftRight(m, pc, fp, hp);
  fp[op_a(pc)] = Value::small(x.small() >> y.small());
  NEXT(2);
}

// ---- Comparisons ------------------------------------------------------------

#define COMPARISON(Id, quick, general)                      \
  namespace {                                               \
  __attribute__((noinline)) void slow_##Id(STEP) {          \
    const Value x = fp[op_b(pc)];                           \
    const Value y = fp[op_c(pc)];                           \
    if (general) NEXT(2);                                   \
    FAIL(1);                                                \
  }                                                         \
  }                                                         \
  void op_##Id(STEP) {                                      \
    const Value x = fp[op_b(pc)];                           \
    const Value y = fp[op_c(pc)];                           \
    if (!both_small(x, y)) return slow_##Id(m, pc, fp, hp); \
    const auto i = static_cast<int64_t>(x.raw());           \
    const auto j = static_cast<int64_t>(y.raw());           \
    if (i quick j) NEXT(2);                                 \
    FAIL(1);                                                \
  }

COMPARISON(UnlessLess, <, compare(x, y) < 0)
COMPARISON(UnlessLessEqual, <=, compare(x, y) <= 0)
COMPARISON(UnlessEqual, ==, equal(x, y))
COMPARISON(UnlessNotEqual, !=, !equal(x, y))
COMPARISON(UnlessSame, ==, equal_exact(x, y))
COMPARISON(UnlessNotSame, !=, !equal_exact(x, y))

}  // namespace fathom::machine
