// Expressions that end with `end`.
#include "syntax/anchors.h"
#include "syntax/parser.h"

namespace fathom {

NodeId Parser::block() {
  switch (peek().kind) {
    case TokenKind::Fun:
      return fun();
    case TokenKind::Case:
      return case_expression();
    case TokenKind::If:
      return if_expression();
    case TokenKind::Receive:
      return receive_expression();
    case TokenKind::Try:
      return try_expression();
    case TokenKind::Maybe:
      return maybe_expression();
    case TokenKind::Begin: {
      const NestingGuard nesting(*this);
      const Token& start = take();
      const ListId body = expressions();
      close_block(start);
      return add(NodeKind::Block, start, anchor_of(start), {field(body)});
    }
    default:
      fail_unexpected("an expression");
      return error_node();
  }
}

void Parser::close_block(const Token& opener) {
  if (accept(TokenKind::EndWord) || failed_) return;
  fail_unexpected("`,`, `;` or `end`");
  add_unclosed_note(*last_report_, opener);
}

ListId Parser::clause_body() {
  if (!accept(TokenKind::Arrow)) {
    fail_unexpected("`->`");
    return ListId{0};
  }
  return expressions();
}

ListId Parser::clause_guard() {
  if (!accept(TokenKind::When)) return ListId{0};
  return guard();
}

// Alternatives separated by semicolons, each of tests separated by commas.
ListId Parser::guard() {
  const size_t mark = guards_.size();
  do {
    const ListId alternative = expressions();
    guards_.push_back(alternative);
  } while (accept(TokenKind::Semicolon));
  const ListId list = ast_.add_guard(std::span(guards_).subspan(mark));
  guards_.resize(mark);
  return list;
}

NodeId Parser::if_expression() {
  const NestingGuard nesting(*this);
  const Token& start = take();
  const size_t mark = stack_.size();
  do {
    const Token& first = peek();
    const ListId tests = guard();
    const ListId body = clause_body();
    if (failed_) return error_node();
    const NodeId first_test = ast_.list(ast_.guard(tests)[0])[0];
    stack_.push_back(add(NodeKind::Clause, first, first_anchor(unit_, first_test),
                         {field(ListId{0}), field(tests), field(body)}));
  } while (accept(TokenKind::Semicolon));
  close_block(start);
  return add(NodeKind::If, start, anchor_of(start), {field(take_list(mark))});
}

NodeId Parser::case_clause() {
  const Token& first = peek();
  const NodeId pattern_node = expression();
  const ListId tests = clause_guard();
  const ListId body = clause_body();
  const ListId patterns = ast_.add_list({&pattern_node, 1});
  return add(NodeKind::Clause, first, first_anchor(unit_, pattern_node),
             {field(patterns), field(tests), field(body)});
}

ListId Parser::case_clauses() {
  const size_t mark = stack_.size();
  do {
    const NodeId clause = case_clause();
    stack_.push_back(clause);
  } while (accept(TokenKind::Semicolon));
  return take_list(mark);
}

NodeId Parser::case_expression() {
  const NestingGuard nesting(*this);
  const Token& start = take();
  const NodeId subject = expression();
  expect(TokenKind::Of, &start);
  const ListId clauses = case_clauses();
  close_block(start);
  return add(NodeKind::Case, start, anchor_of(start), {field(subject), field(clauses)});
}

NodeId Parser::receive_expression() {
  const NestingGuard nesting(*this);
  const Token& start = take();
  const ListId clauses = at(TokenKind::After) ? ListId{0} : case_clauses();
  NodeId timeout = kNoNode;
  ListId body{0};
  if (accept(TokenKind::After)) {
    timeout = expression();
    body = clause_body();
  }
  close_block(start);
  return add(NodeKind::Receive, start, anchor_of(start),
             {field(clauses), field(timeout), field(body)});
}

NodeId Parser::try_expression() {
  const NestingGuard nesting(*this);
  const Token& start = take();
  const ListId body = expressions();
  const ListId clauses = accept(TokenKind::Of) ? case_clauses() : ListId{0};
  ListId handlers{0};
  ListId after{0};
  if (!at(TokenKind::Catch) && !at(TokenKind::After) && !failed_) {
    fail_unexpected("`catch` or `after`");
    add_unclosed_note(*last_report_, start);
  }
  if (accept(TokenKind::Catch)) {
    const size_t mark = stack_.size();
    do {
      const NodeId clause = try_clause();
      stack_.push_back(clause);
    } while (accept(TokenKind::Semicolon));
    handlers = take_list(mark);
  }
  if (accept(TokenKind::After)) after = expressions();
  close_block(start);
  return add(NodeKind::Try, start, anchor_of(start),
             {field(body), field(clauses), field(handlers), field(after)});
}

// Class:Pattern:Stack when … -> …; the pattern becomes {Class, Pattern, Stack}.
NodeId Parser::try_clause() {
  const Token& first = peek();
  NodeId class_node = kNoNode;
  const bool has_class = (at(TokenKind::Atom) || at(TokenKind::Var)) && at_next(TokenKind::Colon);
  if (has_class) {
    take();
    class_node =
        leaf(first.kind == TokenKind::Atom ? NodeKind::Atom : NodeKind::Var, first, first.value);
    take();
  }
  const NodeId reason = pattern();
  if (failed_) return error_node();
  const Loc anchor = has_class ? anchor_of(first) : first_anchor(unit_, reason);
  if (!has_class) {
    class_node = ast_.add(NodeKind::Atom, first.loc, first.loc, anchor, {field(atoms::throw_)});
  }
  NodeId stack = kNoNode;
  if (has_class && accept(TokenKind::Colon)) {
    const Token& variable = peek();
    if (!accept(TokenKind::Var)) fail_unexpected("a variable for the stack trace");
    stack = leaf(NodeKind::Var, variable, variable.value);
  } else {
    stack = ast_.add(NodeKind::Var, last_end(), last_end(), last_anchor(unit_, reason),
                     {field(atoms::underscore)});
  }
  const NodeId parts[] = {class_node, reason, stack};
  const NodeId tuple_node = add(NodeKind::Tuple, first, anchor, {field(ast_.add_list(parts))});
  const ListId tests = clause_guard();
  const ListId body = clause_body();
  const ListId patterns = ast_.add_list({&tuple_node, 1});
  return add(NodeKind::Clause, first, anchor, {field(patterns), field(tests), field(body)});
}

NodeId Parser::maybe_expression() {
  const NestingGuard nesting(*this);
  const Token& start = take();
  const size_t mark = stack_.size();
  do {
    const Token& first = peek();
    NodeId e = expression();
    if (at(TokenKind::QuestionEqual)) {
      const Token& op = take();
      const NodeId value = expression();
      e = add(NodeKind::MaybeMatch, first, anchor_of(op), {field(e), field(value)});
    }
    stack_.push_back(e);
  } while (accept(TokenKind::Comma));
  const ListId body = take_list(mark);
  NodeId otherwise = kNoNode;
  if (at(TokenKind::Else)) {
    const Token& word = take();
    const ListId clauses = case_clauses();
    otherwise = add(NodeKind::MaybeElse, word, anchor_of(word), {field(clauses)});
  }
  close_block(start);
  return add(NodeKind::Maybe, start, anchor_of(start), {field(body), field(otherwise)});
}

}  // namespace fathom
