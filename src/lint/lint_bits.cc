// Binaries: the types and sizes of segments, as expressions and as patterns.
#include <fmt/format.h>

#include <algorithm>

#include "lint/fold.h"
#include "lint/lint_body.h"

namespace fathom::lint {
namespace {

// What the types of a segment say, each property at most once.
struct SegmentTypes {
  enum Property : uint8_t { kType, kUnit, kSign, kEndianness, kCount };
  std::string_view text[kCount];  // empty: not given
};

constexpr std::string_view kPropertyNames[] = {"type", "unit", "sign", "byte order"};

struct TypeWord {
  std::string_view word;
  SegmentTypes::Property property;
  std::string_view value;
  std::string_view unit;  // implied
};

constexpr TypeWord kTypeWords[] = {
    {"integer", SegmentTypes::kType, "integer", ""},
    {"float", SegmentTypes::kType, "float", ""},
    {"binary", SegmentTypes::kType, "binary", ""},
    {"bytes", SegmentTypes::kType, "binary", "8"},
    {"bitstring", SegmentTypes::kType, "binary", "1"},
    {"bits", SegmentTypes::kType, "binary", "1"},
    {"utf8", SegmentTypes::kType, "utf8", ""},
    {"utf16", SegmentTypes::kType, "utf16", ""},
    {"utf32", SegmentTypes::kType, "utf32", ""},
    {"signed", SegmentTypes::kSign, "signed", ""},
    {"unsigned", SegmentTypes::kSign, "unsigned", ""},
    {"big", SegmentTypes::kEndianness, "big", ""},
    {"little", SegmentTypes::kEndianness, "little", ""},
    {"native", SegmentTypes::kEndianness, "native", ""},
};

// 1 to 256, by value.
const std::string& unit_text(uint32_t unit) {
  static const auto kTexts = [] {
    std::vector<std::string> texts;
    for (int i = 0; i <= 256; ++i) texts.push_back(std::to_string(i));
    return texts;
  }();
  return kTexts[unit];
}

class TypeReader {
 public:
  TypeReader(const Ast& ast, Reporter& report, NodeId segment)
      : ast_(ast), report_(report), segment_(segment) {}

  // False if an error was reported.
  bool read(ListId list) {
    return std::ranges::all_of(ast_.list(list), [&](NodeId id) { return add(id); });
  }
  const SegmentTypes& types() const { return types_; }

 private:
  bool add(NodeId id) {
    const auto view = ast_.get<node::SegmentType>(id);
    if (exists(view.value)) {
      const bool is_small =
          ast_.is(view.value, NodeKind::Integer) && !(ast_[view.value].flags & Node::kPooled);
      const uint32_t unit = is_small ? ast_.get<node::Integer>(view.value).value : 0;
      if (view.name != atoms::unit) return undefined(id, view.name.text());
      if (unit >= 1 && unit <= 256) return set(id, SegmentTypes::kUnit, unit_text(unit));
      report_.error(Rule::UndefinedBittype, id, segment_, "a unit is between 1 and 256");
      return false;
    }
    for (const TypeWord& word : kTypeWords) {
      if (word.word != view.name.text()) continue;
      return set(id, word.property, word.value) &&
             (word.unit.empty() || set(id, SegmentTypes::kUnit, word.unit));
    }
    return undefined(id, view.name.text());
  }

  bool undefined(NodeId id, std::string_view name) {
    std::vector<Atom> words;
    for (const TypeWord& word : kTypeWords) words.push_back(Atom::intern(word.word));
    Found found = report_.error(Rule::UndefinedBittype, id, segment_,
                                fmt::format("there is no segment type `{}`", name));
    const Atom guess = closest(Atom::intern(name), words);
    if (guess != Atom()) found.did_you_mean(guess.text());
    return false;
  }

  bool set(NodeId id, SegmentTypes::Property property, std::string_view value) {
    std::string_view& text = types_.text[property];
    if (text.empty()) text = value;
    if (text == value) return true;
    report_.error(Rule::BittypeMismatch, id, segment_,
                  fmt::format("a segment has one {}: it cannot be both {} and {}",
                              kPropertyNames[property], text, value));
    return false;
  }

  const Ast& ast_;
  Reporter& report_;
  NodeId segment_;
  SegmentTypes types_;
};

}  // namespace

// The size that the types give a segment without one, and whether they allow the
// one it has.
BodyLinter::SegmentSize BodyLinter::check_segment(NodeId segment, SegmentSize size) {
  using Kind = SegmentSize::Kind;
  TypeReader reader(ast_, report_, segment);
  if (!reader.read(ast_.get<node::Segment>(segment).types)) return {Kind::Known};
  const std::string_view type = reader.types().text[SegmentTypes::kType];
  const bool has_unit = !reader.types().text[SegmentTypes::kUnit].empty();
  if (type.starts_with("utf")) {
    if (size.kind == Kind::Default && !has_unit) return {Kind::None};
    report_.error(Rule::UtfBittypeSizeOrUnit, segment,
                  fmt::format("a segment of type {} is as long as its character: it has neither "
                              "size nor unit",
                              type));
    return {Kind::Known};
  }
  if (size.kind == Kind::Default && type == "binary") return {Kind::All};
  if (size.kind == Kind::Default) {
    if (has_unit) {
      report_.error(Rule::BittypeUnit, segment, "a unit counts only together with a size");
    }
    return {Kind::Known};
  }
  if (size.kind == Kind::All && type != "binary") {
    report_.error(Rule::IllegalBitsize, segment, "only a binary can have all that is left");
    return {Kind::Unknown};
  }
  return size;
}

BodyLinter::SegmentSize BodyLinter::segment_size(NodeId size) {
  using Kind = SegmentSize::Kind;
  if (!exists(size)) return {Kind::Default};
  if (tables_.atom_at(size).text() == "all") return {Kind::All};
  if (folds_to_integer(unit_, size)) return {Kind::Known};
  return {Kind::Unknown};
}

bool BodyLinter::has_utf_type(NodeId segment) const {
  const auto types = ast_.list(ast_.get<node::Segment>(segment).types);
  return std::ranges::any_of(types, [&](NodeId id) {
    const auto view = ast_.get<node::SegmentType>(id);
    return !exists(view.value) && (view.name.text() == "utf8" || view.name.text() == "utf16" ||
                                   view.name.text() == "utf32");
  });
}

void BodyLinter::pattern_binary(NodeId id, Hiding hiding, Bindings& bindings) {
  using Kind = SegmentSize::Kind;
  Bindings own;
  Kind previous = Kind::Known;
  NodeId previous_segment = kNoNode;
  for (const NodeId segment_id : ast_.list(ast_.get<node::Binary>(id).segments)) {
    const auto segment = ast_.get<node::Segment>(segment_id);
    const bool is_string = ast_.is(segment.value, NodeKind::String);
    const bool is_plain =
        !exists(segment.size) && (ast_.list(segment.types).empty() || has_utf_type(segment_id));
    if (is_string && !is_plain) {
      report_.error(Rule::TypedLiteralString, segment_id,
                    "in a pattern, a string has neither size nor type but utf8, utf16 or utf32");
      continue;
    }
    Bindings value;
    pattern_segment_value(segment.value, hiding, own, value);
    SegmentSize size = pattern_size(segment.size, own, bindings);
    size = check_segment(segment_id, size);
    if (previous == Kind::All) {
      report_.error(Rule::UnsizedBinaryNotAtEnd, previous_segment,
                    "a binary without a size takes all that is left: it can only be the last "
                    "segment of a pattern");
    }
    previous = is_string && size.kind == Kind::All ? Kind::Known : size.kind;
    previous_segment = segment_id;
    own.fresh.insert(own.fresh.end(), value.fresh.begin(), value.fresh.end());
    bindings.used.insert(bindings.used.end(), value.used.begin(), value.used.end());
  }
  bindings.fresh.insert(bindings.fresh.end(), own.fresh.begin(), own.fresh.end());
}

void BodyLinter::pattern_segment_value(NodeId value, Hiding hiding, Bindings& own,
                                       Bindings& bindings) {
  switch (ast_.kind(value)) {
    case NodeKind::Var:
      return pattern_variable(value, hiding, &own, bindings);
    case NodeKind::Atom:
    case NodeKind::Integer:
    case NodeKind::Float:
    case NodeKind::Char:
    case NodeKind::String:
      return;
    default:
      if (!is_constant_pattern(value)) illegal_pattern(value);
  }
}

// A size sees the variables outside of the pattern, and those of the binary that
// stand before it.
BodyLinter::SegmentSize BodyLinter::pattern_size(NodeId size, Bindings& own, Bindings& bindings) {
  using Kind = SegmentSize::Kind;
  if (!exists(size)) return {Kind::Default};
  if (folds_to_integer(unit_, size)) return {Kind::Known};
  guard_expression(size, {GuardContext::Size, &own, &bindings.used});
  return {Kind::Unknown};
}

void BodyLinter::check_generator_binary(NodeId pattern_id) {
  if (!ast_.is(pattern_id, NodeKind::Binary)) return;
  const auto segments = ast_.list(ast_.get<node::Binary>(pattern_id).segments);
  if (segments.empty()) return;
  const auto last = ast_.get<node::Segment>(segments.back());
  if (exists(last.size)) return;
  const bool is_binary = std::ranges::any_of(ast_.list(last.types), [&](NodeId id) {
    const std::string_view name = ast_.get<node::SegmentType>(id).name.text();
    return name == "binary" || name == "bytes" || name == "bits" || name == "bitstring";
  });
  if (!is_binary) return;
  report_.error(Rule::UnsizedBinaryInBinGenPattern, segments.back(),
                "a generator takes its binary in pieces: each segment needs a size");
}

}  // namespace fathom::lint
