// The bit syntax: building and matching.
#include <algorithm>
#include <cstring>

#include "code/registers.h"
#include "machine/interpreter.h"
#include "machine/label_moves.h"
#include "values/bits.h"
#include "values/maps.h"

namespace fathom::machine::FATHOM_INTERPRETER {
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

// Size * unit; empty if the value is not a size.
std::optional<uint64_t> bits_of_size(Value size, uint16_t unit) {
  if (!size.is_small() || size.small() < 0) return std::nullopt;
  const auto n = static_cast<uint64_t>(size.small());
  if (n > kMaxBits) return std::nullopt;
  return n * unit;
}

// Like bits_of, for the quick ways.
inline BitsView view_of(Value bitstring) {
  const uint64_t* words = bitstring.words();
  if (bitstring.header().kind() == BoxKind::InlineBits) {
    return {reinterpret_cast<const uint8_t*>(words + 2), 0, words[1]};
  }
  return {reinterpret_cast<const Buffer*>(words[3])->bytes, words[2], words[1]};
}

// ---- Building ---------------------------------------------------------------

// A segment of the instruction: its value is checked, and how many bits it takes.
struct Segment {
  Value value;
  SegmentSpec spec;
  uint64_t bits = 0;
};

enum class Problem : uint8_t { None, BadArgument, Limit };

// The size of segment or reading, in bits; empty if it is not a size.
struct Size {
  std::optional<uint64_t> bits;
  Value value;  // of the register
};

inline Size size_in(uint64_t word, const SegmentSpec& spec, const Value* fp) {
  const auto size = static_cast<uint16_t>(word >> 16);
  if (word >> 32 & kFixedSize) return {size, {}};
  if (size == Registers::kNone) return {0, {}};
  return {bits_of_size(fp[size], spec.unit), fp[size]};
}

[[gnu::always_inline]] inline Problem measure(Segment& s, uint64_t word, const Value* fp) {
  s.value = fp[word & 0xFFFF];
  s.spec = SegmentSpec::unpack(static_cast<uint32_t>(word >> 32));
  const Size size = size_in(word, s.spec, fp);
  if (!size.bits) {
    const Value v = size.value;
    const bool too_large = v.is_small() ? v.small() >= 0 : v.is_big() && !v.is_negative_big();
    return too_large ? Problem::Limit : Problem::BadArgument;
  }
  const uint64_t wanted = *size.bits;
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

[[gnu::always_inline]] inline bool write(const Segment& s, uint8_t* bytes, uint64_t at) {
  switch (s.spec.type) {
    case Type::Integer:
      if (s.bits == 8 && at % 8 == 0 && s.value.is_small()) {
        bytes[at / 8] = static_cast<uint8_t>(s.value.small());
        return true;
      }
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

Target make_target(Heap& heap, const uint64_t* pc, const Value* fp, uint64_t total) {
  const auto first_spec = SegmentSpec::unpack(static_cast<uint32_t>(pc[2] >> 32));
  if (op_b(pc) > 1 && first_spec.type == Type::Bits && first_spec.all &&
      total > kMaxInlineBytes * 8) {
    const Value old = fp[pc[2] & 0xFFFF];
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
  if (n == 0) return {heap.new_bits(0).value, Problem::None};
  uint64_t total = 0;
  for (uint32_t i = 0; i < n; ++i) {
    Segment s;
    if (const Problem problem = measure(s, pc[2 + i], fp); problem != Problem::None) {
      return {Value::none(), problem};
    }
    total += s.bits;
    if (total > kMaxBits) return {Value::none(), Problem::Limit};
  }
  // Measured again rather than remembered.
  Target target = make_target(heap, pc, fp, total);
  for (size_t i = target.first; i < n; ++i) {
    Segment s;
    measure(s, pc[2 + i], fp);
    if (!write(s, target.bytes, target.at)) return {Value::none(), Problem::BadArgument};
    target.at += s.bits;
  }
  return {target.value, Problem::None};
}

// ---- Why a construction fails, as erl_erts_errors:format_bs_fail/2 reads it

struct Cause {
  std::string_view what;
  Value value;
};

std::optional<Cause> all_bits_cause(Value value, const SegmentSpec& spec) {
  if (!value.is_bitstring()) return Cause{"type", value};
  if (value.bit_size() % spec.unit != 0) return Cause{"unit", value};
  return std::nullopt;
}

bool is_character(uint64_t word, const Value* fp) {
  Segment s;
  return measure(s, word, fp) == Problem::None;
}

bool takes_all(const SegmentSpec& spec) { return spec.type == Type::Bits && spec.all; }

// First come sizes, and values that tell the size. That of what a first bitstring is appended to
// is looked at when all others are known.
std::optional<Cause> size_cause(uint64_t word, const SegmentSpec& spec, const Value* fp,
                                bool is_first) {
  const Value value = fp[word & 0xFFFF];
  const Size size = size_in(word, spec, fp);
  if (!size.bits) return Cause{"size", size.value};
  if (takes_all(spec) && !is_first && !value.is_bitstring()) return Cause{"type", value};
  if (spec.type == Type::Utf32 && !is_character(word, fp)) return Cause{"type", value};
  return std::nullopt;
}

std::optional<Cause> first_cause(uint64_t word, const SegmentSpec& spec, const Value* fp,
                                 bool is_first) {
  if (!is_first || !takes_all(spec)) return std::nullopt;
  return all_bits_cause(fp[word & 0xFFFF], spec);
}

std::optional<Cause> value_cause(uint64_t word, const SegmentSpec& spec, const Value* fp,
                                 bool /*is_first*/) {
  const Value value = fp[word & 0xFFFF];
  const uint64_t bits = *size_in(word, spec, fp).bits;
  if (spec.type == Type::Integer && !value.is_integer()) return Cause{"type", value};
  if (spec.type == Type::Float) {
    if (!value.is_number()) return Cause{"type", value};
    if (bits != 16 && bits != 32 && bits != 64) {
      return Cause{"invalid", Value::small(static_cast<int64_t>(bits))};
    }
    if (!to_double(value)) return Cause{"no_float", value};
  }
  if (spec.type == Type::Bits && !spec.all) {
    if (!value.is_bitstring()) return Cause{"type", value};
    if (bits > value.bit_size()) return Cause{"short", value};
  }
  if (takes_all(spec)) return all_bits_cause(value, spec);
  if (is_utf(spec.type) && !is_character(word, fp)) return Cause{"type", value};
  return std::nullopt;
}

std::string_view segment_word(Type type) {
  switch (type) {
    case Type::Integer:
      return "integer";
    case Type::Float:
      return "float";
    case Type::Bits:
      return "binary";
    case Type::Utf8:
      return "utf8";
    case Type::Utf16:
      return "utf16";
    case Type::Utf32:
      return "utf32";
  }
  return "";
}

// How many segments of the program it is: constants in a row are one here.
int64_t source_segments(uint64_t word, const SegmentSpec& spec) {
  const bool is_merged = spec.all && (word >> 32 & kFixedSize) != 0;
  return is_merged ? static_cast<int64_t>(word >> 16 & 0xFFFF) : 1;
}

bool is_too_large(const Cause& cause) {
  const Value v = cause.value;
  return cause.what == "size" &&
         (v.is_small() ? v.small() >= 0 : v.is_big() && !v.is_negative_big());
}

// [{error_info, #{cause => {Segment, Type, What, Value}, …}}], and what it is if that is a size.
Value construction_info(Heap& heap, const uint64_t* pc, const Value* fp, Problem& problem) {
  if (op_c(pc) == 1) return Value::nil();
  for (const auto find : {size_cause, first_cause, value_cause}) {
    int64_t number = 1;
    for (uint32_t i = 0; i < op_b(pc); ++i) {
      const auto spec = SegmentSpec::unpack(static_cast<uint32_t>(pc[2 + i] >> 32));
      const std::optional<Cause> cause = find(pc[2 + i], spec, fp, i == 0);
      if (!cause) {
        number += source_segments(pc[2 + i], spec);
        continue;
      }
      problem = is_too_large(*cause) ? Problem::Limit : Problem::BadArgument;
      const Value why = heap.tuple(
          {Value::small(number), atom(segment_word(spec.type)), atom(cause->what), cause->value});
      const Value pairs[] = {atom("cause"),        why,
                             atom("function"),     atom("format_bs_fail"),
                             Value(atoms::module), atom("erl_erts_errors")};
      const Value info = heap.tuple({atom("error_info"), map_from_pairs(heap, pairs)});
      return heap.list({&info, 1});
    }
  }
  return Value::nil();
}

__attribute__((noinline)) void build_failed(STEP, Problem problem) {
  const Value info = construction_info(m.heap(), pc, fp, problem);
  if (problem == Problem::Limit) {
    m.context.system_limit();
  } else {
    m.context.badarg();
  }
  m.state.pending.extra = info;
  return fail_or_raise(m, pc, fp, m.heap().top(), 1);
}

}  // namespace

void op_BuildBits(STEP) {
  m.heap().set_top(hp);
  const Built built = build(m.heap(), pc, fp);
  if (built.problem != Problem::None) return build_failed(m, pc, fp, hp, built.problem);
  fp[op_a(pc)] = built.value;
  label_new(m, pc, hp);
  hp = m.heap().top();
  NEXT(2 + op_b(pc));
}

// ---- Matching ---------------------------------------------------------------

void op_StartBits(STEP) {
  if (!fp[op_b(pc)].is_bitstring()) FAIL(1);
  note_use(m, pc, fp + op_b(pc));
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
bool measure(Reading& r, uint64_t word, const Value* fp) {
  if (is_utf(r.spec.type)) return true;
  if (r.spec.all) {
    r.bits = r.left;
    return r.left % r.spec.unit == 0;
  }
  const Size size = size_in(word, r.spec, fp);
  if (!size.bits || *size.bits > r.left) return false;
  r.bits = *size.bits;
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

// The value, and in `next` the position after it; none() if it does not match.
__attribute__((noinline)) Value take(Machine& m, const uint64_t* pc, const Value* fp, bool wanted,
                                     int64_t& next) {
  const Value subject = fp[op_b(pc)];
  const auto position = static_cast<uint64_t>(fp[op_c(pc)].small());
  Reading r{view_of(subject), 0, 0, SegmentSpec::unpack(static_cast<uint32_t>(pc[1] >> 32))};
  r.at = r.view.first + position;
  r.left = r.view.size - position;
  if (!measure(r, pc[1], fp)) return Value::none();
  // A skipped float or character must be one all the same.
  const bool plain = r.spec.type == Type::Integer || r.spec.type == Type::Bits;
  const Value value = wanted || !plain ? read(m, r, subject, position) : Value::small(0);
  next = static_cast<int64_t>(position + r.bits);
  return value;
}

// What a segment gives is a value of its own, even if it is all of the bitstring.
Value own_bits(Machine& m, Value whole, Value segment) {
  return kLabelled && segment == whole ? copy_of_box(m.heap(), segment) : segment;
}

}  // namespace

void op_ReadBits(STEP) {
  int64_t next = 0;
  m.heap().set_top(hp);
  const Value value = own_bits(m, fp[op_b(pc)], take(m, pc, fp, true, next));
  label_new(m, pc, hp);
  hp = m.heap().top();
  if (value.is_none()) FAIL(2);
  fp[op_a(pc)] = value;
  set_label(m, fp + op_a(pc), own_label(pc));
  fp[pc[1] & 0xFFFF] = Value::small(next);
  NEXT(3);
}

void op_SkipBits(STEP) {
  int64_t next = 0;
  m.heap().set_top(hp);
  if (take(m, pc, fp, false, next).is_none()) FAIL(2);
  fp[pc[1] & 0xFFFF] = Value::small(next);
  NEXT(3);
}

// ---- The frequent kinds of segments -----------------------------------------

namespace {

// A number of `bits` bits, at most kMaxFixedInteger, from bit `at` on.
inline uint64_t load_integer(const uint8_t* bytes, uint64_t at, uint32_t bits) {
  bytes += at / 8;
  const uint32_t end = at % 8 + bits;
  if (end == 8) return bytes[0] & (0xFFu >> at % 8);
  uint64_t number = 0;
  for (uint32_t i = 0; i < end; i += 8) number = number << 8 | *bytes++;
  return number >> (-end & 7) & ((uint64_t{1} << bits) - 1);
}

}  // namespace

void op_ReadInteger(STEP) {
  const BitsView view = view_of(fp[op_b(pc)]);
  const auto position = static_cast<uint64_t>(fp[op_c(pc)].small());
  const uint32_t bits = pc[1] >> 16 & 0xFFFF;
  if (view.size - position < bits) FAIL(2);
  uint64_t number = load_integer(view.bytes, view.first + position, bits);
  const auto spec = SegmentSpec::unpack(static_cast<uint32_t>(pc[1] >> 32));
  if (spec.little) number = __builtin_bswap64(number << (64 - bits));
  if (spec.is_signed) {
    number = static_cast<uint64_t>(static_cast<int64_t>(number << (64 - bits)) >> (64 - bits));
  }
  fp[op_a(pc)] = Value::small(static_cast<int64_t>(number));
  set_label(m, fp + op_a(pc), own_label(pc));
  fp[pc[1] & 0xFFFF] = Value::small(static_cast<int64_t>(position + bits));
  NEXT(3);
}

void op_SkipFixed(STEP) {
  const auto position = static_cast<uint64_t>(fp[op_c(pc)].small());
  const uint32_t bits = pc[1] >> 16 & 0xFFFF;
  if (fp[op_b(pc)].bit_size() - position < bits) FAIL(2);
  fp[pc[1] & 0xFFFF] = Value::small(static_cast<int64_t>(position + bits));
  NEXT(3);
}

void op_ReadRest(STEP) {
  const Value subject = fp[op_b(pc)];
  const auto position = static_cast<uint64_t>(fp[op_c(pc)].small());
  const uint64_t size = subject.bit_size();
  const uint64_t left = size - position;
  const auto spec = SegmentSpec::unpack(static_cast<uint32_t>(pc[1] >> 32));
  // Without a division where the unit is the usual one.
  const bool fits = spec.unit == 1 || (spec.unit == 8 ? left % 8 == 0 : left % spec.unit == 0);
  if (!fits) FAIL(2);
  m.heap().set_top(hp);
  fp[op_a(pc)] = own_bits(m, subject, m.heap().sub_bits(subject, position, left));
  label_new(m, pc, hp);
  hp = m.heap().top();
  fp[pc[1] & 0xFFFF] = Value::small(static_cast<int64_t>(size));
  NEXT(3);
}

}  // namespace fathom::machine::FATHOM_INTERPRETER
