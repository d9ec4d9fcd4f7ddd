// One collection of a heap: copies what is alive, and frees the rest.
//
//   Collector collector(heap, heap.wants_full_collection());
//   for (Value& root : roots) collector.visit(root);
//   collector.finish();
//
// A young collection copies from the young space to the old one; its roots are
// all places outside the heap that may hold a value made since the last
// collection. A full one copies from both to a new space; its roots are all
// places that may hold a value. Literals (permanent values) are left alone.
// There must be no mark.
//
// Cheney's algorithm: the copies that have not been looked at are the queue, so
// there is neither recursion nor a stack. Cost: proportional to what is alive (of
// the young values, in a young collection) and to the number of buffers.
#pragma once

#include <span>

#include "values/heap.h"
#include "values/value.h"

namespace fathom::machine {

class Collector {
 public:
  Collector(Heap& heap, bool full);
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;

  // Copies the value, if that has not happened, and lets the root point to the copy.
  void visit(Value& root) {
    if (!root.is_immediate() && is_from(root)) root = copy(root);
  }
  void visit(std::span<Value> roots) {
    for (Value& root : roots) visit(root);
  }
  // To be called once, after all roots.
  void finish();

 private:
  bool is_from(Value value) const {
    const uint64_t* words = value.words();
    return heap_.young_.holds(words) || (full_ && heap_.old_.holds(words));
  }
  Value copy(Value value);
  template <bool IsLabelled>
  Value copy_list(Value list);
  template <bool IsLabelled>
  Value copy_box(Value box);
  void scan();
  void free_buffers();
  void set_thresholds();

  Heap& heap_;
  bool full_;
  Space target_;    // the old space, or the one that will be that
  uint64_t* scan_;  // before here, no value of the target leads back to a space under collection
};

}  // namespace fathom::machine
