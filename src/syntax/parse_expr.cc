// Expressions and patterns. A pattern here is what erl_parse calls pat_expr: the
// heads of functions and funs, and what stands after `catch`; inside brackets
// it accepts any expression, as OTP does.
#include <array>

#include "syntax/anchors.h"
#include "syntax/parser.h"

namespace fathom {
namespace {

enum class Assoc : uint8_t { None, Left, Right, Non };

struct Operator {
  int16_t precedence = 0;  // 0: no operator
  Assoc assoc = Assoc::None;
  bool in_patterns = false;
};

constexpr auto kOperators = [] {
  std::array<Operator, 256> table{};
  auto set = [&](TokenKind kind, int16_t precedence, Assoc assoc, bool in_patterns = true) {
    table[static_cast<size_t>(kind)] = {precedence, assoc, in_patterns};
  };
  set(TokenKind::Equal, 100, Assoc::Right);
  set(TokenKind::Bang, 100, Assoc::Right, false);
  set(TokenKind::Orelse, 150, Assoc::Right, false);
  set(TokenKind::Andalso, 160, Assoc::Right, false);
  for (const TokenKind kind : {TokenKind::EqualEqual, TokenKind::SlashEqual, TokenKind::EqualLess,
                               TokenKind::Less, TokenKind::GreaterEqual, TokenKind::Greater,
                               TokenKind::EqualColonEqual, TokenKind::EqualSlashEqual}) {
    set(kind, 200, Assoc::Non);
  }
  set(TokenKind::PlusPlus, 300, Assoc::Right);
  set(TokenKind::MinusMinus, 300, Assoc::Right);
  for (const TokenKind kind : {TokenKind::Plus, TokenKind::Minus, TokenKind::Bor, TokenKind::Bxor,
                               TokenKind::Bsl, TokenKind::Bsr, TokenKind::Or, TokenKind::Xor}) {
    set(kind, 400, Assoc::Left);
  }
  for (const TokenKind kind : {TokenKind::Star, TokenKind::Slash, TokenKind::Div, TokenKind::Rem,
                               TokenKind::Band, TokenKind::And}) {
    set(kind, 500, Assoc::Left);
  }
  return table;
}();

const Operator& operator_of(TokenKind kind) { return kOperators[static_cast<size_t>(kind)]; }

bool is_prefix(TokenKind kind) {
  return kind == TokenKind::Minus || kind == TokenKind::Plus || kind == TokenKind::Not ||
         kind == TokenKind::Bnot;
}

}  // namespace

// Operators whose right operand is still being read are kept on an explicit
// stack and not on the C++ stack: generated code has `++` chains of many thousands.
NodeId Parser::operators(Mode mode, int min_precedence) {
  const size_t mark = pending_.size();
  const Token* first = p_;
  NodeId right = prefixed(mode);
  while (true) {
    const Operator& op = operator_of(peek().kind);
    const bool here =
        op.precedence > min_precedence && (mode == Mode::Expression || op.in_patterns);
    const int precedence = here ? op.precedence : 0;
    while (pending_.size() > mark) {
      const PendingOperator top = pending_.back();
      const Operator& top_op = operator_of(top.token->kind);
      if (top_op.precedence < precedence) break;
      if (top_op.precedence == precedence && top_op.assoc == Assoc::Right) break;
      if (top_op.precedence == precedence && top_op.assoc == Assoc::Non) {
        fail_unexpected("parentheses, since comparisons do not associate");
      }
      pending_.pop_back();
      right = operation(top, right);
      first = top.first;
    }
    if (!here || failed_) break;
    pending_.push_back({first, &take(), right});
    first = p_;
    right = prefixed(mode);
  }
  pending_.resize(mark);
  return right;
}

NodeId Parser::operation(const PendingOperator& op, NodeId right) {
  if (op.token->kind == TokenKind::Equal) {
    return add(NodeKind::Match, *op.first, first_anchor(unit_, op.left),
               {field(op.left), field(right)});
  }
  return add(NodeKind::BinaryOp, *op.first, anchor_of(*op.token),
             {field(token_atom(op.token->kind)), field(op.left), field(right)});
}

// A possibly empty row of prefix operators, and the operand.
NodeId Parser::prefixed(Mode mode) {
  if (at(TokenKind::Catch) && mode == Mode::Expression) {
    const NestingGuard nesting(*this);
    const Token& first = take();
    const NodeId body = expression();
    return add(NodeKind::Catch, first, anchor_of(first), {field(body)});
  }
  if (!is_prefix(peek().kind)) return mode == Mode::Pattern ? pattern_operand() : postfixed();
  const Token* first = p_;
  while (is_prefix(peek().kind)) take();
  const Token* end = p_;
  NodeId operand = at(TokenKind::Catch) && mode == Mode::Expression ? prefixed(mode)
                   : mode == Mode::Pattern                          ? pattern_operand()
                                                                    : postfixed();
  for (const Token* op = end; op-- > first;) {
    operand =
        add(NodeKind::UnaryOp, *op, anchor_of(*op), {field(token_atom(op->kind)), field(operand)});
  }
  return operand;
}

NodeId Parser::pattern_operand() {
  if (at(TokenKind::Hash)) return hash_prefix(Mode::Pattern);
  return primary(Mode::Pattern);
}

// Calls, M:F, and the chains of # after an operand.
NodeId Parser::postfixed() {
  const Token& first = peek();
  const NodeId operand =
      at(TokenKind::Hash) ? hash_prefix(Mode::Expression) : primary(Mode::Expression);
  if (first.is(TokenKind::Hash) && !ast_.is(operand, NodeKind::MapComprehension)) {
    return hash_suffixes(first, operand,
                         ast_.is(operand, NodeKind::Map) ? Chain::Map : Chain::Record);
  }
  switch (peek().kind) {
    case TokenKind::Colon:
    case TokenKind::LeftParen:
      return call_or_remote(first, operand);
    case TokenKind::Hash:
      return hash_suffixes(first, operand, Chain::Open);
    default:
      return operand;
  }
}

NodeId Parser::call_or_remote(const Token& first, NodeId callee) {
  if (at(TokenKind::Colon)) {
    const Token& colon = take();
    const NodeId name = primary(Mode::Expression);
    callee = add(NodeKind::Remote, first, anchor_of(colon), {field(callee), field(name)});
  }
  if (!at(TokenKind::LeftParen)) return callee;
  const ListId list = arguments(Mode::Expression);
  return add(NodeKind::Call, first, first_anchor(unit_, callee), {field(callee), field(list)});
}

NodeId Parser::hash_prefix(Mode mode) {
  const Token& hash = take();
  if (at(TokenKind::LeftBrace)) return map_expression(mode, hash, hash, kNoNode);
  if (mode == Mode::Pattern && !at(TokenKind::Atom)) {
    fail_unexpected("a record name or `{`");
    return error_node();
  }
  return record_expression(hash, hash, kNoNode);
}

// Maps go on with maps only, records with records only; the rest needs parentheses.
NodeId Parser::hash_suffixes(const Token& first, NodeId base, Chain chain) {
  while (at(TokenKind::Hash) && !failed_) {
    const Token& hash = take();
    if (at(TokenKind::LeftBrace) && chain == Chain::Record) {
      fail_unexpected(
          "a record's name: put the record before the `#` in parentheses to update a map");
    } else if (at(TokenKind::LeftBrace)) {
      base = map_expression(Mode::Expression, first, hash, base);
      chain = Chain::Map;
    } else if (chain == Chain::Map) {
      fail_unexpected("`{`: put the map before the `#` in parentheses to use it as a record");
    } else {
      base = record_expression(first, hash, base);
      chain = Chain::Record;
    }
  }
  return base;
}

NodeId Parser::map_expression(Mode mode, const Token& first, const Token& hash, NodeId base) {
  const NestingGuard nesting(*this);
  const Token& open = take();
  const size_t mark = stack_.size();
  if (!at(TokenKind::RightBrace)) {
    const NodeId field_1 = map_field();
    if (at(TokenKind::BarBar) && !exists(base) && mode == Mode::Expression) {
      if (ast_.is(field_1, NodeKind::MapAssoc)) {
        return comprehension(NodeKind::MapComprehension, hash, field_1, TokenKind::RightBrace);
      }
      fail_unexpected("`,` or `}`: what a map comprehension collects is written Key => Value");
    }
    stack_.push_back(field_1);
    while (accept(TokenKind::Comma)) stack_.push_back(map_field());
  }
  close_list(TokenKind::RightBrace, open);
  const ListId fields = take_list(mark);
  if (exists(base)) {
    return add(NodeKind::MapUpdate, first, anchor_of(hash), {field(base), field(fields)});
  }
  return add(NodeKind::Map, hash, anchor_of(hash), {field(fields)});
}

NodeId Parser::map_field() {
  const Token& first = peek();
  const NodeId key = expression();
  const TokenKind kind = peek().kind;
  if (kind != TokenKind::DoubleArrow && kind != TokenKind::ColonEqual) {
    fail_unexpected("`=>` or `:=` behind the key");
    return key;
  }
  const Token& arrow = take();
  const NodeId value = expression();
  const NodeKind node = kind == TokenKind::DoubleArrow ? NodeKind::MapAssoc : NodeKind::MapExact;
  return add(node, first, anchor_of(arrow), {field(key), field(value)});
}

NodeId Parser::name_atom() {
  if (!at(TokenKind::Atom)) {
    fail_unexpected("an atom");
    return error_node();
  }
  const Token& t = take();
  return leaf(NodeKind::Atom, t, t.value);
}

NodeId Parser::record_expression(const Token& first, const Token& hash, NodeId base) {
  const NestingGuard nesting(*this);
  if (!at(TokenKind::Atom)) {
    fail_unexpected("a record name or `{`");
    return error_node();
  }
  const NodeId name = name_atom();
  if (accept(TokenKind::Period)) {
    const NodeId field_name = name_atom();
    if (exists(base)) {
      return add(NodeKind::RecordAccess, first, anchor_of(hash),
                 {field(base), field(name), field(field_name)});
    }
    return add(NodeKind::RecordIndex, hash, anchor_of(hash), {field(name), field(field_name)});
  }
  const Token& open = peek();
  if (!accept(TokenKind::LeftBrace)) {
    fail_unexpected("`{` or `.` behind the record's name");
    return error_node();
  }
  const size_t mark = stack_.size();
  if (!at(TokenKind::RightBrace)) {
    do {
      const Token& t = peek();
      NodeId key;
      if (t.kind == TokenKind::Var) {
        take();
        key = leaf(NodeKind::Var, t, t.value);
      } else {
        key = name_atom();
      }
      expect(TokenKind::Equal);
      const NodeId value = expression();
      stack_.push_back(add(NodeKind::RecordField, t, anchor_of(t), {field(key), field(value)}));
    } while (accept(TokenKind::Comma));
  }
  close_list(TokenKind::RightBrace, open);
  const ListId fields = take_list(mark);
  if (exists(base)) {
    return add(NodeKind::RecordUpdate, first, anchor_of(hash),
               {field(base), field(name), field(fields)});
  }
  return add(NodeKind::Record, hash, anchor_of(hash), {field(name), field(fields)});
}

NodeId Parser::integer(const Token& t) {
  return leaf(NodeKind::Integer, t, t.value, t.flags & Token::kPooled ? Node::kPooled : 0);
}

// expr_max: what may stand without parentheses before a colon, a call or a #.
NodeId Parser::primary(Mode mode) {
  const Token& t = peek();
  switch (t.kind) {
    case TokenKind::Var:
      take();
      return leaf(NodeKind::Var, t, t.value);
    case TokenKind::Atom:
      return name_atom();
    case TokenKind::Integer:
      take();
      return integer(t);
    case TokenKind::Float:
      take();
      return leaf(NodeKind::Float, t, t.value);
    case TokenKind::Char:
      take();
      return leaf(NodeKind::Char, t, t.value);
    case TokenKind::String:
      return strings();
    case TokenKind::SigilPrefix:
      return sigil();
    case TokenKind::LeftBracket:
      return list_or_comprehension(mode);
    case TokenKind::LeftBinary:
      return binary_or_comprehension(mode);
    case TokenKind::LeftBrace:
      return tuple();
    case TokenKind::LeftParen: {
      const NestingGuard nesting(*this);
      take();
      const NodeId inner = operators(mode, 0);
      expect(TokenKind::RightParen, &t);
      return inner;
    }
    default:
      if (mode == Mode::Expression) return block();
      fail_unexpected("a pattern");
      return error_node();
  }
}

NodeId Parser::strings() {
  const Token& first = take();
  if (!at(TokenKind::String)) return leaf(NodeKind::String, first, first.value);
  std::string joined(unit_.literals().strings[first.value]);
  while (at(TokenKind::String)) joined += unit_.literals().strings[take().value];
  const uint32_t index = literals_.add_owned_string(std::move(joined));
  return add(NodeKind::String, first, anchor_of(first), {index});
}

// ~b"…" and ~"…" are UTF-8 binaries, ~s"…" is a string.
NodeId Parser::sigil() {
  const Token& prefix = take();
  const Token& text = take();
  expect(TokenKind::SigilSuffix);
  const Loc anchor = anchor_of(text);
  const NodeId string = add(NodeKind::String, prefix, anchor, {text.value});
  const std::string_view type = prefix.atom().text();
  if (type == "s" || type == "S") return string;
  const NodeId utf8 =
      add(NodeKind::SegmentType, prefix, anchor, {field(atoms::utf8), field(kNoNode)});
  const ListId types = ast_.add_list({&utf8, 1});
  const NodeId segment_node =
      add(NodeKind::Segment, prefix, anchor, {field(string), field(kNoNode), field(types)});
  return add(NodeKind::Binary, prefix, anchor_of(prefix),
             {field(ast_.add_list({&segment_node, 1}))});
}

NodeId Parser::list_or_comprehension(Mode mode) {
  const NestingGuard nesting(*this);
  const Token& open = take();
  const size_t mark = stack_.size();
  NodeId tail = kNoNode;
  if (!at(TokenKind::RightBracket)) {
    const NodeId first = expression();
    if (at(TokenKind::BarBar) && mode == Mode::Expression) {
      return comprehension(NodeKind::ListComprehension, open, first, TokenKind::RightBracket);
    }
    stack_.push_back(first);
    while (accept(TokenKind::Comma)) stack_.push_back(expression());
    if (accept(TokenKind::Bar)) {
      tail = expression();
      if (!at(TokenKind::RightBracket)) expect(TokenKind::RightBracket, &open);
    }
  }
  close_list(TokenKind::RightBracket, open);
  const ListId elements = take_list(mark);
  return add(NodeKind::List, open, anchor_of(open), {field(elements), field(tail)});
}

NodeId Parser::tuple() {
  const NestingGuard nesting(*this);
  const Token& open = take();
  const size_t mark = stack_.size();
  if (!at(TokenKind::RightBrace)) push_expressions();
  close_list(TokenKind::RightBrace, open);
  return add(NodeKind::Tuple, open, anchor_of(open), {field(take_list(mark))});
}

NodeId Parser::binary_or_comprehension(Mode mode) {
  const NestingGuard nesting(*this);
  const Token& open = take();
  if (accept(TokenKind::RightBinary)) {
    return add(NodeKind::Binary, open, anchor_of(open), {field(ListId{0})});
  }
  const Token& first = peek();
  const NodeId value = segment_value();
  if (!is_prefix(first.kind) && at(TokenKind::BarBar) && mode == Mode::Expression) {
    return comprehension(NodeKind::BinaryComprehension, open, value, TokenKind::RightBinary);
  }
  const size_t mark = stack_.size();
  stack_.push_back(segment(first, value));
  while (accept(TokenKind::Comma)) {
    const Token& next = peek();
    const NodeId next_value = segment_value();
    stack_.push_back(segment(next, next_value));
  }
  close_list(TokenKind::RightBinary, open);
  return add(NodeKind::Binary, open, anchor_of(open), {field(take_list(mark))});
}

NodeId Parser::segment_value() {
  if (!is_prefix(peek().kind)) return primary(Mode::Expression);
  const Token& op = take();
  const NodeId operand = primary(Mode::Expression);
  return add(NodeKind::UnaryOp, op, anchor_of(op), {field(token_atom(op.kind)), field(operand)});
}

NodeId Parser::segment(const Token& first, NodeId value) {
  const NodeId size = accept(TokenKind::Colon) ? primary(Mode::Expression) : kNoNode;
  const size_t mark = stack_.size();
  if (accept(TokenKind::Slash)) segment_types();
  const ListId types = take_list(mark);
  return add(NodeKind::Segment, first, first_anchor(unit_, value),
             {field(value), field(size), field(types)});
}

void Parser::segment_types() {
  do {
    const Token& name = peek();
    if (!accept(TokenKind::Atom))
      return fail_unexpected("a type such as integer, binary or unit:8");
    NodeId value = kNoNode;
    if (accept(TokenKind::Colon)) {
      const Token& number = peek();
      if (!accept(TokenKind::Integer)) return fail_unexpected("an integer");
      value = integer(number);
    }
    stack_.push_back(add(NodeKind::SegmentType, name, anchor_of(name), {name.value, field(value)}));
  } while (accept(TokenKind::Minus));
}

void Parser::push_expressions() {
  do {
    const NodeId e = expression();
    stack_.push_back(e);
  } while (accept(TokenKind::Comma));
}

ListId Parser::expressions() {
  const size_t mark = stack_.size();
  push_expressions();
  return take_list(mark);
}

ListId Parser::arguments(Mode mode) {
  const NestingGuard nesting(*this);
  const Token& open = peek();
  if (!accept(TokenKind::LeftParen)) {
    fail_unexpected("`(`");
    return ListId{0};
  }
  const size_t mark = stack_.size();
  if (!at(TokenKind::RightParen)) {
    do {
      const NodeId e = operators(mode, 0);
      stack_.push_back(e);
    } while (accept(TokenKind::Comma));
  }
  close_list(TokenKind::RightParen, open);
  return take_list(mark);
}

NodeId Parser::comprehension(NodeKind kind, const Token& open, NodeId body, TokenKind close) {
  take();  // ||
  const size_t mark = stack_.size();
  do {
    qualifier();
  } while (accept(TokenKind::Comma));
  close_list(close, open);
  const ListId qualifiers = take_list(mark);
  return add(kind, open, anchor_of(open), {field(body), field(qualifiers)});
}

// A generator, a filter, or generators zipped by &&.
void Parser::qualifier() {
  const Token& start = peek();
  const NodeId first = generator();
  if (!at(TokenKind::AmpAmp)) {
    stack_.push_back(first);
    return;
  }
  const size_t mark = stack_.size();
  stack_.push_back(first);
  while (accept(TokenKind::AmpAmp)) stack_.push_back(generator());
  const ListId generators = take_list(mark);
  // erl_parse gives it the place of the comma after it, or of its first generator.
  const Loc anchor = at(TokenKind::Comma) ? anchor_of(peek()) : ast_[first].anchor;
  stack_.push_back(add(NodeKind::Zip, start, anchor, {field(generators)}));
}

NodeId Parser::generator() {
  const Token& first = peek();
  NodeId pattern_node = expression();
  NodeKind kind;
  const TokenKind arrow_kind = peek().kind;
  const bool map_arrow = arrow_kind == TokenKind::ColonEqual;
  if (map_arrow) {  // K := V <- Map
    const Token& assign = take();
    const NodeId value = expression();
    pattern_node =
        add(NodeKind::MapExact, first, anchor_of(assign), {field(pattern_node), field(value)});
  }
  switch (peek().kind) {
    case TokenKind::LeftArrow:
      kind = map_arrow ? NodeKind::MapGenerate : NodeKind::Generate;
      break;
    case TokenKind::StrictLeftArrow:
      kind = map_arrow ? NodeKind::MapGenerateStrict : NodeKind::GenerateStrict;
      break;
    case TokenKind::LessEqual:
      kind = NodeKind::BinaryGenerate;
      break;
    case TokenKind::StrictLessEqual:
      kind = NodeKind::BinaryGenerateStrict;
      break;
    default:
      if (map_arrow) fail_unexpected("`<-` behind the pattern of a map generator");
      return pattern_node;
  }
  const bool binary = kind == NodeKind::BinaryGenerate || kind == NodeKind::BinaryGenerateStrict;
  if (binary && !ast_.is(pattern_node, NodeKind::Binary)) {
    fail(peek(), "the pattern of a binary generator is a binary: <<X>> <= Source");
  }
  const Token& arrow = take();
  const NodeId source = expression();
  return add(kind, first, anchor_of(arrow), {field(pattern_node), field(source)});
}

NodeId Parser::fun() {
  const NestingGuard nesting(*this);
  const Token& start = take();
  const bool clauses =
      at(TokenKind::LeftParen) || (at(TokenKind::Var) && at_next(TokenKind::LeftParen));
  return clauses ? fun_clauses(start) : fun_reference(start);
}

// fun f/1, fun m:f/1, fun M:F/A
NodeId Parser::fun_reference(const Token& start) {
  auto part = [&](TokenKind literal) {
    const Token& t = peek();
    if (t.kind == TokenKind::Var) {
      take();
      return leaf(NodeKind::Var, t, t.value);
    }
    if (literal == TokenKind::Atom) return name_atom();
    if (!accept(TokenKind::Integer)) {
      fail_unexpected("the arity");
      return error_node();
    }
    return integer(t);
  };
  if (!at(TokenKind::Atom) && !at(TokenKind::Var)) {
    fail_unexpected("clauses, Name/Arity or Module:Name/Arity behind `fun`");
    return error_node();
  }
  const bool atom = at(TokenKind::Atom);
  const NodeId first = part(TokenKind::Atom);
  if (atom && accept(TokenKind::Slash)) {
    const Token& t = peek();
    if (!accept(TokenKind::Integer)) fail_unexpected("the arity");
    const NodeId arity = integer(t);
    return add(NodeKind::FunName, start, anchor_of(start), {field(first), field(arity)});
  }
  expect(TokenKind::Colon);
  const NodeId name = part(TokenKind::Atom);
  expect(TokenKind::Slash);
  const NodeId arity = part(TokenKind::Integer);
  return add(NodeKind::FunRemote, start, anchor_of(start),
             {field(first), field(name), field(arity)});
}

NodeId Parser::fun_clauses(const Token& start) {
  const size_t mark = stack_.size();
  const bool named = at(TokenKind::Var);
  const Atom name = named ? peek().atom() : Atom();
  size_t arity = 0;
  const Token* mismatch = nullptr;
  do {
    const Token& head = peek();
    if (at(TokenKind::Var)) take();
    const ListId patterns = arguments(Mode::Pattern);
    const bool same_name =
        named == (head.kind == TokenKind::Var) && (!named || head.atom() == name);
    if (stack_.size() == mark) arity = ast_.list(patterns).size();
    if (!mismatch && (!same_name || ast_.list(patterns).size() != arity)) mismatch = &head;
    const ListId guard_list = clause_guard();
    const ListId body = clause_body();
    stack_.push_back(add(NodeKind::Clause, head, anchor_of(head),
                         {field(patterns), field(guard_list), field(body)}));
  } while (accept(TokenKind::Semicolon));
  close_block(start);
  if (mismatch)
    fail(*mismatch,
         "head mismatch: the clauses of a fun have the same name and number of arguments");
  const ListId clauses = take_list(mark);
  if (named) return add(NodeKind::NamedFun, start, anchor_of(start), {field(name), field(clauses)});
  return add(NodeKind::Fun, start, anchor_of(start), {field(clauses)});
}

}  // namespace fathom
