// Which node needs parentheses where. The rules are those of erl_parse's grammar
// and its table of precedences.
#include <algorithm>

#include "syntax/printer.h"

namespace fathom {

Associativity associativity_of(Precedence p) {
  switch (p) {
    case Precedence::Match:
    case Precedence::Annotate:
    case Precedence::Andalso:
    case Precedence::List:
      return Associativity::Right;
    case Precedence::Add:
    case Precedence::Multiply:
      return Associativity::Left;
    default:
      return Associativity::None;
  }
}

Precedence precedence_of_operator(Atom op) {
  switch (op.id()) {
    case atoms::bang.id():
      return Precedence::Match;
    case atoms::orelse_.id():
      return Precedence::Annotate;
    case atoms::andalso_.id():
      return Precedence::Andalso;
    case atoms::equal_equal.id():
    case atoms::slash_equal.id():
    case atoms::equal_less.id():
    case atoms::less.id():
    case atoms::greater_equal.id():
    case atoms::greater.id():
    case atoms::equal_colon_equal.id():
    case atoms::equal_slash_equal.id():
      return Precedence::Compare;
    case atoms::plus_plus.id():
    case atoms::minus_minus.id():
      return Precedence::List;
    case atoms::star.id():
    case atoms::slash.id():
    case atoms::div_.id():
    case atoms::rem_.id():
    case atoms::band_.id():
    case atoms::and_.id():
      return Precedence::Multiply;
    default:
      return Precedence::Add;
  }
}

namespace {

Precedence precedence_of_type(Atom name) {
  if (name == atoms::union_) return Precedence::Union;
  if (name == atoms::range) return Precedence::Compare;
  return Precedence::Primary;
}

// expr_max without the kinds that start with a keyword: those are legal before a
// colon, a call or a #, but nobody reads them well there.
bool is_plain_primary(NodeKind kind) {
  switch (kind) {
    case NodeKind::Atom:
    case NodeKind::Var:
    case NodeKind::Integer:
    case NodeKind::Char:
    case NodeKind::Float:
    case NodeKind::String:
    case NodeKind::List:
    case NodeKind::Tuple:
    case NodeKind::Binary:
    case NodeKind::ListComprehension:
    case NodeKind::BinaryComprehension:
      return true;
    default:
      return false;
  }
}

// 1#r.f would be a number to base 1.
bool is_hash_base(NodeKind kind) {
  return is_plain_primary(kind) && kind != NodeKind::Integer && kind != NodeKind::Float;
}

}  // namespace

Precedence SourcePrinter::precedence_of(NodeId id) const {
  switch (ast_.kind(id)) {
    case NodeKind::Catch:
    case NodeKind::MaybeMatch:
    case NodeKind::BoundedFun:
      return Precedence::Catch;
    case NodeKind::Match:
      return Precedence::Match;
    case NodeKind::AnnotatedType:
      return Precedence::Annotate;
    case NodeKind::BinaryOp:
      return precedence_of_operator(ast_.get<node::BinaryOp>(id).op);
    case NodeKind::UnaryOp:
      return Precedence::Prefix;
    case NodeKind::Map:
    case NodeKind::MapUpdate:
    case NodeKind::MapComprehension:
    case NodeKind::Record:
    case NodeKind::RecordUpdate:
    case NodeKind::RecordAccess:
    case NodeKind::RecordIndex:
      return Precedence::Hash;
    case NodeKind::Call:
      return Precedence::Call;
    case NodeKind::Remote:
      return Precedence::Remote;
    case NodeKind::Type:
      return precedence_of_type(ast_.get<node::Type>(id).name);
    default:
      return Precedence::Primary;
  }
}

bool SourcePrinter::needs_parentheses(NodeId id, GrammarPlace place) const {
  const NodeKind kind = ast_.kind(id);
  switch (place) {
    case GrammarPlace::PrefixOperand:
      return precedence_of(id) < Precedence::Prefix;
    case GrammarPlace::Callee:
      return kind != NodeKind::Remote && !is_plain_primary(kind);
    case GrammarPlace::RemotePart:
      return !is_plain_primary(kind);
    case GrammarPlace::MapBase:
      return kind != NodeKind::Map && kind != NodeKind::MapUpdate && !is_hash_base(kind);
    case GrammarPlace::RecordBase:
      return kind != NodeKind::Record && kind != NodeKind::RecordUpdate &&
             kind != NodeKind::RecordAccess && kind != NodeKind::RecordIndex && !is_hash_base(kind);
    case GrammarPlace::FunctionClause:
    case GrammarPlace::FunClause:
    case GrammarPlace::CaseClause:
    case GrammarPlace::IfClause:
    case GrammarPlace::Handler:
    case GrammarPlace::Signature:
      return false;
    default:
      return static_cast<uint8_t>(precedence_of(id)) < static_cast<uint8_t>(place);
  }
}

bool SourcePrinter::is_bracketed(NodeId id) const {
  switch (ast_.kind(id)) {
    case NodeKind::List:
    case NodeKind::Tuple:
    case NodeKind::Binary:
    case NodeKind::Map:
    case NodeKind::Record:
    case NodeKind::ListComprehension:
    case NodeKind::BinaryComprehension:
    case NodeKind::MapComprehension:
      return true;
    case NodeKind::Type: {
      const Atom name = ast_.get<node::Type>(id).name;
      return name == atoms::tuple || name == atoms::list || name == atoms::map ||
             name == atoms::record;
    }
    default:
      return false;
  }
}

bool SourcePrinter::is_fun(NodeId id) const {
  return ast_.is(id, NodeKind::Fun) || ast_.is(id, NodeKind::NamedFun);
}

bool SourcePrinter::hugs(NodeId id) const {
  switch (ast_.kind(id)) {
    case NodeKind::Call:
    case NodeKind::MapUpdate:
    case NodeKind::RecordUpdate:
    case NodeKind::UserType:
    case NodeKind::RemoteType:
      return true;
    case NodeKind::Type:
      return precedence_of(id) == Precedence::Primary;
    default:
      return is_bracketed(id) || is_fun(id);
  }
}

// Longer texts of several lines are printed line by line.
bool SourcePrinter::is_text_of_lines(NodeId id) const {
  if (!ast_.is(id, NodeKind::String)) return false;
  const std::string_view value = unit_.literals().strings[ast_.get<node::String>(id).value];
  const size_t newline = value.find('\n');
  return value.size() > Layout::kWidth / 2 && newline < value.size() - 1;
}

bool SourcePrinter::is_leaf(NodeId id) const {
  switch (ast_.kind(id)) {
    case NodeKind::Atom:
    case NodeKind::Var:
    case NodeKind::Integer:
    case NodeKind::Char:
    case NodeKind::Float:
    case NodeKind::String:
      return true;
    case NodeKind::List: {
      const auto n = ast_.get<node::List>(id);
      return ast_.list(n.elements).empty() && !exists(n.tail);
    }
    case NodeKind::Tuple:
      return ast_.list(ast_.get<node::Tuple>(id).elements).empty();
    case NodeKind::Segment:
      return is_leaf(ast_.get<node::Segment>(id).value);
    case NodeKind::BinaryOp: {  // name/arity
      const auto n = ast_.get<node::BinaryOp>(id);
      return n.op == atoms::slash && ast_.is(n.left, NodeKind::Atom) &&
             ast_.is(n.right, NodeKind::Integer);
    }
    case NodeKind::UnaryOp:
      return ast_.is(ast_.get<node::UnaryOp>(id).operand, NodeKind::Integer);
    default:
      return false;
  }
}

bool SourcePrinter::are_leaves(std::span<const NodeId> list) const {
  return std::all_of(list.begin(), list.end(),
                     [this](NodeId id) { return is_leaf(id) && !is_text_of_lines(id); });
}

}  // namespace fathom
