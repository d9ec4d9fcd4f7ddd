// The bit syntax: building and matching.
#include <algorithm>
#include <cstring>

#include "machine/bits.h"
#include "machine/interpreter.h"
#include "machine/registers.h"
#include "machine/small_stack.h"

namespace fathom::machine {
namespace {

using core::SegmentSpec;
using Type = SegmentSpec::Type;

Endian endian_of(const SegmentSpec& spec) { return spec.little ? Endian::Little : Endian::Big; }

Utf utf_of(Type type) {
  if (type == Type::Utf16) return Utf::Utf16;
  return type == Type::Utf32 ? Utf::Utf32 : Utf::Utf8;
}

bool is_utf(Type type) { return type == Type::Utf8 || type == Type::Utf16 || type == Type::Utf32; }

constexpr uint64_t kMaxBits = uint64_t{1} << 36;

// Size * unit; empty if the size is no size.
std::optional<uint64_t> bits_of_size(Value size, uint16_t unit) {
  if (!size.is_small() || size.small() < 0) return std::nullopt;
  const auto n = static_cast<uint64_t>(size.small());
  if (n > kMaxBits) return std::nullopt;
  return n * unit;
}

// ---- Building ---------------------------------------------------------------

struct Segment {
  Value value;
  SegmentSpec spec;
  uint64_t bits = 0;
};

enum class Problem : uint8_t { None, BadArgument, Limit };

// Checks the value, and finds out how many bits it takes.
Problem measure(Segment& s, std::optional<Value> size) {
  uint64_t wanted = 0;
  if (size) {
    if (size->is_big() && !size->is_negative_big()) return Problem::Limit;
    const auto bits = bits_of_size(*size, s.spec.unit);
    if (!bits)
      return size->is_small() && size->small() >= 0 ? Problem::Limit : Problem::BadArgument;
    wanted = *bits;
  }
  switch (s.spec.type) {
    case Type::Integer:
      if (!s.value.is_integer()) return Problem::BadArgument;
      s.bits = wanted;
      return Problem::None;
    case Type::Float:
      if (!s.value.is_number() || (wanted != 16 && wanted != 32 && wanted != 64)) {
        return Problem::BadArgument;
      }
      s.bits = wanted;
      return Problem::None;
    case Type::Bits: {
      if (!s.value.is_bitstring()) return Problem::BadArgument;
      const uint64_t available = s.value.bit_size();
      s.bits = s.spec.all ? available : wanted;
      if (s.bits > available || (s.spec.all && available % s.spec.unit != 0)) {
        return Problem::BadArgument;
      }
      return Problem::None;
    }
    case Type::Utf8:
    case Type::Utf16:
    case Type::Utf32:
      if (!s.value.is_small() || s.value.small() < 0 || s.value.small() > 0x10FFFF) {
        return Problem::BadArgument;
      }
      s.bits = character_bits(static_cast<uint32_t>(s.value.small()), utf_of(s.spec.type));
      return s.bits == 0 ? Problem::BadArgument : Problem::None;
  }
  return Problem::BadArgument;
}

bool write(const Segment& s, uint8_t* bytes, uint64_t at) {
  switch (s.spec.type) {
    case Type::Integer:
      write_integer(s.value, bytes, at, s.bits, endian_of(s.spec));
      return true;
    case Type::Float: {
      const auto number = to_double(s.value);
      return number && write_float(*number, bytes, at, s.bits, endian_of(s.spec));
    }
    case Type::Bits: {
      BitsView from = machine::bits_of(s.value);
      from.size = s.bits;
      copy_bits(from, bytes, at);
      return true;
    }
    case Type::Utf8:
    case Type::Utf16:
    case Type::Utf32:
      write_character(static_cast<uint32_t>(s.value.small()), bytes, at, utf_of(s.spec.type),
                      endian_of(s.spec));
      return true;
  }
  return false;
}

// Where the bits go. If the first segment is a bitstring that ends where its buffer's
// used part does, they are added to that buffer: building a long one piece by piece
// takes time proportional to its length.
struct Target {
  Value value;
  uint8_t* bytes;
  uint64_t at;   // where the next segment goes
  size_t first;  // which segment that is
};

Target make_target(Heap& heap, const Segment* first_segment, size_t segments, uint64_t total) {
  if (segments > 1 && first_segment->spec.type == Type::Bits && first_segment->spec.all &&
      total > kMaxInlineBytes * 8) {
    const Value old = first_segment->value;
    if (old.is_box(BoxKind::SharedBits)) {
      auto* buffer = reinterpret_cast<Buffer*>(old.words()[3]);
      const uint64_t first = old.words()[2];
      const uint64_t end = first + old.bit_size();
      if (buffer->used_bits == end && first + total <= buffer->capacity * 8) {
        buffer->used_bits = first + total;
        return {heap.shared_bits(buffer, first, total), buffer->bytes, end, 1};
      }
    }
    // Twice the room, for what may be appended next.
    Buffer* buffer = heap.new_buffer(std::max<uint64_t>(256, (total + 7) / 8 * 2));
    std::memset(buffer->bytes, 0, buffer->capacity);
    buffer->used_bits = total;
    return {heap.shared_bits(buffer, 0, total), buffer->bytes, 0, 0};
  }
  const Heap::NewBits made = heap.new_bits(total);
  std::memset(made.bytes, 0, (total + 7) / 8);
  return {made.value, made.bytes, 0, 0};
}

struct Built {
  Value value;
  Problem problem;
};

__attribute__((noinline)) Built build(Heap& heap, const uint64_t* pc, const Value* fp) {
  const uint32_t n = op_b(pc);
  SmallStack<Segment, 8> segments;
  uint64_t total = 0;
  for (uint32_t i = 0; i < n; ++i) {
    const uint64_t word = pc[2 + i];
    const auto size = static_cast<uint16_t>(word >> 16);
    Segment s{fp[word & 0xFFFF], SegmentSpec::unpack(static_cast<uint32_t>(word >> 32))};
    const Problem problem =
        measure(s, size == Registers::kNone ? std::nullopt : std::optional<Value>(fp[size]));
    if (problem != Problem::None) return {Value::none(), problem};
    total += s.bits;
    if (total > kMaxBits) return {Value::none(), Problem::Limit};
    segments.push(s);
  }
  Target target = make_target(heap, n == 0 ? nullptr : &segments.at(0), n, total);
  for (size_t i = target.first; i < n; ++i) {
    const Segment& s = segments.at(i);
    if (!write(s, target.bytes, target.at)) return {Value::none(), Problem::BadArgument};
    target.at += s.bits;
  }
  return {target.value, Problem::None};
}

__attribute__((noinline)) void build_failed(STEP, Problem problem) {
  if (problem == Problem::Limit) {
    m.context.system_limit();
  } else {
    m.context.badarg();
  }
  return fail_or_raise(m, pc, fp, m.heap().top(), 1);
}

}  // namespace

void op_BuildBits(STEP) {
  m.heap().set_top(hp);
  const Built built = build(m.heap(), pc, fp);
  if (built.problem != Problem::None) return build_failed(m, pc, fp, hp, built.problem);
  fp[op_a(pc)] = built.value;
  hp = m.heap().top();
  NEXT(2 + op_b(pc));
}

// ---- Matching ---------------------------------------------------------------

void op_StartBits(STEP) {
  if (!fp[op_b(pc)].is_bitstring()) FAIL(1);
  fp[op_a(pc)] = Value::small(0);
  NEXT(2);
}

void op_EndBits(STEP) {
  if (fp[op_c(pc)].small() != static_cast<int64_t>(fp[op_b(pc)].bit_size())) FAIL(1);
  NEXT(2);
}

namespace {

struct Reading {
  BitsView view;
  uint64_t at;    // of the first bit, in view.bytes
  uint64_t left;  // bits
  SegmentSpec spec;
  uint64_t bits = 0;  // how many it takes
};

// How many bits the segment takes; false if they are not there.
bool measure(Reading& r, std::optional<Value> size) {
  if (is_utf(r.spec.type)) return true;
  if (r.spec.all) {
    r.bits = r.left;
    return r.left % r.spec.unit == 0;
  }
  const auto bits = bits_of_size(*size, r.spec.unit);
  if (!bits || *bits > r.left) return false;
  r.bits = *bits;
  return true;
}

// none() if there is no such value.
Value read(Machine& m, Reading& r, Value subject, uint64_t position) {
  Heap& heap = m.heap();
  switch (r.spec.type) {
    case Type::Integer:
      return read_integer(heap, r.view.bytes, r.at, r.bits, endian_of(r.spec), r.spec.is_signed);
    case Type::Float: {
      const auto number = read_float(r.view.bytes, r.at, r.bits, endian_of(r.spec));
      return number ? heap.real(*number) : Value::none();
    }
    case Type::Bits:
      return heap.sub_bits(subject, position, r.bits);
    case Type::Utf8:
    case Type::Utf16:
    case Type::Utf32: {
      const auto c =
          read_character(r.view.bytes, r.at, r.at + r.left, utf_of(r.spec.type), endian_of(r.spec));
      if (!c) return Value::none();
      r.bits = c->bits;
      return Value::small(c->code_point);
    }
  }
  return Value::none();
}

// The value, and in `next` the position behind it; none() if it does not match.
__attribute__((noinline)) Value take(Machine& m, const uint64_t* pc, const Value* fp, bool wanted,
                                     int64_t& next) {
  const Value subject = fp[op_b(pc)];
  const auto position = static_cast<uint64_t>(fp[op_c(pc)].small());
  const auto size = static_cast<uint16_t>(pc[1]);
  Reading r{bits_of(subject), 0, 0, SegmentSpec::unpack(static_cast<uint32_t>(pc[1] >> 32))};
  r.at = r.view.first + position;
  r.left = r.view.size - position;
  if (!measure(r, size == Registers::kNone ? std::nullopt : std::optional<Value>(fp[size]))) {
    return Value::none();
  }
  // A skipped float or character must be one all the same.
  const bool plain = r.spec.type == Type::Integer || r.spec.type == Type::Bits;
  const Value value = wanted || !plain ? read(m, r, subject, position) : Value::small(0);
  next = static_cast<int64_t>(position + r.bits);
  return value;
}

}  // namespace

void op_ReadBits(STEP) {
  int64_t next = 0;
  m.heap().set_top(hp);
  const Value value = take(m, pc, fp, true, next);
  hp = m.heap().top();
  if (value.is_none()) FAIL(2);
  fp[op_a(pc)] = value;
  fp[pc[1] >> 16 & 0xFFFF] = Value::small(next);
  NEXT(3);
}

void op_SkipBits(STEP) {
  int64_t next = 0;
  m.heap().set_top(hp);
  if (take(m, pc, fp, false, next).is_none()) FAIL(2);
  fp[pc[1] >> 16 & 0xFFFF] = Value::small(next);
  NEXT(3);
}

}  // namespace fathom::machine
