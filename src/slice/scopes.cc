#include "slice/scopes.h"

#include <algorithm>

#include "core/constant_parts.h"
#include "core/walk.h"
#include "slice/syntax_groups.h"

namespace fathom::slice {

using core::AstId;
using core::FunctionId;
using core::Kind;
using core::NodeId;
using core::VarId;

std::optional<FunctionId> Scopes::code_of(AstId origin) const {
  for (size_t i = 0; i < module_.functions.size(); ++i) {
    if (module_.functions[i].origin == origin && core::exists(module_.functions[i].body)) {
      return FunctionId{static_cast<uint32_t>(i)};
    }
  }
  return std::nullopt;
}

std::optional<FunctionId> Scopes::loop_of(AstId generator) const {
  if (ast_.is(generator, NodeKind::Zip)) {
    generator = ast_.list(ast_.get<node::Zip>(generator).generators)[0];
  }
  for (const NodeId n : origins_.nodes_of(generator)) {
    if (core::is_part(module_, n)) continue;
    const Kind kind = module_[n].kind;
    if (kind == Kind::MatchCons || kind == Kind::MatchBits || kind == Kind::MatchLiteral) {
      return module_.function_of(n);
    }
  }
  return std::nullopt;
}

std::optional<FunctionId> Scopes::function_of(AstId node) const {
  AstId before = kNoNode;
  AstId below = kNoNode;
  for (AstId at = node; fathom::exists(at); before = below, below = at, at = parent(at)) {
    if (!fathom::exists(below)) continue;
    switch (ast_.kind(at)) {
      case NodeKind::Function:
      case NodeKind::Fun:
      case NodeKind::NamedFun:
        return code_of(at);
      case NodeKind::Try: {
        const auto after = ast_.list(ast_.get<node::Try>(at).after);
        if (std::find(after.begin(), after.end(), below) != after.end()) return code_of(at);
        break;
      }
      case NodeKind::ListComprehension:
      case NodeKind::BinaryComprehension:
      case NodeKind::MapComprehension: {
        // The loop of the last generator before it; of a generator itself, if it is its pattern.
        AstId last = kNoNode;
        for (const AstId q : ast_.list(ListId{ast_.slot(at, 1)})) {
          const bool is_here = q == below;
          const bool is_pattern = is_here && is_generator(ast_.kind(q)) &&
                                  (!fathom::exists(before) || AstId{ast_.slot(q, 0)} == before);
          if (is_here && !is_pattern) break;
          if (is_generator(ast_.kind(q))) last = q;
          if (is_here) break;
        }
        if (fathom::exists(last)) {
          if (const auto loop = loop_of(last)) return loop;
        }
        break;
      }
      default:
        break;
    }
  }
  return std::nullopt;
}

ProcedureId Scopes::procedure_of(AstId node) const {
  const auto function = function_of(node);
  return function ? model_.find(module_, *function) : kNoProcedure;
}

AstId Scopes::top_clause(AstId node) const {
  AstId found = kNoNode;
  for (AstId at = node; fathom::exists(at); at = parent(at)) {
    const NodeKind kind = ast_.kind(at);
    if (kind == NodeKind::Function || kind == NodeKind::Fun || kind == NodeKind::NamedFun) break;
    if (kind == NodeKind::Clause) found = at;
  }
  return found;
}

VarId Scopes::variable_named(FunctionId function, AstId use) const {
  const Atom name = ast_.get<node::Var>(use).name;
  const core::Function& f = module_[function];
  const ProcedureId p = model_.find(module_, function);
  VarId captured = core::kNoVar;
  for (size_t i = 0; i < f.variables.size(); ++i) {
    if (f.variables[i] != name) continue;
    const VarId v{static_cast<uint32_t>(i)};
    if (!exists(p)) return v;
    for (const NodeId d : model_[p].definitions[i]) {
      if (module_[d].kind == Kind::Entry) {
        captured = v;
      } else if (top_clause(module_[d].origin) == top_clause(use)) {
        return v;
      }
    }
  }
  return captured;
}

VarId Scopes::variable(AstId expression) const {
  const auto function = function_of(expression);
  if (!function) return core::kNoVar;
  while (ast_.is(expression, NodeKind::Match) || ast_.is(expression, NodeKind::Block)) {
    expression = ast_.is(expression, NodeKind::Match)
                     ? ast_.get<node::Match>(expression).value
                     : ast_.list(ast_.get<node::Block>(expression).body).back();
  }
  if (ast_.is(expression, NodeKind::Var)) return variable_named(*function, expression);
  VarId result = core::kNoVar;
  NodeId last{};
  const auto look = [&](NodeId n) {
    if (!core::exists(module_[n].result) || (core::exists(result) && n < last)) return;
    result = module_[n].result;
    last = n;
  };
  for_each_node(*function, expression, look);
  if (is_comprehension(ast_.kind(expression))) {
    for_each_node(*function, ast_.list(ListId{ast_.slot(expression, 1)})[0], look);
  }
  return result;
}

PointId Scopes::place_of(ProcedureId p, AstId expression) const {
  const Procedure& procedure = model_[p];
  const VarId v = variable(expression);
  for (AstId at = expression; fathom::exists(at); at = parent(at)) {
    PointId found = kNoPoint;
    for_each_node(procedure.function, at, [&](NodeId n) {
      if (module_[n].kind == Kind::Clause) {
        const auto clause = module_.get<core::node::Clause>(n);
        const auto nodes = module_.nodes(clause.body);
        if (!exists(found)) {
          found = nodes.empty() ? procedure.control->point(clause.body)
                                : procedure.control->point(nodes.back());
        }
        return;
      }
      bool is_used = at == expression;
      core::for_each_use(module_, n, [&](VarId use) { is_used = is_used || use == v; });
      if (is_used && exists(procedure.control->point(n))) found = procedure.control->point(n);
    });
    if (exists(found)) return found;
  }
  const auto nodes = module_.nodes(procedure.code().body);
  return procedure.control->point(nodes.back());
}

}  // namespace fathom::slice
