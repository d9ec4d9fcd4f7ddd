// The links of the chain that need no SMT solver.
//
// Conditions are brought into linear form where they have one: a sum of variables times constants,
// plus a constant, related to 0. A quotient by a constant is a variable of its own, between two
// such sums; so are remainders, shifts and the last bits of a number. Bounds: each linear condition
// narrows the interval of each of its variables, until nothing changes or enough is enough.
// Differences: x - y <= c is an edge, and a cycle of negative weight has no solution (Bellman and
// Ford); without one, the distances often are one. Congruences: an equation that has no solution
// modulo a small number has none. Small values: backtracking over values near to zero, with bounds
// in between; its solutions are the readable ones.
#include <algorithm>
#include <optional>

#include "base/budget.h"
#include "symbolic/solver.h"

namespace fathom::symbolic {
namespace {

constexpr int64_t kInfinite = int64_t{1} << 61;

bool add_scaled(Linear& to, const Linear& from, int64_t factor) {
  const auto add = [&](int64_t& place, int64_t x) {
    int64_t product;
    return !__builtin_mul_overflow(x, factor, &product) &&
           !__builtin_add_overflow(place, product, &place) && place < kInfinite &&
           place > -kInfinite;
  };
  if (!add(to.constant, from.constant)) return false;
  for (const auto& [variable, x] : from.factors) {
    auto at =
        std::ranges::lower_bound(to.factors, variable, {}, &std::pair<uint32_t, int64_t>::first);
    if (at == to.factors.end() || at->first != variable) at = to.factors.insert(at, {variable, 0});
    if (!add(at->second, x)) return false;
    if (at->second == 0) to.factors.erase(at);
  }
  return true;
}

// Brings the conditions of a problem into linear form.
class LinearForms {
 public:
  LinearForms(const Expressions& e, uint32_t end) : e_(e), end_(end) {}

  // None: it is not linear, or numbers become too large.
  std::optional<LinearCondition> of(const Condition& c) {
    auto a = of(c.a);
    const auto b = a ? of(c.b) : std::nullopt;
    if (!b || !add_scaled(*a, *b, -1)) return std::nullopt;
    if (c.relation == Relation::Less) {
      ++a->constant;
      return LinearCondition{Relation::LessEqual, std::move(*a)};
    }
    return LinearCondition{c.relation, std::move(*a)};
  }

  // variable = dividend / divisor, rounded down; or towards zero, which is the same only if the
  // dividend is not negative.
  struct Quotient {
    uint32_t variable;
    Linear dividend;
    int64_t divisor;
    bool is_rounded_down;
  };
  const std::vector<Quotient>& quotients() const { return quotients_; }  // inner ones first
  uint32_t end() const { return end_; }

 private:
  // Recursion is on the depth of a sum, of which the makers keep constants out; a term that is
  // deeper than this counts as one that is not linear.
  std::optional<Linear> of(ExprId id) {
    const Expr& x = e_[id];
    if (x.op == ExprOp::Constant) {
      if (x.value >= kInfinite || x.value <= -kInfinite) return std::nullopt;
      return Linear{{}, x.value};
    }
    if (x.op == ExprOp::Variable) return Linear{{{static_cast<uint32_t>(x.value), 1}}, 0};
    if (x.b == kNoExpr || depth_ > 500) return std::nullopt;
    ++depth_;
    auto result = binary(x);
    --depth_;
    return result;
  }

  std::optional<Linear> binary(const Expr& x) {
    auto a = of(x.a);
    if (!a) return std::nullopt;
    const auto by = e_.constant_of(x.b);
    switch (x.op) {
      case ExprOp::Divide:
        return by ? quotient(*a, *by, false) : std::nullopt;
      case ExprOp::Remainder:
        return by ? remainder(*a, *by, false) : std::nullopt;
      case ExprOp::ShiftRight:
        return by && *by < 60 ? quotient(*a, int64_t{1} << *by, true) : std::nullopt;
      case ExprOp::And:  // with 2^n - 1
        return by && *by > 0 && (*by & (*by + 1)) == 0 ? remainder(*a, *by + 1, true)
                                                       : std::nullopt;
      default:
        break;
    }
    const auto b = of(x.b);
    if (!b) return std::nullopt;
    if (x.op == ExprOp::Add || x.op == ExprOp::Subtract) {
      if (!add_scaled(*a, *b, x.op == ExprOp::Add ? 1 : -1)) return std::nullopt;
      return a;
    }
    if (x.op != ExprOp::Multiply) return std::nullopt;
    if (b->factors.empty()) return scaled(*a, b->constant);
    if (a->factors.empty()) return scaled(*b, a->constant);
    return std::nullopt;
  }

  static std::optional<Linear> scaled(const Linear& sum, int64_t factor) {
    Linear result;
    return add_scaled(result, sum, factor) ? std::optional(result) : std::nullopt;
  }

  std::optional<Linear> quotient(const Linear& dividend, int64_t divisor, bool is_rounded_down) {
    if (divisor <= 0 || divisor >= kInfinite) return std::nullopt;
    const auto is_known = [&](const Quotient& q) {
      return q.divisor == divisor && q.is_rounded_down == is_rounded_down &&
             q.dividend.constant == dividend.constant && q.dividend.factors == dividend.factors;
    };
    auto at = std::ranges::find_if(quotients_, is_known);
    if (at == quotients_.end()) {
      quotients_.push_back({end_++, dividend, divisor, is_rounded_down});
      at = quotients_.end() - 1;
    }
    return Linear{{{at->variable, 1}}, 0};
  }

  std::optional<Linear> remainder(const Linear& dividend, int64_t divisor, bool is_rounded_down) {
    const auto whole = quotient(dividend, divisor, is_rounded_down);
    Linear result = dividend;
    if (!whole || !add_scaled(result, *whole, -divisor)) return std::nullopt;
    return result;
  }

  const Expressions& e_;
  uint32_t end_;
  int depth_ = 0;
  std::vector<Quotient> quotients_;
};

// ---- Bounds -----------------------------------------------------------------

struct Interval {
  int64_t low = -kInfinite;
  int64_t high = kInfinite;
  bool empty() const { return low > high; }
};

using Domains = std::vector<Interval>;  // by variable

Domains open_domains(const Problem& problem, const Interval& interval) {
  return Domains(problem.end, interval);
}

__int128 floor_div(__int128 a, __int128 b) {
  if (b == 1) return a;
  if (a <= INT64_MAX && a >= INT64_MIN + 1 && b <= INT64_MAX && b >= 1) {
    const auto x = static_cast<int64_t>(a);
    const auto y = static_cast<int64_t>(b);
    return x / y - (x % y < 0 ? 1 : 0);
  }
  const __int128 q = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}
int64_t clamped(__int128 x) {
  if (x > kInfinite) return kInfinite;
  if (x < -kInfinite) return -kInfinite;
  return static_cast<int64_t>(x);
}

// The least value of the sum without one variable; none: there is no bound.
std::optional<__int128> least_without(const Linear& sum, uint32_t without, const Domains& domains) {
  __int128 least = sum.constant;
  for (const auto& [variable, factor] : sum.factors) {
    if (variable == without) continue;
    const Interval& d = domains[variable];
    const int64_t end = factor > 0 ? d.low : d.high;
    if (end <= -kInfinite || end >= kInfinite) return std::nullopt;
    least += __int128{factor} * end;
  }
  return least;
}

Linear negated(const Linear& sum) {
  Linear result;
  add_scaled(result, sum, -1);
  return result;
}

enum class Change : uint8_t { None, Some, Empty };

// sum <= 0
Change narrow_less(const Linear& sum, Domains& domains) {
  Change change = Change::None;
  if (sum.factors.empty()) return sum.constant <= 0 ? Change::None : Change::Empty;
  for (const auto& [variable, factor] : sum.factors) {
    const auto least = least_without(sum, variable, domains);
    if (!least) continue;
    Interval& d = domains[variable];
    const Interval before = d;
    // factor * x <= -least
    if (factor > 0) {
      d.high = std::min(d.high, clamped(floor_div(-*least, factor)));
    } else {
      d.low = std::max(d.low, clamped(-floor_div(-*least, -factor)));
    }
    if (d.empty()) return Change::Empty;
    if (d.low != before.low || d.high != before.high) change = Change::Some;
  }
  return change;
}

// Only at the ends of an interval.
Change narrow_different(const Linear& sum, Domains& domains) {
  if (sum.factors.empty()) return sum.constant != 0 ? Change::None : Change::Empty;
  const auto is_fixed = [&](uint32_t v) { return domains[v].low == domains[v].high; };
  const std::pair<uint32_t, int64_t>* open = nullptr;
  __int128 rest = sum.constant;
  for (const auto& factor : sum.factors) {
    if (is_fixed(factor.first)) {
      rest += __int128{factor.second} * domains[factor.first].low;
    } else if (open) {
      return Change::None;
    } else {
      open = &factor;
    }
  }
  if (!open) return rest != 0 ? Change::None : Change::Empty;
  if (rest % open->second != 0) return Change::None;
  const __int128 value = -rest / open->second;
  Interval& d = domains[open->first];
  if (value == d.low) {
    ++d.low;
  } else if (value == d.high) {
    --d.high;
  } else {
    return Change::None;
  }
  return d.empty() ? Change::Empty : Change::Some;
}

Change narrow(const LinearCondition& c, Domains& domains) {
  if (c.relation == Relation::NotEqual) return narrow_different(c.sum, domains);
  Change change = narrow_less(c.sum, domains);
  if (change == Change::Empty || c.relation == Relation::LessEqual) return change;
  const Change other = narrow_less(negated(c.sum), domains);
  return other == Change::None ? change : other;
}

// False: there is no solution.
bool narrow_all(std::span<const LinearCondition> conditions, Domains& domains) {
  constexpr int kRounds = 40;
  for (int round = 0; round < kRounds; ++round) {
    bool changed = false;
    spend(static_cast<int64_t>(20 * conditions.size()));
    for (const LinearCondition& c : conditions) {
      const Change change = narrow(c, domains);
      if (change == Change::Empty) return false;
      changed = changed || change == Change::Some;
    }
    if (!changed) break;
  }
  return true;
}

// ---- Small values -----------------------------------------------------------

class SmallValues {
 public:
  SmallValues(const Problem& problem, Model& model) : problem_(problem), model_(model) {
    uint32_t last = problem.variables.empty() ? 0 : problem.variables.back();
    if (model_.size() <= last) model_.resize(last + 1);
    last_use_.resize(problem.variables.size());
    is_character_.resize(problem.variables.size());
    for (const Condition& c : problem.conditions) {
      std::vector<uint32_t> variables;
      problem.expressions.add_variables(c.a, variables);
      problem.expressions.add_variables(c.b, variables);
      size_t latest = 0;
      for (const uint32_t v : variables) {
        const auto at = std::ranges::lower_bound(problem.variables, v) - problem.variables.begin();
        latest = std::max(latest, static_cast<size_t>(at));
      }
      if (!last_use_.empty()) last_use_[latest].push_back(c);
      if (c.is_of_type && problem.expressions.constant_of(c.b) == kLastCharacter) {
        is_character_[latest] = true;
      }
    }
  }

  Answer run() {
    for (const bool is_natural : {true, false}) {
      Domains domains = open_domains(problem_, {});
      for (const uint32_t v : problem_.variables) {
        if (is_natural) domains[v].low = 0;
      }
      if (!narrow_all(problem_.linear, domains)) {
        if (!is_natural) return Answer::No;
        continue;
      }
      steps_ = 0;
      if (search(0, domains)) return Answer::Yes;
    }
    return Answer::Unknown;
  }

 private:
  static constexpr int kMostSteps = 600;
  static constexpr int kCandidates = 10;

  // Values that are likely to do: near to zero, and the ends of the interval.
  static std::vector<int64_t> candidates(const Interval& d, int64_t simplest) {
    std::vector<int64_t> result;
    const auto add = [&](int64_t x) {
      if (x < d.low || x > d.high || std::ranges::find(result, x) != result.end()) return;
      result.push_back(x);
    };
    const int64_t start = std::clamp<int64_t>(simplest, d.low, d.high);
    for (int64_t k = 0; k < kCandidates; ++k) {
      add(start + k);
      if (k > 0) add(start - k);
    }
    if (d.high < kInfinite) add(d.high);
    if (d.low > -kInfinite) add(d.low);
    return result;
  }

  // Depth is the number of variables of one group of conditions.
  bool search(size_t i, const Domains& domains) {
    if (i == problem_.variables.size()) return true;
    spend();
    const uint32_t v = problem_.variables[i];
    for (const int64_t x : candidates(domains[v], is_character_[i] ? 'a' : 0)) {
      if (++steps_ > kMostSteps) return false;
      model_[v] = x;
      const bool possible = std::ranges::all_of(last_use_[i], [&](const Condition& c) {
        return problem_.expressions.holds(c, model_).value_or(false);
      });
      if (!possible) continue;
      Domains narrowed = domains;
      narrowed[v] = {x, x};
      if (!narrow_all(problem_.linear, narrowed)) continue;
      if (search(i + 1, narrowed)) return true;
    }
    return false;
  }

  const Problem& problem_;
  Model& model_;
  std::vector<bool> is_character_;                // by variable
  std::vector<std::vector<Condition>> last_use_;  // by variable: all others come before
  int steps_ = 0;
};

}  // namespace

void find_linear(Problem& problem) {
  LinearForms forms(problem.expressions,
                    problem.variables.empty() ? 0 : problem.variables.back() + 1);
  for (const Condition& c : problem.conditions) {
    if (auto linear = forms.of(c)) problem.linear.push_back(std::move(*linear));
  }
  problem.end = forms.end();
  if (forms.quotients().empty()) return;
  // Which dividends are not negative is seen from the other conditions.
  Domains domains = open_domains(problem, {});
  if (!narrow_all(problem.linear, domains)) return;
  for (const LinearForms::Quotient& q : forms.quotients()) {
    const auto least = least_without(q.dividend, UINT32_MAX, domains);
    if (!q.is_rounded_down && (!least || *least < 0)) continue;
    if (least)
      domains[q.variable].low =
          std::max(domains[q.variable].low, clamped(floor_div(*least, q.divisor)));
    // 0 <= dividend - divisor * variable < divisor
    Linear low;
    Linear high = q.dividend;
    const Linear whole{{{q.variable, 1}}, 0};
    const bool fits = add_scaled(low, whole, q.divisor) && add_scaled(low, q.dividend, -1) &&
                      add_scaled(high, whole, -q.divisor);
    if (!fits) continue;
    high.constant -= q.divisor - 1;
    problem.linear.push_back({Relation::LessEqual, std::move(low)});
    problem.linear.push_back({Relation::LessEqual, std::move(high)});
  }
}

Answer decide_by_bounds(const Problem& problem, Model&) {
  Domains domains = open_domains(problem, {});
  return narrow_all(problem.linear, domains) ? Answer::Unknown : Answer::No;
}

Answer decide_by_small_values(const Problem& problem, Model& model) {
  Model found = model;
  const Answer answer = SmallValues(problem, found).run();
  if (answer == Answer::Yes) model = std::move(found);
  return answer;
}

// ---- Differences ------------------------------------------------------------

namespace {

// x - y <= weight; kZero stands for the number 0.
struct Edge {
  uint32_t x;
  uint32_t y;
  int64_t weight;
};
constexpr uint32_t kZero = UINT32_MAX;

void add_edge(const Linear& sum, std::vector<Edge>& edges) {
  if (sum.factors.size() == 1) {
    const auto [v, factor] = *sum.factors.begin();
    if (factor == 1) edges.push_back({v, kZero, -sum.constant});
    if (factor == -1) edges.push_back({kZero, v, -sum.constant});
  } else if (sum.factors.size() == 2) {
    const auto [v, f] = *sum.factors.begin();
    const auto [w, g] = *std::next(sum.factors.begin());
    if (f == 1 && g == -1) edges.push_back({v, w, -sum.constant});
    if (f == -1 && g == 1) edges.push_back({w, v, -sum.constant});
  }
}

}  // namespace

// The distances from a node that is 0 from all are a solution of the inequalities; of the whole
// problem if the rest happens to hold there, too.
Answer decide_by_differences(const Problem& problem, Model& model) {
  std::vector<Edge> edges;
  for (const LinearCondition& c : problem.linear) {
    if (c.relation == Relation::NotEqual) continue;
    add_edge(c.sum, edges);
    if (c.relation == Relation::Equal) add_edge(negated(c.sum), edges);
  }
  const uint32_t zero = problem.end;
  for (Edge& edge : edges) {
    if (edge.x == kZero) edge.x = zero;
    if (edge.y == kZero) edge.y = zero;
  }
  std::vector<__int128> distance(zero + 1);
  const size_t quotients = problem.variables.empty() ? 0 : zero - problem.variables.back() - 1;
  const size_t nodes = problem.variables.size() + quotients;
  bool changed = true;
  for (size_t round = 0; changed && round <= nodes + 1; ++round) {
    changed = false;
    spend(static_cast<int64_t>(edges.size()));
    for (const Edge& edge : edges) {
      const __int128 limit = distance[edge.y] + edge.weight;
      if (limit >= distance[edge.x]) continue;
      distance[edge.x] = limit;
      changed = true;
    }
  }
  if (changed) return Answer::No;
  Model found = model;
  if (found.size() < zero) found.resize(zero);
  for (const uint32_t v : problem.variables) found[v] = clamped(distance[v] - distance[zero]);
  const bool is_solution = std::ranges::all_of(problem.conditions, [&](const Condition& c) {
    return problem.expressions.holds(c, found).value_or(false);
  });
  if (!is_solution) return Answer::Unknown;
  model = std::move(found);
  return Answer::Yes;
}

// ---- Congruences ------------------------------------------------------------

namespace {

// Of a term of +, - and * only.
std::optional<int64_t> residue(const Expressions& e, ExprId id, const Model& residues, int64_t m) {
  const Expr& x = e[id];
  if (x.op == ExprOp::Constant) return ((x.value % m) + m) % m;
  if (x.op == ExprOp::Variable) return residues[static_cast<size_t>(x.value)];
  if (x.op != ExprOp::Add && x.op != ExprOp::Subtract && x.op != ExprOp::Multiply) {
    return std::nullopt;
  }
  const auto a = residue(e, x.a, residues, m);
  const auto b = a ? residue(e, x.b, residues, m) : std::nullopt;
  if (!b) return std::nullopt;
  const int64_t result = x.op == ExprOp::Multiply ? *a * *b
                         : x.op == ExprOp::Add    ? *a + *b
                                                  : *a - *b;
  return ((result % m) + m) % m;
}

// The number of operations in it, up to `most`.
int size_of(const Expressions& e, ExprId id, int most) {
  int count = 0;
  std::vector<ExprId> open = {id};
  while (!open.empty() && ++count <= most) {
    const Expr& x = e[open.back()];
    open.pop_back();
    if (x.a != kNoExpr) open.push_back(x.a);
    if (x.b != kNoExpr) open.push_back(x.b);
  }
  return count;
}

bool has_solution_modulo(const Expressions& e, const Condition& c,
                         std::span<const uint32_t> variables, int64_t m) {
  Model residues(variables.empty() ? 0 : *std::ranges::max_element(variables) + 1);
  while (true) {
    const auto a = residue(e, c.a, residues, m);
    const auto b = residue(e, c.b, residues, m);
    if (!a || !b || *a == *b) return true;
    size_t i = 0;
    while (i < variables.size() && ++residues[variables[i]] == m) residues[variables[i++]] = 0;
    if (i == variables.size()) return false;
  }
}

}  // namespace

Answer decide_by_congruence(const Problem& problem, Model&) {
  constexpr int kMostOperations = 30;
  for (const Condition& c : problem.conditions) {
    if (c.relation != Relation::Equal) continue;
    const Expressions& e = problem.expressions;
    if (size_of(e, c.a, kMostOperations) + size_of(e, c.b, kMostOperations) > kMostOperations) {
      continue;
    }
    std::vector<uint32_t> variables;
    e.add_variables(c.a, variables);
    e.add_variables(c.b, variables);
    std::ranges::sort(variables);
    variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
    if (variables.size() > 2) continue;
    for (const int64_t m : {2, 3, 4, 5, 7, 8, 9, 11, 13, 16}) {
      if (!has_solution_modulo(e, c, variables, m)) return Answer::No;
    }
  }
  return Answer::Unknown;
}

}  // namespace fathom::symbolic
