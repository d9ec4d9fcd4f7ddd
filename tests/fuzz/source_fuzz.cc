// A module's source text, through all that the front end can do with it.
//
// The input is the main file; what follows a line `%%FILE name` is a header of
// that name instead. Nothing is read from the file system.
//
// Beside not crashing:
// - what is read says of itself rightly whether it has errors;
// - the abstract forms read back as the same tree, and give the same terms;
// - the printed text of a module without errors is one that reads back as the
//   same tree;
// - the linter says of itself rightly whether it has found errors.
#include <map>
#include <optional>
#include <vector>

#include "base/etf.h"
#include "base/json.h"
#include "base/term_print.h"
#include "fuzz.h"
#include "lint/lint.h"
#include "syntax/abstract.h"
#include "syntax/compare.h"
#include "syntax/dump.h"
#include "syntax/print.h"
#include "syntax/reader.h"

namespace fathom {
namespace {

struct Input {
  std::string main;
  std::map<std::string, std::string, std::less<>> headers;  // by their last name
};

Input split(std::string_view text) {
  constexpr std::string_view kMark = "\n%%FILE ";
  Input input;
  std::string* part = &input.main;
  while (true) {
    const size_t end = text.find(kMark);
    *part = std::string(text.substr(0, end));
    if (end == std::string_view::npos) return input;
    text.remove_prefix(end + kMark.size());
    const size_t line_end = std::min(text.find('\n'), text.size());
    part = &input.headers[std::string(text.substr(0, line_end))];
    text.remove_prefix(std::min(line_end + 1, text.size()));
  }
}

std::string rendered(Diagnostics& diagnostics, const SourceMap& sources) {
  std::string text;
  for (const Diagnostic& d : diagnostics.all()) text += render(d, sources);
  return text;
}

void check_printing(const Unit& unit, std::string_view source) {
  // What is printed may hold what looks like an encoding comment.
  const std::string printed = "%% coding: utf-8\n" + print_unit(unit);
  Reader reader;
  reader.read_headers_from([](const std::string&) { return std::nullopt; });
  Unit again = reader.make_unit();
  Diagnostics diagnostics;
  if (!reader.read_text("again.erl", printed, {}, again, diagnostics) || diagnostics.has_errors()) {
    report("the printed text has errors",
           {source, printed, rendered(diagnostics, reader.sources())});
  }
  // The reader puts a -file first; warnings are comments.
  const auto read = std::span(again.ast.forms()).subspan(1);
  std::vector<NodeId> forms;
  for (const NodeId form : unit.ast.forms()) {
    if (!unit.ast.is(form, NodeKind::WarningForm)) forms.push_back(form);
  }
  if (const auto difference = find_difference(unit, forms, again, read)) {
    report("the printed text is another module", {difference->what, source, printed});
  }
}

// -type({t, {a}, b}). is an attribute whose form looks like a type's.
bool is_odd_type_attribute(const Unit& unit, NodeId form) {
  if (!unit.ast.is(form, NodeKind::Attribute)) return false;
  const Atom name = unit.ast.get<node::Attribute>(form).name;
  return name == atoms::type || name == atoms::opaque || name == atoms::nominal;
}

void check_abstract(const Unit& unit, std::string_view source) {
  TermArena arena;
  Literals literals;
  Unit again(unit.sources(), literals);
  for (const NodeId form : unit.ast.forms()) {
    const Term term = to_abstract(unit, form, arena);
    std::string bytes;
    const Result<void> encoded = etf::encode(term, bytes);
    if (!encoded) report("a form cannot be encoded", {encoded.error().message, source});
    const NodeKind kind = unit.ast.kind(form);
    if (kind == NodeKind::ErrorForm || kind == NodeKind::WarningForm) continue;
    const Result<NodeId> node = from_abstract(term, again, literals);
    if (!node && is_odd_type_attribute(unit, form)) continue;
    if (!node) report("a form cannot be read back", {node.error().message, written(term), source});
    // An attribute's value is a bare term there: {a, 1} may have been a/1.
    const auto difference = find_difference(unit, {&form, 1}, again, {&*node, 1});
    if (difference && kind != NodeKind::Attribute) {
      report("a form reads back as another one", {difference->what, written(term), source});
    }
    const Term second = to_abstract(again, *node, arena);
    if (!equal(term, second)) {
      report("a form reads back as another term", {written(term), written(second), source});
    }
  }
}

void run(std::string_view text) {
  const Input input = split(text);
  ReadOptions options;
  options.include_dirs = {"include"};
  if (text.find("%%OTP25") != std::string_view::npos) options.otp_release = 25;
  Reader reader;
  reader.read_headers_from([&](const std::string& path) -> std::optional<std::string> {
    const auto found = input.headers.find(path.substr(path.rfind('/') + 1));
    if (found == input.headers.end()) return std::nullopt;
    return found->second;
  });
  Unit unit = reader.make_unit();
  Diagnostics diagnostics;
  const bool read = reader.read_text("fuzz.erl", input.main, options, unit, diagnostics);
  const std::string messages = rendered(diagnostics, reader.sources());
  if ((!read || unit.has_errors) != diagnostics.has_errors()) {
    report("errors are not told", {messages, text});
  }
  if (!read) return;
  std::string dumped;
  dump_text(unit, dumped);
  JsonWriter json(dumped);
  dump_json(unit, json);
  json.finish();
  check_abstract(unit, text);
  if (!unit.has_errors) check_printing(unit, text);
  const bool clean = lint::check(unit, diagnostics, {options.otp_release});
  if (clean == diagnostics.has_errors()) report("the linter's errors are not told", {text});
  rendered(diagnostics, reader.sources());
}

}  // namespace
}  // namespace fathom

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fathom::run(fathom::text_of(data, size));
  return 0;
}
