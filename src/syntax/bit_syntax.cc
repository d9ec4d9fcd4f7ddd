#include "syntax/bit_syntax.h"

#include <bit>
#include <cstring>

#include "base/utf8.h"
#include "syntax/abstract.h"

namespace fathom {
namespace {

// Sizes beyond this are refused: no attribute needs them, hostile ones ask for them.
constexpr uint64_t kMaxBits = uint64_t{1} << 26;

struct BitBuffer {
  std::vector<uint8_t> bytes;
  uint64_t bits = 0;

  void push_bit(bool bit) {
    if (bits % 8 == 0) bytes.push_back(0);
    if (bit) bytes.back() |= static_cast<uint8_t>(0x80 >> (bits % 8));
    ++bits;
  }
  void push_byte(uint8_t byte) {
    for (int i = 7; i >= 0; --i) push_bit(byte >> i & 1);
  }
};

enum class Type : uint8_t { Integer, Float, Binary, Bitstring, Utf8, Utf16, Utf32 };

struct SegmentSpec {
  Type type = Type::Integer;
  bool little = false;
  uint64_t unit = 1;
};

SegmentSpec spec_of(const Unit& unit, const node::Segment& segment) {
  SegmentSpec spec;
  std::optional<uint64_t> unit_size;
  for (const NodeId id : unit.ast.list(segment.types)) {
    const auto view = unit.ast.get<node::SegmentType>(id);
    const std::string_view name = view.name.text();
    if (name == "float") spec.type = Type::Float;
    if (name == "binary" || name == "bytes") spec.type = Type::Binary;
    if (name == "bitstring" || name == "bits") spec.type = Type::Bitstring;
    if (name == "utf8") spec.type = Type::Utf8;
    if (name == "utf16") spec.type = Type::Utf16;
    if (name == "utf32") spec.type = Type::Utf32;
    if (name == "little") spec.little = true;
    if (name == "native") spec.little = std::endian::native == std::endian::little;
    if (name == "unit" && exists(view.value)) unit_size = unit.ast.get<node::Integer>(view.value).value;
  }
  spec.unit = unit_size.value_or(spec.type == Type::Binary ? 8 : 1);
  return spec;
}

Error not_constant() { return Error{"this binary is no constant"}; }

// `size` low bits of an integer in two's complement.
Result<void> push_integer(BitBuffer& out, Term value, uint64_t size, bool little) {
  mpz_t number;
  mpz_init_set(number, MpzView(value));
  std::vector<bool> bits(size);  // least significant first
  for (uint64_t i = 0; i < size; ++i) bits[i] = mpz_tstbit(number, i);
  mpz_clear(number);
  if (!little) {
    for (uint64_t i = size; i-- > 0;) out.push_bit(bits[i]);
    return {};
  }
  for (uint64_t low = 0; low < size; low += 8) {
    const uint64_t high = std::min(low + 8, size);
    for (uint64_t i = high; i-- > low;) out.push_bit(bits[i]);
  }
  return {};
}

Result<void> push_float(BitBuffer& out, double value, uint64_t size, bool little) {
  uint8_t bytes[8];
  if (size == 64) {
    const auto word = std::bit_cast<uint64_t>(value);
    for (int i = 0; i < 8; ++i) bytes[i] = static_cast<uint8_t>(word >> (56 - 8 * i));
  } else if (size == 32) {
    const auto word = std::bit_cast<uint32_t>(static_cast<float>(value));
    for (int i = 0; i < 4; ++i) bytes[i] = static_cast<uint8_t>(word >> (24 - 8 * i));
  } else {
    return not_constant();
  }
  const auto count = static_cast<int>(size / 8);
  for (int i = 0; i < count; ++i) out.push_byte(bytes[little ? count - 1 - i : i]);
  return {};
}

void push_utf(BitBuffer& out, uint32_t c, Type type, bool little) {
  auto push_units = [&](uint32_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) {
      out.push_byte(static_cast<uint8_t>(value >> (8 * (little ? i : bytes - 1 - i))));
    }
  };
  if (type == Type::Utf8) {
    std::string text;
    append_utf8(text, c);
    for (const char byte : text) out.push_byte(static_cast<uint8_t>(byte));
  } else if (type == Type::Utf32) {
    push_units(c, 4);
  } else if (c < 0x10000) {
    push_units(c, 2);
  } else {
    push_units(0xD800 + ((c - 0x10000) >> 10), 2);
    push_units(0xDC00 + ((c - 0x10000) & 0x3FF), 2);
  }
}

class BitstringWriter {
 public:
  BitstringWriter(const Unit& unit, TermArena& arena) : unit_(unit), arena_(arena) {}

  Result<Term> write(NodeId binary) {
    for (const NodeId id : unit_.ast.list(unit_.ast.get<node::Binary>(binary).segments)) {
      auto done = segment(unit_.ast.get<node::Segment>(id));
      if (!done) return done.error();
      if (out_.bits > kMaxBits) return not_constant();
    }
    return arena_.bitstring(out_.bytes.data(), out_.bits);
  }

 private:
  Result<void> segment(const node::Segment& segment) {
    const SegmentSpec spec = spec_of(unit_, segment);
    std::optional<uint64_t> size;
    if (exists(segment.size)) {
      if (!unit_.ast.is(segment.size, NodeKind::Integer) ||
          unit_.ast[segment.size].flags & Node::kPooled) {
        return not_constant();
      }
      size = unit_.ast.get<node::Integer>(segment.size).value;
      if (*size * spec.unit > kMaxBits) return not_constant();
    }
    if (unit_.ast.is(segment.value, NodeKind::String)) return string(segment.value, spec, size);
    auto value = constant_value(unit_, segment.value, arena_);
    if (!value) return value.error();
    return push(*value, spec, size);
  }

  Result<void> string(NodeId id, const SegmentSpec& spec, std::optional<uint64_t> size) {
    const std::string_view text = unit_.literals().strings[unit_.ast.get<node::String>(id).value];
    for (const char* p = text.data(); p < text.data() + text.size();) {
      auto done = push(Term(next_code_point(&p)), spec, size);
      if (!done) return done;
      if (out_.bits > kMaxBits) return not_constant();
    }
    return {};
  }

  Result<void> push(Term value, const SegmentSpec& spec, std::optional<uint64_t> size) {
    switch (spec.type) {
      case Type::Integer:
        if (!value.is_integer()) return not_constant();
        return push_integer(out_, value, size.value_or(8) * spec.unit, spec.little);
      case Type::Float: {
        if (!value.is_float() && !value.is_small()) return not_constant();
        const double number = value.is_float() ? value.to_float() : static_cast<double>(value.small());
        return push_float(out_, number, size.value_or(64) * spec.unit, spec.little);
      }
      case Type::Binary:
      case Type::Bitstring: {
        if (!value.is_bitstring()) return not_constant();
        const BitsView bits = value.bits();
        const uint64_t count = size ? *size * spec.unit : bits.bit_count;
        if (count > bits.bit_count) return not_constant();
        for (uint64_t i = 0; i < count; ++i) out_.push_bit(bits.data[i / 8] >> (7 - i % 8) & 1);
        return {};
      }
      default: {
        const bool ok = value.is_small() && value.small() >= 0 && value.small() <= 0x10FFFF;
        if (!ok) return not_constant();
        push_utf(out_, static_cast<uint32_t>(value.small()), spec.type, spec.little);
        return {};
      }
    }
  }

  const Unit& unit_;
  TermArena& arena_;
  BitBuffer out_;
};

}  // namespace

Result<Term> constant_bitstring(const Unit& unit, NodeId binary, TermArena& arena) {
  return BitstringWriter(unit, arena).write(binary);
}

}  // namespace fathom
