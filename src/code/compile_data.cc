// Data and patterns.
#include <algorithm>

#include "code/function_compiler.h"
#include "values/bits.h"

namespace fathom::machine {

using core::exists;

void FunctionCompiler::data_node(NodeId id) {
  const core::Node& n = module_[id];
  switch (n.kind) {
    case Kind::Literal:
      if (registers_.constants[static_cast<size_t>(n.result)] || !is_used(n.result)) return;
      emit(Op::Load, result(n.result));
      return emit_word(table_.literal(owner_, module_.get<core::node::Literal>(id).value).raw());
    case Kind::Copy:
      if (is_used(n.result)) move_to(result(n.result), module_.get<core::node::Copy>(id).value);
      return;
    case Kind::Tuple: {
      const std::span<const VarId> elements =
          module_.vars(module_.get<core::node::Tuple>(id).elements);
      const uint16_t to = result(n.result);
      return emit_with_registers(Op::Tuple, to, static_cast<uint32_t>(elements.size()), 0, elements,
                                 {});
    }
    case Kind::Cons: {
      const auto c = module_.get<core::node::Cons>(id);
      const uint16_t head = reg(c.head);
      const uint16_t tail = reg(c.tail);
      emit(Op::Cons, result(n.result), head, tail);
      return;
    }
    case Kind::Map: {
      const std::span<const VarId> pairs = module_.vars(module_.get<core::node::Map>(id).pairs);
      return emit_with_registers(Op::Map, result(n.result), static_cast<uint32_t>(pairs.size() / 2),
                                 0, pairs, {});
    }
    case Kind::MapPut:
      return map_update(id, Op::MapPut);
    case Kind::MapReplace:
      return map_update(id, Op::MapReplace);
    case Kind::Binary:
      return binary_node(id);
    case Kind::Fun: {
      const auto f = module_.get<core::node::Fun>(id);
      const std::span<const VarId> captures = module_.vars(f.captures);
      const Function* code = owner_.functions[static_cast<size_t>(f.code)];
      return emit_with_registers(Op::Fun, result(n.result), static_cast<uint32_t>(captures.size()),
                                 0, captures, {reinterpret_cast<uint64_t>(code)});
    }
    case Kind::ExternalFun: {
      const auto f = module_.get<core::node::ExternalFun>(id);
      const uint16_t m = reg(f.module);
      const uint16_t name = reg(f.name);
      const uint16_t arity = reg(f.arity);
      const uint32_t at = emit(Op::ExternalFun, result(n.result), m, name);
      emit_word(arity);
      return emit_fail(at, id, guard_fail(id));
    }
    case Kind::Stacktrace: {
      const uint16_t trace = reg(module_.get<core::node::Stacktrace>(id).trace);
      emit(Op::Stacktrace, result(n.result), trace);
      return;
    }
    default:
      return;
  }
}

// Constants among the operands are loaded before the instruction itself.
void FunctionCompiler::emit_with_registers(Op op, uint32_t a, uint32_t b, uint32_t c,
                                           std::span<const VarId> vars,
                                           std::initializer_list<uint64_t> words) {
  std::vector<uint16_t> regs;
  for (const VarId v : vars) regs.push_back(reg(v));
  emit(op, a, b, c);
  for (const uint64_t word : words) emit_word(word);
  emit_packed(regs);
}

void FunctionCompiler::emit_packed(std::span<const uint16_t> regs) {
  for (size_t i = 0; i < regs.size(); i += 4) {
    uint64_t packed = 0;
    for (size_t j = 0; j < 4 && i + j < regs.size(); ++j) {
      packed |= uint64_t{regs[i + j]} << (16 * j);
    }
    emit_word(packed);
  }
}

void FunctionCompiler::map_update(NodeId id, Op op) {
  const VarId old{module_.slot(id, 0)};  // both kinds have the same fields
  const std::span<const VarId> pairs = module_.vars(ListId{module_.slot(id, 1)});
  std::vector<uint16_t> regs;
  for (const VarId v : pairs) regs.push_back(reg(v));
  const uint16_t map = reg(old);
  const uint32_t at =
      emit(op, result(module_[id].result), map, static_cast<uint32_t>(pairs.size() / 2));
  emit_fail(at, id, guard_fail(id));
  emit_packed(regs);
}

// ---- Bitstrings -------------------------------------------------------------

// Size and spec, as instructions have them: bits 16 to 63.
uint64_t FunctionCompiler::packed_size(VarId size, uint32_t spec) {
  if (!exists(size)) return uint64_t{Registers::kNone} << 16 | uint64_t{spec} << 32;
  if (const auto bits = fixed_size(size, spec)) {
    return *bits << 16 | uint64_t{spec | kFixedSize} << 32;
  }
  return uint64_t{reg(size)} << 16 | uint64_t{spec} << 32;
}

// In bits, if it is a constant that fits an instruction's part.
std::optional<uint64_t> FunctionCompiler::fixed_size(VarId size, uint32_t spec) {
  const auto value = exists(size) ? constant(size) : std::nullopt;
  if (!value || !value->is_small() || value->small() < 0 || value->small() > 0xFFFF) {
    return std::nullopt;
  }
  const uint64_t bits =
      static_cast<uint64_t>(value->small()) * core::SegmentSpec::unpack(spec).unit;
  return bits <= 0xFFFF ? std::optional(bits) : std::nullopt;
}

// The bytes of the segments from the first on that are constants of whole bytes, as the
// characters of a string are; how many segments, in `count`.
std::string FunctionCompiler::constant_bytes(std::span<const NodeId> segments, size_t& count) {
  std::string bytes;
  for (count = 0; count < segments.size(); ++count) {
    const auto s = module_.get<core::node::Segment>(segments[count]);
    const auto spec = core::SegmentSpec::unpack(s.spec);
    const auto value = constant(s.value);
    const auto bits = fixed_size(s.size, s.spec);
    if (spec.type != core::SegmentSpec::Type::Integer || !value || !value->is_small() || !bits ||
        *bits % 8 != 0 || *bits > 64) {
      break;
    }
    uint8_t written[8] = {};
    write_integer(*value, written, 0, *bits, spec.little ? Endian::Little : Endian::Big);
    bytes.append(reinterpret_cast<const char*>(written), *bits / 8);
  }
  return bytes;
}

// OTP's compiler sees by itself that it can never be built, and puts a plain error in place of the
// binary.
bool FunctionCompiler::is_refused_segment(NodeId id) {
  const auto s = module_.get<core::node::Segment>(id);
  const auto spec = core::SegmentSpec::unpack(s.spec);
  const auto size = core::exists(s.size) ? constant(s.size) : std::optional<Value>();
  const auto value = constant(s.value);
  const bool is_size = !size || (size->is_small() && size->small() >= 0) || !size->is_number();
  const bool is_real = spec.type == core::SegmentSpec::Type::Integer && value && value->is_float();
  return !is_size || is_real;
}

void FunctionCompiler::binary_node(NodeId id) {
  std::span<const NodeId> segments = module_.nodes(module_.get<core::node::Binary>(id).segments);
  std::vector<uint64_t> words;
  words.reserve(segments.size());
  const bool is_refused =
      std::ranges::any_of(segments, [&](NodeId segment) { return is_refused_segment(segment); });
  while (!segments.empty()) {
    size_t count = 0;
    const std::string bytes = constant_bytes(segments, count);
    if (count > 1) {
      const uint16_t r = scratch();
      emit(Op::Load, r);
      emit_word(table_.binary_literal(bytes).raw());
      const core::SegmentSpec all{.type = core::SegmentSpec::Type::Bits, .all = true, .unit = 8};
      // Errors name a segment by its number: how many these were stands in place of a size.
      const uint64_t segments_of_it = std::min<size_t>(count, 0xFFFF);
      words.push_back(uint64_t{r} | segments_of_it << 16 | uint64_t{all.pack() | kFixedSize} << 32);
      segments = segments.subspan(count);
      continue;
    }
    const auto segment = module_.get<core::node::Segment>(segments[0]);
    const uint64_t size = packed_size(segment.size, segment.spec);
    words.push_back(uint64_t{reg(segment.value)} | size);
    segments = segments.subspan(1);
  }
  const uint32_t at = emit(Op::BuildBits, result(module_[id].result),
                           static_cast<uint32_t>(words.size()), is_refused ? 1 : 0);
  emit_fail(at, id, guard_fail(id));
  for (const uint64_t word : words) emit_word(word);
}

void FunctionCompiler::match_segment(NodeId id) {
  using Type = core::SegmentSpec::Type;
  const auto m = module_.get<core::node::MatchSegment>(id);
  const uint16_t subject = reg(m.subject);
  const uint16_t position = reg(m.position);
  const VarId value = module_[id].result;
  const bool wanted = is_used(value);
  const auto spec = core::SegmentSpec::unpack(m.spec);
  const auto bits = fixed_size(m.size, m.spec);
  Op op = wanted ? Op::ReadBits : Op::SkipBits;
  if (wanted && spec.type == Type::Integer && bits && *bits > 0 && *bits <= kMaxFixedInteger &&
      (!spec.little || *bits % 8 == 0)) {
    op = Op::ReadInteger;
  } else if (!wanted && bits && (spec.type == Type::Integer || spec.type == Type::Bits)) {
    op = Op::SkipFixed;
  } else if (wanted && spec.type == Type::Bits && spec.all) {
    op = Op::ReadRest;
  }
  const uint64_t size = packed_size(m.size, m.spec);
  const uint32_t at = emit(op, wanted ? result(value) : 0, subject, position);
  emit_word(uint64_t{result(m.next)} | size);
  emit_fail(at, id, fail_);
}

// ---- Patterns ---------------------------------------------------------------

void FunctionCompiler::pattern_node(NodeId id) {
  const core::Node& n = module_[id];
  switch (n.kind) {
    case Kind::Bind:
      // A second name needs no code.
      if (liveness_.same_as[static_cast<size_t>(n.result)] == n.result && is_used(n.result)) {
        move_to(result(n.result), module_.get<core::node::Bind>(id).subject);
      }
      return;
    case Kind::MatchEqual: {
      const auto m = module_.get<core::node::MatchEqual>(id);
      const uint16_t left = reg(m.subject);
      const uint16_t right = reg(m.value);
      return emit_fail(emit(Op::UnlessSame, 0, left, right), id, fail_);
    }
    case Kind::MatchLiteral:
      return match_literal(id);
    case Kind::MatchTuple:
      return match_tuple(id);
    case Kind::MatchCons:
      return match_cons(id);
    case Kind::MatchMap: {
      const uint16_t subject = reg(module_.get<core::node::MatchMap>(id).subject);
      return emit_fail(emit(Op::UnlessTypeMap, 0, subject), id, fail_);
    }
    case Kind::MatchKey: {
      const auto m = module_.get<core::node::MatchKey>(id);
      const uint16_t subject = reg(m.subject);
      const uint16_t key = reg(m.key);
      return emit_fail(emit(Op::MapKey, result(n.result), subject, key), id, fail_);
    }
    case Kind::MatchBits: {
      const uint16_t subject = reg(module_.get<core::node::MatchBits>(id).subject);
      return emit_fail(emit(Op::StartBits, result(n.result), subject), id, fail_);
    }
    case Kind::MatchSegment:
      return match_segment(id);
    case Kind::MatchEnd: {
      const auto m = module_.get<core::node::MatchEnd>(id);
      const uint16_t subject = reg(m.subject);
      const uint16_t position = reg(m.position);
      return emit_fail(emit(Op::EndBits, 0, subject, position), id, fail_);
    }
    case Kind::Test: {
      const uint16_t value = reg(module_.get<core::node::Test>(id).value);
      return emit_fail(emit(Op::UnlessTrue, 0, value), id, fail_);
    }
    default:
      return;
  }
}

bool FunctionCompiler::is_held(NodeId test) const {
  return std::find(holds_.begin(), holds_.end(), test) != holds_.end();
}

void FunctionCompiler::match_literal(NodeId id) {
  if (is_held(id)) return;
  const auto m = module_.get<core::node::MatchLiteral>(id);
  const Value value = table_.literal(owner_, m.value);
  const uint16_t subject = reg(m.subject);
  const uint32_t at = emit(value.is_immediate() ? Op::UnlessIs : Op::UnlessLiteral, 0, subject);
  emit_word(value.raw());
  emit_fail(at, id, fail_);
}

void FunctionCompiler::match_tuple(NodeId id) {
  const auto m = module_.get<core::node::MatchTuple>(id);
  const std::span<const VarId> elements = module_.vars(m.elements);
  const uint16_t subject = reg(m.subject);
  const bool held = is_held(id);
  if (!held) {
    emit_fail(emit(Op::UnlessTuple, 0, subject, static_cast<uint32_t>(elements.size())), id, fail_);
  }
  std::vector<Move> loads;       // target and element
  std::optional<uint32_t> last;  // it takes the register of the tuple itself
  loads.reserve(elements.size());
  for (uint32_t i = 0; i < elements.size(); ++i) {
    // The first one of a tuple that was selected has done its service.
    if (!is_used(elements[i]) || (held && i == 0 && is_used_once(elements[0]))) continue;
    const uint16_t to = result(elements[i]);
    if (to == subject) {
      last = i;
    } else {
      loads.push_back({to, static_cast<uint16_t>(i)});
    }
  }
  if (last) loads.push_back({subject, static_cast<uint16_t>(*last)});
  emit_loads(subject, loads);
}

// Elements of a tuple, two at a time where the numbers are small.
void FunctionCompiler::emit_loads(uint16_t tuple, std::span<const Move> loads) {
  const auto is_small = [](const Move& load) {
    return load.target <= kMaxPackedRegister && load.source <= kMaxPackedRegister;
  };
  while (!loads.empty()) {
    const bool two = loads.size() > 1 && is_small(loads[0]) && is_small(loads[1]);
    if (two) {
      emit(Op::Element2, packed_move(loads[0].target, loads[0].source), tuple,
           packed_move(loads[1].target, loads[1].source));
    } else {
      emit(Op::Element, loads[0].target, tuple, loads[0].source);
    }
    loads = loads.subspan(two ? 2 : 1);
  }
}

void FunctionCompiler::match_cons(NodeId id) {
  const auto m = module_.get<core::node::MatchCons>(id);
  const uint16_t subject = reg(m.subject);
  const uint16_t tail = is_used(m.tail) ? result(m.tail) : scratch();
  if (is_used(m.head)) {
    return emit_fail(emit(Op::Uncons, result(m.head), subject, tail), id, fail_);
  }
  emit_fail(emit(Op::UnlessCons, 0, subject, tail), id, fail_);
}

// In a guard, an error is a failure like any other.
void FunctionCompiler::no_match(NodeId id) {
  if (module_[id].in_guard && fail_) return emit_jump(*fail_);
  const auto m = module_.get<core::node::NoMatch>(id);
  const std::span<const VarId> values = module_.vars(m.values);
  emit_with_registers(Op::NoMatch, static_cast<uint32_t>(values.size()), 0, 0, values,
                      {Value(m.error).raw(), static_cast<uint64_t>(id)});
}

}  // namespace fathom::machine
