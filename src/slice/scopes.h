// From the tree to Core: which function of Core an AST node stands in, which variable its value is.
#pragma once

#include <optional>

#include "slice/model.h"

namespace fathom::slice {

class Scopes {
 public:
  Scopes(const Model& model, const core::Module& module)
      : model_(model),
        module_(module),
        ast_(module.unit().ast),
        parents_(model.parents(module)),
        origins_(model.origins(module)) {}

  core::AstId parent(core::AstId node) const { return parents_[static_cast<size_t>(node)]; }
  // None: it stands in no function.
  std::optional<core::FunctionId> function_of(core::AstId node) const;
  // None: in none that is reached.
  ProcedureId procedure_of(core::AstId node) const;
  // The variable that holds the value of an expression, or that a pattern binds. None: it has
  // no code.
  core::VarId variable(core::AstId expression) const;
  // Nodes of the function that come from the AST node; parts of constants are not among them.
  template <class F>
  void for_each_node(core::FunctionId function, core::AstId origin, F&& f) const {
    for (const core::NodeId n : origins_.nodes_of(origin)) {
      if (static_cast<size_t>(n) < module_.size() && module_.function_of(n) == function) f(n);
    }
  }
  // The function that is the code of a fun; that of a generator's loop; that of an `after`.
  std::optional<core::FunctionId> code_of(core::AstId fun) const;
  std::optional<core::FunctionId> loop_of(core::AstId generator) const;
  // The nodes where control is when the expression is evaluated; the last one counts.
  PointId place_of(ProcedureId p, core::AstId expression) const;

 private:
  core::VarId variable_named(core::FunctionId function, core::AstId use) const;
  // The clause of the function that the node stands in.
  core::AstId top_clause(core::AstId node) const;

  const Model& model_;
  const core::Module& module_;
  const Ast& ast_;
  const std::vector<core::AstId>& parents_;
  const core::OriginIndex& origins_;
};

}  // namespace fathom::slice
