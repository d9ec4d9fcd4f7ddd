// Tuples in the order of one of their elements, the key: what an ETS table of type
// ordered_set holds. Keys are the same if == says so.
//
// A persistent weight-balanced tree: a node is a tuple {Object, Left, Right, Size}, the
// empty tree is []. Updating copies the way to the object: O(log n), as are finding,
// the neighbours of a key, and the object at a place. No recursion.
#pragma once

#include <cstddef>

#include "values/heap.h"
#include "values/small_stack.h"
#include "values/value.h"

namespace fathom::machine {

constexpr Value empty_ordered_tree() { return Value::nil(); }
size_t ordered_tree_size(Value tree);
// The object with the key, or none(). `position` of the key in its object: from 0.
Value ordered_tree_get(Value tree, size_t position, Value key);
// Takes the place of the one with the same key, if there is one.
Value ordered_tree_put(Heap& heap, Value tree, size_t position, Value object);
// The same tree if it has no such key.
Value ordered_tree_remove(Heap& heap, Value tree, size_t position, Value key);
// The object that so many are before; there are more than that.
Value ordered_tree_at(Value tree, size_t index);

// The objects one after another, forwards or backwards. Holds values: no collection may
// happen in between.
class OrderedTreeWalk {
 public:
  // From the first object (the last one, backwards) that is wanted on. Those that are
  // wanted must be the last ones in the direction of the walk: is_wanted(object).
  template <class Predicate>
  OrderedTreeWalk(Value tree, bool backwards, Predicate is_wanted) : backwards_(backwards) {
    while (!tree.is_nil()) {
      if (is_wanted(tree.element(kObject))) {
        open_.push(tree);
        tree = tree.element(backwards_ ? kRight : kLeft);
      } else {
        tree = tree.element(backwards_ ? kLeft : kRight);
      }
    }
  }
  OrderedTreeWalk(Value tree, bool backwards)
      : OrderedTreeWalk(tree, backwards, [](Value) { return true; }) {}

  // The next object; none() at the end.
  Value next();

 private:
  static constexpr size_t kObject = 0;
  static constexpr size_t kLeft = 1;
  static constexpr size_t kRight = 2;

  bool backwards_;
  SmallStack<Value, 32> open_;
};

}  // namespace fathom::machine
