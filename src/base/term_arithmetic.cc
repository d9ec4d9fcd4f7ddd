#include "base/term_arithmetic.h"

#include <cmath>
#include <cstdlib>

namespace fathom {
namespace {

constexpr int64_t kMaxBits = 1 << 22;

class Integer {
 public:
  Integer() { mpz_init(value); }
  ~Integer() { mpz_clear(value); }
  Integer(const Integer&) = delete;
  Integer& operator=(const Integer&) = delete;
  mpz_t value;
};

double to_double(Term t) { return t.is_float() ? t.to_float() : integer_to_double(MpzView(t)); }

std::optional<Term> real(double value, TermArena& arena) {
  if (!std::isfinite(value)) return std::nullopt;
  return arena.real(value);
}

std::optional<Term> integer(const Integer& value, TermArena& arena) {
  if (mpz_sizeinbase(value.value, 2) > size_t{kMaxBits}) return std::nullopt;
  return arena.integer(value.value);
}

std::optional<Term> shift(bool left, Term a, Term b, TermArena& arena) {
  if (!b.is_small() || std::abs(b.small()) > kMaxBits) return std::nullopt;
  if (b.small() < 0) left = !left;
  const auto bits = static_cast<mp_bitcnt_t>(std::abs(b.small()));
  Integer result;
  left ? mpz_mul_2exp(result.value, MpzView(a), bits)
       : mpz_fdiv_q_2exp(result.value, MpzView(a), bits);
  return integer(result, arena);
}

std::optional<Term> integers(Atom op, Term a, Term b, TermArena& arena) {
  const MpzView x(a);
  const MpzView y(b);
  Integer r;
  switch (op.id()) {
    case atoms::plus.id():
      mpz_add(r.value, x, y);
      break;
    case atoms::minus.id():
      mpz_sub(r.value, x, y);
      break;
    case atoms::star.id():
      mpz_mul(r.value, x, y);
      break;
    case atoms::div_.id():
    case atoms::rem_.id():
      if (mpz_sgn(static_cast<mpz_srcptr>(y)) == 0) return std::nullopt;
      op == atoms::div_ ? mpz_tdiv_q(r.value, x, y) : mpz_tdiv_r(r.value, x, y);
      break;
    case atoms::band_.id():
      mpz_and(r.value, x, y);
      break;
    case atoms::bor_.id():
      mpz_ior(r.value, x, y);
      break;
    case atoms::bxor_.id():
      mpz_xor(r.value, x, y);
      break;
    case atoms::bsl_.id():
    case atoms::bsr_.id():
      return shift(op == atoms::bsl_, a, b, arena);
    default:
      return std::nullopt;
  }
  return integer(r, arena);
}

bool is_number(Term t) { return t.is_integer() || t.is_float(); }

}  // namespace

std::optional<Term> compute(Atom op, Term a, Term b, TermArena& arena) {
  if (a.is_integer() && b.is_integer() && op != atoms::slash) return integers(op, a, b, arena);
  if (!is_number(a) || !is_number(b)) return std::nullopt;
  const double x = to_double(a);
  const double y = to_double(b);
  switch (op.id()) {
    case atoms::plus.id():
      return real(x + y, arena);
    case atoms::minus.id():
      return real(x - y, arena);
    case atoms::star.id():
      return real(x * y, arena);
    case atoms::slash.id():
      return real(x / y, arena);
    default:
      return std::nullopt;
  }
}

std::optional<Term> compute(Atom op, Term a, TermArena& arena) {
  if (!is_number(a)) return std::nullopt;
  if (op == atoms::plus) return a;
  if (op == atoms::minus) {
    return a.is_float() ? real(-a.to_float(), arena) : integers(op, Term(0), a, arena);
  }
  return a.is_integer() ? integers(atoms::minus, Term(-1), a, arena) : std::nullopt;
}

}  // namespace fathom
