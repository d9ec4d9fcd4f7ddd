#include "explore/wakeup_tree.h"

#include <algorithm>

namespace fathom::explore {
namespace {

// Whether a receive of the sequence tells that a message which it has taken, sent since the
// event could have happened, was there before the event's.
bool observes(const Dependence& dependence, const Record& receive, const Record& event,
              Position position, std::span<const Record* const> sequence) {
  if (event.event.sent.empty() || !receive.takes() || receive.taken_at == kNoIndex) return false;
  if (receive.taken == event.id || receive.taken_at < position.since) return false;
  const auto is_taken = [&](const Record* other) { return other->id == receive.taken; };
  if (receive.taken_at >= position.depth &&
      std::none_of(sequence.begin(), sequence.end(), is_taken)) {
    return false;
  }
  return dependence.would_take(receive, event);
}

}  // namespace

Beginning can_begin(const Dependence& dependence, const Record& event, Position position,
                    std::span<const Record* const> sequence) {
  size_t place = 0;
  for (; place < sequence.size(); ++place) {
    const Record& other = *sequence[place];
    if (other.id.thread == event.id.thread) break;
    if (dependence.collide(event, other) ||
        observes(dependence, other, event, position, sequence)) {
      return {false, place};
    }
  }
  for (size_t i = place + 1; i < sequence.size() && !event.event.sent.empty(); ++i) {
    const Record& other = *sequence[i];
    if (other.takes() && other.taken == event.id) break;
    if (observes(dependence, other, event, position, sequence)) return {false, place};
  }
  return {true, place};
}

std::vector<std::unique_ptr<WakeupTree::Node>>* WakeupTree::descend(const Dependence& dependence,
                                                                    uint32_t depth,
                                                                    Sequence& sequence) {
  std::vector<std::unique_ptr<Node>>* children = &children_;
  for (bool is_root = true;; is_root = false) {
    // What ends at a leaf goes on as the search likes.
    if (sequence.empty() || (children->empty() && !is_root)) return nullptr;
    Node* next = nullptr;
    for (const std::unique_ptr<Node>& child : *children) {
      const Beginning beginning = can_begin(dependence, *child->event, {depth, depth}, sequence);
      if (!beginning.can_begin) continue;
      if (beginning.place < sequence.size()) {
        sequence.erase(sequence.begin() + static_cast<std::ptrdiff_t>(beginning.place));
      }
      next = child.get();
      break;
    }
    if (!next) return children;
    children = &next->children;
  }
}

std::unique_ptr<WakeupTree::Node> WakeupTree::take_first(WakeupTree& below) {
  std::unique_ptr<Node> first = std::move(children_.front());
  children_.erase(children_.begin());
  below.children_ = std::move(first->children);
  return first;
}

}  // namespace fathom::explore
