// Clauses, and the expressions that have them. A body stands on lines of its own,
// indented; only a body of one expression may follow its arrow.
#include "syntax/printer.h"

namespace fathom {

// ---- Clauses ----------------------------------------------------------------

void SourcePrinter::on(const node::Clause& n, const Visit& v) {
  const auto patterns = ast_.list(n.patterns);
  switch (v.place) {
    case GrammarPlace::FunctionClause:
      atom(v.name);
      bracketed("(", patterns, ")");
      break;
    case GrammarPlace::FunClause:
      text(v.name.text());
      bracketed("(", patterns, ")");
      break;
    case GrammarPlace::IfClause:
      op(Op::Open);
      guard(n.guard);
      op(Op::Close);
      break;
    case GrammarPlace::Handler:
      for (const NodeId pattern : patterns) handler_head(pattern);
      break;
    default:
      separated(patterns, GrammarPlace::Any, ",", Between::Line);
  }
  if (v.place != GrammarPlace::IfClause) clause_guard(n.guard);
  text(" ->");
  clause_body(n.body, v.place);
}

// {Class, Pattern, Stack} is written Class:Pattern:Stack.
void SourcePrinter::handler_head(NodeId pattern) {
  const bool is_triple = ast_.is(pattern, NodeKind::Tuple) &&
                         ast_.list(ast_.get<node::Tuple>(pattern).elements).size() == 3;
  if (!is_triple) return visit(pattern, GrammarPlace::Any);
  const auto parts = ast_.list(ast_.get<node::Tuple>(pattern).elements);
  visit(parts[0], GrammarPlace::RemotePart);
  text(":");
  visit(parts[1], tighter_than(Precedence::Match));
  const bool is_ignored =
      ast_.is(parts[2], NodeKind::Var) && ast_.get<node::Var>(parts[2]).name == atoms::underscore;
  if (is_ignored) return;
  text(":");
  visit(parts[2], GrammarPlace::RemotePart);
}

// Each alternative is a line, if it fits on one.
void SourcePrinter::guard(ListId guard_list) {
  bool first_alternative = true;
  for (const ListId alternative : ast_.guard(guard_list)) {
    if (!first_alternative) {
      text(";");
      op(Op::Line);
    }
    first_alternative = false;
    op(Op::Open);
    separated(ast_.list(alternative), GrammarPlace::Any, ",", Between::Line);
    op(Op::Close);
  }
}

// Deeper than the body, to tell them apart.
void SourcePrinter::clause_guard(ListId guard_list) {
  if (ast_.guard(guard_list).empty()) return;
  text(" when");
  op(Op::Open);
  indent(2 * Layout::kIndent);
  op(Op::Line);
  guard(guard_list);
  dedent();
  op(Op::Close);
}

void SourcePrinter::body(ListId expressions) {
  indent();
  std::string_view before;
  for (const NodeId expression : ast_.list(expressions)) {
    text(before);
    op(Op::Hard);
    visit(expression, GrammarPlace::Any);
    before = ",";
  }
  dedent();
}

void SourcePrinter::clause_body(ListId expressions, GrammarPlace place) {
  const auto list = ast_.list(expressions);
  if (list.size() != 1) return body(expressions);
  if (place == GrammarPlace::FunctionClause) {
    if (!is_leaf(list[0]) || is_text_of_lines(list[0])) return body(expressions);
  }
  op(Op::Open);
  indent();
  op(Op::Line);
  visit(list[0], GrammarPlace::Any);
  dedent();
  op(Op::Close);
}

void SourcePrinter::clauses(ListId list, GrammarPlace place, Atom name) {
  indent();
  std::string_view before;
  for (const NodeId clause : ast_.list(list)) {
    text(before);
    op(Op::Hard);
    visit(clause, place, name);
    before = ";";
  }
  dedent();
}

// ---- Blocks -----------------------------------------------------------------

void SourcePrinter::on(const node::Block& n, const Visit&) {
  text("begin");
  body(n.body);
  op(Op::Hard);
  text("end");
}

void SourcePrinter::on(const node::If& n, const Visit&) {
  text("if");
  clauses(n.clauses, GrammarPlace::IfClause);
  op(Op::Hard);
  text("end");
}

// `case X of` on one line, or the expression on its own.
void SourcePrinter::subject(std::string_view before, NodeId id, std::string_view after) {
  op(Op::Open);
  text(before);
  indent();
  op(Op::Line);
  visit(id, GrammarPlace::Any);
  dedent();
  op(Op::Line);
  text(after);
  op(Op::Close);
}

void SourcePrinter::on(const node::Case& n, const Visit&) {
  subject("case", n.subject, "of");
  clauses(n.clauses, GrammarPlace::CaseClause);
  op(Op::Hard);
  text("end");
}

void SourcePrinter::on(const node::Receive& n, const Visit&) {
  text("receive");
  clauses(n.clauses, GrammarPlace::CaseClause);
  op(Op::Hard);
  if (exists(n.timeout)) {
    subject("after", n.timeout, "->");
    body(n.after);
    op(Op::Hard);
  }
  text("end");
}

void SourcePrinter::on(const node::Try& n, const Visit&) {
  const auto tried = ast_.list(n.body);
  const bool has_clauses = !ast_.list(n.clauses).empty();
  if (has_clauses && tried.size() == 1) {
    subject("try", tried[0], "of");
  } else {
    text("try");
    body(n.body);
    if (has_clauses) {
      op(Op::Hard);
      text("of");
    }
  }
  clauses(n.clauses, GrammarPlace::CaseClause);
  op(Op::Hard);
  if (!ast_.list(n.handlers).empty()) {
    text("catch");
    clauses(n.handlers, GrammarPlace::Handler);
    op(Op::Hard);
  }
  if (!ast_.list(n.after).empty()) {
    text("after");
    body(n.after);
    op(Op::Hard);
  }
  text("end");
}

void SourcePrinter::on(const node::Maybe& n, const Visit&) {
  text("maybe");
  body(n.body);
  op(Op::Hard);
  if (exists(n.otherwise)) visit(n.otherwise, GrammarPlace::Any);
  text("end");
}

void SourcePrinter::on(const node::MaybeElse& n, const Visit&) {
  text("else");
  clauses(n.clauses, GrammarPlace::CaseClause);
  op(Op::Hard);
}

// ---- Funs -------------------------------------------------------------------

// One clause stands after `fun`, on one line if it is a small one.
void SourcePrinter::fun(ListId list, Atom name) {
  const auto fun_clauses = ast_.list(list);
  if (fun_clauses.size() != 1 || !ast_.is(fun_clauses[0], NodeKind::Clause)) {
    text("fun");
    clauses(list, GrammarPlace::FunClause, name);
    op(Op::Hard);
    text("end");
    return;
  }
  const auto clause = ast_.get<node::Clause>(fun_clauses[0]);
  const bool one_expression = ast_.list(clause.body).size() == 1;
  text(name == Atom() ? "fun" : "fun ");
  text(name.text());
  bracketed("(", ast_.list(clause.patterns), ")");
  clause_guard(clause.guard);
  text(" ->");
  if (one_expression) {
    indent();
    op(Op::Line);
    visit(ast_.list(clause.body)[0], GrammarPlace::Any);
    dedent();
    op(Op::Line);
  } else {
    body(clause.body);
    op(Op::Hard);
  }
  text("end");
}

void SourcePrinter::on(const node::Fun& n, const Visit&) { fun(n.clauses, {}); }

void SourcePrinter::on(const node::NamedFun& n, const Visit&) { fun(n.clauses, n.name); }

}  // namespace fathom
