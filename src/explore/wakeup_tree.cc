#include "explore/wakeup_tree.h"

#include <algorithm>
#include <utility>

namespace fathom::explore {
namespace {

// Whether a receive of the sequence observes that the message which it has taken was sent before
// the event's message: it could have taken that one as well, and the one it has taken was sent
// since the event could have happened. Then the event cannot come first.
//
// Example: the sequence is P.1: P ! a, P.2: P ! b, P: receive X, which takes a. Could P.2: P ! b
// come first? The two sends commute, but then the receive would take b, which is not an execution
// of the same class.
//
// The message that was taken may have been sent before the event could have happened: then it lies
// before the event's message in the mailbox in any case. The same holds if its send should be in
// the sequence and is not: then it was taken out, because a wake-up tree already has it further up.
bool observes(const Dependence& dependence, const Record& receive, const Record& event,
              Position position, const Sequence& sequence) {
  if (!receive.takes() || !exists(receive.taken_at)) return false;
  if (receive.taken == event.id || is_before(receive.taken_at, position.since)) return false;
  const auto is_taken = [&](const EventSummary* i) { return i->record->id == receive.taken; };
  if (!is_before(receive.taken_at, position.depth) &&
      std::ranges::none_of(sequence.items(), is_taken)) {
    return false;
  }
  return dependence.would_take(receive, event);
}

}  // namespace

// From the end, since most conflicts are there (test_initial). Then, for a send that is part of the
// sequence, what comes after it: a receive there takes the oldest message that it can, and that
// would be another one if this message were sent first. Once the message itself is taken, later
// receives cannot see it any more.
bool commutes_with_prefix(const Dependence& dependence, const EventSummary& event,
                          Position position, const Sequence& sequence, size_t until) {
  for (size_t i = until; i-- > 0;) {
    const EventSummary& other = sequence[i];
    if (!event.filter.may_conflict(other.filter)) continue;
    if (dependence.are_dependent(event, other) ||
        (event.sends && observes(dependence, *other.record, *event.record, position, sequence))) {
      return false;
    }
  }
  for (size_t i = sequence.find(event.actor) + 1; i < sequence.size() && event.sends; ++i) {
    const Record& other = *sequence[i].record;
    if (other.takes() && other.taken == event.record->id) break;
    if (observes(dependence, other, *event.record, position, sequence)) return false;
  }
  return true;
}

// ---- The pool ---------------------------------------------------------------
//
// Nodes stay where they are, in a deque. Those that are free are a list, linked by `next`.

WakeupTree::Node* WakeupTree::Pool::make(RecordPtr record, const Reversal& reversal) {
  ++count_;
  if (!spare_) spare_ = &nodes_.emplace_back();
  Node* node = spare_;
  spare_ = node->next;
  node->summary = record.get();
  node->child = node->next = nullptr;
  node->reversal = reversal;
  node->record = std::move(record);
  return node;
}

void WakeupTree::Pool::free(Node* node) {
  --count_;
  node->record.reset();
  node->next = spare_;
  spare_ = node;
}

// ---- The tree ---------------------------------------------------------------

size_t WakeupTree::size() const {
  size_t count = 0;
  for (const Node* node = first_; node; node = node->next) ++count;
  return count;
}

// A branch is as long as an execution may be, so there is no recursion: the children of a node that
// is freed take its place in the list.
void WakeupTree::clear(Pool& pool) {
  while (first_) {
    Node* node = first_;
    first_ = node->next;
    for (Node* child = std::exchange(node->child, nullptr); child;) {
      Node* next = std::exchange(child->next, first_);
      first_ = std::exchange(child, next);
    }
    pool.free(node);
  }
}

// Walks down as long as some child is a weak initial of what is left of the sequence. A child that
// is in the sequence is taken out of it; one that is not, and commutes with all of it, is passed:
// the branch performs an event more than the sequence asks for, which does no harm. Children are
// tried in the order in which they will be explored, and the first that fits is taken: once it has
// been explored its event sleeps, and the sequence would be blocked in any later branch.
WakeupTree::End WakeupTree::descend(const Dependence& dependence, Depth depth, Sequence& sequence) {
  Node** link = &first_;
  for (bool is_root = true;; is_root = false) {
    // From a leaf on the search goes on as it likes: the rest of the sequence is covered.
    if (sequence.empty() || (!*link && !is_root)) return {nullptr, is_root};
    InitialTest test{false, 0};
    while (*link) {
      test = test_initial(dependence, (*link)->summary, {depth, depth}, sequence);
      if (test.is_weak_initial) break;
      link = &(*link)->next;
    }
    if (!*link) return {link, is_root};
    if (test.place < sequence.size()) sequence.erase(test.place);
    link = &(*link)->child;
  }
}

// The branch is about to be followed: its first event leads to the next state, and the rest is what
// is to be explored from there.
WakeupTree::First WakeupTree::take_first(Pool& pool, WakeupTree& below) {
  Node* node = first_;
  first_ = node->next;
  below.first_ = std::exchange(node->child, nullptr);
  const First first{node->summary.actor, node->reversal};
  pool.free(node);
  return first;
}

}  // namespace fathom::explore
