#include "symbolic/solver.h"

#include <algorithm>
#include <unordered_set>

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
Problem related(const Expressions& e, std::span<const Condition> conditions,
                const Condition& extra) {
  Problem problem{e, {extra}, variables_of(e, extra)};
  std::unordered_set<uint32_t> inside(problem.variables.begin(), problem.variables.end());
  std::vector<std::vector<uint32_t>> variables;
  variables.reserve(conditions.size());
  for (const Condition& c : conditions) variables.push_back(variables_of(e, c));
  std::vector<bool> is_in(conditions.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < conditions.size(); ++i) {
      if (is_in[i]) continue;
      if (std::ranges::none_of(variables[i], [&](uint32_t v) { return inside.contains(v); })) {
        continue;
      }
      is_in[i] = changed = true;
      problem.conditions.push_back(conditions[i]);
      inside.insert(variables[i].begin(), variables[i].end());
    }
  }
  problem.variables.assign(inside.begin(), inside.end());
  std::ranges::sort(problem.variables);
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
  void add(const Expressions& e, ExprId id) {
    std::vector<ExprId> open = {id};
    while (!open.empty()) {
      const Expr& x = e[open.back()];
      open.pop_back();
      text += static_cast<char>('A' + static_cast<int>(x.op));
      if (x.op == ExprOp::Constant) text += std::to_string(x.value) + ";";
      if (x.op == ExprOp::Variable) {
        const auto v = static_cast<uint32_t>(x.value);
        const auto it = std::ranges::find(order, v);
        text += std::to_string(it - order.begin()) + ";";
        if (it == order.end()) order.push_back(v);
      }
      if (x.b != kNoExpr) open.push_back(x.b);
      if (x.a != kNoExpr) open.push_back(x.a);
    }
  }
};

}  // namespace

Answer SolverChain::decide(const Problem& problem, Model& model) {
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

Answer SolverChain::check(const Expressions& expressions, std::span<const Condition> conditions,
                          const Condition& extra, Model& model) {
  ++statistics_.questions;
  spend(static_cast<int64_t>(100 + 20 * conditions.size()));
  if (model.size() < expressions.variable_count()) model.resize(expressions.variable_count());
  if (expressions.holds(extra, model).value_or(false)) {
    ++statistics_.by_model;
    return Answer::Yes;
  }
  const Problem problem = related(expressions, conditions, extra);
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

void SolverChain::make_small(const Expressions& expressions, std::span<const Condition> conditions,
                             Model& model) {
  model.resize(expressions.variable_count());
  std::vector<bool> is_done(expressions.variable_count());
  for (const Condition& c : conditions) {
    const std::vector<uint32_t> variables = variables_of(expressions, c);
    if (variables.empty() || is_done[variables[0]]) continue;
    const Problem problem = related(expressions, conditions, c);
    for (const uint32_t v : problem.variables) is_done[v] = true;
    decide_by_small_values(problem, model);
  }
  for (size_t v = 0; v < model.size(); ++v) {
    if (!is_done[v]) model[v] = 0;
  }
}

}  // namespace fathom::symbolic
