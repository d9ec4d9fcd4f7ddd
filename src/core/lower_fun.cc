// Funs, and what else becomes a function of its own: the cleanup of a try … after,
// the loops of comprehensions. What they take from outside is passed to them, by
// name; values of ours that they need (the rest of an outer generator's list) get
// names that no source can have.
//
// [E || P <- L, …] is H(L), where
//   H([P | T]) -> … [E | H(T)];   H([_ | T]) -> H(T);   H([]) -> Rest
// and Rest is [] for the first generator, and the next step of the generator
// around it for an inner one. << <<E>> || …>> is H(L, <<>>), where H passes on what
// has been built. A map comprehension is a list of pairs that becomes a map.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/lowering_loops.h"
#include "lint/free_variables.h"
#include "lint/guard_expression.h"

namespace fathom::core {

// ---- Captures ---------------------------------------------------------------

std::vector<Atom> Lowering::captured(std::span<const AstId> ids) {
  std::vector<Atom> names = lint::mentioned_variables(ast_, ids);
  std::erase_if(names, [this](Atom name) { return !is_bound(name); });
  return names;
}

std::vector<VarId> Lowering::values_of(std::span<const Atom> names) {
  std::vector<VarId> values;
  for (const Atom name : names) values.push_back(use(name));
  return values;
}

VarId Lowering::call_loop(const Loop& loop, std::span<const VarId> arguments, AstId origin) {
  std::vector<VarId> all(arguments.begin(), arguments.end());
  const std::vector<VarId> captures = values_of(loop.captures);
  all.insert(all.end(), captures.begin(), captures.end());
  return emit(Kind::Call, origin, {word(loop.function), word(list(all))});
}

// ---- Funs -------------------------------------------------------------------

VarId Lowering::fun_expr(AstId id) {
  return make_fun(id, Atom(), ast_.get<fathom::node::Fun>(id).clauses);
}

VarId Lowering::named_fun_expr(AstId id) {
  const auto fun = ast_.get<fathom::node::NamedFun>(id);
  return make_fun(id, fun.name, fun.clauses);
}

VarId Lowering::make_fun(AstId id, Atom self, fathom::ListId clause_ids) {
  const AstId only[] = {id};
  const std::vector<Atom> captures = captured(only);
  const std::span<const AstId> all = ast_.list(clause_ids);
  const size_t arity = ast_.list(ast_.get<fathom::node::Clause>(all[0]).patterns).size();
  const FunctionId function = reserve_function();
  Scope scope;
  begin_scope(scope, function, Atom(), id);
  scope.function.is_fun = true;
  scope.function.captures = static_cast<uint32_t>(captures.size());
  std::vector<VarId> parameters;
  for (size_t i = 0; i < arity; ++i) parameters.push_back(fresh());
  std::vector<VarId> values;
  values.reserve(captures.size());
  for (const Atom name : captures) values.push_back(bind(name));
  const RegionId code = region([&] {
    if (self != Atom() && self != atoms::underscore) {
      emit_into(bind(self), Kind::Fun, id, {word(function), word(list(values))});
    }
    return function_clauses(clause_ids, parameters, id, self);
  });
  parameters.insert(parameters.end(), values.begin(), values.end());
  scope.function.name = lifted_name(fmt::format("fun-{}", lifted_++));
  end_scope(scope, parameters, code);
  return emit(Kind::Fun, id, {word(function), word(list(values_of(captures)))});
}

// A name in a head is new, even where it is captured. Only that of a named fun itself is not:
// OTP's compiler compares with the fun (its documentation has it otherwise).
VarId Lowering::function_clauses(fathom::ListId ids, std::span<const VarId> parameters,
                                 AstId origin, Atom self) {
  std::vector<NodeId> nodes;
  for (const AstId id : ast_.list(ids)) {
    std::vector<Atom> heads;
    for (const AstId p : ast_.list(ast_.get<fathom::node::Clause>(id).patterns)) {
      if (scope_->trail.empty()) break;  // nothing is captured
      const std::vector<Atom> names = lint::pattern_variables(ast_, p);
      heads.insert(heads.end(), names.begin(), names.end());
    }
    std::erase(heads, self);
    const Shadow shadow(*this, heads);
    const size_t mark = trail_mark();
    nodes.push_back(clause(id, parameters));
    forget(mark);
  }
  return finish_function_clauses(nodes, always_matches(ids, self), parameters, origin);
}

VarId Lowering::fun_name(AstId id) {
  if (ast_.kind(id) == NodeKind::FunRemote) {
    const auto fun = ast_.get<fathom::node::FunRemote>(id);
    const VarId module = expr(fun.module);
    const VarId name = expr(fun.name);
    const VarId arity = expr(fun.arity);
    return emit(Kind::ExternalFun, id, {word(module), word(name), word(arity)});
  }
  const auto fun = ast_.get<fathom::node::FunName>(id);
  const Atom name = ast_.get<fathom::node::Atom>(fun.name).value;
  const uint32_t arity = ast_.get<fathom::node::Integer>(fun.arity).value;
  if (const auto function = local_function(name, arity)) {
    return emit(Kind::Fun, id, {word(*function), word(ListId{0})});
  }
  const auto& imports = declarations_.imports;
  const auto imported = imports.find(function_key(name, arity));
  const VarId m =
      emit_literal(Term(imported != imports.end() ? imported->second : atoms::erlang), id);
  const VarId f = emit_literal(Term(name), id);
  const VarId a = emit_literal(Term(static_cast<int32_t>(arity)), id);
  return emit(Kind::ExternalFun, id, {word(m), word(f), word(a)});
}

// ---- try … after ------------------------------------------------------------

Lowering::Loop Lowering::after_function(fathom::ListId expressions, AstId origin) {
  Loop loop;
  loop.captures = captured(ast_.list(expressions));
  loop.function = reserve_function();
  const std::string name = fmt::format("after$^{}/0-{}", lifted_++, loops_++);
  Scope scope;
  begin_scope(scope, loop.function, lifted_name(name), origin);
  std::vector<VarId> parameters;
  for (const Atom captured_name : loop.captures) parameters.push_back(bind(captured_name));
  // Its last call is not a tail call: OTP mostly has the body in the function around it.
  const RegionId code = region([&] {
    body(expressions);
    return emit_literal(Term(atoms::ok), origin);
  });
  end_scope(scope, parameters, code);
  return loop;
}

// ---- Comprehensions ---------------------------------------------------------

VarId Lowering::comprehension(AstId id) {
  const NodeKind kind = ast_.kind(id);
  const Comprehension c{id, AstId{ast_.slot(id, 0)}, ast_.list(fathom::ListId{ast_.slot(id, 1)}),
                        kind == NodeKind::BinaryComprehension};
  Rest end;
  const size_t mark = trail_mark();
  if (c.accumulates) {
    end.accumulator = private_name("acc");
    const VarId empty = emit(Kind::Binary, id, {word(ListId{0})});
    emit_into(bind(end.accumulator), Kind::Copy, id, {word(empty)});
  }
  const VarId result = qualifiers(c, 0, end);
  unbind(mark);
  if (kind != NodeKind::MapComprehension) return result;
  static const Atom maps = Atom::intern("maps");
  static const Atom from_list = Atom::intern("from_list");
  return emit_call(maps, from_list, std::span(&result, 1), id);
}

Atom Lowering::private_name(std::string_view what) {
  return Atom::intern(fmt::format("{} {}", what, private_names_++));
}

VarId Lowering::go_on(const Comprehension& c, const Rest& rest) {
  if (!rest.loop) return c.accumulates ? use(rest.accumulator) : emit_literal(Term(), c.id);
  std::vector<VarId> arguments = values_of(rest.position);
  if (c.accumulates) arguments.push_back(use(rest.accumulator));
  return call_loop(*rest.loop, arguments, rest.loop->origin);
}

VarId Lowering::qualifiers(const Comprehension& c, size_t next, const Rest& rest) {
  if (next == c.qualifiers.size()) return comprehension_body(c, rest);
  switch (ast_.kind(c.qualifiers[next])) {
    case NodeKind::Generate:
    case NodeKind::GenerateStrict:
    case NodeKind::BinaryGenerate:
    case NodeKind::BinaryGenerateStrict:
    case NodeKind::MapGenerate:
    case NodeKind::MapGenerateStrict: {
      const AstId only[] = {c.qualifiers[next]};
      return generator(c, only, next, rest);
    }
    case NodeKind::Zip:
      return generator(c, ast_.list(ast_.get<fathom::node::Zip>(c.qualifiers[next]).generators),
                       next, rest);
    default:
      return filter(c, next, rest);
  }
}

VarId Lowering::comprehension_body(const Comprehension& c, const Rest& rest) {
  if (!ast_.is(c.body, NodeKind::Block)) begin_statement(c.body);  // else its parts are
  if (c.accumulates) {
    const VarId piece = expr(c.body);
    const AstId origin = ast_.is(c.body, NodeKind::Binary) ? c.body : c.id;
    SegmentSpec all;
    all.type = SegmentSpec::Type::Bits;
    all.all = true;
    const auto segment = [&](VarId value) {
      return module_->add(Kind::Segment, kNoVar, origin, in_guard_,
                          {word(value), word(kNoVar), all.pack()});
    };
    const NodeId both[] = {segment(use(rest.accumulator)), segment(piece)};
    Rest grown = rest;
    grown.accumulator = private_name("acc");
    emit_into(bind(grown.accumulator), Kind::Binary, origin,
              {word(module_->add_list(std::span<const NodeId>(both)))});
    return go_on(c, grown);
  }
  VarId value;
  if (ast_.is(c.body, NodeKind::MapAssoc)) {
    const auto pair = ast_.get<fathom::node::MapAssoc>(c.body);
    const VarId k = expr(pair.key);
    const VarId parts[] = {k, expr(pair.value)};
    value = emit_tuple(parts, c.body);
  } else {
    value = expr(c.body);
  }
  const VarId more = go_on(c, rest);
  return emit(Kind::Cons, c.id, {word(value), word(more)});
}

// A guard test may fail with an error and is false then; anything else must be a
// boolean.
VarId Lowering::filter(const Comprehension& c, size_t next, const Rest& rest) {
  const AstId test = c.qualifiers[next];
  const bool is_guard = lint::is_guard_expression(
      ast_, test,
      [this](Atom name, uint32_t arity) { return declarations_.has(function_key(name, arity)); },
      [this](AstId record) { return record_defaults(record); });
  const size_t mark = trail_mark();
  begin_statement(test);
  const VarId value = is_guard ? kNoVar : expr(test);
  const RegionId patterns = region([&] {
    if (!is_guard) {
      emit_into(kNoVar, Kind::MatchLiteral, test,
                {word(value), word(module_->add_literal(Term(atoms::true_)))});
    }
    return kNoVar;
  });
  std::vector<RegionId> guard_regions;
  if (is_guard) {
    guard_regions.push_back(region([&] {
      const VarId result = guard_test(test);
      emit_into(kNoVar, Kind::Test, test, {word(result)});
      return kNoVar;
    }));
  }
  const RegionId then = region([&] { return qualifiers(c, next + 1, rest); });
  unbind(mark);
  std::vector<NodeId> nodes{module_->add(
      Kind::Clause, kNoVar, test, false,
      {word(patterns), word(module_->add_list(std::span<const RegionId>(guard_regions))),
       word(then)})};
  if (!is_guard) {
    const RegionId when_false = region([&] {
      emit_into(kNoVar, Kind::MatchLiteral, test,
                {word(value), word(module_->add_literal(Term(atoms::false_)))});
      return kNoVar;
    });
    const RegionId skip = region([&] { return go_on(c, rest); });
    nodes.push_back(module_->add(Kind::Clause, kNoVar, test, false,
                                 {word(when_false), word(ListId{0}), word(skip)}));
  }
  const RegionId otherwise = region([&] {
    if (is_guard) return go_on(c, rest);
    static const Atom bad_filter = Atom::intern("bad_filter");
    emit_no_match(bad_filter, std::span(&value, 1), test);
    return kNoVar;
  });
  return emit(Kind::Case, test,
              {word(module_->add_list(std::span<const NodeId>(nodes))), word(otherwise)});
}

}  // namespace fathom::core
