#include "core/core.h"

#include <algorithm>

namespace fathom::core {
namespace {

#define USE(f) FieldSchema{FieldKind::Use, #f},
#define OPTUSE(f) FieldSchema{FieldKind::OptUse, #f},
#define USES(f) FieldSchema{FieldKind::Uses, #f},
#define DEF(f) FieldSchema{FieldKind::Def, #f},
#define DEFS(f) FieldSchema{FieldKind::Defs, #f},
#define NODES(f) FieldSchema{FieldKind::Nodes, #f},
#define REGION(f) FieldSchema{FieldKind::Region, #f},
#define REGIONS(f) FieldSchema{FieldKind::Regions, #f},
#define LIT(f) FieldSchema{FieldKind::Literal, #f},
#define FUN(f) FieldSchema{FieldKind::Fun, #f},
#define ATOM(f) FieldSchema{FieldKind::Atom, #f},
#define NUM(f) FieldSchema{FieldKind::Num, #f},

#define CORE(Id, Tag, Raises, Fields) constexpr FieldSchema k##Id##Schema[] = {Fields};
#include "core/kinds.def"
#undef CORE

constexpr KindSchema kSchemas[] = {
#define CORE(Id, Tag, Raising, Fields) {Tag, Raises::Raising, k##Id##Schema},
#include "core/kinds.def"
#undef CORE
};

uint64_t name_key(Atom name, uint32_t arity) { return uint64_t{name.id()} << 32 | arity; }

}  // namespace

const KindSchema& schema_of(Kind kind) { return kSchemas[static_cast<size_t>(kind)]; }

std::optional<FunctionId> Module::find(Atom function, uint32_t arity) const {
  const auto it = by_name_.find(name_key(function, arity));
  if (it == by_name_.end()) return std::nullopt;
  return it->second;
}

void Module::index_functions() {
  for (uint32_t i = 0; i < functions.size(); ++i) {
    by_name_.emplace(name_key(functions[i].name, functions[i].arity), FunctionId{i});
  }
}

const std::string& Module::file_of(AstId node) const {
  const auto after = std::ranges::upper_bound(files, node, {}, &FileStart::from);
  return after == files.begin() ? unit_->path : std::prev(after)->file;
}

FunctionId Module::function_of(NodeId node) const {
  const auto after = std::ranges::upper_bound(function_starts_, node, {}, &FunctionStart::from);
  assert(after != function_starts_.begin());
  return std::prev(after)->function;
}

void Module::begin_function(FunctionId function) {
  const NodeId from{static_cast<uint32_t>(nodes_.size())};
  if (!function_starts_.empty() && function_starts_.back().from == from) {
    function_starts_.pop_back();
  }
  function_starts_.push_back({from, function});
}

NodeId Module::add(Kind kind, VarId result, AstId origin, bool in_guard,
                   std::initializer_list<uint32_t> fields) {
  const auto at = static_cast<uint32_t>(slots_.size());
  slots_.insert(slots_.end(), fields);
  nodes_.push_back({kind, in_guard, result, at, origin});
  return NodeId{static_cast<uint32_t>(nodes_.size() - 1)};
}

RegionId Module::add_region(std::span<const NodeId> nodes, VarId value) {
  regions_.push_back({add_list(nodes), value});
  return RegionId{static_cast<uint32_t>(regions_.size() - 1)};
}

LiteralId Module::add_literal(Term term) {
  literals.push_back(term);
  return LiteralId{static_cast<uint32_t>(literals.size() - 1)};
}

void Module::add_parts(size_t count) {
  folded_.push_back({NodeId{static_cast<uint32_t>(nodes_.size() - 1)}, parts_});
  parts_ += static_cast<uint32_t>(count);
}

ListId Module::add_words(std::span<const uint32_t> words) {
  if (words.empty()) return ListId{0};
  const auto at = static_cast<uint32_t>(slots_.size());
  slots_.push_back(static_cast<uint32_t>(words.size()));
  slots_.insert(slots_.end(), words.begin(), words.end());
  return ListId{at};
}

}  // namespace fathom::core
