// Questions about values: shapes, equality, order, structure. Each adds its ways.
#include <algorithm>

#include "base/budget.h"
#include "symbolic/asking.h"
#include "values/arithmetic.h"
#include "values/compare.h"
#include "values/maps.h"

namespace fathom::symbolic {

using machine::Instruction;
using machine::Op;

// How unusual an input of these shapes is.
int Asking::cost_of(Shapes shapes) {
  if (shapes & shape::kInteger) return 0;
  if (shapes & (shape::kNil | shape::kAtom | shape::kCons)) return 1;
  return shapes & shape::kTuple ? 2 : 3;
}

// ---- Shapes -----------------------------------------------------------------

Asking::Step Asking::ask_type(Value v, Shapes yes) {
  if (yes == 0 || (yes & shape::kIdentifier)) cut.insert(kNoIdentifiers);
  const Shapes shapes = store_.state(v).shapes;
  const auto yes_left = static_cast<Shapes>(shapes & yes);
  const auto no_left = static_cast<Shapes>(shapes & ~yes);
  if (yes_left == 0) return decided(false);
  if (no_left == 0) return decided(true);
  way([this, v, yes_left] { return store_.restrict_to(v, yes_left); }, true, cost_of(yes_left));
  way([this, v, no_left] { return store_.restrict_to(v, no_left); }, false, cost_of(no_left) + 1);
  return ask();
}

Asking::Step Asking::ask_boolean(Value v) {
  bool is_possible = false;
  for (const Atom atom : {atoms::true_, atoms::false_}) {
    if (!store_.may_be(v, Value(atom))) continue;
    is_possible = true;
    way([this, v, atom] { return store_.bind(v, Value(atom)); }, true, 0);
  }
  if (!is_possible) return decided(false);
  way(
      [this, v] {
        return store_.exclude(v, Value(atoms::true_)) && store_.exclude(v, Value(atoms::false_));
      },
      false, 1);
  return ask();
}

// One way for each shape that it may have.
void Asking::shape_ways(Value v, Shapes shapes) {
  for (int i = 0; i < shape::kCount; ++i) {
    const auto one = static_cast<Shapes>(1 << i);
    if (!(shapes & one)) continue;
    way([this, v, one] { return store_.restrict_to(v, one); }, {}, cost_of(one));
  }
}

// ---- Structure --------------------------------------------------------------

// A cell whose parts are unknown, for each of its types.
void Asking::cons_way(Value v, std::optional<bool> verdict, int cost) {
  const UnknownState s = store_.state(v);
  if (s.position >= bounds_.length) {
    cut.insert("longer lists");
    return;
  }
  const auto position = static_cast<uint16_t>(s.position + 1);
  const auto add = [&](TypeId head, TypeId tail) {
    way(
        [this, v, head, tail, position] {
          if (!store_.restrict_to(v, shape::kCons)) return false;
          const Value first = store_.fresh(head);
          const Value cell = machine_.heap().cons(first, store_.fresh(tail, position));
          return store_.bind(v, cell);
        },
        verdict, cost);
  };
  bool has_any = false;
  for (const Alternative& a : std::vector(store_.types().alternatives(s.type).begin(),
                                          store_.types().alternatives(s.type).end())) {
    if (a.kind == Alternative::Kind::List) {
      add(a.parts[0], store_.types().list_of(a.parts[0]));
    } else if (a.kind == Alternative::Kind::Cons) {
      add(a.parts[0], a.parts[1]);
    } else if (a.kind == Alternative::Kind::Any && !std::exchange(has_any, true)) {
      add(TypeId::Any, TypeId::Any);
    }
  }
}

Asking::Step Asking::ask_cons(Value v) {
  const Shapes shapes = store_.state(v).shapes;
  if (!(shapes & shape::kCons)) return decided(false);
  cons_way(v, true, 1);
  const auto rest = static_cast<Shapes>(shapes & ~shape::kCons);
  if (rest != 0) {
    way([this, v, rest] { return store_.restrict_to(v, rest); }, false, rest & shape::kNil ? 0 : 2);
  }
  return ask();
}

void Asking::tuple_ways(Value v, size_t arity, std::optional<bool> verdict, int cost) {
  const UnknownState s = store_.state(v);
  if (!(s.shapes & shape::kTuple) || store_.is_size_excluded(v, arity)) return;
  const auto add = [&](std::vector<TypeId> parts) {
    way(
        [this, v, parts = std::move(parts)] {
          if (!store_.restrict_to(v, shape::kTuple)) return false;
          std::vector<Value> elements;
          for (const TypeId part : parts) elements.push_back(store_.fresh(part));
          return store_.bind(v, machine_.heap().tuple(elements));
        },
        verdict, cost);
  };
  bool has_any = false;
  for (const Alternative& a : store_.types().alternatives(s.type)) {
    if (a.kind == Alternative::Kind::TupleOf && a.parts.size() == arity) {
      add(a.parts);
    } else if ((a.kind == Alternative::Kind::Any || a.kind == Alternative::Kind::Tuple) &&
               !std::exchange(has_any, true)) {
      add(std::vector<TypeId>(arity, TypeId::Any));
    }
  }
}

// That the type names, and those from least to most if it may be of any size.
std::vector<size_t> Asking::tuple_sizes(Value v, size_t least, size_t most) {
  std::vector<size_t> sizes;
  for (const Alternative& a : store_.types().alternatives(store_.state(v).type)) {
    if (a.kind == Alternative::Kind::TupleOf) {
      sizes.push_back(a.parts.size());
    } else if (a.kind == Alternative::Kind::Any || a.kind == Alternative::Kind::Tuple) {
      cut.insert("larger tuples");
      for (size_t size = least; size <= most; ++size) sizes.push_back(size);
    }
  }
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

Asking::Step Asking::ask_tuple(Value v, size_t arity) {
  tuple_ways(v, arity, true, 1);
  if (ways_.empty()) return decided(false);
  way([this, v, arity] { return store_.exclude_size(v, arity); }, false, 1);
  return ask();
}

namespace {

// The words of a Select's table.
std::vector<uint64_t> select_words(const uint64_t* pc) {
  std::vector<uint64_t> words;
  const size_t size = size_t{1} << Instruction(*pc).c();
  for (size_t i = 0; i < size; ++i) {
    const uint64_t word = pc[2 + 2 * i];
    if (word != Value::none().raw()) words.push_back(word);
  }
  std::ranges::sort(words);
  return words;
}

constexpr uint64_t kTagMask = (uint64_t{1} << 40) - 1;

}  // namespace

Asking::Step Asking::ask_select(const uint64_t* pc, Value* fp) {
  const Op op = Instruction(*pc).op();
  Value v = fp[Instruction(*pc).b()];
  std::vector<uint64_t> words = select_words(pc);
  if (v.is_unknown() && op == Op::SelectHead) {
    const Step step = ask_cons(v);
    for (Way& w : ways_) {
      if (w.verdict == true) w.verdict.reset();  // the head is asked for next
    }
    return step;
  }
  if (v.is_unknown() && op == Op::SelectTag) {
    std::vector<size_t> sizes;
    sizes.reserve(words.size());
    for (const uint64_t word : words) sizes.push_back(word >> 40);
    std::ranges::sort(sizes);
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    for (const size_t size : sizes) tuple_ways(v, size, {}, 1);
    if (ways_.empty()) return decided(false);
    way(
        [this, v, sizes] {
          return std::ranges::all_of(sizes,
                                     [&](size_t size) { return store_.exclude_size(v, size); });
        },
        false, 1);
    return ask();
  }
  // Which of the keys: of the value, the first element, the head.
  if (op == Op::SelectTag) {
    if (!v.is_tuple() || v.arity() == 0) return run();
    const size_t arity = v.arity();
    v = Store::known(v.element(0));
    std::erase_if(words, [&](uint64_t word) { return word >> 40 != arity; });
    for (uint64_t& word : words) word &= kTagMask;
  } else if (op == Op::SelectHead) {
    if (!v.is_cons()) return run();
    v = Store::known(v.head());
  }
  const bool is_part = op != Op::Select;
  if (!v.is_unknown()) {
    if (!is_part) return run();
    // The instruction looks at the part itself, which may be bound.
    Value& whole = fp[Instruction(*pc).b()];
    whole = store_.resolved(whole);
    return run();
  }
  for (const uint64_t word : words) {
    const Value key = Value::from_raw(word);
    if (!store_.may_be(v, key)) continue;
    std::optional<Condition> condition;
    if (store_.state(v).term != kNoExpr) {
      condition = Condition{Relation::Equal, store_.state(v).term, *store_.term_of(key)};
    }
    way([this, v, key] { return store_.bind(v, key); }, {}, key.is_small() ? 0 : 1, condition);
    ways_.back().is_branch = true;
  }
  if (ways_.empty()) return decided(false);
  way(
      [this, v, words] {
        return std::ranges::all_of(
            words, [&](uint64_t word) { return store_.exclude(v, Value::from_raw(word)); });
      },
      false, 1);
  return ask();
}

// ---- Equality ---------------------------------------------------------------

namespace {

bool has_numbers(Value v) {
  std::vector<Value> open = {v};
  while (!open.empty()) {
    spend();
    v = Store::known(open.back());
    open.pop_back();
    if (v.is_number() || v.is_unknown()) return true;
    if (v.is_immediate()) continue;
    add_parts_of(v, open);
  }
  return false;
}

}  // namespace

Asking::Step Asking::ask_same(Value a, Value b, bool is_exact) {
  if (!is_exact) return ask_equal(a, b);
  std::vector<Pair> open;
  const Truth truth = store_.same(a, b, open);
  return truth == Truth::No ? decided(false) : ask_pairs(open, true);
}

// Whether all of the pairs are equal; one of each is unknown.
Asking::Step Asking::ask_pairs(const std::vector<Pair>& open, bool is_exact) {
  if (open.empty()) return decided(true);
  for (const Pair& pair : open) {
    const Shapes both = store_.shapes_of(pair.a) & store_.shapes_of(pair.b);
    if (!(both & shape::kFun)) continue;
    // Funs that are written down in two places are two.
    cut.insert(kComparedFuns);
    if (both == shape::kFun || pair.a.is_fun() || pair.b.is_fun()) return decided(false);
  }
  std::optional<Condition> equal;
  std::optional<Condition> different;
  if (open.size() == 1) {
    const auto x = store_.term_of(open[0].a);
    const auto y = x ? store_.term_of(open[0].b) : std::nullopt;
    if (x && y) {
      equal = Condition{Relation::Equal, *x, *y};
      different = equal->negated();
    }
  }
  std::vector<Value> left;
  std::vector<Value> right;
  for (const Pair& pair : open) {
    left.push_back(pair.a);
    right.push_back(pair.b);
  }
  const bool is_one = open.size() == 1;
  const Value a = is_one ? open[0].a : machine_.heap().tuple(left);
  const Value b = is_one ? open[0].b : machine_.heap().tuple(right);
  const int cost = open[0].b.is_immediate() ? 0 : 1;
  way([this, a, b] { return store_.make_equal(a, b); }, true, cost, equal);
  way([this, a, b, is_exact] { return store_.make_different(a, b, is_exact); }, false, 0,
      different);
  return ask();
}

// a == b: 1 and 1.0 are equal, in structures, too. So which numbers are floats is asked first, and
// the structure of what is compared with one that has numbers; of the rest only equals are equal.
Asking::Step Asking::ask_equal(Value a, Value b) {
  std::vector<Pair> left = {{a, b}};
  std::vector<Pair> open;
  while (!left.empty()) {
    spend();
    const Pair pair = {Store::known(left.back().a), Store::known(left.back().b)};
    left.pop_back();
    if (pair.a == pair.b) continue;
    if (pair.a.is_unknown() || pair.b.is_unknown()) {
      const auto step = pair.a.is_unknown() ? ask_equal_to(pair.a, pair.b, open)
                                            : ask_equal_to(pair.b, pair.a, open);
      if (step) return *step;
    } else if (!Store::has_unknowns(pair.a) && !Store::has_unknowns(pair.b)) {
      if (!machine::equal(pair.a, pair.b)) return decided(false);
    } else if (!add_parts(pair, left)) {
      return decided(false);
    }
  }
  constexpr Shapes kStructures = shape::kCons | shape::kTuple | shape::kMap;
  const bool is_exact = std::ranges::none_of(open, [&](const Pair& pair) {
    return pair.a.is_unknown() && pair.b.is_unknown() &&
           (store_.shapes_of(pair.a) & store_.shapes_of(pair.b) & kStructures);
  });
  if (!is_exact) cut.insert("structures that differ by 1 and 1.0 only");
  return ask_pairs(open, is_exact);
}

// The pairs of parts of two structures; false: they are not alike.
bool Asking::add_parts(const Pair& pair, std::vector<Pair>& parts) {
  if (pair.a.is_cons() && pair.b.is_cons()) {
    parts.push_back({pair.a.tail(), pair.b.tail()});
    parts.push_back({pair.a.head(), pair.b.head()});
    return true;
  }
  if (pair.a.is_tuple() && pair.b.is_tuple(pair.a.arity())) {
    for (size_t i = pair.a.arity(); i-- > 0;) {
      parts.push_back({pair.a.element(i), pair.b.element(i)});
    }
    return true;
  }
  if (!pair.a.is_map() || !pair.b.is_map()) return false;
  if (machine::map_size(pair.a) != machine::map_size(pair.b)) return false;
  machine::MapPairs pairs(pair.a);
  for (Value key, item; pairs.next(key, item);) {
    const Value other = machine::map_get(pair.b, key);
    if (other.is_none()) return false;
    parts.push_back({item, other});
  }
  return true;
}

// None: they are equal only if they are the same, and are in `open` now.
std::optional<Asking::Step> Asking::ask_equal_to(Value v, Value other, std::vector<Pair>& open) {
  const Shapes shapes = store_.shapes_of(v);
  const Shapes others = store_.shapes_of(other);
  if ((shapes & shape::kNumber) && (others & shape::kNumber)) {
    return ask_equal_numbers(v, other, open);
  }
  if (!(shapes & others)) return decided(false);
  if (!other.is_unknown() && !other.is_immediate() && has_numbers(other)) {
    return ask_like(v, other);
  }
  if (!other.is_unknown() && !store_.may_be(v, other)) return decided(false);
  open.push_back({v, other});
  return std::nullopt;
}

std::optional<Asking::Step> Asking::ask_equal_numbers(Value v, Value other,
                                                      std::vector<Pair>& open) {
  for (const Value u : {v, other}) {
    const Shapes shapes = store_.shapes_of(u);
    if (!u.is_unknown() || std::has_single_bit(shapes)) continue;
    const auto rest = static_cast<Shapes>(shapes & ~shape::kNumber);
    shape_ways(u, static_cast<Shapes>(shapes & shape::kNumber));
    if (rest) way([this, u, rest] { return store_.restrict_to(u, rest); }, {}, cost_of(rest));
    return ask();
  }
  const Shapes kind = store_.shapes_of(v);
  if (kind == store_.shapes_of(other)) {
    if (!other.is_unknown() && !store_.may_be(v, other)) return decided(false);
    open.push_back({v, other});
    return std::nullopt;
  }
  if (other.is_unknown()) {
    make_concrete(kind == shape::kFloat ? v : other);
    return ask();
  }
  // The number of the other kind that is equal to it.
  const Value same = kind == shape::kFloat ? as_float(other) : as_integer(other);
  if (same.is_none() || !store_.may_be(v, same)) return decided(false);
  open.push_back({v, same});
  return std::nullopt;
}

Value Asking::as_float(Value integer) {
  const auto x = machine::to_double(integer);
  if (!x) return Value::none();
  const Value real = machine_.heap().real(*x);
  return machine::equal(real, integer) ? real : Value::none();
}

Value Asking::as_integer(Value real) {
  constexpr double kEnd = 9.0e18;  // of what is surely an int64_t
  const double x = real.real();
  if (!(x > -kEnd && x < kEnd)) return Value::none();
  const auto n = static_cast<int64_t>(x);
  return static_cast<double>(n) == x ? machine_.heap().integer(n) : Value::none();
}

// Whether it is a structure like the other one, whose parts are then compared.
Asking::Step Asking::ask_like(Value v, Value structure) {
  Shapes like = shape::kMap;
  if (structure.is_cons()) {
    like = shape::kCons;
    cons_way(v, {}, 1);
  } else if (structure.is_tuple()) {
    tuple_ways(v, structure.arity(), {}, 1);
    if (ways_.empty()) return decided(false);
    way([this, v, n = structure.arity()] { return store_.exclude_size(v, n); }, false, 1);
    return ask();
  } else if (store_.state(v).shapes == shape::kMap || !structure.is_map()) {
    make_concrete(v);
    return ask();
  } else {
    way([this, v] { return store_.restrict_to(v, shape::kMap); }, {}, cost_of(shape::kMap));
  }
  const auto rest = static_cast<Shapes>(store_.state(v).shapes & ~like);
  if (rest) way([this, v, rest] { return store_.restrict_to(v, rest); }, false, cost_of(rest));
  return ask();
}

// ---- Order ------------------------------------------------------------------

namespace {

// As compare.h has it.
int rank_of_shape(Shapes one) {
  switch (one) {
    case shape::kInteger:
    case shape::kFloat:
      return 0;
    case shape::kAtom:
      return 1;
    case shape::kReference:
      return 2;
    case shape::kFun:
      return 3;
    case shape::kPid:
      return 5;
    case shape::kTuple:
      return 6;
    case shape::kMap:
      return 7;
    case shape::kNil:
      return 8;
    case shape::kCons:
      return 9;
    default:
      return 10;
  }
}

int rank_of(const Store& store, Value v) {
  if (v.is_port()) return 4;
  return rank_of_shape(store.shapes_of(v));
}

int sign_of(int x) { return x < 0 ? -1 : x > 0 ? 1 : 0; }

}  // namespace

// `is_whole`: what is compared is all that the instruction compares, so the relation decides it.
std::optional<int> Asking::ask_compare(Value a, Value b, Relation relation, bool is_whole) {
  a = Store::known(a);
  b = Store::known(b);
  if (a == b) return 0;
  for (const Value v : {a, b}) {
    if (!v.is_unknown()) continue;
    const Shapes shapes = store_.state(v).shapes;
    if (std::has_single_bit(shapes)) continue;
    shape_ways(v, shapes);
    return std::nullopt;
  }
  const int x = rank_of(store_, a);
  const int y = rank_of(store_, b);
  if (x != y) return sign_of(x - y);
  if (!a.is_unknown() && !b.is_unknown()) return 0;  // the caller looks inside
  const auto first = store_.term_of(a);
  const auto second = first ? store_.term_of(b) : std::nullopt;
  if (first && second) {
    if (is_whole) {
      const Condition holds{relation, *first, *second};
      const Condition fails = holds.negated();
      way([this, holds] { return store_.assume(holds); }, true, 0, holds);
      way([this, fails] { return store_.assume(fails); }, false, 0, fails);
      return std::nullopt;
    }
    for (const Condition c :
         {Condition{Relation::Less, *first, *second}, Condition{Relation::Equal, *first, *second},
          Condition{Relation::Less, *second, *first}}) {
      if (store_.possible(c) == Answer::No) continue;
      way([this, c] { return store_.assume(c); }, {}, 0, c);
    }
    if (ways_.size() != 1) return std::nullopt;
    const Condition only = *ways_[0].condition;
    ways_.clear();
    if (only.relation == Relation::Equal) return 0;
    return only.a == *first ? -1 : 1;
  }
  for (const bool is_left : {true, false}) {
    const Value v = is_left ? a : b;
    const auto bound = machine::to_double(is_left ? b : a);
    if (!v.is_unknown() || store_.state(v).shapes != shape::kFloat || !bound) continue;
    float_ways(v, *bound, relation, is_left, is_whole);
    return std::nullopt;
  }
  make_concrete(a.is_unknown() ? a : b);
  return std::nullopt;
}

// A float and a number that is known: below, equal, above; or the one relation that is asked for.
void Asking::float_ways(Value v, double bound, Relation relation, bool is_left, bool is_whole) {
  const auto limited = [this, v, bound](bool is_below, bool is_excluded) {
    return [this, v, bound, is_below, is_excluded] {
      return store_.limit_float(v, bound, is_below, is_excluded);
    };
  };
  if (is_whole) {
    const bool is_strict = relation == Relation::Less;
    way(limited(is_left, is_strict), true, 0);
    way(limited(!is_left, !is_strict), false, 0);
    return;
  }
  way(limited(true, true), {}, 0);
  way([this, v, bound] { return store_.bind(v, machine_.heap().real(bound)); }, {}, 0);
  way(limited(false, true), {}, 0);
}

namespace {

using KeyedValue = std::pair<Value, Value>;

std::vector<KeyedValue> in_key_order(Value map) {
  std::vector<KeyedValue> result;
  machine::MapPairs pairs(map);
  for (Value key, value; pairs.next(key, value);) result.emplace_back(key, value);
  std::ranges::sort(result, [](const KeyedValue& a, const KeyedValue& b) {
    return machine::compare_exact(a.first, b.first) < 0;
  });
  return result;
}

}  // namespace

// Of two maps that differ in their values only: these are compared in the order of the keys. Keys
// are always known.
bool Asking::add_values(const Pair& pair, std::vector<Pair>& left) {
  if (!pair.a.is_map() || !pair.b.is_map()) return false;
  const std::vector<KeyedValue> a = in_key_order(pair.a);
  const std::vector<KeyedValue> b = in_key_order(pair.b);
  const bool have_same_keys =
      std::ranges::equal(a, b, [](const KeyedValue& x, const KeyedValue& y) {
        return machine::equal_exact(x.first, y.first);
      });
  if (!have_same_keys) return false;
  for (size_t i = a.size(); i-- > 0;) left.push_back({a[i].second, b[i].second});
  return true;
}

// From left to right through structures, up to the first parts that differ.
Asking::Step Asking::ask_order(Value a, Value b, Relation relation) {
  a = Store::known(a);
  b = Store::known(b);
  std::vector<Pair> left = {{a, b}};
  bool is_whole = true;
  while (!left.empty()) {
    spend();
    const Pair pair = {Store::known(left.back().a), Store::known(left.back().b)};
    left.pop_back();
    const bool is_last = std::exchange(is_whole, false);
    const auto order = ask_compare(pair.a, pair.b, relation, is_last);
    if (!order) return ask();
    if (*order != 0) return decided(*order < 0);
    if (pair.a.is_unknown() || pair.b.is_unknown()) continue;
    if (pair.a.is_cons() && pair.b.is_cons()) {
      left.push_back({pair.a.tail(), pair.b.tail()});
      left.push_back({pair.a.head(), pair.b.head()});
    } else if (pair.a.is_tuple() && pair.b.is_tuple()) {
      if (pair.a.arity() != pair.b.arity()) return decided(pair.a.arity() < pair.b.arity());
      for (size_t i = pair.a.arity(); i-- > 0;) {
        left.push_back({pair.a.element(i), pair.b.element(i)});
      }
    } else if (add_values(pair, left)) {
      continue;
    } else if (Store::has_unknowns(pair.a) || Store::has_unknowns(pair.b)) {
      for (const Value either : {pair.a, pair.b}) {
        const Value open = Store::first_open(either);
        if (open.is_none()) continue;
        make_concrete(open);
        return ask();
      }
      const int whole = machine::compare(store_.resolved(pair.a), store_.resolved(pair.b));
      if (whole != 0) return decided(whole < 0);
    } else if (const int whole = machine::compare(pair.a, pair.b); whole != 0) {
      return decided(whole < 0);
    }
  }
  return decided(relation == Relation::LessEqual);
}

// ---- Concrete values --------------------------------------------------------

// The simplest value, those that the function is called with beside it, or another one.
void Asking::make_integer_concrete(Value v) {
  const ExprId term = store_.state(v).term;
  const auto n = store_.expressions().value_of(term, store_.model());
  if (!n) return;
  std::vector<int64_t> values = {*n};
  for (const int64_t other : beside_) {
    if (other != *n) values.push_back(other);
  }
  std::vector<Condition> others;
  for (const int64_t value : values) {
    const Condition is{Relation::Equal, term, store_.expressions().constant(value)};
    others.push_back(is.negated());
    way([this, v, value] { return store_.bind(v, machine_.heap().integer(value)); }, {},
        value == *n ? 0 : 1, is);
  }
  way(
      [this, others] {
        return std::ranges::all_of(others, [&](const Condition& c) { return store_.assume(c); });
      },
      {}, 2, others.front());
}

// The next of the values, or those after it.
void Asking::try_in_turn(Value v, std::span<const Value> values, const char* what) {
  const size_t tried = store_.state(v).tried;
  if (tried >= values.size()) {
    cut.insert(what);
    return;
  }
  const Value value = values[tried];
  if (value.is_none()) return;
  if (store_.may_be(v, value)) way([this, v, value] { return store_.bind(v, value); }, {}, 0);
  way(
      [this, v, value] {
        store_.count_try(v);
        return store_.exclude(v, value);
      },
      {}, 1);
}

// One step towards a value without unknowns. Where there are infinitely many, some are tried.
void Asking::make_concrete(Value v) {
  if (!v.is_unknown()) return;
  const UnknownState s = store_.state(v);
  if (!std::has_single_bit(s.shapes)) return shape_ways(v, s.shapes);
  machine::Heap& heap = machine_.heap();
  switch (s.shapes) {
    case shape::kInteger:
      return make_integer_concrete(v);
    case shape::kCons:
      return cons_way(v, {}, 1);
    case shape::kTuple:
      for (const size_t n : tuple_sizes(v, 0, 3)) tuple_ways(v, n, {}, static_cast<int>(n));
      return;
    case shape::kAtom: {
      std::vector<Value> atoms;
      for (const Alternative& a : store_.types().alternatives(s.type)) {
        if (a.kind == Alternative::Kind::Literal) atoms.push_back(Value(a.literal));
      }
      for (const char* text : {"a", "b", "true", "undefined"}) {
        atoms.push_back(Value(Atom::intern(text)));
      }
      return try_in_turn(v, atoms, "other atoms");
    }
    case shape::kFloat: {
      const Value values[] = {store_.some_float(v), heap.real(1.0), heap.real(-1.5),
                              heap.real(1.0e10)};
      return try_in_turn(v, values, "other floats");
    }
    case shape::kBinary:
      return make_bits_concrete(v);
    case shape::kPid:
    case shape::kReference:
      cut.insert(kNoIdentifiers);
      return way([this, v] { return store_.bind(v, store_.identifier(v)); }, {}, 0);
    case shape::kMap: {
      cut.insert("maps with further keys");
      for (size_t more = 0; more <= kMostFurtherKeys; ++more) {
        way(
            [this, v, more] {
              const Value map = store_.closed_map(v, more);
              return !map.is_none() && store_.bind(v, map);
            },
            {}, more == 0 ? 0 : static_cast<int>(more) + 1);
      }
      return;
    }
    default:
      cut.insert(kComparedFuns);
      return;
  }
}

}  // namespace fathom::symbolic
