// What of a value is needed: nothing, all of it, or some of its parts.
//
// A constraint on the edges of a dependence graph (S. Pérez, "Analysis Techniques for Software
// Maintenance", 2023, chapter 4) says which part of a structure is meant: `{0` that of the first
// element. The stack of constraints on the way to a value is a path into it, and the set of all
// stacks with which a value is reached is a set of paths: a tree. That tree is a need.
//
// A need is a number. Trees are interned, so that equal ones are equal numbers, and joins are
// remembered: a slice works with integers. An inner node has a need for each selector: the
// element of a tuple, head or tail of a cell, the value under a key. A node without selectors
// is needed for its outermost constructor alone: that it is there, and what it is.
//
// Termination: trees are of bounded depth. A chain of tails that is longer than kMostTails becomes
// a node whose tail is itself, "each element of the list as this": that is what a loop over a list
// comes to. What nests deeper than kMostDepth is needed as a whole. So chains of joins are finite.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/atom.h"

namespace fathom::slice {

enum class NeedId : uint32_t {};
inline constexpr NeedId kNothing{0};
inline constexpr NeedId kWhole{1};
inline constexpr NeedId kShape{2};  // its outermost constructor

constexpr bool is_some(NeedId need) { return need != kNothing; }

// Which part of a structure.
struct Selector {
  enum class Kind : uint8_t { Element, Head, Tail, AtomKey, IntegerKey };
  Kind kind = Kind::Element;
  uint64_t value = 0;  // which element, from 0 on; the key
  // Of an element: that of tuples with so many elements, of which the first is this atom. None: of
  // any. So what is needed of {ok, Value} is not needed of {error, Reason}.
  uint32_t size = 0;
  std::optional<Atom> tag = {};
  auto operator<=>(const Selector&) const = default;

  static Selector element(size_t index, size_t size = 0, std::optional<Atom> tag = {}) {
    return {Kind::Element, index, static_cast<uint32_t>(size), tag};
  }
  static Selector head() { return {Kind::Head, 0}; }
  static Selector tail() { return {Kind::Tail, 0}; }
};

class Needs {
 public:
  static constexpr uint32_t kMostDepth = 8;
  static constexpr uint32_t kMostTails = 4;

  // `has_fields`: else a part stands for the whole structure.
  explicit Needs(bool has_fields);

  NeedId join(NeedId a, NeedId b);
  // Of a structure: this of one of its parts.
  NeedId of_part(Selector part, NeedId need);
  // Of a list: all its cells, and this of each of their heads.
  NeedId of_list(NeedId element);
  // Of any element of a list, what follows from the need of the list.
  NeedId elements(NeedId list);
  // Of the part: what follows from the need of the structure.
  NeedId part(NeedId structure, Selector part) const;
  // The same of an element of a tuple with so many elements, the first of which is this atom; none:
  // it may be any.
  NeedId element(NeedId structure, size_t index, size_t size, std::optional<Atom> tag);
  // Of an element of a tuple of which nothing is known.
  NeedId element_of_any(NeedId structure, size_t index);
  // Whether anything is needed under a key of a map, or it is needed as a whole.
  bool has_keys(NeedId need) const;

 private:
  struct Field {
    Selector selector;
    NeedId need{};
    bool operator==(const Field&) const = default;
  };
  struct Tree {
    uint32_t first = 0;  // its fields in fields_, in ascending order
    uint32_t count = 0;
    bool is_list = false;  // the tail is as this
    uint32_t depth = 0;
    uint32_t tails = 0;
  };
  // From hashes to trees and from pairs to their joins: open addressing, a power of two.
  struct Joined {
    uint64_t pair = 0;
    NeedId need{};
  };

  const Tree& tree(NeedId id) const { return trees_[static_cast<size_t>(id)]; }
  std::span<const Field> fields(NeedId id) const {
    return std::span(fields_).subspan(tree(id).first, tree(id).count);
  }
  // The tree of the fields from `base` on, which are scratch_'s last.
  NeedId intern(size_t base, bool is_list);
  NeedId folded(size_t base);
  NeedId found_or_added(size_t base, Tree tree);
  void copy_fields(NeedId id, bool has_tail);
  Joined& joined(uint64_t pair);
  static uint64_t hash(std::span<const Field> fields, bool is_list);

  bool has_fields_;
  std::vector<Tree> trees_;
  std::vector<Field> fields_;
  std::vector<Field> scratch_;  // of trees that are being made; a stack
  std::vector<uint32_t> by_hash_;
  std::vector<Joined> joins_;
  size_t join_count_ = 0;
};

}  // namespace fathom::slice
