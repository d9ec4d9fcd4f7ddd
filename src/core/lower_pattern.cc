// Patterns and guards. A pattern becomes a sequence of nodes, each of which looks
// at one part of the value and names the parts of that; what a name meets a second
// time is compared with the first.
#include <string>
#include <utility>

#include "core/lowering_loops.h"
#include "lint/auto_imported.h"
#include "syntax/abstract.h"

namespace fathom::core {

bool Lowering::is_wildcard(AstId id) const {
  return ast_.is(id, NodeKind::Var) && ast_.get<fathom::node::Var>(id).name == atoms::underscore;
}

bool Lowering::is_irrefutable(AstId id) const {
  if (!ast_.is(id, NodeKind::Var)) return false;
  const Atom name = ast_.get<fathom::node::Var>(id).name;
  return name == atoms::underscore || !is_bound(name);
}

void Lowering::pattern(AstId id, VarId subject) {
  switch (ast_.kind(id)) {
    case NodeKind::Var: {
      const Atom name = ast_.get<fathom::node::Var>(id).name;
      if (name == atoms::underscore) return;
      if (is_bound(name)) {
        emit_into(kNoVar, Kind::MatchEqual, id, {word(subject), word(use(name))});
      } else {
        emit_into(bind(name), Kind::Bind, id, {word(subject)});
      }
      return;
    }
    case NodeKind::Atom:
    case NodeKind::Integer:
    case NodeKind::Char:
    case NodeKind::Float:
    case NodeKind::String: {
      auto value = constant_value(unit_, id, module_->arena, NameArity::Refused);
      emit_into(kNoVar, Kind::MatchLiteral, id,
                {word(subject), word(module_->add_literal(value ? *value : Term()))});
      return;
    }
    case NodeKind::List:
      return list_pattern(id, subject);
    case NodeKind::Tuple: {
      const std::span<const AstId> parts = ast_.list(ast_.get<fathom::node::Tuple>(id).elements);
      std::vector<VarId> elements;
      for (const AstId part : parts) elements.push_back(is_wildcard(part) ? kNoVar : fresh());
      emit_into(kNoVar, Kind::MatchTuple, id, {word(subject), word(list(elements))});
      for (size_t i = 0; i < parts.size(); ++i) pattern(parts[i], elements[i]);
      return;
    }
    case NodeKind::Map:
      return map_pattern(id, subject);
    case NodeKind::Binary:
      return binary_pattern(id, subject);
    case NodeKind::Record:
      return record_pattern(id, subject);
    case NodeKind::Match: {
      const auto both = ast_.get<fathom::node::Match>(id);
      pattern(both.pattern, subject);
      return pattern(both.value, subject);
    }
    case NodeKind::BinaryOp:
      if (ast_.get<fathom::node::BinaryOp>(id).op == atoms::plus_plus) {
        return prefix_pattern(id, subject);
      }
      break;
    default:
      break;
  }
  // Arithmetic of constants, #record.field.
  const VarId value = guard_expr(id);
  emit_into(kNoVar, Kind::MatchEqual, id, {word(subject), word(value)});
}

void Lowering::list_pattern(AstId id, VarId subject) {
  const auto l = ast_.get<fathom::node::List>(id);
  for (const AstId element : ast_.list(l.elements)) {
    const VarId head = is_wildcard(element) ? kNoVar : fresh();
    const VarId tail = fresh();
    emit_into(kNoVar, Kind::MatchCons, id, {word(subject), word(head), word(tail)});
    if (exists(head)) pattern(element, head);
    subject = tail;
  }
  if (fathom::exists(l.tail)) return pattern(l.tail, subject);
  emit_into(kNoVar, Kind::MatchLiteral, id, {word(subject), word(module_->add_literal(Term()))});
}

// "prefix" ++ Rest, [a, b] ++ Rest
void Lowering::prefix_pattern(AstId id, VarId subject) {
  const auto op = ast_.get<fathom::node::BinaryOp>(id);
  auto prefix = constant_value(unit_, op.left, module_->arena, NameArity::Refused);
  if (prefix && prefix->is_list()) {
    for (const Term item : prefix->list()) {
      const VarId head = fresh();
      const VarId tail = fresh();
      emit_into(kNoVar, Kind::MatchCons, op.left, {word(subject), word(head), word(tail)});
      emit_into(kNoVar, Kind::MatchLiteral, op.left,
                {word(head), word(module_->add_literal(item))});
      subject = tail;
    }
  }
  pattern(op.right, subject);
}

void Lowering::map_pattern(AstId id, VarId subject) {
  emit_into(kNoVar, Kind::MatchMap, id, {word(subject)});
  for (const AstId field : ast_.list(ast_.get<fathom::node::Map>(id).fields)) {
    const AstId key = AstId{ast_.slot(field, 0)};
    const AstId value = AstId{ast_.slot(field, 1)};
    const VarId k = guard_expr_outside_head(key, {});
    const VarId found = fresh();
    emit_into(found, Kind::MatchKey, field, {word(subject), word(k)});
    pattern(value, found);
  }
}

VarId Lowering::guard_expr(AstId id) {
  const bool before = std::exchange(in_guard_, true);
  const VarId value = expr(id);
  in_guard_ = before;
  return value;
}

// A whole test of a guard, where list(X) means is_list(X).
VarId Lowering::guard_test(AstId id) {
  if (!ast_.is(id, NodeKind::Call)) return guard_expr(id);
  const auto call = ast_.get<fathom::node::Call>(id);
  if (!ast_.is(call.function, NodeKind::Atom)) return guard_expr(id);
  const Atom name = ast_.get<fathom::node::Atom>(call.function).value;
  const size_t arity = ast_.list(call.arguments).size();
  if (!lint::is_old_type_test(name, arity)) return guard_expr(id);
  const bool before = std::exchange(in_guard_, true);
  const Atom test = Atom::intern("is_" + std::string(name.text()));
  const VarId value = is_record_test(test, call.arguments)
                          ? record_test(id, call.arguments)
                          : emit_call(atoms::erlang, test, exprs(call.arguments), id);
  in_guard_ = before;
  return value;
}

VarId Lowering::guard_expr_outside_head(AstId id, std::span<const Atom> named_before) {
  if (!head_) return guard_expr(id);
  head_->swap_outside(named_before);
  const VarId value = guard_expr(id);
  head_->swap_outside(named_before);
  return value;
}

// One region for each alternative (A, B; C): all its tests must be true.
ListId Lowering::guards(fathom::ListId guard) {
  std::vector<RegionId> alternatives;
  for (const fathom::ListId alternative : ast_.guard(guard)) {
    alternatives.push_back(region([&] {
      for (const AstId test : ast_.list(alternative)) {
        const VarId value = guard_test(test);
        emit_into(kNoVar, Kind::Test, test, {word(value)});
      }
      return kNoVar;
    }));
  }
  return module_->add_list(std::span<const RegionId>(alternatives));
}

}  // namespace fathom::core
