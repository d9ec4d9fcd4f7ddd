#include "syntax/ast.h"

#include <iterator>

namespace fathom {
namespace {

#define ONE(f) FieldSchema{FieldKind::One, #f},
#define OPT(f) FieldSchema{FieldKind::Opt, #f},
#define MANY(f) FieldSchema{FieldKind::Many, #f},
#define GUARD(f) FieldSchema{FieldKind::Guard, #f},
#define ATOM(f) FieldSchema{FieldKind::Atom, #f},
#define NUM(f) FieldSchema{FieldKind::Num, #f},

// One end marker each, so that nodes without fields have an array too.
#define NODE(Id, Tag, Fields) \
  constexpr FieldSchema kFieldsOf##Id[] = {Fields FieldSchema{FieldKind::Num, ""}};
#include "syntax/nodes.def"
#undef NODE

constexpr NodeSchema kSchemas[] = {
#define NODE(Id, Tag, Fields) {Tag, {kFieldsOf##Id, std::size(kFieldsOf##Id) - 1}},
#include "syntax/nodes.def"
#undef NODE
};

#undef ONE
#undef OPT
#undef MANY
#undef GUARD
#undef ATOM
#undef NUM

}  // namespace

const NodeSchema& schema_of(NodeKind kind) { return kSchemas[static_cast<size_t>(kind)]; }

void Ast::clear() {
  nodes_.clear();
  slots_.clear();
  slots_.push_back(0);  // the empty list
  forms_.clear();
}

ListId Ast::add_list(std::span<const NodeId> nodes) {
  if (nodes.empty()) return ListId{0};
  const auto at = static_cast<uint32_t>(slots_.size());
  uint32_t* slot = slots_.extend(1 + nodes.size());
  *slot++ = static_cast<uint32_t>(nodes.size());
  for (const NodeId id : nodes) *slot++ = field(id);
  return ListId{at};
}

ListId Ast::add_guard(std::span<const ListId> alternatives) {
  if (alternatives.empty()) return ListId{0};
  const auto at = static_cast<uint32_t>(slots_.size());
  slots_.push_back(static_cast<uint32_t>(alternatives.size()));
  for (const ListId id : alternatives) slots_.push_back(field(id));
  return ListId{at};
}

}  // namespace fathom
