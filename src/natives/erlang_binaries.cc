// The functions of module erlang on binaries, bitstrings and iolists.
#include <cstring>

#include "natives/families.h"
#include "values/arithmetic.h"
#include "values/lists.h"

namespace fathom::machine::erlang_binary_natives {
namespace {

Value integer(Context& c, uint64_t n) { return c.heap.integer(n); }

Value bit_size_1(Context& c, const Value* a) {
  return a[0].is_bitstring() ? integer(c, a[0].bit_size()) : c.badarg();
}
Value byte_size_1(Context& c, const Value* a) {
  return a[0].is_bitstring() ? integer(c, (a[0].bit_size() + 7) / 8) : c.badarg();
}

// ---- Parts ------------------------------------------------------------------

// {Position, Length} with Length < 0 ends at the position.
Value binary_part(Context& c, Value bits, Value position, Value length) {
  const auto from = to_uint64(position);
  const auto count = to_int64(length);
  if (!bits.is_bitstring() || !from || !count || *count == INT64_MIN) return c.badarg();
  const uint64_t size = bits.bit_size() / 8;
  const auto magnitude = static_cast<uint64_t>(*count < 0 ? -*count : *count);
  if (*from > size) return c.badarg();
  if (*count < 0 ? magnitude > *from : magnitude > size - *from) return c.badarg();
  const uint64_t first = *count < 0 ? *from - magnitude : *from;
  return c.heap.sub_bits(bits, first * 8, magnitude * 8);
}

Value binary_part_3(Context& c, const Value* a) { return binary_part(c, a[0], a[1], a[2]); }
Value binary_part_2(Context& c, const Value* a) {
  if (!a[1].is_tuple(2)) return c.badarg();
  return binary_part(c, a[0], a[1].element(0), a[1].element(1));
}

Value split_binary_2(Context& c, const Value* a) {
  const auto at = a[0].is_bitstring() ? to_uint64(a[1]) : std::nullopt;
  if (!at || *at > a[0].bit_size() / 8) return c.badarg();
  const Value first = c.heap.sub_bits(a[0], 0, *at * 8);
  const Value second = c.heap.sub_bits(a[0], *at * 8, a[0].bit_size() - *at * 8);
  return c.heap.tuple({first, second});
}

// ---- Lists ------------------------------------------------------------------

Value bytes_as_list(Context& c, Value bits, Value tail) {
  return c.heap.string(BytesOf(bits).text(), tail);
}

Value binary_to_list_1(Context& c, const Value* a) {
  return a[0].is_binary() ? bytes_as_list(c, a[0], Value::nil()) : c.badarg();
}

// From a byte to a byte, both counted from 1.
Value binary_to_list_3(Context& c, const Value* a) {
  if (!a[0].is_bitstring()) return c.badarg();
  const auto size = static_cast<int64_t>(a[0].bit_size() / 8);
  const auto first = small_in(a[1], 1, size);
  const auto last = small_in(a[2], 1, size);
  if (!first || !last || *first > *last) return c.badarg();
  const BytesOf bytes(a[0]);
  return c.heap.string(bytes.text().substr(static_cast<size_t>(*first - 1),
                                           static_cast<size_t>(*last - *first + 1)));
}

// The bits that make no whole byte are the last element.
Value bitstring_to_list_1(Context& c, const Value* a) {
  if (!a[0].is_bitstring()) return c.badarg();
  const uint64_t size = a[0].bit_size();
  if (size % 8 == 0) return bytes_as_list(c, a[0], Value::nil());
  const Value rest = c.heap.sub_bits(a[0], size - size % 8, size % 8);
  return bytes_as_list(c, a[0], c.heap.list({&rest, 1}));
}

Value joined(Context& c, Value iolist) {
  const auto size = iolist_bytes(iolist);
  if (!size) return c.badarg();
  if (*size > kMaxResultBytes) return c.system_limit();
  const Heap::NewBits made = c.heap.new_bits(*size * 8);
  uint8_t* next = made.bytes;
  walk_iolist(
      iolist, [&](uint8_t byte) { *next++ = byte; },
      [&](Value bits) {
        const BytesOf bytes(bits);
        if (!bytes.text().empty()) std::memcpy(next, bytes.text().data(), bytes.text().size());
        next += bytes.text().size();
        return true;
      });
  return made.value;
}

Value iolist_to_binary_1(Context& c, const Value* a) {
  if (a[0].is_binary()) return a[0];
  return joined(c, a[0]);
}

Value list_to_binary_1(Context& c, const Value* a) {
  return a[0].is_list() ? joined(c, a[0]) : c.badarg();
}

Value list_to_bitstring_1(Context& c, const Value* a) {
  if (!a[0].is_list()) return c.badarg();
  uint64_t size = 0;
  const bool ok = walk_iolist(
      a[0], [&](uint8_t) { size += 8; },
      [&](Value bits) {
        size += bits.bit_size();
        return true;
      });
  if (!ok) return c.badarg();
  if (size / 8 > kMaxResultBytes) return c.system_limit();
  const Heap::NewBits made = c.heap.new_bits(size);
  if (size > 0) std::memset(made.bytes, 0, (size + 7) / 8);
  uint64_t at = 0;
  walk_iolist(
      a[0],
      [&](uint8_t byte) {
        store_bits(byte, made.bytes, at, 8);
        at += 8;
      },
      [&](Value bits) {
        copy_bits(bits_of(bits), made.bytes, at);
        at += bits.bit_size();
        return true;
      });
  return made.value;
}

Value iolist_size_1(Context& c, const Value* a) {
  const auto size = iolist_bytes(a[0]);
  return size ? integer(c, *size) : c.badarg();
}

// Cuts as OTP does: what is short is gathered, a long binary stays by itself, except
// for its beginning, which fills up a short piece before it. (OTP has further cuts in
// long lists, which depend on its scheduling.)
class Pieces {
 public:
  explicit Pieces(Heap& heap) : heap_(heap) {}

  void add_byte(uint8_t byte) { gathered_ += static_cast<char>(byte); }

  void add(Value binary) {
    const BytesOf bytes(binary);
    const std::string_view text = bytes.text();
    size_t copied = 0;
    if (text.size() < kLong) {
      copied = text.size();
    } else if (!gathered_.empty() && gathered_.size() < kLong) {
      copied = kLong - gathered_.size();
      if (text.size() - copied < kLong) copied = text.size();
    }
    gathered_ += text.substr(0, copied);
    if (copied == text.size()) return;
    flush();
    pieces_.push_back(heap_.sub_bits(binary, copied * 8, (text.size() - copied) * 8));
  }

  Value finish() {
    flush();
    return heap_.list(pieces_);
  }

 private:
  static constexpr size_t kLong = 256;

  void flush() {
    if (!gathered_.empty()) pieces_.push_back(heap_.binary(std::string_view(gathered_)));
    gathered_.clear();
  }

  Heap& heap_;
  std::vector<Value> pieces_;
  std::string gathered_;
};

Value iolist_to_iovec_1(Context& c, const Value* a) {
  const auto size = iolist_bytes(a[0]);
  if (!size) return c.badarg();
  if (*size > kMaxResultBytes) return c.system_limit();
  Pieces pieces(c.heap);
  walk_iolist(
      a[0], [&](uint8_t byte) { pieces.add_byte(byte); },
      [&](Value binary) {
        pieces.add(binary);
        return true;
      });
  return pieces.finish();
}

constexpr NativeEntry kEntries[] = {
    {"erlang", "bit_size", 1, bit_size_1},
    {"erlang", "byte_size", 1, byte_size_1},
    {"erlang", "binary_part", 2, binary_part_2},
    {"erlang", "binary_part", 3, binary_part_3},
    {"erlang", "split_binary", 2, split_binary_2},
    {"erlang", "binary_to_list", 1, binary_to_list_1},
    {"erlang", "binary_to_list", 3, binary_to_list_3},
    {"erlang", "bitstring_to_list", 1, bitstring_to_list_1},
    {"erlang", "list_to_binary", 1, list_to_binary_1},
    {"erlang", "list_to_bitstring", 1, list_to_bitstring_1},
    {"erlang", "iolist_to_binary", 1, iolist_to_binary_1},
    {"erlang", "iolist_to_iovec", 1, iolist_to_iovec_1},
    {"erlang", "iolist_size", 1, iolist_size_1},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::erlang_binary_natives
