// Types, specs and what stands in them.
#include "syntax/anchors.h"
#include "syntax/parser.h"
#include "syntax/predefined_types.h"

namespace fathom {
namespace {

struct TypeOperator {
  int precedence = -1;
  bool left = false;
};

constexpr int kRange = 200;
constexpr int kAdd = 400;
constexpr int kMultiply = 500;

TypeOperator type_operator(TokenKind kind) {
  switch (kind) {
    case TokenKind::TwoDots:
      return {kRange, false};
    case TokenKind::Plus:
    case TokenKind::Minus:
    case TokenKind::Bor:
    case TokenKind::Bxor:
    case TokenKind::Bsl:
    case TokenKind::Bsr:
    case TokenKind::Or:
    case TokenKind::Xor:
      return {kAdd, true};
    case TokenKind::Star:
    case TokenKind::Slash:
    case TokenKind::Div:
    case TokenKind::Rem:
    case TokenKind::Band:
    case TokenKind::And:
      return {kMultiply, true};
    default:
      return {};
  }
}

}  // namespace

// Name :: Type, or alternatives separated by bars.
NodeId Parser::top_type() {
  const NestingGuard nesting(*this);
  const size_t mark = stack_.size();
  const Token& start = peek();
  NodeId last = kNoNode;
  while (true) {
    const Token& first = peek();
    if (at(TokenKind::Var) && at_next(TokenKind::ColonColon)) {  // takes all that follows
      take();
      const NodeId variable = leaf(NodeKind::Var, first, first.value);
      take();
      const NodeId annotated = top_type();
      last = add(NodeKind::AnnotatedType, first, anchor_of(first),
                 {field(variable), field(annotated)});
      break;
    }
    last = type(0);
    if (!at(TokenKind::Bar)) break;
    stack_.push_back(last);
    take();
  }
  if (stack_.size() == mark) return last;
  return union_type(start, mark, last);
}

// A union after the last bar is lifted into this one, even out of parentheses.
NodeId Parser::union_type(const Token& start, size_t mark, NodeId last) {
  const Loc anchor = first_anchor(unit_, stack_[mark]);
  if (ast_.is(last, NodeKind::Type) && ast_.get<node::Type>(last).name == atoms::union_) {
    for (const NodeId alternative : ast_.list(ast_.get<node::Type>(last).arguments)) {
      stack_.push_back(alternative);
    }
  } else {
    stack_.push_back(last);
  }
  return add(NodeKind::Type, start, anchor, {field(atoms::union_), field(take_list(mark))});
}

NodeId Parser::type(int min_precedence) {
  const Token& first = peek();
  NodeId left = type_prefix();
  while (true) {
    const TypeOperator op = type_operator(peek().kind);
    if (op.precedence < min_precedence || op.precedence < 0) return left;
    const Token& token = take();
    const NodeId right = type(op.precedence + 1);
    if (op.precedence == kRange) {
      const NodeId bounds[] = {left, right};
      // erl_parse takes the place of the lower bound as it stands: an operator's is
      // the operator.
      left = add(NodeKind::Type, first, ast_[left].anchor,
                 {field(atoms::range), field(ast_.add_list(bounds))});
      if (at(TokenKind::TwoDots)) fail_unexpected("no second `..`");
    } else {
      left = add(NodeKind::BinaryOp, first, anchor_of(token),
                 {field(token_atom(token.kind)), field(left), field(right)});
    }
  }
}

NodeId Parser::type_prefix() {
  const TokenKind kind = peek().kind;
  if (kind != TokenKind::Minus && kind != TokenKind::Plus && kind != TokenKind::Bnot &&
      kind != TokenKind::Not) {
    return type_operand();
  }
  const NestingGuard nesting(*this);
  const Token& op = take();
  const NodeId operand = type_prefix();
  return add(NodeKind::UnaryOp, op, anchor_of(op), {field(token_atom(op.kind)), field(operand)});
}

NodeId Parser::type_operand() {
  const Token& t = peek();
  switch (t.kind) {
    case TokenKind::LeftParen: {
      take();
      const NodeId inner = top_type();
      expect(TokenKind::RightParen, &t);
      return inner;
    }
    case TokenKind::Var:
      take();
      return leaf(NodeKind::Var, t, t.value);
    case TokenKind::Integer:
      take();
      return integer(t);
    case TokenKind::Char:
      take();
      return leaf(NodeKind::Char, t, t.value);
    case TokenKind::Atom:
      return named_type();
    case TokenKind::LeftBracket:
      return list_type();
    case TokenKind::LeftBrace:
      return tuple_type();
    case TokenKind::Hash:
      return hash_type();
    case TokenKind::LeftBinary:
      return binary_type();
    case TokenKind::Fun:
      return fun_type_in_parens();
    default:
      fail_unexpected("a type");
      return error_node();
  }
}

void Parser::push_top_types() {
  do {
    const NodeId t = top_type();
    stack_.push_back(t);
  } while (accept(TokenKind::Comma));
}

// An atom, a type with arguments, or a type of another module.
NodeId Parser::named_type() {
  const Token& first = peek();
  const NodeId atom = name_atom();
  NodeId remote = kNoNode;
  if (at(TokenKind::Colon)) {
    take();
    remote = name_atom();
  }
  const Token& open = peek();
  if (!at(TokenKind::LeftParen)) {
    if (exists(remote)) fail_unexpected("`(`");
    return atom;
  }
  take();
  const size_t mark = stack_.size();
  if (!at(TokenKind::RightParen)) push_top_types();
  close_list(TokenKind::RightParen, open);
  const size_t count = stack_.size() - mark;
  const ListId arguments_list = take_list(mark);
  const Loc anchor = anchor_of(first);
  if (exists(remote)) {
    return add(NodeKind::RemoteType, first, anchor,
               {field(atom), field(remote), field(arguments_list)});
  }
  const Atom name = first.atom();
  if (count == 0 && (name == atoms::tuple || name == atoms::map)) {
    return add(NodeKind::AnyType, first, anchor, {field(name)});
  }
  const NodeKind kind = is_predefined_type(name, count) ? NodeKind::Type : NodeKind::UserType;
  return add(kind, first, anchor, {field(name), field(arguments_list)});
}

NodeId Parser::list_type() {
  const Token& open = take();
  const size_t mark = stack_.size();
  Atom name = atoms::nil;
  if (!at(TokenKind::RightBracket)) {
    name = atoms::list;
    const NodeId element = top_type();
    stack_.push_back(element);
    if (accept(TokenKind::Comma)) {
      expect(TokenKind::ThreeDots);
      name = atoms::nonempty_list;
    }
  }
  expect(TokenKind::RightBracket, &open);
  return add(NodeKind::Type, open, anchor_of(open), {field(name), field(take_list(mark))});
}

NodeId Parser::tuple_type() {
  const Token& open = take();
  const size_t mark = stack_.size();
  if (!at(TokenKind::RightBrace)) push_top_types();
  close_list(TokenKind::RightBrace, open);
  return add(NodeKind::Type, open, anchor_of(open), {field(atoms::tuple), field(take_list(mark))});
}

// #{…} or #record{field :: Type}
NodeId Parser::hash_type() {
  const Token& hash = take();
  if (at(TokenKind::LeftBrace)) return map_type(hash);
  const size_t mark = stack_.size();
  stack_.push_back(name_atom());
  const Token& open = peek();
  if (!accept(TokenKind::LeftBrace)) fail_unexpected("`{`");
  if (!at(TokenKind::RightBrace) && !failed_) {
    do {
      const Token& first = peek();
      const NodeId name = name_atom();
      expect(TokenKind::ColonColon);
      const NodeId parts[] = {name, top_type()};
      stack_.push_back(add(NodeKind::Type, first, anchor_of(first),
                           {field(atoms::field_type), field(ast_.add_list(parts))}));
    } while (accept(TokenKind::Comma));
  }
  close_list(TokenKind::RightBrace, open);
  return add(NodeKind::Type, hash, anchor_of(hash), {field(atoms::record), field(take_list(mark))});
}

NodeId Parser::map_type(const Token& hash) {
  const Token& open = take();
  const size_t mark = stack_.size();
  if (!at(TokenKind::RightBrace)) {
    do {
      const Token& first = peek();
      const NodeId key = top_type();
      const Token& arrow = peek();
      if (!accept(TokenKind::DoubleArrow) && !accept(TokenKind::ColonEqual)) {
        fail_unexpected("`=>` or `:=` behind the key's type");
        break;
      }
      const Atom name =
          arrow.kind == TokenKind::DoubleArrow ? atoms::map_field_assoc : atoms::map_field_exact;
      const NodeId parts[] = {key, top_type()};
      stack_.push_back(
          add(NodeKind::Type, first, anchor_of(arrow), {field(name), field(ast_.add_list(parts))}));
    } while (accept(TokenKind::Comma));
  }
  close_list(TokenKind::RightBrace, open);
  return add(NodeKind::Type, hash, anchor_of(hash), {field(atoms::map), field(take_list(mark))});
}

// The 0 that a binary type leaves out; OTP gives it a line only.
NodeId Parser::zero(const Token& at) {
  const Position position = unit_.otp_position(anchor_of(at));
  const Loc anchor = unit_.add_position({position.line, 0, {}});
  return ast_.add(NodeKind::Integer, at.loc, at.loc, anchor, {0});
}

// <<_:Base, _:_*Unit>>, either part optional. That the variables are _ is checked
// when a part has been read.
NodeId Parser::binary_type() {
  const Token& open = take();
  NodeId base = kNoNode;
  NodeId unit_node = kNoNode;
  while (!at(TokenKind::RightBinary) && !failed_) {
    const Token& first = peek();
    if (!accept(TokenKind::Var)) fail_unexpected("`_`");
    expect(TokenKind::Colon);
    const Token& second = peek();
    const bool is_unit = second.is(TokenKind::Var) && (exists(base) || at_next(TokenKind::Star));
    if (exists(base) && !is_unit) fail_unexpected("`_*Unit`");
    if (is_unit) {
      take();
      expect(TokenKind::Star);
    }
    (is_unit ? unit_node : base) = type(0);
    for (const Token* variable : {&first, &second}) {
      if (variable == &second && !is_unit) continue;
      if (variable->is(TokenKind::Var) && variable->atom() != atoms::underscore) {
        fail(*variable, "bad binary type: only _ may stand here, as in <<_:Size, _:_*Unit>>");
      }
    }
    if (is_unit || !accept(TokenKind::Comma)) break;
    if (at(TokenKind::RightBinary)) fail_unexpected("`_:_*Unit`");
  }
  expect(TokenKind::RightBinary, &open);
  if (failed_) return error_node();
  if (!exists(base)) base = zero(open);
  if (!exists(unit_node)) unit_node = zero(open);
  const NodeId parts[] = {base, unit_node};
  return add(NodeKind::Type, open, anchor_of(open),
             {field(atoms::binary), field(ast_.add_list(parts))});
}

// fun() or fun((…) -> T)
NodeId Parser::fun_type_in_parens() {
  const Token& start = take();
  const Token& open = peek();
  expect(TokenKind::LeftParen);
  if (accept(TokenKind::RightParen)) {
    return add(NodeKind::Type, start, anchor_of(start), {field(atoms::fun_), field(ListId{0})});
  }
  const NodeId inner = fun_type();
  expect(TokenKind::RightParen, &open);
  return inner;
}

// (Types) -> T, where Types may be ...
NodeId Parser::fun_type() {
  const NestingGuard nesting(*this);
  const Token& open = peek();
  if (!accept(TokenKind::LeftParen)) {
    fail_unexpected("`(`");
    return error_node();
  }
  NodeId parameters;
  if (accept(TokenKind::ThreeDots)) {
    expect(TokenKind::RightParen, &open);
    parameters = add(NodeKind::AnyArguments, open, anchor_of(open), {});
  } else {
    const size_t mark = stack_.size();
    if (!at(TokenKind::RightParen)) push_top_types();
    close_list(TokenKind::RightParen, open);
    parameters =
        add(NodeKind::Type, open, anchor_of(open), {field(atoms::product), field(take_list(mark))});
  }
  expect(TokenKind::Arrow);
  const NodeId parts[] = {parameters, top_type()};
  return add(NodeKind::Type, open, anchor_of(open),
             {field(atoms::fun_), field(ast_.add_list(parts))});
}

// A function type, perhaps with `when` and constraints.
NodeId Parser::signature() {
  const Token& first = peek();
  const NodeId function_node = fun_type();
  if (!accept(TokenKind::When)) return function_node;
  const size_t mark = stack_.size();
  do {
    const NodeId c = constraint();
    stack_.push_back(c);
  } while (accept(TokenKind::Comma));
  return add(NodeKind::BoundedFun, first, anchor_of(first),
             {field(function_node), field(take_list(mark))});
}

// Name :: Type, or is_subtype(Name, Type) of old.
NodeId Parser::constraint() {
  const Token& first = peek();
  NodeId variable = kNoNode;
  NodeId bound = kNoNode;
  if (accept(TokenKind::Atom)) {
    const Token& open = peek();
    expect(TokenKind::LeftParen);
    const size_t mark = stack_.size();
    if (!failed_) push_top_types();
    close_list(TokenKind::RightParen, open);
    if (!failed_ && (first.atom() != atoms::is_subtype || stack_.size() != mark + 2)) {
      fail(first, "unsupported constraint: write Variable :: Type");
    }
    if (failed_) return error_node();
    variable = stack_[mark];
    bound = stack_[mark + 1];
    stack_.truncate(mark);
  } else {
    if (!accept(TokenKind::Var)) fail_unexpected("a type variable");
    variable = leaf(NodeKind::Var, first, first.value);
    expect(TokenKind::ColonColon);
    bound = top_type();
  }
  if (failed_) return error_node();
  if (!ast_.is(variable, NodeKind::Var) ||
      ast_.get<node::Var>(variable).name == atoms::underscore) {
    fail_node(variable, "bad type variable: a constraint is of a variable with a name");
    return error_node();
  }
  return add(NodeKind::Constraint, first, ast_[variable].anchor, {field(variable), field(bound)});
}

}  // namespace fathom
