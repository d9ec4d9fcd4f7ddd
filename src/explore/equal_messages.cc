#include "explore/equal_messages.h"

#include <algorithm>

#include "values/compare.h"

namespace fathom::explore {

using machine::equal_exact;

// Each test looks for a way in which another order of equal messages could lead to something new.
// It need not be exact, as long as nothing is missed: an order too many costs time only.
bool EqualMessages::orders_are_irrelevant() {
  groups_.clear();
  if (!find_groups()) return false;
  if (groups_.empty()) return true;
  // What events disable is more than the order of a pair.
  if (trace_.has_disablers()) return false;
  EventIndex from = trace_.end();
  for (Group& group : groups_) {
    if (!fill(group)) return false;
    from = std::min(from, group.sends.front());
  }
  // What comes before the first of the sends is ordered as it was.
  make_clocks(from);
  return !has_other_kind() && !has_hidden_race() && !has_free_pair() && !has_free_observer();
}

// ---- Which messages ---------------------------------------------------------

// Groups the equal messages of which some receive has observed the order. False: such a receive
// could have taken a message of another content as well, so its order matters.
//
// Trace lists the events with which an observation came about: the receive itself, which has given
// others a predecessor, or a send that came too late, which has got one.
bool EqualMessages::find_groups() {
  others_.clear();
  for (const EventIndex i : trace_.observations()) {
    for (const EventIndex sender : trace_.observed(i)) add_observer(i, sender);
    for (const Predecessor& p : trace_.predecessors(i)) {
      if (p.reason == Predecessor::Reason::Observed) add_observer(p.observer, i);
    }
  }
  return std::none_of(others_.begin(), others_.end(),
                      [&](EventIndex receive) { return group_of_receive(receive); });
}

// The receive has taken another message than that of the sender.
void EqualMessages::add_observer(EventIndex receive, EventIndex sender) {
  if (trace_.is_equal_message(receive, sender)) {
    add_group(trace_[receive]);
  } else {
    others_.push_back(receive);
  }
}

void EqualMessages::add_group(const Record& receive) {
  const machine::Value message = receive.event.arguments[0];
  const bool is_known = std::any_of(groups_.begin(), groups_.end(), [&](const Group& group) {
    return group.mailbox == receive.process && equal_exact(group.message, message);
  });
  if (!is_known) groups_.push_back({receive.process, message, {}, {}});
}

const EqualMessages::Group* EqualMessages::group_of_receive(EventIndex index) const {
  const Record& receive = trace_[index];
  if (!receive.takes()) return nullptr;
  const auto group = std::find_if(groups_.begin(), groups_.end(), [&](const Group& g) {
    return g.mailbox == receive.process && equal_exact(g.message, receive.event.arguments[0]);
  });
  return group == groups_.end() ? nullptr : &*group;
}

// Finds the sends and receives of a group. False: it is not a simple one, in which each send sends
// one message and no receive could have timed out instead. In others, what is_forced() counts would
// be wrong: two messages may come from one send, and a receive that times out needs no send.
bool EqualMessages::fill(Group& group) {
  for (const EventIndex sender : trace_.senders_to(group.mailbox)) {
    if (!exists(sender)) continue;
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
  for (const EventIndex receive : trace_.receives_of(group.mailbox)) {
    if (group_of_receive(receive) != &group) continue;
    if (trace_[receive].may_time_out || !exists(trace_[receive].taken_at)) return false;
    group.receives.push_back(receive);
  }
  return true;
}

// ---- The order without them -------------------------------------------------

// Of the orders between two events, those that come from the equal messages are dropped: that a
// receive comes after the send whose message it has taken, and that a send comes after another
// because a receive has observed it. What else orders the two events is kept.
bool EqualMessages::keeps(EventIndex index, const Predecessor& p) const {
  if (p.index == trace_[index].taken_at && group_of_receive(index)) return false;
  return p.reason != Predecessor::Reason::Observed || !trace_.is_equal_message(p.observer, index);
}

void EqualMessages::make_clocks(EventIndex from) {
  clocks_.begin(trace_.clocks(), from);
  for (EventIndex i = from; i < trace_.end(); ++i) {
    trace_.make_clock(i, clocks_.make_row(i, trace_.actors()), clocks_,
                      [&](const Predecessor& p) { return keeps(i, p); });
  }
}

bool EqualMessages::is_of_one_group(EventIndex send, EventIndex receive) const {
  const Group* group = group_of_receive(receive);
  return group && std::binary_search(group->sends.begin(), group->sends.end(), send);
}

// Whether a happens before b by counting: so many receives of a group happen before b that the
// sends which do not happen after a are not enough for them.
//
// Example: there are three sends of done, one of which happens after a. If two receives of done
// happen before b, the two other sends are enough for them, and a is not forced; if three do, it
// is.
//
// Receives that happen before a as well are not counted: a may then be found not to be forced
// though it is, and an order is explored that need not be.
bool EqualMessages::is_forced(EventIndex a, EventIndex b) const {
  return std::any_of(groups_.begin(), groups_.end(), [&](const Group& group) {
    const auto before =
        std::count_if(group.receives.begin(), group.receives.end(), [&](EventIndex receive) {
          return comes_first(receive, b) && !(a > receive && comes_first(receive, a));
        });
    const auto without = std::count_if(group.sends.begin(), group.sends.end(),
                                       [&](EventIndex send) { return !comes_first(a, send); });
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
    return std::any_of(senders.begin(), senders.end(), [&](EventIndex sender) {
      return exists(sender) && is_other_kind(group, sender);
    });
  });
}

// A message stays in the mailbox until it is taken, so the receives are gone through in their order
// up to the one that has taken it.
bool EqualMessages::is_other_kind(const Group& group, EventIndex sender) const {
  if (std::binary_search(group.sends.begin(), group.sends.end(), sender)) return false;
  for (const EventIndex receive : trace_.receives_of(group.mailbox)) {
    if (trace_[receive].takes() && trace_[receive].taken_at == sender) return false;
    if (group_of_receive(receive) != &group) continue;
    if (receive < sender && comes_first(receive, sender)) continue;
    if (trace_.dependence().would_take(trace_[receive], trace_[sender])) return true;
  }
  return false;
}

// Whether there is a pair that would be a race but for those orders: a predecessor that is not
// direct, since another way leads from it to the event, and is direct if that way is dropped.
//
// Example: P.1: write x, P.1: P ! done, P: receive done, P: read x. The read depends on the write,
// but the message orders the two, so they are not a race. If P takes the done of P.2 instead, they
// are; unless P receives both before it reads, which forces the write before the read.
bool EqualMessages::has_hidden_race() const {
  for (EventIndex i = clocks_.from(); i < trace_.end(); ++i) {
    for (const Predecessor& p : trace_.predecessors(i)) {
      if (p.reason == Predecessor::Reason::Enabled || !keeps(i, p) || trace_.is_direct(i, p))
        continue;
      const auto is_kept = [&](const Predecessor& other) { return keeps(i, other); };
      if (trace_.is_direct(i, p, clocks_, is_kept) && !is_forced(p.index, i)) return true;
    }
  }
  return false;
}

// Whether two dependent events are ordered by nothing else than those orders. Of each actor, the
// events that do not happen before an event are the last ones, so they are read from the end.
bool EqualMessages::has_free_pair() {
  const EventIndex from = clocks_.from();
  last_.assign(trace_.actors(), kNoEvent);
  for (uint32_t actor = 0; actor < last_.size(); ++actor) {
    EventIndex last = trace_.last_of(ActorId{actor});
    while (exists(last) && last >= from) last = trace_.previous(last);
    last_[actor] = last;
  }
  for (EventIndex b = from; b < trace_.end(); ++b) {
    for (const EventIndex last : last_) {
      for (EventIndex a = last; exists(a) && !comes_first(a, b); a = trace_.previous(a)) {
        if (is_free(a, b)) return true;
      }
    }
    last_[column(trace_[b].id.actor)] = b;
  }
  return false;
}

// That a receive takes the message of this send and not of another one of the group is the order in
// question itself.
bool EqualMessages::is_free(EventIndex a, EventIndex b) const {
  const Record& first = trace_[a];
  const Record& second = trace_[b];
  return first.filter.may_conflict(second.filter) && !is_of_one_group(a, b) &&
         trace_.dependence().are_dependent(first, second) && !is_forced(a, b);
}

// Whether a receive could have taken another message, of which nothing but those orders says that
// it was sent after the one that was taken.
bool EqualMessages::has_free_observer() const {
  const EventIndex from = clocks_.from();
  for (EventIndex i = from; i < trace_.end(); ++i) {
    for (const machine::SentMessage& sent : trace_[i].event.sent) {
      for (const EventIndex r : trace_.receives_of(sent.to)) {
        if (is_free_observer(r, i)) return true;
      }
    }
  }
  return false;
}

// Of a receive that is not in a group. If it has timed out, the question is whether the send must
// come after the time-out.
bool EqualMessages::is_free_observer(EventIndex receive, EventIndex sender) const {
  const Record& record = trace_[receive];
  const EventIndex taken = record.takes() ? record.taken_at : receive;
  if (!exists(taken) || taken >= sender || group_of_receive(receive)) return false;
  if (comes_first(taken, sender) || is_forced(taken, sender)) return false;
  if (receive < sender && comes_first(receive, sender)) return false;
  return trace_.dependence().would_take(record, trace_[sender]);
}

}  // namespace fathom::explore
