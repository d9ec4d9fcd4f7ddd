// What has clauses or a scope of its own: case, receive, try, maybe, funs,
// comprehensions.
#include <fmt/format.h>

#include <algorithm>

#include "lint/lint_body.h"

namespace fathom::lint {
namespace {

bool is_generator(NodeKind kind) {
  return kind == NodeKind::Generate || kind == NodeKind::GenerateStrict ||
         kind == NodeKind::BinaryGenerate || kind == NodeKind::BinaryGenerateStrict ||
         kind == NodeKind::MapGenerate || kind == NodeKind::MapGenerateStrict;
}

bool is_binary_generator(NodeKind kind) {
  return kind == NodeKind::BinaryGenerate || kind == NodeKind::BinaryGenerateStrict;
}

// The kinds of generators have the same fields.
node::Generate generator_view(const Ast& ast, NodeId id) {
  return {NodeId{ast.slot(id, 0)}, NodeId{ast.slot(id, 1)}};
}

void keep_new(Changes& changes) {
  std::erase_if(changes, [](const Change& change) { return change.before.is_known(); });
}

void keep_old(Changes& changes) {
  std::erase_if(changes, [](const Change& change) { return !change.before.is_known(); });
}

}  // namespace

void BodyLinter::clause(NodeId id) {
  const auto view = ast_.get<node::Clause>(id);
  Bindings bindings;
  pattern_list(view.patterns, Hiding::No, bindings);
  bind(bindings);
  guard(view.guard);
  expressions(view.body);
}

// The stack trace must be a fresh variable, and cannot be tested by the guard.
void BodyLinter::handler(NodeId id) {
  const auto view = ast_.get<node::Clause>(id);
  const NodeId head = ast_.list(view.patterns)[0];
  const NodeId stack = ast_.list(ast_.get<node::Tuple>(head).elements)[2];
  const bool has_stack =
      ast_.is(stack, NodeKind::Var) && ast_.get<node::Var>(stack).name != atoms::underscore;
  if (!has_stack) return clause(id);

  const Atom name = ast_.get<node::Var>(stack).name;
  const Variable outer = scope_[name];
  Bindings bindings;
  pattern(head, Hiding::No, bindings);
  const auto same = [&](const auto& fresh) { return fresh.first == name; };
  const auto used = [&](const Change& change) { return change.name == name; };
  if (outer.is_known() || std::ranges::count_if(bindings.fresh, same) > 1 ||
      std::ranges::any_of(bindings.used, used)) {
    Found found = report_.error(
        Rule::StacktraceBound, stack,
        fmt::format("the stack trace needs a new variable, and {} is bound already", name.text()));
    if (outer.is_known() && exists(outer.bound_at)) found.note(outer.bound_at, "here");
  }
  bind(bindings);
  scope_.set(name, {State::Stacktrace, kNoNode, stack});
  guard(view.guard);
  scope_.set(name, {State::Bound, kNoNode, stack});
  expressions(view.body);
}

std::vector<Changes> BodyLinter::clauses(ListId list) {
  std::vector<Changes> branches;
  for (const NodeId id : ast_.list(list)) {
    branches.push_back(scope_.isolated([&] { clause(id); }));
  }
  return branches;
}

void BodyLinter::branch(NodeId construct, ListId list) {
  scope_.apply(merge_branches(clauses(list), construct));
}

void BodyLinter::case_of(NodeId id) {
  const auto view = ast_.get<node::Case>(id);
  const Scope::Mark start = scope_.mark();
  expression(view.subject);
  const Changes subject = scope_.since(start);
  branch(id, view.clauses);
  scope_.keep_unsafe(subject);
}

// The clauses do not see the variables of the timeout.
void BodyLinter::receive(NodeId id) {
  const auto view = ast_.get<node::Receive>(id);
  if (!exists(view.timeout)) return branch(id, view.clauses);
  Changes changes = scope_.isolated([&] { expression(view.timeout); });
  std::vector<Changes> branches = clauses(view.clauses);
  branches.push_back(scope_.isolated([&] { expressions(view.after); }));
  scope_.apply(changes);
  scope_.add_part(merge_branches(branches, id));
}

// Only the clauses after `of` can rely on the variables of the body.
void BodyLinter::try_catch(NodeId id) {
  const auto view = ast_.get<node::Try>(id);
  const Scope::Mark start = scope_.mark();
  expressions(view.body);
  std::vector<Changes> branches = clauses(view.clauses);
  scope_.make_unsafe(start, id);
  for (const NodeId handler_id : ast_.list(view.handlers)) {
    branches.push_back(scope_.isolated([&] { handler(handler_id); }));
  }
  scope_.apply(merge_branches(branches, id));
  scope_.make_unsafe(start, id);
  expressions(view.after);
  scope_.make_unsafe(start, id);
}

void BodyLinter::maybe(NodeId id) {
  const auto view = ast_.get<node::Maybe>(id);
  const Scope::Mark start = scope_.mark();
  expressions(view.body);
  scope_.make_unsafe(start, id);
  Changes body = scope_.since(start);
  keep_new(body);
  scope_.undo(start);
  scope_.apply(body);
  if (!exists(view.otherwise)) return;
  const Scope::Mark in_else = scope_.mark();
  Changes otherwise =
      merge_branches(clauses(ast_.get<node::MaybeElse>(view.otherwise).clauses), view.otherwise);
  keep_new(otherwise);
  scope_.apply(otherwise);
  scope_.make_unsafe(in_else, view.otherwise);
}

// What a fun or a comprehension leaves behind: variables outside of it that were
// unsafe and, having been reported, are not any more.
Changes BodyLinter::visible_outside(Changes changes, const Hidden& hidden) {
  for (Change& change : changes) {
    const auto same = [&](const auto& entry) { return entry.first == change.name; };
    const auto at = std::ranges::find_if(hidden, same);
    if (at != hidden.end()) change.now = at->second;
  }
  std::erase_if(changes, [&](const Change& change) {
    return !change.before.is_known() || change.now.is_unsafe();
  });
  return changes;
}

void BodyLinter::bind_hiding(const Bindings& bindings, Hidden& hidden) {
  scope_.apply(bindings.used);
  for (const auto& fresh : bindings.fresh) {
    const Atom name = fresh.first;
    const auto same = [&](const auto& entry) { return entry.first == name; };
    if (std::ranges::none_of(hidden, same)) hidden.emplace_back(name, scope_[name]);
  }
  bind(bindings);
}

void BodyLinter::fun_clauses(ListId list) {
  const bool in_record_definition = std::exchange(in_record_definition_, false);
  const auto ids = ast_.list(list);
  std::vector<Changes> all;
  for (const NodeId id : ids) {
    const auto view = ast_.get<node::Clause>(id);
    Hidden hidden;
    Changes changes = scope_.isolated([&] {
      Bindings bindings;
      pattern_list(view.patterns, Hiding::Yes, bindings);
      bind_hiding(bindings, hidden);
      guard(view.guard);
      expressions(view.body);
    });
    all.push_back(visible_outside(std::move(changes), hidden));
  }
  in_record_definition_ = in_record_definition;
  // Only what every clause has reported is known outside.
  for (const Change& change : all[0]) {
    const auto is_in = [&](const Changes& changes) {
      return std::ranges::any_of(changes, [&](const Change& c) { return c.name == change.name; });
    };
    if (std::ranges::all_of(all, is_in)) scope_.set(change.name, change.now);
  }
}

void BodyLinter::named_fun(NodeId id) {
  const auto view = ast_.get<node::NamedFun>(id);
  if (view.name == atoms::underscore) return fun_clauses(view.clauses);
  const Hidden hidden{{view.name, scope_[view.name]}};
  const Changes changes = scope_.isolated([&] {
    scope_.set(view.name, {State::Bound, kNoNode, id});
    fun_clauses(view.clauses);
  });
  scope_.apply(visible_outside(changes, hidden));
}

void BodyLinter::comprehension(NodeId id) {
  const NodeId body{ast_.slot(id, 0)};  // the kinds of comprehensions have the same fields
  const ListId qualifiers{ast_.slot(id, 1)};
  Hidden hidden;
  const Changes changes = scope_.isolated([&] {
    const bool in_record_definition = std::exchange(in_record_definition_, false);
    for (const NodeId q : ast_.list(qualifiers)) qualifier(q, hidden);
    in_record_definition_ = in_record_definition;
    if (ast_.is(body, NodeKind::MapAssoc) || ast_.is(body, NodeKind::MapExact)) {
      if (ast_.is(body, NodeKind::MapExact)) {
        report_.error(Rule::IllegalMapConstruction, body,
                      "a new map has no key to update: write `=>` instead of `:=`");
      }
      for (const size_t part : {0, 1}) {
        scope_.isolated([&] { expression(NodeId{ast_.slot(body, part)}); });
      }
    } else {
      expression(body);
    }
  });
  scope_.apply(visible_outside(changes, hidden));
}

void BodyLinter::qualifier(NodeId id, Hidden& hidden) {
  if (ast_.is(id, NodeKind::Zip)) {
    std::vector<NodeId> parts;
    for (const NodeId part : ast_.list(ast_.get<node::Zip>(id).generators)) {
      if (is_generator(ast_.kind(part))) {
        parts.push_back(part);
      } else {
        report_.error(Rule::IllegalZipGenerator, part,
                      "only generators can be joined by `&&`; put a filter behind a comma");
      }
    }
    generators(parts, hidden);
  } else if (is_generator(ast_.kind(id))) {
    generators({&id, 1}, hidden);
  } else if (is_guard_test(id)) {
    guard_test(id);
  } else {
    expression(id);
  }
}

void BodyLinter::generators(std::span<const NodeId> ids, Hidden& hidden) {
  const Scope::Mark start = scope_.mark();
  for (const NodeId id : ids) expression(generator_view(ast_, id).source);
  Changes changes = scope_.since(start);  // what the sources bind is not seen outside of them
  keep_old(changes);
  scope_.undo(start);
  scope_.apply(changes);

  Bindings bindings;
  for (const NodeId id : ids) {
    const NodeId left = generator_view(ast_, id).pattern;
    if (is_binary_generator(ast_.kind(id))) check_generator_binary(left);
    if (ast_.is(left, NodeKind::MapExact) || ast_.is(left, NodeKind::MapAssoc)) {
      pattern(NodeId{ast_.slot(left, 0)}, Hiding::Yes, bindings);
      pattern(NodeId{ast_.slot(left, 1)}, Hiding::Yes, bindings);
    } else {
      pattern(left, Hiding::Yes, bindings);
    }
  }
  bind_hiding(bindings, hidden);
}

}  // namespace fathom::lint
