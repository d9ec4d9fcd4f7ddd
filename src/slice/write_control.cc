// Bodies, clauses, patterns of a slice.
#include <algorithm>

#include "core/constant_parts.h"
#include "slice/syntax_groups.h"
#include "slice/writer.h"

namespace fathom::slice {

using core::AstId;
using core::Kind;
using core::NodeId;

// ---- Bodies -----------------------------------------------------------------

void Writer::body(ListId list, bool is_wanted) {
  const auto items = ast_.list(list);
  std::vector<bool> kept;
  bool is_any = false;
  for (size_t i = 0; i < items.size(); ++i) {
    kept.push_back(is_touched(items[i]) || (is_wanted && i + 1 == items.size()));
    is_any = is_any || kept.back();
  }
  if (!is_any) {
    const uint32_t begin = range(items.front()).begin;
    edits_.replace({begin, range(items.back()).end}, "sliced");
    return;
  }
  for (size_t i = 0; i < items.size(); ++i) {
    if (kept[i]) expression(items[i], is_wanted && i + 1 == items.size(), Slot::Body);
  }
  sequence(items, kept);
}

void Writer::maybe_body(ListId list, bool is_wanted) {
  const auto items = ast_.list(list);
  std::vector<bool> kept;
  for (size_t i = 0; i < items.size(); ++i) {
    const bool is_last = i + 1 == items.size();
    kept.push_back(is_touched(items[i]) || (is_wanted && is_last));
    if (!kept.back()) continue;
    if (!ast_.is(items[i], NodeKind::MaybeMatch)) {
      expression(items[i], is_wanted && is_last, Slot::Body);
      continue;
    }
    const auto m = ast_.get<node::MaybeMatch>(items[i]);
    count(items[i]);
    if (is_touched(m.pattern)) {
      pattern(m.pattern);
      expression(m.value, true, Slot::Expression);
    } else {
      edits_.remove({range(items[i]).begin, range(m.value).begin});
      expression(m.value, is_wanted && is_last, Slot::Body);
    }
  }
  if (std::find(kept.begin(), kept.end(), true) == kept.end()) {
    edits_.replace({range(items.front()).begin, range(items.back()).end}, "sliced");
    return;
  }
  sequence(items, kept);
}

// ---- Control ----------------------------------------------------------------

bool Writer::is_tried_value_needed(AstId id) const {
  const ProcedureId p = scopes_.procedure_of(id);
  if (!exists(p)) return false;
  bool is_needed = false;
  scopes_.for_each_node(slicer_.model()[p].function, id, [&](NodeId n) {
    if (module_[n].kind != Kind::Try) return;
    const core::VarId v = module_.get<core::node::Try>(n).value;
    is_needed = is_needed || (core::exists(v) && is_some(slicer_.need_of(p, v)));
  });
  return is_needed;
}

void Writer::control(AstId id, bool is_wanted, Slot slot) {
  const auto touched = [&](ListId list) {
    const auto items = ast_.list(list);
    return std::any_of(items.begin(), items.end(), [&](AstId i) { return is_touched(i); });
  };
  switch (ast_.kind(id)) {
    case NodeKind::Block:
      count(id);
      return body(ast_.get<node::Block>(id).body, is_wanted);
    case NodeKind::Case: {
      const auto c = ast_.get<node::Case>(id);
      if (!is_wanted && !touched(c.clauses) && !has_kept_node(id))
        return hoist(id, {c.subject}, slot);
      count(id);
      bool is_looked_at = has_kept_node(id);
      for (const AstId clause_id : ast_.list(c.clauses)) {
        const auto patterns = ast_.list(ast_.get<node::Clause>(clause_id).patterns);
        is_looked_at = is_looked_at || is_touched(patterns[0]);
      }
      const bool is_variable = ast_.is(c.subject, NodeKind::Var);
      expression(c.subject,
                 (is_variable && is_looked_at && is_value_needed(c.subject)) ||
                     (!is_variable && is_value_needed(c.subject)),
                 Slot::Expression);
      return clauses(c.clauses, is_wanted);
    }
    case NodeKind::If:
      count(id);
      return clauses(ast_.get<node::If>(id).clauses, is_wanted);
    case NodeKind::Receive: {
      const auto r = ast_.get<node::Receive>(id);
      if (!has_kept_node(id)) return hoist(id, {r.timeout}, slot);
      count(id);
      clauses(r.clauses, is_wanted);
      if (!fathom::exists(r.timeout)) return;
      expression(r.timeout, true, Slot::Expression);
      return body(r.after, is_wanted && is_after_taken(id));
    }
    case NodeKind::Catch: {
      count(id);
      return expression(ast_.get<node::Catch>(id).body, is_tried_value_needed(id),
                        Slot::Expression);
    }
    case NodeKind::Try:
      return try_expression(id, is_wanted);
    case NodeKind::Maybe: {
      const auto m = ast_.get<node::Maybe>(id);
      count(id);
      maybe_body(m.body, is_wanted);
      if (!fathom::exists(m.otherwise)) return;
      count(m.otherwise);
      return clauses(ast_.get<node::MaybeElse>(m.otherwise).clauses, is_wanted);
    }
    default:
      return verbatim(id);
  }
}

void Writer::try_expression(AstId id, bool is_wanted) {
  const auto t = ast_.get<node::Try>(id);
  count(id);
  const bool has_clauses = !ast_.list(t.clauses).empty();
  body(t.body, is_tried_value_needed(id));
  if (has_clauses) clauses(t.clauses, is_wanted);
  handlers(t.handlers, is_wanted);
  if (!ast_.list(t.after).empty()) body(t.after, false);
}

// ---- Clauses ----------------------------------------------------------------

bool Writer::is_reached(AstId clause_id) const {
  if (left_out_.contains(clause_id)) return false;
  for (const NodeId n : slicer_.model().origins(module_).nodes_of(clause_id)) {
    if (core::is_part(module_, n) || module_[n].kind != Kind::Clause) continue;
    const ProcedureId p = slicer_.model().find(module_, module_.function_of(n));
    if (exists(p) && exists(slicer_.model()[p].control->point(n))) {
      return untaken_ == Untaken::Heads || is_taken(clause_id);
    }
  }
  return false;
}

bool Writer::is_taken(AstId clause_id) const {
  for (const NodeId n : slicer_.model().origins(module_).nodes_of(clause_id)) {
    if (core::is_part(module_, n) || module_[n].kind != Kind::Clause) continue;
    const ProcedureId p = slicer_.model().find(module_, module_.function_of(n));
    const core::RegionId body = module_.get<core::node::Clause>(n).body;
    if (exists(p) && exists(slicer_.model()[p].control->point(body))) return true;
  }
  return false;
}

bool Writer::is_after_taken(AstId receive) const {
  for (const NodeId n : slicer_.model().origins(module_).nodes_of(receive)) {
    if (core::is_part(module_, n) || module_[n].kind != Kind::Receive) continue;
    const ProcedureId p = slicer_.model().find(module_, module_.function_of(n));
    const core::RegionId after = module_.get<core::node::Receive>(n).after;
    if (exists(p) && core::exists(after) && exists(slicer_.model()[p].control->point(after))) {
      return true;
    }
  }
  return false;
}

bool Writer::is_guard_touched(AstId clause_id) const {
  for (const ListId alternative : ast_.guard(ast_.get<node::Clause>(clause_id).guard)) {
    for (const AstId test : ast_.list(alternative)) {
      if (is_touched(test)) return true;
    }
  }
  return false;
}

// As it is written in the slice.
bool Writer::takes_anything(AstId clause_id) const {
  if (is_guard_touched(clause_id)) return false;
  for (const AstId p : ast_.list(ast_.get<node::Clause>(clause_id).patterns)) {
    if (!is_touched(p)) continue;
    if (!ast_.is(p, NodeKind::Var)) return false;
    for (const NodeId n : slicer_.model().origins(module_).nodes_of(p)) {
      if (!core::is_part(module_, n) && module_[n].kind != Kind::Bind) return false;
    }
  }
  return true;
}

void Writer::clauses(ListId list, bool is_wanted) {
  const auto items = ast_.list(list);
  std::vector<bool> kept;
  bool is_closed = false;
  bool is_any = false;
  for (const AstId id : items) {
    const bool is_kept = !is_closed && is_reached(id);
    kept.push_back(is_kept);
    if (!is_kept) continue;
    is_any = true;
    is_closed = takes_anything(id);
    clause(id, is_wanted);
  }
  if (!is_any && !items.empty()) {
    // Control never comes here, but something must stand here.
    kept[0] = true;
    clause(items[0], false);
  }
  sequence(items, kept);
}

void Writer::clause(AstId id, bool is_wanted) {
  count(id);
  const auto c = ast_.get<node::Clause>(id);
  const auto patterns = ast_.list(c.patterns);
  for (const AstId p : patterns) pattern(p);
  const AstId above = scopes_.parent(id);
  guard(id, fathom::exists(above) && ast_.is(above, NodeKind::If));
  body(c.body, is_wanted && is_taken(id));
}

void Writer::guard(AstId clause_id, bool is_if) {
  const auto c = ast_.get<node::Clause>(clause_id);
  const auto alternatives = ast_.guard(c.guard);
  if (alternatives.empty()) return;
  if (!is_guard_touched(clause_id)) return drop_guard(clause_id, is_if);
  for (const ListId alternative : alternatives) {
    for (const AstId test : ast_.list(alternative)) verbatim(test);
  }
}

// ---- Handlers ---------------------------------------------------------------

void Writer::handlers(ListId list, bool is_wanted) {
  const auto items = ast_.list(list);
  if (items.empty()) return;
  std::vector<bool> kept;
  bool is_closed = false;
  const auto write = [&](AstId id, bool is_value_wanted) {
    count(id);
    handler_head(id);
    guard(id, false);
    body(ast_.get<node::Clause>(id).body, is_value_wanted && is_taken(id));
  };
  for (const AstId id : items) {
    kept.push_back(!is_closed && is_reached(id));
    if (!kept.back()) continue;
    is_closed = takes_anything(id);
    write(id, is_wanted);
  }
  if (std::find(kept.begin(), kept.end(), true) == kept.end()) {
    kept[0] = true;
    write(items[0], false);
  }
  sequence(items, kept);
}

void Writer::handler_head(AstId clause_id) {
  const AstId head = ast_.list(ast_.get<node::Clause>(clause_id).patterns)[0];
  if (!is_touched(head)) return replace(head, "_:_");
  count(head);
  const auto parts = ast_.list(ast_.get<node::Tuple>(head).elements);
  const TextRange name = range(parts[0]);
  if (name.begin != name.end) {
    pattern(parts[0]);
  } else if (!is_touched(parts[0])) {
    edits_.insert(range(parts[1]).begin, "_:");
  }
  pattern(parts[1]);
  const TextRange trace = range(parts[2]);
  if (trace.begin != trace.end) pattern(parts[2]);
}

// ---- Patterns ---------------------------------------------------------------

void Writer::pattern(AstId id) {
  const TextRange r = range(id);
  if (!is_touched(id)) {
    if (r.begin != r.end) replace(id, "_");
    return;
  }
  switch (ast_.kind(id)) {
    case NodeKind::Tuple:
    case NodeKind::List:
      count(id);
      ast_.for_each_child(id, [&](AstId part) { pattern(part); });
      return;
    case NodeKind::Match: {
      const auto both = ast_.get<node::Match>(id);
      if (is_touched(both.pattern) && is_touched(both.value)) {
        count(id);
        pattern(both.pattern);
        return pattern(both.value);
      }
      const AstId one = is_touched(both.pattern) ? both.pattern : both.value;
      edits_.remove({r.begin, range(one).begin});
      pattern(one);
      edits_.remove({range(one).end, r.end});
      return;
    }
    case NodeKind::Record: {
      count(id);
      const auto fields = ast_.list(ast_.get<node::Record>(id).fields);
      std::vector<bool> kept;
      for (const AstId field : fields) {
        kept.push_back(is_touched(field) || has_rest(fields));
        if (!kept.back()) continue;
        count(field);
        pattern(ast_.get<node::RecordField>(field).value);
      }
      return sequence(fields, kept);
    }
    case NodeKind::Binary:
      return binary_pattern(id);
    case NodeKind::Map: {
      count(id);
      const auto fields = ast_.list(ast_.get<node::Map>(id).fields);
      std::vector<bool> kept;
      for (const AstId field : fields) {
        kept.push_back(is_touched(field));
        if (!kept.back()) continue;
        count(field);
        verbatim(AstId{ast_.slot(field, 0)});
        pattern(AstId{ast_.slot(field, 1)});
      }
      return sequence(fields, kept);
    }
    case NodeKind::BinaryOp: {
      const auto op = ast_.get<node::BinaryOp>(id);
      if (op.op != atoms::plus_plus) return verbatim(id);
      count(id);
      verbatim(op.left);
      return pattern(op.right);
    }
    default:
      return verbatim(id);
  }
}

// Segments are all there; variables of which nothing is needed are not.
void Writer::binary_pattern(AstId id) {
  count(id);
  for (const AstId s : ast_.list(ast_.get<node::Binary>(id).segments)) {
    count(s);
    const auto segment = ast_.get<node::Segment>(s);
    const bool is_unused = ast_.is(segment.value, NodeKind::Var) && !is_pinned(segment.value) &&
                           !is_value_needed(segment.value);
    if (is_unused) {
      replace(segment.value, "_");
    } else {
      verbatim(segment.value);
    }
    if (fathom::exists(segment.size)) verbatim(segment.size);
    for (const AstId type : ast_.list(segment.types)) verbatim(type);
  }
}

}  // namespace fathom::slice
