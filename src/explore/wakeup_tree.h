// The wake-up tree of a state: which continuations of the execution up to that state are known to
// be needed (optimal dynamic partial-order reduction).
//
// A path from the root is a sequence of events to be performed before the search is free to go on
// as it likes. No two paths, in whatever way they are continued, lead to equivalent executions: to
// insert a sequence, insert() walks down as long as a child is a *weak initial* of it, that is,
// could as well be its first event, takes that event out of the sequence, and adds what is left
// where no child is one. If nothing is left, or a leaf is reached, the sequence is covered.
//
// An event e is a weak initial of a sequence w if some execution that begins with e is equivalent
// to one that begins with w: either e is in w and commutes with all that comes before it there, or
// it is not, and commutes with all of w. (In the papers: WI(w); the initials I(w) are those in w.)
//
// Example: the tree has the branch P.1: write x, P.2: read x. To insert P.3: write y, P.1: write x,
// P.2: read x: the child P.1: write x is in the sequence, and commutes with P.3: write y before it,
// so it is taken out; then likewise P.2: read x, which is a leaf. The sequence is covered: going on
// from that leaf, the search will perform P.3: write y anyway.
//
// Cost: of an insertion, the length of the sequence for each node on the way, and its siblings.
// Nodes come from a pool, which owns them: trees are taken apart and grow with every execution. The
// trees of a search can become large, even as large as the number of its executions. When there are
// kMost nodes, only the first event of a sequence is inserted, if no child is a weak initial of the
// sequence: a source set, which leads to all classes as well, but may lead to executions that turn
// out to be known (Ending::Blocked).
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "explore/dependence.h"

namespace fathom::explore {

// Events that are to follow each other. It does not own them.
class Sequence {
 public:
  size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  const EventSummary& operator[](size_t i) const { return *items_[i]; }
  std::span<const EventSummary* const> items() const { return items_; }

  void clear() {
    items_.clear();
    actors_ = 0;
  }
  void reserve(size_t size) { items_.reserve(size); }
  void push_back(const EventSummary& event) {
    items_.push_back(&event);
    actors_ |= bit(event.actor);
  }
  void erase(size_t place) { items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(place)); }
  void shorten(size_t size) { items_.resize(size); }
  // Where the first event of the actor is; its size: there is none.
  size_t find(ActorId actor) const {
    const size_t size = items_.size();
    if ((actors_ & bit(actor)) == 0) return size;
    size_t i = 0;
    while (i < size && items_[i]->actor != actor) ++i;
    return i;
  }

 private:
  static uint64_t bit(ActorId actor) { return uint64_t{1} << column(actor) % 64; }

  std::vector<const EventSummary*> items_;
  uint64_t actors_ = 0;  // a bit for each that may have an event in it
};

// Whether the event is a weak initial of the sequence. If the event is part of the sequence, its
// place there is returned.
struct InitialTest {
  bool is_weak_initial;
  size_t place;  // in the sequence; its size: the event is not there
};
// The sequence is to follow the first `depth` events of the execution; the event could have
// happened after the first `since` of those.
struct Position {
  Depth since;
  Depth depth;
};

// Whether it could come before the first `until` events of the sequence, and whether none of
// the others keeps it from that.
bool commutes_with_prefix(const Dependence& dependence, const EventSummary& event,
                          Position position, const Sequence& sequence, size_t until);

// The last events of a sequence are a race: most that conflict with it at all do so there.
inline InitialTest test_initial(const Dependence& dependence, const EventSummary& event,
                                Position position, const Sequence& sequence) {
  const size_t place = sequence.find(event.actor);
  size_t i = place;
  while (i > 0) {
    const EventSummary& other = sequence[i - 1];
    if (event.filter.may_conflict(other.filter)) {
      if (!event.is_simple() || !other.is_simple()) break;
      if (event.conflicts_with(other)) return {false, place};
    }
    --i;
  }
  const bool is_done = i == 0 && !event.sends;
  return {is_done || commutes_with_prefix(dependence, event, position, sequence, i), place};
}

// Two events whose order is reversed: the second is to come before the first.
struct Reversal {
  EventId first;
  EventId second;
};

class WakeupTree {
 public:
  // What is looked at on the way down comes first: it is one cache line.
  struct alignas(64) Node {
    EventSummary summary;
    Node* child = nullptr;  // the first one
    Node* next = nullptr;   // child of the same parent
    Reversal reversal;      // because of which it is there
    RecordPtr record;
  };
  // Of all trees of a search.
  class Pool {
   public:
    Node* make(RecordPtr record, const Reversal& reversal);
    void free(Node* node);
    size_t count() const { return count_; }  // of nodes that are in trees

   private:
    std::deque<Node> nodes_;
    Node* spare_ = nullptr;
    size_t count_ = 0;
  };

  static constexpr size_t kMost = 20'000;

  bool empty() const { return !first_; }
  size_t size() const;  // branches at the root
  void clear(Pool& pool);

  // `depth`: of the execution at whose end the tree is. `keep` makes a record that stays
  // valid. What is in the tree already is taken out of the sequence. Whether anything was
  // added.
  template <class Keep>
  bool insert(Pool& pool, const Dependence& dependence, Depth depth, Sequence& sequence,
              const Reversal& reversal, Keep&& keep) {
    const bool is_full = pool.count() >= kMost;
    const End end = descend(dependence, depth, sequence);
    if (!end.link || (is_full && !end.is_root)) return false;
    if (is_full) sequence.shorten(1);
    Node** link = end.link;
    for (const EventSummary* event : sequence.items()) {
      *link = pool.make(keep(*event->record), reversal);
      link = &(*link)->child;
    }
    return true;
  }

  // Takes the first child out; what is below it becomes a tree of its own.
  struct First {
    ActorId actor;
    Reversal reversal;
  };
  First take_first(Pool& pool, WakeupTree& below);

 private:
  // The end of a list of children, to which the rest of a sequence belongs; null: it is
  // there already.
  struct End {
    Node** link;
    bool is_root;
  };
  End descend(const Dependence& dependence, Depth depth, Sequence& sequence);

  Node* first_ = nullptr;
};

}  // namespace fathom::explore
