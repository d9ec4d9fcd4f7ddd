#include "slice/clause_questions.h"

#include "core/match_kinds.h"

namespace fathom::slice {

using core::Kind;
using core::NodeId;
using core::VarId;

std::vector<Question> Questions::of(NodeId clause) {
  paths_.clear();
  std::vector<Question> result;
  const auto view = module_.get<core::node::Clause>(clause);
  if (!core::exists(view.patterns)) return result;
  for (const NodeId n : module_.nodes(view.patterns)) {
    if (module_[n].kind == Kind::Bind) {
      const uint32_t at = path(module_.get<core::node::Bind>(n).subject);
      paths_[module_[n].result] = at;
    } else if (core::is_test(module_[n].kind)) {
      result.push_back(question(n));
    }
  }
  return result;
}

uint32_t Questions::path(VarId v) {
  const auto known = paths_.find(v);
  return known != paths_.end() ? known->second : below(0, static_cast<uint32_t>(v));
}

uint32_t Questions::below(uint32_t whole, uint32_t part) {
  return ids_.try_emplace(uint64_t{whole} << 32 | part, static_cast<uint32_t>(ids_.size() + 1))
      .first->second;
}

void Questions::part(VarId v, uint32_t whole, size_t index) {
  if (core::exists(v)) paths_[v] = below(whole, static_cast<uint32_t>(index));
}

Question Questions::question(NodeId n) {
  using What = Question::What;
  switch (module_[n].kind) {
    case Kind::MatchTuple: {
      const auto view = module_.get<core::node::MatchTuple>(n);
      const auto elements = module_.vars(view.elements);
      const uint32_t at = path(view.subject);
      for (size_t i = 0; i < elements.size(); ++i) part(elements[i], at, i);
      return {n, at, What::Tuple, elements.size()};
    }
    case Kind::MatchCons: {
      const auto view = module_.get<core::node::MatchCons>(n);
      const uint32_t at = path(view.subject);
      part(view.head, at, 0);
      part(view.tail, at, 1);
      return {n, at, What::Cons, 0};
    }
    case Kind::MatchMap:
      return {n, path(module_.get<core::node::MatchMap>(n).subject), What::Map, 0};
    case Kind::MatchBits:
      return {n, path(module_.get<core::node::MatchBits>(n).subject), What::Bits, 0};
    case Kind::MatchLiteral: {
      const auto view = module_.get<core::node::MatchLiteral>(n);
      const Term term = module_[view.value];
      const uint32_t at = path(view.subject);
      if (term.is_nil()) return {n, at, What::Nil, 0};
      if (term.is_atom()) return {n, at, What::Atom, term.atom().id()};
      if (term.is_small()) return {n, at, What::Integer, static_cast<uint64_t>(term.small())};
      return {n, at, What::Else, 0};
    }
    default:
      return {n, 0, What::Else, 0};
  }
}

}  // namespace fathom::slice
