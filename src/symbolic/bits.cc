// Bitstrings that are unknown: first their size is chosen, in bytes, and then each byte is an
// unknown integer. A field that is read is a term over the bytes it lies in. Inputs whose size is
// no number of bytes are not made.
#include "values/bits.h"

#include <algorithm>

#include "core/core.h"
#include "symbolic/asking.h"

namespace fathom::symbolic {

using machine::Instruction;
using machine::Op;
using Type = core::SegmentSpec::Type;

namespace {
constexpr int32_t kMostBytes = 8;
constexpr uint64_t kMostFieldBits = 56;
}  // namespace

void Asking::size_ways(Value v) {
  cut.insert("binaries longer than 8 bytes, and bitstrings of other sizes");
  const TypeId type = store_.state(v).type;
  for (int32_t n = 0; n <= kMostBytes; ++n) {
    if (!store_.types().accepts_size(type, 8 * static_cast<uint64_t>(n))) continue;
    way(
        [this, v, n] {
          store_.set_size(v, n);
          return true;
        },
        {}, (n + 1) / 2);
  }
}

Asking::Step Asking::ask_bits(Value v) {
  if (!v.is_unknown()) return run();
  const UnknownState& s = store_.state(v);
  if (s.shapes == shape::kBinary) {
    if (s.bytes >= 0) return result(Value::small(0));
    size_ways(v);
    return ask();
  }
  const Step step = ask_type(v, shape::kBinary);
  for (Way& w : ways_) {
    if (w.verdict == true) w.verdict.reset();  // the size is asked for next
  }
  return step;
}

// Some bytes of it, as a binary of its own.
Value Asking::part_of_bits(Value v, uint64_t from, uint64_t bytes) {
  const std::vector<Store::Entry> all = store_.entries(v);
  std::vector<Value> part;
  for (uint64_t i = 0; i < bytes; ++i) part.push_back(all[from + i].value);
  return store_.binary_of(part);
}

// An integer field, without sign; none: a byte is not a term, or the field is too long.
std::optional<ExprId> Asking::bits_term(Value v, uint64_t from, uint64_t bits, bool little) {
  if (bits > kMostFieldBits || (little && (from % 8 != 0 || bits % 8 != 0))) return std::nullopt;
  Expressions& e = store_.expressions();
  const std::vector<Store::Entry> bytes = store_.entries(v);
  ExprId sum = e.constant(0);
  for (uint64_t done = 0; done < bits;) {
    const uint64_t at = from + done;
    const uint64_t inside = std::min<uint64_t>(8 - at % 8, bits - done);
    auto byte = store_.term_of(bytes[at / 8].value);
    if (!byte) return std::nullopt;
    const auto behind = static_cast<int64_t>(8 - at % 8 - inside);
    if (behind > 0) byte = e.binary(ExprOp::ShiftRight, *byte, e.constant(behind));
    if (at % 8 != 0) {
      byte = e.binary(ExprOp::And, *byte, e.constant((int64_t{1} << inside) - 1));
    }
    const uint64_t weight = little ? done : bits - done - inside;
    const ExprId factor = e.constant(int64_t{1} << weight);
    sum = e.binary(ExprOp::Add, e.binary(ExprOp::Multiply, *byte, factor), sum);
    done += inside;
  }
  return sum;
}

// The segment lies there: what is read, and where the next one begins.
Asking::Step Asking::take_bits(const uint64_t* pc, Value* fp, uint64_t from, uint64_t bits) {
  const Instruction i(*pc);
  const Value v = fp[i.b()];
  const auto spec =
      core::SegmentSpec::unpack(static_cast<uint32_t>(pc[1] >> 32) & ~machine::kFixedSize);
  const auto total = static_cast<uint64_t>(store_.state(v).bytes) * 8;
  if (from + bits > total) return decided(false);
  const bool is_skipped = i.op() == Op::SkipBits || i.op() == Op::SkipFixed;
  Value found = Value::small(0);
  if (spec.type == Type::Integer && !is_skipped) {
    const auto term = spec.is_signed ? std::nullopt : bits_term(v, from, bits, spec.little);
    if (!term) {
      make_bits_concrete(v);
      return ask();
    }
    found = store_.fresh_integer(*term);
  } else if (!is_skipped) {
    if (from % 8 != 0 || bits % 8 != 0 || spec.type != Type::Bits) {
      make_bits_concrete(v);
      return ask();
    }
    found = part_of_bits(v, from / 8, bits / 8);
  }
  fp[pc[1] & 0xFFFF] = Value::small(static_cast<int64_t>(from + bits));
  if (is_skipped) return decided(true);
  return result(found);
}

Asking::Step Asking::read_bits(const uint64_t* pc, Value* fp) {
  const Instruction i(*pc);
  const bool has_size = i.op() != Op::EndBits && !(pc[1] >> 32 & machine::kFixedSize);
  const uint32_t size = pc[1] >> 16 & 0xFFFF;
  if (has_size && size != 0xFFFF && Store::has_unknowns(fp[size])) {
    Value* values[] = {&fp[size]};
    if (const Step step = ask_all(values); step.kind != Step::Kind::Run) {
      return step;
    }
  }
  const Value v = fp[i.b()];
  if (!v.is_unknown()) return run();
  const auto from = static_cast<uint64_t>(fp[i.c()].small());
  const auto total = static_cast<uint64_t>(store_.state(v).bytes) * 8;
  if (i.op() == Op::EndBits) return decided(from == total);
  const auto spec =
      core::SegmentSpec::unpack(static_cast<uint32_t>(pc[1] >> 32) & ~machine::kFixedSize);
  if (spec.type != Type::Integer && spec.type != Type::Bits) {
    make_bits_concrete(v);
    return ask();
  }
  if (spec.all) {
    if (from > total || (total - from) % spec.unit != 0) return decided(false);
    return take_bits(pc, fp, from, total - from);
  }
  if (!has_size) return take_bits(pc, fp, from, size);
  if (size == 0xFFFF || !fp[size].is_small() || fp[size].small() < 0 ||
      fp[size].small() > 1'000'000) {
    return decided(false);
  }
  return take_bits(pc, fp, from, static_cast<uint64_t>(fp[size].small()) * spec.unit);
}

std::optional<Asking::Step> Asking::ask_size(Value v) {
  const UnknownState s = store_.state(v);
  if (!(s.shapes & shape::kBinary)) return run();
  if (s.shapes != shape::kBinary) {
    ask_type(v, shape::kBinary);
    for (Way& w : ways_) w.verdict.reset();
    return ask();
  }
  if (s.bytes >= 0) return {};
  size_ways(v);
  return ask();
}

// Native functions that need only the size, or the bytes.
std::optional<Asking::Step> Asking::bits_native(std::string_view name, Value v) {
  const bool is_size = name == "byte_size" || name == "size" || name == "bit_size";
  if (!is_size && name != "binary_to_list") return {};
  if (name == "size" && store_.state(v).shapes != shape::kBinary) return {};
  if (const auto step = ask_size(v)) return *step;
  const int32_t size = store_.state(v).bytes;
  if (is_size) return result(Value::small(name == "bit_size" ? 8 * size : size));
  std::vector<Value> bytes;
  for (const Store::Entry& entry : store_.entries(v)) bytes.push_back(entry.value);
  return result(machine_.heap().list(bytes));
}

void Asking::make_bits_concrete(Value v) {
  if (store_.state(v).bytes < 0) return size_ways(v);
  std::string bytes;
  for (const Store::Entry& entry : store_.entries(v)) {
    const Value byte = Store::known(entry.value);
    if (byte.is_unknown()) return make_integer_concrete(byte);
    bytes += static_cast<char>(byte.small());
  }
  const Value binary = machine_.heap().binary(bytes);
  way([this, v, binary] { return store_.bind(v, binary); }, {}, 0);
}

}  // namespace fathom::symbolic
