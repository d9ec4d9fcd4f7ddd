// Patterns. What a pattern binds is collected and takes effect after it.
#include <fmt/format.h>

#include <algorithm>

#include "lint/fold.h"
#include "lint/lint_body.h"
#include "syntax/anchors.h"

namespace fathom::lint {

bool BodyLinter::Bindings::has(Atom name) const {
  return std::ranges::any_of(fresh, [&](const auto& f) { return f.first == name; });
}

void BodyLinter::Bindings::add(Atom name, NodeId at) { fresh.emplace_back(name, at); }

void BodyLinter::bind(const Bindings& bindings) {
  scope_.apply(bindings.used);
  // In reverse: of a variable that stands twice, the first place is kept.
  for (size_t i = bindings.fresh.size(); i-- > 0;) {
    scope_.set(bindings.fresh[i].first, {State::Bound, kNoNode, bindings.fresh[i].second});
  }
}

void BodyLinter::pattern_list(ListId list, Hiding hiding, Bindings& bindings) {
  for (const NodeId id : ast_.list(list)) pattern(id, hiding, bindings);
}

void BodyLinter::pattern(NodeId root, Hiding hiding, Bindings& bindings) {
  const size_t base = todo_.size();
  todo_.push_back(root);
  while (todo_.size() > base) {
    const NodeId id = todo_.back();
    todo_.pop_back();
    pattern_part(id, hiding, bindings);
  }
}

void BodyLinter::pattern_part(NodeId id, Hiding hiding, Bindings& bindings) {
  switch (ast_.kind(id)) {
    case NodeKind::Var:
      return pattern_variable(id, hiding, nullptr, bindings);
    case NodeKind::Atom:
    case NodeKind::Integer:
    case NodeKind::Float:
    case NodeKind::Char:
    case NodeKind::String:
      return;
    case NodeKind::List: {
      const auto list = ast_.get<node::List>(id);
      if (exists(list.tail)) push(list.tail);
      const auto elements = ast_.list(list.elements);
      todo_.insert(todo_.end(), elements.rbegin(), elements.rend());
      return;
    }
    case NodeKind::Tuple: {
      const auto elements = ast_.list(ast_.get<node::Tuple>(id).elements);
      todo_.insert(todo_.end(), elements.rbegin(), elements.rend());
      return;
    }
    case NodeKind::Map:
      return pattern_map(id, bindings);
    case NodeKind::Record:
      return pattern_record(id);
    case NodeKind::RecordIndex: {
      const auto index = ast_.get<node::RecordIndex>(id);
      return record_field(index.name, index.field, id);
    }
    case NodeKind::Binary:
      return pattern_binary(id, hiding, bindings);
    case NodeKind::Match: {
      const auto match = ast_.get<node::Match>(id);
      push(match.value);
      push(match.pattern);
      if (tables_.release < 26) check_alias(match.pattern, match.value);
      return;
    }
    case NodeKind::BinaryOp:
      if (ast_.get<node::BinaryOp>(id).op == atoms::plus_plus) return pattern_append(id);
      [[fallthrough]];
    default:
      if (!is_constant_pattern(id)) illegal_pattern(id);
  }
}

// Arithmetic on constants, if it can be done.
bool BodyLinter::is_constant_pattern(NodeId id) {
  if (!ast_.is(id, NodeKind::BinaryOp) && !ast_.is(id, NodeKind::UnaryOp)) return false;
  TermArena arena;
  return fold_number(unit_, id, arena).has_value();
}

void BodyLinter::illegal_pattern(NodeId id) {
  std::string_view why = "only data, variables and constant arithmetic can be matched";
  if (ast_.is(id, NodeKind::Call)) {
    why = "a call cannot be matched: call it before, and match with its result";
  } else if (ast_.is(id, NodeKind::MapUpdate) || ast_.is(id, NodeKind::RecordUpdate)) {
    why = "an update cannot be matched";
  } else if (ast_.is(id, NodeKind::Binary)) {
    why = "a binary cannot be a segment of a binary here; use a variable of type binary";
  }
  report_.error(Rule::IllegalPattern, id, fmt::format("this is not a pattern: {}", why));
}

void BodyLinter::pattern_variable(NodeId id, Hiding hiding, const Bindings* before,
                                  Bindings& bindings) {
  const Atom name = ast_.get<node::Var>(id).name;
  if (name == atoms::underscore || (before && before->has(name))) return;
  const Variable known = hiding == Hiding::Yes ? Variable{} : scope_[name];
  if (known.is_unsafe()) {
    unsafe(id, known);
    bindings.used.push_back({name, known, {State::Bound, kNoNode, id}});
  } else if (known.state == State::Exported) {
    bindings.used.push_back({name, known, {State::Bound, kNoNode, known.bound_at}});
  } else if (!known.is_known()) {
    if (in_record_definition_) {
      report_.error(Rule::VariableInRecordDef, id,
                    fmt::format("the default of a record's field is put wherever the record is "
                                "made, and must not bind a variable such as {}; call a function",
                                name.text()));
    }
    bindings.add(name, id);
  }
}

void BodyLinter::pattern_map(NodeId id, Bindings& bindings) {
  for (const NodeId field_id : ast_.list(ast_.get<node::Map>(id).fields)) {
    if (ast_.is(field_id, NodeKind::MapAssoc)) {
      report_.error(Rule::IllegalPattern, field_id,
                    "a pattern asks for a key that is there: write `:=` instead of `=>`");
      continue;
    }
    const auto field = ast_.get<node::MapExact>(field_id);
    guard_expression(field.key, {GuardContext::MapKey, nullptr, &bindings.used});
    push(field.value);
  }
}

void BodyLinter::pattern_record(NodeId id) {
  const auto view = ast_.get<node::Record>(id);
  const RecordInfo* info = record(view.name, id);
  const NodeId any = wildcard(view.fields);
  if (info && exists(any) && defaults(*info, view.fields).empty()) {
    report_.error(Rule::BadMultiFieldInit, any, "no field is left over for `_`: leave it out");
  }
  push_record_values(view.name, info, view.fields);
}

// "text" ++ P, where the text may also be a list of characters. OTP names the last
// list cell that is in order.
void BodyLinter::pattern_append(NodeId id) {
  const auto op = ast_.get<node::BinaryOp>(id);
  Loc cell = ast_[id].anchor;
  bool ok = true;
  for (NodeId left = op.left; ok && !ast_.is(left, NodeKind::String);) {
    ok = ast_.is(left, NodeKind::List);
    if (!ok) break;
    const auto list = ast_.get<node::List>(left);
    bool first = true;
    for (const NodeId element : ast_.list(list.elements)) {
      ok = ast_.is(element, NodeKind::Char) || ast_.is(element, NodeKind::Integer);
      if (!ok) break;
      cell = first ? ast_[left].anchor : first_anchor(unit_, element);
      first = false;
    }
    if (!ok || !exists(list.tail)) break;
    left = list.tail;
  }
  if (ok) {
    push(op.right);
    return;
  }
  report_.error_at(Rule::IllegalPattern, id, cell,
                   "in a pattern, only a constant string may stand before `++`");
}

}  // namespace fathom::lint
