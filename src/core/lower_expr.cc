// Expressions.
#include <algorithm>

#include "core/constant_parts.h"
#include "core/lowering.h"
#include "syntax/abstract.h"

namespace fathom::core {

VarId Lowering::body(fathom::ListId expressions) {
  VarId value = kNoVar;
  for (const AstId id : ast_.list(expressions)) {
    begin_statement(id);
    value = expr(id);
  }
  return value;
}

std::vector<VarId> Lowering::exprs(fathom::ListId ids) {
  std::vector<VarId> values;
  for (const AstId id : ast_.list(ids)) values.push_back(expr(id));
  return values;
}

VarId Lowering::expr(AstId id) {
  switch (ast_.kind(id)) {
    case NodeKind::Var:
      return use(ast_.get<fathom::node::Var>(id).name);
    case NodeKind::Atom:
    case NodeKind::Integer:
    case NodeKind::Char:
    case NodeKind::Float:
    case NodeKind::String:
      return constant(id);
    case NodeKind::List:
      return is_constant(id) ? constant(id) : list_expr(id);
    case NodeKind::Tuple:
      if (is_constant(id)) return constant(id);
      return emit_tuple(exprs(ast_.get<fathom::node::Tuple>(id).elements), id);
    case NodeKind::Binary:
      return binary_expr(id);
    case NodeKind::Map:
      if (is_constant(id)) return constant(id);
      return map_fields(kNoVar, ast_.get<fathom::node::Map>(id).fields, id);
    case NodeKind::MapUpdate: {
      const auto update = ast_.get<fathom::node::MapUpdate>(id);
      const VarId map = expr(update.map);
      return map_fields(map, update.fields, id);
    }
    case NodeKind::Record:
      return record_expr(id);
    case NodeKind::RecordUpdate:
      return record_update(id);
    case NodeKind::RecordAccess:
      return record_access(id);
    case NodeKind::RecordIndex:
      return record_index(id);
    case NodeKind::Match:
      return match(id);
    case NodeKind::BinaryOp:
    case NodeKind::UnaryOp:
      return operators(id);
    case NodeKind::Call:
      return call(id);
    case NodeKind::Block:
      return body(ast_.get<fathom::node::Block>(id).body);
    case NodeKind::If:
      return if_expr(id);
    case NodeKind::Case:
      return case_expr(id);
    case NodeKind::Receive:
      return receive_expr(id);
    case NodeKind::Try:
      return try_expr(id);
    case NodeKind::Catch:
      return catch_expr(id);
    case NodeKind::Maybe:
      return maybe_expr(id);
    case NodeKind::Fun:
      return fun_expr(id);
    case NodeKind::NamedFun:
      return named_fun_expr(id);
    case NodeKind::FunName:
    case NodeKind::FunRemote:
      return fun_name(id);
    case NodeKind::ListComprehension:
    case NodeKind::BinaryComprehension:
    case NodeKind::MapComprehension:
      return comprehension(id);
    default:
      break;  // no expression: lint refuses it
  }
  static const Atom illegal = Atom::intern("illegal_expression");
  emit_no_match(illegal, {}, id);
  return fresh();
}

// ---- Data -------------------------------------------------------------------

// Data all of whose parts are constants is one literal.
bool Lowering::is_constant(AstId id) const {
  std::vector<AstId> todo{id};
  while (!todo.empty()) {
    const AstId at = todo.back();
    todo.pop_back();
    switch (ast_.kind(at)) {
      case NodeKind::Atom:
      case NodeKind::Integer:
      case NodeKind::Char:
      case NodeKind::Float:
      case NodeKind::String:
        break;
      case NodeKind::List:
      case NodeKind::Tuple:
      case NodeKind::Map:
      case NodeKind::MapAssoc:
        ast_.for_each_child(at, [&](AstId child) { todo.push_back(child); });
        break;
      default:
        return false;
    }
  }
  return true;
}

VarId Lowering::constant(AstId id) {
  auto value = constant_value(unit_, id, module_->arena, NameArity::Refused);
  const VarId result = emit_literal(value ? *value : Term(), id);
  if (const size_t parts = count_parts(ast_, id); parts > 0) module_->add_parts(parts);
  return result;
}

VarId Lowering::list_expr(AstId id) {
  const auto l = ast_.get<fathom::node::List>(id);
  const std::vector<VarId> elements = exprs(l.elements);
  VarId tail = fathom::exists(l.tail) ? expr(l.tail) : emit_literal(Term(), id);
  for (size_t i = elements.size(); i-- > 0;) {
    tail = emit(Kind::Cons, id, {word(elements[i]), word(tail)});
  }
  return tail;
}

// All keys and values are evaluated first, then put in runs of one kind.
VarId Lowering::map_fields(VarId map, fathom::ListId fields, AstId origin) {
  struct Field {
    bool exact;
    VarId key;
    VarId value;
    std::optional<Term> literal;  // the key, if it is one
  };
  std::vector<Field> all;
  for (const AstId field : ast_.list(fields)) {
    const bool exact = ast_.kind(field) == NodeKind::MapExact;
    const AstId key = AstId{ast_.slot(field, 0)};
    const AstId value = AstId{ast_.slot(field, 1)};
    const VarId k = expr(key);
    all.push_back({exact, k, expr(value), {}});
    if (exact && is_constant(key)) {
      const auto term = constant_value(unit_, key, module_->arena, NameArity::Refused);
      if (term) all.back().literal = *term;
    }
  }
  // Of literal keys in a row OTP looks for the least one first.
  const auto is_literal = [](const Field& field) { return field.literal.has_value(); };
  for (auto at = all.begin(); at != all.end();) {
    const auto end = std::find_if_not(at, all.end(), is_literal);
    std::stable_sort(at, end, [](const Field& a, const Field& b) {
      return compare_exact(*a.literal, *b.literal) < 0;
    });
    at = std::find_if(end, all.end(), is_literal);
  }
  size_t i = 0;
  while (i < all.size() || !exists(map)) {
    std::vector<VarId> pairs;
    const bool exact = i < all.size() && all[i].exact;
    for (; i < all.size() && all[i].exact == exact; ++i) {
      pairs.push_back(all[i].key);
      pairs.push_back(all[i].value);
    }
    if (!exists(map)) {
      map = emit(Kind::Map, origin, {word(list(pairs))});
    } else {
      map = emit(exact ? Kind::MapReplace : Kind::MapPut, origin, {word(map), word(list(pairs))});
    }
  }
  if (all.empty()) map = emit(Kind::MapPut, origin, {word(map), word(list({}))});
  return map;
}

// ---- Operators --------------------------------------------------------------

// OTP's compiler lets a comprehension begin with what follows it, in place of [], and
// so evaluates that first.
bool Lowering::is_right_first(const fathom::node::BinaryOp& op) const {
  return op.op == atoms::plus_plus && ast_.is(op.left, NodeKind::ListComprehension);
}

// Chains of operators may be long, in either direction: a stack of those whose
// operands are being lowered stands for recursion.
VarId Lowering::operators(AstId root) {
  struct Pending {
    AstId id;
    bool is_finish;
  };
  std::vector<Pending> todo{{root, false}};
  std::vector<VarId> values;
  while (!todo.empty()) {
    const Pending at = todo.back();
    todo.pop_back();
    const NodeKind kind = ast_.kind(at.id);
    if (kind == NodeKind::UnaryOp) {
      const auto op = ast_.get<fathom::node::UnaryOp>(at.id);
      if (!at.is_finish) {
        if (is_constant(op.operand) && op.op == atoms::minus) {
          if (auto v = constant_value(unit_, at.id, module_->arena, NameArity::Refused)) {
            values.push_back(emit_literal(*v, at.id));
            continue;
          }
        }
        todo.push_back({at.id, true});
        todo.push_back({op.operand, false});
        continue;
      }
      values.back() = emit_call(atoms::erlang, op.op, std::span(&values.back(), 1), at.id);
    } else if (kind == NodeKind::BinaryOp) {
      const auto op = ast_.get<fathom::node::BinaryOp>(at.id);
      if (op.op == atoms::andalso_ || op.op == atoms::orelse_) {
        values.push_back(short_circuit(at.id));
      } else if (!at.is_finish) {
        todo.push_back({at.id, true});
        todo.push_back({op.right, false});
        todo.push_back({op.left, false});
        if (is_right_first(op)) std::swap(todo.back(), todo[todo.size() - 2]);
      } else {
        VarId operands[] = {values[values.size() - 2], values.back()};
        if (is_right_first(op)) std::swap(operands[0], operands[1]);
        values.pop_back();
        values.back() = emit_call(atoms::erlang, op.op, operands, at.id);
      }
    } else {
      values.push_back(expr(at.id));
    }
  }
  return values.back();
}

// A andalso B: a case of A. The chain goes to the right, and so does a loop that
// opens a region for each.
VarId Lowering::short_circuit(AstId id) {
  const auto op = ast_.get<fathom::node::BinaryOp>(id);
  const bool is_and = op.op == atoms::andalso_;
  const VarId left = expr(op.left);
  const auto branch = [&](Atom when, auto&& make_body) {
    const RegionId patterns = region([&] {
      emit_into(kNoVar, Kind::MatchLiteral, op.left,
                {word(left), word(module_->add_literal(Term(when)))});
      return kNoVar;
    });
    const RegionId body_region = region(make_body);
    return module_->add(Kind::Clause, kNoVar, id, in_guard_,
                        {word(patterns), word(ListId{0}), word(body_region)});
  };
  const size_t mark = trail_mark();
  const NodeId go_on = branch(is_and ? atoms::true_ : atoms::false_, [&] {
    if (!in_guard_) begin_statement(op.right);
    return expr(op.right);
  });
  unbind(mark);
  const NodeId stop = branch(is_and ? atoms::false_ : atoms::true_, [&] { return left; });
  const RegionId otherwise = region([&] {
    static const Atom badarg_value = Atom::intern("badarg");
    emit_no_match(badarg_value, std::span(&left, 1), id);
    return kNoVar;
  });
  const NodeId both[] = {go_on, stop};
  return emit(Kind::Case, id,
              {word(module_->add_list(std::span<const NodeId>(both))), word(otherwise)});
}

VarId Lowering::match(AstId id) {
  const auto m = ast_.get<fathom::node::Match>(id);
  const VarId value = expr(m.value);
  if (is_wildcard(m.pattern)) return value;
  if (is_irrefutable(m.pattern)) {
    pattern(m.pattern, value);
    return value;
  }
  const RegionId patterns = region([&] {
    pattern(m.pattern, value);
    return kNoVar;
  });
  const RegionId then = region([&] { return value; });
  const NodeId only[] = {module_->add(Kind::Clause, kNoVar, id, in_guard_,
                                      {word(patterns), word(ListId{0}), word(then)})};
  const RegionId otherwise = region([&] {
    static const Atom badmatch = Atom::intern("badmatch");
    emit_no_match(badmatch, std::span(&value, 1), id);
    return kNoVar;
  });
  emit_into(kNoVar, Kind::Case, id,
            {word(module_->add_list(std::span<const NodeId>(only))), word(otherwise)});
  return value;
}

// ---- Calls ------------------------------------------------------------------

VarId Lowering::call(AstId id) {
  const auto c = ast_.get<fathom::node::Call>(id);
  const NodeKind kind = ast_.kind(c.function);
  if (kind == NodeKind::Atom) {
    return local_call(ast_.get<fathom::node::Atom>(c.function).value, c.arguments, id);
  }
  if (kind != NodeKind::Remote) {
    const VarId function = expr(c.function);
    const std::vector<VarId> arguments = exprs(c.arguments);
    return emit(Kind::Apply, id, {word(function), word(list(arguments))});
  }
  const auto remote = ast_.get<fathom::node::Remote>(c.function);
  if (ast_.is(remote.module, NodeKind::Atom) && ast_.is(remote.name, NodeKind::Atom)) {
    const Atom module = ast_.get<fathom::node::Atom>(remote.module).value;
    const Atom name = ast_.get<fathom::node::Atom>(remote.name).value;
    if (module == atoms::erlang && is_record_test(name, c.arguments))
      return record_test(id, c.arguments);
    return emit_call(module, name, exprs(c.arguments), id);
  }
  const VarId module = expr(remote.module);
  const VarId name = expr(remote.name);
  const std::vector<VarId> arguments = exprs(c.arguments);
  return emit(Kind::CallDynamic, id, {word(module), word(name), word(list(arguments))});
}

// A name means the module's own function, an imported one, or one of erlang, in
// this order; in a guard always the last.
VarId Lowering::local_call(Atom name, fathom::ListId arguments, AstId id) {
  const auto arity = static_cast<uint32_t>(ast_.list(arguments).size());
  if (!in_guard_) {
    if (const auto function = local_function(name, arity)) {
      const std::vector<VarId> values = exprs(arguments);
      return emit(Kind::Call, id, {word(*function), word(list(values))});
    }
    const auto& imports = declarations_.imports;
    if (const auto it = imports.find(function_key(name, arity)); it != imports.end()) {
      return emit_call(it->second, name, exprs(arguments), id);
    }
    static const Atom record_info_name = Atom::intern("record_info");
    if (name == record_info_name && arity == 2) return record_info(id, arguments);
  }
  if (is_record_test(name, arguments)) return record_test(id, arguments);
  return emit_call(atoms::erlang, name, exprs(arguments), id);
}

}  // namespace fathom::core
