// Subset constraints over sets of abstract values, solved by one worklist.
//
// A slot is a variable of the constraint system: it holds a set that only grows. An edge from a
// slot to another says that all of the first is in the second. A rule watches a slot, is given
// whatever comes to be in it, and may add slots, edges and rules in turn: so calls are connected
// as their functions are found. What a rule does must not depend on how often, or in which
// portions, it is given a value.
//
// Only differences are propagated: each slot remembers what its edges and rules have not seen
// yet. Slots on a cycle of edges have equal sets in the end; a cycle is looked for when an edge
// brings nothing new and both its ends are equal, once for each edge (Hardekopf and Lin, "The
// Ant and the Grasshopper", PLDI 2007), and its slots are merged into one. Those that are longer
// than such a look goes are found all at once (Tarjan), whenever the edges have doubled.
//
// An object may *cover* others: a set that holds it need not hold those, and drops them when it
// comes. The set of what is covered only grows too (`set_cover`); what is covered later is dropped
// when cycles are looked for. The slot of what is covered lies on cycles with much of a program,
// and must hold all that the others may drop; so it is never merged, nor is any that keeps all.
//
// Cost: for each edge, the sum of what passes it. Memory: the sets. Most slots have an edge or two
// and few values, so what counts is that a slot is one line of the cache: its edges and rules are
// lists in common arrays.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "base/word_set.h"
#include "flow/object_set.h"

namespace fathom::flow {

enum class Slot : uint32_t {};
inline constexpr Slot kNoSlot{0xFFFFFFFF};
constexpr bool exists(Slot slot) { return slot != kNoSlot; }
constexpr Slot operator+(Slot slot, size_t n) {
  return Slot{static_cast<uint32_t>(slot) + static_cast<uint32_t>(n)};
}

class Solver {
 public:
  using Rule = std::function<void(const ObjectSet& added)>;

  // The first of so many, which follow each other.
  Slot add_slots(size_t count = 1);
  void add(Slot slot, ObjectId object);
  void add_edge(Slot from, Slot to);
  // The rule gets what there is, and later what comes; not before run().
  void watch(Slot slot, Rule rule);

  // Where the object is, all that is in the slot is covered.
  void set_cover(ObjectId object, Slot covered) {
    cover_ = object;
    covered_ = covered;
  }

  // What is covered stays there. The slot must be new.
  void keep_all(Slot slot) { cells_[index(slot)].keeps_all = true; }

  // Until nothing changes any more.
  void run();

  const ObjectSet& values(Slot slot) const { return cells_[index(root(slot))].values; }

  size_t slot_count() const { return cells_.size(); }
  size_t edge_count() const { return edges_.size(); }
  size_t merged_count() const { return merged_; }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Cell {
    ObjectSet values;
    ObjectSet unseen;             // of its edges and rules
    uint32_t first_edge = kNone;  // the last that was added
    uint32_t first_rule = kNone;
    uint32_t edge_count : 30 = 0;
    uint32_t is_listed : 1 = 0;  // in todo_
    uint32_t keeps_all : 1 = 0;  // what is covered, too
  };
  static_assert(sizeof(Cell) <= 64);
  struct Edge {
    Slot to;
    uint32_t next;
  };
  struct Watcher {
    Rule rule;
    uint32_t next;
  };
  struct Start {  // a rule that is to see what the slot has already
    uint32_t rule;
    Slot slot;
  };

  static size_t index(Slot slot) { return static_cast<size_t>(slot); }
  Slot root(Slot slot) const;
  void list(Slot slot);
  bool may_drop(Slot slot) const;
  // Never merged with others.
  bool stays_apart(Slot slot) const {
    return slot == covered_ || cells_[index(slot)].keeps_all != 0;
  }
  // What its cover stands for, if it has come.
  void drop_covered(Slot slot);
  bool has_edge(Slot from, Slot to);
  // Edges that lead to the same slot by now become one.
  void drop_equal_edges(Slot slot, std::vector<Slot>& last_from);
  // Whether any of the values were new there.
  bool pass(const ObjectSet& values, Slot to);
  void propagate(Slot slot);
  void start_rules();
  void collapse_cycle(Slot from, Slot to);
  void collapse_all_cycles();
  void merge(Slot into, Slot from);

  std::vector<Cell> cells_;
  mutable std::vector<Slot> parents_;  // union-find over merged slots
  std::deque<Watcher> rules_;
  std::vector<Edge> edges_;
  WordSet known_edges_;  // of slots that have many
  WordSet checked_;      // edges that were looked at for cycles
  std::deque<Slot> todo_;
  std::vector<Start> starts_;
  std::vector<uint32_t> visited_;  // by collapse_cycle: in which of its looks
  uint32_t look_ = 0;
  size_t next_collapse_ = 50'000;  // at so many edges
  size_t merged_ = 0;
  ObjectId cover_{};
  Slot covered_ = kNoSlot;
};

}  // namespace fathom::flow
