#include "explore/wakeup_tree.h"

#include <algorithm>

namespace fathom::explore {
namespace {

// Whether a receive of the sequence tells that a message which it has taken, sent since the
// event could have happened, was there before the event's.
bool observes(const Dependence& dependence, const Record& receive, const Record& event,
              Position position, std::span<const Glance> sequence) {
  if (!receive.takes() || receive.taken_at == kNoIndex) return false;
  if (receive.taken == event.id || receive.taken_at < position.since) return false;
  const auto is_taken = [&](const Glance& i) { return i.record->id == receive.taken; };
  if (receive.taken_at >= position.depth &&
      std::none_of(sequence.begin(), sequence.end(), is_taken)) {
    return false;
  }
  return dependence.would_take(receive, event);
}

}  // namespace

Beginning can_begin(const Dependence& dependence, const Glance& event, Position position,
                    std::span<const Glance> sequence) {
  const auto own = std::find_if(sequence.begin(), sequence.end(),
                                [&](const Glance& item) { return item.thread == event.thread; });
  const auto place = static_cast<size_t>(own - sequence.begin());
  // The last events of a sequence are a race: most that collide with it at all do so there.
  for (size_t i = place; i-- > 0;) {
    if (!event.scent.may_collide(sequence[i].scent)) continue;
    const Record& other = *sequence[i].record;
    if (dependence.collide(*event.record, other) ||
        (event.sends && observes(dependence, other, *event.record, position, sequence))) {
      return {false, place};
    }
  }
  for (size_t i = place + 1; i < sequence.size() && event.sends; ++i) {
    const Record& other = *sequence[i].record;
    if (other.takes() && other.taken == event.record->id) break;
    if (observes(dependence, other, *event.record, position, sequence)) return {false, place};
  }
  return {true, place};
}

std::vector<WakeupTree::Node>* WakeupTree::descend(const Dependence& dependence, uint32_t depth,
                                                   Sequence& sequence) {
  std::vector<Node>* children = &children_;
  for (bool is_root = true;; is_root = false) {
    // What ends at a leaf goes on as the search likes.
    if (sequence.empty() || (children->empty() && !is_root)) return nullptr;
    Node* next = nullptr;
    for (Node& child : *children) {
      const Beginning beginning = can_begin(dependence, child.glance, {depth, depth}, sequence);
      if (!beginning.can_begin) continue;
      if (beginning.place < sequence.size()) {
        sequence.erase(sequence.begin() + static_cast<std::ptrdiff_t>(beginning.place));
      }
      next = &child;
      break;
    }
    if (!next) return children;
    children = &next->children;
  }
}

WakeupTree::Node WakeupTree::take_first(WakeupTree& below) {
  Node first = std::move(children_.front());
  children_.erase(children_.begin());
  below.children_ = std::move(first.children);
  return first;
}

}  // namespace fathom::explore
