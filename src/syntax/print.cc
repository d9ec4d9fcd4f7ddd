#include "syntax/print.h"

#include "base/term_print.h"
#include "base/utf8.h"
#include "syntax/printer.h"

namespace fathom {
namespace {

// What stands together without blank lines.
enum class Company : uint8_t { Attributes, Files, Types, Specs, Comments, Alone };

Company company_of(const Unit& unit, NodeId form) {
  switch (unit.ast.kind(form)) {
    case NodeKind::Attribute: {
      const Atom name = unit.ast.get<node::Attribute>(form).name;
      if (name == atoms::file) return Company::Files;
      return name == atoms::doc ? Company::Specs : Company::Attributes;
    }
    case NodeKind::TypeDecl:
      return Company::Types;
    case NodeKind::Spec:
      return Company::Specs;
    case NodeKind::ErrorForm:
    case NodeKind::WarningForm:
      return Company::Comments;
    default:
      return Company::Alone;
  }
}

// A spec or -doc leads what it describes. A type of several lines stands alone.
bool blank_line_between(Company above, bool above_is_long, Company below, bool below_is_long) {
  if (above == Company::Specs)
    return below != Company::Specs && below != Company::Alone && below != Company::Types;
  if (above != below || above == Company::Alone) return true;
  return above == Company::Types && (above_is_long || below_is_long);
}

}  // namespace

std::string print_unit(const Unit& unit) {
  SourcePrinter printer(unit);
  std::string out;
  std::string text;
  Company above = Company::Alone;
  bool above_is_long = false;
  for (const NodeId form : unit.ast.forms()) {
    text.clear();
    printer.print(form, GrammarPlace::Any, text);
    if (text.empty()) continue;
    const Company below = company_of(unit, form);
    const bool is_long = text.find('\n') != std::string::npos;
    if (!out.empty() && blank_line_between(above, above_is_long, below, is_long)) out += '\n';
    out += text;
    out += '\n';
    above = below;
    above_is_long = is_long;
  }
  return out;
}

std::string print_form(const Unit& unit, NodeId form) {
  std::string out;
  SourcePrinter(unit).print(form, GrammarPlace::Any, out);
  if (!out.empty()) out += '\n';
  return out;
}

std::string print_expr(const Unit& unit, NodeId node) {
  std::string out;
  SourcePrinter(unit).print(node, GrammarPlace::Any, out);
  return out;
}

void append_character(std::string& out, uint32_t code_point) {
  if (code_point == ' ') {
    out += "$\\s";
    return;
  }
  std::string character;
  append_utf8(character, code_point);
  std::string quoted;
  append_quoted_string(quoted, character);
  out += '$';
  out.append(quoted, 1, quoted.size() - 2);
}

}  // namespace fathom
