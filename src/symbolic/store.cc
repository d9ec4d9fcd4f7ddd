#include "symbolic/store.h"

#include <algorithm>
#include <bit>

#include "base/budget.h"
#include "values/arithmetic.h"
#include "values/bits.h"
#include "values/compare.h"
#include "values/maps.h"

namespace fathom::symbolic {

using machine::BoxKind;
using machine::Header;

void add_parts_of(Value v, std::vector<Value>& open) {
  if (v.is_cons()) {
    open.push_back(v.tail());
    open.push_back(v.head());
    return;
  }
  const machine::SlotRange range = machine::value_slots(v.words());
  for (size_t i = range.to; i-- > range.from;) open.push_back(Value::from_raw(v.words()[i]));
}

Store::Store(machine::Machine& m, Types& types, SolverChain& solver)
    : machine_(m), types_(types), solver_(solver) {}

// ---- Values -----------------------------------------------------------------

Value Store::fresh(TypeId type, uint16_t position) {
  uint64_t* words = machine_.heap().allocate(3);
  words[0] = Header(BoxKind::Unknown, 2).word();
  words[1] = Value::none().raw();
  words[2] = states_.size();
  states_.push_back({.shapes = types_.shapes(type), .type = type, .position = position});
  const Value result = Value::box(words);
  settle(result);
  return result;
}

Value Store::fresh_integer(ExprId term) {
  if (const auto n = expressions_.constant_of(term)) return machine_.heap().integer(*n);
  const Value result = fresh(TypeId::Any);
  states_.back().shapes = shape::kInteger;
  states_.back().term = term;
  return result;
}

bool Store::has_unknowns(Value v) {
  std::vector<Value> open = {v};
  while (!open.empty()) {
    spend();
    v = open.back();
    open.pop_back();
    if (v.is_immediate()) continue;
    if (v.is_unknown()) return true;
    add_parts_of(v, open);
  }
  return false;
}

Value Store::first_open(Value v) {
  std::vector<Value> open = {v};
  while (!open.empty()) {
    spend();
    v = known(open.back());
    open.pop_back();
    if (v.is_immediate()) continue;
    if (v.is_unknown()) return v;
    add_parts_of(v, open);
  }
  return Value::none();
}

namespace {

// Copies a value, each open unknown replaced by what `leaf` says. Lists are walked in a loop;
// else recursion is on the nesting of tuples and maps, which inputs have little of; what is deeper
// than that is left as it is.
class Copy {
 public:
  Copy(machine::Heap& heap, const std::function<Value(Value)>& leaf) : heap_(heap), leaf_(leaf) {}

  Value run(Value v, int depth = 0) {
    constexpr int kDeepest = 10'000;
    v = Store::known(v);
    if (v.is_immediate() || depth > kDeepest) return v;
    if (v.is_unknown()) return leaf_(v);
    if (!Store::has_unknowns(v)) return v;
    if (v.is_cons()) return list(v, depth);
    if (v.is_tuple()) {
      std::vector<Value> elements(v.elements().begin(), v.elements().end());
      for (Value& element : elements) element = run(element, depth + 1);
      return heap_.tuple(elements);
    }
    if (v.is_map()) {
      std::vector<Value> pairs = machine::sorted_pairs(v);
      for (Value& part : pairs) part = run(part, depth + 1);
      return machine::map_from_pairs(heap_, pairs);
    }
    if (v.is_box(BoxKind::Fun)) {
      std::vector<Value> captures(v.captures().begin(), v.captures().end());
      for (Value& captured : captures) captured = run(captured, depth + 1);
      return heap_.fun(v.fun_code(), v.fun_creator(), captures);
    }
    return v;
  }

 private:
  Value list(Value v, int depth) {
    std::vector<Value> items;
    while (v.is_cons()) {
      items.push_back(run(v.head(), depth + 1));
      v = Store::known(v.tail());
    }
    return heap_.list(items, run(v, depth + 1));
  }

  machine::Heap& heap_;
  const std::function<Value(Value)>& leaf_;
};

}  // namespace

Value Store::resolved(Value v) {
  v = known(v);
  if (!has_unknowns(v)) return v;
  const std::function<Value(Value)> leaf = [](Value unknown) { return unknown; };
  return Copy(machine_.heap(), leaf).run(v);
}

Value Store::under_solution(Value v) {
  const std::function<Value(Value)> leaf = [&](Value unknown) {
    const UnknownState& s = state(unknown);
    const auto n = s.term != kNoExpr ? expressions_.value_of(s.term, model_) : std::nullopt;
    return n ? machine_.heap().integer(*n) : unknown;
  };
  return Copy(machine_.heap(), leaf).run(v);
}

// ---- Narrowing --------------------------------------------------------------

UnknownState& Store::change(Value unknown) {
  const uint32_t n = number(unknown);
  trail_.push_back({n, states_[n]});
  return states_[n];
}

void Store::set_binding(Value unknown, Value to) {
  auto& place = *reinterpret_cast<uint64_t*>(unknown.words() + 1);
  machine_.journal().set(place, to.raw());
}

bool Store::is_excluded(Value unknown, Value value) const {
  for (int32_t i = state(unknown).excluded; i >= 0; i = excluded_[static_cast<size_t>(i)].next) {
    if (machine::equal_exact(excluded_[static_cast<size_t>(i)].value, value)) return true;
  }
  return false;
}

bool Store::is_size_excluded(Value unknown, size_t arity) const {
  for (int32_t i = state(unknown).excluded_sizes; i >= 0; i = sizes_[static_cast<size_t>(i)].next) {
    if (sizes_[static_cast<size_t>(i)].arity == arity) return true;
  }
  return false;
}

static Shapes shape_of(Value value) {
  if (value.is_integer()) return shape::kInteger;
  if (value.is_float()) return shape::kFloat;
  if (value.is_atom()) return shape::kAtom;
  if (value.is_nil()) return shape::kNil;
  if (value.is_cons()) return shape::kCons;
  if (value.is_tuple()) return shape::kTuple;
  if (value.is_map()) return shape::kMap;
  if (value.is_bitstring()) return shape::kBinary;
  if (value.is_pid()) return shape::kPid;
  if (value.is_reference()) return shape::kReference;
  return value.is_fun() ? shape::kFun : 0;
}

Shapes Store::shapes_of(Value v) const { return v.is_unknown() ? state(v).shapes : shape_of(v); }

bool Store::may_be(Value unknown, Value value) const {
  const UnknownState& s = state(unknown);
  if (!(s.shapes & shape_of(value))) return false;
  if (value.is_tuple() && is_size_excluded(unknown, value.arity())) return false;
  if (value.is_pid() && value != self_) return false;
  if (value.is_reference() && value != reference_) return false;
  if (has_unknowns(value)) return true;
  if (s.bytes >= 0 && value.bit_size() != static_cast<uint64_t>(s.bytes) * 8) return false;
  if (value.is_float() &&
      (value.real() < s.low || value.real() > s.high || (s.low_excluded && value.real() == s.low) ||
       (s.high_excluded && value.real() == s.high))) {
    return false;
  }
  return !is_excluded(unknown, value) && types_.accepts(s.type, value);
}

// An unknown that can only be one thing is that.
bool Store::settle(Value unknown) {
  const UnknownState& s = state(unknown);
  if (s.shapes == 0) return false;
  if (s.shapes == shape::kNil) {
    set_binding(unknown, Value::nil());
    return true;
  }
  if (s.shapes == shape::kInteger && s.term == kNoExpr) return become_integer(unknown);
  if (s.shapes == shape::kPid || s.shapes == shape::kReference) {
    return settle_as(unknown, identifier(unknown));
  }
  if (s.shapes == shape::kAtom) {
    Value only = Value::none();
    for (const Alternative& a : types_.alternatives(s.type)) {
      if (!(a.shapes() & shape::kAtom)) continue;
      if (a.kind != Alternative::Kind::Literal) return true;
      if (is_excluded(unknown, Value(a.literal))) continue;
      if (!only.is_none()) return true;
      only = Value(a.literal);
    }
    if (only.is_none()) return false;
    set_binding(unknown, only);
  }
  return true;
}

bool Store::settle_as(Value unknown, Value only) {
  if (only.is_none()) return true;  // it is not known yet
  if (is_excluded(unknown, only)) return false;
  set_binding(unknown, only);
  return true;
}

bool Store::become_integer(Value unknown) {
  const ExprId term = expressions_.new_variable();
  UnknownState& s = change(unknown);
  s.term = term;
  s.shapes = shape::kInteger;
  std::optional<int64_t> low;
  std::optional<int64_t> high;
  bool is_low_open = false;
  bool is_high_open = false;
  for (const Alternative& a : types_.alternatives(s.type)) {
    if (!(a.shapes() & shape::kInteger)) continue;
    is_low_open = is_low_open || !a.low;
    is_high_open = is_high_open || !a.high;
    if (a.low) low = low ? std::min(*low, *a.low) : *a.low;
    if (a.high) high = high ? std::max(*high, *a.high) : *a.high;
  }
  const int32_t excluded = s.excluded;
  if (low && !is_low_open &&
      !assume({Relation::LessEqual, expressions_.constant(*low), term, true})) {
    return false;
  }
  if (high && !is_high_open &&
      !assume({Relation::LessEqual, term, expressions_.constant(*high), true})) {
    return false;
  }
  for (int32_t i = excluded; i >= 0; i = excluded_[static_cast<size_t>(i)].next) {
    const Value value = excluded_[static_cast<size_t>(i)].value;
    if (!value.is_small()) continue;
    const ExprId other = expressions_.constant(value.small());
    if (!assume({Relation::NotEqual, term, other})) return false;
  }
  return true;
}

bool Store::restrict_to(Value unknown, Shapes shapes) {
  unknown = known(unknown);
  if (!unknown.is_unknown()) return (shape_of(unknown) & shapes) != 0;
  const UnknownState& s = state(unknown);
  if ((s.shapes & shapes) == s.shapes) return true;
  UnknownState& changed = change(unknown);
  changed.shapes &= shapes;
  const Shapes left = changed.shapes;
  changed.type =
      types_.filtered(changed.type, [&](const Alternative& a) { return (a.shapes() & left) != 0; });
  return settle(unknown);
}

bool Store::restrict_type(Value unknown, TypeId type) {
  unknown = known(unknown);
  if (!unknown.is_unknown()) return true;
  UnknownState& s = change(unknown);
  s.type = type;
  s.shapes &= types_.shapes(type);
  return settle(unknown);
}

// Both are one from now on: what is known of either. A fun that is written in two places is two.
bool Store::bind_alias(Value a, Value b) {
  if (!restrict_to(a, static_cast<Shapes>(~shape::kFun))) return false;
  a = known(a);
  if (!a.is_unknown()) return bind(b, a);
  const UnknownState from = state(a);
  if (from.term != kNoExpr) {
    if (!restrict_to(b, shape::kInteger)) return false;
    const UnknownState& to = state(known(b));
    set_binding(a, b);
    if (!known(b).is_unknown()) return true;
    return assume({Relation::Equal, from.term, to.term});
  }
  if (!restrict_to(b, from.shapes)) return false;
  b = known(b);
  if (!b.is_unknown()) return bind(a, b);
  UnknownState& to = change(b);
  to.type = to.type == TypeId::Any ? from.type
                                   : types_.filtered(to.type, [&](const Alternative& alternative) {
                                       return alternative.kind != Alternative::Kind::Literal ||
                                              types_.accepts(from.type, Value(alternative.literal));
                                     });
  to.position = std::max(to.position, from.position);
  if (from.shapes == shape::kFloat && !(limit_float(b, from.low, false, from.low_excluded) &&
                                        limit_float(b, from.high, true, from.high_excluded))) {
    return false;
  }
  for (int32_t i = from.excluded; i >= 0; i = excluded_[static_cast<size_t>(i)].next) {
    if (!exclude(b, excluded_[static_cast<size_t>(i)].value)) return false;
  }
  for (int32_t i = from.excluded_sizes; i >= 0; i = sizes_[static_cast<size_t>(i)].next) {
    if (!exclude_size(b, sizes_[static_cast<size_t>(i)].arity)) return false;
  }
  b = known(b);
  if (!b.is_unknown()) return bind(a, b);
  if (state(b).shapes == 0) return false;
  set_binding(a, b);
  return merge_entries(a, b);
}

// The keys of two maps that are one, or the bytes of two binaries.
bool Store::merge_entries(Value from, Value to) {
  const int32_t size = state(from).bytes;
  if (size >= 0 && state(to).bytes >= 0 && size != state(to).bytes) return false;
  const std::vector<Entry> there = entries(to);
  for (const Entry& entry : entries(from)) {
    const auto same_key = std::ranges::find_if(
        there, [&](const Entry& e) { return machine::equal_exact(e.key, entry.key); });
    if (same_key == there.end()) {
      add_entry(to, entry.key, entry.value, entry.exception_class);
    } else if (same_key->exception_class != entry.exception_class) {
      return false;
    } else if (same_key->value.is_none() != entry.value.is_none() ||
               (!entry.value.is_none() && !make_equal(same_key->value, entry.value))) {
      return false;
    }
  }
  if (size >= 0 && state(to).bytes < 0) change(to).bytes = size;
  return true;
}

// A value is no part of itself.
bool Store::occurs(Value unknown, Value in) const {
  std::vector<Value> open = {in};
  bool is_whole = true;
  while (!open.empty()) {
    spend();
    const Value v = known(open.back());
    open.pop_back();
    if (v == unknown && !is_whole) return true;
    is_whole = false;
    if (v.is_immediate()) continue;
    if (v.is_unknown()) {
      if (state(v).shapes & shape::kFun) continue;
      for (const Entry& entry : entries(v)) open.push_back(entry.value);
    } else {
      add_parts_of(v, open);
    }
  }
  return false;
}

// The bytes of a binary that has become known.
bool Store::bind_bytes(Value unknown, Value binary) {
  const machine::BitsView bits = machine::bits_of(binary);
  for (const Entry& entry : entries(unknown)) {
    uint8_t byte = 0;
    machine::copy_bits({bits.bytes, bits.first + 8 * static_cast<uint64_t>(entry.key.small()), 8},
                       &byte, 0);
    if (!make_equal(entry.value, Value::small(byte))) return false;
  }
  return true;
}

bool Store::bind(Value unknown, Value to) {
  unknown = known(unknown);
  to = known(to);
  if (unknown == to) return true;
  if (!unknown.is_unknown()) return make_equal(unknown, to);
  if (to.is_unknown()) {
    // The one with a term stays: it has the conditions.
    if (state(to).term == kNoExpr && state(unknown).term != kNoExpr) std::swap(unknown, to);
    return bind_alias(unknown, to);
  }
  if (!may_be(unknown, to)) return false;
  const ExprId term = state(unknown).term;
  set_binding(unknown, to);
  if (state(unknown).bytes >= 0) return bind_bytes(unknown, to);
  if (term == kNoExpr) return true;
  const auto n = machine::to_int64(to);
  return n && assume({Relation::Equal, term, expressions_.constant(*n)});
}

bool Store::exclude(Value unknown, Value value) {
  unknown = known(unknown);
  if (!unknown.is_unknown()) return !machine::equal_exact(unknown, value);
  const UnknownState& s = state(unknown);
  if (!(s.shapes & shape_of(value))) return true;
  if (s.term != kNoExpr) {
    const auto n = machine::to_int64(value);
    return !n || assume({Relation::NotEqual, s.term, expressions_.constant(*n)});
  }
  if (value.is_nil()) return restrict_to(unknown, static_cast<Shapes>(~shape::kNil));
  if (is_excluded(unknown, value)) return true;
  excluded_.push_back({value, s.excluded});
  change(unknown).excluded = static_cast<int32_t>(excluded_.size() - 1);
  return settle(unknown);
}

bool Store::exclude_size(Value unknown, size_t arity) {
  if (!unknown.is_unknown()) return !unknown.is_tuple(arity);
  sizes_.push_back({arity, state(unknown).excluded_sizes});
  UnknownState& s = change(unknown);
  s.excluded_sizes = static_cast<int32_t>(sizes_.size() - 1);
  s.type = types_.filtered(s.type, [&](const Alternative& a) {
    return a.kind != Alternative::Kind::TupleOf || a.parts.size() != arity;
  });
  s.shapes &= types_.shapes(s.type);
  return settle(unknown);
}

void Store::count_try(Value unknown) { ++change(unknown).tried; }
void Store::set_arity(Value unknown, int16_t arity) { change(unknown).arity = arity; }

void Store::set_size(Value unknown, int32_t bytes) {
  const TypeId byte = types_.of({{.kind = Alternative::Kind::Integer, .low = 0, .high = 255}});
  for (int32_t i = 0; i < bytes; ++i) add_entry(unknown, Value::small(i), fresh(byte));
  change(unknown).bytes = bytes;
}

Value Store::binary_of(std::span<const Value> bytes) {
  const Value binary = fresh(types_.of({{.kind = Alternative::Kind::Binary}}));
  for (size_t i = 0; i < bytes.size(); ++i) {
    add_entry(binary, Value::small(static_cast<int64_t>(i)), bytes[i]);
  }
  change(binary).bytes = static_cast<int32_t>(bytes.size());
  return binary;
}

bool Store::limit_float(Value unknown, double bound, bool is_below, bool is_excluded) {
  UnknownState& s = change(unknown);
  if (is_below && (bound < s.high || (bound == s.high && is_excluded))) {
    s.high = bound;
    s.high_excluded = is_excluded;
  } else if (!is_below && (bound > s.low || (bound == s.low && is_excluded))) {
    s.low = bound;
    s.low_excluded = is_excluded;
  }
  return !some_float(unknown).is_none();
}

Value Store::some_float(Value unknown) {
  const UnknownState s = state(unknown);
  const double middle = s.low / 2 + s.high / 2;
  for (const double x : {0.0, 1.0, -1.0, 0.5, s.low, s.high, s.low + 1, s.high - 1, middle,
                         middle / 2, s.low + (middle - s.low) / 2}) {
    const bool is_inside =
        (s.low_excluded ? x > s.low : x >= s.low) && (s.high_excluded ? x < s.high : x <= s.high);
    if (!is_inside) continue;
    const Value value = machine_.heap().real(x);
    if (!is_excluded(unknown, value)) return value;
  }
  return Value::none();
}

void Store::add_entry(Value unknown, Value key, Value value, Value exception_class) {
  entries_.push_back({key, value, exception_class, state(unknown).entries});
  change(unknown).entries = static_cast<int32_t>(entries_.size() - 1);
}

std::vector<Store::Entry> Store::entries(Value unknown) const {
  std::vector<Entry> result;
  for (int32_t i = state(unknown).entries; i >= 0; i = entries_[static_cast<size_t>(i)].next) {
    result.push_back(entries_[static_cast<size_t>(i)]);
  }
  std::ranges::reverse(result);
  return result;
}

// ---- Comparing --------------------------------------------------------------

std::optional<ExprId> Store::term_of(Value integer) {
  integer = known(integer);
  if (integer.is_unknown()) {
    if (state(integer).term == kNoExpr) return std::nullopt;
    return state(integer).term;
  }
  const auto n = integer.is_integer() ? machine::to_int64(integer) : std::nullopt;
  if (!n) return std::nullopt;
  return expressions_.constant(*n);
}

// The pairs of bytes of two binaries whose size is known; false: they differ in it.
bool Store::add_bytes(Value unknown, Value binary, std::vector<Pair>& to) const {
  const std::vector<Entry> bytes = entries(unknown);
  if (binary.is_unknown()) {
    const std::vector<Entry> others = entries(binary);
    if (bytes.size() != others.size()) return false;
    for (size_t i = bytes.size(); i-- > 0;) to.push_back({bytes[i].value, others[i].value});
    return true;
  }
  const machine::BitsView bits = machine::bits_of(binary);
  if (bits.size != 8 * bytes.size()) return false;
  for (size_t i = bytes.size(); i-- > 0;) {
    uint8_t byte = 0;
    machine::copy_bits({bits.bytes, bits.first + 8 * i, 8}, &byte, 0);
    to.push_back({bytes[i].value, Value::small(byte)});
  }
  return true;
}

// Without asking the solver: two integers with terms are open.
Truth Store::same(Value a, Value b, std::vector<Pair>& open, bool is_exact) const {
  std::vector<Pair> left = {{a, b}};
  while (!left.empty()) {
    spend();
    a = known(left.back().a);
    b = known(left.back().b);
    left.pop_back();
    if (a == b) continue;
    if (b.is_unknown()) std::swap(a, b);
    if (a.is_unknown() && state(a).bytes >= 0 &&
        (b.is_unknown() ? state(b).bytes >= 0 : b.is_bitstring())) {
      if (!add_bytes(a, b, left)) return Truth::No;
      continue;
    }
    if (a.is_unknown()) {
      const bool are_numbers =
          (shapes_of(a) & shape::kNumber) && (shapes_of(b) & shape::kNumber) && !is_exact;
      if (!are_numbers && !(shapes_of(a) & shapes_of(b))) return Truth::No;
      if (!are_numbers && !b.is_unknown() && !may_be(a, b)) return Truth::No;
      open.push_back({a, b});
      continue;
    }
    if (a.is_cons() && b.is_cons()) {
      left.push_back({a.tail(), b.tail()});
      left.push_back({a.head(), b.head()});
    } else if (a.is_tuple() && b.is_tuple(a.arity())) {
      for (size_t i = a.arity(); i-- > 0;) left.push_back({a.element(i), b.element(i)});
    } else if (a.is_map() && b.is_map() && (has_unknowns(a) || has_unknowns(b))) {
      if (machine::map_size(a) != machine::map_size(b)) return Truth::No;
      machine::MapPairs pairs(a);
      for (Value key, item; pairs.next(key, item);) {
        const Value other = machine::map_get(b, key);
        if (other.is_none()) return Truth::No;
        left.push_back({item, other});
      }
    } else if (is_exact ? !machine::equal_exact(a, b) : !machine::equal(a, b)) {
      return Truth::No;
    }
  }
  return open.empty() ? Truth::Yes : Truth::Open;
}

bool Store::make_equal(Value a, Value b) {
  std::vector<Pair> open;
  const Truth truth = same(a, b, open);
  if (truth != Truth::Open) return truth == Truth::Yes;
  for (const Pair& pair : open) {
    const Value left = known(pair.a);
    const Value right = known(pair.b);
    if ((left.is_unknown() && occurs(left, right)) || (right.is_unknown() && occurs(right, left))) {
      return false;
    }
    if (left.is_unknown() ? !bind(left, right)
                          : !(right.is_unknown() ? bind(right, left) : make_equal(left, right))) {
      return false;
    }
  }
  return true;
}

bool Store::make_different(Value a, Value b, bool is_exact) {
  std::vector<Pair> open;
  const Truth truth = same(a, b, open, is_exact);
  if (truth != Truth::Open) return truth == Truth::No;
  if (open.size() == 1 && is_exact) {
    const Pair pair = open[0];
    const auto x = term_of(pair.a);
    const auto y = x ? term_of(pair.b) : std::nullopt;
    if (x && y) return assume({Relation::NotEqual, *x, *y});
    if (!has_unknowns(pair.b)) return exclude(pair.a, pair.b);
  }
  differences_.push_back({a, b, is_exact});
  return true;
}

bool Store::are_different(Value a, Value b, bool is_exact) {
  std::vector<Pair> pairs;
  if (same(a, b, pairs, is_exact) != Truth::Open) return false;
  const auto is_among = [&](const Pair& pair) {
    return std::ranges::any_of(pairs, [&](const Pair& p) {
      return (p.a == pair.a && p.b == pair.b) || (p.a == pair.b && p.b == pair.a);
    });
  };
  // Two structures differ if some of their parts are known not to be all equal.
  for (const Pair& difference : differences_) {
    if (difference.is_exact && !is_exact) continue;
    std::vector<Pair> parts;
    const Truth truth = same(difference.a, difference.b, parts, difference.is_exact);
    if (truth == Truth::Open && std::ranges::all_of(parts, is_among)) return true;
  }
  return std::ranges::any_of(pairs, [&](const Pair& pair) {
    const auto x = term_of(pair.a);
    const auto y = x ? term_of(pair.b) : std::nullopt;
    return x && y && possible({Relation::Equal, *x, *y}) == Answer::No;
  });
}

// Integers that have to differ get a condition as soon as both are integers.
bool Store::check_differences() {
  for (size_t i = 0; i < differences_.size(); ++i) {
    std::vector<Pair> open;
    const Truth truth = same(differences_[i].a, differences_[i].b, open, differences_[i].is_exact);
    if (truth == Truth::Yes) return false;
    if (truth == Truth::No || open.size() != 1) continue;
    const auto x = term_of(open[0].a);
    const auto y = x ? term_of(open[0].b) : std::nullopt;
    if (!x || !y) continue;
    const Condition differs{Relation::NotEqual, *x, *y};
    const bool is_there = std::ranges::any_of(
        conditions_.all(), [&](const Condition& c) { return c.says_the_same(differs); });
    if (!is_there && !assume(differs)) return false;
  }
  return true;
}

// ---- Conditions -------------------------------------------------------------

Answer Store::possible(const Condition& c, Model& model) {
  const auto a = expressions_.constant_of(c.a);
  const auto b = expressions_.constant_of(c.b);
  model = model_;
  if (a && b) return compare(c.relation, *a, *b) ? Answer::Yes : Answer::No;
  return solver_.check(expressions_, conditions_, c, model);
}

Answer Store::possible(const Condition& c) {
  Model model;
  return possible(c, model);
}

bool Store::assume(const Condition& c) {
  if (implied_ && implied_->says_the_same(c)) return true;
  const auto a = expressions_.constant_of(c.a);
  const auto b = expressions_.constant_of(c.b);
  if (a && b) return compare(c.relation, *a, *b);
  const Answer answer = solver_.check(expressions_, conditions_, c, model_);
  if (answer == Answer::No) return false;
  if (answer == Answer::Unknown) ++doubts_;
  conditions_.add(expressions_, c);
  return true;
}

// ---- Marks ------------------------------------------------------------------

Store::Mark Store::mark() const {
  return {trail_.size(),       states_.size(),
          excluded_.size(),    sizes_.size(),
          entries_.size(),     conditions_.size(),
          differences_.size(), doubts_,
          expressions_.mark(), model_};
}

void Store::rewind(const Mark& mark) {
  while (trail_.size() > mark.trail) {
    states_[trail_.back().number] = trail_.back().state;
    trail_.pop_back();
  }
  states_.resize(mark.states);
  excluded_.resize(mark.excluded);
  sizes_.resize(mark.sizes);
  entries_.resize(mark.entries);
  conditions_.resize(mark.conditions);
  differences_.resize(mark.differences);
  doubts_ = mark.doubts;
  expressions_.rewind(mark.expressions);
  model_ = mark.model;
}

}  // namespace fathom::symbolic
