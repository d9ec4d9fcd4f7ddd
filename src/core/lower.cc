#include "core/lower.h"

#include <fmt/format.h>

#include "core/lowering.h"

namespace fathom::core {

Result<std::unique_ptr<Module>> lower(const Unit& unit) {
  std::vector<DeclaredFunction> functions;
  for (const AstId form : unit.ast.forms()) {
    if (unit.ast.kind(form) != NodeKind::Function) continue;
    const auto f = unit.ast.get<fathom::node::Function>(form);
    functions.push_back({f.name, f.arity, form});
  }
  auto module = std::make_unique<Module>(unit);
  const Declarations declarations = declare(functions, *module);
  Lowering lowering(declarations, *module);
  for (const DeclaredFunction& f : functions) lowering.lower_function(f.origin);
  module->index_functions();
  return module;
}

std::unique_ptr<Module> lower_function(const Unit& unit, const Declarations& declarations,
                                       AstId form) {
  auto module = std::make_unique<Module>(unit);
  Lowering(declarations, *module).lower_function(form);
  return module;
}

Lowering::Lowering(const Declarations& declarations, Module& module)
    : unit_(module.unit()), ast_(unit_.ast), module_(&module), declarations_(declarations) {
  for (uint32_t i = 0; i < module.functions.size(); ++i) {
    local_.emplace(function_key(module.functions[i].name, module.functions[i].arity),
                   FunctionId{i});
  }
}

// ---- Building ---------------------------------------------------------------

VarId Lowering::fresh(Atom name) {
  scope_->function.variables.push_back(name);
  return VarId{static_cast<uint32_t>(scope_->function.variables.size() - 1)};
}

NodeId Lowering::emit_into(VarId result, Kind kind, AstId origin,
                           std::initializer_list<uint32_t> fields) {
  const NodeId id = module_->add(kind, result, origin, in_guard_, fields);
  open_.push_back(id);
  return id;
}

VarId Lowering::emit(Kind kind, AstId origin, std::initializer_list<uint32_t> fields) {
  const VarId result = fresh();
  emit_into(result, kind, origin, fields);
  return result;
}

VarId Lowering::emit_literal(Term term, AstId origin) {
  return emit(Kind::Literal, origin, {word(module_->add_literal(term))});
}

VarId Lowering::emit_call(Atom module, Atom name, std::span<const VarId> arguments, AstId origin) {
  return emit(Kind::CallRemote, origin, {word(module), word(name), word(list(arguments))});
}

VarId Lowering::emit_tuple(std::span<const VarId> elements, AstId origin) {
  return emit(Kind::Tuple, origin, {word(list(elements))});
}

void Lowering::emit_no_match(Atom error, std::span<const VarId> values, AstId origin) {
  emit_into(kNoVar, Kind::NoMatch, origin, {word(error), word(list(values))});
}

RegionId Lowering::close_region(size_t mark, VarId value) {
  const RegionId region = module_->add_region(std::span(open_).subspan(region_start_), value);
  open_.resize(region_start_);
  region_start_ = mark;
  const size_t first = statement_starts_.back();
  statement_starts_.pop_back();
  for (size_t i = first; i < statements_.size(); ++i) {
    module_->statements.push_back({region, statements_[i].index, statements_[i].origin});
  }
  statements_.resize(first);
  return region;
}

void Lowering::begin_statement(AstId id) {
  statements_.push_back({{}, static_cast<uint32_t>(open_.size() - region_start_), id});
}

// ---- Scopes -----------------------------------------------------------------

VarId Lowering::bind(Atom name) {
  Variable& variable = scope_->variables[name];
  if (!exists(variable.id)) variable.id = fresh(name);
  if (!variable.is_bound) scope_->trail.push_back(name);
  variable.is_bound = true;
  return variable.id;
}

// What lint let pass is bound; a name that is not gives a variable that nothing
// defines, which the machine refuses.
VarId Lowering::use(Atom name) {
  const auto it = scope_->variables.find(name);
  return it != scope_->variables.end() && exists(it->second.id) ? it->second.id : bind(name);
}

Lowering::Names Lowering::unbind(size_t mark) {
  Names names(scope_->trail.begin() + static_cast<std::ptrdiff_t>(mark), scope_->trail.end());
  for (const Atom name : names) scope_->variables[name].is_bound = false;
  scope_->trail.resize(mark);
  return names;
}

void Lowering::forget(size_t mark) {
  for (size_t i = mark; i < scope_->trail.size(); ++i) scope_->variables[scope_->trail[i]] = {};
  scope_->trail.resize(mark);
}

void Lowering::rebind(const Names& names) {
  for (const Atom name : names) bind(name);
}

// ---- Functions --------------------------------------------------------------

std::optional<FunctionId> Lowering::local_function(Atom name, uint32_t arity) {
  const uint64_t key = function_key(name, arity);
  if (!declarations_.functions.contains(key)) return std::nullopt;
  const auto known = local_.find(key);
  if (known != local_.end()) return known->second;
  const FunctionId id = reserve_function();
  (*module_)[id].name = name;
  (*module_)[id].arity = arity;
  local_.emplace(key, id);
  return id;
}

FunctionId Lowering::reserve_function() {
  module_->functions.emplace_back();
  return FunctionId{static_cast<uint32_t>(module_->functions.size() - 1)};
}

void Lowering::begin_scope(Scope& scope, FunctionId id, Atom name, AstId origin) {
  scope.outer = scope_;
  scope.id = id;
  scope.function.name = name;
  scope.function.origin = origin;
  scope_ = &scope;
  module_->begin_function(id);
}

// The entry goes before what the body emitted, the return after it: `body` is
// the region of the body, which becomes part of the function's own.
void Lowering::end_scope(Scope& scope, std::span<const VarId> parameters, RegionId body) {
  const AstId origin = scope.function.origin;
  const size_t mark = open_region();
  emit_into(kNoVar, Kind::Entry, origin, {word(list(parameters))});
  const Region inner = (*module_)[body];
  const std::span<const NodeId> nodes = module_->nodes(inner.nodes);
  open_.insert(open_.end(), nodes.begin(), nodes.end());
  if (exists(inner.value)) emit_into(kNoVar, Kind::Return, origin, {word(inner.value)});
  scope.function.body = close_region(mark, inner.value);
  // The region of the body was closed last.
  for (auto s = module_->statements.rbegin(); s != module_->statements.rend(); ++s) {
    if (s->region != body) break;
    *s = {scope.function.body, s->index + 1, s->origin};
  }
  scope.function.arity = static_cast<uint32_t>(parameters.size());
  scope.function.exported = (*module_)[scope.id].exported;
  scope_ = scope.outer;
  if (scope_) module_->begin_function(scope_->id);
  (*module_)[scope.id] = std::move(scope.function);
}

VarId Lowering::finish_function_clauses(std::span<const NodeId> nodes, bool always_match,
                                        std::span<const VarId> parameters, AstId origin) {
  RegionId otherwise = kNoRegion;
  if (!always_match) {
    otherwise = region([&] {
      static const Atom function_clause = Atom::intern("function_clause");
      emit_no_match(function_clause, parameters, origin);
      return kNoVar;
    });
  }
  return emit(Kind::Case, origin, {word(module_->add_list(nodes)), word(otherwise)});
}

void Lowering::lower_function(AstId form) {
  const auto f = ast_.get<fathom::node::Function>(form);
  function_name_ = f.name;
  function_arity_ = f.arity;
  lifted_ = 0;
  loops_ = 0;
  Scope scope;
  begin_scope(scope, *local_function(f.name, f.arity), f.name, form);
  std::vector<VarId> parameters;
  for (uint32_t i = 0; i < f.arity; ++i) parameters.push_back(fresh());
  const RegionId body = region([&] { return function_clauses(f.clauses, parameters, form); });
  end_scope(scope, parameters, body);
}

Atom Lowering::lifted_name(std::string_view what) {
  return Atom::intern(fmt::format("-{}/{}-{}-", function_name_.text(), function_arity_, what));
}

}  // namespace fathom::core
