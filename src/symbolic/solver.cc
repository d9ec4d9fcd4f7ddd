#include "symbolic/solver.h"

#include <algorithm>
#include <numeric>

#include "base/budget.h"

namespace fathom::symbolic {
namespace {

std::vector<uint32_t> variables_of(const Expressions& e, const Condition& c) {
  std::vector<uint32_t> result;
  e.add_variables(c.a, result);
  e.add_variables(c.b, result);
  return result;
}

// The conditions that share variables with `extra`, directly or through others, and itself.
Problem related(const Expressions& e, const Conditions& conditions, const Condition& extra) {
  Problem problem{e, {extra}, {}};
  std::vector<char> inside(e.variable_count());
  for (const uint32_t v : variables_of(e, extra)) inside[v] = 1;
  std::vector<uint32_t> left(conditions.size());
  std::iota(left.begin(), left.end(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    std::erase_if(left, [&](uint32_t i) {
      const std::span own = conditions.variables(i);
      if (std::ranges::none_of(own, [&](uint32_t v) { return inside[v]; })) return false;
      problem.conditions.push_back(conditions.all()[i]);
      for (const uint32_t v : own) inside[v] = 1;
      return changed = true;
    });
  }
  for (uint32_t v = 0; v < inside.size(); ++v) {
    if (inside[v]) problem.variables.push_back(v);
  }
  return problem;
}

// The problem as text, with its variables numbered in order of appearance: equal texts, equal
// problems. `order`: the variables by those numbers.
class ProblemKey {
 public:
  explicit ProblemKey(const Problem& problem) {
    for (const Condition& c : problem.conditions) {
      text += static_cast<char>('a' + static_cast<int>(c.relation));
      add(problem.expressions, c.a);
      add(problem.expressions, c.b);
    }
  }

  std::string text;
  std::vector<uint32_t> order;

 private:
  template <class T>
  void append(T word) {
    text.append(reinterpret_cast<const char*>(&word), sizeof word);
  }
  void add(const Expressions& e, ExprId id) {
    open_.push_back(id);
    while (!open_.empty()) {
      const Expr& x = e[open_.back()];
      open_.pop_back();
      text += static_cast<char>('A' + static_cast<int>(x.op));
      if (x.op == ExprOp::Constant) append(x.value);
      if (x.op == ExprOp::Variable) append(number_of(static_cast<uint32_t>(x.value)));
      if (x.b != kNoExpr) open_.push_back(x.b);
      if (x.a != kNoExpr) open_.push_back(x.a);
    }
  }
  uint32_t number_of(uint32_t variable) {
    if (numbers_.size() <= variable) numbers_.resize(variable + 1);
    if (numbers_[variable] == 0) {
      order.push_back(variable);
      numbers_[variable] = static_cast<uint32_t>(order.size());
    }
    return numbers_[variable];
  }

  std::vector<ExprId> open_;
  std::vector<uint32_t> numbers_;  // by variable; 0: not seen yet
};

}  // namespace

void Conditions::add(const Expressions& expressions, const Condition& condition) {
  all_.push_back(condition);
  expressions.add_variables(condition.a, variables_);
  expressions.add_variables(condition.b, variables_);
  ends_.push_back(variables_.size());
}

void Conditions::resize(size_t size) {
  all_.resize(size);
  ends_.resize(size);
  variables_.resize(size == 0 ? 0 : ends_.back());
}

Answer SolverChain::decide(Problem& problem, Model& model) {
  find_linear(problem);
  for (const Decide link : {decide_by_bounds, decide_by_differences, decide_by_congruence}) {
    if (const Answer answer = link(problem, model); answer != Answer::Unknown) {
      ++statistics_.by_bounds;
      return answer;
    }
  }
  if (const Answer answer = decide_by_small_values(problem, model); answer != Answer::Unknown) {
    ++statistics_.by_small_values;
    return answer;
  }
  const Answer answer = z3_.decide(problem, model);
  ++(answer == Answer::Unknown ? statistics_.unknown : statistics_.by_z3);
  return answer;
}

Answer SolverChain::check(const Expressions& expressions, const Conditions& conditions,
                          const Condition& extra, Model& model) {
  ++statistics_.questions;
  spend(static_cast<int64_t>(100 + 20 * conditions.size()));
  if (model.size() < expressions.variable_count()) model.resize(expressions.variable_count());
  if (expressions.holds(extra, model).value_or(false)) {
    ++statistics_.by_model;
    return Answer::Yes;
  }
  Problem problem = related(expressions, conditions, extra);
  const ProblemKey key(problem);
  const auto it = cache_.find(key.text);
  if (it != cache_.end()) {
    ++statistics_.by_cache;
    if (it->second.answer != Answer::Yes) return it->second.answer;
    for (size_t i = 0; i < key.order.size(); ++i) model[key.order[i]] = it->second.values[i];
    return Answer::Yes;
  }
  const Answer answer = decide(problem, model);
  Cached cached{answer, {}};
  if (answer == Answer::Yes) {
    for (const uint32_t v : key.order) cached.values.push_back(model[v]);
  }
  cache_.emplace(key.text, std::move(cached));
  return answer;
}

void SolverChain::make_small(const Expressions& expressions, const Conditions& conditions,
                             Model& model) {
  model.resize(expressions.variable_count());
  std::vector<bool> is_done(expressions.variable_count());
  for (size_t i = 0; i < conditions.size(); ++i) {
    const std::span variables = conditions.variables(i);
    if (variables.empty() || is_done[variables[0]]) continue;
    Problem problem = related(expressions, conditions, conditions.all()[i]);
    find_linear(problem);
    for (const uint32_t v : problem.variables) is_done[v] = true;
    decide_by_small_values(problem, model);
  }
  for (size_t v = 0; v < model.size(); ++v) {
    if (!is_done[v]) model[v] = 0;
  }
}

}  // namespace fathom::symbolic
