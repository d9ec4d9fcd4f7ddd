// The last link of the chain: Z3, for what is left.
//
// Integers are Z3's, of any size. div and rem truncate, as Erlang's do, where Z3's round down.
// band, bor and bxor are those of 64-bit vectors, so that "no" is not an answer where they occur
// unless the operands are known to fit: it is "don't know".
//
// It is limited by its own unit of effort, and not by time: the answers are then the same on every
// machine, and the timers of Z3 4.8.12 can wait for each other for ever. For the same reason it is
// the simple solver, without tactics, which set timers.
#include <z3++.h>

#include <optional>

#include "base/budget.h"
#include "symbolic/solver.h"

namespace fathom::symbolic {

struct Z3Solver::State {
  z3::context context;
};

Z3Solver::Z3Solver() = default;
Z3Solver::~Z3Solver() = default;

namespace {

constexpr unsigned kEffort = 100'000;
constexpr unsigned kBits = 64;

class Translation {
 public:
  Translation(z3::context& context, const Problem& problem)
      : context_(context), expressions_(problem.expressions) {}

  z3::expr condition(const Condition& c) {
    const z3::expr a = term(c.a);
    const z3::expr b = term(c.b);
    switch (c.relation) {
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
  z3::expr variable(uint32_t v) { return context_.int_const(("x" + std::to_string(v)).c_str()); }
  // Something was cut down to 64 bits.
  bool is_approximate = false;

 private:
  // With a stack of its own: terms may be deep.
  z3::expr term(ExprId id) {
    std::vector<ExprId> open = {id};
    while (!open.empty()) {
      const ExprId e = open.back();
      if (known_.contains(e)) {
        open.pop_back();
        continue;
      }
      const Expr& x = expressions_[e];
      const bool has_a = x.a == kNoExpr || known_.contains(x.a);
      const bool has_b = x.b == kNoExpr || known_.contains(x.b);
      if (!has_a) open.push_back(x.a);
      if (!has_b) open.push_back(x.b);
      if (has_a && has_b) known_.emplace(e, make(x));
    }
    return known_.at(id);
  }

  z3::expr make(const Expr& x) {
    if (x.op == ExprOp::Constant) return context_.int_val(x.value);
    if (x.op == ExprOp::Variable) return variable(static_cast<uint32_t>(x.value));
    const z3::expr a = known_.at(x.a);
    if (x.op == ExprOp::Absolute) return z3::ite(a >= 0, a, -a);
    const z3::expr b = known_.at(x.b);
    switch (x.op) {
      case ExprOp::Add:
        return a + b;
      case ExprOp::Subtract:
        return a - b;
      case ExprOp::Multiply:
        return a * b;
      case ExprOp::Divide:
        return z3::ite(a >= 0, a / b, -((-a) / b));
      case ExprOp::Remainder:
        return z3::ite(a >= 0, z3::mod(a, b), -z3::mod(-a, b));
      case ExprOp::ShiftLeft:
        return a * power(x.b);
      case ExprOp::ShiftRight:
        return a / power(x.b);
      default:
        return bitwise(x, a, b);
    }
  }

  z3::expr power(ExprId by) {
    const int64_t bits = expressions_.constant_of(by).value_or(0);
    return context_.int_val((int64_t{1} << (bits > 62 ? 62 : bits)));
  }

  z3::expr bitwise(const Expr& x, const z3::expr& a, const z3::expr& b) {
    const auto mask = expressions_.constant_of(x.b);
    if (x.op == ExprOp::And && mask && *mask >= 0 && ((*mask + 1) & *mask) == 0) {
      return z3::mod(a, context_.int_val(*mask + 1));
    }
    is_approximate = true;
    const z3::expr p = z3::int2bv(kBits, a);
    const z3::expr q = z3::int2bv(kBits, b);
    const z3::expr result = x.op == ExprOp::And ? p & q : x.op == ExprOp::Or ? p | q : p ^ q;
    return z3::bv2int(result, true);
  }

  z3::context& context_;
  const Expressions& expressions_;
  std::unordered_map<ExprId, z3::expr> known_;
};

bool read_model(z3::solver& solver, Translation& translation, const Problem& problem,
                Model& model) {
  const z3::model found = solver.get_model();
  for (const uint32_t v : problem.variables) {
    const z3::expr value = found.eval(translation.variable(v), true);
    int64_t n = 0;
    if (!value.is_numeral_i64(n)) return false;
    if (model.size() <= v) model.resize(v + 1);
    model[v] = n;
  }
  return true;
}

}  // namespace

Answer Z3Solver::decide(const Problem& problem, Model& model) {
  spend(100'000);  // it may take a while, so the clock is looked at
  try {
    if (!state_) state_ = std::make_unique<State>();
    z3::solver solver(state_->context, z3::solver::simple());
    z3::params params(state_->context);
    params.set("rlimit", kEffort);
    solver.set(params);
    Translation translation(state_->context, problem);
    for (const Condition& c : problem.conditions) solver.add(translation.condition(c));
    const z3::check_result result = solver.check();
    if (result == z3::unsat) return translation.is_approximate ? Answer::Unknown : Answer::No;
    if (result != z3::sat) return Answer::Unknown;
    Model found = model;
    if (!read_model(solver, translation, problem, found)) return Answer::Unknown;
    for (const Condition& c : problem.conditions) {
      if (!problem.expressions.holds(c, found).value_or(false)) return Answer::Unknown;
    }
    model = std::move(found);
    return Answer::Yes;
  } catch (const z3::exception&) {
    return Answer::Unknown;
  }
}

}  // namespace fathom::symbolic
