// Integer terms over unknown integers, and conditions on them: what a path has computed and
// asked. Terms are numbered, and made once: equal terms have one number. Constants and variables
// are what fits 64 bits; where a value does not, the maker says so and the caller takes concrete
// values instead.
//
// Terms made since a mark are forgotten by rewinding to it, so a search that goes back and forth
// needs memory for its current path only.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace fathom::symbolic {

enum class ExprOp : uint8_t {
  Constant,
  Variable,
  Add,
  Subtract,
  Multiply,
  Divide,     // truncates, as div
  Remainder,  // has the sign of the dividend, as rem
  And,
  Or,
  Xor,
  ShiftLeft,   // by a constant that is not negative
  ShiftRight,  // likewise
  Absolute,
};

using ExprId = uint32_t;
inline constexpr ExprId kNoExpr = UINT32_MAX;

struct Expr {
  ExprOp op = ExprOp::Constant;
  ExprId a = kNoExpr;
  ExprId b = kNoExpr;
  int64_t value = 0;  // of a constant; the number of a variable

  bool operator==(const Expr&) const = default;
};

enum class Relation : uint8_t { Equal, NotEqual, Less, LessEqual };

struct Condition {
  Relation relation = Relation::Equal;
  ExprId a = kNoExpr;
  ExprId b = kNoExpr;
  bool is_of_type = false;  // a bound of the input's type, which the program has not asked for

  Condition negated() const;
  bool says_the_same(const Condition& other) const {
    return relation == other.relation && a == other.a && b == other.b;
  }
};

// What variables are, by their numbers.
using Model = std::vector<int64_t>;

class Expressions {
 public:
  ExprId constant(int64_t value) { return make({ExprOp::Constant, kNoExpr, kNoExpr, value}); }
  ExprId new_variable() { return make({ExprOp::Variable, kNoExpr, kNoExpr, variables_++}); }
  // The divisor must not be zero.
  ExprId binary(ExprOp op, ExprId a, ExprId b);
  ExprId absolute(ExprId a);

  const Expr& operator[](ExprId id) const { return exprs_[id]; }
  std::optional<int64_t> constant_of(ExprId id) const {
    if (exprs_[id].op != ExprOp::Constant) return std::nullopt;
    return exprs_[id].value;
  }
  size_t variable_count() const { return static_cast<size_t>(variables_); }
  // Of the term; none: it does not fit 64 bits, or divides by zero.
  std::optional<int64_t> value_of(ExprId id, const Model& model) const;
  std::optional<bool> holds(const Condition& condition, const Model& model) const;
  // Adds the numbers of the variables in it; some may come twice.
  void add_variables(ExprId id, std::vector<uint32_t>& to) const;

  struct Mark {
    size_t exprs;
    int64_t variables;
  };
  Mark mark() const { return {exprs_.size(), variables_}; }
  void rewind(Mark mark);

 private:
  struct Hash {
    size_t operator()(const Expr& e) const;
  };
  ExprId make(const Expr& expr);
  std::optional<int64_t> leaf_value(ExprId id, const Model& model) const;

  std::vector<Expr> exprs_;
  std::unordered_map<Expr, ExprId, Hash> known_;
  int64_t variables_ = 0;
};

// None: it does not fit 64 bits, or divides by zero.
std::optional<int64_t> apply(ExprOp op, int64_t a, int64_t b);
bool compare(Relation relation, int64_t a, int64_t b);

}  // namespace fathom::symbolic
