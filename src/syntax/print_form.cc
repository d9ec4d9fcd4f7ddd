// Forms.
#include "syntax/printer.h"

namespace fathom {

void SourcePrinter::on(const node::Function& n, const Visit&) {
  std::string_view before;
  for (const NodeId clause : ast_.list(n.clauses)) {
    if (!before.empty()) {
      text(before);
      op(Op::Hard);
    }
    visit(clause, GrammarPlace::FunctionClause, n.name);
    before = ";";
  }
  text(".");
}

void SourcePrinter::on(const node::Attribute& n, const Visit&) {
  text("-");
  atom(n.name);
  bracketed("(", ast_.list(n.values), ").");
}

void SourcePrinter::on(const node::RecordDecl& n, const Visit&) {
  text("-record(");
  atom(n.name);
  bracketed(", {", ast_.list(n.fields), "}).");
}

void SourcePrinter::on(const node::RecordFieldDecl& n, const Visit&) {
  visit(n.name, GrammarPlace::Any);
  if (exists(n.value)) behind(" =", n.value, at_least(Precedence::Match));
  if (exists(n.type)) behind(" ::", n.type);
}

void SourcePrinter::on(const node::TypeDecl& n, const Visit&) {
  text("-");
  atom(n.attribute);
  text(" ");
  named_type(n.name, n.parameters);
  behind(" ::", n.type);
  text(".");
}

void SourcePrinter::on(const node::Spec& n, const Visit&) {
  text("-");
  atom(n.attribute);
  text(" ");
  if (exists(n.module)) {
    visit(n.module, GrammarPlace::Any);
    text(":");
  }
  atom(n.name);
  const auto signatures = ast_.list(n.signatures);
  if (signatures.size() == 1) {
    visit(signatures[0], GrammarPlace::Signature);
  } else {
    clauses(n.signatures, GrammarPlace::Signature);
  }
  text(".");
}

void SourcePrinter::message(std::string_view severity, uint32_t index) {
  std::string comment = "% " + std::string(severity) + ": ";
  for (const char c : unit_.form_messages[index].text) {
    comment += c;
    if (c == '\n') comment += "% ";
  }
  text(comment);
}

void SourcePrinter::on(const node::ErrorForm& n, const Visit&) { message("error", n.message); }

void SourcePrinter::on(const node::WarningForm& n, const Visit&) { message("warning", n.message); }

void SourcePrinter::on(const node::Eof&, const Visit&) {}

}  // namespace fathom
