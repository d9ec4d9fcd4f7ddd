#include "machine/match_spec.h"

#include <algorithm>

#include "machine/machine.h"
#include "values/compare.h"
#include "values/maps.h"

namespace fathom::machine {
namespace {

Value exit_atom() {
  static const Atom exit = Atom::intern("EXIT");
  return Value(exit);
}

}  // namespace

// ---- Running ----------------------------------------------------------------

bool MatchSpec::matches_head(const Clause& clause, Value object) {
  stack_.clear();
  stack_.push_back(object);
  variables_.resize(clause.variables);
  for (uint32_t i = clause.head_begin; i < clause.head_end; ++i) {
    const HeadStep& step = head_steps_[i];
    const Value value = stack_.back();
    stack_.pop_back();
    switch (step.op) {
      case HeadOp::Skip:
        break;
      case HeadOp::Bind:
        variables_[step.number] = value;
        break;
      case HeadOp::Same:
        if (!equal_exact(variables_[step.number], value)) return false;
        break;
      case HeadOp::Constant:
        if (!equal_exact(step.value, value)) return false;
        break;
      case HeadOp::Tuple:
        if (!value.is_tuple(step.number)) return false;
        for (size_t k = step.number; k-- > 0;) stack_.push_back(value.element(k));
        break;
      case HeadOp::Cons:
        if (!value.is_cons()) return false;
        stack_.push_back(value.tail());
        stack_.push_back(value.head());
        break;
      case HeadOp::Map:
        if (!value.is_map()) return false;
        for (size_t k = step.number; k-- > 0;) {
          const Value part = map_get(value, step.value.element(k));
          if (part.is_none()) return false;
          stack_.push_back(part);
        }
        break;
    }
  }
  return true;
}

// and, or, xor: all operands are evaluated, and must be booleans.
Value MatchSpec::connective(const Step& step) {
  size_t count = 0;  // of those that are true
  for (const Value operand : operands(step.number)) {
    if (!operand.is_boolean()) return Value::none();
    count += operand.is_atom(atoms::true_) ? 1 : 0;
  }
  if (step.op == Op::And) return Value::boolean(count == step.number);
  return Value::boolean(step.op == Op::Or ? count > 0 : count % 2 == 1);
}

Value MatchSpec::apply(Context& c, const Clause& clause, const Step& step, Value object) {
  switch (step.op) {
    case Op::Constant:
      return step.value;
    case Op::Variable:
      return variables_[step.number];
    case Op::Object:
      return object;
    case Op::Variables: {
      Value list = Value::nil();
      for (uint32_t i = clause.listed_end; i-- > clause.listed_begin;) {
        list = c.heap.cons(variables_[listed_[i]], list);
      }
      return list;
    }
    case Op::Tuple:
      return c.heap.tuple(operands(step.number));
    case Op::List:
      return c.heap.list(operands(step.number + 1).first(step.number), stack_.back());
    case Op::Map:
      return map_from_pairs(c.heap, operands(2 * step.number));
    case Op::Call: {
      const Value result = step.native(c, operands(step.number).data());
      if (result.is_none()) c.machine.state.pending = {};
      return result;
    }
    case Op::And:
    case Op::Or:
    case Op::Xor:
      return connective(step);
    case Op::AndAlso:
    case Op::OrElse:
    case Op::Guard:
    case Op::Body:
    case Op::Drop:
      break;
  }
  return Value::none();
}

size_t MatchSpec::operand_count(const Step& step) {
  if (step.op <= Op::Variables) return 0;
  if (step.op == Op::List) return size_t{step.number} + 1;
  return step.op == Op::Map ? 2 * size_t{step.number} : step.number;
}

// A step that takes a value and leaves none, or decides where to go on; `next`: there.
// False: the clause fails.
bool MatchSpec::control(const Step& step, bool in_body, uint32_t& next) {
  if (step.op == Op::Body) return true;
  const Value value = stack_.back();
  const bool is_short_circuit = step.op == Op::AndAlso || step.op == Op::OrElse;
  if (!is_short_circuit || value == Value::boolean(step.op == Op::AndAlso)) {
    stack_.pop_back();
    return step.op != Op::Guard || value.is_atom(atoms::true_);
  }
  next = step.number;
  if (value.is_boolean()) return true;
  stack_.back() = exit_atom();
  return in_body;
}

Value MatchSpec::evaluate(Context& c, const Clause& clause, Value object) {
  stack_.clear();
  bool in_body = false;
  for (uint32_t i = clause.begin; i < clause.end;) {
    const Step& step = steps_[i++];
    if (step.op >= Op::AndAlso) {
      in_body = in_body || step.op == Op::Body;
      if (!control(step, in_body, i)) return Value::none();
      continue;
    }
    const Value result = apply(c, clause, step, object);
    if (result.is_none() && !in_body) return result;
    stack_.resize(stack_.size() - operand_count(step));
    stack_.push_back(result.is_none() ? exit_atom() : result);
  }
  return stack_.back();
}

Value MatchSpec::run(Context& c, Value object) {
  for (const Clause& clause : clauses_) {
    if (!matches_head(clause, object)) continue;
    const Value result = evaluate(c, clause, object);
    if (!result.is_none()) return result;
  }
  return Value::none();
}

// ---- Keys -------------------------------------------------------------------

std::optional<std::vector<Value>> MatchSpec::keys(size_t position) const {
  std::vector<Value> keys;
  for (const Clause& clause : clauses_) {
    if (!clause.head.is_tuple()) {
      if (is_ground(clause.head)) continue;  // matches no object at all
      return std::nullopt;
    }
    if (clause.head.arity() <= position) continue;
    const Value key = clause.head.element(position);
    if (!is_ground(key)) return std::nullopt;
    keys.push_back(key);
  }
  return keys;
}

Value MatchSpec::key_pattern(size_t position) const {
  if (clauses_.size() != 1) return Value::none();
  const Value head = clauses_[0].head;
  return head.is_tuple() && head.arity() > position ? head.element(position) : Value::none();
}

namespace {

// Whether the expression gives what the pattern has matched.
bool gives_what_matched(Value pattern, Value expression) {
  static const Atom constant = Atom::intern("const");
  struct Pair {
    Value pattern;
    Value expression;
  };
  std::vector<Pair> todo{{pattern, expression}};
  while (!todo.empty()) {
    const auto [p, e] = todo.back();
    todo.pop_back();
    if (e.is_tuple(2) && e.element(0).is_atom(constant)) {
      if (!is_ground(p) || !equal_exact(p, e.element(1))) return false;
    } else if (p.is_tuple()) {
      if (!e.is_tuple(1) || !e.element(0).is_tuple(p.arity())) return false;
      for (size_t i = 0; i < p.arity(); ++i) {
        todo.push_back({p.element(i), e.element(0).element(i)});
      }
    } else if (p.is_cons() && e.is_cons()) {
      todo.push_back({p.head(), e.head()});
      todo.push_back({p.tail(), e.tail()});
    } else if (p.is_map() || p.is_atom(atoms::underscore) || !equal_exact(p, e)) {
      return false;
    }
  }
  return true;
}

bool is_element_of_object(Value expression, size_t position) {
  static const Atom element = Atom::intern("element");
  static const Atom object = Atom::intern("$_");
  return expression.is_tuple(3) && expression.element(0).is_atom(element) &&
         expression.element(1) == Value::small(static_cast<int64_t>(position) + 1) &&
         expression.element(2).is_atom(object);
}

bool keeps_key(Value head, Value body, size_t position) {
  static const Atom object = Atom::intern("$_");
  static const Atom constant = Atom::intern("const");
  if (!body.is_cons() || !body.tail().is_nil()) return false;
  const Value made = body.head();
  if (made.is_atom(object)) return true;
  if (!made.is_tuple() || !head.is_tuple() || head.arity() <= position) return false;
  const Value pattern = head.element(position);
  const auto has_key = [&](Value tuple) { return tuple.is_tuple() && tuple.arity() > position; };
  if (made.is_tuple(2) && made.element(0).is_atom(constant)) {
    return has_key(made.element(1)) && is_ground(pattern) && !pattern.is_map() &&
           equal_exact(pattern, made.element(1).element(position));
  }
  if (!made.is_tuple(1) || !has_key(made.element(0))) return false;
  const Value key = made.element(0).element(position);
  return is_element_of_object(key, position) || gives_what_matched(pattern, key);
}

}  // namespace

bool MatchSpec::keeps_keys(size_t position) const {
  return std::ranges::all_of(clauses_, [&](const Clause& clause) {
    return keeps_key(clause.head, clause.body, position);
  });
}

}  // namespace fathom::machine
