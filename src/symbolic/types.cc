#include "symbolic/types.h"

#include <algorithm>

#include "values/arithmetic.h"
#include "values/compare.h"
#include "values/maps.h"

namespace fathom::symbolic {

using machine::Value;
using Kind = Alternative::Kind;

Shapes Alternative::shapes() const {
  switch (kind) {
    case Kind::Any:
      return shape::kAll;
    case Kind::Integer:
      return shape::kInteger;
    case Kind::Float:
      return shape::kFloat;
    case Kind::Atom:
    case Kind::Literal:
      return shape::kAtom;
    case Kind::Nil:
      return shape::kNil;
    case Kind::List:
      return nonempty ? shape::kCons : shape::kList;
    case Kind::Cons:
      return shape::kCons;
    case Kind::Tuple:
    case Kind::TupleOf:
      return shape::kTuple;
    case Kind::Map:
    case Kind::MapOf:
      return shape::kMap;
    case Kind::Binary:
      return shape::kBinary;
    case Kind::Pid:
      return shape::kPid;
    case Kind::Reference:
      return shape::kReference;
    case Kind::Fun:
      break;
  }
  return shape::kFun;
}

Types::Types() { types_.push_back({Alternative{}}); }

TypeId Types::of(std::vector<Alternative> alternatives) {
  for (const Alternative& a : alternatives) {
    if (a.kind == Kind::Any) return any();
  }
  std::vector<decltype(Alternative().key())> key;
  key.reserve(alternatives.size());
  for (const Alternative& a : alternatives) key.push_back(a.key());
  const auto it = known_.find(key);
  if (it != known_.end()) return it->second;
  const TypeId id = declare();
  types_.back() = std::move(alternatives);
  known_.emplace(std::move(key), id);
  return id;
}

TypeId Types::declare() {
  types_.emplace_back();
  return TypeId{static_cast<uint32_t>(types_.size() - 1)};
}

void Types::define(TypeId id, std::vector<Alternative> alternatives) {
  types_[static_cast<size_t>(id)] = std::move(alternatives);
}

TypeId Types::list_of(TypeId element) {
  return of({Alternative{.kind = Kind::List, .parts = {element}}});
}

Shapes Types::shapes(TypeId id) const {
  Shapes result = 0;
  for (const Alternative& a : alternatives(id)) result |= a.shapes();
  return result;
}

std::vector<TypeId> Types::outside(TypeId id) {
  std::vector<Alternative> result;
  std::optional<int64_t> low;
  std::optional<int64_t> high;
  bool has_low = true;
  bool has_high = true;
  std::vector<Kind> all;  // kinds of which every value is of the type
  for (const Alternative& a : alternatives(id)) {
    if (a.kind == Kind::Any) return {};
    if (a.kind == Kind::List && !a.nonempty && a.parts[0] == TypeId::Any) all.push_back(a.kind);
    if (a.kind == Kind::Fun && a.arity < 0) all.push_back(a.kind);
    if (a.kind == Kind::Float || a.kind == Kind::Atom || a.kind == Kind::Tuple ||
        a.kind == Kind::Map || (a.kind == Kind::Binary && !a.high)) {
      all.push_back(a.kind);
    }
    if (a.kind != Kind::Integer) continue;
    has_low = has_low && a.low;
    has_high = has_high && a.high;
    if (a.low) low = low ? std::min(*low, *a.low) : *a.low;
    if (a.high) high = high ? std::max(*high, *a.high) : *a.high;
  }
  if (!(shapes(id) & shape::kInteger)) result.push_back({.kind = Kind::Integer});
  if (low && has_low) result.push_back({.kind = Kind::Integer, .high = *low - 1});
  for (const Kind kind :
       {Kind::Atom, Kind::List, Kind::Tuple, Kind::Float, Kind::Map, Kind::Binary, Kind::Fun}) {
    if (std::ranges::find(all, kind) != all.end()) continue;
    Alternative other{.kind = kind};
    if (kind == Kind::List) other.parts = {TypeId::Any};
    result.push_back(std::move(other));
  }
  std::vector<TypeId> types = {of(std::move(result))};
  if (high && has_high) types.push_back(of({{.kind = Kind::Integer, .low = *high + 1}}));
  return types;
}

bool Types::accepts(TypeId id, Value value) const { return accepts(id, value, 0); }

bool Types::accepts(TypeId id, Value value, int depth) const {
  constexpr int kDeepest = 200;
  if (id == TypeId::Any) return true;
  if (depth > kDeepest) return false;
  return std::ranges::any_of(alternatives(id),
                             [&](const Alternative& a) { return accepts(a, value, depth); });
}

bool Types::accepts(const Alternative& a, Value value, int depth) const {
  switch (a.kind) {
    case Kind::Any:
      return true;
    case Kind::Integer: {
      if (!value.is_integer()) return false;
      const auto n = machine::to_int64(value);
      const bool is_negative = machine::sign(value) < 0;
      if (a.low && (n ? *n < *a.low : is_negative)) return false;
      return !a.high || (n ? *n <= *a.high : is_negative);
    }
    case Kind::Float:
      return value.is_float();
    case Kind::Atom:
      return value.is_atom();
    case Kind::Literal:
      return value.is_atom(a.literal);
    case Kind::Nil:
      return value.is_nil();
    case Kind::List:
      if (a.nonempty && !value.is_cons()) return false;
      for (; value.is_cons(); value = value.tail()) {
        if (!accepts(a.parts[0], value.head(), depth + 1)) return false;
      }
      return value.is_nil();
    case Kind::Cons:
      return value.is_cons() && accepts(a.parts[0], value.head(), depth + 1) &&
             accepts(a.parts[1], value.tail(), depth + 1);
    case Kind::Tuple:
      return value.is_tuple();
    case Kind::TupleOf:
      if (!value.is_tuple(a.parts.size())) return false;
      for (size_t i = 0; i < a.parts.size(); ++i) {
        if (!accepts(a.parts[i], value.element(i), depth + 1)) return false;
      }
      return true;
    case Kind::Map:
      return value.is_map();
    case Kind::MapOf:
      return value.is_map() && accepts_map(a, value, depth);
    case Kind::Binary:
      return value.is_bitstring() && accepts_bits(a, value.bit_size());
    case Kind::Pid:
      return value.is_pid();
    case Kind::Reference:
      return value.is_reference();
    case Kind::Fun:
      break;
  }
  return value.is_fun() || value.is_unknown();
}

bool Types::accepts_bits(const Alternative& a, uint64_t bits) const {
  if (!a.high) return true;
  const auto least = static_cast<uint64_t>(*a.low);
  const auto unit = static_cast<uint64_t>(*a.high);
  return bits >= least && (unit == 0 ? bits == least : (bits - least) % unit == 0);
}

bool Types::accepts_size(TypeId id, uint64_t bits) const {
  return std::ranges::any_of(alternatives(id), [&](const Alternative& a) {
    return a.kind == Kind::Any || (a.kind == Kind::Binary && accepts_bits(a, bits));
  });
}

bool Types::accepts_map(const Alternative& a, Value map, int depth) const {
  for (size_t i = 0; i < a.keys.size(); ++i) {
    if (a.required[i] && machine::map_get(map, a.keys[i]).is_none()) return false;
  }
  machine::MapPairs pairs(map);
  for (Value key, item; pairs.next(key, item);) {
    const auto at =
        std::ranges::find_if(a.keys, [&](Value known) { return machine::equal_exact(known, key); });
    if (at != a.keys.end()) {
      if (!accepts(a.parts[static_cast<size_t>(at - a.keys.begin())], item, depth + 1))
        return false;
    } else if (!a.is_open() || !accepts(a.other_keys(), key, depth + 1) ||
               !accepts(a.other_values(), item, depth + 1)) {
      return false;
    }
  }
  return true;
}

}  // namespace fathom::symbolic
