// persistent_term: one map for the whole machine.
#include "machine/machine.h"
#include "natives/families.h"
#include "values/compare.h"
#include "values/maps.h"

namespace fathom::machine::persistent_term_natives {
namespace {

// What erl_features finds when OTP 25 has started: it would ask the process init.
Value first_terms(Heap& heap) {
  const auto key = [&](std::string_view name) {
    return heap.tuple({atom("erl_features"), atom(name)});
  };
  const Value words[] = {Value(atoms::maybe_), Value(atoms::else_)};
  const Value maybe_expr[] = {
      atom("description"),
      heap.string("Implementation of the maybe expression proposed in EEP49 -- "
                  "Value based error handling."),
      atom("experimental"),
      Value::small(25),
      atom("keywords"),
      heap.list(words),
      atom("short"),
      heap.string("Value based error handling (EEP49)"),
      atom("status"),
      atom("experimental"),
      Value(atoms::type),
      atom("extension")};
  const Value specs[] = {Value(atoms::maybe_expr), map_from_pairs(heap, maybe_expr)};
  const Value pairs[] = {
      key("init_done"), Value(atoms::true_), key("enabled_features"), Value::nil(),
      key("keywords"),  Value::nil(),        key("feature_specs"),    map_from_pairs(heap, specs)};
  return map_from_pairs(heap, pairs);
}

void set_terms(Context& c, Value map) {
  c.machine.journal().set(c.machine.shared().persistent_terms.map, map);
}

Value terms(Context& c) {
  const Value& map = c.machine.shared().persistent_terms.map;
  if (!map.is_map()) set_terms(c, first_terms(c.heap));
  return map;
}

Value get_0(Context& c, const Value*) {
  std::vector<Value> pairs;
  MapPairs walk(terms(c));
  Value key;
  Value value;
  while (walk.next(key, value)) pairs.push_back(c.heap.tuple({key, value}));
  return c.heap.list(pairs);
}

Value get_1(Context& c, const Value* a) {
  const Value value = map_get(terms(c), a[0]);
  return value.is_none() ? c.badarg() : value;
}

Value get_2(Context& c, const Value* a) {
  const Value value = map_get(terms(c), a[0]);
  return value.is_none() ? a[1] : value;
}

Value put_2(Context& c, const Value* a) {
  set_terms(c, map_put(c.heap, terms(c), a[0], a[1]));
  return Value(atoms::ok);
}

// The same value again is not an error.
Value put_new_2(Context& c, const Value* a) {
  const Value before = map_get(terms(c), a[0]);
  if (!before.is_none()) return equal_exact(before, a[1]) ? Value(atoms::ok) : c.badarg();
  return put_2(c, a);
}

Value erase_1(Context& c, const Value* a) {
  const bool was_there = !map_get(terms(c), a[0]).is_none();
  set_terms(c, map_remove(c.heap, terms(c), a[0]));
  return Value::boolean(was_there);
}

Value erase_all_0(Context& c, const Value*) {
  set_terms(c, empty_map(c.heap));
  return Value(atoms::true_);
}

constexpr NativeEntry kEntries[] = {
    {"persistent_term", "get", 0, get_0},
    {"persistent_term", "get", 1, get_1},
    {"persistent_term", "get", 2, get_2},
    {"persistent_term", "put", 2, put_2},
    {"persistent_term", "put_new", 2, put_new_2, false, {}, 26},
    {"persistent_term", "erase", 1, erase_1},
    {"persistent_term", "info", 0, nullptr, false, "memory is counted in words of BEAM"},
    {"erts_internal", "erase_persistent_terms", 0, erase_all_0},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::persistent_term_natives
