// A slice as texts with the places of its criteria in them, so that it can be read again: sliced
// once more, run, or made smaller.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reduce/runner.h"
#include "slice/slice.h"

namespace fathom::reduce {

// Where a criterion is in the text of its module.
struct Mark {
  size_t number = 0;
  uint32_t offset = 0;
  NodeKind kind{};
};

struct TextModule {
  Atom name;
  std::string text;
  std::vector<Mark> marks = {};
  size_t nodes_kept = 0;
};
using TextSlice = std::vector<TextModule>;

TextSlice text_of(const slice::Slice& slice);
// The whole program, with the same criteria.
TextSlice originals(const slice::Slice& slice);

// None: one of them does not compile.
std::optional<Modules> read_modules(session::Session& session, const TextSlice& texts);

// Slices of the slice until nothing more goes (S. Pérez, 2023, chapter 6): a slice of a slice is a
// slice. `own`: the author's modules.
TextSlice sliced_again(session::Session& session, const std::vector<Atom>& own, TextSlice texts,
                       slice::Precision precision);

}  // namespace fathom::reduce
