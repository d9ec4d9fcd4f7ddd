#include "explore/equal_messages.h"

#include <algorithm>

#include "values/compare.h"

namespace fathom::explore {

using machine::equal_exact;

bool EqualMessages::orders_are_irrelevant() {
  groups_.clear();
  if (!find_groups()) return false;
  if (groups_.empty()) return true;
  // What events disable is more than the order of a pair.
  if (trace_.has_disablers()) return false;
  uint32_t from = trace_.size();
  for (Group& group : groups_) {
    if (!fill(group)) return false;
    from = std::min(from, group.sends.front());
  }
  make_clocks(from);
  return !has_other_kind() && !has_hidden_race() && !has_free_pair() && !has_free_observer();
}

// ---- Which messages ---------------------------------------------------------

// Groups the equal messages of which some receive has observed the order. False: such a receive
// could have taken a message of another content as well, so its order matters.
bool EqualMessages::find_groups() {
  others_.clear();
  for (const uint32_t i : trace_.observations()) {
    add_observers_of(i);
    for (const uint32_t sender : trace_.observed(i)) add_observers_of(sender);
  }
  return std::none_of(others_.begin(), others_.end(),
                      [&](uint32_t receive) { return group_of_receive(receive); });
}

void EqualMessages::add_observers_of(uint32_t sender) {
  for (const Trace::Predecessor& p : trace_.predecessors(sender)) {
    if (p.reason != Trace::Reason::Observed) continue;
    if (trace_.is_equal_message(p.observer, sender)) {
      add_group(trace_[p.observer]);
    } else {
      others_.push_back(p.observer);
    }
  }
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

// Finds the sends and receives of a group. False: it is not a simple one, in which each send sends
// one message and no receive could have timed out instead.
bool EqualMessages::fill(Group& group) {
  for (const uint32_t sender : trace_.senders_to(group.mailbox)) {
    if (sender == kNoIndex) continue;
    size_t to_mailbox = 0;
    bool is_one = false;
    for (const machine::SentMessage& sent : trace_[sender].event.sent) {
      if (sent.to != group.mailbox) continue;
      ++to_mailbox;
      is_one = is_one || equal_exact(sent.message, group.message);
    }
    if (is_one && to_mailbox > 1) return false;
    if (is_one) group.sends.push_back(sender);
  }
  for (const uint32_t receive : trace_.receives_of(group.mailbox)) {
    if (group_of_receive(receive) != &group) continue;
    if (trace_[receive].may_time_out || trace_[receive].taken_at == kNoIndex) return false;
    group.receives.push_back(receive);
  }
  return true;
}

// ---- The order without them -------------------------------------------------

bool EqualMessages::keeps(uint32_t index, const Trace::Predecessor& p) const {
  if (p.index == trace_[index].taken_at && group_of_receive(index)) return false;
  return p.reason != Trace::Reason::Observed || !trace_.is_equal_message(p.observer, index);
}

void EqualMessages::make_clocks(uint32_t from) {
  clocks_.begin(trace_.clocks(), from);
  for (uint32_t i = from; i < trace_.size(); ++i) {
    trace_.make_clock(i, clocks_.make_row(i, trace_.actors()), clocks_,
                      [&](const Trace::Predecessor& p) { return keeps(i, p); });
  }
}

bool EqualMessages::is_of_one_group(uint32_t send, uint32_t receive) const {
  const Group* group = group_of_receive(receive);
  return group && std::binary_search(group->sends.begin(), group->sends.end(), send);
}

// Whether a happens before b by counting: so many receives of a group happen before b that the
// sends which do not happen after a are not enough for them.
//
// Example: there are three sends of done, one of which happens after a. If two receives of done
// happen before b, the two other sends are enough for them, and a is not forced; if three do, it
// is.
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

// ---- What is free then ------------------------------------------------------

// Whether a receive of an equal message could have taken a message of another content, had that
// been there before those that are left for it. In this execution that need not show: the two may
// come from the same sender.
bool EqualMessages::has_other_kind() const {
  return std::any_of(groups_.begin(), groups_.end(), [&](const Group& group) {
    const auto senders = trace_.senders_to(group.mailbox);
    return std::any_of(senders.begin(), senders.end(), [&](uint32_t sender) {
      return sender != kNoIndex && is_other_kind(group, sender);
    });
  });
}

bool EqualMessages::is_other_kind(const Group& group, uint32_t sender) const {
  if (std::binary_search(group.sends.begin(), group.sends.end(), sender)) return false;
  for (const uint32_t receive : trace_.receives_of(group.mailbox)) {
    if (trace_[receive].takes() && trace_[receive].taken_at == sender) return false;
    if (group_of_receive(receive) != &group) continue;
    if (receive < sender && comes_first(receive, sender)) continue;
    if (trace_.dependence().would_take(trace_[receive], trace_[sender])) return true;
  }
  return false;
}

// Whether there is a pair that would be a race but for those orders.
bool EqualMessages::has_hidden_race() const {
  for (uint32_t i = clocks_.from(); i < trace_.size(); ++i) {
    for (const Trace::Predecessor& p : trace_.predecessors(i)) {
      if (p.reason == Trace::Reason::Enabled || !keeps(i, p) || trace_.is_direct(i, p)) continue;
      const auto is_kept = [&](const Trace::Predecessor& other) { return keeps(i, other); };
      if (trace_.is_direct(i, p, clocks_, is_kept) && !is_forced(p.index, i)) return true;
    }
  }
  return false;
}

// Whether two dependent events are ordered by nothing else than those orders. Of each actor, the
// events that do not happen before an event are the last ones, so they are looked at from the end.
bool EqualMessages::has_free_pair() {
  const uint32_t from = clocks_.from();
  last_.assign(trace_.actors(), kNoIndex);
  for (uint32_t actor = 0; actor < last_.size(); ++actor) {
    uint32_t last = trace_.last_of(ActorId{actor});
    while (last != kNoIndex && last >= from) last = trace_.previous(last);
    last_[actor] = last;
  }
  for (uint32_t b = from; b < trace_.size(); ++b) {
    for (const uint32_t last : last_) {
      for (uint32_t a = last; a != kNoIndex && !comes_first(a, b); a = trace_.previous(a)) {
        if (is_free(a, b)) return true;
      }
    }
    last_[column(trace_[b].id.actor)] = b;
  }
  return false;
}

bool EqualMessages::is_free(uint32_t a, uint32_t b) const {
  const Record& first = trace_[a];
  const Record& second = trace_[b];
  return first.filter.may_conflict(second.filter) && !is_of_one_group(a, b) &&
         trace_.dependence().are_dependent(first, second) && !is_forced(a, b);
}

// Whether a receive could have taken another message, of which nothing but those orders says that
// it was sent after the one that was taken.
bool EqualMessages::has_free_observer() const {
  const uint32_t from = clocks_.from();
  for (uint32_t i = from; i < trace_.size(); ++i) {
    for (const machine::SentMessage& sent : trace_[i].event.sent) {
      for (const uint32_t r : trace_.receives_of(sent.to)) {
        if (is_free_observer(r, i)) return true;
      }
    }
  }
  return false;
}

bool EqualMessages::is_free_observer(uint32_t receive, uint32_t sender) const {
  const Record& record = trace_[receive];
  const uint32_t taken = record.takes() ? record.taken_at : receive;
  if (taken == kNoIndex || taken >= sender || group_of_receive(receive)) return false;
  if (comes_first(taken, sender) || is_forced(taken, sender)) return false;
  if (receive < sender && comes_first(receive, sender)) return false;
  return trace_.dependence().would_take(record, trace_[sender]);
}

}  // namespace fathom::explore
