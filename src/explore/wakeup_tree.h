// Which continuations of an execution are known to be needed: the wake-up tree of optimal
// dynamic partial-order reduction.
//
// A path from the root is a sequence of events to be performed before the search is free
// to go on as it likes. No two of them, in whatever way they are continued, lead to
// equivalent executions: insert() walks down as long as a child could as well be the first
// event of the new sequence, and adds only what is left.
//
// Cost: of an insertion, the length of the sequence for each node that is looked at. The
// trees of a search can become large, even as large as the number of its executions. When
// there are kMost nodes, only the first event of a sequence is inserted, if none is there
// that could begin it: a source set, which leads to all executions as well, but may lead
// to some that turn out to be known (Ending::Blocked).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "explore/dependence.h"

namespace fathom::explore {

// What is asked of an event most often, without a look at its record.
struct Glance {
  Glance(const Record* r)
      : record(r), thread(r->id.thread), sends(!r->event.sent.empty()), scent(r->scent) {}
  const Record* record;
  ThreadId thread;
  bool sends;
  Scent scent;
};
// Events that are to follow each other.
using Sequence = std::vector<Glance>;

// Whether there is an execution equivalent to one that begins with the sequence, and that
// begins with the event. If the event is one of the sequence, that one's place is returned.
struct Beginning {
  bool can_begin;
  size_t place;  // in the sequence; its size: the event is not there
};
// The sequence is to follow the first `depth` events of the execution; the event could have
// happened after the first `since` of those.
struct Position {
  uint32_t since;
  uint32_t depth;
};
Beginning can_begin(const Dependence& dependence, const Glance& event, Position position,
                    std::span<const Glance> sequence);

// Two events whose order is turned round: the second is to come before the first.
struct Reversal {
  EventId first;
  EventId second;
};

class WakeupTree {
 public:
  struct Node {
    Node(std::unique_ptr<Record> event, const Reversal& why)
        : glance(event.get()), reversal(why), record(std::move(event)) {
      ++count;
    }
    Node(Node&&) = default;
    Node& operator=(Node&&) = default;
    ~Node() {
      if (record) --count;
    }

    inline static size_t count = 0;  // of all that there are
    Glance glance;
    Reversal reversal;  // because of which it is there
    std::unique_ptr<Record> record;
    std::vector<Node> children;
  };

  static constexpr size_t kMost = 20'000;

  bool empty() const { return children_.empty(); }
  size_t size() const { return children_.size(); }  // branches at the root
  void clear() { children_.clear(); }

  // `depth`: of the execution at whose end the tree is. `keep` makes a record that stays
  // valid. What is in the tree already is taken out of the sequence. Whether anything was
  // added.
  template <class Keep>
  bool insert(const Dependence& dependence, uint32_t depth, Sequence& sequence,
              const Reversal& reversal, Keep&& keep) {
    const bool is_full = Node::count >= kMost;
    std::vector<Node>* children = descend(dependence, depth, sequence);
    if (!children || (is_full && children != &children_)) return false;
    if (is_full) sequence.erase(sequence.begin() + 1, sequence.end());
    for (const Glance& event : sequence) {
      children = &children->emplace_back(keep(*event.record), reversal).children;
    }
    return true;
  }

  // Takes the first child out, and what is below it.
  Node take_first(WakeupTree& below);

 private:
  // Where the rest of the sequence belongs; null: it is there already.
  std::vector<Node>* descend(const Dependence& dependence, uint32_t depth, Sequence& sequence);

  std::vector<Node> children_;
};

}  // namespace fathom::explore
