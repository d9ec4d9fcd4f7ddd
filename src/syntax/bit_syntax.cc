#include "syntax/bit_syntax.h"

#include <bit>
#include <cmath>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "syntax/abstract.h"

namespace fathom {
namespace {

// What goes beyond these is refused: no attribute needs it, hostile ones ask for
// it. The text of strings may be as long as it likes.
constexpr uint64_t kMaxBitsOfBinary = uint64_t{1} << 26;
constexpr uint64_t kMaxBitsOfCharacter = 64;
constexpr int kMaxNestedBinaries = 8;  // binaries as values in binaries

struct BitBuffer {
  std::vector<uint8_t> bytes;
  uint64_t bits = 0;

  // The `count` low bits of a byte.
  void push(uint8_t value, uint64_t count) {
    if (count == 0) return;
    value = static_cast<uint8_t>(value << (8 - count));
    const uint64_t used = bits % 8;
    if (used == 0) {
      bytes.push_back(value);
    } else {
      bytes.back() |= static_cast<uint8_t>(value >> used);
      if (used + count > 8) bytes.push_back(static_cast<uint8_t>(value << (8 - used)));
    }
    bits += count;
  }
  void push_byte(uint8_t byte) { push(byte, 8); }
};

enum class Type : uint8_t { Integer, Float, Binary, Utf8, Utf16, Utf32 };
enum class Endian : uint8_t { Big, Little, Native };

struct SegmentSpec {
  std::optional<Type> type;
  std::optional<uint64_t> unit;
  std::optional<Endian> endian;
  std::optional<bool> is_signed;

  bool is_utf() const { return type == Type::Utf8 || type == Type::Utf16 || type == Type::Utf32; }
  bool is_little() const {
    if (endian == Endian::Native) return std::endian::native == std::endian::little;
    return endian == Endian::Little;
  }
};

Error not_constant() { return Error{"this binary is not a constant"}; }

// Sets a property of a segment; false if it has another value already.
template <class T>
bool merge(std::optional<T>& property, T value) {
  if (!property) property = value;
  return property == value;
}

bool add_type(SegmentSpec& spec, std::string_view name) {
  if (name == "integer") return merge(spec.type, Type::Integer);
  if (name == "float") return merge(spec.type, Type::Float);
  if (name == "binary") return merge(spec.type, Type::Binary);
  if (name == "bytes") return merge(spec.type, Type::Binary) && merge(spec.unit, uint64_t{8});
  if (name == "bitstring" || name == "bits")
    return merge(spec.type, Type::Binary) && merge(spec.unit, uint64_t{1});
  if (name == "utf8") return merge(spec.type, Type::Utf8);
  if (name == "utf16") return merge(spec.type, Type::Utf16);
  if (name == "utf32") return merge(spec.type, Type::Utf32);
  if (name == "big") return merge(spec.endian, Endian::Big);
  if (name == "little") return merge(spec.endian, Endian::Little);
  if (name == "native") return merge(spec.endian, Endian::Native);
  if (name == "signed") return merge(spec.is_signed, true);
  if (name == "unsigned") return merge(spec.is_signed, false);
  return false;
}

// As erl_bits:set_bit_type/2: no unit without a size, but for binaries; neither
// for UTF.
std::optional<SegmentSpec> spec_of(const Unit& unit, const node::Segment& segment) {
  SegmentSpec spec;
  for (const NodeId id : unit.ast.list(segment.types)) {
    const auto view = unit.ast.get<node::SegmentType>(id);
    if (!exists(view.value)) {
      if (!add_type(spec, view.name.text())) return std::nullopt;
      continue;
    }
    const uint64_t value = unit.ast.get<node::Integer>(view.value).value;
    const bool ok = view.name.text() == "unit" && !(unit.ast[view.value].flags & Node::kPooled) &&
                    value >= 1 && value <= 256 && merge(spec.unit, value);
    if (!ok) return std::nullopt;
  }
  merge(spec.type, spec.type.value_or(Type::Integer));
  if (spec.is_utf() && (exists(segment.size) || spec.unit)) return std::nullopt;
  if (spec.type != Type::Binary && !exists(segment.size) && spec.unit) return std::nullopt;
  merge(spec.unit, spec.unit.value_or(spec.type == Type::Binary ? 8 : 1));
  return spec;
}

// `size` low bits of an integer in two's complement.
Result<void> push_integer(BitBuffer& out, Term value, uint64_t size, bool little) {
  std::vector<uint8_t> bytes((size + 7) / 8);  // least significant first
  mpz_t number;
  mpz_init(number);
  mpz_fdiv_r_2exp(number, MpzView(value), size);
  mpz_export(bytes.data(), nullptr, -1, 1, 0, 0, number);
  mpz_clear(number);
  const uint64_t whole = size / 8;
  if (!little) {
    if (size % 8 != 0) out.push(bytes[whole], size % 8);
    for (uint64_t i = whole; i-- > 0;) out.push_byte(bytes[i]);
    return {};
  }
  for (uint64_t i = 0; i < whole; ++i) out.push_byte(bytes[i]);
  if (size % 8 != 0) out.push(bytes[whole], size % 8);
  return {};
}

// IEEE 754 binary16, rounded to nearest, ties to even.
uint16_t half_of(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
  uint32_t magnitude = bits & 0x7FFFFFFF;
  if (magnitude >= 0x477FF000) return sign | 0x7C00;  // from 65520 on
  if (magnitude < 0x38800000) {                       // below 2^-14: a multiple of 2^-24
    return sign | static_cast<uint16_t>(std::nearbyint(std::fabs(value) * 0x1p24F));
  }
  magnitude += 0x0FFF + (magnitude >> 13 & 1);
  return sign | static_cast<uint16_t>((magnitude - 0x38000000) >> 13);
}

Result<void> push_float(BitBuffer& out, double value, uint64_t size, bool little) {
  uint64_t word = 0;
  if (size == 64) {
    word = std::bit_cast<uint64_t>(value);
  } else if (size == 32) {
    word = std::bit_cast<uint32_t>(static_cast<float>(value));
  } else if (size == 16) {
    word = half_of(static_cast<float>(value));
  } else {
    return not_constant();
  }
  const auto count = static_cast<int>(size / 8);
  for (int i = 0; i < count; ++i) {
    out.push_byte(static_cast<uint8_t>(word >> (8 * (little ? i : count - 1 - i))));
  }
  return {};
}

double to_double(Term number) {
  return number.is_float() ? number.to_float() : integer_to_double(MpzView(number));
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
  BitstringWriter(const Unit& unit, TermArena& arena, int depth)
      : unit_(unit), arena_(arena), depth_(depth) {}

  Result<Term> write(NodeId binary) {
    if (depth_ > kMaxNestedBinaries) return not_constant();
    for (const NodeId id : unit_.ast.list(unit_.ast.get<node::Binary>(binary).segments)) {
      auto done = segment(unit_.ast.get<node::Segment>(id));
      if (!done) return done.error();
      if (out_.bits > room_) return not_constant();
    }
    return arena_.bitstring(out_.bytes.data(), out_.bits);
  }

 private:
  Result<void> segment(const node::Segment& segment) {
    const auto spec = spec_of(unit_, segment);
    if (!spec) return not_constant();
    std::optional<uint64_t> size;
    if (exists(segment.size)) {
      const auto value = constant_in_bits(segment.size);
      if (!value || !value->is_small() || value->small() < 0) return not_constant();
      size = static_cast<uint64_t>(value->small());
      if (*size > kMaxBitsOfBinary || *size * *spec->unit > kMaxBitsOfBinary) return not_constant();
    }
    if (unit_.ast.is(segment.value, NodeKind::String)) return string(segment.value, *spec, size);
    auto value = constant_in_bits(segment.value);
    if (!value) return value.error();
    return push(*value, *spec, size);
  }

  Result<Term> constant_in_bits(NodeId id) {
    if (!unit_.ast.is(id, NodeKind::Binary))
      return constant_value(unit_, id, arena_, NameArity::Refused);
    return constant_bitstring(unit_, id, arena_, depth_ + 1);
  }

  Result<void> string(NodeId id, const SegmentSpec& spec, std::optional<uint64_t> size) {
    const std::string_view text = unit_.literals().strings[unit_.ast.get<node::String>(id).value];
    if (text.empty()) {  // no bits, but what a character could not be is an error all the same
      BitBuffer saved = std::exchange(out_, {});
      auto done = push(Term(0), spec, size);
      out_ = std::move(saved);
      return done;
    }
    room_ += text.size() * kMaxBitsOfCharacter;
    for (const char* p = text.data(); p < text.data() + text.size();) {
      auto done = push(Term(next_code_point(&p)), spec, size);
      if (!done) return done;
      if (out_.bits > room_) return not_constant();
    }
    return {};
  }

  Result<void> push(Term value, const SegmentSpec& spec, std::optional<uint64_t> size) {
    const bool is_number = value.is_integer() || value.is_float();
    switch (*spec.type) {
      case Type::Integer:
        if (!value.is_integer()) return not_constant();
        return push_integer(out_, value, size.value_or(8) * *spec.unit, spec.is_little());
      case Type::Float: {
        const double number = is_number ? to_double(value) : INFINITY;
        if (!std::isfinite(number)) return not_constant();
        return push_float(out_, number, size.value_or(64) * *spec.unit, spec.is_little());
      }
      case Type::Binary: {
        if (!value.is_bitstring()) return not_constant();
        const BitsView bits = value.bits();
        const uint64_t count = size ? *size * *spec.unit : bits.bit_count;
        if (count > bits.bit_count || (!size && count % *spec.unit != 0)) return not_constant();
        for (uint64_t i = 0; i < count / 8; ++i) out_.push_byte(bits.data[i]);
        if (count % 8 != 0) out_.push(bits.data[count / 8] >> (8 - count % 8), count % 8);
        room_ += count;
        return {};
      }
      case Type::Utf8:
      case Type::Utf16:
      case Type::Utf32: {
        const bool ok = value.is_small() && value.small() >= 0 && value.small() <= 0x10FFFF &&
                        (value.small() < 0xD800 || value.small() > 0xDFFF);
        if (!ok) return not_constant();
        push_utf(out_, static_cast<uint32_t>(value.small()), *spec.type, spec.is_little());
        return {};
      }
    }
    return not_constant();
  }

  const Unit& unit_;
  TermArena& arena_;
  int depth_;
  uint64_t room_ = kMaxBitsOfBinary;
  BitBuffer out_;
};

}  // namespace

Result<Term> constant_bitstring(const Unit& unit, NodeId binary, TermArena& arena, int depth) {
  return BitstringWriter(unit, arena, depth).write(binary);
}

}  // namespace fathom
