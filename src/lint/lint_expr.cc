// Expressions: taking apart what has no order, and the uses of variables.
#include <fmt/format.h>

#include "lint/lint_body.h"
#include "syntax/anchors.h"

namespace fathom::lint {
namespace {

bool is_short_circuit(const Ast& ast, NodeId id) {
  if (!ast.is(id, NodeKind::BinaryOp)) return false;
  const Atom op = ast.get<node::BinaryOp>(id).op;
  return op == atoms::andalso_ || op == atoms::orelse_;
}

bool is_match(const Ast& ast, NodeId id) {
  return ast.is(id, NodeKind::Match) || ast.is(id, NodeKind::MaybeMatch);
}

// Match and MaybeMatch have the same fields.
node::Match match_view(const Ast& ast, NodeId id) {
  if (ast.is(id, NodeKind::Match)) return ast.get<node::Match>(id);
  const auto view = ast.get<node::MaybeMatch>(id);
  return {view.pattern, view.value};
}

// What the message calls the construct that makes a variable unsafe.
std::string_view construct_name(const Ast& ast, NodeId id) {
  switch (ast.kind(id)) {
    case NodeKind::If:
      return "if";
    case NodeKind::Case:
      return "case";
    case NodeKind::Receive:
      return "receive";
    case NodeKind::Try:
      return "try";
    case NodeKind::Catch:
      return "catch";
    case NodeKind::Maybe:
      return "maybe";
    case NodeKind::MaybeElse:
      return "else";
    case NodeKind::BinaryOp:
      return ast.get<node::BinaryOp>(id).op.text();
    default:
      return "expression";
  }
}

}  // namespace

void BodyLinter::function(NodeId form) {
  const auto view = ast_.get<node::Function>(form);
  function_ = {view.name, view.arity};
  defaults_left_ = kMaxDefaults;
  for (const NodeId id : ast_.list(view.clauses)) {
    scope_.clear();
    clause(id);
  }
  scope_.clear();
}

bool BodyLinter::field_default(NodeId value) {
  const size_t errors = report_.count();
  function_ = {};
  defaults_left_ = kMaxDefaults;
  in_record_definition_ = true;
  expression(value);
  in_record_definition_ = false;
  scope_.clear();
  return report_.count() == errors;
}

// Within the sequence, a variable whose unsafe use has been reported is bound; what
// stands around the sequence is warned again.
void BodyLinter::expressions(ListId list) {
  Changes unsafe;
  for (const NodeId id : ast_.list(list)) {
    const Scope::Mark start = scope_.mark();
    expression(id);
    for (const Change& change : scope_.since(start)) {
      if (change.now.is_unsafe()) unsafe.push_back(change);
    }
  }
  scope_.keep_unsafe(unsafe);
}

void BodyLinter::expression(NodeId root) {
  const size_t base = todo_.size();
  todo_.push_back(root);
  Changes merged;
  while (todo_.size() > base) {
    const NodeId id = todo_.back();
    todo_.pop_back();
    if (take_apart(id, merged)) continue;
    if (todo_.size() == base && merged.empty()) {
      construct(id);
      return;
    }
    const Changes changes = scope_.isolated([&] { construct(id); });
    merged.insert(merged.end(), changes.begin(), changes.end());
  }
  scope_.apply(merge_parts(std::move(merged)));
}

void BodyLinter::push_all(ListId list) {
  for (const NodeId id : ast_.list(list)) push(id);
}

// Data, of which guards are made too: checks the node itself and puts its parts on the
// stack. False for other nodes.
bool BodyLinter::take_data_apart(NodeId id) {
  switch (ast_.kind(id)) {
    case NodeKind::Atom:
    case NodeKind::Integer:
    case NodeKind::Char:
    case NodeKind::Float:
    case NodeKind::String:
      return true;
    case NodeKind::List: {
      const auto list = ast_.get<node::List>(id);
      push_all(list.elements);
      if (exists(list.tail)) push(list.tail);
      return true;
    }
    case NodeKind::Tuple:
      push_all(ast_.get<node::Tuple>(id).elements);
      return true;
    case NodeKind::Binary:
      push_segments(id);
      return true;
    case NodeKind::Map:
      map_fields(ast_.get<node::Map>(id).fields, true);
      return true;
    case NodeKind::MapUpdate: {
      const auto update = ast_.get<node::MapUpdate>(id);
      push(update.map);
      map_fields(update.fields, false);
      return true;
    }
    case NodeKind::RecordAccess: {
      const auto access = ast_.get<node::RecordAccess>(id);
      push(access.record);
      record_field(access.name, access.field, id);
      return true;
    }
    case NodeKind::RecordIndex: {
      const auto index = ast_.get<node::RecordIndex>(id);
      record_field(index.name, index.field, id);
      return true;
    }
    case NodeKind::UnaryOp:
      push(ast_.get<node::UnaryOp>(id).operand);
      return true;
    default:
      return false;
  }
}

// The same for all expressions; false for what is to be checked as a whole.
bool BodyLinter::take_apart(NodeId id, Changes& merged) {
  if (take_data_apart(id)) return true;
  switch (ast_.kind(id)) {
    case NodeKind::Var:
      use(id, merged);
      return true;
    case NodeKind::Record:
      push_record(id);
      return true;
    case NodeKind::RecordUpdate:
      push_record_update(id);
      return true;
    case NodeKind::BinaryOp: {
      if (is_short_circuit(ast_, id)) return false;
      const auto op = ast_.get<node::BinaryOp>(id);
      push(op.right);
      push(op.left);
      return true;
    }
    case NodeKind::Call:
      call(id);
      return true;
    case NodeKind::Remote:
      report_.error_at(Rule::IllegalExpr, id,
                       first_anchor(unit_, ast_.get<node::Remote>(id).module),
                       "Module:Function is not an expression by itself: call it, or write "
                       "`fun Module:Function/Arity`");
      return true;
    case NodeKind::FunName:
      fun_name(id);
      return true;
    case NodeKind::FunRemote:
      fun_remote(id);
      return true;
    default:
      return false;
  }
}

void BodyLinter::construct(NodeId id) {
  switch (ast_.kind(id)) {
    case NodeKind::Match:
    case NodeKind::MaybeMatch:
      return match(id);
    case NodeKind::BinaryOp:
      return short_circuit(id);
    case NodeKind::Block:
      return expressions(ast_.get<node::Block>(id).body);
    case NodeKind::If:
      return branch(id, ast_.get<node::If>(id).clauses);
    case NodeKind::Case:
      return case_of(id);
    case NodeKind::Receive:
      return receive(id);
    case NodeKind::Try:
      return try_catch(id);
    case NodeKind::Catch: {
      const Scope::Mark start = scope_.mark();
      expression(ast_.get<node::Catch>(id).body);
      return scope_.make_unsafe(start, id);
    }
    case NodeKind::Maybe:
      return maybe(id);
    case NodeKind::Fun:
      return fun_clauses(ast_.get<node::Fun>(id).clauses);
    case NodeKind::NamedFun:
      return named_fun(id);
    case NodeKind::ListComprehension:
    case NodeKind::BinaryComprehension:
    case NodeKind::MapComprehension:
      return comprehension(id);
    default:  // no expression: the parser has no such tree
      return;
  }
}

void BodyLinter::use(NodeId var, Changes& merged) {
  use_state(var, scope_[ast_.get<node::Var>(var).name], merged);
}

void BodyLinter::use_state(NodeId var, const Variable& variable, Changes& merged) {
  const Atom name = ast_.get<node::Var>(var).name;
  switch (variable.state) {
    case State::Bound:
    case State::Exported:
      return;
    case State::Unknown:
      unbound(var);
      break;
    case State::Unsafe:
      unsafe(var, variable);
      break;
    case State::Stacktrace:
      report_
          .error(Rule::StacktraceGuard, var,
                 fmt::format("the stack trace {} must not be used in the guard of its handler; "
                             "test it in the body",
                             name.text()))
          .note(variable.bound_at, "it is bound here");
      break;
  }
  merged.push_back({name, variable, {State::Bound, kNoNode, var}});
}

void BodyLinter::unbound(NodeId var) {
  const Atom name = ast_.get<node::Var>(var).name;
  if (name == atoms::underscore) {
    report_.error(Rule::UnboundVar, var, "`_` has no value: it may stand in patterns only");
    return;
  }
  const Found found =
      report_.error(Rule::UnboundVar, var, fmt::format("variable {} is unbound", name.text()));
  if (report_.is_flooded()) return;
  const Atom guess = closest(name, scope_.names());
  if (guess != Atom()) Found(found).did_you_mean(guess.text());
}

void BodyLinter::unsafe(NodeId var, const Variable& variable) {
  const Atom name = ast_.get<node::Var>(var).name;
  const std::string_view where = construct_name(ast_, variable.construct);
  Found found = report_.error(
      Rule::UnsafeVar, var,
      fmt::format("variable {} may have no value here: not every way through the `{}` binds it",
                  name.text(), where));
  found.note(variable.construct, fmt::format("this is the `{}`", where));
  if (exists(variable.bound_at)) {
    found.note(variable.bound_at, fmt::format("{} is bound here", name.text()));
  }
}

void BodyLinter::map_fields(ListId fields, bool construction) {
  for (const NodeId id : ast_.list(fields)) {
    if (ast_.is(id, NodeKind::MapExact)) {
      const auto field = ast_.get<node::MapExact>(id);
      push(field.key);
      push(field.value);
      if (!construction) continue;
      report_.error(Rule::IllegalMapConstruction, id,
                    "a new map has no key to update: write `=>` instead of `:=`");
    } else {
      const auto field = ast_.get<node::MapAssoc>(id);
      push(field.key);
      push(field.value);
    }
  }
}

void BodyLinter::push_segments(NodeId binary) {
  for (const NodeId id : ast_.list(ast_.get<node::Binary>(binary).segments)) {
    const auto segment = ast_.get<node::Segment>(id);
    push(segment.value);
    const SegmentSize size = segment_size(segment.size);
    if (size.kind == SegmentSize::Kind::Unknown) push(segment.size);
    check_segment(id, size);
  }
}

// `A andalso (B andalso C)`: each operand sees the variables of those before it;
// what comes after the first may not be evaluated.
void BodyLinter::short_circuit(NodeId id) {
  const Scope::Mark start = scope_.mark();
  auto op = ast_.get<node::BinaryOp>(id);
  expression(op.left);
  const Changes left = scope_.since(start);
  const Scope::Mark behind_first = scope_.mark();
  while (is_short_circuit(ast_, op.right)) {
    op = ast_.get<node::BinaryOp>(op.right);
    expression(op.left);
  }
  expression(op.right);
  scope_.make_unsafe(behind_first, id);
  scope_.keep_unsafe(left);
}

// `P1 = P2 = E`, and `P1 = A ! P2 = E`, which is of the same precedence: down to E,
// then back up. All values see the variables from before the match.
void BodyLinter::match(NodeId id) {
  std::vector<NodeId> spine;
  std::vector<Changes> receivers;  // what each A changes, from the outermost on
  NodeId last = id;
  while (true) {
    if (is_match(ast_, last)) {
      spine.push_back(last);
      last = match_view(ast_, last).value;
    } else if (ast_.is(last, NodeKind::BinaryOp) &&
               ast_.get<node::BinaryOp>(last).op == atoms::bang &&
               is_match(ast_, ast_.get<node::BinaryOp>(last).right)) {
      spine.push_back(last);
      const auto send = ast_.get<node::BinaryOp>(last);
      receivers.push_back(scope_.isolated([&] { expression(send.left); }));
      last = send.right;
    } else {
      break;
    }
  }
  for (const NodeId step : spine) {
    if (tables_.release >= 26 || !is_match(ast_, step)) continue;
    const auto view = match_view(ast_, step);
    match_aliases(view.pattern, view.value);
  }
  const Scope::Mark start = scope_.mark();
  expression(last);
  Changes unsafe = scope_.since(start);
  std::erase_if(unsafe, [](const Change& change) { return !change.now.is_unsafe(); });
  for (size_t i = spine.size(); i-- > 0;) {
    if (is_match(ast_, spine[i])) {
      Bindings bindings;
      pattern(match_view(ast_, spine[i]).pattern, Hiding::No, bindings);
      bind(bindings);
      scope_.keep_unsafe(unsafe);
      continue;
    }
    scope_.add_part(receivers.back());
    receivers.pop_back();
  }
}

// Before OTP 26, each pattern of P1 = P2 = E is an alias of the others.
void BodyLinter::match_aliases(NodeId pattern_id, NodeId value) {
  if (!ast_.is(pattern_id, NodeKind::Binary) && !ast_.is(pattern_id, NodeKind::Map) &&
      !ast_.is(pattern_id, NodeKind::Match)) {
    return;
  }
  for (int i = 0; i < kMaxAliases && ast_.is(value, NodeKind::Match); ++i) {
    const auto inner = ast_.get<node::Match>(value);
    check_alias(pattern_id, inner.pattern);
    value = inner.value;
  }
}

}  // namespace fathom::lint
