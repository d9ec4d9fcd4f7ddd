#include "explore/wakeup_tree.h"

#include <algorithm>
#include <utility>

namespace fathom::explore {
namespace {

// Whether a receive of the sequence observes that the message which it has taken was sent before
// the event's message: it could have taken that one as well, and the one it has taken was sent
// since the event could have happened. Then the event cannot come first.
bool observes(const Dependence& dependence, const Record& receive, const Record& event,
              Position position, const Sequence& sequence) {
  if (!receive.takes() || receive.taken_at == kNoIndex) return false;
  if (receive.taken == event.id || receive.taken_at < position.since) return false;
  const auto is_taken = [&](const EventSummary* i) { return i->record->id == receive.taken; };
  if (receive.taken_at >= position.depth && std::ranges::none_of(sequence.items(), is_taken)) {
    return false;
  }
  return dependence.would_take(receive, event);
}

}  // namespace

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

WakeupTree::Node* WakeupTree::Pool::make(RecordPtr record, const Reversal& reversal) {
  ++count_;
  if (!spare_) spare_ = &nodes_.emplace_back();
  Node* node = spare_;
  spare_ = node->next;
  *node = {record.get(), reversal, std::move(record)};
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

void WakeupTree::clear(Pool& pool) {
  while (first_) {
    Node* node = first_;
    first_ = node->next;
    // Its children take its place.
    for (Node* child = std::exchange(node->child, nullptr); child;) {
      Node* next = std::exchange(child->next, first_);
      first_ = std::exchange(child, next);
    }
    pool.free(node);
  }
}

WakeupTree::End WakeupTree::descend(const Dependence& dependence, uint32_t depth,
                                    Sequence& sequence) {
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

WakeupTree::First WakeupTree::take_first(Pool& pool, WakeupTree& below) {
  Node* node = first_;
  first_ = node->next;
  below.first_ = std::exchange(node->child, nullptr);
  const First first{node->summary.actor, node->reversal};
  pool.free(node);
  return first;
}

}  // namespace fathom::explore
