// Compiling match specifications. Both programs are made with a list of what is still to
// be done, the last entry first; what has been taken apart puts its parts there.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>

#include "base/term_print.h"
#include "machine/machine.h"
#include "machine/match_spec.h"
#include "values/compare.h"
#include "values/convert.h"
#include "values/maps.h"

namespace fathom::machine {
namespace {

// What guards and bodies may call: functions of module erlang.
struct Callable {
  std::string_view name;
  uint32_t arity;
};
constexpr Callable kCallables[] = {
    {"*", 2},          {"+", 1},           {"+", 2},
    {"-", 1},          {"-", 2},           {"/", 2},
    {"/=", 2},         {"<", 2},           {"=/=", 2},
    {"=:=", 2},        {"=<", 2},          {"==", 2},
    {">", 2},          {">=", 2},          {"abs", 1},
    {"band", 2},       {"binary_part", 2}, {"binary_part", 3},
    {"bit_size", 1},   {"bnot", 1},        {"bor", 2},
    {"bsl", 2},        {"bsr", 2},         {"bxor", 2},
    {"byte_size", 1},  {"div", 2},         {"element", 2},
    {"float", 1},      {"hd", 1},          {"is_atom", 1},
    {"is_binary", 1},  {"is_float", 1},    {"is_function", 1},
    {"is_integer", 1}, {"is_list", 1},     {"is_map", 1},
    {"is_map_key", 2}, {"is_number", 1},   {"is_pid", 1},
    {"is_port", 1},    {"is_record", 3},   {"is_reference", 1},
    {"is_tuple", 1},   {"length", 1},      {"map_get", 2},
    {"map_size", 1},   {"node", 0},        {"node", 1},
    {"not", 1},        {"rem", 2},         {"round", 1},
    {"self", 0},       {"size", 1},        {"tl", 1},
    {"trunc", 1},
};

bool is_callable(Atom name, uint32_t arity) {
  const std::string_view text = name.text();
  for (const Callable& callable : kCallables) {
    if (callable.arity == arity && callable.name == text) return true;
  }
  return false;
}

}  // namespace

std::optional<uint32_t> variable_number(Value value) {
  if (!value.is_atom()) return std::nullopt;
  const std::string_view text = value.atom().text();
  if (text.size() < 2 || text[0] != '$') return std::nullopt;
  if (text[1] == '0' && text.size() > 2) return std::nullopt;
  uint32_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + 1, end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  return number;
}

bool is_ground(Value pattern) {
  std::vector<Value> todo{pattern};
  while (!todo.empty()) {
    const Value value = todo.back();
    todo.pop_back();
    if (value.is_atom(atoms::underscore) || variable_number(value)) return false;
    if (value.is_cons()) {
      todo.push_back(value.tail());
      todo.push_back(value.head());
    } else if (value.is_tuple()) {
      todo.insert(todo.end(), value.elements().begin(), value.elements().end());
    } else if (value.is_map()) {
      MapPairs pairs(value);
      for (Value key, part; pairs.next(key, part);) {
        todo.push_back(key);
        todo.push_back(part);
      }
    }
  }
  return true;
}

namespace {

// Numbers of different types are the same to some tables.
bool may_be(Value constant, Value value) {
  if (constant.is_number()) return equal(constant, value);
  if (constant.is_map()) return value.is_map();
  return equal_exact(constant, value);
}

bool mentions(Value term, Value part) {
  std::vector<Value> todo{term};
  while (!todo.empty()) {
    const Value value = todo.back();
    todo.pop_back();
    if (value == part) return true;
    if (value.is_cons()) {
      todo.push_back(value.tail());
      todo.push_back(value.head());
    } else if (value.is_tuple()) {
      todo.insert(todo.end(), value.elements().begin(), value.elements().end());
    }
  }
  return false;
}

bool may_match_head(Value head, Value object) {
  std::vector<std::pair<Value, Value>> todo{{head, object}};
  while (!todo.empty()) {
    const auto [pattern, value] = todo.back();
    todo.pop_back();
    if (pattern.is_atom(atoms::underscore) || variable_number(pattern)) continue;
    if (pattern.is_cons()) {
      if (!value.is_cons()) return false;
      todo.emplace_back(pattern.tail(), value.tail());
      todo.emplace_back(pattern.head(), value.head());
    } else if (pattern.is_tuple()) {
      if (!value.is_tuple() || value.arity() != pattern.arity()) return false;
      for (size_t i = 0; i < pattern.arity(); ++i) {
        todo.emplace_back(pattern.element(i), value.element(i));
      }
    } else if (!may_be(pattern, value)) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool may_match(Context& c, Value sought, Value object) {
  if (!sought.is_cons()) return may_match_head(sought, object);
  bool has_head = false;
  for (Value rest = sought; rest.is_cons() && !has_head; rest = rest.tail()) {
    const Value clause = rest.head();
    has_head = !clause.is_tuple(3) || may_match_head(clause.element(0), object);
  }
  static const Atom self = Atom::intern("self");
  if (!has_head || mentions(sought, Value(self))) return has_head;
  uint64_t* const top = c.heap.top();
  std::optional<MatchSpec> spec = MatchSpec::compile(c, sought);
  const bool matches = !spec || !spec->run(c, object).is_none();
  c.heap.set_top(top);
  return matches;
}

class MatchSpecCompiler {
 public:
  using HeadOp = MatchSpec::HeadOp;
  using Op = MatchSpec::Op;
  using Step = MatchSpec::Step;

  // A tuple as people would write it.
  static std::string shown(Value value) {
    TermArena arena;
    return printed(to_term(value, arena));
  }

  // They say what to tell of a call, or look at it; only the latter may stand in a guard.
  static bool is_trace_form(Atom name) {
    constexpr std::string_view kForms[] = {
        "caller",        "disable_trace", "display", "enable_trace", "exception_trace",
        "get_seq_token", "is_seq_trace",  "message", "process_dump", "return_trace",
        "set_seq_token", "set_tcw",       "silent",  "trace"};
    return std::ranges::find(kForms, name.text()) != std::end(kForms);
  }
  static bool is_fact(Atom name) {
    const std::string_view text = name.text();
    return text == "get_tcw" || text == "self" || text == "is_seq_trace" || text == "get_seq_token";
  }

  MatchSpecCompiler(Context& c, std::vector<std::string>* problems, MatchSpec::Dialect dialect)
      : c_(c), problems_(problems), is_trace_(dialect == MatchSpec::Dialect::Trace) {}

  std::optional<MatchSpec> compile(Value list) {
    const bool is_none = !list.is_cons();
    Value end = list;
    while (end.is_cons()) end = end.tail();
    if (!is_none && !end.is_nil()) {
      problem("Match programs are not in a proper list.");
      return std::nullopt;
    }
    for (; list.is_cons(); list = list.tail()) {
      if (!list.head().is_tuple(3)) {
        problem("Match program part is not a tuple of arity 3.");
        return std::nullopt;
      }
      clause(list.head());
    }
    if (!list.is_nil()) problem("Match programs are not in a list.");
    if (failed_) return std::nullopt;
    return std::move(result_);
  }

 private:
  void problem(std::string text) {
    failed_ = true;
    if (problems_) problems_->push_back(std::move(text));
  }

  static uint32_t index(size_t n) { return static_cast<uint32_t>(n); }

  void clause(Value tuple) {
    numbers_.clear();
    MatchSpec::Clause clause{};
    clause.head = tuple.element(0);
    clause.body = tuple.element(2);
    const bool is_head = clause.head.is_tuple() || clause.head.is_list() ||
                         clause.head.is_atom(atoms::underscore) || variable_number(clause.head);
    if (is_trace_ && !is_head) problem("Match head is invalid in this context.");
    clause.head_begin = index(result_.head_steps_.size());
    head(clause.head);
    clause.head_end = index(result_.head_steps_.size());
    clause.variables = index(numbers_.size());
    list_variables(clause);
    clause.begin = index(result_.steps_.size());
    code(tuple.element(1), clause.body);
    clause.end = index(result_.steps_.size());
    result_.clauses_.push_back(clause);
  }

  // ---- Heads ----------------------------------------------------------------

  void head(Value pattern) {
    std::vector<Value> todo{pattern};
    while (!todo.empty()) {
      const Value part = todo.back();
      todo.pop_back();
      result_.head_steps_.push_back(head_step(part, todo));
    }
  }

  MatchSpec::HeadStep head_step(Value pattern, std::vector<Value>& todo) {
    if (pattern.is_atom(atoms::underscore)) return {HeadOp::Skip, 0, {}};
    if (const std::optional<uint32_t> number = variable_number(pattern)) {
      const auto [at, is_new] = numbers_.try_emplace(*number, index(numbers_.size()));
      return {is_new ? HeadOp::Bind : HeadOp::Same, at->second, {}};
    }
    if (pattern.is_tuple()) {
      for (size_t i = pattern.arity(); i-- > 0;) todo.push_back(pattern.element(i));
      return {HeadOp::Tuple, index(pattern.arity()), {}};
    }
    if (pattern.is_cons()) {
      todo.push_back(pattern.tail());
      todo.push_back(pattern.head());
      return {HeadOp::Cons, 0, {}};
    }
    if (!pattern.is_map()) return {HeadOp::Constant, 0, pattern};
    std::vector<Value> keys;
    std::vector<Value> parts;
    MapPairs pairs(pattern);
    for (Value key, part; pairs.next(key, part);) {
      if (!is_ground(key)) problem("Variable found in map key.");
      keys.push_back(key);
      parts.push_back(part);
    }
    todo.insert(todo.end(), parts.rbegin(), parts.rend());
    return {HeadOp::Map, index(keys.size()), c_.heap.tuple(keys)};
  }

  void list_variables(MatchSpec::Clause& clause) {
    clause.listed_begin = index(result_.listed_.size());
    for (const auto& [number, slot] : numbers_) result_.listed_.push_back(slot);
    clause.listed_end = index(result_.listed_.size());
  }

  // ---- Guards and bodies ----------------------------------------------------

  // An expression that is to be compiled, or a step that is to be added then.
  struct Work {
    bool is_step;
    Value expression;
    Step step = {};
    // Of a step of a short-circuit operator: which one it belongs to. 0: of none.
    uint32_t group = 0;
  };

  void code(Value guards, Value body) {
    in_guard_ = true;
    for (; guards.is_cons(); guards = guards.tail()) {
      expression(guards.head());
      add({Op::Guard});
    }
    if (!guards.is_nil()) problem("Match expression is not a list.");
    in_guard_ = false;
    add({Op::Body});
    if (is_trace_ && body.is_nil()) add({Op::Constant, 0, Value(atoms::true_)});
    if (!body.is_cons() && !is_trace_) problem("Body clause does not return anything.");
    for (; body.is_cons(); body = body.tail()) {
      expression(body.head());
      if (body.tail().is_cons()) add({Op::Drop});
    }
    if (!body.is_nil() && failed_) return;
    if (!body.is_nil()) problem("Match expression is not a proper list.");
  }

  void add(const Step& step) { result_.steps_.push_back(step); }

  void expression(Value root) {
    todo_.push_back({false, root, {}});
    while (!todo_.empty()) {
      const Work work = todo_.back();
      todo_.pop_back();
      if (!work.is_step) {
        take_apart(work.expression);
      } else if (work.group == 0) {
        add(work.step);
      } else {
        short_circuit(work);
      }
    }
  }

  // The jumps of a short-circuit operator lead after its last operand.
  void short_circuit(const Work& work) {
    std::vector<uint32_t>& jumps = jumps_[work.group];
    if (work.step.op == Op::Drop) {
      for (const uint32_t at : jumps) result_.steps_[at].number = index(result_.steps_.size());
      jumps_.erase(work.group);
      return;
    }
    jumps.push_back(index(result_.steps_.size()));
    add(work.step);
  }

  void later(const Step& step, std::span<const Value> operands) {
    todo_.push_back({true, {}, step});
    for (size_t i = operands.size(); i-- > 0;) todo_.push_back({false, operands[i], {}});
  }

  void take_apart(Value value) {
    if (value.is_atom()) return atom(value);
    if (value.is_tuple()) return tuple(value);
    if (value.is_cons()) return list(value);
    if (value.is_map()) return map(value);
    add({Op::Constant, 0, value});
  }

  void atom(Value value) {
    static const Atom object = Atom::intern("$_");
    static const Atom variables = Atom::intern("$$");
    if (value.is_atom(object)) return add({Op::Object});
    if (value.is_atom(variables)) return add({Op::Variables});
    const std::optional<uint32_t> number = variable_number(value);
    if (!number) return add({Op::Constant, 0, value});
    const auto at = numbers_.find(*number);
    if (at == numbers_.end()) return problem(fmt::format("Variable ${} is unbound.", *number));
    add({Op::Variable, at->second});
  }

  void list(Value value) {
    std::vector<Value> parts;
    for (; value.is_cons(); value = value.tail()) parts.push_back(value.head());
    const uint32_t count = index(parts.size());
    parts.push_back(value);
    later({Op::List, count}, parts);
  }

  void map(Value value) {
    std::vector<Value> parts;
    MapPairs pairs(value);
    for (Value key, part; pairs.next(key, part);) {
      parts.push_back(key);
      parts.push_back(part);
    }
    later({Op::Map, index(parts.size() / 2)}, parts);
  }

  void tuple(Value value) {
    if (value.is_tuple(1) && value.element(0).is_tuple()) {
      return later({Op::Tuple, index(value.element(0).arity())}, value.element(0).elements());
    }
    if (value.arity() == 0 || !value.element(0).is_atom()) {
      return problem(fmt::format(
          "{} is neither a function call, nor a tuple (tuples are written {{{{ ... }}}}).",
          shown(value)));
    }
    call(value.element(0).atom(), value.elements().subspan(1));
  }

  void call(Atom name, std::span<const Value> arguments) {
    static const Atom constant = Atom::intern("const");
    const uint32_t arity = index(arguments.size());
    if (name == constant && arity == 1) return add({Op::Constant, 0, arguments[0]});
    if (arity > 0) {
      if (name == atoms::and_) return later({Op::And, arity}, arguments);
      if (name == atoms::or_) return later({Op::Or, arity}, arguments);
      if (name == atoms::andalso_) return short_circuit(Op::AndAlso, arguments);
      if (name == atoms::orelse_) return short_circuit(Op::OrElse, arguments);
    }
    if (name == atoms::xor_ && arity == 2) return later({Op::Xor, arity}, arguments);
    if (is_trace_) {
      static const Atom trace_actions = Atom::intern("fathom_trace");
      const Native action = c_.machine.code().find_export(trace_actions, name, arity)->native;
      if (action && in_guard_ && !is_fact(name)) {
        return problem(fmt::format("Special form '{}' called in guard context.", name.text()));
      }
      if (action) return later({Op::Call, arity, {}, action}, arguments);
    } else if (is_trace_form(name)) {
      return problem(fmt::format("Special form '{}' used in wrong dialect.", name.text()));
    }
    if (!is_callable(name, arity)) {
      return problem(fmt::format("Function {}/{} does_not_exist.", name.text(), arity));
    }
    const Export& function = *c_.machine.code().find_export(atoms::erlang, name, arity);
    const Native native = function.untraced ? function.untraced : function.native;
    later({Op::Call, arity, {}, native}, arguments);
  }

  // first, jump, second, jump, … last
  void short_circuit(Op op, std::span<const Value> arguments) {
    const uint32_t group = ++groups_;
    todo_.push_back({true, {}, {Op::Drop}, group});
    for (size_t i = arguments.size(); i-- > 0;) {
      if (i + 1 < arguments.size()) todo_.push_back({true, {}, {op}, group});
      todo_.push_back({false, arguments[i], {}});
    }
  }

  Context& c_;
  std::vector<std::string>* problems_;
  bool is_trace_;
  bool in_guard_ = false;
  MatchSpec result_;
  bool failed_ = false;
  std::map<uint32_t, uint32_t> numbers_;  // of the variables of the clause: index
  std::vector<Work> todo_;
  std::unordered_map<uint32_t, std::vector<uint32_t>> jumps_;  // by group
  uint32_t groups_ = 0;
};

std::optional<MatchSpec> MatchSpec::compile(Context& c, Value list,
                                            std::vector<std::string>* problems, Dialect dialect) {
  return MatchSpecCompiler(c, problems, dialect).compile(list);
}

}  // namespace fathom::machine
