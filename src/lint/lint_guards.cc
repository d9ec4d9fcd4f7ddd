// Guards, and what is restricted in the same way: the keys of map patterns and the
// sizes in binary patterns. Taken apart on the explicit stack, like expressions.
#include <fmt/format.h>

#include <algorithm>

#include "lint/lint_body.h"

namespace fathom::lint {

void BodyLinter::guard(ListId guard_id) {
  for (const ListId alternative : ast_.guard(guard_id)) {
    for (const NodeId test : ast_.list(alternative)) guard_test(test);
  }
}

// At its top only, a guard may also hold the type tests of old: atom(X), record(X, r).
void BodyLinter::guard_test(NodeId id) {
  const GuardState state;
  if (!ast_.is(id, NodeKind::Call)) return guard_expression(id, state);
  const auto view = ast_.get<node::Call>(id);
  const auto arguments = ast_.list(view.arguments);
  const ArityName f{tables_.atom_at(view.function), static_cast<uint32_t>(arguments.size())};
  if (!ast_.is(view.function, NodeKind::Atom)) return guard_expression(id, state);
  if (is_old_type_test(f.name, f.arity)) {
    const ArityName modern{Atom::intern("is_" + std::string(f.name.text())), f.arity};
    if (tables_.is_local(modern)) {
      report_
          .error(Rule::ObsoleteGuardOverridden, view.function,
                 fmt::format("the old test {} means {}, and this module has a function of that "
                             "name: write `erlang:{}(…)`",
                             show(f), show(modern), show(modern.name)))
          .note(tables_.functions.at(modern), "here");
    }
    if (f.arity == 2) return guard_old_record(id, arguments);
  }
  const bool is_test = is_old_type_test(f.name, f.arity) || tables_.bif(f).is_type_test;
  if (!is_test || f.name == atoms::is_record || f.arity == 2) return guard_expression(id, state);
  for (const NodeId argument : arguments) guard_expression(argument, state);
  if (!tables_.means_bif_in_guard(f)) illegal_guard_call(id, f, state);
}

void BodyLinter::guard_old_record(NodeId id, std::span<const NodeId> arguments) {
  guard_expression(arguments[0], {});
  if (ast_.is(arguments[1], NodeKind::Atom)) return is_record_atom(arguments[1]);
  guard_expression(arguments[1], {});
  record_name_wanted(id, {});
}

void BodyLinter::record_name_wanted(NodeId id, const GuardState& state) {
  const bool in_size = state.context == GuardContext::Size;
  report_.error(in_size ? Rule::IllegalBitsize : Rule::IllegalGuardExpr, id,
                "in a guard, is_record needs the record's name (and size) as a constant");
}

void BodyLinter::guard_expression(NodeId root, const GuardState& state) {
  const size_t base = todo_.size();
  todo_.push_back(root);
  Changes merged;
  while (todo_.size() > base) {
    const NodeId id = todo_.back();
    todo_.pop_back();
    guard_part(id, state, merged);
  }
  if (state.used) {
    state.used->insert(state.used->end(), merged.begin(), merged.end());
  } else {
    scope_.apply(merged);
  }
}

void BodyLinter::guard_part(NodeId id, const GuardState& state, Changes& merged) {
  if (take_data_apart(id)) return;
  switch (ast_.kind(id)) {
    case NodeKind::Var:
      return guard_variable(id, state, merged);
    case NodeKind::Record:
      return guard_record(id, state);
    case NodeKind::Call:
      return guard_call(id, state);
    case NodeKind::BinaryOp: {
      const auto op = ast_.get<node::BinaryOp>(id);
      push(op.right);
      push(op.left);
      const bool ok =
          op.op == atoms::andalso_ || op.op == atoms::orelse_ || is_guard_operator(op.op, 2);
      if (!ok) illegal_guard(id, state);
      return;
    }
    default:
      return illegal_guard(id, state);
  }
}

void BodyLinter::guard_variable(NodeId id, const GuardState& state, Changes& merged) {
  const Atom name = ast_.get<node::Var>(id).name;
  if (state.before && state.before->has(name)) return;
  const Variable& known = scope_[name];
  if (state.context == GuardContext::Size && known.state == Variable::State::Exported) {
    merged.push_back({name, known, {Variable::State::Bound, kNoNode, known.bound_at}});
  }
  use(id, merged);
}

void BodyLinter::guard_call(NodeId id, const GuardState& state) {
  const auto view = ast_.get<node::Call>(id);
  const auto arguments = ast_.list(view.arguments);
  const auto arity = static_cast<uint32_t>(arguments.size());
  ArityName f{tables_.atom_at(view.function), arity};
  bool from_erlang = false;
  if (ast_.is(view.function, NodeKind::Remote)) {
    const auto remote = ast_.get<node::Remote>(view.function);
    f.name = tables_.atom_at(remote.name);
    from_erlang = tables_.atom_at(remote.module) == atoms::erlang;
    if (!from_erlang || !ast_.is(remote.name, NodeKind::Atom)) return illegal_guard(id, state);
  } else if (!ast_.is(view.function, NodeKind::Atom)) {
    return illegal_guard(id, state);
  }
  if (f.name == atoms::is_record && (arity == 2 || arity == 3)) {
    return guard_is_record(id, arguments, state);
  }
  push_all(view.arguments);
  const AutoImported bif = tables_.bif(f);
  if (from_erlang) {
    if (!bif.is_guard && !is_guard_operator(f.name, arity)) illegal_guard(id, state);
  } else if (!bif.is_guard || !tables_.means_bif_in_guard(f)) {
    tables_.is_overridden(f) ? illegal_guard_call(id, f, state) : illegal_guard(id, state);
  }
}

void BodyLinter::guard_is_record(NodeId id, std::span<const NodeId> arguments,
                                 const GuardState& state) {
  const bool names_record = ast_.is(arguments[1], NodeKind::Atom);
  if (arguments.size() == 2 && names_record) {
    push(arguments[0]);
    is_record_atom(arguments[1]);
  } else if (arguments.size() == 3 && names_record && ast_.is(arguments[2], NodeKind::Integer)) {
    push(arguments[0]);
    const ArityName f{atoms::is_record, 3};
    if (!tables_.means_bif_in_guard(f)) illegal_guard_call(id, f, state);
  } else {
    for (const NodeId argument : arguments) push(argument);
    record_name_wanted(id, state);
  }
}

// A record that is made in a guard brings the defaults of its fields into it.
void BodyLinter::guard_record(NodeId id, const GuardState& state) {
  const auto view = ast_.get<node::Record>(id);
  const RecordInfo* info = record(view.name, id);
  push_record_values(view.name, info, view.fields);
  if (!info) return;
  const Reporter::Elsewhere here(report_, id);
  for (const NodeId value : guard_defaults(*info, view.fields)) guard_expression(value, state);
}

void BodyLinter::illegal_guard(NodeId id, const GuardState& state) {
  std::string what = "this";
  std::string_view advice;
  if (ast_.is(id, NodeKind::Call)) {
    what = "this call";
  } else if (ast_.is(id, NodeKind::Match)) {
    what = "a match";
    advice = "; did you mean `==` or `=:=`?";
  } else if (ast_.is(id, NodeKind::BinaryOp)) {
    what = fmt::format("`{}`", ast_.get<node::BinaryOp>(id).op.text());
  }
  if (state.context == GuardContext::Size) {
    report_.error(Rule::IllegalBitsize, id,
                  fmt::format("{} cannot be computed while matching: the size of a segment is a "
                              "guard expression",
                              what));
  } else if (state.context == GuardContext::MapKey) {
    report_.error(Rule::IllegalGuardExpr, id,
                  fmt::format("{} cannot be computed while matching: the key of a map pattern is "
                              "a guard expression",
                              what));
  } else {
    report_.error(Rule::IllegalGuardExpr, id,
                  fmt::format("{} is not allowed in a guard: only tests, arithmetic, comparisons "
                              "and guard functions are{}",
                              what, advice));
  }
}

void BodyLinter::illegal_guard_call(NodeId id, ArityName f, const GuardState& state) {
  const bool in_size = state.context == GuardContext::Size;
  const Import* import = tables_.import_of(f);
  const bool is_local = tables_.is_local(f);
  Found found = report_.error(
      in_size ? Rule::IllegalBitsizeLocalCall : Rule::IllegalGuardLocalCall, id,
      fmt::format("{} is {}, and {} may call built-in functions only{}", show(f),
                  is_local ? "a function of this module"
                  : import ? "imported"
                           : "not imported here",
                  in_size                                 ? "the size of a segment"
                  : state.context == GuardContext::MapKey ? "the key of a map pattern"
                                                          : "a guard",
                  tables_.bif(f).is_guard ? fmt::format("; write `erlang:{}(…)`", show(f.name))
                                          : std::string()));
  if (is_local) {
    found.note(tables_.functions.at(f), fmt::format("{} is defined here", show(f)));
  } else if (import) {
    found.note(import->at, "it is imported here");
  }
}

// Whether a filter of a comprehension is a guard; else it is an expression.
bool BodyLinter::is_guard_test(NodeId id) {
  if (!ast_.is(id, NodeKind::Call)) return is_guard_expression(id);
  const auto view = ast_.get<node::Call>(id);
  if (!ast_.is(view.function, NodeKind::Atom)) return is_guard_expression(id);
  const auto arguments = ast_.list(view.arguments);
  ArityName f{tables_.atom_at(view.function), static_cast<uint32_t>(arguments.size())};
  if (f.name == atoms::record && f.arity == 2) {
    f.name = atoms::is_record;
  } else if (!is_old_type_test(f.name, f.arity)) {
    return is_guard_expression(id);
  }
  return !tables_.is_overridden(f) &&
         std::ranges::all_of(arguments, [&](NodeId a) { return is_guard_expression(a); });
}

bool BodyLinter::is_guard_expression(NodeId root) {
  std::vector<NodeId> todo{root};
  while (!todo.empty()) {
    const NodeId id = todo.back();
    todo.pop_back();
    if (!guard_children(id, todo)) return false;
  }
  return true;
}

bool BodyLinter::guard_children(NodeId id, std::vector<NodeId>& todo) {
  const auto push_children = [&] {
    ast_.for_each_child(id, [&](NodeId child) { todo.push_back(child); });
    return true;
  };
  switch (ast_.kind(id)) {
    case NodeKind::Var:
    case NodeKind::Atom:
    case NodeKind::Integer:
    case NodeKind::Char:
    case NodeKind::Float:
    case NodeKind::String:
    case NodeKind::SegmentType:
      return true;
    case NodeKind::List:
    case NodeKind::Tuple:
    case NodeKind::Map:
    case NodeKind::MapUpdate:
    case NodeKind::MapAssoc:
    case NodeKind::MapExact:
    case NodeKind::RecordField:
    case NodeKind::RecordAccess:
    case NodeKind::RecordIndex:
    case NodeKind::Binary:
    case NodeKind::Segment:
      return push_children();
    case NodeKind::Record: {
      const auto view = ast_.get<node::Record>(id);
      const auto info = tables_.records.find(tables_.atom_at(view.name));
      if (info != tables_.records.end()) {
        const std::vector<NodeId> values = guard_defaults(info->second, view.fields);
        todo.insert(todo.end(), values.begin(), values.end());
      }
      return push_children();
    }
    case NodeKind::UnaryOp:
      return is_guard_operator(ast_.get<node::UnaryOp>(id).op, 1) && push_children();
    case NodeKind::BinaryOp: {
      const Atom op = ast_.get<node::BinaryOp>(id).op;
      const bool ok = op == atoms::andalso_ || op == atoms::orelse_ || is_guard_operator(op, 2);
      return ok && push_children();
    }
    case NodeKind::Call: {
      const auto view = ast_.get<node::Call>(id);
      const auto arguments = ast_.list(view.arguments);
      ArityName f{tables_.atom_at(view.function), static_cast<uint32_t>(arguments.size())};
      bool operators = false;
      if (ast_.is(view.function, NodeKind::Remote)) {
        const auto remote = ast_.get<node::Remote>(view.function);
        if (tables_.atom_at(remote.module) != atoms::erlang) return false;
        f.name = tables_.atom_at(remote.name);
        operators = is_guard_operator(f.name, f.arity);
      } else if (!ast_.is(view.function, NodeKind::Atom) || tables_.is_overridden(f)) {
        return false;
      }
      if (!operators && !tables_.bif(f).is_guard) return false;
      todo.insert(todo.end(), arguments.begin(), arguments.end());
      return true;
    }
    default:
      return false;
  }
}

}  // namespace fathom::lint
