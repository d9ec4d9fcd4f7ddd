// A .beam file, or a term in the external term format (which begins with 131).
//
// Beside not crashing:
// - a term that was decoded and is encoded decodes as the same term;
// - a module of debug info gives abstract forms that read back as the same tree
//   and the same terms, and can be shown in every way.
#include "base/etf.h"
#include "base/json.h"
#include "base/term_print.h"
#include "fuzz.h"
#include "syntax/abstract.h"
#include "syntax/beam_file.h"
#include "syntax/compare.h"
#include "syntax/dump.h"
#include "syntax/print.h"
#include "syntax/reader.h"

namespace fathom {
namespace {

void check_term(std::string_view bytes) {
  TermArena arena;
  const Result<Term> term = etf::decode(bytes, arena);
  if (!term) return;
  std::string encoded;
  const Result<void> done = etf::encode(*term, encoded);
  if (!done) report("a term cannot be encoded", {done.error().message, written(*term)});
  const Result<Term> again = etf::decode(encoded, arena);
  if (!again) report("an encoded term cannot be decoded", {again.error().message, written(*term)});
  if (!equal(*term, *again)) {
    report("a term decodes as another", {written(*term), written(*again)});
  }
  if (printed(*term) != printed(*again)) report("equal terms print differently", {printed(*term)});
}

void check_forms(const Unit& unit) {
  TermArena arena;
  Literals literals;
  Unit again(unit.sources(), literals);
  for (const NodeId form : unit.ast.forms()) {
    const Term term = to_abstract(unit, form, arena);
    const NodeKind kind = unit.ast.kind(form);
    if (kind == NodeKind::ErrorForm || kind == NodeKind::WarningForm) continue;
    const Result<NodeId> node = from_abstract(term, again, literals);
    if (!node) report("a form cannot be read back", {node.error().message, written(term)});
    if (const auto difference = find_difference(unit, {&form, 1}, again, {&*node, 1})) {
      report("a form reads back as another one", {difference->what, written(term)});
    }
    const Term second = to_abstract(again, *node, arena);
    if (!equal(term, second)) {
      report("a form reads back as another term", {written(term), written(second)});
    }
  }
}

void check_module(std::string_view bytes) {
  if (const auto beam = BeamFile::parse(std::string(bytes))) {
    TermArena arena;
    static_cast<void>(beam->module_name());
    static_cast<void>(beam->compile_info(arena));
    static_cast<void>(beam->source_path());
    for (const BeamFile::Chunk& chunk : beam->chunks()) check_term(chunk.data);
  }
  Reader reader;
  Unit unit = reader.make_unit();
  Diagnostics diagnostics;
  const bool read = reader.read_beam_bytes("fuzz.beam", std::string(bytes), unit, diagnostics);
  if ((!read || unit.has_errors) != diagnostics.has_errors()) report("errors are not told", {});
  std::string text;
  for (const Diagnostic& d : diagnostics.all()) text += render(d, reader.sources());
  dump_text(unit, text);
  JsonWriter json(text);
  dump_json(unit, json);
  json.finish();
  text += print_unit(unit);
  check_forms(unit);
}

}  // namespace
}  // namespace fathom

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes = fathom::text_of(data, size);
  if (size > 0 && data[0] == 131) {
    fathom::check_term(bytes);
  } else {
    fathom::check_module(bytes);
  }
  return 0;
}
