// The end of a path: values for all that is still unknown, the simplest ones.
//
// Integers with conditions get small values by the solver. What nothing was asked about gets values
// that differ from each other, so that a test shows what became of which.
#include <algorithm>

#include "base/budget.h"
#include "symbolic/store.h"
#include "values/compare.h"
#include "values/maps.h"

namespace fathom::symbolic {

bool Store::differences_hold() {
  return std::ranges::all_of(differences_, [&](const Pair& pair) {
    std::vector<Pair> open;
    return same(pair.a, pair.b, open, pair.is_exact) != Truth::Yes;
  });
}

// The i-th of the values that an open unknown may simply be; none(): there are no more.
Value Store::candidate(Value unknown, size_t i) {
  const UnknownState& s = state(unknown);
  const Shapes shapes = s.shapes;
  std::vector<Value> values;
  machine::Heap& heap = machine_.heap();
  if (s.term != kNoExpr) {
    const auto n = expressions_.value_of(s.term, model_);
    return i == 0 && n ? heap.integer(*n) : Value::none();
  }
  for (const Alternative& a : types_.alternatives(s.type)) {
    if (a.kind == Alternative::Kind::Literal) values.push_back(Value(a.literal));
  }
  if (shapes & shape::kInteger) {
    for (int64_t n = 0; n < 10; ++n) values.push_back(Value::small(n));
  }
  if (shapes & shape::kNil) values.push_back(Value::nil());
  if (shapes & shape::kAtom) {
    for (const char c : {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'}) {
      values.push_back(Value(Atom::intern(std::string_view(&c, 1))));
    }
  }
  if (shapes & shape::kPid) values.push_back(self_);
  if (shapes & shape::kReference) values.push_back(reference_);
  if (shapes & shape::kTuple) values.push_back(heap.tuple({}));
  if (shapes & shape::kFloat) {
    if (const Value x = some_float(unknown); !x.is_none()) values.push_back(x);
    for (const double x : {2.0, 3.0, 4.0}) values.push_back(heap.real(x));
  }
  if (shapes & shape::kBinary) {
    for (const std::string_view x : {"", "a", "b", "ab", "abc", "abcd", "abcdefgh"}) {
      values.push_back(heap.binary(x));
    }
  }
  return i < values.size() ? values[i] : Value::none();
}

Value Store::closed_map(Value unknown, size_t more) {
  const TypeId type = state(unknown).type;
  std::vector<Value> pairs;
  for (const Entry& entry : entries(unknown)) {
    if (entry.value.is_none()) continue;
    pairs.push_back(entry.key);
    pairs.push_back(entry.value);
  }
  for (const Alternative& a :
       std::vector(types_.alternatives(type).begin(), types_.alternatives(type).end())) {
    if (a.kind != Alternative::Kind::MapOf) continue;
    for (size_t i = 0; i < a.keys.size(); ++i) {
      if (!a.required[i] || has_entry(unknown, a.keys[i])) continue;
      pairs.push_back(a.keys[i]);
      pairs.push_back(fresh(a.parts[i]));
    }
    break;
  }
  if (more > 0 && !further_keys(unknown, more, pairs)) return Value::none();
  return machine::map_from_pairs(machine_.heap(), pairs);
}

bool Store::has_entry(Value unknown, Value key) const {
  return std::ranges::any_of(
      entries(unknown), [&](const Entry& entry) { return machine::equal_exact(entry.key, key); });
}

// Keys that nobody has asked for, simple ones of the type; their values are unknown. False: there
// are not so many.
bool Store::further_keys(Value unknown, size_t more, std::vector<Value>& pairs) {
  const TypeId type = state(unknown).type;
  for (const Alternative& a :
       std::vector(types_.alternatives(type).begin(), types_.alternatives(type).end())) {
    if (!(a.shapes() & shape::kMap) || !a.is_open()) continue;
    std::vector<Value> keys;
    for (const Alternative& of_key : types_.alternatives(a.other_keys())) {
      if (of_key.kind == Alternative::Kind::Literal) keys.push_back(Value(of_key.literal));
    }
    for (const char* text : {"a", "b", "c", "d", "e", "f"}) {
      keys.push_back(Value(Atom::intern(text)));
    }
    for (int64_t n = 0; n < 6; ++n) keys.push_back(Value::small(n));
    for (const char* text : {"a", "b", "c"}) keys.push_back(machine_.heap().binary(text));
    for (int64_t c = 'a'; c < 'd'; ++c) {
      keys.push_back(machine_.heap().cons(Value::small(c), Value::nil()));
    }
    for (const Value key : keys) {
      if (more == 0) break;
      const bool is_listed = std::ranges::find(a.keys, key) != a.keys.end();
      if (is_listed || has_entry(unknown, key) || !types_.accepts(a.other_keys(), key)) continue;
      pairs.push_back(key);
      pairs.push_back(fresh(a.other_values()));
      --more;
    }
    return more == 0;
  }
  return false;
}

// Binds an open unknown to a simple value.
bool Store::choose(Value unknown) {
  const UnknownState s = state(unknown);
  if (s.bytes >= 0) return choose_bytes(unknown);
  if (s.shapes == shape::kMap && s.term == kNoExpr) {
    set_binding(unknown, closed_map(unknown));
    return true;
  }
  const bool may_end_list = s.position > 0 && may_be(unknown, Value::nil());
  if (may_end_list && try_binding(unknown, Value::nil())) return true;
  if (choose_in_turn(unknown) || choose_list(unknown)) return true;
  for (size_t i = 0;; ++i) {
    const Value value = candidate(unknown, i);
    if (value.is_none()) break;
    if (may_be(unknown, value) && try_binding(unknown, value)) return true;
  }
  return choose_structure(unknown);
}

// A byte that may as well be a letter is one: <<"id,a">>, not <<105,100,44,0>>.
bool Store::choose_bytes(Value unknown) {
  std::string bytes;
  for (const Entry& entry : entries(unknown)) {
    const Value byte = known(entry.value);
    if (byte.is_unknown()) prefer_letter(state(byte).term);
    const Value chosen = under_solution(byte);
    if (!chosen.is_small()) return false;
    bytes += static_cast<char>(chosen.small());
  }
  const Value binary = machine_.heap().binary(bytes);
  if (is_excluded(unknown, binary)) return false;
  set_binding(unknown, binary);
  return true;
}

void Store::prefer_letter(ExprId term) {
  constexpr int64_t kFirstPrinted = ' ';
  if (expressions_[term].op != ExprOp::Variable) return;
  const auto variable = static_cast<size_t>(expressions_[term].value);
  if (variable >= model_.size() || model_[variable] >= kFirstPrinted) return;
  const int64_t before = std::exchange(model_[variable], 'a' + next_letter_ % 26);
  const bool is_possible = std::ranges::all_of(conditions_.all(), [&](const Condition& c) {
    return expressions_.holds(c, model_).value_or(false);
  });
  if (is_possible) {
    ++next_letter_;
  } else {
    model_[variable] = before;
  }
}

// Integers that nothing was asked about differ, so that a test shows which of them went where:
// f(0, [1, 2]). False: none of the next few will do.
bool Store::choose_in_turn(Value unknown) {
  constexpr int64_t kTries = 10;
  const UnknownState s = state(unknown);
  if (!(s.shapes & shape::kInteger)) return false;
  if (s.term != kNoExpr && !is_free(s.term)) return false;
  const bool is_character = std::ranges::any_of(
      types_.alternatives(s.type), [](const Alternative& a) { return a.high == kLastCharacter; });
  const int64_t first = is_character ? 'a' + next_free_ % 26 : next_free_;
  for (int64_t n = first; n < first + kTries; ++n) {
    const Value number = Value::small(n);
    if (!may_be(unknown, number) || !try_binding(unknown, number)) continue;
    if (s.term != kNoExpr) {
      const auto variable = static_cast<size_t>(expressions_[s.term].value);
      if (model_.size() <= variable) model_.resize(variable + 1);
      model_[variable] = n;
    }
    next_free_ += n + 1 - first;
    return true;
  }
  return false;
}

// Likewise a list, unless it is the tail of one: it has an element.
bool Store::choose_list(Value unknown) {
  const UnknownState s = state(unknown);
  if (s.position > 0 || s.excluded >= 0 || s.shapes != shape::kList) return false;
  const std::span<const Alternative> types = types_.alternatives(s.type);
  const auto list = std::ranges::find(types, Alternative::Kind::List, &Alternative::kind);
  if (list == types.end()) return false;
  const Value head = fresh(list->parts[0]);
  return try_binding(unknown, machine_.heap().cons(head, Value::nil()));
}

// A variable of which no condition but its type says anything.
bool Store::is_free(ExprId term) const {
  if (expressions_[term].op != ExprOp::Variable) return false;
  const auto variable = static_cast<size_t>(expressions_[term].value);
  return variable >= is_asked_.size() || !is_asked_[variable];
}

void Store::find_asked() {
  is_asked_.assign(expressions_.variable_count(), false);
  std::vector<uint32_t> variables;
  for (const Condition& c : conditions_.all()) {
    if (c.is_of_type) continue;
    expressions_.add_variables(c.a, variables);
    expressions_.add_variables(c.b, variables);
  }
  for (const uint32_t v : variables) is_asked_[v] = true;
}

bool Store::try_binding(Value unknown, Value value) {
  set_binding(unknown, value);
  if (differences_hold()) return true;
  set_binding(unknown, Value::none());
  return false;
}

// A structure of its type, whose parts are chosen in turn.
bool Store::choose_structure(Value unknown) {
  const UnknownState s = state(unknown);
  const std::vector of_type(types_.alternatives(s.type).begin(), types_.alternatives(s.type).end());
  for (const Alternative& a : of_type) {
    if (!(a.shapes() & s.shapes)) continue;
    if (a.kind == Alternative::Kind::TupleOf) {
      std::vector<Value> elements;
      for (const TypeId part : std::vector(a.parts)) elements.push_back(fresh(part));
      set_binding(unknown, machine_.heap().tuple(elements));
      return true;
    }
    if (a.shapes() & s.shapes & shape::kMap)
      return restrict_to(unknown, shape::kMap) && choose(unknown);
    if ((a.kind == Alternative::Kind::List || a.kind == Alternative::Kind::Any) &&
        (s.shapes & shape::kCons)) {
      const TypeId part = a.kind == Alternative::Kind::List ? a.parts[0] : TypeId::Any;
      const Value tail =
          a.kind == Alternative::Kind::List ? fresh(types_.list_of(part)) : Value::nil();
      set_binding(unknown, machine_.heap().cons(fresh(part), tail));
      return true;
    }
    if (a.kind == Alternative::Kind::Cons && (s.shapes & shape::kCons)) {
      set_binding(unknown, machine_.heap().cons(fresh(a.parts[0]), fresh(a.parts[1])));
      return true;
    }
    const bool is_any_tuple =
        a.kind == Alternative::Kind::Any || a.kind == Alternative::Kind::Tuple;
    if (is_any_tuple && (s.shapes & shape::kTuple)) {
      for (size_t n = 0; n < 8; ++n) {
        if (is_size_excluded(unknown, n)) continue;
        std::vector<Value> elements;
        for (size_t i = 0; i < n; ++i) elements.push_back(fresh(TypeId::Any));
        set_binding(unknown, machine_.heap().tuple(elements));
        return true;
      }
    }
  }
  return false;
}

// To be called under a mark of its own: it binds what is open. An unknown fun stays.
std::optional<std::vector<Value>> Store::solution(std::span<const Value> arguments) {
  constexpr int kMostParts = 100'000;
  solver_.make_small(expressions_, conditions_, model_);
  for (const Condition& c : conditions_.all()) {
    if (!expressions_.holds(c, model_).value_or(false)) return std::nullopt;
  }
  find_asked();
  next_free_ = 0;
  next_letter_ = 0;
  std::vector<Value> open(arguments.rbegin(), arguments.rend());
  for (int n = 0; !open.empty(); ++n) {
    if (n > kMostParts) return std::nullopt;
    spend();
    Value v = known(open.back());
    open.pop_back();
    if (v.is_unknown() && state(v).shapes == shape::kFun) {
      const std::vector<Entry> calls = entries(v);
      for (size_t i = calls.size(); i-- > 0;) {
        open.push_back(calls[i].value);
        open.push_back(calls[i].key);
      }
      continue;
    }
    if (v.is_unknown()) {
      if (!choose(v)) return std::nullopt;
      open.push_back(v);
      continue;
    }
    if (v.is_immediate()) continue;
    add_parts_of(v, open);
  }
  if (!differences_hold()) return std::nullopt;
  std::vector<Value> result;
  for (const Value argument : arguments) result.push_back(under_solution(argument));
  return result;
}

}  // namespace fathom::symbolic
