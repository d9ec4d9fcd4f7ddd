// Changes of the text of a module, by nodes of its tree: the text between nodes, which the tree
// does not have, is found here (separators, comments, parentheses, full stops).
#pragma once

#include <span>
#include <vector>

#include "core/core.h"
#include "slice/edits.h"

namespace fathom::slice {

class UnitEdits {
 public:
  // The unit was read from text.
  explicit UnitEdits(const Unit& unit)
      : unit_(unit),
        edits_(unit.sources().text(*unit.file)),
        start_(unit.sources().start(*unit.file).index()) {}

  Edits& edits() { return edits_; }
  // Empty: it has no place in this text.
  TextRange range(core::AstId id) const;
  void replace(core::AstId id, std::string with) { edits_.replace(range(id), std::move(with)); }
  // Items with separators between them, of which some go.
  void sequence(std::span<const core::AstId> items, const std::vector<bool>& is_kept);
  // With its full stop, and the comment above it.
  void drop_form(core::AstId id);
  // The guard of a clause; that of an `if` becomes `true`.
  void drop_guard(core::AstId clause, bool is_if);

  struct Exported {
    core::AstId node;
    Atom name;
    uint32_t arity;
  };
  // False: it is no `-export` with names written out.
  bool export_items(core::AstId attribute, std::vector<Exported>& out) const;

  uint32_t separator_after(uint32_t from, uint32_t to, char separator) const;
  uint32_t skip_blanks(uint32_t from) const;
  uint32_t trim_blanks(uint32_t to) const;

 protected:
  const Unit& unit_;
  Edits edits_;
  uint32_t start_;  // of the file's text
};

}  // namespace fathom::slice
