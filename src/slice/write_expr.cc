// Expressions of a slice. Chains of operators are as deep as they are long, so what is below an
// expression is written later, from a list, outer ones first.
#include <algorithm>

#include "core/constant_parts.h"
#include "slice/syntax_groups.h"
#include "slice/writer.h"

namespace fathom::slice {

using core::AstId;
using core::VarId;

namespace {

// Whether it can stand wherever an expression can, without parentheses.
bool is_primary(NodeKind kind) {
  switch (kind) {
    case NodeKind::Match:
    case NodeKind::BinaryOp:
    case NodeKind::UnaryOp:
    case NodeKind::Catch:
    case NodeKind::MapUpdate:
    case NodeKind::RecordUpdate:
    case NodeKind::RecordAccess:
    case NodeKind::MaybeMatch:
      return false;
    default:
      return true;
  }
}

}  // namespace

bool Writer::is_operation(NodeKind kind) {
  switch (kind) {
    case NodeKind::List:
    case NodeKind::Tuple:
    case NodeKind::Binary:
    case NodeKind::Map:
    case NodeKind::MapUpdate:
    case NodeKind::Record:
    case NodeKind::RecordUpdate:
    case NodeKind::RecordAccess:
    case NodeKind::BinaryOp:
    case NodeKind::UnaryOp:
    case NodeKind::Call:
      return true;
    default:
      return false;
  }
}

// In an execution control may not have come to where it is.
bool Writer::is_bound(AstId use) const {
  const ProcedureId p = scopes_.procedure_of(use);
  const VarId v = scopes_.variable(use);
  if (!exists(p) || !core::exists(v)) return true;
  const Procedure& procedure = slicer_.model()[p];
  const auto& definitions = procedure.definitions[static_cast<size_t>(v)];
  return definitions.empty() ||
         std::any_of(definitions.begin(), definitions.end(), [&](core::NodeId n) {
           return module_[n].kind == core::Kind::Entry || exists(procedure.control->point(n));
         });
}

void Writer::write_pending() {
  while (!pending_.empty()) {
    const Pending next = pending_.back();
    pending_.pop_back();
    write_expression(next.node, next.is_wanted, next.slot);
  }
}

void Writer::write_expression(AstId id, bool is_wanted, Slot slot) {
  if (!is_wanted && !is_touched(id)) return replace(id, "sliced");
  const NodeKind kind = ast_.kind(id);
  if (is_pinned(id) && kind != NodeKind::Var) is_wanted = true;
  if (kind != NodeKind::Var && is_constant(id)) {
    bool has_pinned = false;
    std::vector<AstId> todo{id};
    while (!todo.empty()) {
      const AstId at = todo.back();
      todo.pop_back();
      has_pinned = has_pinned || is_pinned(at);
      ast_.for_each_child(at, [&](AstId child) { todo.push_back(child); });
    }
    if (has_pinned) return verbatim(id);
    const ProcedureId p = scopes_.procedure_of(id);
    const VarId v = scopes_.variable(id);
    return constant(id, exists(p) && core::exists(v) ? slicer_.need_of(p, v) : kNothing);
  }
  switch (kind) {
    case NodeKind::Var:
      if ((!is_wanted && !is_pinned(id)) || !is_bound(id)) return replace(id, "sliced");
      return count(id);
    case NodeKind::Match:
      return match(id, is_wanted, slot);
    case NodeKind::BinaryOp:
      if (is_short_circuit(ast_, id)) return short_circuit(id, is_wanted, slot);
      return operation(id, slot);
    case NodeKind::FunName:
    case NodeKind::FunRemote:
    case NodeKind::RecordIndex:
      return has_kept_node(id) ? verbatim(id) : replace(id, "sliced");
    case NodeKind::Fun:
    case NodeKind::NamedFun: {
      if (!has_kept_node(id)) return replace(id, "sliced");
      count(id);
      const auto code = scopes_.code_of(id);
      const ProcedureId p = code ? slicer_.model().find(module_, *code) : kNoProcedure;
      const bool is_result_wanted =
          exists(p) && is_some(slicer_.need_of(p, slicer_.model()[p].result));
      return clauses(ListId{ast_.slot(id, kind == NodeKind::Fun ? 0 : 1)}, is_result_wanted);
    }
    case NodeKind::ListComprehension:
    case NodeKind::BinaryComprehension:
    case NodeKind::MapComprehension:
      return comprehension(id);
    default:
      return is_operation(kind) ? operation(id, slot) : control(id, is_wanted, slot);
  }
}

// ---- Data -------------------------------------------------------------------

void Writer::constant(AstId id, NeedId need) {
  if (!is_some(need)) return replace(id, "sliced");
  count(id);
  Needs& needs = slicer_.needs();
  switch (ast_.kind(id)) {
    case NodeKind::Tuple: {
      const auto elements = ast_.list(ast_.get<node::Tuple>(id).elements);
      std::optional<Atom> tag;
      if (!elements.empty() && ast_.is(elements[0], NodeKind::Atom)) {
        tag = ast_.get<node::Atom>(elements[0]).value;
      }
      for (size_t i = 0; i < elements.size(); ++i) {
        constant(elements[i], needs.element(need, i, elements.size(), tag));
      }
      return;
    }
    case NodeKind::List: {
      const auto list = ast_.get<node::List>(id);
      for (const AstId element : ast_.list(list.elements)) {
        constant(element, needs.part(need, Selector::head()));
        need = needs.part(need, Selector::tail());
      }
      if (fathom::exists(list.tail)) constant(list.tail, need);
      return;
    }
    case NodeKind::Map:
      return need == kWhole ? verbatim(id) : constant_map(id, need);
    default:
      return;
  }
}

// Pairs of which nothing is needed go.
void Writer::constant_map(AstId id, NeedId need) {
  Needs& needs = slicer_.needs();
  const auto items = ast_.list(ast_.get<node::Map>(id).fields);
  std::vector<bool> kept;
  for (const AstId field : items) {
    const AstId key{ast_.slot(field, 0)};
    const bool is_atom = ast_.is(key, NodeKind::Atom);
    const NeedId value =
        is_atom ? needs.part(need, {Selector::Kind::AtomKey, ast_.get<node::Atom>(key).value.id()})
                : (needs.has_keys(need) ? kWhole : kNothing);
    kept.push_back(is_some(value));
    if (!kept.back()) continue;
    count(field);
    count(key);
    constant(AstId{ast_.slot(field, 1)}, value);
  }
  sequence(items, kept);
}

// ---- Operations -------------------------------------------------------------

// In the order in which they are evaluated.
std::vector<AstId> Writer::operands_of(AstId id) const {
  std::vector<AstId> result;
  const auto add_fields = [&](ListId fields) {
    for (const AstId field : ast_.list(fields)) {
      if (ast_.is(field, NodeKind::RecordField)) {
        result.push_back(ast_.get<node::RecordField>(field).value);
      } else {
        result.push_back(AstId{ast_.slot(field, 0)});
        result.push_back(AstId{ast_.slot(field, 1)});
      }
    }
  };
  switch (ast_.kind(id)) {
    case NodeKind::Call: {
      const auto call = ast_.get<node::Call>(id);
      if (ast_.is(call.function, NodeKind::Remote)) {
        ast_.for_each_child(call.function, [&](AstId part) { result.push_back(part); });
      } else {
        result.push_back(call.function);
      }
      const auto arguments = ast_.list(call.arguments);
      result.insert(result.end(), arguments.begin(), arguments.end());
      return result;
    }
    case NodeKind::Binary:
      for (const AstId s : ast_.list(ast_.get<node::Binary>(id).segments)) {
        const auto segment = ast_.get<node::Segment>(s);
        result.push_back(segment.value);
        if (fathom::exists(segment.size)) result.push_back(segment.size);
      }
      return result;
    case NodeKind::Map:
      add_fields(ast_.get<node::Map>(id).fields);
      return result;
    case NodeKind::MapUpdate:
      result.push_back(ast_.get<node::MapUpdate>(id).map);
      add_fields(ast_.get<node::MapUpdate>(id).fields);
      return result;
    case NodeKind::Record:
      add_fields(ast_.get<node::Record>(id).fields);
      return result;
    case NodeKind::RecordUpdate:
      result.push_back(ast_.get<node::RecordUpdate>(id).record);
      add_fields(ast_.get<node::RecordUpdate>(id).fields);
      return result;
    case NodeKind::RecordAccess:
      return {ast_.get<node::RecordAccess>(id).record};
    default:
      ast_.for_each_child(id, [&](AstId child) { result.push_back(child); });
      return result;
  }
}

void Writer::operand(AstId operation, AstId id) {
  expression(id, is_wanted_by(operation, id), Slot::Expression);
}

void Writer::operation(AstId id, Slot slot) {
  if (!has_kept_node(id) && !is_pinned(id)) return hoist(id, operands_of(id), slot);
  count(id);
  switch (ast_.kind(id)) {
    case NodeKind::Call: {
      const auto call = ast_.get<node::Call>(id);
      if (ast_.is(call.function, NodeKind::Atom)) {
        count(call.function);
      } else if (ast_.is(call.function, NodeKind::Remote)) {
        count(call.function);
        ast_.for_each_child(call.function, [&](AstId part) {
          if (ast_.is(part, NodeKind::Atom)) return count(part);
          operand(id, part);
        });
      } else {
        operand(id, call.function);
      }
      for (const AstId argument : ast_.list(call.arguments)) operand(id, argument);
      return;
    }
    case NodeKind::Binary:
      for (const AstId s : ast_.list(ast_.get<node::Binary>(id).segments)) {
        count(s);
        const auto segment = ast_.get<node::Segment>(s);
        if (is_constant(segment.value)) {
          verbatim(segment.value);
        } else {
          expression(segment.value, true, Slot::Expression);
        }
        if (fathom::exists(segment.size)) {
          if (is_constant(segment.size)) {
            verbatim(segment.size);
          } else {
            expression(segment.size, true, Slot::Expression);
          }
        }
        for (const AstId type : ast_.list(segment.types)) verbatim(type);
      }
      return;
    case NodeKind::UnaryOp: {
      const AstId inner = ast_.get<node::UnaryOp>(id).operand;
      if (is_constant(inner)) return verbatim(id);
      return operand(id, inner);
    }
    case NodeKind::Map:
      return map_fields(ast_.get<node::Map>(id).fields, id);
    case NodeKind::MapUpdate:
      operand(id, ast_.get<node::MapUpdate>(id).map);
      return map_fields(ast_.get<node::MapUpdate>(id).fields, id);
    case NodeKind::Record:
      return record_fields(ast_.get<node::Record>(id).fields, id);
    case NodeKind::RecordUpdate:
      operand(id, ast_.get<node::RecordUpdate>(id).record);
      return record_fields(ast_.get<node::RecordUpdate>(id).fields, id);
    default:
      for (const AstId part : operands_of(id)) operand(id, part);
      return;
  }
}

void Writer::map_fields(ListId fields, AstId operation) {
  const auto items = ast_.list(fields);
  std::vector<bool> kept;
  for (const AstId field : items) {
    const AstId key{ast_.slot(field, 0)};
    const AstId value{ast_.slot(field, 1)};
    kept.push_back(is_wanted_by(operation, key) || is_wanted_by(operation, value) ||
                   is_touched(field));
    if (!kept.back()) continue;
    count(field);
    operand(operation, key);
    operand(operation, value);
  }
  sequence(items, kept);
}

bool Writer::has_rest(std::span<const AstId> fields) const {
  return std::any_of(fields.begin(), fields.end(), [&](AstId f) {
    return !ast_.is(ast_.get<node::RecordField>(f).name, NodeKind::Atom);
  });
}

bool Writer::has_computed_default(AstId record, AstId field) const {
  if (!ast_.is(record, NodeKind::Atom)) return true;
  const Atom record_name = ast_.get<node::Atom>(record).value;
  const Atom field_name = ast_.get<node::Atom>(field).value;
  for (const AstId form : ast_.forms()) {
    if (!ast_.is(form, NodeKind::RecordDecl)) continue;
    const auto declaration = ast_.get<node::RecordDecl>(form);
    if (declaration.name != record_name) continue;
    for (const AstId f : ast_.list(declaration.fields)) {
      const auto declared = ast_.get<node::RecordFieldDecl>(f);
      if (!ast_.is(declared.name, NodeKind::Atom) ||
          ast_.get<node::Atom>(declared.name).value != field_name) {
        continue;
      }
      return fathom::exists(declared.value) && !is_constant(declared.value);
    }
  }
  return true;
}

// What is not written has its default, or is as before.
void Writer::record_fields(ListId fields, AstId operation) {
  const auto items = ast_.list(fields);
  const bool is_update = ast_.is(operation, NodeKind::RecordUpdate);
  const AstId record = is_update ? ast_.get<node::RecordUpdate>(operation).name
                                 : ast_.get<node::Record>(operation).name;
  std::vector<bool> kept;
  for (const AstId id : items) {
    const auto field = ast_.get<node::RecordField>(id);
    const bool may_go =
        !has_rest(items) && (is_update || !has_computed_default(record, field.name));
    kept.push_back(!may_go || is_wanted_by(operation, field.value) || is_touched(id));
    if (!kept.back()) continue;
    count(id);
    operand(operation, field.value);
  }
  sequence(items, kept);
}

// Those parts that are executed, in place of the whole.
void Writer::hoist(AstId id, const std::vector<AstId>& parts, Slot slot) {
  std::vector<AstId> kept;
  for (const AstId part : parts) {
    if (is_touched(part)) kept.push_back(part);
  }
  if (kept.empty()) return replace(id, "sliced");
  const TextRange whole = range(id);
  const bool is_block = slot == Slot::Expression && kept.size() > 1;
  const bool has_parentheses =
      slot == Slot::Expression && kept.size() == 1 && !is_primary(ast_.kind(kept[0]));
  const char* const open = is_block ? "begin " : has_parentheses ? "(" : "";
  const char* const close = is_block ? " end" : has_parentheses ? ")" : "";
  edits_.insert(whole.begin, open);
  edits_.remove({whole.begin, range(kept.front()).begin});
  for (size_t i = 0; i < kept.size(); ++i) {
    expression(kept[i], is_pinned(kept[i]), kept.size() > 1 ? Slot::Body : slot);
    if (i + 1 == kept.size()) break;
    edits_.insert(range(kept[i]).end, ", ");
    edits_.remove({range(kept[i]).end, range(kept[i + 1]).begin});
  }
  edits_.remove({range(kept.back()).end, whole.end});
  edits_.close(whole.end, close);
}

void Writer::match(AstId id, bool is_wanted, Slot slot) {
  const auto m = ast_.get<node::Match>(id);
  if (!is_touched(m.pattern)) {
    edits_.remove({range(id).begin, range(m.value).begin});
    return expression(m.value, is_wanted, slot);
  }
  count(id);
  pattern(m.pattern);
  const bool is_variable = ast_.is(m.value, NodeKind::Var);
  expression(m.value, is_variable || is_wanted || is_value_needed(m.value), Slot::Expression);
}

void Writer::short_circuit(AstId id, bool is_wanted, Slot slot) {
  const auto op = ast_.get<node::BinaryOp>(id);
  if (!is_wanted && !is_touched(op.right)) return hoist(id, {op.left}, slot);
  const ProcedureId p = scopes_.procedure_of(id);
  bool is_decided = false;
  scopes_.for_each_node(slicer_.model()[p].function, op.left, [&](core::NodeId n) {
    is_decided = is_decided || (is_test(module_[n].kind) && slicer_.is_kept(p, n));
  });
  // The left side always leads to the right one.
  if (!is_decided) return hoist(id, {op.left, op.right}, slot);
  count(id);
  expression(op.left, true, Slot::Expression);
  expression(op.right, is_wanted, Slot::Expression);
}

// ---- Comprehensions ---------------------------------------------------------

void Writer::comprehension(AstId id) {
  const AstId made{ast_.slot(id, 0)};
  const auto qualifiers = ast_.list(ListId{ast_.slot(id, 1)});
  count(id);
  if (ast_.is(made, NodeKind::MapAssoc)) {
    count(made);
    const auto pair = ast_.get<node::MapAssoc>(made);
    for (const AstId part : {pair.key, pair.value}) operand(made, part);
  } else {
    const bool is_piece = ast_.is(id, NodeKind::BinaryComprehension);
    expression(made, is_piece ? is_value_needed(made) : is_wanted_by(id, made), Slot::Expression);
  }
  std::vector<bool> kept;
  bool is_any = false;
  for (const AstId q : qualifiers) {
    kept.push_back(is_touched(q));
    is_any = is_any || kept.back();
  }
  if (!is_any) {
    edits_.replace({range(qualifiers.front()).begin, range(qualifiers.back()).end}, "true");
    return;
  }
  for (size_t i = 0; i < qualifiers.size(); ++i) {
    if (!kept[i]) continue;
    if (is_generator(ast_.kind(qualifiers[i]))) {
      generator(qualifiers[i]);
    } else {
      expression(qualifiers[i], true, Slot::Expression);
    }
  }
  sequence(qualifiers, kept);
}

void Writer::generator(AstId id) {
  count(id);
  if (ast_.is(id, NodeKind::Zip)) {
    for (const AstId g : ast_.list(ast_.get<node::Zip>(id).generators)) generator(g);
    return;
  }
  const AstId p{ast_.slot(id, 0)};
  const AstId source{ast_.slot(id, 1)};
  if (ast_.is(p, NodeKind::Binary)) {
    verbatim(p);
  } else if (ast_.is(p, NodeKind::MapExact)) {
    count(p);
    ast_.for_each_child(p, [&](AstId part) { pattern(part); });
  } else {
    pattern(p);
  }
  expression(source, is_wanted_by(id, source), Slot::Expression);
}

}  // namespace fathom::slice
