// Balance: the weight of a tree is its size plus one; of two siblings neither weighs
// more than kDelta times the other. After one insertion or removal a rotation restores
// it, a single one if the inner grandchild weighs less than kGamma times the outer one.
// (3, 2) is the pair of integers for which this is known to hold for both operations:
// Hirai and Yamamoto, "Balancing weight-balanced trees", 2011.
#include "values/ordered_tree.h"

#include "values/compare.h"

namespace fathom::machine {
namespace {

constexpr size_t kDelta = 3;
constexpr size_t kGamma = 2;

Value object_of(Value node) { return node.element(0); }
Value left_of(Value node) { return node.element(1); }
Value right_of(Value node) { return node.element(2); }
size_t weight(Value tree) { return ordered_tree_size(tree) + 1; }

Value new_node(Heap& heap, Value object, Value left, Value right) {
  const size_t size = ordered_tree_size(left) + ordered_tree_size(right) + 1;
  return heap.tuple({object, left, right, Value::small(static_cast<int64_t>(size))});
}

// A node whose right side may be too heavy.
Value lean_left(Heap& heap, Value object, Value left, Value right) {
  const Value inner = left_of(right);
  const Value outer = right_of(right);
  if (weight(inner) < kGamma * weight(outer)) {
    return new_node(heap, object_of(right), new_node(heap, object, left, inner), outer);
  }
  return new_node(heap, object_of(inner), new_node(heap, object, left, left_of(inner)),
                  new_node(heap, object_of(right), right_of(inner), outer));
}

Value lean_right(Heap& heap, Value object, Value left, Value right) {
  const Value inner = right_of(left);
  const Value outer = left_of(left);
  if (weight(inner) < kGamma * weight(outer)) {
    return new_node(heap, object_of(left), outer, new_node(heap, object, inner, right));
  }
  return new_node(heap, object_of(inner), new_node(heap, object_of(left), outer, left_of(inner)),
                  new_node(heap, object, right_of(inner), right));
}

Value balanced(Heap& heap, Value object, Value left, Value right) {
  if (weight(right) > kDelta * weight(left)) return lean_left(heap, object, left, right);
  if (weight(left) > kDelta * weight(right)) return lean_right(heap, object, left, right);
  return new_node(heap, object, left, right);
}

// The way from the root to a place.
struct Step {
  Value object;
  Value left;
  Value right;
  bool went_right;
};
using Path = SmallStack<Step, 48>;

void descend(Path& path, Value node, bool to_the_right) {
  path.push({object_of(node), left_of(node), right_of(node), to_the_right});
}

Value rebuild(Heap& heap, Path& path, Value changed) {
  while (!path.empty()) {
    const Step step = path.pop();
    changed = step.went_right ? balanced(heap, step.object, step.left, changed)
                              : balanced(heap, step.object, changed, step.right);
  }
  return changed;
}

// The way to the node with the key, which is returned; [] if there is none.
Value find(Value tree, size_t position, Value key, Path& path) {
  while (!tree.is_nil()) {
    const int order = compare(key, object_of(tree).element(position));
    if (order == 0) return tree;
    descend(path, tree, order > 0);
    tree = order > 0 ? right_of(tree) : left_of(tree);
  }
  return tree;
}

}  // namespace

size_t ordered_tree_size(Value tree) {
  return tree.is_nil() ? 0 : static_cast<size_t>(tree.element(3).small());
}

Value ordered_tree_get(Value tree, size_t position, Value key) {
  while (!tree.is_nil()) {
    const int order = compare(key, object_of(tree).element(position));
    if (order == 0) return object_of(tree);
    tree = order > 0 ? right_of(tree) : left_of(tree);
  }
  return Value::none();
}

Value ordered_tree_put(Heap& heap, Value tree, size_t position, Value object) {
  Path path;
  const Value found = find(tree, position, object.element(position), path);
  const Value node = found.is_nil() ? new_node(heap, object, Value::nil(), Value::nil())
                                    : new_node(heap, object, left_of(found), right_of(found));
  return rebuild(heap, path, node);
}

Value ordered_tree_remove(Heap& heap, Value tree, size_t position, Value key) {
  Path path;
  const Value found = find(tree, position, key, path);
  if (found.is_nil()) return tree;
  if (left_of(found).is_nil()) return rebuild(heap, path, right_of(found));
  if (right_of(found).is_nil()) return rebuild(heap, path, left_of(found));
  // Its successor takes its place.
  Path below;
  Value successor = right_of(found);
  while (!left_of(successor).is_nil()) {
    descend(below, successor, false);
    successor = left_of(successor);
  }
  const Value right = rebuild(heap, below, right_of(successor));
  return rebuild(heap, path, balanced(heap, object_of(successor), left_of(found), right));
}

Value ordered_tree_at(Value tree, size_t index) {
  for (;;) {
    const size_t before = ordered_tree_size(left_of(tree));
    if (index == before) return object_of(tree);
    tree = index > before ? right_of(tree) : left_of(tree);
    if (index > before) index -= before + 1;
  }
}

Value OrderedTreeWalk::next() {
  if (open_.empty()) return Value::none();
  const Value node = open_.pop();
  Value below = node.element(backwards_ ? kLeft : kRight);
  while (!below.is_nil()) {
    open_.push(below);
    below = below.element(backwards_ ? kRight : kLeft);
  }
  return node.element(kObject);
}

}  // namespace fathom::machine
