// Types and the signatures of specs.
#include "syntax/printer.h"

namespace fathom {

void SourcePrinter::on(const node::Type& n, const Visit& v) {
  const auto arguments = ast_.list(n.arguments);
  switch (n.name.id()) {
    case atoms::union_.id():
      return union_type(arguments);
    case atoms::range.id():
      visit(arguments[0], tighter_than(Precedence::Compare));
      text("..");
      return visit(arguments[1], tighter_than(Precedence::Compare));
    case atoms::nil.id():
      return text("[]");
    case atoms::list.id():
      if (arguments.empty()) break;
      return bracketed("[", arguments, "]");
    case atoms::nonempty_list.id():
      if (arguments.empty()) break;
      return bracketed("[", arguments, ", ...]");
    case atoms::tuple.id():
      return bracketed("{", arguments, "}");
    case atoms::map.id():
      return bracketed("#{", arguments, "}");
    case atoms::map_field_assoc.id():
      return field(arguments[0], " =>", arguments[1]);
    case atoms::map_field_exact.id():
      return field(arguments[0], " :=", arguments[1]);
    case atoms::record.id():
      return record_type(arguments);
    case atoms::field_type.id():
      return annotated(arguments[0], arguments[1]);
    case atoms::binary.id():
      if (arguments.empty()) break;
      return binary_type(arguments);
    case atoms::product.id():
      return bracketed("(", arguments, ")");
    case atoms::fun_.id():
      if (v.place == Place::Signature) return function_type(arguments);
      text("fun(");
      if (!arguments.empty()) function_type(arguments);
      return text(")");
    default:
      break;
  }
  named_type(n.name, n.arguments);
}

void SourcePrinter::named_type(Atom name, ListId arguments) {
  atom(name);
  bracketed("(", ast_.list(arguments), ")");
}

void SourcePrinter::on(const node::UserType& n, const Visit&) { named_type(n.name, n.arguments); }

void SourcePrinter::on(const node::AnyType& n, const Visit&) { named_type(n.name, ListId{0}); }

void SourcePrinter::on(const node::AnyArguments&, const Visit&) { text("(...)"); }

void SourcePrinter::on(const node::RemoteType& n, const Visit&) {
  visit(n.module, Place::Any);
  text(":");
  visit(n.name, Place::Any);
  bracketed("(", ast_.list(n.arguments), ")");
}

// (Types) -> Result
void SourcePrinter::function_type(std::span<const NodeId> arguments) {
  visit(arguments[0], Place::Any);
  behind(" ->", arguments[1]);
}

// #name{field :: Type}; the first argument is the name.
void SourcePrinter::record_type(std::span<const NodeId> arguments) {
  text("#");
  visit(arguments[0], Place::Any);
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
  if (has_base) visit(arguments[0], Place::Primary);
  if (has_base && has_unit) text(", ");
  text(has_unit ? "_:_*" : "");
  if (has_unit) visit(arguments[1], Place::Primary);
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

void SourcePrinter::annotated(NodeId left, NodeId type_node) { field(left, " ::", type_node); }

void SourcePrinter::on(const node::AnnotatedType& n, const Visit&) {
  annotated(n.variable, n.type);
}

void SourcePrinter::on(const node::Constraint& n, const Visit&) { annotated(n.variable, n.type); }

void SourcePrinter::on(const node::BoundedFun& n, const Visit&) {
  visit(n.function, Place::Signature);
  text(" when");
  op(Op::Open);
  indent();
  op(Op::Line);
  separated(ast_.list(n.constraints), Place::Any, ",", Between::Line);
  dedent();
  op(Op::Close);
}

}  // namespace fathom
