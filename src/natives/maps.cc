// The functions of maps that OTP writes in C, and those of erts_internal on which
// its Erlang part rests.
#include "values/maps.h"

#include "machine/machine.h"
#include "natives/families.h"
#include "values/lists.h"

namespace fathom::machine::map_natives {
namespace {

// How many pairs of a large map one step of an iterator gives.
constexpr size_t kChunk = 32;

Value badmap(Context& c, Value map) {
  static const Atom badmap = Atom::intern("badmap");
  return c.error(c.heap.tuple({Value(badmap), map}));
}

Value badkey(Context& c, Value key) {
  static const Atom badkey = Atom::intern("badkey");
  return c.error(c.heap.tuple({Value(badkey), key}));
}

Value find_2(Context& c, const Value* a) {
  if (!a[1].is_map()) return badmap(c, a[1]);
  const PairPlace place = pair_place(a[1], a[0]);
  if (!place.key) return Value(atoms::error);
  const Value found = c.heap.tuple({Value(atoms::ok), *place.value});
  c.heap.carry_labels(place.value, found.words() + 2);
  return found;
}

Value get_2(Context& c, const Value* a) {
  if (!a[1].is_map()) return badmap(c, a[1]);
  const PairPlace place = pair_place(a[1], a[0]);
  return place.key ? c.passed(place.value) : badkey(c, a[0]);
}

Value is_key_2(Context& c, const Value* a) {
  if (!a[1].is_map()) return badmap(c, a[1]);
  return Value::boolean(!map_get(a[1], a[0]).is_none());
}

// The pairs of the map are those of the list; of equal keys the later one counts.
void carry_from_tuples(Heap& heap, Value list, Value map) {
  for (; list.is_cons(); list = list.tail()) {
    const std::span<const Value> pair = list.head().elements();
    const PairPlace place = pair_place(map, pair[0]);
    heap.carry_labels(pair.data(), place.key);
    heap.carry_labels(pair.data() + 1, place.value);
  }
}

Value from_list_1(Context& c, const Value* a) {
  std::vector<Value> pairs;
  Value rest = a[0];
  for (; rest.is_cons(); rest = rest.tail()) {
    const Value pair = rest.head();
    if (!pair.is_tuple(2)) return c.badarg();
    pairs.push_back(pair.element(0));
    pairs.push_back(pair.element(1));
  }
  if (!rest.is_nil()) return c.badarg();
  const Value map = map_from_pairs(c.heap, pairs);
  if (c.heap.is_labelled()) carry_from_tuples(c.heap, a[0], map);
  return map;
}

Value from_keys_2(Context& c, const Value* a) {
  std::vector<Value> pairs;
  Value rest = a[0];
  for (; rest.is_cons(); rest = rest.tail()) {
    pairs.push_back(rest.head());
    pairs.push_back(a[1]);
  }
  if (!rest.is_nil()) return c.badarg();
  const Value map = map_from_pairs(c.heap, pairs);
  for (Value keys = a[0]; c.heap.is_labelled() && keys.is_cons(); keys = keys.tail()) {
    const PairPlace place = pair_place(map, keys.head());
    c.heap.carry_labels(keys.words(), place.key);
    c.carry_label(1, place.value);
  }
  return map;
}

// The order of the pairs is about to be seen.
void look_at_order(Context& c, Value map) {
  if (map_size(map) > kMaxFlatMap) return c.machine.inputs().look_at(Input::MapOrder);
  MapPairs walk(map);
  size_t identifiers = 0;
  for (Value key, value; walk.next(key, value);) identifiers += key.is_pid() || key.is_reference();
  if (identifiers > 1) c.machine.inputs().look_at(Input::IdentifierOrder);
}

Value list_of(Context& c, Value map, bool keys) {
  look_at_order(c, map);
  std::vector<Value> items;
  items.reserve(map_size(map));
  MapPairs walk(map);
  Value key;
  Value value;
  while (walk.next(key, value)) items.push_back(keys ? key : value);
  const Value list = c.heap.list(items);
  if (!c.heap.is_labelled()) return list;
  MapPairs again(map);
  for (Value to = list; again.next(key, value); to = to.tail()) {
    const PairPlace place = pair_place(map, key);
    c.heap.carry_labels(keys ? place.key : place.value, to.words());
  }
  return list;
}

Value keys_1(Context& c, const Value* a) {
  return a[0].is_map() ? list_of(c, a[0], true) : badmap(c, a[0]);
}

Value values_1(Context& c, const Value* a) {
  return a[0].is_map() ? list_of(c, a[0], false) : badmap(c, a[0]);
}

// Adds the pairs of the smaller map to the larger one.
Value merge_2(Context& c, const Value* a) {
  if (!a[0].is_map()) return badmap(c, a[0]);
  if (!a[1].is_map()) return badmap(c, a[1]);
  if (a[0] == a[1]) return a[0];
  Value key;
  Value value;
  if (map_size(a[0]) <= kMaxFlatMap && map_size(a[1]) <= kMaxFlatMap) {
    std::vector<Value> pairs;
    for (const Value map : {a[0], a[1]}) {
      MapPairs walk(map);
      while (walk.next(key, value)) pairs.insert(pairs.end(), {key, value});
    }
    const Value both = map_from_pairs(c.heap, pairs);
    carry_pair_labels(c.heap, a[1], both);
    carry_pair_labels(c.heap, a[0], both);
    return both;
  }
  const bool second_wins = map_size(a[1]) <= map_size(a[0]);
  Value result = second_wins ? a[0] : a[1];
  MapPairs walk(second_wins ? a[1] : a[0]);
  while (walk.next(key, value)) {
    if (second_wins || map_get(a[1], key).is_none()) result = map_put(c.heap, result, key, value);
  }
  carry_pair_labels(c.heap, second_wins ? a[1] : a[0], result);
  return result;
}

Value put(Context& c, const Value* a) {
  const Value map = map_put(c.heap, a[2], a[0], a[1]);
  if (!c.heap.is_labelled()) return map;
  label_pair(c.heap, map, a[0], c.labels.of(0), c.labels.of(1));
  // It is made here, even if it is like the one before.
  return map == a[2] ? copy_of_box(c.heap, map) : map;
}

Value put_3(Context& c, const Value* a) { return a[2].is_map() ? put(c, a) : badmap(c, a[2]); }

Value update_3(Context& c, const Value* a) {
  if (!a[2].is_map()) return badmap(c, a[2]);
  if (map_get(a[2], a[0]).is_none()) return badkey(c, a[0]);
  return put(c, a);
}

Value remove_2(Context& c, const Value* a) {
  return a[1].is_map() ? map_remove(c.heap, a[1], a[0]) : badmap(c, a[1]);
}

Value take_2(Context& c, const Value* a) {
  if (!a[1].is_map()) return badmap(c, a[1]);
  const PairPlace place = pair_place(a[1], a[0]);
  if (!place.key) return Value(atoms::error);
  const Value taken = c.heap.tuple({*place.value, map_remove(c.heap, a[1], a[0])});
  c.heap.carry_labels(place.value, taken.words() + 1);
  return taken;
}

// ---- erts_internal ----------------------------------------------------------

// map_next(Path, Map, iterator | List): the pairs after the path, as nested
// iterators {K, V, Next} or added to the list; a chunk of them if the map is large,
// and then with the path to go on from.
Value map_next_3(Context& c, const Value* a) {
  static const Atom iterator = Atom::intern("iterator");
  static const Atom none = Atom::intern("none");
  const bool nested = a[2].is_atom(iterator);
  if (!a[0].is_small() || a[0].small() < 0 || !a[1].is_map() || !(nested || a[2].is_list())) {
    return c.badarg();
  }
  look_at_order(c, a[1]);
  MapPairs walk(a[1]);
  if (!walk.go_to(static_cast<uint64_t>(a[0].small()))) return c.badarg();
  std::vector<Value> pairs;
  Value key;
  Value value;
  std::optional<uint64_t> path;
  bool done = false;
  while (!path) {
    done = !walk.next(key, value);
    if (done) break;
    pairs.insert(pairs.end(), {key, value});
    if (pairs.size() >= 2 * kChunk && a[1].is_box(BoxKind::HashMap)) path = walk.path();
  }
  const Value next = done ? Value::nil() : Value::small(static_cast<int64_t>(*path));
  if (nested) {
    Value result = done ? Value(none) : c.heap.cons(next, a[1]);
    for (size_t i = pairs.size(); i > 0; i -= 2) {
      result = c.heap.tuple({pairs[i - 2], pairs[i - 1], result});
    }
    return result;
  }
  Value result = a[2];
  for (size_t i = pairs.size(); i > 0; i -= 2) {
    result = c.heap.cons(c.heap.tuple({pairs[i - 2], pairs[i - 1]}), result);
  }
  return done ? result : c.heap.cons(next, c.heap.cons(a[1], result));
}

// From OTP 26 on an iterator may have an order: the keys that are left, instead of a path.
Value ordered_map_next_3(Context& c, const Value* a) {
  static const Atom iterator = Atom::intern("iterator");
  static const Atom none = Atom::intern("none");
  if (!a[0].is_list() || !a[1].is_map()) return map_next_3(c, a);
  const auto keys = proper_items(a[0]);
  const bool nested = a[2].is_atom(iterator);
  if (!keys || !(nested || a[2].is_list())) return c.badarg();
  Value result = nested ? Value(none) : a[2];
  for (size_t i = keys->size(); i > 0; --i) {
    const Value key = (*keys)[i - 1];
    const Value value = map_get(a[1], key);
    if (value.is_none()) return c.badarg();
    result = nested ? c.heap.tuple({key, value, result})
                    : c.heap.cons(c.heap.tuple({key, value}), result);
  }
  return result;
}

Value map_to_tuple_keys_1(Context& c, const Value* a) {
  if (!a[0].is_map()) return badmap(c, a[0]);
  return a[0].is_box(BoxKind::FlatMap) ? a[0].slot(0) : c.badarg();
}

constexpr NativeEntry kEntries[] = {
    {"maps", "find", 2, find_2},
    {"maps", "get", 2, get_2},
    {"maps", "is_key", 2, is_key_2},
    {"maps", "from_list", 1, from_list_1},
    {"maps", "from_keys", 2, from_keys_2},
    {"maps", "keys", 1, keys_1},
    {"maps", "values", 1, values_1},
    {"maps", "merge", 2, merge_2},
    {"maps", "put", 3, put_3},
    {"maps", "update", 3, update_3},
    {"maps", "remove", 2, remove_2},
    {"maps", "take", 2, take_2},
    {"erts_internal", "map_next", 3, map_next_3},
    {"erts_internal", "map_next", 3, ordered_map_next_3, false, {}, 26},
    {"erts_internal", "map_to_tuple_keys", 1, map_to_tuple_keys_1},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::map_natives
