#include "slice/writer.h"

#include <algorithm>

#include "core/walk.h"

namespace fathom::slice {

using core::AstId;
using core::NodeId;
using core::VarId;

Writer::Writer(Slicer& slicer, const core::Module& module, const std::vector<AstId>& pinned,
               const std::vector<AstId>& functions, Untaken untaken)
    : UnitEdits(module.unit()),
      slicer_(slicer),
      module_(module),
      ast_(unit_.ast),
      scopes_(slicer.model(), module),
      untaken_(untaken),
      touched_(ast_.size()),
      pinned_(ast_.size()),
      counted_(ast_.size()) {
  const Model& model = slicer.model();
  for (uint32_t i = 0; i < model.size(); ++i) {
    const Procedure& p = model[ProcedureId{i}];
    if (p.module != &module) continue;
    core::for_each_node(module, p.code().body, [&](NodeId n) {
      if (fathom::exists(module[n].origin) && slicer.is_kept(ProcedureId{i}, n)) {
        touch(module[n].origin);
      }
    });
  }
  for (const AstId id : pinned) {
    criteria_.push_back(range(id).begin);
    pinned_[static_cast<size_t>(id)] = true;
    touch(id);
  }
  for (const AstId id : functions) {
    if (ast_.is(id, NodeKind::Function)) touch(id);
  }
}

void Writer::touch(AstId id) {
  is_empty_ = false;
  for (; fathom::exists(id) && !is_touched(id); id = scopes_.parent(id)) {
    touched_[static_cast<size_t>(id)] = true;
  }
}

void Writer::verbatim(AstId id) {
  std::vector<AstId> todo{id};
  while (!todo.empty()) {
    const AstId at = todo.back();
    todo.pop_back();
    count(at);
    ast_.for_each_child(at, [&](AstId child) { todo.push_back(child); });
  }
}

// ---- What is needed ---------------------------------------------------------

bool Writer::has_kept_node(AstId id) const {
  const auto function = scopes_.function_of(id);
  if (!function) return false;
  const ProcedureId p = slicer_.model().find(module_, *function);
  if (!exists(p)) return false;
  bool is_any = false;
  scopes_.for_each_node(*function, id, [&](NodeId n) { is_any = is_any || slicer_.is_kept(p, n); });
  return is_any;
}

bool Writer::is_value_needed(AstId id) const {
  const ProcedureId p = scopes_.procedure_of(id);
  const VarId v = scopes_.variable(id);
  return exists(p) && core::exists(v) && is_some(slicer_.need_of(p, v));
}

bool Writer::is_wanted_by(AstId operation, AstId operand) const {
  if (is_pinned(operand)) return true;
  const auto function = scopes_.function_of(operand);
  if (!function) return false;
  const ProcedureId p = slicer_.model().find(module_, *function);
  const VarId v = scopes_.variable(operand);
  if (!exists(p) || !core::exists(v)) return false;
  bool is_wanted = false;
  scopes_.for_each_node(*function, operation, [&](NodeId n) {
    is_wanted = is_wanted || (slicer_.is_kept(p, n) && is_some(slicer_.operand_need(p, n, v)));
  });
  return is_wanted;
}

bool Writer::is_constant(AstId id) const {
  switch (ast_.kind(id)) {
    case NodeKind::Atom:
    case NodeKind::Integer:
    case NodeKind::Char:
    case NodeKind::Float:
    case NodeKind::String:
      return true;
    case NodeKind::List:
    case NodeKind::Tuple:
    case NodeKind::Map:
    case NodeKind::MapAssoc: {
      bool are_all = true;
      ast_.for_each_child(id, [&](AstId child) { are_all = are_all && is_constant(child); });
      return are_all;
    }
    default:
      return false;
  }
}

// ---- Forms ------------------------------------------------------------------

bool Writer::is_kept_function(Atom name, uint32_t arity) const {
  for (const AstId form : ast_.forms()) {
    if (!ast_.is(form, NodeKind::Function)) continue;
    const auto f = ast_.get<node::Function>(form);
    if (f.name == name && f.arity == arity) return is_touched(form);
  }
  return false;
}

void Writer::exports(AstId id) {
  std::vector<Exported> exported;
  if (!export_items(id, exported)) return;
  std::vector<AstId> items;
  std::vector<bool> kept;
  for (const Exported& e : exported) {
    items.push_back(e.node);
    kept.push_back(is_kept_function(e.name, e.arity));
  }
  sequence(items, kept);
}

// Defaults that call something that may be gone.
void Writer::record_declaration(AstId id) {
  for (const AstId field : ast_.list(ast_.get<node::RecordDecl>(id).fields)) {
    if (!ast_.is(field, NodeKind::RecordFieldDecl)) continue;
    const auto f = ast_.get<node::RecordFieldDecl>(field);
    if (fathom::exists(f.value) && !is_constant(f.value) && !is_touched(f.value)) {
      replace(f.value, "sliced");
    }
  }
}

void Writer::form(AstId id) {
  // What came out of a header or a macro is not in this text.
  const auto span = unit_.used_span(id);
  if (!span || unit_.sources().file_of(span->begin) != *unit_.file) return;
  switch (ast_.kind(id)) {
    case NodeKind::Function: {
      if (!is_touched(id)) return drop_form(id);
      count(id);
      const auto f = ast_.get<node::Function>(id);
      const auto function = scopes_.code_of(id);
      const ProcedureId p = function ? slicer_.model().find(module_, *function) : kNoProcedure;
      const bool is_wanted = exists(p) && is_some(slicer_.need_of(p, slicer_.model()[p].result));
      return clauses(f.clauses, is_wanted);
    }
    case NodeKind::Spec: {
      const auto spec = ast_.get<node::Spec>(id);
      static const Atom spec_name = Atom::intern("spec");
      if (spec.attribute == spec_name && !is_kept_function(spec.name, spec.arity)) drop_form(id);
      return;
    }
    case NodeKind::RecordDecl:
      return record_declaration(id);
    case NodeKind::Attribute: {
      const std::string_view name = ast_.get<node::Attribute>(id).name.text();
      if (name == "export") return exports(id);
      if (name == "on_load" || name == "dialyzer" || name == "deprecated" || name == "removed") {
        return drop_form(id);
      }
      return;
    }
    default:
      return;
  }
}

// What is written with the node whatever is needed of it.
void Writer::count_names(AstId id) {
  switch (ast_.kind(id)) {
    case NodeKind::Record:
    case NodeKind::RecordUpdate:
    case NodeKind::RecordAccess:
    case NodeKind::RecordField:
      return ast_.for_each_child(id, [&](AstId child) {
        if (ast_.is(child, NodeKind::Atom) && child != value_of_field(id)) count(child);
      });
    default:
      return;
  }
}

AstId Writer::value_of_field(AstId id) const {
  return ast_.is(id, NodeKind::RecordField) ? ast_.get<node::RecordField>(id).value : kNoNode;
}

SlicedModule Writer::write() {
  for (const AstId id : ast_.forms()) {
    form(id);
    write_pending();
  }
  SlicedModule result;
  result.module = &module_;
  result.criteria = criteria_;
  result.text = edits_.applied(result.criteria);
  result.kept = edits_.kept();
  std::vector<AstId> todo;
  for (const AstId id : ast_.forms()) {
    if (ast_.is(id, NodeKind::Function)) todo.push_back(id);
  }
  while (!todo.empty()) {
    const AstId at = todo.back();
    todo.pop_back();
    ++result.nodes_total;
    if (counted_[static_cast<size_t>(at)]) {
      ++result.nodes_kept;
      count_names(at);
    }
    ast_.for_each_child(at, [&](AstId child) { todo.push_back(child); });
  }
  return result;
}

}  // namespace fathom::slice
