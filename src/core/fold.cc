#include "core/fold.h"

#include <cmath>
#include <cstdlib>
#include <vector>

#include "core/auto_imported.h"

namespace fathom::core {
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

using Value = std::optional<Term>;

double to_double(Term t) { return t.is_float() ? t.to_float() : integer_to_double(MpzView(t)); }

Value real(double value, TermArena& arena) {
  if (!std::isfinite(value)) return std::nullopt;
  return arena.real(value);
}

Value integer(const Integer& value, TermArena& arena) {
  if (mpz_sizeinbase(value.value, 2) > size_t{kMaxBits}) return std::nullopt;
  return arena.integer(value.value);
}

Value shift(bool left, Term a, Term b, TermArena& arena) {
  if (!b.is_small() || std::abs(b.small()) > kMaxBits) return std::nullopt;
  if (b.small() < 0) left = !left;
  const auto bits = static_cast<mp_bitcnt_t>(std::abs(b.small()));
  Integer result;
  left ? mpz_mul_2exp(result.value, MpzView(a), bits)
       : mpz_fdiv_q_2exp(result.value, MpzView(a), bits);
  return integer(result, arena);
}

Value integers(Atom op, Term a, Term b, TermArena& arena) {
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

Value binary(Atom op, Term a, Term b, TermArena& arena) {
  if (a.is_integer() && b.is_integer() && op != atoms::slash) return integers(op, a, b, arena);
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

Value unary(Atom op, Term a, TermArena& arena) {
  if (op == atoms::plus) return a;
  if (op == atoms::minus) {
    return a.is_float() ? real(-a.to_float(), arena) : integers(op, Term(0), a, arena);
  }
  if (a.is_float()) return std::nullopt;
  Integer result;
  mpz_com(result.value, MpzView(a));
  return arena.integer(result.value);
}

Value leaf(const Unit& unit, NodeId id, TermArena& arena) {
  const Node& n = unit.ast[id];
  switch (n.kind) {
    case NodeKind::Integer: {
      const uint32_t value = unit.ast.slot(id, 0);
      if (n.flags & Node::kPooled) return arena.parse_integer(unit.literals().integers[value]);
      return Term(value);
    }
    case NodeKind::Char:
      return Term(unit.ast.slot(id, 0));
    case NodeKind::Float:
      return arena.real(unit.literals().floats[unit.ast.slot(id, 0)]);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<Term> fold_number(const Unit& unit, NodeId id, TermArena& arena) {
  struct Visit {
    NodeId node;
    bool operands_done;
  };
  const Ast& ast = unit.ast;
  std::vector<Visit> todo{{id, false}};
  std::vector<Term> values;
  while (!todo.empty()) {
    const Visit visit = todo.back();
    todo.pop_back();
    Value value;
    if (ast.is(visit.node, NodeKind::BinaryOp)) {
      const auto op = ast.get<node::BinaryOp>(visit.node);
      if (!is_arithmetic_operator(op.op, 2)) return std::nullopt;
      if (!visit.operands_done) {
        todo.insert(todo.end(), {{visit.node, true}, {op.right, false}, {op.left, false}});
        continue;
      }
      const Term right = values.back();
      values.pop_back();
      value = binary(op.op, values.back(), right, arena);
      values.pop_back();
    } else if (ast.is(visit.node, NodeKind::UnaryOp)) {
      const auto op = ast.get<node::UnaryOp>(visit.node);
      if (!is_arithmetic_operator(op.op, 1)) return std::nullopt;
      if (!visit.operands_done) {
        todo.insert(todo.end(), {{visit.node, true}, {op.operand, false}});
        continue;
      }
      value = unary(op.op, values.back(), arena);
      values.pop_back();
    } else {
      value = leaf(unit, visit.node, arena);
    }
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values.back();
}

std::optional<int64_t> fold_small(const Unit& unit, NodeId id) {
  TermArena arena;
  const auto value = fold_number(unit, id, arena);
  return value && value->is_integer() ? value->to_int64() : std::nullopt;
}

bool folds_to_integer(const Unit& unit, NodeId id) {
  TermArena arena;
  const auto value = fold_number(unit, id, arena);
  return value && value->is_integer();
}

}  // namespace fathom::core
