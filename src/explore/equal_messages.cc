#include "explore/equal_messages.h"

#include <algorithm>

#include "machine/compare.h"

namespace fathom::explore {

using machine::equal_exact;

bool EqualMessages::are_idle() {
  groups_.clear();
  if (!find_groups()) return false;
  if (groups_.empty()) return true;
  for (Group& group : groups_) {
    if (!fill(group)) return false;
  }
  make_clocks();
  return !has_hidden_race() && !has_free_pair() && !has_free_observer();
}

// False: a receive of one could have taken another kind of message too.
bool EqualMessages::find_groups() {
  std::vector<uint32_t> others;
  for (uint32_t i = 0; i < trace_.size(); ++i) {
    // What was made impossible counts for more than a pair.
    if (!trace_[i].prevented.empty() || !trace_[i].silenced.empty()) return false;
    for (const Trace::Predecessor& p : trace_.predecessors(i)) {
      if (p.why != Trace::Why::Observed) continue;
      if (trace_.is_alike(p.observer, i)) {
        add_group(trace_[p.observer]);
      } else {
        others.push_back(p.observer);
      }
    }
  }
  return std::none_of(others.begin(), others.end(),
                      [&](uint32_t receive) { return group_of_receive(receive); });
}

void EqualMessages::add_group(const Record& receive) {
  const machine::Value message = receive.event.arguments[0];
  const bool is_known = std::any_of(groups_.begin(), groups_.end(), [&](const Group& group) {
    return group.mailbox == receive.process && equal_exact(group.message, message);
  });
  if (!is_known) groups_.push_back({receive.process, message, {}, {}});
}

const EqualMessages::Group* EqualMessages::group_of_receive(uint32_t index) const {
  const Record& receive = trace_[index];
  if (!receive.takes()) return nullptr;
  const auto group = std::find_if(groups_.begin(), groups_.end(), [&](const Group& g) {
    return g.mailbox == receive.process && equal_exact(g.message, receive.event.arguments[0]);
  });
  return group == groups_.end() ? nullptr : &*group;
}

// False: there is more to it.
bool EqualMessages::fill(Group& group) {
  for (uint32_t i = 0; i < trace_.size(); ++i) {
    const Record& record = trace_[i];
    size_t to_mailbox = 0;
    bool is_one = false;
    for (const machine::Sent& sent : record.event.sent) {
      if (sent.to != group.mailbox) continue;
      ++to_mailbox;
      is_one = is_one || equal_exact(sent.message, group.message);
      if (is_one && sent.number == machine::Sent::kNowhere) return false;
    }
    if (is_one && to_mailbox > 1) return false;
    if (is_one) group.sends.push_back(i);
    if (group_of_receive(i) != &group) continue;
    if (record.may_time_out || record.taken_at == kNoIndex) return false;
    group.receives.push_back(i);
  }
  return true;
}

// Not the orders in question.
bool EqualMessages::keeps(uint32_t index, const Trace::Predecessor& p) const {
  if (p.index == trace_[index].taken_at && group_of_receive(index)) return false;
  return p.why != Trace::Why::Observed || !trace_.is_alike(p.observer, index);
}

void EqualMessages::make_clocks() {
  for (uint32_t i = 0; i < trace_.size(); ++i) {
    trace_.make_clock(i, clocks_, [&](const Trace::Predecessor& p) { return keeps(i, p); });
  }
}

bool EqualMessages::is_of_one_group(uint32_t send, uint32_t receive) const {
  const Group* group = group_of_receive(receive);
  return group && std::binary_search(group->sends.begin(), group->sends.end(), send);
}

// So many receives are before b, and not because of a, that the messages which do not need a
// are not enough.
bool EqualMessages::is_forced(uint32_t a, uint32_t b) const {
  return std::any_of(groups_.begin(), groups_.end(), [&](const Group& group) {
    const auto before =
        std::count_if(group.receives.begin(), group.receives.end(), [&](uint32_t receive) {
          return comes_first(receive, b) && !(a > receive && comes_first(receive, a));
        });
    const auto without = std::count_if(group.sends.begin(), group.sends.end(),
                                       [&](uint32_t send) { return !comes_first(a, send); });
    return without < before;
  });
}

// One that is none only because of those orders.
bool EqualMessages::has_hidden_race() const {
  for (uint32_t i = 0; i < trace_.size(); ++i) {
    for (const Trace::Predecessor& p : trace_.predecessors(i)) {
      if (p.why == Trace::Why::Enabled || !keeps(i, p) || trace_.is_direct(i, p)) continue;
      const auto is_kept = [&](const Trace::Predecessor& other) { return keeps(i, other); };
      if (trace_.is_direct(i, p, clocks_, is_kept) && !is_forced(p.index, i)) return true;
    }
  }
  return false;
}

// Two events that collide, and that nothing else keeps in their order.
bool EqualMessages::has_free_pair() const {
  for (uint32_t b = 0; b < trace_.size(); ++b) {
    for (uint32_t a = 0; a < b; ++a) {
      const Record& first = trace_[a];
      const Record& second = trace_[b];
      if (!first.scent.may_collide(second.scent) || comes_first(a, b)) continue;
      if (is_of_one_group(a, b) || !trace_.dependence().collide(first, second)) continue;
      if (!is_forced(a, b)) return true;
    }
  }
  return false;
}

// A receive that could have taken another message as well, which nothing else keeps behind
// the one that it has taken.
bool EqualMessages::has_free_observer() const {
  for (uint32_t r = 0; r < trace_.size(); ++r) {
    const Record& receive = trace_[r];
    if (!receive.is_receive() || group_of_receive(r)) continue;
    const uint32_t taken = receive.takes() ? receive.taken_at : r;
    if (taken == kNoIndex) continue;
    for (uint32_t i = taken + 1; i < trace_.size(); ++i) {
      if (i == r || comes_first(taken, i) || comes_first(r, i) || is_forced(taken, i)) continue;
      if (trace_.dependence().would_take(receive, trace_[i])) return true;
    }
  }
  return false;
}

}  // namespace fathom::explore
