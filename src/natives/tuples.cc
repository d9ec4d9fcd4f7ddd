// Tuples.
#include <algorithm>

#include "natives/families.h"
#include "values/lists.h"

namespace fathom::machine::tuple_natives {
namespace {

constexpr int64_t kMaxTuple = static_cast<int64_t>(Header::kMaxSize);

// A new tuple with its elements not set yet.
struct Draft {
  Value value;
  Value* elements;
};

Draft draft_tuple(Heap& heap, size_t arity) {
  uint64_t* words = heap.allocate(1 + arity);
  words[0] = Header(BoxKind::Tuple, arity).word();
  return {Value::box(words), reinterpret_cast<Value*>(words + 1)};
}

// The index of an element, from 0, of `count` of them.
std::optional<size_t> position(Value value, size_t count) {
  const auto n = small_in(value, 1, static_cast<int64_t>(count));
  if (!n) return std::nullopt;
  return static_cast<size_t>(*n - 1);
}

Value element_2(Context& c, const Value* a) {
  if (!a[1].is_tuple()) return c.badarg();
  const auto at = position(a[0], a[1].arity());
  return at ? c.passed(&a[1].elements()[*at]) : c.badarg();
}

Value setelement_3(Context& c, const Value* a) {
  if (!a[1].is_tuple()) return c.badarg();
  const auto at = position(a[0], a[1].arity());
  if (!at) return c.badarg();
  const Draft result = draft_tuple(c.heap, a[1].arity());
  std::ranges::copy(a[1].elements(), result.elements);
  c.heap.carry_labels(a[1].elements().data(), result.elements, a[1].arity());
  result.elements[*at] = a[2];
  c.carry_label(2, result.elements + *at);
  return result.value;
}

Value make_tuple(Context& c, Value arity, Value filler, Value settings) {
  const auto count = small_in(arity, 0, kMaxTuple);
  if (!count) return c.badarg();
  const Draft result = draft_tuple(c.heap, static_cast<size_t>(*count));
  std::fill_n(result.elements, *count, filler);
  for (int64_t i = 0; c.heap.is_labelled() && i < *count; ++i)
    c.carry_label(1, result.elements + i);
  for (; settings.is_cons(); settings = settings.tail()) {
    const Value pair = settings.head();
    if (!pair.is_tuple(2)) return c.badarg();
    const auto at = position(pair.element(0), static_cast<size_t>(*count));
    if (!at) return c.badarg();
    result.elements[*at] = pair.element(1);
    c.heap.carry_labels(&pair.elements()[1], result.elements + *at);
  }
  return settings.is_nil() ? result.value : c.badarg();
}

Value make_tuple_2(Context& c, const Value* a) { return make_tuple(c, a[0], a[1], Value::nil()); }
Value make_tuple_3(Context& c, const Value* a) { return make_tuple(c, a[0], a[1], a[2]); }

// `argument`: which one the value is.
Value insert_at(Context& c, Value tuple, size_t at, Value value, size_t argument) {
  const std::span<const Value> old = tuple.elements();
  if (static_cast<int64_t>(old.size()) >= kMaxTuple) return c.badarg();
  const Draft result = draft_tuple(c.heap, old.size() + 1);
  Value* next = std::ranges::copy(old.first(at), result.elements).out;
  *next++ = value;
  std::ranges::copy(old.subspan(at), next);
  c.heap.carry_labels(old.data(), result.elements, at);
  c.carry_label(argument, result.elements + at);
  c.heap.carry_labels(old.data() + at, next, old.size() - at);
  return result.value;
}

Value append_element_2(Context& c, const Value* a) {
  return a[0].is_tuple() ? insert_at(c, a[0], a[0].arity(), a[1], 1) : c.badarg();
}

Value insert_element_3(Context& c, const Value* a) {
  if (!a[1].is_tuple()) return c.badarg();
  const auto at = position(a[0], a[1].arity() + 1);
  return at ? insert_at(c, a[1], *at, a[2], 2) : c.badarg();
}

Value delete_element_2(Context& c, const Value* a) {
  if (!a[1].is_tuple()) return c.badarg();
  const std::span<const Value> old = a[1].elements();
  const auto at = position(a[0], old.size());
  if (!at) return c.badarg();
  const Draft result = draft_tuple(c.heap, old.size() - 1);
  Value* next = std::ranges::copy(old.first(*at), result.elements).out;
  std::ranges::copy(old.subspan(*at + 1), next);
  c.heap.carry_labels(old.data(), result.elements, *at);
  c.heap.carry_labels(old.data() + *at + 1, next, old.size() - *at - 1);
  return result.value;
}

Value tuple_to_list_1(Context& c, const Value* a) {
  if (!a[0].is_tuple()) return c.badarg();
  const Value list = c.heap.list(a[0].elements());
  const Value* from = a[0].elements().data();
  for (Value to = list; c.heap.is_labelled() && to.is_cons(); to = to.tail()) {
    c.heap.carry_labels(from++, to.words());
  }
  return list;
}

Value list_to_tuple_1(Context& c, const Value* a) {
  const auto count = proper_length(a[0]);
  if (!count || static_cast<int64_t>(*count) > kMaxTuple) return c.badarg();
  const Draft result = draft_tuple(c.heap, *count);
  Value rest = a[0];
  for (size_t i = 0; i < *count; ++i, rest = rest.tail()) {
    result.elements[i] = rest.head();
    c.heap.carry_labels(rest.words(), result.elements + i);
  }
  return result.value;
}

Value tuple_size_1(Context& c, const Value* a) {
  return a[0].is_tuple() ? Value::small(static_cast<int64_t>(a[0].arity())) : c.badarg();
}

Value size_1(Context& c, const Value* a) {
  if (a[0].is_bitstring()) return Value::small(static_cast<int64_t>(a[0].bit_size() / 8));
  return tuple_size_1(c, a);
}

constexpr NativeEntry kEntries[] = {
    {"erlang", "element", 2, element_2},
    {"erlang", "setelement", 3, setelement_3},
    {"erlang", "make_tuple", 2, make_tuple_2},
    {"erlang", "make_tuple", 3, make_tuple_3},
    {"erlang", "append_element", 2, append_element_2},
    {"erlang", "insert_element", 3, insert_element_3},
    {"erlang", "delete_element", 2, delete_element_2},
    {"erlang", "tuple_to_list", 1, tuple_to_list_1},
    {"erlang", "list_to_tuple", 1, list_to_tuple_1},
    {"erlang", "tuple_size", 1, tuple_size_1},
    {"erlang", "size", 1, size_1},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::tuple_natives
