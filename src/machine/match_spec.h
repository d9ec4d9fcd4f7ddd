// Match specifications, as ETS understands them: a list of {Head, Guards, Body}.
//
// They are compiled once for each call of a native function, into two flat programs for
// each clause, and then run for each object:
// - the head, in the order of the pattern: each operation takes the next part of the
//   object from a stack, tests it, and puts its own parts there;
// - guards and body, in postfix: each operation takes its operands from a stack and
//   leaves its value there. Functions are the native ones of module erlang.
//
// An object that does not match makes no garbage. What fails in a guard makes the clause
// fail; what fails in a body has the value 'EXIT'. No recursion: specifications are data.
//
// A compiled one holds values: it lives as long as the call of a native function.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "machine/native.h"
#include "values/value.h"

namespace fathom::machine {

class MatchSpec {
 public:
  // For tracing bodies may be empty, and call what says what to tell (tracing.h).
  enum class Dialect : uint8_t { Table, Trace };
  // Empty: it is not one, and `problems` says why.
  static std::optional<MatchSpec> compile(Context& c, Value list,
                                          std::vector<std::string>* problems = nullptr,
                                          Dialect dialect = Dialect::Table);

  // The value of the first clause that matches; none() if none does.
  Value run(Context& c, Value object);

  // The keys of the objects that can match, if every clause tells one. `position` of
  // the key in an object: from 0.
  std::optional<std::vector<Value>> keys(size_t position) const;
  // The pattern of the key, if there is one clause and its head has one; else none().
  Value key_pattern(size_t position) const;
  // Whether what a clause makes of an object has the same key for sure.
  bool keeps_keys(size_t position) const;

 private:
  friend class MatchSpecCompiler;

  enum class HeadOp : uint8_t { Skip, Bind, Same, Constant, Tuple, Cons, Map };
  struct HeadStep {
    HeadOp op;
    uint32_t number;  // of the variable, elements, keys
    Value value;      // Constant; Map: a tuple of the keys
  };
  enum class Op : uint8_t {
    Constant,   // value
    Variable,   // number
    Object,     // $_
    Variables,  // $$
    Tuple,      // number of elements
    List,       // number of elements; the tail follows them
    Map,        // number of pairs
    Call,       // number of arguments; native
    And,        // number of operands
    Or,
    Xor,
    // Steps that leave no value of their own
    AndAlso,  // number: where to go on if the operand decides
    OrElse,
    Guard,  // the operand must be true
    Body,   // from here on failures are values
    Drop,
  };
  struct Step {
    Op op = Op::Constant;
    uint32_t number = 0;
    Value value = {};
    Native native = nullptr;
  };
  struct Clause {
    Value head;
    Value body;  // a list
    uint32_t head_begin, head_end;
    uint32_t begin, end;
    uint32_t variables;
    // Those of '$$', in order: indices of variables.
    uint32_t listed_begin, listed_end;
  };

  bool matches_head(const Clause& clause, Value object);
  Value evaluate(Context& c, const Clause& clause, Value object);
  bool control(const Step& step, bool in_body, uint32_t& next);
  // How many values a step takes from the stack, if it leaves one.
  static size_t operand_count(const Step& step);
  // Leaves the operands on the stack. none(): it fails.
  Value apply(Context& c, const Clause& clause, const Step& step, Value object);
  Value connective(const Step& step);
  std::span<const Value> operands(size_t count) const {
    return std::span<const Value>(stack_).last(count);
  }

  std::vector<Clause> clauses_;
  std::vector<HeadStep> head_steps_;
  std::vector<Step> steps_;
  std::vector<uint32_t> listed_;
  // While it runs.
  std::vector<Value> stack_;
  std::vector<Value> variables_;
};

// The number of '$0', '$1', …; empty for any other value.
std::optional<uint32_t> variable_number(Value value);
// Whether the pattern has no variables, '$1' or '_'.
bool is_ground(Value pattern);
// Whether an object may be one that is looked for: `sought` is a pattern, or a match
// specification. False is certain; true may depend on variables that occur twice, on maps, on
// the process that asks. Leaves nothing on the heap.
bool may_match(Context& c, Value sought, Value object);

}  // namespace fathom::machine
