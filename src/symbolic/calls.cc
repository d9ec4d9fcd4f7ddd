// What computes, calls, and updates maps: with unknown operands.
#include <algorithm>
#include <string>

#include "base/budget.h"
#include "code/code_table.h"
#include "machine/stack_trace.h"
#include "symbolic/asking.h"
#include "symbolic/natives.h"
#include "values/arithmetic.h"
#include "values/bits.h"
#include "values/compare.h"
#include "values/maps.h"

namespace fathom::symbolic {

using machine::Export;
using machine::Instruction;
using machine::Op;

namespace {

bool is_small_form(Op op) {
  return (static_cast<uint16_t>(op) - static_cast<uint16_t>(Op::Add)) % 2 == 1;
}

std::optional<ExprOp> term_op(Op op) {
  switch (op) {
    case Op::Add:
      return ExprOp::Add;
    case Op::Subtract:
      return ExprOp::Subtract;
    case Op::Multiply:
      return ExprOp::Multiply;
    case Op::IntegerDivide:
      return ExprOp::Divide;
    case Op::Remainder:
      return ExprOp::Remainder;
    case Op::BitAnd:
      return ExprOp::And;
    case Op::BitOr:
      return ExprOp::Or;
    case Op::BitXor:
      return ExprOp::Xor;
    case Op::ShiftLeft:
      return ExprOp::ShiftLeft;
    case Op::ShiftRight:
      return ExprOp::ShiftRight;
    default:
      return std::nullopt;
  }
}

// Of erlang's functions; none: it is not an operator.
std::optional<Op> operator_op(Atom name) {
  static const std::pair<const char*, Op> ops[] = {
      {"+", Op::Add},         {"-", Op::Subtract},        {"*", Op::Multiply},
      {"/", Op::Divide},      {"div", Op::IntegerDivide}, {"rem", Op::Remainder},
      {"band", Op::BitAnd},   {"bor", Op::BitOr},         {"bxor", Op::BitXor},
      {"bsl", Op::ShiftLeft}, {"bsr", Op::ShiftRight}};
  for (const auto& [text, op] : ops) {
    if (name.text() == text) return op;
  }
  return std::nullopt;
}

}  // namespace

// ---- Arithmetic -------------------------------------------------------------

Asking::Step Asking::arithmetic(const uint64_t* pc, Value* fp) {
  const Instruction i(*pc);
  Op op = i.op();
  Value& x = fp[i.b()];
  x = Store::known(x);
  if (is_small_form(op)) {
    if (!x.is_unknown()) return run();
    op = static_cast<Op>(static_cast<uint16_t>(op) - 1);
    return compute(op, x, Value::small(static_cast<int16_t>(i.c())));
  }
  Value& y = fp[i.c()];
  y = Store::known(y);
  if (!x.is_unknown() && !y.is_unknown()) return run();
  return compute(op, x, y);
}

// Of operands one of which is unknown. What is not a number is left to the instruction, which
// raises badarith.
Asking::Step Asking::compute(Op op, Value x, Value y) {
  const auto term = term_op(op);
  const Shapes wanted =
      op == Op::Add || op == Op::Subtract || op == Op::Multiply || op == Op::Divide
          ? shape::kNumber
          : shape::kInteger;
  for (const Value v : {x, y}) {
    if (!v.is_unknown()) {
      if (!v.is_number()) return run();
      continue;
    }
    const Shapes shapes = store_.state(v).shapes;
    if (!(shapes & wanted)) return run();
    if (std::has_single_bit(shapes)) continue;
    const auto rest = static_cast<Shapes>(shapes & ~wanted);
    shape_ways(v, static_cast<Shapes>(shapes & wanted));
    if (rest) way([this, v, rest] { return store_.restrict_to(v, rest); }, {}, 4);
    return ask();
  }
  const bool is_shift = op == Op::ShiftLeft || op == Op::ShiftRight;
  if (term && !(is_shift && y.is_unknown())) {
    const auto a = store_.term_of(x);
    const auto b = a ? store_.term_of(y) : std::nullopt;
    if (a && b) {
      const bool divides = *term == ExprOp::Divide || *term == ExprOp::Remainder;
      if (divides && y.is_unknown()) {
        const ExprId zero = store_.expressions().constant(0);
        const Condition is_zero{Relation::Equal, *b, zero};
        if (store_.possible(is_zero) != Answer::No) {
          way([this, y] { return store_.bind(y, Value::small(0)); }, {}, 2, is_zero);
          const Condition is_not = is_zero.negated();
          way([this, is_not] { return store_.assume(is_not); }, {}, 0, is_not);
          return ask();
        }
      }
      const bool is_error =
          (divides && y == Value::small(0)) || (is_shift && (y.small() < 0 || y.small() > 62));
      if (!is_error)
        return result(store_.fresh_integer(store_.expressions().binary(*term, *a, *b)));
      if (divides) return run();
    }
  }
  make_concrete(x.is_unknown() ? x : y);
  return ask();
}

// ---- Maps -------------------------------------------------------------------

Asking::Step Asking::ask_map_key(const uint64_t* pc, Value* fp) {
  const Instruction i(*pc);
  const Value map = fp[i.b()];
  Value& key = fp[i.c()];
  if (Store::has_unknowns(key)) {
    Value* const keys[] = {&key};
    if (!require(key, 'D')) return ask();
    key = store_.resolved(*keys[0]);
  }
  if (!map.is_unknown()) return run();
  for (const Store::Entry& entry : store_.entries(map)) {
    if (!machine::equal_exact(entry.key, key)) continue;
    if (entry.value.is_none()) return decided(false);
    return result(entry.value);
  }
  const Value k = key;
  TypeId type = TypeId::Any;
  bool is_open = false;
  bool is_required = false;
  bool is_possible = false;
  for (const Alternative& a : store_.types().alternatives(store_.state(map).type)) {
    const auto at =
        std::ranges::find_if(a.keys, [&](Value known) { return machine::equal_exact(known, k); });
    if (at != a.keys.end()) {
      is_possible = true;
      type = a.parts[static_cast<size_t>(at - a.keys.begin())];
      is_required = a.required[static_cast<size_t>(at - a.keys.begin())];
    } else if ((a.shapes() & shape::kMap) && a.is_open() &&
               store_.types().accepts(a.other_keys(), k)) {
      is_open = is_possible = true;
      type = a.other_values();
    }
  }
  if (!is_possible) return decided(false);
  way(
      [this, map, k, type] {
        store_.add_entry(map, k, store_.fresh(type));
        return true;
      },
      {}, 1);
  if (!is_required || is_open) {
    way(
        [this, map, k] {
          store_.add_entry(map, k, Value::none());
          return true;
        },
        {}, 0);
  }
  return ask();
}

// Keys must be known; the map, too, if there is one.
Asking::Step Asking::ask_map_update(const uint64_t* pc, Value* fp) {
  const Instruction i(*pc);
  const bool is_new = i.op() == Op::Map;
  const size_t pairs = is_new ? i.b() : i.c();
  const uint64_t* registers = pc + (is_new ? 1 : 2);
  const auto packed = [&](size_t k) -> Value& {
    return fp[registers[k / 4] >> (16 * (k % 4)) & 0xFFFF];
  };
  for (size_t k = 0; k < pairs; ++k) {
    Value& key = packed(2 * k);
    if (!Store::has_unknowns(key)) continue;
    if (!require(key, 'D')) return ask();
    key = store_.resolved(key);
  }
  if (is_new) return run();
  Value& map = fp[i.b()];
  map = Store::known(map);
  if (map.is_unknown() && !require(map, 'M')) return ask();
  map = Store::known(map);
  return run();
}

// ---- Calls ------------------------------------------------------------------

// False: ways were added.
bool Asking::require(Value v, char need) {
  const auto narrow = [&](Value u, Shapes wanted) {
    const Shapes shapes = store_.state(u).shapes;
    if (!(shapes & wanted)) return true;  // not of the kind, and stays that
    if (shapes & ~wanted) {
      const auto rest = static_cast<Shapes>(shapes & ~wanted);
      const auto yes = static_cast<Shapes>(shapes & wanted);
      way([this, u, yes] { return store_.restrict_to(u, yes); }, {}, cost_of(yes));
      way([this, u, rest] { return store_.restrict_to(u, rest); }, {}, cost_of(rest) + 3);
      return false;
    }
    make_concrete(u);
    return false;
  };
  v = Store::known(v);
  switch (need) {
    case '.':
      return true;
    case 'C':
    case 'L':
      while (v.is_cons() && need == 'L') v = Store::known(v.tail());
      if (!v.is_unknown()) return true;
      if (store_.state(v).shapes & shape::kList) {
        const Shapes rest = store_.state(v).shapes & static_cast<Shapes>(~shape::kList);
        if (store_.state(v).shapes & shape::kNil) {
          way([this, v] { return store_.bind(v, Value::nil()); }, {}, 0);
        }
        if (store_.state(v).shapes & shape::kCons) cons_way(v, {}, 1);
        if (rest) way([this, v, rest] { return store_.restrict_to(v, rest); }, {}, 4);
        return false;
      }
      return true;
    case 'T':
      return !v.is_unknown() || narrow(v, shape::kTuple);
    case 'M':
      return !v.is_unknown() || narrow(v, shape::kMap);
    case 'I':
      return !v.is_unknown() || narrow(v, shape::kInteger);
    case 'A':
      return !v.is_unknown() || narrow(v, shape::kAtom);
    case 'P':
      if (!v.is_unknown()) return true;
      cut.insert(kNoIdentifiers);
      return narrow(v, shape::kAtom | shape::kPid);
    case 'B':
      if (!v.is_unknown()) return true;
      ask_boolean(v);
      for (Way& w : ways_) w.verdict.reset();
      return ways_.empty();
    default: {
      const Value open = Store::first_open(v);
      if (open.is_none()) return true;
      make_concrete(open);
      return false;
    }
  }
}

// Functions that are a question themselves, or whose result is a term.
std::optional<Asking::Step> Asking::known_native(const Export& target,
                                                 std::span<Value*> arguments) {
  static const Atom lists = Atom::intern("lists");
  static const Atom binary = Atom::intern("binary");
  if (target.module == lists) return list_search(target, arguments);
  if (target.module == binary) return split_binary(target, arguments);
  if (target.module != atoms::erlang) return {};
  const std::string_view name = target.name.text();
  const Value x = Store::known(*arguments[0]);
  if (arguments.size() == 1) {
    static const std::pair<const char*, Shapes> tests[] = {{"is_atom", shape::kAtom},
                                                           {"is_binary", shape::kBinary},
                                                           {"is_bitstring", shape::kBinary},
                                                           {"is_float", shape::kFloat},
                                                           {"is_function", shape::kFun},
                                                           {"is_integer", shape::kInteger},
                                                           {"is_list", shape::kList},
                                                           {"is_map", shape::kMap},
                                                           {"is_number", shape::kNumber},
                                                           {"is_tuple", shape::kTuple},
                                                           {"is_pid", shape::kPid},
                                                           {"is_port", 0},
                                                           {"is_reference", shape::kReference}};
    if (x.is_unknown() && name == "is_boolean") return ask_boolean(x);
    for (const auto& [test, shapes] : tests) {
      if (name == test) return x.is_unknown() ? ask_type(x, shapes) : run();
    }
    if (name == "list_to_integer") return number_of(x);
    if (name == "binary_to_integer") return number_of_bytes(x);
    if (!x.is_unknown()) return {};
    if (name == "integer_to_list") return digits_of(x, false);
    if (name == "integer_to_binary") return digits_of(x, true);
    if (const auto step = bits_native(name, x)) return step;
    const auto& s = store_.state(x);
    if (name == "-") return compute(Op::Subtract, Value::small(0), x);
    if (name == "+") return compute(Op::Add, x, Value::small(0));
    if (name == "bnot") return compute(Op::BitXor, x, Value::small(-1));
    if (name == "abs" && s.shapes == shape::kInteger) {
      return result(store_.fresh_integer(store_.expressions().absolute(s.term)));
    }
    return {};
  }
  if (arguments.size() != 2) return {};
  const Value y = Store::known(*arguments[1]);
  if (name == "is_function" && x.is_unknown() && y.is_small() && y.small() >= 0) {
    return ask_function(x, y.small());
  }
  if (const auto op = operator_op(target.name)) {
    return x.is_unknown() || y.is_unknown() ? compute(*op, x, y) : run();
  }
  if (name == "=:=") return ask_same(x, y, true);
  if (name == "==") return ask_same(x, y, false);
  if (name == "=/=") return negated(ask_same(x, y, true));
  if (name == "/=") return negated(ask_same(x, y, false));
  if (name == "<") return ask_order(x, y, Relation::Less);
  if (name == "=<") return ask_order(x, y, Relation::LessEqual);
  if (name == ">") return ask_order(y, x, Relation::Less);
  if (name == ">=") return ask_order(y, x, Relation::LessEqual);
  return {};
}

Asking::Step Asking::ask_function(Value v, int64_t arity) {
  const UnknownState s = store_.state(v);
  if (!(s.shapes & shape::kFun) || arity > 255) return decided(false);
  if (s.arity >= 0) return decided(s.arity == arity);
  way(
      [this, v, arity] {
        if (!store_.restrict_to(v, shape::kFun)) return false;
        store_.set_arity(v, static_cast<int16_t>(arity));
        return true;
      },
      true, 2);
  cut.insert(kWrongArity);
  const auto rest = static_cast<Shapes>(s.shapes & ~shape::kFun);
  if (rest) way([this, v, rest] { return store_.restrict_to(v, rest); }, false, cost_of(rest) + 1);
  return ask();
}

// Of the arguments that are known: what they search for, or are separated by, is likely to matter.
void Asking::find_beside(std::span<Value*> arguments) {
  constexpr size_t kMost = 4;
  const auto add = [&](int64_t n) {
    if (beside_.size() < kMost && std::ranges::find(beside_, n) == beside_.end()) {
      beside_.push_back(n);
    }
  };
  for (const Value* argument : arguments) {
    std::vector<Value> open = {*argument};
    while (!open.empty() && beside_.size() < kMost) {
      spend();
      const Value v = Store::known(open.back());
      open.pop_back();
      if (v.is_small()) add(v.small());
      if (v.is_cons()) {
        open.push_back(v.tail());
        open.push_back(v.head());
      } else if (v.is_binary()) {
        const machine::BitsView bits = machine::bits_of(v);
        for (uint64_t i = 0; i + 8 <= bits.size && i < 8 * kMost; i += 8) {
          uint8_t byte = 0;
          machine::copy_bits({bits.bytes, bits.first + i, 8}, &byte, 0);
          add(byte);
        }
      }
    }
  }
}

Asking::Step Asking::ask_native(const Export& target, std::span<Value*> arguments) {
  const bool has_any =
      std::ranges::any_of(arguments, [](const Value* v) { return Store::has_unknowns(*v); });
  if (!has_any) return run();
  for (Value* v : arguments) *v = Store::known(*v);
  if (const auto step = known_native(target, arguments)) return *step;
  if (!ways_.empty()) return ask();
  const char* needs = needs_of(target);
  if (!needs) {
    cut.insert(std::string(target.module.text()) + ":" + std::string(target.name.text()) + "/" +
               std::to_string(target.arity) + " with other arguments than those tried");
  }
  if (!needs) find_beside(arguments);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const bool is_known = require(*arguments[i], needs ? needs[i] : 'D');
    if (!is_known) {
      beside_.clear();
      return ask();
    }
  }
  beside_.clear();
  for (Value* v : arguments) *v = store_.resolved(*v);
  return run();
}

namespace {

std::vector<Value> elements_of(Value list) {
  std::vector<Value> elements;
  for (; list.is_cons(); list = Store::known(list.tail())) elements.push_back(list.head());
  return elements;
}

}  // namespace

// The native function of that name, if it is one.
const Export* Asking::native_of(Value module, Value name, size_t arity) {
  if (!module.is_atom() || !name.is_atom() || arity > 255) return nullptr;
  const Export* target =
      machine_.code().find_export(module.atom(), name.atom(), static_cast<uint32_t>(arity));
  return target && target->native ? target : nullptr;
}

// It is called with the elements of the list.
Asking::Step Asking::ask_applied(const Export& target, Value& list) {
  std::vector<Value> elements = elements_of(list);
  std::vector<Value*> arguments;
  arguments.reserve(elements.size());
  for (Value& element : elements) arguments.push_back(&element);
  const Step step = ask_native(target, arguments);
  if (step.kind == Step::Kind::Run) list = machine_.heap().list(elements);
  return step;
}

Asking::Step Asking::ask_applied_fun(Value& fun, Value& list) {
  if (!require(list, 'L')) return ask();
  list = store_.resolved(list);
  fun = Store::known(fun);
  if (fun.is_unknown()) {
    Value* funs[] = {&fun};
    return ask_all(funs);
  }
  if (!fun.is_box(machine::BoxKind::ExternalFun)) return run();
  const Export* target = machine::export_of(fun);
  const bool is_right = target->arity == elements_of(list).size();
  return target->native && is_right ? ask_applied(*target, list) : run();
}

// Everything is made known.
Asking::Step Asking::ask_all(std::span<Value*> values) {
  for (Value* v : values) {
    if (!Store::has_unknowns(*v)) continue;
    if (!require(*v, 'D')) return ask();
    *v = store_.resolved(*v);
  }
  return run();
}

Asking::Step Asking::ask_call(const uint64_t* pc, Value* fp) {
  const Instruction i(*pc);
  std::vector<Value*> arguments;
  const auto range = [&](uint32_t first, uint32_t count) {
    for (uint32_t k = 0; k < count; ++k) arguments.push_back(&fp[first + k]);
    return std::span(arguments);
  };
  const auto pointer = [&] { return reinterpret_cast<const Export*>(pc[1]); };
  switch (i.op()) {
    case Op::Native1:
    case Op::Head:
    case Op::Tail:
      return ask_native(*pointer(), range(i.b(), 1));
    case Op::Native2:
    case Op::ElementOf:
      arguments = {&fp[i.b()], &fp[i.c()]};
      return ask_native(*pointer(), arguments);
    case Op::NativeN:
      return ask_native(*pointer(), range(i.b(), i.c()));
    case Op::CallExport:
    case Op::TailCallExport:
      if (!pointer()->native) return run();
      return ask_native(*pointer(), range(i.a(), i.b()));
    case Op::NativeStub:
      return ask_native(*pointer(), range(0, i.b()));
    case Op::CallFun:
    case Op::TailCallFun:
      return ask_fun(pc, fp, fp[i.a() + i.b()], i.b());
    case Op::CallDynamic:
    case Op::TailCallDynamic: {
      if (const Step step = ask_all(range(i.a() + i.b(), 2)); step.kind != Step::Kind::Run) {
        return step;
      }
      const Export* target = native_of(fp[i.a() + i.b()], fp[i.a() + i.b() + 1], i.b());
      arguments.clear();
      return target ? ask_native(*target, range(i.a(), i.b())) : run();
    }
    case Op::CallList:
    case Op::TailCallList: {
      arguments = {&fp[i.a()], &fp[i.a() + 1]};
      if (const Step step = ask_all(arguments); step.kind != Step::Kind::Run) return step;
      if (!require(fp[i.a() + 2], 'L')) return ask();
      fp[i.a() + 2] = store_.resolved(fp[i.a() + 2]);
      const Export* target = native_of(fp[i.a()], fp[i.a() + 1], elements_of(fp[i.a() + 2]).size());
      return target ? ask_applied(*target, fp[i.a() + 2]) : run();
    }
    case Op::CallFunList:
    case Op::TailCallFunList:
      return ask_applied_fun(fp[i.a()], fp[i.a() + 1]);
    case Op::BuildBits:
      for (uint32_t k = 0; k < i.b(); ++k) {
        const uint64_t segment = pc[2 + k];
        arguments.push_back(&fp[segment & 0xFFFF]);
        const uint32_t size = segment >> 16 & 0xFFFF;
        if (!(segment >> 32 & machine::kFixedSize) && size != 0xFFFF) {
          arguments.push_back(&fp[size]);
        }
      }
      return ask_all(arguments);
    case Op::ExternalFun:
      arguments = {&fp[i.b()], &fp[i.c()], &fp[pc[1]]};
      return ask_all(arguments);
    case Op::ReceiveStart:
      if (i.a() == 0xFFFF) return run();
      arguments = {&fp[i.a()]};
      return ask_all(arguments);
    default:
      return run();
  }
}

// A fun that is unknown is a table of its calls: equal arguments, equal results, or exceptions.
Asking::Step Asking::ask_fun(const uint64_t* pc, Value* fp, Value fun, uint32_t count) {
  const Instruction i(*pc);
  fun = fp[i.a() + i.b()] = Store::known(fun);
  std::vector<Value*> arguments;
  for (uint32_t k = 0; k < count; ++k) arguments.push_back(&fp[i.a() + k]);
  if (fun.is_box(machine::BoxKind::ExternalFun)) {
    const Export* target = machine::export_of(fun);
    return target->native && target->arity == count ? ask_native(*target, arguments) : run();
  }
  if (!fun.is_unknown()) return run();
  const UnknownState s = store_.state(fun);
  if (!(s.shapes & shape::kFun)) return run();  // badfun
  if (s.shapes != shape::kFun) {
    const auto rest = static_cast<Shapes>(s.shapes & ~shape::kFun);
    way([this, fun] { return store_.restrict_to(fun, shape::kFun); }, {}, 2);
    way([this, fun, rest] { return store_.restrict_to(fun, rest); }, {}, 5);
    return ask();
  }
  if (s.arity >= 0 && static_cast<uint32_t>(s.arity) != count) {
    cut.insert(kWrongArity);
    is_dead_ = true;
    return ask();
  }
  std::vector<Value> all;
  all.reserve(arguments.size());
  for (const Value* v : arguments) all.push_back(*v);
  const Value key = machine_.heap().list(all);
  for (const Store::Entry& entry : store_.entries(fun)) {
    const auto is_equal = ask_element(key, entry.key, true);
    if (!is_equal) return ask();
    if (!*is_equal) continue;
    return entry.exception_class.is_none() ? result(entry.value)
                                           : raise(entry.exception_class, entry.value);
  }
  TypeId type = TypeId::Any;
  for (const Alternative& a : store_.types().alternatives(s.type)) {
    if (a.kind == Alternative::Kind::Fun && !a.parts.empty()) type = a.parts[0];
  }
  if (s.arity < 0) {
    const bool is_of_type =
        std::ranges::any_of(store_.types().alternatives(s.type), [&](const Alternative& a) {
          return a.kind == Alternative::Kind::Fun && a.arity == static_cast<int>(count);
        });
    if (!is_of_type) cut.insert(kWrongArity);
    store_.set_arity(fun, static_cast<int16_t>(count));
  }
  if (machine::is_caught(machine_, pc, fp)) {
    fun_ways(fun, key, type);
    return ask();
  }
  cut.insert(kUncaught);
  const Value value = store_.fresh(type);
  store_.add_entry(fun, key, value);
  return result(value);
}

// It returns something, or raises: where nobody catches that, it only ends the call.
void Asking::fun_ways(Value fun, Value key, TypeId type) {
  way(
      [this, fun, key, type] {
        store_.add_entry(fun, key, store_.fresh(type));
        return true;
      },
      {}, 0);
  static const Atom exit = Atom::intern("exit");
  int cost = 2;
  for (const Atom exception_class : {atoms::throw_, atoms::error, exit}) {
    way(
        [this, fun, key, exception_class] {
          store_.add_entry(fun, key, store_.fresh(TypeId::Any), Value(exception_class));
          return true;
        },
        {}, cost++);
  }
}

}  // namespace fathom::symbolic
