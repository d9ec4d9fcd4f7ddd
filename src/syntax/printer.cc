#include "syntax/printer.h"

#include "base/term_print.h"

namespace fathom {

void SourcePrinter::print(NodeId id, GrammarPlace place, std::string& out) {
  run(id, place);
  layout_.render(out);
}

void SourcePrinter::run(NodeId id, GrammarPlace place) {
  stack_.emplace_back(Visit{id, place, {}});
  while (!stack_.empty()) {
    const Step step = stack_.back();
    stack_.pop_back();
    if (const auto* layout_op = std::get_if<LayoutOp>(&step)) {
      layout_.add(*layout_op);
      continue;
    }
    dispatch(std::get<Visit>(step));
    stack_.insert(stack_.end(), row_.rbegin(), row_.rend());
    row_.clear();
  }
}

// Every node but a small literal is a group, so that what stands around it can
// measure it as a whole.
void SourcePrinter::dispatch(const Visit& v) {
  const bool parentheses = needs_parentheses(v.node, v.place);
  const bool group = ast_.kind(v.node) >= NodeKind::String;
  if (group) op(Op::Open);
  if (parentheses) text("(");
  switch (ast_.kind(v.node)) {
#define NODE(Id, Tag, Fields)          \
  case NodeKind::Id:                   \
    on(ast_.get<node::Id>(v.node), v); \
    break;
#include "syntax/nodes.def"
#undef NODE
  }
  if (parentheses) text(")");
  if (group) op(Op::Close);
}

// Unlike a term of some release, source quotes the words that any release
// reserves.
void SourcePrinter::atom(Atom name) {
  std::string quoted;
  if (name == atoms::maybe_ || name == atoms::else_) {
    quoted = "'" + std::string(name.text()) + "'";
  } else {
    append_atom(quoted, name);
  }
  text(quoted);
}

void SourcePrinter::separated(std::span<const NodeId> list, GrammarPlace place,
                              std::string_view separator, Between between) {
  for (size_t i = 0; i < list.size(); ++i) {
    if (i > 0) {
      text(separator);
      op(between == Between::Fill ? Op::Fill : Op::Line);
    }
    visit(list[i], place);
  }
}

// Elements one to a line if they do not fit on one; many small ones fill lines.
// A sole element that has brackets of its own needs no lines of ours.
void SourcePrinter::bracketed(std::string_view open, std::span<const NodeId> list,
                              std::string_view close) {
  text(open);
  const bool own_brackets = list.size() == 1 && (is_bracketed(list[0]) || is_fun(list[0]));
  if (list.empty() || own_brackets) {
    for (const NodeId element : list) visit(element, GrammarPlace::Any);
    text(close);
    return;
  }
  op(Op::Open);
  indent();
  op(Op::Soft);
  separated(list, GrammarPlace::Any, ",", are_leaves(list) ? Between::Fill : Between::Line);
  dedent();
  op(Op::Soft);
  text(close);
  op(Op::Close);
}

// ` = Value` and the like, up to the end of the node or the next such part.
void SourcePrinter::behind(std::string_view sign, NodeId value, GrammarPlace place) {
  text(sign);
  if (hugs(value)) {
    op(Op::Hug);
    visit(value, place);
    op(Op::HugEnd);
  } else {
    indent();
    op(Op::Fill);
    visit(value, place);
    dedent();
  }
}

}  // namespace fathom
