// Control: clauses and what is made of them.
#include <algorithm>
#include <utility>

#include "core/lowering.h"

namespace fathom::core {
namespace {

// A name that only some clauses bind means nothing after them. Who could see it may not use it;
// what stands beside them ({case … end, case … end}) may bind it anew.
void keep_common(std::vector<Atom>& names, const std::vector<Atom>& others) {
  std::erase_if(names, [&](Atom name) {
    return std::find(others.begin(), others.end(), name) == others.end();
  });
}

}  // namespace

NodeId Lowering::clause(AstId id, std::span<const VarId> subjects) {
  const auto c = ast_.get<fathom::node::Clause>(id);
  const RegionId patterns = region([&] {
    const std::span<const AstId> parts = ast_.list(c.patterns);
    for (size_t i = 0; i < parts.size() && i < subjects.size(); ++i) {
      pattern(parts[i], subjects[i]);
    }
    return kNoVar;
  });
  head_ = nullptr;
  const ListId guard_regions = guards(c.guard);
  const RegionId then = region([&] { return body(c.body); });
  return module_->add(Kind::Clause, kNoVar, id, in_guard_,
                      {word(patterns), word(guard_regions), word(then)});
}

ListId Lowering::clauses(fathom::ListId ids, std::span<const VarId> subjects) {
  std::vector<NodeId> nodes;
  Names exported;
  for (const AstId id : ast_.list(ids)) {
    const size_t mark = trail_mark();
    nodes.push_back(clause(id, subjects));
    const Names names = unbind(mark);
    if (nodes.size() == 1) {
      exported = names;
    } else {
      keep_common(exported, names);
    }
  }
  rebind(exported);
  return module_->add_list(std::span<const NodeId>(nodes));
}

// Whether the last of a function's clauses takes anything: then there is no error
// after it. (What it names is new to it, as to any clause of a function, but for the fun itself.)
bool Lowering::always_matches(fathom::ListId ids, Atom self) const {
  const std::span<const AstId> all = ast_.list(ids);
  if (all.empty()) return false;
  const auto last = ast_.get<fathom::node::Clause>(all.back());
  if (!ast_.guard(last.guard).empty()) return false;
  std::unordered_set<Atom> seen;
  for (const AstId p : ast_.list(last.patterns)) {
    if (is_wildcard(p)) continue;
    if (!ast_.is(p, NodeKind::Var)) return false;
    const Atom name = ast_.get<fathom::node::Var>(p).name;
    if (name == self || !seen.insert(name).second) return false;
  }
  return true;
}

VarId Lowering::case_expr(AstId id) {
  const auto c = ast_.get<fathom::node::Case>(id);
  const VarId subject = expr(c.subject);
  const ListId list_of_clauses = clauses(c.clauses, std::span(&subject, 1));
  const RegionId otherwise = region([&] {
    static const Atom case_clause = Atom::intern("case_clause");
    emit_no_match(case_clause, std::span(&subject, 1), id);
    return kNoVar;
  });
  return emit(Kind::Case, id, {word(list_of_clauses), word(otherwise)});
}

VarId Lowering::if_expr(AstId id) {
  const ListId list_of_clauses = clauses(ast_.get<fathom::node::If>(id).clauses, {});
  const RegionId otherwise = region([&] {
    static const Atom if_clause = Atom::intern("if_clause");
    emit_no_match(if_clause, {}, id);
    return kNoVar;
  });
  return emit(Kind::Case, id, {word(list_of_clauses), word(otherwise)});
}

VarId Lowering::receive_expr(AstId id) {
  const auto r = ast_.get<fathom::node::Receive>(id);
  const VarId timeout = fathom::exists(r.timeout) ? expr(r.timeout) : kNoVar;
  const VarId message = fresh();
  const size_t mark = trail_mark();
  const ListId list_of_clauses = clauses(r.clauses, std::span(&message, 1));
  RegionId after = kNoRegion;
  if (exists(timeout)) {
    Names exported = unbind(mark);
    after = region([&] { return body(r.after); });
    const Names names = unbind(mark);
    if (ast_.list(r.clauses).empty()) {
      exported = names;
    } else {
      keep_common(exported, names);
    }
    rebind(exported);
  }
  return emit(Kind::Receive, id,
              {word(message), word(list_of_clauses), word(timeout), word(after)});
}

// ---- Exceptions -------------------------------------------------------------

// try … after Cleanup end: the cleanup is a function, called where the rest has
// a value and where it has not.
VarId Lowering::try_expr(AstId id) {
  const auto t = ast_.get<fathom::node::Try>(id);
  const size_t scope_mark = trail_mark();
  const bool has_after = !ast_.list(t.after).empty();
  const bool has_inner = !ast_.list(t.clauses).empty() || !ast_.list(t.handlers).empty();
  if (!has_after) {
    const VarId result = try_without_after(id);
    unbind(scope_mark);
    return result;
  }
  const Loop cleanup = after_function(t.after, id);
  const RegionId protected_body =
      region([&] { return has_inner ? try_without_after(id) : body(t.body); });
  unbind(scope_mark);
  const VarId value = fresh();
  const RegionId success = region([&] {
    call_loop(cleanup, {}, id);
    return value;
  });
  const VarId exception_class = fresh();
  const VarId reason = fresh();
  const VarId trace = fresh();
  const RegionId handler = region([&] {
    call_loop(cleanup, {}, id);
    emit_into(kNoVar, Kind::Raise, id, {word(exception_class), word(reason), word(trace)});
    return kNoVar;
  });
  return emit(Kind::Try, id,
              {word(protected_body), word(value), word(success), word(exception_class),
               word(reason), word(trace), word(handler)});
}

VarId Lowering::try_without_after(AstId id) {
  const auto t = ast_.get<fathom::node::Try>(id);
  const size_t mark = trail_mark();
  const RegionId protected_body = region([&] { return body(t.body); });
  const VarId value = fresh();
  const RegionId success = region([&] {
    if (ast_.list(t.clauses).empty()) return value;
    const ListId list_of_clauses = clauses(t.clauses, std::span(&value, 1));
    const RegionId otherwise = region([&] {
      static const Atom try_clause = Atom::intern("try_clause");
      emit_no_match(try_clause, std::span(&value, 1), id);
      return kNoVar;
    });
    return emit(Kind::Case, id, {word(list_of_clauses), word(otherwise)});
  });
  unbind(mark);
  const VarId exception_class = fresh();
  const VarId reason = fresh();
  const VarId trace = fresh();
  const RegionId handler = region([&] {
    std::vector<NodeId> nodes;
    for (const AstId c : ast_.list(t.handlers)) {
      nodes.push_back(handler_clause(c, exception_class, reason, trace));
      unbind(mark);
    }
    const RegionId otherwise = region([&] {
      emit_into(kNoVar, Kind::Raise, id, {word(exception_class), word(reason), word(trace)});
      return kNoVar;
    });
    return emit(Kind::Case, id,
                {word(module_->add_list(std::span<const NodeId>(nodes))), word(otherwise)});
  });
  return emit(Kind::Try, id,
              {word(protected_body), word(value), word(success), word(exception_class),
               word(reason), word(trace), word(handler)});
}

// The pattern is {Class, Reason, Stacktrace}; the last is a variable, or _.
NodeId Lowering::handler_clause(AstId id, VarId exception_class, VarId reason, VarId trace) {
  const auto c = ast_.get<fathom::node::Clause>(id);
  const std::span<const AstId> parts =
      ast_.list(ast_.get<fathom::node::Tuple>(ast_.list(c.patterns)[0]).elements);
  const RegionId patterns = region([&] {
    pattern(parts[0], exception_class);
    pattern(parts[1], reason);
    return kNoVar;
  });
  const ListId guard_regions = guards(c.guard);
  const RegionId then = region([&] {
    if (!is_wildcard(parts[2])) {
      const VarId variable = bind(ast_.get<fathom::node::Var>(parts[2]).name);
      emit_into(variable, Kind::Stacktrace, parts[2], {word(trace)});
    }
    return body(c.body);
  });
  return module_->add(Kind::Clause, kNoVar, id, false,
                      {word(patterns), word(guard_regions), word(then)});
}

// catch E: a try whose handler makes the old shapes of exceptions.
VarId Lowering::catch_expr(AstId id) {
  const size_t mark = trail_mark();
  const RegionId protected_body =
      region([&] { return expr(ast_.get<fathom::node::Catch>(id).body); });
  unbind(mark);
  const VarId value = fresh();
  const RegionId success = region([&] { return value; });
  const VarId exception_class = fresh();
  const VarId reason = fresh();
  const VarId trace = fresh();
  const auto when = [&](Atom name, auto&& make) {
    const RegionId patterns = region([&] {
      emit_into(kNoVar, Kind::MatchLiteral, id,
                {word(exception_class), word(module_->add_literal(Term(name)))});
      return kNoVar;
    });
    const RegionId then = region(make);
    return module_->add(Kind::Clause, kNoVar, id, false,
                        {word(patterns), word(ListId{0}), word(then)});
  };
  const auto exit_tuple = [&](VarId why) {
    static const Atom exit_upper = Atom::intern("EXIT");
    const VarId tag = emit_literal(Term(exit_upper), id);
    const VarId parts[] = {tag, why};
    return emit_tuple(parts, id);
  };
  const RegionId handler = region([&] {
    const NodeId thrown = when(atoms::throw_, [&] { return reason; });
    const NodeId error = when(atoms::error, [&] {
      const VarId stack = emit(Kind::Stacktrace, id, {word(trace)});
      const VarId parts[] = {reason, stack};
      return exit_tuple(emit_tuple(parts, id));
    });
    const RegionId otherwise = region([&] { return exit_tuple(reason); });
    const NodeId both[] = {thrown, error};
    return emit(Kind::Case, id,
                {word(module_->add_list(std::span<const NodeId>(both))), word(otherwise)});
  });
  return emit(Kind::Try, id,
              {word(protected_body), word(value), word(success), word(exception_class),
               word(reason), word(trace), word(handler)});
}

// ---- Maybe ------------------------------------------------------------------

VarId Lowering::maybe_expr(AstId id) {
  const auto m = ast_.get<fathom::node::Maybe>(id);
  const size_t mark = trail_mark();
  const RegionId inner = region([&] { return maybe_body(ast_.list(m.body)); });
  unbind(mark);
  const VarId mismatch = fresh();
  const RegionId otherwise = region([&] {
    if (!fathom::exists(m.otherwise)) return mismatch;
    const auto e = ast_.get<fathom::node::MaybeElse>(m.otherwise);
    const ListId list_of_clauses = clauses(e.clauses, std::span(&mismatch, 1));
    const RegionId no_clause = region([&] {
      static const Atom else_clause = Atom::intern("else_clause");
      emit_no_match(else_clause, std::span(&mismatch, 1), m.otherwise);
      return kNoVar;
    });
    return emit(Kind::Case, m.otherwise, {word(list_of_clauses), word(no_clause)});
  });
  unbind(mark);
  return emit(Kind::Maybe, id, {word(inner), word(mismatch), word(otherwise)});
}

// P ?= E at the level of the maybe itself: a case, whose mismatch leaves.
VarId Lowering::maybe_body(std::span<const AstId> expressions) {
  VarId value = kNoVar;
  for (const AstId id : expressions) {
    begin_statement(id);
    if (ast_.kind(id) != NodeKind::MaybeMatch) {
      value = expr(id);
      continue;
    }
    const auto m = ast_.get<fathom::node::MaybeMatch>(id);
    value = expr(m.value);
    const RegionId patterns = region([&] {
      pattern(m.pattern, value);
      return kNoVar;
    });
    const RegionId then = region([&] { return value; });
    const NodeId only[] = {module_->add(Kind::Clause, kNoVar, id, false,
                                        {word(patterns), word(ListId{0}), word(then)})};
    const RegionId otherwise = region([&] {
      emit_into(kNoVar, Kind::Leave, id, {word(value)});
      return kNoVar;
    });
    emit_into(kNoVar, Kind::Case, id,
              {word(module_->add_list(std::span<const NodeId>(only))), word(otherwise)});
  }
  return value;
}

}  // namespace fathom::core
