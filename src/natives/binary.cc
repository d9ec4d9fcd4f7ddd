// The functions of the module binary that OTP writes in C, except for those that
// search (binary_match.cc).
#include <algorithm>
#include <cstring>

#include "natives/families.h"
#include "values/arithmetic.h"
#include "values/lists.h"

namespace fathom::machine::binary_natives {
namespace {

Value byte_at(Value binary, uint64_t index) {
  const BitsView view = bits_of(binary);
  return Value::small(static_cast<int64_t>(load_bits(view.bytes, view.first + 8 * index, 8)));
}

uint64_t byte_size(Value binary) { return binary.bit_size() / 8; }

Value at_2(Context& c, const Value* a) {
  if (!a[0].is_binary() || !a[1].is_small() || a[1].small() < 0) return c.badarg();
  const auto index = static_cast<uint64_t>(a[1].small());
  return index < byte_size(a[0]) ? byte_at(a[0], index) : c.badarg();
}

Value first_1(Context& c, const Value* a) {
  if (!a[0].is_binary() || a[0].bit_size() == 0) return c.badarg();
  return byte_at(a[0], 0);
}

Value last_1(Context& c, const Value* a) {
  if (!a[0].is_binary() || a[0].bit_size() == 0) return c.badarg();
  return byte_at(a[0], byte_size(a[0]) - 1);
}

Value copies(Context& c, Value binary, uint64_t count) {
  const BytesOf bytes(binary);
  const uint64_t size = bytes.text().size();
  if (size != 0 && count > kMaxResultBytes / size) return c.system_limit();
  const uint64_t total = size * count;
  const Heap::NewBits made = c.heap.new_bits(8 * total);
  if (total == 0) return made.value;
  std::memcpy(made.bytes, bytes.text().data(), size);
  for (uint64_t done = size; done < total; done += std::min(done, total - done)) {
    std::memcpy(made.bytes + done, made.bytes, std::min(done, total - done));
  }
  return made.value;
}

Value copy_1(Context& c, const Value* a) {
  return a[0].is_binary() ? copies(c, a[0], 1) : c.badarg();
}

Value copy_2(Context& c, const Value* a) {
  if (!a[0].is_bitstring() || !a[1].is_integer() || sign(a[1]) < 0) return c.badarg();
  const std::optional<uint64_t> count = to_uint64(a[1]);
  // Like OTP, which looks at the bits only if there is something to copy.
  if (!a[0].is_binary() && count != 0) return c.badarg();
  if (count && (*count == 0 || a[0].bit_size() == 0)) return c.heap.binary(std::string_view());
  return count ? copies(c, a[0], *count) : c.badarg();
}

// {Position, Length}, where a negative length goes backwards, as what it covers.
struct Part {
  uint64_t first;
  uint64_t size;
};

std::optional<Part> part_of(uint64_t size, Value position, Value length) {
  if (!position.is_small() || !length.is_small()) return std::nullopt;
  const int64_t from = std::min(position.small(), position.small() + length.small());
  const int64_t to = std::max(position.small(), position.small() + length.small());
  if (from < 0 || to > static_cast<int64_t>(size)) return std::nullopt;
  return Part{static_cast<uint64_t>(from), static_cast<uint64_t>(to - from)};
}

Value cut(Context& c, Value binary, Value position, Value length) {
  if (!binary.is_binary()) return c.badarg();
  const std::optional<Part> part = part_of(byte_size(binary), position, length);
  return part ? c.heap.sub_bits(binary, 8 * part->first, 8 * part->size) : c.badarg();
}

Value part_2(Context& c, const Value* a) {
  return a[1].is_tuple(2) ? cut(c, a[0], a[1].element(0), a[1].element(1)) : c.badarg();
}

Value part_3(Context& c, const Value* a) { return cut(c, a[0], a[1], a[2]); }

// Of a short one, or a part of it, the bytes are in the value itself.
Value referenced_byte_size_1(Context& c, const Value* a) {
  if (!a[0].is_bitstring()) return c.badarg();
  if (a[0].is_box(BoxKind::InlineBits)) {
    return Value::small(static_cast<int64_t>((a[0].bit_size() + 7) / 8));
  }
  const auto* buffer = reinterpret_cast<const Buffer*>(a[0].words()[3]);
  return Value::small(static_cast<int64_t>((buffer->used_bits + 7) / 8));
}

Value list_to_bin_1(Context& c, const Value* a) {
  if (!a[0].is_list()) return c.badarg();
  const std::optional<uint64_t> size = iolist_bytes(a[0]);
  if (!size) return c.badarg();
  if (*size > kMaxResultBytes) return c.system_limit();
  std::string bytes;
  bytes.reserve(*size);
  append_iolist(bytes, a[0]);
  return c.heap.binary(std::string_view(bytes));
}

// ---- Numbers ----------------------------------------------------------------

std::optional<Endian> endian_of(Value value) {
  static const Atom big = Atom::intern("big");
  static const Atom little = Atom::intern("little");
  if (value.is_atom(big)) return Endian::Big;
  if (value.is_atom(little)) return Endian::Little;
  return std::nullopt;
}

Value decode(Context& c, Value binary, std::optional<Endian> endian) {
  if (!binary.is_binary() || !endian) return c.badarg();
  if (binary.bit_size() > kMaxIntegerBits) return c.system_limit();
  const BitsView view = bits_of(binary);
  return read_integer(c.heap, view.bytes, view.first, view.size, *endian, false);
}

Value encode(Context& c, Value integer, std::optional<Endian> endian) {
  if (!integer.is_integer() || sign(integer) < 0 || !endian) return c.badarg();
  const uint64_t bytes = std::max<uint64_t>(1, (IntegerView(integer).bits() + 7) / 8);
  const Heap::NewBits made = c.heap.new_bits(8 * bytes);
  write_integer(integer, made.bytes, 0, 8 * bytes, *endian);
  return made.value;
}

Value decode_unsigned_1(Context& c, const Value* a) { return decode(c, a[0], Endian::Big); }
Value decode_unsigned_2(Context& c, const Value* a) { return decode(c, a[0], endian_of(a[1])); }
Value encode_unsigned_1(Context& c, const Value* a) { return encode(c, a[0], Endian::Big); }
Value encode_unsigned_2(Context& c, const Value* a) { return encode(c, a[0], endian_of(a[1])); }

// ---- What several binaries have in common -----------------------------------

Value longest_common(Context& c, Value list, bool prefix) {
  if (!list.is_cons()) return c.badarg();
  std::string common;
  size_t length = 0;  // of the part of it that all have
  bool is_first = true;
  for (; list.is_cons(); list = list.tail()) {
    if (!list.head().is_binary()) return c.badarg();
    const BytesOf bytes(list.head());
    std::string text(bytes.text());
    if (!prefix) std::reverse(text.begin(), text.end());
    if (is_first) length = text.size();
    if (is_first) common = text;
    is_first = false;
    length = std::min(length, text.size());
    const auto end = common.begin() + static_cast<std::ptrdiff_t>(length);
    length = static_cast<size_t>(std::mismatch(common.begin(), end, text.begin()).first -
                                 common.begin());
  }
  return list.is_nil() ? Value::small(static_cast<int64_t>(length)) : c.badarg();
}

Value longest_common_prefix_1(Context& c, const Value* a) { return longest_common(c, a[0], true); }
Value longest_common_suffix_1(Context& c, const Value* a) { return longest_common(c, a[0], false); }

constexpr NativeEntry kEntries[] = {
    {"binary", "at", 2, at_2},
    {"binary", "first", 1, first_1},
    {"binary", "last", 1, last_1},
    {"binary", "copy", 1, copy_1},
    {"binary", "copy", 2, copy_2},
    {"binary", "part", 2, part_2},
    {"binary", "part", 3, part_3},
    {"binary", "referenced_byte_size", 1, referenced_byte_size_1},
    {"binary", "list_to_bin", 1, list_to_bin_1},
    {"binary", "decode_unsigned", 1, decode_unsigned_1},
    {"binary", "decode_unsigned", 2, decode_unsigned_2},
    {"binary", "encode_unsigned", 1, encode_unsigned_1},
    {"binary", "encode_unsigned", 2, encode_unsigned_2},
    {"binary", "longest_common_prefix", 1, longest_common_prefix_1},
    {"binary", "longest_common_suffix", 1, longest_common_suffix_1},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::binary_natives
