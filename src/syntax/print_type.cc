// Types and the signatures of specs.
#include "syntax/printer.h"

namespace fathom {

// The types with a syntax of their own. Debug info may be anything, so a type
// with the wrong number of arguments prints like any other name.
bool SourcePrinter::special_type(Atom name, std::span<const NodeId> arguments, GrammarPlace place) {
  const size_t count = arguments.size();
  switch (name.id()) {
    case atoms::union_.id():
      union_type(arguments);
      return count > 0;
    case atoms::range.id():
      if (count != 2) return false;
      visit(arguments[0], tighter_than(Precedence::Compare));
      text("..");
      visit(arguments[1], tighter_than(Precedence::Compare));
      return true;
    case atoms::nil.id():
      if (count == 0) text("[]");
      return count == 0;
    case atoms::list.id():
      if (count == 1) bracketed("[", arguments, "]");
      return count == 1;
    case atoms::nonempty_list.id():
      if (count == 1) bracketed("[", arguments, ", ...]");
      return count == 1;
    case atoms::tuple.id():
      bracketed("{", arguments, "}");
      return true;
    case atoms::map.id():
      bracketed("#{", arguments, "}");
      return true;
    case atoms::map_field_assoc.id():
      if (count == 2) field(arguments[0], " =>", arguments[1]);
      return count == 2;
    case atoms::map_field_exact.id():
      if (count == 2) field(arguments[0], " :=", arguments[1]);
      return count == 2;
    case atoms::record.id():
      if (count > 0) record_type(arguments);
      return count > 0;
    case atoms::field_type.id():
      if (count == 2) field(arguments[0], " ::", arguments[1]);
      return count == 2;
    case atoms::binary.id():
      if (count == 2) binary_type(arguments);
      return count == 2;
    case atoms::product.id():
      bracketed("(", arguments, ")");
      return true;
    case atoms::fun_.id():
      if (count != 0 && count != 2) return false;
      function_type(arguments, place);
      return true;
    default:
      return false;
  }
}

void SourcePrinter::on(const node::Type& n, const Visit& v) {
  if (!special_type(n.name, ast_.list(n.arguments), v.place)) named_type(n.name, n.arguments);
}

void SourcePrinter::named_type(Atom name, ListId arguments) {
  atom(name);
  bracketed("(", ast_.list(arguments), ")");
}

void SourcePrinter::on(const node::UserType& n, const Visit&) { named_type(n.name, n.arguments); }

void SourcePrinter::on(const node::AnyType& n, const Visit&) { named_type(n.name, ListId{0}); }

void SourcePrinter::on(const node::AnyArguments&, const Visit&) { text("(...)"); }

void SourcePrinter::on(const node::RemoteType& n, const Visit&) {
  visit(n.module, GrammarPlace::Any);
  text(":");
  visit(n.name, GrammarPlace::Any);
  bracketed("(", ast_.list(n.arguments), ")");
}

// fun() or fun((Types) -> Result); a signature has no fun( ) around it.
void SourcePrinter::function_type(std::span<const NodeId> arguments, GrammarPlace place) {
  const bool bare = place == GrammarPlace::Signature;
  if (!bare) text("fun(");
  if (!arguments.empty()) {
    visit(arguments[0], GrammarPlace::Any);
    behind(" ->", arguments[1]);
  }
  if (!bare) text(")");
}

// #name{field :: Type}; the first argument is the name.
void SourcePrinter::record_type(std::span<const NodeId> arguments) {
  text("#");
  visit(arguments[0], GrammarPlace::Any);
  bracketed("{", arguments.subspan(1), "}");
}

// <<_:Base, _:_*Unit>>. A part that is 0 may be left out.
void SourcePrinter::binary_type(std::span<const NodeId> arguments) {
  auto is_zero = [this](NodeId id) {
    return ast_.is(id, NodeKind::Integer) && !(ast_[id].flags & Node::kPooled) &&
           ast_.get<node::Integer>(id).value == 0;
  };
  const bool has_base = !is_zero(arguments[0]);
  const bool has_unit = !is_zero(arguments[1]);
  text(has_base ? "<<_:" : "<<");
  if (has_base) visit(arguments[0], GrammarPlace::Primary);
  if (has_base && has_unit) text(", ");
  text(has_unit ? "_:_*" : "");
  if (has_unit) visit(arguments[1], GrammarPlace::Primary);
  text(">>");
}

void SourcePrinter::union_type(std::span<const NodeId> arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (i > 0) {
      op(Op::Line);
      text("| ");
    }
    visit(arguments[i], tighter_than(Precedence::Union));
  }
}

void SourcePrinter::on(const node::AnnotatedType& n, const Visit&) {
  field(n.variable, " ::", n.type);
}

void SourcePrinter::on(const node::Constraint& n, const Visit&) {
  field(n.variable, " ::", n.type);
}

void SourcePrinter::on(const node::BoundedFun& n, const Visit&) {
  visit(n.function, GrammarPlace::Signature);
  text(" when");
  op(Op::Open);
  indent();
  op(Op::Line);
  separated(ast_.list(n.constraints), GrammarPlace::Any, ",", Between::Line);
  dedent();
  op(Op::Close);
}

}  // namespace fathom
