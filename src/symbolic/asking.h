// The symbolic side of the machine: what each instruction does with unknown values.
//
// Before an instruction that looks at values, its operands are looked at here. Where they are
// known, or become known without a choice, the machine goes on. Where there are several ways to go
// on, they are a question, and the process pauses; the driver takes one of the answers (under a
// mark, so that it can come back for the others) and lets the process go on.
//
// An answer either decides the instruction (its test holds, or fails), or only makes more known,
// and the instruction is asked about again.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "machine/unknowns.h"
#include "symbolic/store.h"

namespace fathom::symbolic {

// One way to go on.
struct Way {
  std::function<bool()> apply;              // false: it contradicts what is known
  std::optional<bool> verdict = {};         // whether the test holds; none: ask again
  int cost = 0;                             // how far it is from the simplest input
  std::optional<Condition> condition = {};  // looked at before the question is asked
  std::optional<Model> model = {};          // a solution with it that was found then
  bool is_branch = false;                   // of the program, and not one of many values
};

// The module of the call that a test makes, and of the funs that it gives to it: a value with this
// name in it depends on who calls.
inline constexpr std::string_view kCaller = "fathom_gen_caller";

// Where nobody catches it, an exception of a fun is one of the call, and nothing else.
inline constexpr const char* kUncaught = "exceptions of funs where nothing catches them";
inline constexpr const char* kWrongArity = "funs of a wrong arity";
inline constexpr const char* kComparedFuns = "funs that are compared, printed or taken apart";

struct InputBounds {
  uint16_t length = 6;  // of a list
};

class Asking : public machine::Unknowns {
 public:
  Asking(machine::Machine& m, Store& store, InputBounds bounds);

  // ---- For the driver
  bool has_question() const { return !ways_.empty(); }
  // The ways of the question, which is no longer asked.
  std::vector<Way> take_question() { return std::exchange(ways_, {}); }
  // Goes one of the ways of a question that was asked in this state. False: it contradicts what is
  // known.
  bool take(const Way& way);
  // No way was left: the path cannot be gone.
  bool is_dead() const { return is_dead_; }
  void forget_question();
  // Of the last question: the instruction.
  const uint64_t* place() const { return place_; }
  // Clauses that were chosen, in their order.
  std::vector<uint32_t> reached_clauses;
  // What bounds have kept from being tried, and what was tried with some values only.
  std::set<std::string> cut;
  uint64_t asked = 0;  // instructions that were looked at

  // ---- For the machine
  const uint64_t* before(const uint64_t* pc, Value* fp) override;
  void reached(uint32_t clause) override { reached_clauses.push_back(clause); }

 private:
  // What is to be done about an instruction.
  struct Step {
    enum class Kind : uint8_t { Run, Decided, Result, Raise, Ask } kind = Kind::Run;
    bool verdict = false;
    Value result = {};  // or the reason of the exception
    Value exception_class = {};
  };
  static Step run() { return {}; }
  static Step decided(bool verdict) { return {Step::Kind::Decided, verdict, {}}; }
  static Step result(Value v) { return {Step::Kind::Result, false, v}; }
  static Step raise(Value exception_class, Value reason) {
    return {Step::Kind::Raise, false, reason, exception_class};
  }
  static Step ask() { return {Step::Kind::Ask, false, {}}; }

  Step examine(const uint64_t* pc, Value* fp);
  Step ask_comparison(const uint64_t* pc, Value* fp);
  Step negated(Step step);
  const uint64_t* finish(const uint64_t* pc, Value* fp, bool verdict);
  const uint64_t* raise_in_fun(const Step& step, size_t arity);
  const uint64_t* give(const uint64_t* pc, Value* fp, Value v);
  void drop_impossible();

  // ---- Questions: they add to ways_. Those with a Step say what to do.
  void way(std::function<bool()> apply, std::optional<bool> verdict, int cost,
           std::optional<Condition> condition = {}) {
    ways_.push_back({std::move(apply), verdict, cost, condition, {}, verdict.has_value()});
  }
  Step ask_type(Value v, Shapes yes);
  Step ask_boolean(Value v);
  Step ask_function(Value v, int64_t arity);
  Step ask_same(Value a, Value b, bool is_exact);
  Step ask_pairs(const std::vector<Pair>& open, bool is_exact);
  Step ask_equal(Value a, Value b);
  std::optional<Step> ask_equal_to(Value v, Value other, std::vector<Pair>& open);
  std::optional<Step> ask_equal_numbers(Value v, Value other, std::vector<Pair>& open);
  Step ask_like(Value v, Value structure);
  static bool add_values(const Pair& pair, std::vector<Pair>& left);
  static bool add_parts(const Pair& pair, std::vector<Pair>& parts);
  // The number of the other kind that is equal to it; none(): there is none.
  Value as_float(Value integer);
  Value as_integer(Value real);
  Step ask_order(Value a, Value b, Relation relation);
  // -1, 0, 1; none: a question was added.
  std::optional<int> ask_compare(Value a, Value b, Relation relation, bool is_whole);
  Step ask_cons(Value v);
  std::vector<size_t> tuple_sizes(Value v, size_t least, size_t most);
  Step ask_tuple(Value v, size_t arity);
  // Bitstrings (bits.cc)
  Step ask_bits(Value v);
  Step read_bits(const uint64_t* pc, Value* fp);
  Step take_bits(const uint64_t* pc, Value* fp, uint64_t from, uint64_t bits);
  void size_ways(Value v);
  Value part_of_bits(Value v, uint64_t from, uint64_t bytes);
  std::optional<ExprId> bits_term(Value v, uint64_t from, uint64_t bits, bool little);
  // None: how many bytes the binary has is known. Else that is asked, or it is none.
  std::optional<Step> ask_size(Value v);
  std::optional<bool> ask_bytes(std::span<const Value> bytes, size_t at,
                                std::span<const uint8_t> pattern);
  std::optional<Step> split_binary(const machine::Export& target, std::span<Value*> arguments);
  std::optional<Step> bits_native(std::string_view name, Value v);
  void make_bits_concrete(Value v);
  // Numbers and their digits (digits.cc)
  Step digits_of(Value v, bool is_binary);
  Step number_of(Value list);
  std::optional<Step> number_of_bytes(Value binary);
  Step number_of_digits(std::span<const Value> digits);
  void other_character_ways(Value digit, ExprId term, bool may_be_sign);
  Value text_of_digits(ExprId size, int64_t power, bool is_negative, bool is_binary);
  // Floats (questions.cc)
  void float_ways(Value v, double bound, Relation relation, bool is_left, bool is_whole);
  Step ask_select(const uint64_t* pc, Value* fp);
  Step ask_map_key(const uint64_t* pc, Value* fp);
  Step arithmetic(const uint64_t* pc, Value* fp);
  Step compute(machine::Op op, Value x, Value y);
  Step ask_call(const uint64_t* pc, Value* fp);
  Step ask_fun(const uint64_t* pc, Value* fp, Value fun, uint32_t count);
  void fun_ways(Value fun, Value key, TypeId type);
  Step ask_native(const machine::Export& target, std::span<Value*> arguments);
  Step ask_applied(const machine::Export& target, Value& list);
  Step ask_applied_fun(Value& fun, Value& list);
  const machine::Export* native_of(Value module, Value name, size_t arity);
  std::optional<Step> known_native(const machine::Export& target, std::span<Value*> arguments);
  Step ask_map_update(const uint64_t* pc, Value* fp);
  Step ask_all(std::span<Value*> values);
  bool require(Value v, char need);
  void find_beside(std::span<Value*> arguments);
  // Searches in lists (searches.cc)
  std::optional<Step> list_search(const machine::Export& target, std::span<Value*> arguments);
  std::optional<bool> ask_element(Value a, Value b, bool is_exact);
  std::optional<Step> member_of(Value x, Value list);
  std::optional<Step> key_search(std::string_view name, Value key, size_t position, Value list);
  void keyed_tuple_ways(Value v, size_t position);

  // ---- Ways to narrow an unknown
  void shape_ways(Value v, Shapes shapes);
  void cons_way(Value v, std::optional<bool> verdict, int cost);
  void tuple_ways(Value v, size_t arity, std::optional<bool> verdict, int cost);
  void make_concrete(Value v);
  void make_integer_concrete(Value v);
  void try_in_turn(Value v, std::span<const Value> values, const char* what);
  static int cost_of(Shapes shapes);
  // Of a map that is walked, or counted, beside those that were asked for.
  static constexpr size_t kMostFurtherKeys = 3;

  machine::Machine& machine_;
  Store& store_;
  InputBounds bounds_;
  std::vector<Way> ways_;
  std::vector<int64_t> beside_;  // numbers and bytes among the arguments of a native function
  const uint64_t* place_ = nullptr;
  bool is_dead_ = false;
  bool is_taken_ = false;
  std::optional<bool> taken_;
};

}  // namespace fathom::symbolic
