#include "syntax/compare.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/term_print.h"

namespace fathom {
namespace {

std::string integer_text(const Unit& unit, NodeId id) {
  const uint32_t value = unit.ast.slot(id, 0);
  if (unit.ast[id].flags & Node::kPooled) return unit.literals().integers[value];
  return std::to_string(value);
}

// A number's meaning depends on its node's kind: nodes.def.
std::string number_text(const Unit& unit, NodeId id, uint32_t value) {
  switch (unit.ast.kind(id)) {
    case NodeKind::Integer:
      return integer_text(unit, id);
    case NodeKind::Float: {  // the digits tell any two floats apart
      std::string digits;
      append_float(digits, unit.literals().floats[value]);
      return digits;
    }
    case NodeKind::String:
      return std::string(unit.literals().strings[value]);
    case NodeKind::ErrorForm:
    case NodeKind::WarningForm:
      return unit.form_messages[value].text;
    default:
      return std::to_string(value);
  }
}

class Comparison {
 public:
  Comparison(const Unit& left, const Unit& right) : left_(left), right_(right) {}

  std::optional<TreeDifference> run(std::span<const NodeId> lefts, std::span<const NodeId> rights) {
    push_lists(lefts, rights);
    flip(0);
    while (!todo_.empty()) {
      const Pair pair = todo_.back();
      todo_.pop_back();
      const size_t mark = todo_.size();
      if (!same_node(pair)) {
        return TreeDifference{pair.left, pair.right, std::move(what_)};
      }
      flip(mark);
    }
    return std::nullopt;
  }

 private:
  struct Pair {
    NodeId left;
    NodeId right;
  };

  // Children are pushed first to last and then turned over, so that the first one
  // is on top.
  void flip(size_t mark) {
    for (size_t i = mark, j = todo_.size(); i + 1 < j; ++i) std::swap(todo_[i], todo_[--j]);
  }

  // Of lists of unequal length the first surplus element is the difference; it is
  // found after all those before it.
  void push_lists(std::span<const NodeId> lefts, std::span<const NodeId> rights) {
    const size_t common = std::min(lefts.size(), rights.size());
    for (size_t i = 0; i < common; ++i) todo_.push_back({lefts[i], rights[i]});
    if (lefts.size() > common) todo_.push_back({lefts[common], kNoNode});
    if (rights.size() > common) todo_.push_back({kNoNode, rights[common]});
  }

  bool differ(std::string_view field, std::string_view left, std::string_view right) {
    what_ = std::string(field) + ": " + std::string(left) + ", " + std::string(right);
    return false;
  }

  bool same_node(Pair pair) {
    if (!exists(pair.left) && !exists(pair.right)) return true;
    if (!exists(pair.left)) return differ("missing", "none", tag(right_, pair.right));
    if (!exists(pair.right)) return differ("missing", tag(left_, pair.left), "none");
    if (left_.ast.kind(pair.left) != right_.ast.kind(pair.right)) {
      return differ("kind", tag(left_, pair.left), tag(right_, pair.right));
    }
    const auto fields = schema_of(left_.ast.kind(pair.left)).fields;
    for (size_t i = 0; i < fields.size(); ++i) {
      if (!same_field(pair, fields[i], i)) return false;
    }
    return true;
  }

  bool same_field(Pair pair, const FieldSchema& schema, size_t index) {
    const uint32_t a = left_.ast.slot(pair.left, index);
    const uint32_t b = right_.ast.slot(pair.right, index);
    switch (schema.kind) {
      case FieldKind::One:
      case FieldKind::Opt:
        todo_.push_back({NodeId{a}, NodeId{b}});
        return true;
      case FieldKind::Many:
        push_lists(left_.ast.list(ListId{a}), right_.ast.list(ListId{b}));
        return true;
      case FieldKind::Guard:
        return push_guards(schema, left_.ast.guard(ListId{a}), right_.ast.guard(ListId{b}));
      case FieldKind::Atom:
        return a == b || differ(schema.name, Atom(a).text(), Atom(b).text());
      case FieldKind::Num: {
        const std::string x = number_text(left_, pair.left, a);
        const std::string y = number_text(right_, pair.right, b);
        return x == y || differ(schema.name, x, y);
      }
    }
    return true;
  }

  bool push_guards(const FieldSchema& schema, std::span<const ListId> lefts,
                   std::span<const ListId> rights) {
    if (lefts.size() != rights.size()) {
      return differ(schema.name, std::to_string(lefts.size()) + " alternatives",
                    std::to_string(rights.size()));
    }
    for (size_t i = 0; i < lefts.size(); ++i) {
      push_lists(left_.ast.list(lefts[i]), right_.ast.list(rights[i]));
    }
    return true;
  }

  static std::string_view tag(const Unit& unit, NodeId id) {
    return schema_of(unit.ast.kind(id)).tag;
  }

  const Unit& left_;
  const Unit& right_;
  std::vector<Pair> todo_;
  std::string what_;
};

}  // namespace

std::optional<TreeDifference> find_difference(const Unit& left, std::span<const NodeId> left_roots,
                                              const Unit& right,
                                              std::span<const NodeId> right_roots) {
  return Comparison(left, right).run(left_roots, right_roots);
}

std::optional<TreeDifference> find_difference(const Unit& left, const Unit& right) {
  return find_difference(left, left.ast.forms(), right, right.ast.forms());
}

}  // namespace fathom
