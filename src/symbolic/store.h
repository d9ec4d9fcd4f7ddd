// What is known of the unknown values of a path: narrowing.
//
// An unknown value is a box that holds its number; its state is here: which shapes it may still
// have, its type, which values it is known not to be, and, once it is an integer, its term
// (expression.h). When a shape is chosen that has parts the box is bound to a value of that shape
// whose parts are unknown in turn. So structure needs no solver: it is built as the program looks
// at it. What is left for the solver are conditions on integers, and pairs of values that differ.
//
// Every change is undone by rewind(). Bindings are in the heap, and recorded in the machine's
// journal; the rest has a trail of its own. A mark of the store belongs to a mark of the machine.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "machine/machine.h"
#include "symbolic/expression.h"
#include "symbolic/solver.h"
#include "symbolic/types.h"

namespace fathom::symbolic {

using machine::Value;

// For walks with a stack of their own: the parts of a value that has some, so that the first one is
// taken next.
void add_parts_of(Value v, std::vector<Value>& open);

enum class Truth : uint8_t { No, Yes, Open };

// A pair of values that may be equal or not: the same, or equal as 1 and 1.0 are.
struct Pair {
  Value a;
  Value b;
  bool is_exact = true;
};

struct UnknownState {
  Shapes shapes = shape::kAll;
  TypeId type = TypeId::Any;
  ExprId term = kNoExpr;        // of an integer
  int32_t excluded = -1;        // list of values that it is not
  int32_t excluded_sizes = -1;  // of tuples
  int32_t entries = -1;         // of a map: keys that were asked for; of a fun: calls
  int16_t arity = -1;           // of a fun
  uint16_t position = 0;        // of a tail: how many cells of its list come before
  uint16_t tried = 0;           // how many of its concrete values
  int32_t bytes = -1;           // of a binary: how many, and then its entries are those; -1: open
  double low = -kLargest;       // of a float
  double high = kLargest;
  bool low_excluded = false;
  bool high_excluded = false;

  static constexpr double kLargest = 1.7976931348623157e308;
};

class Store {
 public:
  Store(machine::Machine& m, Types& types, SolverChain& solver);

  // ---- Values
  // `position`: see UnknownState.
  Value fresh(TypeId type, uint16_t position = 0);
  // What pids and references among the inputs are: of the process that runs, and one that it makes.
  void set_identifiers(Value self, Value reference) {
    self_ = self;
    reference_ = reference;
  }
  Value fresh_integer(ExprId term);
  Value identifier(Value unknown) const {
    return state(unknown).shapes == shape::kPid ? self_ : reference_;
  }
  // What the value was found to be; unknown only if nothing is known.
  static Value known(Value v) {
    while (v.is_unknown() && !v.slot(0).is_none()) v = v.slot(0);
    return v;
  }
  const UnknownState& state(Value unknown) const { return states_[number(unknown)]; }
  static uint32_t number(Value unknown) { return static_cast<uint32_t>(unknown.words()[2]); }
  // Without bound unknowns inside; those that are open stay. The same value if it has none.
  Value resolved(Value v);
  // Whether there are unknowns in it, bound or not.
  static bool has_unknowns(Value v);
  // The first one that is not bound, from the left; none().
  static Value first_open(Value v);

  // ---- Narrowing. False: that contradicts what is known.
  bool bind(Value unknown, Value to);
  bool restrict_to(Value unknown, Shapes shapes);
  bool restrict_type(Value unknown, TypeId type);
  bool exclude(Value unknown, Value value);
  bool exclude_size(Value unknown, size_t arity);
  bool is_excluded(Value unknown, Value value) const;
  bool is_size_excluded(Value unknown, size_t arity) const;
  bool make_equal(Value a, Value b);
  bool make_different(Value a, Value b, bool is_exact = true);
  // Whether the path says that they differ, though same() is open.
  bool are_different(Value a, Value b, bool is_exact = true);
  // After other changes: whether pairs that must differ still can.
  bool check_differences();
  void count_try(Value unknown);
  // Entries of a map or a fun: a key, and what is there (none(): nothing is).
  struct Entry {
    Value key;
    Value value;
    Value exception_class;  // of a call that raises `value`; none(): of one that returns it
    int32_t next;
  };
  void add_entry(Value unknown, Value key, Value value, Value exception_class = Value::none());
  std::vector<Entry> entries(Value unknown) const;  // the first one first
  // With the keys that were asked for and are there, those that its type demands, and so many more;
  // none(): no more such keys are known.
  Value closed_map(Value unknown, size_t more = 0);
  void set_arity(Value unknown, int16_t arity);
  // A binary of so many bytes, which are unknown.
  void set_size(Value unknown, int32_t bytes);
  // A binary of those bytes.
  Value binary_of(std::span<const Value> bytes);
  // A float is below, or above, the bound.
  bool limit_float(Value unknown, double bound, bool is_below, bool is_excluded);
  // A float in its interval; none(): there is none, or not found.
  Value some_float(Value unknown);

  // ---- Comparing
  // What it is, or may be.
  Shapes shapes_of(Value v) const;
  // Whether it may be that value, by shape, type and exclusions.
  bool may_be(Value unknown, Value value) const;
  Truth same(Value a, Value b, std::vector<Pair>& open, bool is_exact = true) const;
  // The term of an integer, known or not; none: it is too large.
  std::optional<ExprId> term_of(Value integer);

  // ---- Conditions
  // With Yes, `model` has a solution of it and all others.
  Answer possible(const Condition& c, Model& model);
  Answer possible(const Condition& c);
  // A solution of the conditions, which was found in this state.
  void use_model(const Model& model) { model_ = model; }
  bool assume(const Condition& c);
  // It follows from the others, so that assuming it next changes nothing; none: nothing is known
  // to.
  void set_implied(std::optional<Condition> c) { implied_ = c; }
  Expressions& expressions() { return expressions_; }
  const Model& model() const { return model_; }
  Types& types() { return types_; }
  machine::Machine& machine() { return machine_; }
  // A condition was taken for possible that the solver did not decide.
  bool is_doubtful() const { return doubts_ > 0; }

  // ---- The end of a path: values for all that is unknown, the simplest ones.
  // None: there are none, or they were not found.
  std::optional<std::vector<Value>> solution(std::span<const Value> arguments);
  // A value of the path under that solution.
  Value under_solution(Value v);

  struct Mark {
    size_t trail;
    size_t states;
    size_t excluded;
    size_t sizes;
    size_t entries;
    size_t conditions;
    size_t differences;
    size_t doubts;
    Expressions::Mark expressions;
    Model model;  // which values are tried first depends on it
  };
  Mark mark() const;
  void rewind(const Mark& mark);

 private:
  struct Saved {
    uint32_t number;
    UnknownState state;
  };
  struct Excluded {
    Value value;
    int32_t next;
  };
  struct ExcludedSize {
    size_t arity;
    int32_t next;
  };

  UnknownState& change(Value unknown);
  void set_binding(Value unknown, Value to);
  bool become_integer(Value unknown);
  bool settle(Value unknown);
  bool settle_as(Value unknown, Value only);
  bool bind_alias(Value a, Value b);
  bool add_bytes(Value unknown, Value binary, std::vector<Pair>& to) const;
  bool merge_entries(Value from, Value to);
  bool occurs(Value unknown, Value in) const;
  bool has_entry(Value unknown, Value key) const;
  bool further_keys(Value unknown, size_t more, std::vector<Value>& pairs);
  bool bind_bytes(Value unknown, Value binary);
  bool choose(Value unknown);
  bool choose_bytes(Value unknown);
  void prefer_letter(ExprId term);
  bool choose_in_turn(Value unknown);
  bool choose_list(Value unknown);
  bool is_free(ExprId term) const;
  void find_asked();
  bool choose_structure(Value unknown);
  bool try_binding(Value unknown, Value value);
  Value candidate(Value unknown, size_t i);
  bool differences_hold();

  machine::Machine& machine_;
  Types& types_;
  SolverChain& solver_;
  Expressions expressions_;
  Model model_;
  std::vector<UnknownState> states_;
  std::vector<Saved> trail_;
  std::vector<Excluded> excluded_;
  std::vector<ExcludedSize> sizes_;
  std::vector<Entry> entries_;
  Conditions conditions_;
  std::vector<Pair> differences_;
  size_t doubts_ = 0;
  std::optional<Condition> implied_;
  Value self_ = Value::none();
  Value reference_ = Value::none();
  // While a solution is made:
  std::vector<bool> is_asked_;  // variables that conditions speak of, but for their types
  int64_t next_free_ = 0;       // of the integers that differ
  int64_t next_letter_ = 0;     // of the bytes that do
};

}  // namespace fathom::symbolic
