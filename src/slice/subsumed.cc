// Clauses that are never taken, since an earlier one takes whatever they would.
//
// Patterns are compared part by part: one is as general as another if it is a variable that is
// new, or both are the same structure and its parts are as general. Guards of the later clause do
// not matter, the earlier one must have none. Safe: a clause that is not found is kept.
#include <unordered_set>

#include "core/constant_parts.h"
#include "slice/model.h"

namespace fathom::slice {
namespace {

class Comparison {
 public:
  Comparison(const core::Module& module, const core::OriginIndex& origins)
      : ast_(module.unit().ast), module_(module), origins_(origins) {}

  bool takes_all(core::AstId first, core::AstId later) {
    const auto a = ast_.get<node::Clause>(first);
    const auto b = ast_.get<node::Clause>(later);
    const auto general = ast_.list(a.patterns);
    const auto special = ast_.list(b.patterns);
    if (!ast_.guard(a.guard).empty() || general.size() != special.size()) return false;
    seen_.clear();
    for (size_t i = 0; i < general.size(); ++i) {
      if (!is_as_general(general[i], special[i])) return false;
    }
    return true;
  }

 private:
  // A variable that is new here.
  bool takes_anything(core::AstId p) {
    if (!ast_.is(p, NodeKind::Var)) return false;
    const Atom name = ast_.get<node::Var>(p).name;
    if (name == atoms::underscore) return true;
    if (!seen_.insert(name).second) return false;
    const auto nodes = origins_.nodes_of(p);
    if (nodes.empty()) return false;
    for (const core::NodeId n : nodes) {
      if (core::is_part(module_, n) || module_[n].kind != core::Kind::Bind) return false;
    }
    return true;
  }

  bool are_as_general(ListId a, ListId b) {
    const auto general = ast_.list(a);
    const auto special = ast_.list(b);
    if (general.size() != special.size()) return false;
    for (size_t i = 0; i < general.size(); ++i) {
      if (!is_as_general(general[i], special[i])) return false;
    }
    return true;
  }

  // Nesting is bounded by the parser.
  bool is_as_general(core::AstId a, core::AstId b) {
    if (takes_anything(a)) return true;
    while (ast_.is(b, NodeKind::Match)) b = ast_.get<node::Match>(b).value;
    if (ast_.kind(a) != ast_.kind(b)) return false;
    switch (ast_.kind(a)) {
      case NodeKind::Atom:
      case NodeKind::Char:
        return ast_.slot(a, 0) == ast_.slot(b, 0);
      case NodeKind::Integer:
        return ast_.slot(a, 0) == ast_.slot(b, 0) && ast_[a].flags == 0 && ast_[b].flags == 0;
      case NodeKind::Tuple:
        return are_as_general(ast_.get<node::Tuple>(a).elements, ast_.get<node::Tuple>(b).elements);
      case NodeKind::List: {
        const auto x = ast_.get<node::List>(a);
        const auto y = ast_.get<node::List>(b);
        if (exists(x.tail) != exists(y.tail)) return false;
        if (!are_as_general(x.elements, y.elements)) return false;
        return !exists(x.tail) || is_as_general(x.tail, y.tail);
      }
      default:
        return false;
    }
  }

  const Ast& ast_;
  const core::Module& module_;
  const core::OriginIndex& origins_;
  std::unordered_set<Atom> seen_;
};

}  // namespace

std::vector<bool> subsumed_clauses(const core::Module& module, const core::OriginIndex& origins) {
  const Ast& ast = module.unit().ast;
  std::vector<bool> result(ast.size());
  Comparison comparison(module, origins);
  for (uint32_t i = 0; i < ast.size(); ++i) {
    ListId list{};
    switch (ast.kind(core::AstId{i})) {
      case NodeKind::Function:
        list = ast.get<node::Function>(core::AstId{i}).clauses;
        break;
      case NodeKind::Case:
        list = ast.get<node::Case>(core::AstId{i}).clauses;
        break;
      default:
        continue;
    }
    const auto clauses = ast.list(list);
    // Enough for what people write, and not quadratic for what programs write.
    constexpr size_t kMostCompared = 64;
    for (size_t later = 1; later < clauses.size() && later < kMostCompared; ++later) {
      for (size_t first = 0; first < later; ++first) {
        if (!comparison.takes_all(clauses[first], clauses[later])) continue;
        result[static_cast<size_t>(clauses[later])] = true;
        break;
      }
    }
  }
  return result;
}

}  // namespace fathom::slice
