// The tree of a module with some of its nodes removed, and its text without them.
//
// What can go leaves nothing behind (clauses, expressions of a body, qualifiers, fields of maps and
// records, guards, functions), or `sliced` in an expression and `_` in a pattern. The pattern of
// a match goes with its `=`. Whether what is left is a program, and which one, is for others to
// say: nothing is known of names or values here.
#pragma once

#include <string>
#include <vector>

#include "reduce/show_values.h"

namespace fathom::reduce {

class ReducedTree {
 public:
  // `pinned`: nodes that stay, with all that they stand in.
  ReducedTree(const Unit& unit, const std::vector<core::AstId>& pinned);

  // A thing that can be removed: a node, or the guard of a clause.
  struct Part {
    core::AstId node = kNoNode;
    bool is_guard = false;
  };
  // From the top down; what is in a removed part is not there.
  std::vector<Part> parts() const;
  // Of those: the expressions of bodies.
  std::vector<Part> statements() const;
  // Whether it is still there.
  bool has(const Part& part) const;
  void remove(const Part& part) { flag(part) = true; }
  void restore(const Part& part) { flag(part) = false; }

  std::string text(const std::vector<Insertion>& insertions) const;
  // Each place in the tree's text becomes that in the result; of what is pinned.
  std::string text_with(std::span<uint32_t> places) const {
    return edited().edits().applied(places);
  }
  // Nodes of functions that are left, without `sliced` and `_`.
  size_t node_count() const;

 private:
  enum class Place : uint8_t { Fixed, Expression, Pattern, Row };

  std::vector<bool>::reference flag(const Part& part) {
    return (part.is_guard ? guards_ : removed_)[static_cast<size_t>(part.node)];
  }
  bool is_removed(core::AstId id) const { return removed_[static_cast<size_t>(id)]; }
  bool is_pinned(core::AstId id) const { return pinned_[static_cast<size_t>(id)]; }
  void find_places();
  void place_children(core::AstId id);
  void place(core::AstId id, Place where);
  void place_all(ListId list, Place where);
  bool is_placeholder(core::AstId id) const;
  bool is_last_of_row(core::AstId id) const;
  slice::UnitEdits edited() const;
  void edit(slice::UnitEdits& edits, core::AstId id) const;
  void edit_row(slice::UnitEdits& edits, std::span<const core::AstId> items, bool is_body) const;
  template <class F>
  void for_each_row(core::AstId id, F&& f) const;  // f(items, whether it is a body)

  const Unit& unit_;
  const Ast& ast_;
  std::vector<core::AstId> parents_;
  std::vector<Place> places_;
  std::vector<bool> pinned_, removed_, guards_;
};

}  // namespace fathom::reduce
