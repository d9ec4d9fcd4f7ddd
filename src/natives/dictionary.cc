// The process dictionary. Its pairs come in the order of our maps (maps.h), where
// OTP has one that depends on its memory.
#include "machine/machine.h"
#include "natives/families.h"
#include "values/compare.h"
#include "values/maps.h"

namespace fathom::machine::dictionary_natives {
namespace {

Value dictionary(Context& c) { return c.machine.process().dictionary; }

// Nobody else sees it, unless dictionaries are watched (machine/watched.h).
void set_dictionary(Context& c, Value map) {
  static const Value dictionary = atom("dictionary");
  EventRecorder& events = c.machine.events();
  if (events.watched().dictionaries) {
    events.access(SharedObject::Flags, AccessMode::Write, c.machine.process(), dictionary);
  }
  c.machine.journal().set(c.machine.process().dictionary, map);
}

// The value of a key, or undefined.
Value value_of(Context& c, Value key) {
  const PairPlace place = pair_place(dictionary(c), key);
  return place.key ? c.passed(place.value) : Value(atoms::undefined);
}

Value pairs(Context& c) {
  std::vector<Value> items;
  MapPairs all(dictionary(c));
  for (Value key, value; all.next(key, value);) items.push_back(c.heap.tuple({key, value}));
  return c.heap.list(items);
}

Value put_2(Context& c, const Value* a) {
  const Value old = value_of(c, a[0]);
  set_dictionary(c, map_put(c.heap, dictionary(c), a[0], a[1]));
  if (c.heap.is_labelled()) {
    label_pair(c.heap, dictionary(c), a[0], c.labels.of(0), c.labels.of(1));
  }
  return old;
}

Value get_0(Context& c, const Value*) { return pairs(c); }
Value get_1(Context& c, const Value* a) { return value_of(c, a[0]); }

Value get_keys_0(Context& c, const Value*) {
  std::vector<Value> keys;
  MapPairs all(dictionary(c));
  for (Value key, value; all.next(key, value);) keys.push_back(key);
  return c.heap.list(keys);
}

Value get_keys_1(Context& c, const Value* a) {
  std::vector<Value> keys;
  MapPairs all(dictionary(c));
  for (Value key, value; all.next(key, value);) {
    if (equal_exact(value, a[0])) keys.push_back(key);
  }
  return c.heap.list(keys);
}

Value erase_0(Context& c, const Value*) {
  const Value old = pairs(c);
  set_dictionary(c, empty_map(c.heap));
  return old;
}

Value erase_1(Context& c, const Value* a) {
  const Value old = value_of(c, a[0]);
  set_dictionary(c, map_remove(c.heap, dictionary(c), a[0]));
  return old;
}

constexpr NativeEntry kEntries[] = {
    {"erlang", "put", 2, put_2},           {"erlang", "get", 0, get_0},
    {"erlang", "get", 1, get_1},           {"erlang", "get_keys", 0, get_keys_0},
    {"erlang", "get_keys", 1, get_keys_1}, {"erlang", "erase", 0, erase_0},
    {"erlang", "erase", 1, erase_1},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::dictionary_natives
