// atomics, and the counters of erts_internal: arrays of 64-bit words that wrap.
#include "machine/machine.h"
#include "natives/families.h"
#include "values/arithmetic.h"
#include "values/maps.h"

namespace fathom::machine::atomics_natives {
namespace {

constexpr uint64_t kMaxWords = uint64_t{1} << 27;
// What OTP counts beside the words: of an array, and of one whose words are spread
// over cache lines of their own.
constexpr uint64_t kArrayBytes = 40;

Value make(Context& c, Value size, bool is_signed, bool is_counters) {
  if (!size.is_integer() || sign(size) <= 0) return c.badarg();
  const std::optional<uint64_t> words = to_uint64(size);
  if (!words || *words > kMaxWords) return c.system_limit();
  const uint64_t number = c.machine.numbers().reference(c.machine.process());
  Atomics& atomics = c.machine.shared().atomics;
  AtomicArray& array = atomics.arrays[number];
  array.is_signed = is_signed;
  array.is_counters = is_counters;
  array.words.resize(*words);
  c.machine.journal().record(
      [](std::span<const uint64_t> undo) {
        reinterpret_cast<Atomics*>(undo[0])->arrays.erase(undo[1]);
      },
      {reinterpret_cast<uint64_t>(&atomics), number});
  return c.heap.reference(number);
}

AtomicArray* array_of(Context& c, Value reference, bool is_counters) {
  if (!reference.is_box(BoxKind::Reference)) return nullptr;
  auto& arrays = c.machine.shared().atomics.arrays;
  const auto it = arrays.find(reference.reference_number());
  return it != arrays.end() && it->second.is_counters == is_counters ? &it->second : nullptr;
}

// The word at an index, from 1; null if there is none.
uint64_t* word_of(AtomicArray* array, Value index) {
  if (!array || !index.is_small() || index.small() < 1) return nullptr;
  const auto i = static_cast<uint64_t>(index.small());
  return i <= array->words.size() ? &array->words[i - 1] : nullptr;
}

// A value that the array can hold.
std::optional<uint64_t> word_value(const AtomicArray& array, Value value) {
  if (!value.is_integer()) return std::nullopt;
  if (!array.is_signed) return to_uint64(value);
  const std::optional<int64_t> n = to_int64(value);
  if (!n) return std::nullopt;
  return static_cast<uint64_t>(*n);
}

// Any integer of 64 bits, signed or not: what is added.
std::optional<uint64_t> increment(Value value) {
  if (!value.is_integer()) return std::nullopt;
  if (const std::optional<int64_t> n = to_int64(value)) return static_cast<uint64_t>(*n);
  return to_uint64(value);
}

Value number(Context& c, const AtomicArray& array, uint64_t word) {
  return array.is_signed ? c.heap.integer(static_cast<int64_t>(word)) : c.heap.integer(word);
}

// ---- atomics ----------------------------------------------------------------

Value atomics_new_2(Context& c, const Value* a) {
  if (!a[1].is_small() || a[1].small() < 0) return c.badarg();
  return make(c, a[0], (a[1].small() & 1) != 0, false);
}

Value get(Context& c, const Value* a, bool is_counters) {
  AtomicArray* array = array_of(c, a[0], is_counters);
  const uint64_t* word = word_of(array, a[1]);
  return word ? number(c, *array, *word) : c.badarg();
}

Value put(Context& c, const Value* a, bool is_counters) {
  AtomicArray* array = array_of(c, a[0], is_counters);
  uint64_t* word = word_of(array, a[1]);
  if (!word) return c.badarg();
  const std::optional<uint64_t> value = word_value(*array, a[2]);
  if (!value) return c.badarg();
  c.machine.journal().set(*word, *value);
  return Value(atoms::ok);
}

// The sum; none() after an error.
Value add_get(Context& c, const Value* a, bool is_counters) {
  AtomicArray* array = array_of(c, a[0], is_counters);
  uint64_t* word = word_of(array, a[1]);
  const std::optional<uint64_t> more = increment(a[2]);
  if (!word || !more) return c.badarg();
  c.machine.journal().set(*word, *word + *more);
  return number(c, *array, *word);
}

Value add(Context& c, const Value* a, bool is_counters) {
  return add_get(c, a, is_counters).is_none() ? Value::none() : Value(atoms::ok);
}

Value get_2(Context& c, const Value* a) { return get(c, a, false); }
Value put_3(Context& c, const Value* a) { return put(c, a, false); }
Value add_3(Context& c, const Value* a) { return add(c, a, false); }
Value add_get_3(Context& c, const Value* a) { return add_get(c, a, false); }

Value exchange_3(Context& c, const Value* a) {
  AtomicArray* array = array_of(c, a[0], false);
  uint64_t* word = word_of(array, a[1]);
  if (!word) return c.badarg();
  const std::optional<uint64_t> value = word_value(*array, a[2]);
  if (!value) return c.badarg();
  const Value before = number(c, *array, *word);
  c.machine.journal().set(*word, *value);
  return before;
}

Value compare_exchange_4(Context& c, const Value* a) {
  AtomicArray* array = array_of(c, a[0], false);
  uint64_t* word = word_of(array, a[1]);
  if (!word) return c.badarg();
  const std::optional<uint64_t> expected = word_value(*array, a[2]);
  const std::optional<uint64_t> value = word_value(*array, a[3]);
  if (!expected || !value) return c.badarg();
  if (*word != *expected) return number(c, *array, *word);
  c.machine.journal().set(*word, *value);
  return Value(atoms::ok);
}

Value info_1(Context& c, const Value* a) {
  AtomicArray* array = array_of(c, a[0], false);
  if (!array) return c.badarg();
  const uint64_t size = array->words.size();
  const Value most = array->is_signed ? c.heap.integer(INT64_MAX) : c.heap.integer(UINT64_MAX);
  const Value least = array->is_signed ? c.heap.integer(INT64_MIN) : Value::small(0);
  const Value pairs[] = {atom("size"),   c.heap.integer(size),
                         atom("max"),    most,
                         atom("min"),    least,
                         atom("memory"), c.heap.integer(kArrayBytes + 8 * size)};
  return map_from_pairs(c.heap, pairs);
}

// ---- counters ---------------------------------------------------------------

Value counters_new_1(Context& c, const Value* a) { return make(c, a[0], true, true); }

Value counters_get_2(Context& c, const Value* a) { return get(c, a, true); }
Value counters_put_3(Context& c, const Value* a) { return put(c, a, true); }
Value counters_add_3(Context& c, const Value* a) { return add(c, a, true); }

Value counters_info_1(Context& c, const Value* a) {
  if (!array_of(c, a[0], true)) return c.badarg();
  return c.unsupported("the memory depends on the schedulers of BEAM");
}

constexpr NativeEntry kEntries[] = {
    {"erts_internal", "atomics_new", 2, atomics_new_2},
    {"atomics", "get", 2, get_2},
    {"atomics", "put", 3, put_3},
    {"atomics", "add", 3, add_3},
    {"atomics", "add_get", 3, add_get_3},
    {"atomics", "exchange", 3, exchange_3},
    {"atomics", "compare_exchange", 4, compare_exchange_4},
    {"atomics", "info", 1, info_1},
    {"erts_internal", "counters_new", 1, counters_new_1},
    {"erts_internal", "counters_get", 2, counters_get_2},
    {"erts_internal", "counters_add", 3, counters_add_3},
    {"erts_internal", "counters_put", 3, counters_put_3},
    {"erts_internal", "counters_info", 1, counters_info_1, false,
     "the memory depends on the schedulers of BEAM"},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::atomics_natives
