// prim_buffer: the buffers of files that are read ahead. What one holds is a binary, in a
// map by its reference (SharedState::files), so that a change is one word.
#include "machine/machine.h"
#include "natives/families.h"
#include "values/lists.h"
#include "values/maps.h"

namespace fathom::machine::read_buffer_natives {
namespace {

Value& buffers(Machine& m) {
  Value& map = m.shared().files.buffers;
  if (map.is_none()) m.journal().set(map, empty_map(m.heap()));
  return map;
}

// none() after an exception.
Value contents(Context& c, Value reference) {
  const Value held =
      reference.is_reference() ? map_get(buffers(c.machine), reference) : Value::none();
  return held.is_none() ? c.badarg() : held;
}

void set_contents(Context& c, Value reference, Value binary) {
  Value& map = buffers(c.machine);
  c.machine.journal().set(map, map_put(c.heap, map, reference, binary));
}

Value new_0(Context& c, const Value*) {
  const Value reference = c.heap.reference(c.machine.numbers().reference(c.machine.process()));
  set_contents(c, reference, c.heap.binary(std::string_view()));
  return reference;
}

Value size_1(Context& c, const Value* a) {
  const Value held = contents(c, a[0]);
  return held.is_none() ? held : c.heap.integer(held.bit_size() / 8);
}

Value peek_head_1(Context& c, const Value* a) {
  const Value held = contents(c, a[0]);
  return !held.is_none() && held.bit_size() == 0 ? c.badarg() : held;
}

// Takes bytes from the front; none() after an exception.
Value take(Context& c, const Value* a) {
  const Value held = contents(c, a[0]);
  if (held.is_none()) return held;
  const auto bits = held.bit_size();
  const auto size = small_in(a[1], 0, static_cast<int64_t>(bits / 8));
  if (!size) return c.badarg();
  const auto taken = static_cast<uint64_t>(*size) * 8;
  set_contents(c, a[0], c.heap.sub_bits(held, taken, bits - taken));
  return c.heap.sub_bits(held, 0, taken);
}

Value skip_2(Context& c, const Value* a) {
  const Value taken = take(c, a);
  return taken.is_none() ? taken : Value(atoms::ok);
}

Value write_2(Context& c, const Value* a) {
  const Value held = contents(c, a[0]);
  if (held.is_none()) return held;
  std::string bytes(BytesOf(held).text());
  if (!append_iolist(bytes, a[1])) return c.badarg();
  set_contents(c, a[0], c.heap.binary(std::string_view(bytes)));
  return Value(atoms::ok);
}

Value find_byte_index_2(Context& c, const Value* a) {
  const Value held = contents(c, a[0]);
  if (held.is_none()) return held;
  if (!is_byte(a[1])) return c.badarg();
  const BytesOf bytes(held);
  const size_t at = bytes.text().find(static_cast<char>(a[1].small()));
  if (at == std::string_view::npos) return atom("not_found");
  return c.heap.tuple({Value(atoms::ok), c.heap.integer(uint64_t{at})});
}

// No process ever meets another one inside a native function.
Value try_lock_1(Context&, const Value*) { return atom("acquired"); }
Value unlock_1(Context&, const Value*) { return Value(atoms::ok); }

constexpr NativeEntry kEntries[] = {
    {"prim_buffer", "new", 0, new_0},
    {"prim_buffer", "size", 1, size_1},
    {"prim_buffer", "peek_head", 1, peek_head_1},
    {"prim_buffer", "copying_read", 2, take},
    {"prim_buffer", "skip", 2, skip_2},
    {"prim_buffer", "write", 2, write_2},
    {"prim_buffer", "find_byte_index", 2, find_byte_index_2},
    {"prim_buffer", "try_lock", 1, try_lock_1},
    {"prim_buffer", "unlock", 1, unlock_1},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::read_buffer_natives
