// Binaries: <<Value:Size/Type, …>>, built and matched.
#include <utility>

#include "base/utf8.h"
#include "core/lowering.h"
#include "syntax/abstract.h"

namespace fathom::core {
namespace {

SegmentSpec::Type type_of(Atom name) {
  static const Atom float_name = atoms::float_;
  static const Atom bytes = Atom::intern("bytes");
  static const Atom bits = Atom::intern("bits");
  static const Atom bitstring = Atom::intern("bitstring");
  static const Atom utf16 = Atom::intern("utf16");
  static const Atom utf32 = Atom::intern("utf32");
  if (name == float_name) return SegmentSpec::Type::Float;
  if (name == atoms::binary || name == bytes || name == bits || name == bitstring) {
    return SegmentSpec::Type::Bits;
  }
  if (name == atoms::utf8) return SegmentSpec::Type::Utf8;
  if (name == utf16) return SegmentSpec::Type::Utf16;
  if (name == utf32) return SegmentSpec::Type::Utf32;
  return SegmentSpec::Type::Integer;
}

bool is_utf(SegmentSpec::Type type) {
  return type == SegmentSpec::Type::Utf8 || type == SegmentSpec::Type::Utf16 ||
         type == SegmentSpec::Type::Utf32;
}

}  // namespace

Lowering::SegmentParts Lowering::segment_parts(AstId segment) const {
  const auto s = ast_.get<fathom::node::Segment>(segment);
  SegmentParts parts;
  parts.size = s.size;
  uint16_t unit = 0;
  bool has_type = false;
  bool whole_bytes = false;
  for (const AstId t : ast_.list(s.types)) {
    const auto type = ast_.get<fathom::node::SegmentType>(t);
    const std::string_view name = type.name.text();
    if (name == "little") {
      parts.spec.little = true;
    } else if (name == "native") {
      parts.spec.little = true;  // as on the machines that Fathom runs on
    } else if (name == "signed") {
      parts.spec.is_signed = true;
    } else if (name == "unit") {
      unit = static_cast<uint16_t>(ast_.get<fathom::node::Integer>(type.value).value);
    } else if (name != "big" && name != "unsigned") {
      parts.spec.type = type_of(type.name);
      has_type = true;
      whole_bytes = name == "binary" || name == "bytes";
    }
  }
  // A literal string is text, unless a type is given; it has the sizes of its type.
  (void)has_type;
  switch (parts.spec.type) {
    case SegmentSpec::Type::Integer:
      parts.spec.unit = unit ? unit : 1;
      parts.default_size = 8;
      break;
    case SegmentSpec::Type::Float:
      parts.spec.unit = unit ? unit : 1;
      parts.default_size = 64;
      break;
    case SegmentSpec::Type::Bits:
      parts.spec.unit = unit ? unit : static_cast<uint16_t>(whole_bytes ? 8 : 1);
      parts.spec.all = !fathom::exists(s.size);
      break;
    case SegmentSpec::Type::Utf8:
    case SegmentSpec::Type::Utf16:
    case SegmentSpec::Type::Utf32:
      break;
  }
  return parts;
}

// none where the type itself tells: all the rest, characters.
VarId Lowering::segment_size(const SegmentParts& parts, AstId origin) {
  if (fathom::exists(parts.size)) return expr(parts.size);
  if (parts.spec.all || is_utf(parts.spec.type)) return kNoVar;
  return emit_literal(Term(parts.default_size), origin);
}

VarId Lowering::matched_size(const SegmentParts& parts, AstId origin,
                             std::span<const Atom> named_before) {
  if (fathom::exists(parts.size)) return guard_expr_outside_head(parts.size, named_before);
  const bool before = std::exchange(in_guard_, true);
  const VarId size = segment_size(parts, origin);
  in_guard_ = before;
  return size;
}

VarId Lowering::binary_expr(AstId id) {
  std::vector<NodeId> segments;
  const auto add = [&](AstId origin, VarId value, VarId size, const SegmentSpec& spec) {
    segments.push_back(module_->add(Kind::Segment, kNoVar, origin, in_guard_,
                                    {word(value), word(size), spec.pack()}));
  };
  for (const AstId segment : ast_.list(ast_.get<fathom::node::Binary>(id).segments)) {
    const AstId value = ast_.get<fathom::node::Segment>(segment).value;
    const SegmentParts parts = segment_parts(segment);
    if (!ast_.is(value, NodeKind::String)) {
      const VarId v = expr(value);
      add(segment, v, segment_size(parts, segment), parts.spec);
      continue;
    }
    const VarId size = segment_size(parts, segment);
    if (auto text = literal_segment(segment, parts, size)) {
      add(segment, *text, kNoVar, bits_to_the_end());
      continue;
    }
    auto characters = constant_value(unit_, value, module_->arena, NameArity::Refused);
    for (const Term c : characters->list()) add(segment, emit_literal(c, value), size, parts.spec);
  }
  return emit(Kind::Binary, id, {word(module_->add_list(std::span<const NodeId>(segments)))});
}

SegmentSpec Lowering::bits_to_the_end() {
  SegmentSpec spec;
  spec.type = SegmentSpec::Type::Bits;
  spec.all = true;
  return spec;
}

namespace {

void append_number(std::string& out, uint64_t value, uint32_t bytes, bool little) {
  for (uint32_t i = 0; i < bytes; ++i) {
    const uint32_t shift = 8 * (little ? i : bytes - 1 - i);
    out.push_back(static_cast<char>(value >> shift & 0xFF));
  }
}

// In 16 or 32 bits each, but for those of UTF-16 that take two.
void append_wide(std::string& out, uint32_t code_point, const SegmentSpec& spec) {
  constexpr uint32_t kFirstPair = 0x10000;
  const auto append = [&](uint32_t value, uint32_t bytes) {
    append_number(out, value, bytes, spec.little);
  };
  if (spec.type == SegmentSpec::Type::Utf32) return append(code_point, 4);
  if (code_point < kFirstPair) return append(code_point, 2);
  append(0xD800 + ((code_point - kFirstPair) >> 10), 2);
  append(0xDC00 + ((code_point - kFirstPair) & 0x3FF), 2);
}

}  // namespace

// How many whole bytes each character of a string takes as a number; 0: that is not known.
uint32_t Lowering::bytes_of_each(AstId segment, const SegmentParts& parts) {
  constexpr uint64_t kMost = 8;
  const auto s = ast_.get<fathom::node::Segment>(segment);
  if (parts.spec.type != SegmentSpec::Type::Integer || !fathom::exists(s.size) ||
      !ast_.is(s.size, NodeKind::Integer)) {
    return 0;
  }
  const auto size = constant_value(unit_, s.size, module_->arena, NameArity::Refused);
  if (!size || !size->is_small() || size->small() < 0) return 0;
  const uint64_t bits = static_cast<uint64_t>(size->small()) * parts.spec.unit;
  return bits % 8 == 0 && bits / 8 <= kMost ? static_cast<uint32_t>(bits / 8) : 0;
}

// <<"text">> of plain bytes, or in one of the encodings, is one literal.
std::optional<VarId> Lowering::literal_segment(AstId segment, const SegmentParts& parts,
                                               VarId size) {
  const auto s = ast_.get<fathom::node::Segment>(segment);
  const bool bytes = parts.spec.type == SegmentSpec::Type::Integer && parts.spec.unit == 1 &&
                     !fathom::exists(s.size) && exists(size);
  const bool utf8 = parts.spec.type == SegmentSpec::Type::Utf8;
  const bool wide = is_utf(parts.spec.type) && !utf8;
  const uint32_t each = bytes || utf8 || wide ? 1 : bytes_of_each(segment, parts);
  if (each == 0) return std::nullopt;
  auto characters = constant_value(unit_, s.value, module_->arena, NameArity::Refused);
  if (!characters || !characters->is_list()) return std::nullopt;
  std::string text;
  for (const Term c : characters->list()) {
    const auto code = static_cast<uint32_t>(c.small());
    if (utf8) {
      append_utf8(text, code);
    } else if (wide) {
      append_wide(text, code, parts.spec);
    } else if (each > 1) {
      append_number(text, code, each, parts.spec.little);
    } else {
      text.push_back(static_cast<char>(code & 0xFF));
    }
  }
  return emit_literal(module_->arena.binary(text), segment);
}

void Lowering::binary_pattern(AstId id, VarId subject) {
  const VarId start = emit(Kind::MatchBits, id, {word(subject)});
  const auto bits = ast_.get<fathom::node::Binary>(id);
  const VarId end = segments_pattern(bits.segments, subject, start, true);
  emit_into(kNoVar, Kind::MatchEnd, id, {word(subject), word(end)});
}

// An integer in the pattern of a float stands for the float.
std::optional<Term> Lowering::float_literal(const SegmentParts& parts, AstId value) const {
  if (parts.spec.type != SegmentSpec::Type::Float || !ast_.is(value, NodeKind::Integer)) {
    return std::nullopt;
  }
  const auto number = constant_value(unit_, value, module_->arena, NameArity::Refused);
  if (!number || !number->is_small()) return std::nullopt;
  return module_->arena.real(static_cast<double>(number->small()));
}

// The position after the segments. Without `compare` they only have to fit:
// variables are bound, for sizes may name them, but nothing is compared: a name stands for what
// it met last.
VarId Lowering::segments_pattern(fathom::ListId segments, VarId subject, VarId position,
                                 bool compare) {
  Names named;  // so far, by this binary
  for (const AstId segment : ast_.list(segments)) {
    const AstId value = ast_.get<fathom::node::Segment>(segment).value;
    const SegmentParts parts = segment_parts(segment);
    const VarId size = matched_size(parts, segment, named);
    const auto take = [&](bool wanted) {
      const VarId result = wanted ? fresh() : kNoVar;
      const VarId next = fresh();
      emit_into(result, Kind::MatchSegment, segment,
                {word(subject), word(position), word(size), parts.spec.pack(), word(next)});
      position = next;
      return result;
    };
    if (ast_.is(value, NodeKind::String)) {
      auto characters = constant_value(unit_, value, module_->arena, NameArity::Refused);
      for (const Term c : characters->list()) {
        const VarId found = take(compare);
        if (!compare) continue;
        emit_into(kNoVar, Kind::MatchLiteral, value, {word(found), word(module_->add_literal(c))});
      }
    } else if (is_wildcard(value) || (!compare && !ast_.is(value, NodeKind::Var))) {
      take(false);
    } else {
      const VarId found = take(true);
      if (ast_.is(value, NodeKind::Var)) named.push_back(ast_.get<fathom::node::Var>(value).name);
      if (!compare) scope_->variables[named.back()] = {};
      if (const auto number = float_literal(parts, value)) {
        emit_into(kNoVar, Kind::MatchLiteral, value,
                  {word(found), word(module_->add_literal(*number))});
        continue;
      }
      pattern(value, found);
    }
  }
  return position;
}

}  // namespace fathom::core
