#include "reduce/text_slice.h"

#include <algorithm>

#include "flow/entries.h"
#include "session/program_code.h"

namespace fathom::reduce {
namespace {

TextSlice with_marks(const slice::Slice& slice, bool is_original) {
  TextSlice result;
  for (const slice::SlicedModule& sliced : slice.modules) {
    const Unit& unit = sliced.module->unit();
    const std::string_view whole = unit.sources().text(*unit.file);
    TextModule module{sliced.module->name(), is_original ? std::string(whole) : sliced.text};
    size_t in_module = 0;
    for (size_t i = 0; i < slice.criteria.size(); ++i) {
      const slice::Located& where = slice.criteria[i];
      if (where.module != sliced.module) continue;
      const uint32_t begin = slice::UnitEdits(unit).range(where.node).begin;
      module.marks.push_back(
          {i, is_original ? begin : sliced.criteria[in_module], unit.ast.kind(where.node)});
      ++in_module;
    }
    result.push_back(std::move(module));
  }
  return result;
}

// None: it cannot be sliced further.
std::optional<TextSlice> sliced_once(session::Session& session, const std::vector<Atom>& own,
                                     const TextSlice& texts, slice::Precision precision) {
  const auto modules = read_modules(session, texts);
  if (!modules) return std::nullopt;
  std::vector<Atom> left;
  for (const TextModule& t : texts) {
    if (std::find(own.begin(), own.end(), t.name) != own.end()) left.push_back(t.name);
  }
  session::ProgramCode code(session.library(), left);
  for (size_t i = 0; i < texts.size(); ++i) code.add(texts[i].name, (*modules)[i]);
  flow::Analysis analysis(code);
  for (const flow::FunctionName& name : exported_entries(code)) analysis.add_entry(name, true);
  analysis.run();
  const slice::Model model(analysis, code);
  std::vector<slice::Located> criteria;
  for (size_t i = 0; i < texts.size(); ++i) {
    for (const Mark& mark : texts[i].marks) {
      const auto where = locate(model, *(*modules)[i].core, mark.offset, mark.kind);
      if (!where) return std::nullopt;
      if (criteria.size() <= mark.number) criteria.resize(mark.number + 1);
      criteria[mark.number] = *where;
    }
  }
  return text_of(slice_of(model, criteria, precision));
}

}  // namespace

TextSlice text_of(const slice::Slice& slice) { return with_marks(slice, false); }
TextSlice originals(const slice::Slice& slice) { return with_marks(slice, true); }

std::optional<Modules> read_modules(session::Session& session, const TextSlice& texts) {
  Modules result;
  for (const TextModule& t : texts) {
    Diagnostics diagnostics;
    auto found = session.library().with_text(t.name, t.text, diagnostics);
    if (!found) return std::nullopt;
    result.push_back(std::move(*found));
  }
  return result;
}

TextSlice sliced_again(session::Session& session, const std::vector<Atom>& own, TextSlice texts,
                       slice::Precision precision) {
  constexpr int kMost = 8;
  for (int i = 0; i < kMost; ++i) {
    auto next = sliced_once(session, own, texts, precision);
    if (!next) break;
    const bool is_same =
        std::equal(next->begin(), next->end(), texts.begin(), texts.end(),
                   [](const TextModule& a, const TextModule& b) { return a.text == b.text; });
    texts = std::move(*next);
    if (is_same) break;
  }
  return texts;
}

}  // namespace fathom::reduce
