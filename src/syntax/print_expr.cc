// Literals, data, operations, comprehensions.
#include <algorithm>

#include "base/term_print.h"
#include "syntax/print.h"
#include "syntax/printer.h"

namespace fathom {

// ---- Literals and names -----------------------------------------------------

void SourcePrinter::on(const node::Atom& n, const Visit&) { atom(n.value); }

void SourcePrinter::on(const node::Var& n, const Visit&) { text(n.name.text()); }

void SourcePrinter::on(const node::Integer& n, const Visit& v) {
  const bool pooled = ast_[v.node].flags & Node::kPooled;
  text(pooled ? unit_.literals().integers[n.value] : std::to_string(n.value));
}

void SourcePrinter::on(const node::Char& n, const Visit&) {
  std::string literal;
  append_character(literal, n.value);
  text(literal);
}

void SourcePrinter::on(const node::Float& n, const Visit&) {
  std::string digits;
  append_float(digits, unit_.literals().floats[n.value]);
  text(digits);
}

void SourcePrinter::on(const node::String& n, const Visit& v) {
  const std::string_view value = unit_.literals().strings[n.value];
  if (is_text_of_lines(v.node)) return quoted_lines(value);
  std::string quoted;
  append_quoted_string(quoted, value);
  text(quoted);
}

// Strings that follow each other are one string to the reader.
void SourcePrinter::quoted_lines(std::string_view utf8) {
  bool first = true;
  while (!utf8.empty()) {
    const size_t length = std::min(utf8.find('\n'), utf8.size() - 1) + 1;
    std::string quoted;
    append_quoted_string(quoted, utf8.substr(0, length));
    if (!first) op(Op::Hard);
    text(quoted);
    utf8.remove_prefix(length);
    first = false;
  }
}

// ---- Data -------------------------------------------------------------------

void SourcePrinter::on(const node::List& n, const Visit&) {
  const auto elements = ast_.list(n.elements);
  if (!exists(n.tail)) return bracketed("[", elements, "]");
  text("[");
  indent();
  op(Op::Soft);
  separated(elements, GrammarPlace::Any, ",", are_leaves(elements) ? Between::Fill : Between::Line);
  op(Op::Line);
  text("| ");
  visit(n.tail, GrammarPlace::Any);
  dedent();
  op(Op::Soft);
  text("]");
}

void SourcePrinter::on(const node::Tuple& n, const Visit&) {
  bracketed("{", ast_.list(n.elements), "}");
}

void SourcePrinter::on(const node::Binary& n, const Visit&) {
  bracketed("<<", ast_.list(n.segments), ">>");
}

void SourcePrinter::on(const node::Segment& n, const Visit&) {
  if (ast_.is(n.value, NodeKind::UnaryOp)) {
    const auto value = ast_.get<node::UnaryOp>(n.value);
    prefix(value.op, value.operand, GrammarPlace::Primary);
  } else {
    visit(n.value, GrammarPlace::Primary);
  }
  if (exists(n.size)) {
    text(":");
    visit(n.size, GrammarPlace::Primary);
  }
  std::string_view before = "/";
  for (const NodeId type : ast_.list(n.types)) {
    text(before);
    visit(type, GrammarPlace::Any);
    before = "-";
  }
}

void SourcePrinter::on(const node::SegmentType& n, const Visit&) {
  atom(n.name);
  if (!exists(n.value)) return;
  text(":");
  visit(n.value, GrammarPlace::Any);
}

void SourcePrinter::on(const node::Map& n, const Visit&) {
  bracketed("#{", ast_.list(n.fields), "}");
}

void SourcePrinter::on(const node::MapUpdate& n, const Visit&) {
  visit(n.map, GrammarPlace::MapBase);
  bracketed("#{", ast_.list(n.fields), "}");
}

void SourcePrinter::field(NodeId key, std::string_view sign, NodeId value) {
  visit(key, GrammarPlace::Any);
  behind(sign, value);
}

void SourcePrinter::on(const node::MapAssoc& n, const Visit&) { field(n.key, " =>", n.value); }

void SourcePrinter::on(const node::MapExact& n, const Visit&) { field(n.key, " :=", n.value); }

void SourcePrinter::on(const node::Record& n, const Visit&) {
  text("#");
  visit(n.name, GrammarPlace::Any);
  bracketed("{", ast_.list(n.fields), "}");
}

void SourcePrinter::on(const node::RecordUpdate& n, const Visit&) {
  visit(n.record, GrammarPlace::RecordBase);
  text("#");
  visit(n.name, GrammarPlace::Any);
  bracketed("{", ast_.list(n.fields), "}");
}

void SourcePrinter::on(const node::RecordField& n, const Visit&) { field(n.name, " =", n.value); }

void SourcePrinter::on(const node::RecordAccess& n, const Visit&) {
  visit(n.record, GrammarPlace::RecordBase);
  text("#");
  visit(n.name, GrammarPlace::Any);
  text(".");
  visit(n.field, GrammarPlace::Any);
}

void SourcePrinter::on(const node::RecordIndex& n, const Visit&) {
  text("#");
  visit(n.name, GrammarPlace::Any);
  text(".");
  visit(n.field, GrammarPlace::Any);
}

// ---- Operations -------------------------------------------------------------

void SourcePrinter::on(const node::Match&, const Visit& v) { assignment(v.node); }

void SourcePrinter::on(const node::MaybeMatch& n, const Visit&) {
  field(n.pattern, " ?=", n.value);
}

// A row of = and ! is one group: all but the last are patterns or receivers, and
// seldom long.
void SourcePrinter::assignment(NodeId id) {
  while (true) {
    const bool match = ast_.is(id, NodeKind::Match);
    const NodeId left =
        match ? ast_.get<node::Match>(id).pattern : ast_.get<node::BinaryOp>(id).left;
    const NodeId right =
        match ? ast_.get<node::Match>(id).value : ast_.get<node::BinaryOp>(id).right;
    const std::string_view sign = match ? " =" : " !";
    visit(left, tighter_than(Precedence::Match));
    if (precedence_of(right) != Precedence::Match) {
      behind(sign, right, at_least(Precedence::Match));
      break;
    }
    text(sign);
    op(Op::Fill);
    id = right;
  }
}

void SourcePrinter::on(const node::BinaryOp& n, const Visit& v) {
  const Precedence precedence = precedence_of_operator(n.op);
  if (precedence == Precedence::Match) return assignment(v.node);
  if (is_leaf(v.node)) {  // name/arity
    visit(n.left, GrammarPlace::Any);
    text("/");
    visit(n.right, GrammarPlace::Any);
    return;
  }
  operator_chain(v.node, precedence);
}

// Operators of one precedence that follow each other without parentheses break
// together: A andalso B andalso C.
void SourcePrinter::operator_chain(NodeId id, Precedence precedence) {
  const Associativity associativity = associativity_of(precedence);
  auto continues = [&](NodeId operand) {
    return associativity != Associativity::None && ast_.is(operand, NodeKind::BinaryOp) &&
           precedence_of(operand) == precedence;
  };
  struct Link {
    Atom op;
    NodeId operand;  // the one on the chain's far side
  };
  std::vector<Link> links;
  const bool right = associativity == Associativity::Right;
  while (true) {
    const auto n = ast_.get<node::BinaryOp>(id);
    links.push_back({n.op, right ? n.left : n.right});
    id = right ? n.right : n.left;
    if (!continues(id)) break;
  }
  const GrammarPlace operand = tighter_than(precedence);
  auto link = [&](Atom name, NodeId operand_node) {
    text(" ");
    text(name.text());
    op(Op::Line);
    visit(operand_node, operand);
  };
  visit(right ? links.front().operand : id, operand);
  indent();
  if (right) {
    for (size_t i = 0; i < links.size(); ++i) {
      link(links[i].op, i + 1 < links.size() ? links[i + 1].operand : id);
    }
  } else {
    for (size_t i = links.size(); i-- > 0;) link(links[i].op, links[i].operand);
  }
  dedent();
}

void SourcePrinter::prefix(Atom operation, NodeId operand, GrammarPlace place) {
  text(operation.text());
  const bool word = operation == atoms::not_ || operation == atoms::bnot_;
  // - -1, for -- is another operator; not -(-1), which nests where the source does not.
  const bool again = place == GrammarPlace::PrefixOperand && ast_.is(operand, NodeKind::UnaryOp);
  if (word || again) text(" ");
  visit(operand, place);
}

void SourcePrinter::on(const node::UnaryOp& n, const Visit&) {
  prefix(n.op, n.operand, GrammarPlace::PrefixOperand);
}

void SourcePrinter::on(const node::Catch& n, const Visit&) {
  text("catch ");
  visit(n.body, GrammarPlace::Any);
}

void SourcePrinter::on(const node::Call& n, const Visit&) {
  visit(n.function, GrammarPlace::Callee);
  bracketed("(", ast_.list(n.arguments), ")");
}

void SourcePrinter::on(const node::Remote& n, const Visit&) {
  visit(n.module, GrammarPlace::RemotePart);
  text(":");
  visit(n.name, GrammarPlace::RemotePart);
}

void SourcePrinter::on(const node::FunName& n, const Visit&) {
  text("fun ");
  visit(n.name, GrammarPlace::Any);
  text("/");
  visit(n.arity, GrammarPlace::Any);
}

void SourcePrinter::on(const node::FunRemote& n, const Visit&) {
  text("fun ");
  visit(n.module, GrammarPlace::Any);
  text(":");
  visit(n.name, GrammarPlace::Any);
  text("/");
  visit(n.arity, GrammarPlace::Any);
}

// ---- Comprehensions ---------------------------------------------------------

void SourcePrinter::comprehension(std::string_view open, NodeId body_node, GrammarPlace place,
                                  ListId qualifiers, std::string_view close, Op edge) {
  constexpr uint32_t kBars = 3;  // columns of "|| "
  text(open);
  indent();
  op(edge);
  visit(body_node, place);
  op(Op::Line);
  text("|| ");
  indent(kBars);
  separated(ast_.list(qualifiers), GrammarPlace::Any, ",", Between::Line);
  dedent();
  dedent();
  op(edge);
  text(close);
}

void SourcePrinter::on(const node::ListComprehension& n, const Visit&) {
  comprehension("[", n.body, GrammarPlace::Any, n.qualifiers, "]", Op::Soft);
}

void SourcePrinter::on(const node::BinaryComprehension& n, const Visit&) {
  comprehension("<<", n.body, GrammarPlace::Primary, n.qualifiers, ">>", Op::Line);
}

void SourcePrinter::on(const node::MapComprehension& n, const Visit&) {
  comprehension("#{", n.body, GrammarPlace::Any, n.qualifiers, "}", Op::Soft);
}

void SourcePrinter::on(const node::Generate& n, const Visit&) { field(n.pattern, " <-", n.source); }

void SourcePrinter::on(const node::GenerateStrict& n, const Visit&) {
  field(n.pattern, " <:-", n.source);
}

void SourcePrinter::on(const node::BinaryGenerate& n, const Visit&) {
  field(n.pattern, " <=", n.source);
}

void SourcePrinter::on(const node::BinaryGenerateStrict& n, const Visit&) {
  field(n.pattern, " <:=", n.source);
}

void SourcePrinter::on(const node::MapGenerate& n, const Visit&) {
  field(n.pattern, " <-", n.source);
}

void SourcePrinter::on(const node::MapGenerateStrict& n, const Visit&) {
  field(n.pattern, " <:-", n.source);
}

void SourcePrinter::on(const node::Zip& n, const Visit&) {
  separated(ast_.list(n.generators), GrammarPlace::Any, " &&", Between::Line);
}

}  // namespace fathom
