#include "core/lower.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/lowering.h"
#include "syntax/abstract.h"

namespace fathom::core {

Result<std::unique_ptr<Module>> lower(const Unit& unit) { return Lowering(unit).run(); }

Lowering::Lowering(const Unit& unit)
    : unit_(unit), ast_(unit.ast), module_(std::make_unique<Module>(unit)) {}

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
  return region;
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

// ---- The module -------------------------------------------------------------

std::unique_ptr<Module> Lowering::run() {
  collect_declarations();
  collect_files();
  for (const AstId form : ast_.forms()) {
    if (ast_.kind(form) == NodeKind::Function) lower_function(form);
  }
  module_->index_functions();
  return std::move(module_);
}

void Lowering::collect_declarations() {
  for (const AstId form : ast_.forms()) {
    switch (ast_.kind(form)) {
      case NodeKind::RecordDecl:
        collect_record(form);
        break;
      case NodeKind::Attribute:
        collect_attribute(form);
        break;
      case NodeKind::Function: {
        const auto f = ast_.get<fathom::node::Function>(form);
        const auto id = FunctionId{static_cast<uint32_t>(module_->functions.size())};
        if (local_.emplace(function_key(f.name, f.arity), id).second) {
          Function& function = module_->functions.emplace_back();
          function.name = f.name;
          function.arity = f.arity;
          function.origin = form;
        }
        break;
      }
      default:
        break;
    }
  }
  for (Function& f : module_->functions) {
    f.exported = export_all_ || exports_.contains(function_key(f.name, f.arity));
  }
}

void Lowering::collect_record(AstId form) {
  const auto declared = ast_.get<fathom::node::RecordDecl>(form);
  Record record;
  for (const AstId field : ast_.list(declared.fields)) {
    const auto f = ast_.get<fathom::node::RecordFieldDecl>(field);
    record.fields.push_back({ast_.get<fathom::node::Atom>(f.name).value, f.value});
  }
  records_.emplace(declared.name, std::move(record));
}

namespace {

// Calls f(name, arity) for the f/1 of a list.
template <class F>
void for_each_name(Term list, F&& f) {
  if (!list.is_list()) return;
  for (const Term item : list.list()) {
    if (item.is_tuple(2) && item[0].is_atom() && item[1].is_small()) {
      f(item[0].atom(), static_cast<uint32_t>(item[1].small()));
    }
  }
}

bool has_export_all(Term options) {
  if (options.is_atom()) return options.atom().text() == "export_all";
  if (!options.is_list()) return false;
  for (const Term option : options.list()) {
    if (option.is_atom() && option.atom().text() == "export_all") return true;
  }
  return false;
}

}  // namespace

void Lowering::collect_attribute(AstId form) {
  const auto attribute = ast_.get<fathom::node::Attribute>(form);
  std::vector<Term> values;
  for (const AstId id : ast_.list(attribute.values)) {
    auto value = constant_value(unit_, id, module_->arena, NameArity::Pair);
    if (!value) return;
    values.push_back(*value);
  }
  if (attribute.name == atoms::export_ && values.size() == 1) {
    for_each_name(values[0], [this](Atom name, uint32_t arity) {
      exports_.insert(function_key(name, arity));
    });
  } else if (attribute.name == atoms::import && values.size() == 2 && values[0].is_atom()) {
    for_each_name(values[1], [&](Atom name, uint32_t arity) {
      imports_.emplace(function_key(name, arity), values[0].atom());
    });
  } else if (values.size() == 1) {
    if (attribute.name == atoms::compile) export_all_ |= has_export_all(values[0]);
    module_->attributes.emplace_back(attribute.name, values[0]);
  }
}

// A form has the highest id of its nodes. Forms that a parse transform has made may have
// lower ids than those before them: the highest id so far is what counts.
void Lowering::collect_files() {
  uint32_t next = 0;  // the first id that no form so far has
  for (const AstId form : ast_.forms()) {
    if (ast_.kind(form) == NodeKind::Attribute) {
      const auto attribute = ast_.get<fathom::node::Attribute>(form);
      const std::span<const AstId> values = ast_.list(attribute.values);
      if (attribute.name == atoms::file && !values.empty() &&
          ast_.is(values[0], NodeKind::String)) {
        const auto name = ast_.get<fathom::node::String>(values[0]).value;
        module_->files.push_back({AstId{next}, std::string(unit_.literals().strings[name])});
      }
    }
    next = std::max(next, static_cast<uint32_t>(form) + 1);
  }
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
  begin_scope(scope, local_.at(function_key(f.name, f.arity)), f.name, form);
  std::vector<VarId> parameters;
  for (uint32_t i = 0; i < f.arity; ++i) parameters.push_back(fresh());
  const RegionId body = region([&] { return function_clauses(f.clauses, parameters, form); });
  end_scope(scope, parameters, body);
}

Atom Lowering::lifted_name(std::string_view what) {
  return Atom::intern(fmt::format("-{}/{}-{}-", function_name_.text(), function_arity_, what));
}

}  // namespace fathom::core
