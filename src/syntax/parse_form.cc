// Forms: functions and attributes.
#include <fmt/format.h>

#include <algorithm>

#include "syntax/abstract.h"
#include "syntax/anchors.h"
#include "syntax/parser.h"

namespace fathom {
namespace {

// The room for the values of all attributes of a file: so much, and so many times
// what was read.
constexpr uint64_t kMaxConstantBytes = 256 << 20;
constexpr uint64_t kMaxConstantGrowth = 16;

constexpr std::string_view kBadTypeDeclaration =
    "bad {0} declaration: write -{0} name(Variables) :: Type.";

}  // namespace

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
  const Token* mismatch = nullptr;
  const size_t mark = stack_.size();
  while (true) {
    const Token* clause_start = p_;
    function_clause(name, &arity, &mismatch);
    if (!failed_ && !at(TokenKind::Semicolon)) finish_function();
    if (failed_ && !recover_to_next_clause(clause_start, name)) break;
    if (!accept(TokenKind::Semicolon)) break;
  }
  const ListId clauses = take_list(mark);
  if (mismatch && !form_failed_) {  // else the form has a worse error
    error_span_ = span_of(*mismatch);
    error_anchor_ = anchor_of(*mismatch);
    form_failed_ = true;
  }
  return add(NodeKind::Function, first, anchor_of(first),
             {field(name), static_cast<uint32_t>(arity.value_or(0)), field(clauses)});
}

void Parser::finish_function() {
  if (at(TokenKind::Dot)) {
    // The full stop is not part of the function's extent.
    ++p_;
    return;
  }
  fail_unexpected("`,`, `;` or the full stop");
}

// The first clause that is of another function is reported; reading goes on.
void Parser::function_clause(Atom name, std::optional<size_t>* arity, const Token** mismatch) {
  const Token& head = peek();
  if (!accept(TokenKind::Atom)) return fail_unexpected("a clause of the function");
  const ListId patterns = arguments(Mode::Pattern);
  if (failed_) return;
  const size_t count = ast_.list(patterns).size();
  if (!*arity) *arity = count;  // also of a clause whose body is wrong
  const ListId tests = clause_guard();
  const ListId body = clause_body();
  if (failed_) return;
  if (!*mismatch && (head.atom() != name || count != **arity)) {
    *mismatch = &head;
    std::string message =
        fmt::format("head mismatch: this clause is of {}/{}, the function is {}/{}",
                    head.atom().text(), count, name.text(), **arity);
    if (!form_failed_) error_text_ = message;
    diagnostics_.error(span_of(head), std::move(message));
  }
  stack_.push_back(
      add(NodeKind::Clause, head, anchor_of(head), {field(patterns), field(tests), field(body)}));
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

// The values after an attribute's name, as erl_parse groups them:
//   Value, …    (Value, …)    Name :: Type    (Name :: Type)
//   Name, {Field :: Type, …}    (Name, {Field :: Type, …})
// As there, values that the attribute cannot have are reported before a token
// that should be the full stop.
NodeId Parser::attribute_values(const Token& minus, const Token& name) {
  const Token& open = peek();
  bool parenthesized = accept(TokenKind::LeftParen);
  const size_t mark = stack_.size();
  NodeId first = expression();
  if (parenthesized && at(TokenKind::RightParen) && !at_next(TokenKind::Dot)) {
    if (starts_new_form(p_[1])) {  // to OTP the subtraction of a call, which no attribute can be
      take();
      const bool first_error = !form_failed_;
      fail_unexpected("the full stop");
      if (first_error) error_anchor_ = first_anchor(unit_, first);
      return error_node();
    }
    p_ = &open;  // -name (a) + b.: the parentheses are part of the value
    parenthesized = false;
    first = expression();
  }
  if (accept(TokenKind::ColonColon))
    return type_decl(minus, name, first, parenthesized ? &open : nullptr);
  stack_.push_back(first);
  fields_.clear();
  bool braces = at(TokenKind::Comma) && at_next(TokenKind::LeftBrace);
  if (braces) {
    take();
    braces = record_fields();
  }
  while (!has_typed_field() && accept(TokenKind::Comma)) {
    const NodeId next = expression();
    stack_.push_back(next);
  }
  if (parenthesized && has_typed_field()) expect(TokenKind::RightParen, &open);
  if (parenthesized && !has_typed_field()) close_list(TokenKind::RightParen, open);
  if (failed_) return error_node();
  const std::span<const NodeId> values = std::span<const NodeId>(stack_).subspan(mark);
  if (name.atom() == atoms::record) return record_decl(minus, name, values, braces);
  if (has_typed_field()) {
    fail(name, fmt::format("bad attribute: only a -record has fields with types, not -{}",
                           name.atom().text()));
    return error_node();
  }
  check_attribute(name, values);
  if (failed_) return error_node();
  return add(NodeKind::Attribute, minus, anchor_of(name), {name.value, field(take_list(mark))});
}

// The braces of what may be a record, into fields_. If no field has a type, they
// are an ordinary tuple, which goes on the stack of values; false if it turns out
// to be only the beginning of an expression.
bool Parser::record_fields() {
  const Token& brace = take();
  if (!at(TokenKind::RightBrace)) {
    do {
      const Token& first = peek();
      const NodeId value = expression();
      const NodeId type_node = accept(TokenKind::ColonColon) ? top_type() : kNoNode;
      fields_.push_back({&first, last_end(), value, type_node});
    } while (accept(TokenKind::Comma));
  }
  close_list(TokenKind::RightBrace, brace);
  if (has_typed_field() || failed_) return true;
  if (!at(TokenKind::RightParen) && !at(TokenKind::Comma) && !at(TokenKind::Dot)) {
    p_ = &brace;
    stack_.push_back(expression());
    return ast_.is(stack_.back(), NodeKind::Tuple);
  }
  const size_t mark = stack_.size();
  for (const FieldText& f : fields_) stack_.push_back(f.value);
  const ListId elements = take_list(mark);
  stack_.push_back(add(NodeKind::Tuple, brace, anchor_of(brace), {field(elements)}));
  return true;
}

bool Parser::has_typed_field() const {
  return std::any_of(fields_.begin(), fields_.end(),
                     [](const FieldText& f) { return exists(f.type); });
}

// What erl_parse demands of the values of each attribute, and the place where it
// complains.
void Parser::check_attribute(const Token& name, std::span<const NodeId> values) {
  const Atom attr = name.atom();
  const size_t count = values.size();
  if (attr == atoms::module) {
    if (!ast_.is(values[0], NodeKind::Atom) || count > 2) {
      return fail_node(values[0], "bad module declaration: write -module(name).");
    }
    if (count == 2) check_variable_list(values[1]);
    if (!failed_) unit_.module = ast_.get<node::Atom>(values[0]).value;
    return;
  }
  if (attr == atoms::export_) {
    if (count != 1)
      return fail_node(values[1], "bad export declaration: write -export([name/arity]).");
    return check_name_arity_list(values[0]);
  }
  if (attr == atoms::import) {
    if (count != 2 || !ast_.is(values[0], NodeKind::Atom)) {
      return fail_node(values[count > 1],
                       "bad import declaration: write -import(module, [name/arity]).");
    }
    return check_name_arity_list(values[1]);
  }
  if (count != 1)
    return fail_node(values[1], fmt::format("bad attribute: -{} has one value", attr.text()));
  if (attr == atoms::doc && ast_.is(values[0], NodeKind::Map))
    return check_documentation(values[0]);
  // <<0:1000000>> is a large value of a few bytes of text.
  if (constant_bytes_ > kMaxConstantBytes + kMaxConstantGrowth * unit_.bytes_read) {
    return fail_node(values[0], "bad attribute: the attributes of this file are too large");
  }
  TermArena arena;
  const bool constant = constant_value(unit_, values[0], arena, NameArity::Pair).ok();
  constant_bytes_ += arena.bytes_used();
  if (constant) return;
  if (attr == atoms::type || attr == atoms::opaque || attr == atoms::nominal) {
    return fail_node(values[0], fmt::format(fmt::runtime(kBadTypeDeclaration), attr.text()));
  }
  fail_node(values[0], "bad attribute: its value must be a constant term");
}

// -doc #{equiv => f(X)} is the one attribute that holds an expression.
void Parser::check_documentation(NodeId map) {
  TermArena arena;
  for (const NodeId id : ast_.list(ast_.get<node::Map>(map).fields)) {
    bool ok = ast_.is(id, NodeKind::MapAssoc);
    if (ok) {
      const auto pair = ast_.get<node::MapAssoc>(id);
      const auto key = constant_value(unit_, pair.key, arena, NameArity::Refused);
      ok = key && ((key->is_atom(atoms::equiv) && ast_.is(pair.value, NodeKind::Call)) ||
                   constant_value(unit_, pair.value, arena, NameArity::Pair));
    }
    if (!ok) return fail_node(map, "bad attribute: its value must be a constant term");
  }
}

// From the place that OTP gives the list's cell to the end of the element: the
// first cell stands at the opening bracket.
void Parser::fail_element(NodeId list, size_t index, std::string message) {
  const NodeId element = ast_.list(ast_.get<node::List>(list).elements)[index];
  const Loc begin = ast_[list].begin;
  const Loc end = ast_[element].end;
  if (index > 0 || !begin.is_text() || !end.is_text())
    return fail_node(element, std::move(message));
  Token t;
  t.loc = begin;
  t.length = end.index() - begin.index();
  fail(t, std::move(message));
}

void Parser::check_variable_list(NodeId id) {
  constexpr std::string_view kMessage = "bad variable list: write -module(name, [Variable]).";
  if (!ast_.is(id, NodeKind::List)) return fail_node(id, std::string(kMessage));
  const auto list = ast_.get<node::List>(id);
  const auto elements = ast_.list(list.elements);
  for (size_t i = 0; i < elements.size(); ++i) {
    if (!ast_.is(elements[i], NodeKind::Var)) return fail_element(id, i, std::string(kMessage));
  }
  if (exists(list.tail)) fail_node(list.tail, std::string(kMessage));
}

void Parser::check_name_arity_list(NodeId id) {
  if (!ast_.is(id, NodeKind::List))
    return fail_node(id, "bad Name/Arity: expected a list, [name/arity]");
  const auto list = ast_.get<node::List>(id);
  const auto elements = ast_.list(list.elements);
  for (size_t i = 0; i < elements.size(); ++i) {
    const NodeId e = elements[i];
    if (!ast_.is(e, NodeKind::BinaryOp) || ast_.get<node::BinaryOp>(e).op != atoms::slash) {
      return fail_element(id, i, "bad Name/Arity: expected name/arity, such as f/1");
    }
    const auto op = ast_.get<node::BinaryOp>(e);
    if (!ast_.is(op.left, NodeKind::Atom))
      return fail_node(op.left, "bad function name: expected an atom");
    if (!ast_.is(op.right, NodeKind::Integer))
      return fail_node(op.right, "bad function arity: expected an integer");
  }
  if (exists(list.tail))
    fail_node(list.tail, "bad Name/Arity: the list of name/arity must end with `]`");
}

// -record(name, {field, field = Default, field :: Type, …})
NodeId Parser::record_decl(const Token& minus, const Token& name, std::span<const NodeId> values,
                           bool braces) {
  constexpr std::string_view kMessage = "bad record declaration: write -record(name, {field, …}).";
  const bool typed = has_typed_field();
  if (!ast_.is(values[0], NodeKind::Atom)) {
    typed ? fail(name, std::string(kMessage)) : fail_node(values[0], std::string(kMessage));
    return error_node();
  }
  if (!typed && (values.size() != 2 || !braces)) {
    fail_node(values[values.size() == 2], std::string(kMessage));
    return error_node();
  }
  const Atom record = ast_.get<node::Atom>(values[0]).value;
  const size_t mark = stack_.size();
  for (const FieldText& f : fields_) record_field_decl(f);  // `values` is gone
  if (failed_) return error_node();
  return add(NodeKind::RecordDecl, minus, anchor_of(name), {field(record), field(take_list(mark))});
}

void Parser::record_field_decl(const FieldText& text) {
  NodeId name = text.value;
  NodeId value = kNoNode;
  if (ast_.is(name, NodeKind::Match)) {
    const auto match = ast_.get<node::Match>(name);
    name = match.pattern;
    value = match.value;
  }
  if (!ast_.is(name, NodeKind::Atom)) {
    return fail_node(text.value, "bad record field: the name of a field is an atom");
  }
  stack_.push_back(ast_.add(NodeKind::RecordFieldDecl, begin_of(*text.first), text.end,
                            ast_[name].anchor, {field(name), field(value), field(text.type)}));
}

// -type name(Vars) :: Type, after the `::`.
NodeId Parser::type_decl(const Token& minus, const Token& name, NodeId head, const Token* open) {
  const NodeId type_node = top_type();
  if (open) expect(TokenKind::RightParen, open);
  if (failed_) return error_node();
  const Atom attr = name.atom();
  if (attr != atoms::type && attr != atoms::opaque && attr != atoms::nominal) {
    fail(name, fmt::format("bad attribute: -{} declares no type", attr.text()));
    return error_node();
  }
  const bool ok =
      ast_.is(head, NodeKind::Call) && ast_.is(ast_.get<node::Call>(head).function, NodeKind::Atom);
  if (!ok) {
    fail(name, fmt::format(fmt::runtime(kBadTypeDeclaration), attr.text()));
    return error_node();
  }
  const auto call = ast_.get<node::Call>(head);
  for (const bool underscore : {true, false}) {
    for (const NodeId parameter : ast_.list(call.arguments)) {
      const bool variable = ast_.is(parameter, NodeKind::Var);
      const bool anonymous = variable && ast_.get<node::Var>(parameter).name == atoms::underscore;
      if (underscore ? anonymous : !variable)
        fail_node(parameter, "bad type variable: a parameter is a variable with a name");
    }
  }
  if (failed_) return error_node();
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
