#include "symbolic/expression.h"

#include <utility>

#include "base/hash.h"

namespace fathom::symbolic {

Condition Condition::negated() const {
  switch (relation) {
    case Relation::Equal:
      return {Relation::NotEqual, a, b, false};
    case Relation::NotEqual:
      return {Relation::Equal, a, b, false};
    case Relation::Less:
      return {Relation::LessEqual, b, a, false};
    case Relation::LessEqual:
      break;
  }
  return {Relation::Less, b, a, false};
}

bool compare(Relation relation, int64_t a, int64_t b) {
  switch (relation) {
    case Relation::Equal:
      return a == b;
    case Relation::NotEqual:
      return a != b;
    case Relation::Less:
      return a < b;
    case Relation::LessEqual:
      break;
  }
  return a <= b;
}

static std::optional<int64_t> shifted_left(int64_t a, int64_t by) {
  int64_t result;
  if (a == 0) return 0;
  if (by < 0 || by > 62 || __builtin_mul_overflow(a, int64_t{1} << by, &result)) {
    return std::nullopt;
  }
  return result;
}

std::optional<int64_t> apply(ExprOp op, int64_t a, int64_t b) {
  int64_t result = 0;
  switch (op) {
    case ExprOp::Add:
      if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
      return result;
    case ExprOp::Subtract:
      if (__builtin_sub_overflow(a, b, &result)) return std::nullopt;
      return result;
    case ExprOp::Multiply:
      if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
      return result;
    case ExprOp::Divide:
      if (b == 0 || (a == INT64_MIN && b == -1)) return std::nullopt;
      return a / b;
    case ExprOp::Remainder:
      if (b == 0) return std::nullopt;
      return b == -1 ? 0 : a % b;
    case ExprOp::And:
      return a & b;
    case ExprOp::Or:
      return a | b;
    case ExprOp::Xor:
      return a ^ b;
    case ExprOp::ShiftLeft:
      return shifted_left(a, b);
    case ExprOp::ShiftRight:
      if (b < 0) return std::nullopt;
      return a >> (b > 63 ? 63 : b);
    case ExprOp::Absolute:
      if (a == INT64_MIN) return std::nullopt;
      return a < 0 ? -a : a;
    case ExprOp::Constant:
    case ExprOp::Variable:
      break;
  }
  return std::nullopt;
}

size_t Expressions::Hash::operator()(const Expr& e) const {
  return hash_words(static_cast<uint64_t>(e.op) << 56 ^ static_cast<uint64_t>(e.value), e.a, e.b);
}

ExprId Expressions::make(const Expr& expr) {
  const auto [it, is_new] = known_.emplace(expr, static_cast<ExprId>(exprs_.size()));
  if (is_new) exprs_.push_back(expr);
  return it->second;
}

void Expressions::rewind(Mark mark) {
  while (exprs_.size() > mark.exprs) {
    known_.erase(exprs_.back());
    exprs_.pop_back();
  }
  variables_ = mark.variables;
}

// Constants are folded, those of a chain of additions together, and neutral ones left out, so
// that what a loop has added up stays small.
ExprId Expressions::binary(ExprOp op, ExprId a, ExprId b) {
  const auto x = constant_of(a);
  const auto y = constant_of(b);
  if (x && y) {
    if (const auto folded = apply(op, *x, *y)) return constant(*folded);
  }
  if (op == ExprOp::Subtract && y && *y != INT64_MIN) {
    return binary(ExprOp::Add, a, constant(-*y));
  }
  if (op == ExprOp::Subtract && a == b) return constant(0);
  if ((op == ExprOp::Add || op == ExprOp::Multiply) && x && !y) {
    std::swap(a, b);
    return binary(op, a, b);
  }
  if (op == ExprOp::Add && y) {
    if (*y == 0) return a;
    const Expr& inner = exprs_[a];
    const auto before = inner.op == ExprOp::Add ? constant_of(inner.b) : std::nullopt;
    if (before) {
      if (const auto sum = apply(ExprOp::Add, *before, *y)) {
        return binary(ExprOp::Add, inner.a, constant(*sum));
      }
    }
  }
  if (op == ExprOp::Multiply && y && *y == 1) return a;
  if (op == ExprOp::Multiply && y && *y == 0) return constant(0);
  if (op == ExprOp::Divide && y && *y == 1) return a;
  return make({op, a, b, 0});
}

ExprId Expressions::absolute(ExprId a) {
  if (const auto x = constant_of(a)) {
    if (const auto folded = apply(ExprOp::Absolute, *x, 0)) return constant(*folded);
  }
  return make({ExprOp::Absolute, a, kNoExpr, 0});
}

// Of a constant or a variable.
std::optional<int64_t> Expressions::leaf_value(ExprId id, const Model& model) const {
  const Expr& x = exprs_[id];
  if (x.op == ExprOp::Constant) return x.value;
  if (x.op != ExprOp::Variable) return std::nullopt;
  return static_cast<size_t>(x.value) < model.size() ? model[static_cast<size_t>(x.value)] : 0;
}

// Terms are trees whose depth is that of the program's computation, so there is a stack; what was
// computed is kept for the terms that are used twice.
std::optional<int64_t> Expressions::value_of(ExprId id, const Model& model) const {
  if (const auto leaf = leaf_value(id, model)) return leaf;
  std::unordered_map<ExprId, int64_t> known;
  std::vector<ExprId> open = {id};
  const auto value = [&](ExprId e) -> std::optional<int64_t> {
    if (const auto leaf = leaf_value(e, model)) return leaf;
    const auto it = known.find(e);
    return it == known.end() ? std::nullopt : std::optional(it->second);
  };
  while (!open.empty()) {
    const ExprId e = open.back();
    if (value(e)) {
      open.pop_back();
      continue;
    }
    const Expr& x = exprs_[e];
    const auto a = value(x.a);
    const auto b = x.b == kNoExpr ? std::optional<int64_t>(0) : value(x.b);
    if (a && b) {
      const auto result = apply(x.op, *a, *b);
      if (!result) return std::nullopt;
      known[e] = *result;
      continue;
    }
    if (!a) open.push_back(x.a);
    if (!b) open.push_back(x.b);
  }
  return value(id);
}

std::optional<bool> Expressions::holds(const Condition& condition, const Model& model) const {
  const auto a = value_of(condition.a, model);
  const auto b = value_of(condition.b, model);
  if (!a || !b) return std::nullopt;
  return compare(condition.relation, *a, *b);
}

void Expressions::add_variables(ExprId id, std::vector<uint32_t>& to) const {
  const Expr& whole = exprs_[id];
  if (whole.op == ExprOp::Constant) return;
  if (whole.op == ExprOp::Variable) return to.push_back(static_cast<uint32_t>(whole.value));
  std::vector<ExprId> open = {id};
  while (!open.empty()) {
    const Expr& x = exprs_[open.back()];
    open.pop_back();
    if (x.op == ExprOp::Variable) to.push_back(static_cast<uint32_t>(x.value));
    if (x.a != kNoExpr) open.push_back(x.a);
    if (x.b != kNoExpr) open.push_back(x.b);
  }
}

}  // namespace fathom::symbolic
