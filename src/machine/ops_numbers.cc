// Arithmetic and comparisons. Both operands small and the result small, or both
// floats: done here. Else the general functions (arithmetic.h, compare.h).
//
// Each comes in two forms: the right operand is a register, or a small integer that
// stands in the instruction.
#include <cmath>
#include <type_traits>

#include "machine/interpreter.h"
#include "machine/label_moves.h"
#include "values/compare.h"

namespace fathom::machine::FATHOM_INTERPRETER {
namespace {

Atom operator_name(Op op) {
  switch (op) {
    case Op::Add:
    case Op::AddSmall:
      return atoms::plus;
    case Op::Subtract:
    case Op::SubtractSmall:
      return atoms::minus;
    case Op::Multiply:
    case Op::MultiplySmall:
      return atoms::star;
    case Op::IntegerDivide:
    case Op::IntegerDivideSmall:
      return atoms::div_;
    case Op::Remainder:
    case Op::RemainderSmall:
      return atoms::rem_;
    case Op::BitAnd:
    case Op::BitAndSmall:
      return atoms::band_;
    case Op::BitOr:
    case Op::BitOrSmall:
      return atoms::bor_;
    case Op::BitXor:
    case Op::BitXorSmall:
      return atoms::bxor_;
    case Op::ShiftLeft:
    case Op::ShiftLeftSmall:
      return atoms::bsl_;
    case Op::ShiftRight:
    case Op::ShiftRightSmall:
      return atoms::bsr_;
    default:
      return atoms::slash;
  }
}

enum class Operand : uint8_t { Register, Small };

template <Operand Kind>
Value right_operand(const uint64_t* pc, const Value* fp) {
  if constexpr (Kind == Operand::Register) return fp[op_c(pc)];
  return Value::small(static_cast<int16_t>(op_c(pc)));
}

bool both_small(Value x, Value y) { return ((x.raw() | y.raw()) & 3) == 0; }
bool both_floats(Value x, Value y) { return x.is_float() && y.is_float(); }
int64_t signed_raw(Value v) { return static_cast<int64_t>(v.raw()); }

// Patterns test that two values are the same.
struct Same;
template <class Test>
inline void note_match([[maybe_unused]] Machine& m, const uint64_t* pc, const Value* fp) {
  if constexpr (std::is_same_v<Test, Same>) note_use(m, pc, fp + op_b(pc));
}

// ---- Arithmetic -------------------------------------------------------------

// quick: of two small integers; none() if it takes more than that.
struct Addition {
  static constexpr auto kGeneral = add;
  static Value quick(Value x, Value y) {
    int64_t sum;
    if (__builtin_add_overflow(signed_raw(x), signed_raw(y), &sum)) return Value::none();
    return Value::from_raw(static_cast<uint64_t>(sum));
  }
  static double real(double x, double y) { return x + y; }
};

struct Subtraction {
  static constexpr auto kGeneral = subtract;
  static Value quick(Value x, Value y) {
    int64_t difference;
    if (__builtin_sub_overflow(signed_raw(x), signed_raw(y), &difference)) return Value::none();
    return Value::from_raw(static_cast<uint64_t>(difference));
  }
  static double real(double x, double y) { return x - y; }
};

struct Multiplication {
  static constexpr auto kGeneral = multiply;
  static Value quick(Value x, Value y) {
    int64_t product;
    if (__builtin_mul_overflow(x.small(), signed_raw(y), &product)) return Value::none();
    return Value::from_raw(static_cast<uint64_t>(product));
  }
  static double real(double x, double y) { return x * y; }
};

// Not finite if the divisor is 0.
struct Division {
  static constexpr auto kGeneral = divide;
  static Value quick(Value, Value) { return Value::none(); }
  static double real(double x, double y) { return x / y; }
};

struct IntegerDivision {
  static constexpr auto kGeneral = integer_divide;
  static Value quick(Value x, Value y) {
    // The least small integer divided by -1 is not small.
    if (y.small() == 0 || y.small() == -1) return Value::none();
    return Value::small(x.small() / y.small());
  }
};

struct RemainderOf {
  static constexpr auto kGeneral = remainder;
  static Value quick(Value x, Value y) {
    return y.small() == 0 ? Value::none() : Value::small(x.small() % y.small());
  }
};

struct Conjunction {
  static constexpr auto kGeneral = bit_and;
  static Value quick(Value x, Value y) { return Value::from_raw(x.raw() & y.raw()); }
};

struct Disjunction {
  static constexpr auto kGeneral = bit_or;
  static Value quick(Value x, Value y) { return Value::from_raw(x.raw() | y.raw()); }
};

struct ExclusiveDisjunction {
  static constexpr auto kGeneral = bit_xor;
  static Value quick(Value x, Value y) { return Value::from_raw(x.raw() ^ y.raw()); }
};

struct LeftShift {
  static constexpr auto kGeneral = shift_left;
  static Value quick(Value x, Value y) {
    const int64_t n = x.small();
    const int64_t by = y.small();
    if (by < 0 || by > 60 || n > Value::kMaxSmall >> by || n < Value::kMinSmall >> by) {
      return Value::none();
    }
    return Value::small(n * (int64_t{1} << by));
  }
};

struct RightShift {
  static constexpr auto kGeneral = shift_right;
  static Value quick(Value x, Value y) {
    if (y.small() < 0 || y.small() > 61) return Value::none();
    return Value::small(x.small() >> y.small());
  }
};

__attribute__((noinline)) void arithmetic_failed(STEP, Value x, Value y) {
  const Export* target =
      m.code().find_export(atoms::erlang, operator_name(Instruction(*pc).op()), 2);
  const Value arguments[] = {x, y};
  return native_failed(m, pc, fp, hp, 1, target, arguments);
}

template <class Operation, Operand Kind>
__attribute__((noinline)) void general_arithmetic(STEP) {
  const Value x = fp[op_b(pc)];
  const Value y = right_operand<Kind>(pc, fp);
  m.heap().set_top(hp);
  const Value result = Operation::kGeneral(m.heap(), x, y);
  label_new(m, pc, hp);
  hp = m.heap().top();
  if (result == limit()) {
    m.context.system_limit();
    return arithmetic_failed(m, pc, fp, hp, x, y);
  }
  if (result.is_none()) {
    m.context.badarith();
    return arithmetic_failed(m, pc, fp, hp, x, y);
  }
  fp[op_a(pc)] = result;
  set_label(m, fp + op_a(pc), own_label(pc));
  NEXT(2);
}

template <class Operation, Operand Kind>
inline __attribute__((always_inline)) void arithmetic(STEP) {
  const Value x = fp[op_b(pc)];
  const Value y = right_operand<Kind>(pc, fp);
  if (both_small(x, y)) {
    const Value result = Operation::quick(x, y);
    if (result.is_none()) return general_arithmetic<Operation, Kind>(m, pc, fp, hp);
    fp[op_a(pc)] = result;
    set_label(m, fp + op_a(pc), own_label(pc));
    NEXT(2);
  }
  if constexpr (requires { Operation::real(0.0, 0.0); }) {
    if (x.is_float() && (Kind == Operand::Small || y.is_float())) {
      const double second = Kind == Operand::Small ? static_cast<double>(y.small()) : y.real();
      const double result = Operation::real(x.real(), second);
      if (std::isfinite(result)) {
        hp[0] = Header(BoxKind::Float, 1).word();
        hp[1] = std::bit_cast<uint64_t>(result);
        label_object(m, pc, hp);
        fp[op_a(pc)] = Value::box(hp);
        hp += 2;
        NEXT(2);
      }
    }
  }
  return general_arithmetic<Operation, Kind>(m, pc, fp, hp);
}

}  // namespace

#define ARITHMETIC(Id, Operation)                                                        \
  void op_##Id(STEP) { return arithmetic<Operation, Operand::Register>(m, pc, fp, hp); } \
  void op_##Id##Small(STEP) { return arithmetic<Operation, Operand::Small>(m, pc, fp, hp); }

ARITHMETIC(Add, Addition)
ARITHMETIC(Subtract, Subtraction)
ARITHMETIC(Multiply, Multiplication)
ARITHMETIC(Divide, Division)
ARITHMETIC(IntegerDivide, IntegerDivision)
ARITHMETIC(Remainder, RemainderOf)
ARITHMETIC(BitAnd, Conjunction)
ARITHMETIC(BitOr, Disjunction)
ARITHMETIC(BitXor, ExclusiveDisjunction)
ARITHMETIC(ShiftLeft, LeftShift)
ARITHMETIC(ShiftRight, RightShift)

// ---- Comparisons ------------------------------------------------------------

namespace {

// quick: of the words of two small integers. general: of what compare() says.
struct Less {
  static bool quick(int64_t x, int64_t y) { return x < y; }
  static bool real(double x, double y) { return x < y; }
  static bool general(Value x, Value y) { return compare(x, y) < 0; }
};
struct LessEqual {
  static bool quick(int64_t x, int64_t y) { return x <= y; }
  static bool real(double x, double y) { return x <= y; }
  static bool general(Value x, Value y) { return compare(x, y) <= 0; }
};
struct Greater {
  static bool quick(int64_t x, int64_t y) { return x > y; }
  static bool real(double x, double y) { return x > y; }
  static bool general(Value x, Value y) { return compare(x, y) > 0; }
};
struct GreaterEqual {
  static bool quick(int64_t x, int64_t y) { return x >= y; }
  static bool real(double x, double y) { return x >= y; }
  static bool general(Value x, Value y) { return compare(x, y) >= 0; }
};
struct Equal {
  static bool quick(int64_t x, int64_t y) { return x == y; }
  static bool real(double x, double y) { return x == y; }
  static bool general(Value x, Value y) { return equal(x, y); }
};
struct NotEqual {
  static bool quick(int64_t x, int64_t y) { return x != y; }
  static bool real(double x, double y) { return x != y; }
  static bool general(Value x, Value y) { return !equal(x, y); }
};
struct Same {
  static bool quick(int64_t x, int64_t y) { return x == y; }
  static bool real(double x, double y) { return x == y; }
  static bool general(Value x, Value y) { return equal_exact(x, y); }
};
struct NotSame {
  static bool quick(int64_t x, int64_t y) { return x != y; }
  static bool real(double x, double y) { return x != y; }
  static bool general(Value x, Value y) { return !equal_exact(x, y); }
};

template <class Test, Operand Kind>
__attribute__((noinline)) void general_comparison(STEP) {
  const Value x = fp[op_b(pc)];
  const Value y = right_operand<Kind>(pc, fp);
  const bool holds = both_floats(x, y) ? Test::real(x.real(), y.real()) : Test::general(x, y);
  if (!holds) FAIL(1);
  note_match<Test>(m, pc, fp);
  NEXT(2);
}

template <class Test, Operand Kind>
inline __attribute__((always_inline)) void comparison(STEP) {
  const Value x = fp[op_b(pc)];
  const Value y = right_operand<Kind>(pc, fp);
  if (!both_small(x, y)) return general_comparison<Test, Kind>(m, pc, fp, hp);
  if (!Test::quick(signed_raw(x), signed_raw(y))) FAIL(1);
  note_match<Test>(m, pc, fp);
  NEXT(2);
}

}  // namespace

#define COMPARISON(Id) \
  void op_Unless##Id(STEP) { return comparison<Id, Operand::Register>(m, pc, fp, hp); }
#define COMPARISON_SMALL(Id) \
  void op_Unless##Id##Small(STEP) { return comparison<Id, Operand::Small>(m, pc, fp, hp); }

COMPARISON(Less)
COMPARISON(LessEqual)
COMPARISON(Equal)
COMPARISON(NotEqual)
COMPARISON(Same)
COMPARISON(NotSame)
COMPARISON_SMALL(Less)
COMPARISON_SMALL(LessEqual)
COMPARISON_SMALL(Greater)
COMPARISON_SMALL(GreaterEqual)
COMPARISON_SMALL(Equal)
COMPARISON_SMALL(NotEqual)

}  // namespace fathom::machine::FATHOM_INTERPRETER
