// Forms: functions and attributes.
#include <fmt/format.h>

#include "syntax/parser.h"

namespace fathom {

NodeId Parser::form() {
  if (at(TokenKind::Minus)) return attribute();
  if (at(TokenKind::Atom)) return function();
  fail_unexpected("a function or an attribute");
  return error_node();
}

NodeId Parser::finish_form(NodeId node) {
  if (!failed_ && !accept(TokenKind::Dot)) fail_unexpected("the full stop");
  return node;
}

// An error in one clause does not hide those in the next ones.
NodeId Parser::function() {
  const Token& first = peek();
  const Atom name = first.atom();
  std::optional<size_t> arity;
  const size_t mark = stack_.size();
  while (true) {
    const Token* clause_start = p_;
    function_clause(name, &arity);
    if (!failed_ && !at(TokenKind::Semicolon)) finish_function();
    if (failed_ && !recover_to_next_clause(clause_start, name)) break;
    if (!accept(TokenKind::Semicolon)) break;
  }
  const ListId clauses = take_list(mark);
  return add(NodeKind::Function, first, anchor_of(first),
             {field(name), static_cast<uint32_t>(arity.value_or(0)), field(clauses)});
}

void Parser::finish_function() {
  if (at(TokenKind::Dot)) {
    // The full stop is no part of the function's extent.
    ++p_;
    return;
  }
  fail_unexpected("`,`, `;` or the full stop");
}

void Parser::function_clause(Atom name, std::optional<size_t>* arity) {
  const Token& head = peek();
  if (!accept(TokenKind::Atom)) return fail_unexpected("a clause of the function");
  const ListId patterns = arguments(Mode::Pattern);
  const ListId tests = clause_guard();
  const ListId body = clause_body();
  if (failed_) return;
  const size_t count = ast_.list(patterns).size();
  if (!*arity) *arity = count;
  if (head.atom() != name || count != **arity) {
    return fail(head, fmt::format("head mismatch: this clause is of {}/{}, the function is {}/{}",
                                  head.atom().text(), count, name.text(), **arity));
  }
  stack_.push_back(add(NodeKind::Clause, head, anchor_of(head),
                       {field(patterns), field(tests), field(body)}));
}

// Moves to the semicolon before the next `name(` that is not inside brackets.
// Whether it is inside a block cannot be told from tokens that are wrong, so a
// clause is taken for one only where it starts a line.
bool Parser::recover_to_next_clause(const Token* from, Atom name) {
  if (from->kind == TokenKind::End) return false;
  for (const Token* t = from + 1; t->kind != TokenKind::End; ++t) {
    if (t->kind != TokenKind::Semicolon || !t[1].is_atom(name) ||
        t[2].kind != TokenKind::LeftParen || !t[1].loc.is_text()) {
      continue;
    }
    if (unit_.sources().line_column(t[1].loc).column != 1) continue;
    p_ = t;
    failed_ = false;
    stack_.clear();
    pending_.clear();
    guards_.clear();
    return true;
  }
  return false;
}

NodeId Parser::attribute() {
  const Token& minus = take();
  const Token& name = peek();
  if (!accept(TokenKind::Atom)) {
    fail_unexpected("the name of an attribute");
    return error_node();
  }
  const Atom attr = name.atom();
  NodeId node;
  if (attr == atoms::spec || attr == atoms::callback) {
    node = spec(minus, name);
  } else {
    node = attribute_values(minus, name);
  }
  const Loc end = last_end();
  finish_form(node);
  if (!failed_) ast_.mutable_node(node).end = end;
  return node;
}

// -name(V), -name V, -name(V, W), and the typed forms of records and types.
NodeId Parser::attribute_values(const Token& minus, const Token& name) {
  const Token& open = peek();
  const bool parenthesized = accept(TokenKind::LeftParen);
  if (name.atom() == atoms::record) return record_decl(minus, name, parenthesized, open);
  const size_t mark = stack_.size();
  const NodeId first = expression();
  if (at(TokenKind::ColonColon)) return type_decl(minus, name, first, parenthesized, open);
  stack_.push_back(first);
  while (accept(TokenKind::Comma)) {
    const NodeId next = expression();
    stack_.push_back(next);
  }
  if (parenthesized) close_list(TokenKind::RightParen, open);
  if (failed_) return error_node();
  check_attribute(name, std::span(stack_).subspan(mark));
  if (failed_) return error_node();
  return add(NodeKind::Attribute, minus, anchor_of(name), {name.value, field(take_list(mark))});
}

// What erl_parse demands of the values of each attribute.
void Parser::check_attribute(const Token& name, std::span<const NodeId> values) {
  const Atom attr = name.atom();
  const size_t count = values.size();
  if (attr == atoms::module) {
    const bool ok = ast_.is(values[0], NodeKind::Atom) &&
                    (count == 1 || (count == 2 && is_variable_list(values[1])));
    if (!ok) return fail_node(values[0], "bad module declaration: -module(name).");
    unit_.module = ast_.get<node::Atom>(values[0]).value;
    return;
  }
  if (attr == atoms::export_) {
    if (count != 1) return fail_node(values[1], "bad export declaration: -export([name/arity]).");
    return check_name_arity_list(values[0]);
  }
  if (attr == atoms::import) {
    if (count != 2 || !ast_.is(values[0], NodeKind::Atom)) {
      return fail_node(values[0], "bad import declaration: -import(module, [name/arity]).");
    }
    return check_name_arity_list(values[1]);
  }
  if (attr == atoms::file && count == 2) return;
  if (count != 1) return fail_node(values[1], "an attribute has one value");
  if (!is_term(values[0])) fail_node(values[0], "the value of an attribute is a constant term");
}

bool Parser::is_variable_list(NodeId id) const {
  if (!ast_.is(id, NodeKind::List)) return false;
  const auto list = ast_.get<node::List>(id);
  if (exists(list.tail)) return false;
  for (const NodeId e : ast_.list(list.elements)) {
    if (!ast_.is(e, NodeKind::Var)) return false;
  }
  return true;
}

void Parser::check_name_arity_list(NodeId id) {
  if (!ast_.is(id, NodeKind::List) || exists(ast_.get<node::List>(id).tail)) {
    return fail_node(id, "expected a list of name/arity");
  }
  for (const NodeId e : ast_.list(ast_.get<node::List>(id).elements)) {
    if (!ast_.is(e, NodeKind::BinaryOp) || ast_.get<node::BinaryOp>(e).op != atoms::slash) {
      return fail_node(e, "expected name/arity");
    }
    const auto op = ast_.get<node::BinaryOp>(e);
    if (!ast_.is(op.left, NodeKind::Atom)) return fail_node(op.left, "bad function name: expected an atom");
    if (!ast_.is(op.right, NodeKind::Integer)) return fail_node(op.right, "bad arity: expected an integer");
  }
}

// Whether erl_parse:normalise/1 makes a term of it; name/arity counts as one.
bool Parser::is_term(NodeId root) const {
  std::vector<NodeId> todo{root};
  auto is_number = [&](NodeId id) {
    const NodeKind kind = ast_.kind(id);
    return kind == NodeKind::Integer || kind == NodeKind::Float || kind == NodeKind::Char;
  };
  while (!todo.empty()) {
    const NodeId id = todo.back();
    todo.pop_back();
    switch (ast_.kind(id)) {
      case NodeKind::Atom:
      case NodeKind::Integer:
      case NodeKind::Float:
      case NodeKind::Char:
      case NodeKind::String:
      case NodeKind::Binary:  // segments are looked at when the value is made
        break;
      case NodeKind::List:
      case NodeKind::Tuple:
      case NodeKind::Map:
      case NodeKind::MapAssoc:
        ast_.for_each_child(id, [&](NodeId child) { todo.push_back(child); });
        break;
      case NodeKind::UnaryOp: {
        const auto op = ast_.get<node::UnaryOp>(id);
        if (!is_number(op.operand) || (op.op != atoms::minus && op.op != atoms::plus)) return false;
        break;
      }
      case NodeKind::BinaryOp: {
        const auto op = ast_.get<node::BinaryOp>(id);
        if (op.op != atoms::slash || !ast_.is(op.left, NodeKind::Atom) ||
            !ast_.is(op.right, NodeKind::Integer)) {
          return false;
        }
        break;
      }
      case NodeKind::FunRemote: {
        const auto fun_node = ast_.get<node::FunRemote>(id);
        if (!ast_.is(fun_node.module, NodeKind::Atom) || !ast_.is(fun_node.name, NodeKind::Atom) ||
            !ast_.is(fun_node.arity, NodeKind::Integer)) {
          return false;
        }
        break;
      }
      default:
        return false;
    }
  }
  return true;
}

// -record(name, {field, field = Default, field :: Type, …})
NodeId Parser::record_decl(const Token& minus, const Token& name, bool parenthesized, const Token& open) {
  const Token& record = peek();
  if (!accept(TokenKind::Atom)) {
    fail_unexpected("the name of the record");
    return error_node();
  }
  expect(TokenKind::Comma);
  const Token& brace = peek();
  if (!accept(TokenKind::LeftBrace)) {
    fail_unexpected("the fields of the record in braces");
    return error_node();
  }
  const size_t mark = stack_.size();
  if (!at(TokenKind::RightBrace)) {
    do {
      record_field_decl();
    } while (accept(TokenKind::Comma));
  }
  close_list(TokenKind::RightBrace, brace);
  if (parenthesized) expect(TokenKind::RightParen, &open);
  return add(NodeKind::RecordDecl, minus, anchor_of(name), {record.value, field(take_list(mark))});
}

void Parser::record_field_decl() {
  const Token& first = peek();
  const NodeId e = expression();
  if (failed_) return;
  NodeId name = e;
  NodeId value = kNoNode;
  if (ast_.is(e, NodeKind::Match)) {
    name = ast_.get<node::Match>(e).pattern;
    value = ast_.get<node::Match>(e).value;
  }
  if (!ast_.is(name, NodeKind::Atom)) return fail_node(e, "bad record field: the name of a field is an atom");
  const NodeId type_node = accept(TokenKind::ColonColon) ? top_type() : kNoNode;
  stack_.push_back(add(NodeKind::RecordFieldDecl, first, ast_[name].anchor,
                       {field(name), field(value), field(type_node)}));
}

// -type name(Vars) :: Type
NodeId Parser::type_decl(const Token& minus, const Token& name, NodeId head, bool parenthesized,
                         const Token& open) {
  const Atom attr = name.atom();
  if (attr != atoms::type && attr != atoms::opaque && attr != atoms::nominal) {
    fail(name, fmt::format("bad attribute: -{} declares no type", attr.text()));
    return error_node();
  }
  const bool ok = ast_.is(head, NodeKind::Call) &&
                  ast_.is(ast_.get<node::Call>(head).function, NodeKind::Atom);
  if (!ok) {
    fail_node(head, fmt::format("bad {} declaration: expected name(Variables) :: Type", attr.text()));
    return error_node();
  }
  const auto call = ast_.get<node::Call>(head);
  for (const NodeId parameter : ast_.list(call.arguments)) {
    if (!ast_.is(parameter, NodeKind::Var) || ast_.get<node::Var>(parameter).name == atoms::underscore) {
      fail_node(parameter, "bad type variable");
      return error_node();
    }
  }
  take();  // ::
  const NodeId type_node = top_type();
  if (parenthesized) expect(TokenKind::RightParen, &open);
  return add(NodeKind::TypeDecl, minus, anchor_of(name),
             {field(attr), field(ast_.get<node::Atom>(call.function).value), field(call.arguments),
              field(type_node)});
}

// -spec name(Types) -> Type; …
NodeId Parser::spec(const Token& minus, const Token& name) {
  const Token& open = peek();
  const bool parenthesized = accept(TokenKind::LeftParen);
  NodeId module = kNoNode;
  const Token* function_name = &peek();
  if (at(TokenKind::Atom) && at_next(TokenKind::Colon)) {
    module = name_atom();
    take();
    function_name = &peek();
  }
  if (!accept(TokenKind::Atom)) {
    fail_unexpected("the name of a function");
    return error_node();
  }
  const size_t mark = stack_.size();
  do {
    const NodeId s = signature();
    stack_.push_back(s);
  } while (accept(TokenKind::Semicolon));
  if (parenthesized) expect(TokenKind::RightParen, &open);
  if (failed_) return error_node();
  const std::optional<uint32_t> arity = signature_arity(stack_[mark]);
  if (!arity) {
    fail_node(stack_[mark], "a spec names its arguments: (...) is not allowed here");
    return error_node();
  }
  return add(NodeKind::Spec, minus, anchor_of(name),
             {name.value, field(module), function_name->value, *arity, field(take_list(mark))});
}

std::optional<uint32_t> Parser::signature_arity(NodeId signature_node) const {
  if (ast_.is(signature_node, NodeKind::BoundedFun)) {
    signature_node = ast_.get<node::BoundedFun>(signature_node).function;
  }
  const NodeId parameters = ast_.list(ast_.get<node::Type>(signature_node).arguments)[0];
  if (!ast_.is(parameters, NodeKind::Type)) return std::nullopt;
  return static_cast<uint32_t>(ast_.list(ast_.get<node::Type>(parameters).arguments).size());
}

}  // namespace fathom
