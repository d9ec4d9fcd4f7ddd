// Whether conditions on integers can hold at once, and for which values.
//
// A chain, each link of which answers or hands on: the current model, the cache of earlier
// answers, bounds and differences, congruences, small values, and at the end Z3 with a time limit.
// "Don't know" is an answer: whoever asks must not take it for "no".
//
// Only the conditions that share variables with the new one, directly or through others, are
// looked at: the rest is known to hold in the current model.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "symbolic/expression.h"

namespace fathom::symbolic {

enum class Answer : uint8_t { Yes, No, Unknown };

// A variable that may be at most that is a character, and small values begin with letters.
inline constexpr int64_t kLastCharacter = 0x10FFFF;

// A sum of variables times constants, plus a constant.
struct Linear {
  std::vector<std::pair<uint32_t, int64_t>> factors;  // variables in ascending order; none is 0
  int64_t constant = 0;
};

// sum <= 0, = 0 or /= 0.
struct LinearCondition {
  Relation relation;  // never Less
  Linear sum;
};

// The conditions, and the variables in them.
struct Problem {
  const Expressions& expressions;
  std::vector<Condition> conditions;
  std::vector<uint32_t> variables;        // each once, in ascending order
  std::vector<LinearCondition> linear{};  // what follows from the conditions, in such a form
  uint32_t end = 0;                       // of the variables of `linear`: some are quotients
};
void find_linear(Problem& problem);

// Conditions that hold at once, and which variables each of them speaks of. The last ones can be
// taken back.
class Conditions {
 public:
  void add(const Expressions& expressions, const Condition& condition);
  void resize(size_t size);
  size_t size() const { return all_.size(); }
  const std::vector<Condition>& all() const { return all_; }
  std::span<const uint32_t> variables(size_t i) const {
    const size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::span(variables_).subspan(begin, ends_[i] - begin);
  }

 private:
  std::vector<Condition> all_;
  std::vector<uint32_t> variables_;  // one after the other
  std::vector<size_t> ends_;         // by condition
};

// With Yes: the values of the problem's variables are set in the model.
using Decide = Answer (*)(const Problem& problem, Model& model);
// Each is No only if there is no solution. O(constraints * rounds), O(variables^3), O(m^variables).
Answer decide_by_bounds(const Problem& problem, Model& model);
Answer decide_by_differences(const Problem& problem, Model& model);
Answer decide_by_congruence(const Problem& problem, Model& model);
// Small values, those that are not negative first.
Answer decide_by_small_values(const Problem& problem, Model& model);

class Z3Solver {
 public:
  Z3Solver();
  ~Z3Solver();
  Answer decide(const Problem& problem, Model& model);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct SolverStatistics {
  uint64_t questions = 0;
  uint64_t by_model = 0;
  uint64_t by_cache = 0;
  uint64_t by_bounds = 0;  // and differences, congruences
  uint64_t by_small_values = 0;
  uint64_t by_z3 = 0;
  uint64_t unknown = 0;
};

class SolverChain {
 public:
  // Whether `extra` can hold beside `conditions`, which hold in `model`. With Yes the model is
  // changed to one of all of them.
  Answer check(const Expressions& expressions, const Conditions& conditions, const Condition& extra,
               Model& model);
  // A model with values as small as can be found.
  void make_small(const Expressions& expressions, const Conditions& conditions, Model& model);

  const SolverStatistics& statistics() const { return statistics_; }

 private:
  struct Cached {
    Answer answer;
    std::vector<int64_t> values;  // of the variables in order of appearance
  };

  Answer decide(Problem& problem, Model& model);

  std::unordered_map<std::string, Cached> cache_;
  Z3Solver z3_;
  SolverStatistics statistics_;
};

}  // namespace fathom::symbolic
