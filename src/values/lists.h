// What several families of native functions do with their arguments.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "values/bits.h"
#include "values/small_stack.h"
#include "values/value.h"

namespace fathom::machine {

// The most bytes that a native function makes of its arguments at once; more is
// system_limit.
inline constexpr uint64_t kMaxResultBytes = uint64_t{1} << 31;

// The number of elements; empty if it is not a proper list.
inline std::optional<size_t> proper_length(Value list) {
  size_t count = 0;
  for (; list.is_cons(); list = list.tail()) ++count;
  spend(static_cast<int64_t>(count / 8));
  if (!list.is_nil()) return std::nullopt;
  return count;
}

inline std::optional<std::vector<Value>> proper_items(Value list) {
  std::vector<Value> items;
  for (; list.is_cons(); list = list.tail()) items.push_back(list.head());
  spend(static_cast<int64_t>(items.size()));
  if (!list.is_nil()) return std::nullopt;
  return items;
}

// An integer from `least` to `most`.
inline std::optional<int64_t> small_in(Value value, int64_t least, int64_t most) {
  if (!value.is_small() || value.small() < least || value.small() > most) return std::nullopt;
  return value.small();
}

inline bool is_byte(Value value) {
  return value.is_small() && value.small() >= 0 && value.small() <= 255;
}

// The characters of a proper list of bytes.
inline std::optional<std::string> latin1_text(Value list) {
  std::string text;
  for (; list.is_cons(); list = list.tail()) {
    if (!is_byte(list.head())) return std::nullopt;
    text += static_cast<char>(list.head().small());
  }
  if (!list.is_nil()) return std::nullopt;
  return text;
}

// The whole bytes of a bitstring, copied only if they are not aligned.
class BytesOf {
 public:
  explicit BytesOf(Value bitstring) {
    BitsView bits = bits_of(bitstring);
    bits.size -= bits.size % 8;
    if (bits.is_aligned()) {
      text_ = {reinterpret_cast<const char*>(bits.data()), bits.size / 8};
      return;
    }
    copy_.resize(bits.size / 8);
    copy_bits(bits, reinterpret_cast<uint8_t*>(copy_.data()), 0);
    text_ = copy_;
  }
  BytesOf(const BytesOf&) = delete;
  BytesOf& operator=(const BytesOf&) = delete;

  std::string_view text() const { return text_; }

 private:
  std::string copy_;
  std::string_view text_;
};

// Calls on_byte(uint8_t) and on_bits(Value) for the parts of an iolist, in order;
// on_bits may refuse by returning false. False: it is not an iolist.
template <class OnByte, class OnBits>
bool walk_iolist(Value at, OnByte on_byte, OnBits on_bits) {
  SmallStack<Value, 16> later;
  for (;;) {
    while (at.is_cons()) {
      spend();
      const Value head = at.head();
      at = at.tail();
      if (is_byte(head)) {
        on_byte(static_cast<uint8_t>(head.small()));
      } else if (head.is_cons()) {
        if (!at.is_nil()) later.push(at);
        at = head;
      } else if (head.is_bitstring()) {
        if (!on_bits(head)) return false;
      } else if (!head.is_nil()) {
        return false;
      }
    }
    if (at.is_bitstring() ? !on_bits(at) : !at.is_nil()) return false;
    if (later.empty()) return true;
    at = later.pop();
  }
}

// The number of bytes of an iolist or binary; empty if it is neither.
inline std::optional<uint64_t> iolist_bytes(Value iolist) {
  uint64_t size = 0;
  const bool ok = walk_iolist(
      iolist, [&](uint8_t) { ++size; },
      [&](Value bits) {
        size += bits.bit_size() / 8;
        return bits.bit_size() % 8 == 0;
      });
  if (!ok) return std::nullopt;
  return size;
}

// The bytes themselves, in `out`. False: no iolist. The caller knows that they are
// not too many.
inline bool append_iolist(std::string& out, Value iolist) {
  return walk_iolist(
      iolist, [&](uint8_t byte) { out += static_cast<char>(byte); },
      [&](Value bits) {
        if (bits.bit_size() % 8 != 0) return false;
        out += BytesOf(bits).text();
        return true;
      });
}

}  // namespace fathom::machine
