#include "syntax/abstract_kinds.h"

#include <vector>

namespace fathom {
namespace {

// clang-format off
constexpr NodeKind kPlain[] = {
    NodeKind::Tuple, NodeKind::Binary, NodeKind::MapAssoc, NodeKind::MapExact, NodeKind::Match,
    NodeKind::Call, NodeKind::Remote, NodeKind::Clause, NodeKind::Block, NodeKind::If,
    NodeKind::Case, NodeKind::Try, NodeKind::Catch, NodeKind::MaybeElse, NodeKind::MaybeMatch,
    NodeKind::NamedFun, NodeKind::ListComprehension, NodeKind::BinaryComprehension,
    NodeKind::MapComprehension, NodeKind::Generate, NodeKind::GenerateStrict,
    NodeKind::BinaryGenerate, NodeKind::BinaryGenerateStrict, NodeKind::MapGenerate,
    NodeKind::MapGenerateStrict, NodeKind::Zip, NodeKind::UserType, NodeKind::Function,
};
// clang-format on

using ByTag = std::vector<std::optional<NodeKind>>;  // by the number of the tag's atom

ByTag plain_kinds() {
  ByTag kinds;
  for (const NodeKind kind : kPlain) {
    const uint32_t tag = Atom::intern(schema_of(kind).tag).id();
    if (tag >= kinds.size()) kinds.resize(tag + 1);
    kinds[tag] = kind;
  }
  return kinds;
}

}  // namespace

std::optional<NodeKind> plain_kind(Atom tag) {
  static const ByTag kinds = plain_kinds();
  return tag.id() < kinds.size() ? kinds[tag.id()] : std::nullopt;
}

}  // namespace fathom
