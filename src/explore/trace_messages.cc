// Messages in a trace: which event has sent the message that a receive takes, and which receives
// have observed the order of two sends.
//
// Two sends to one mailbox commute until some receive shows which came first. It does if it takes
// one of the messages and its patterns would have taken the other one as well. There are two
// moments at which that can turn out:
//
//   - The receive comes when both messages are there (observe). It takes the older one. The send of
//     the younger one is an event in the middle of the execution that now gets a predecessor.
//
//       0  P.1: P ! a
//       1  P.2: P ! b
//       2  P: receive X     takes a, could have taken b: 0 becomes a predecessor of 1
//
//   - The second message is sent when the receive is over (find_observers). It would have been
//   taken
//     had it been sent first. The send is the last event, so nothing else changes.
//
//       0  P.1: P ! a
//       1  P: receive X     takes a
//       2  P.2: P ! b       could have been taken by 1: 0 becomes a predecessor of 2
//
//     If the receive was a time-out instead, it is the time-out that comes before the send.
//
// In both cases the order of the sends counts as long as the receive is part of the execution, so
// the receive is kept with the predecessor as its observer.
#include <algorithm>

#include "explore/trace.h"
#include "values/compare.h"

namespace fathom::explore {

using machine::AccessMode;
using machine::SharedObject;

namespace {

// The number of the message that the receive has taken.
uint32_t taken_number(const machine::Event& event) {
  for (const machine::Access& access : event.accesses) {
    if (access.object == SharedObject::Mailbox && access.mode == AccessMode::Write) {
      return static_cast<uint32_t>(access.part.small());
    }
  }
  return kNoIndex;
}

bool has_undelivered(const Record& record) {
  for (const machine::SentMessage& sent : record.event.sent) {
    if (sent.number == machine::SentMessage::kUndelivered) return true;
  }
  return false;
}

}  // namespace

// ---- Who has sent what ------------------------------------------------------

// Not every message was sent by an event: services answer inside the events of others.
EventIndex& Trace::sender(uint64_t process, uint32_t message) {
  std::vector<EventIndex>& by_number = senders(process);
  if (message >= by_number.size()) by_number.resize(message + 1, kNoEvent);
  return by_number[message];
}

void Trace::identify(Record& record) {
  const EventIndex last = last_of(record.id.actor);
  record.id.index = exists(last) ? (*this)[last].id.index + 1 : 1;
  const uint32_t message = record.takes() ? taken_number(record.event) : kNoIndex;
  if (message == kNoIndex) return;
  record.taken_at = sender(record.process, message);
  if (exists(record.taken_at)) record.taken = (*this)[record.taken_at].id;
}

std::span<const EventIndex> Trace::receives_of(uint64_t process) const {
  const auto* found = receives_.find(process);
  return found ? std::span(*found) : std::span<const EventIndex>();
}

std::span<const EventIndex> Trace::senders_to(uint64_t process) const {
  const auto* found = senders_.find(process);
  return found ? std::span(*found) : std::span<const EventIndex>();
}

bool Trace::is_equal_message(EventIndex receive, EventIndex sender) const {
  const Record& receiver = (*this)[receive];
  if (!receiver.takes()) return false;
  const machine::Value taken = receiver.event.arguments[0];
  const std::vector<machine::SentMessage>& all = (*this)[sender].event.sent;
  return std::all_of(all.begin(), all.end(), [&](const machine::SentMessage& sent) {
    return sent.to != receiver.process || machine::equal_exact(sent.message, taken);
  });
}

// ---- Observers --------------------------------------------------------------

// The event sends a message after receives that could have taken it. Each of them has observed that
// the message it has taken was sent first, or it has timed out first. Whether there are any of the
// former kind.
//
// The receives of a process are ordered, so they are read from the last one: once one of them
// happens before the send, so do all before it.
bool Trace::find_observers(EventIndex index) {
  bool is_observed = false;
  Entry& entry = this->entry(index);
  const Clocks::Row clock = clocks_[index];
  const Record& record = *entry.record;
  for (const machine::SentMessage& sent : record.event.sent) {
    const std::vector<EventIndex>& all = receives(sent.to);
    for (auto r = all.rbegin(); r != all.rend(); ++r) {
      const Record& receive = (*this)[*r];
      if (receive.id.actor == record.id.actor || Clocks::has_seen(clock, receive.id)) break;
      const bool gave_up = !receive.takes();
      const EventIndex before = gave_up ? *r : receive.taken_at;
      if (!exists(before) || Clocks::has_seen(clock, (*this)[before].id)) continue;
      if (!dependence_.would_take(receive, record)) continue;
      entry.add({before, gave_up ? Reason::Dependent : Reason::Observed, false, *r});
      entry.has_late_predecessors = true;
      is_observed = is_observed || !gave_up;
      Clocks::join(clock, clocks_[before]);
    }
  }
  return is_observed;
}

// A receive, the last event, has taken the oldest of the messages that it could take. Those in the
// mailbox that it could have taken as well, by other actors, were sent later, and now that order is
// observed: the send of the one that was taken becomes a predecessor of theirs, and the clocks from
// the first of them on are made anew. Whether there are any.
//
// Messages of the same sender, or of the same event, are in order anyway.
bool Trace::observe(Entry& entry) {
  const Record& receive = *entry.record;
  const machine::Process* p = actors_.process(receive.id.actor);
  if (!receive.takes() || !exists(receive.taken_at) || !p) return false;
  const uint32_t taken = taken_number(receive.event);
  const std::vector<EventIndex>& by_number = senders(receive.process);
  EventIndex least = kNoEvent;
  for (size_t i = p->mailbox.size(); i-- > 0 && p->mailbox.number(i) > taken;) {
    const EventIndex sender = by_number[p->mailbox.number(i)];
    if (!exists(sender) || sender <= receive.taken_at) continue;
    if (summary(sender).actor == receive.taken.actor) continue;
    Entry& other = this->entry(sender);
    if (!dependence_.would_take(receive, *other.record)) continue;
    other.add({receive.taken_at, Reason::Observed, false, end_});
    entry.observed.push_back(sender);
    least = std::min(least, sender);
  }
  if (exists(least)) join_observed(least);
  return exists(least);
}

// What the last event has observed becomes part of the clocks, from the first send on that has got
// a predecessor by it. A clock only grows by that, so it is joined with those of the predecessors
// that are new or have grown themselves.
void Trace::join_observed(EventIndex from) {
  has_grown_.assign(end_ + 1 - from, false);
  const auto has_grown = [&](EventIndex i) {
    return exists(i) && i >= from && has_grown_[i - from];
  };
  EventIndex older = kNoEvent;
  for (EventIndex i = from; i <= end_; ++i) {
    const Entry& entry = this->entry(i);
    bool grows = join_new_predecessor(i, older);
    const auto join = [&](EventIndex other) {
      Clocks::join(clocks_[i], clocks_[other]);
      grows = true;
    };
    if (has_grown(entry.previous)) join(entry.previous);
    if (entry.latest >= from) {
      for (const Predecessor& p : entry.predecessors) {
        if (has_grown(p.index)) join(p.index);
      }
    }
    has_grown_[i - from] = grows;
  }
}

// Joins the clock of an event with that of the predecessor which the last event has given it.
// False: it has not.
//
// N receives that take one of N messages each give N predecessors to a send. Most of what happens
// before the new one happens before the one that the receive before has given, and is in the clock:
// only the columns in which the two differ are looked at. They are the same for all sends that have
// both; `older`: for which one newer_columns_ was made.
bool Trace::join_new_predecessor(EventIndex index, EventIndex& older) {
  const std::vector<Predecessor>& all = entry(index).predecessors;
  if (all.empty() || all.back().reason != Reason::Observed || all.back().observer != end_) {
    return false;
  }
  const Clocks::Row clock = clocks_[index];
  const Clocks::Row newer = clocks_[all.back().index];
  if (all.size() == 1) {
    Clocks::join(clock, newer);
    return true;
  }
  const EventIndex other = all[all.size() - 2].index;
  if (other != older) {
    older = other;
    newer_columns_.clear();
    const Clocks::Row base = clocks_[other];
    for (uint32_t t = 0; t < newer.size(); ++t) {
      if (newer[t] > base[t]) newer_columns_.push_back(t);
    }
  }
  for (const uint32_t t : newer_columns_) clock[t] = std::max(clock[t], newer[t]);
  return true;
}

// The receive, which was the last event, is no longer part of the execution. Receives that came
// after it are gone, with what they had added; so what this one has added is at the ends.
void Trace::unobserve(const Entry& receive) {
  EventIndex least = kNoEvent;
  for (const EventIndex sender : receive.observed) {
    entry(sender).predecessors.pop_back();
    least = std::min(least, sender);
  }
  stale_from_ = std::min(stale_from_, least);
}

// ---- Growing and shrinking --------------------------------------------------

void Trace::add_mail(Entry& entry) {
  const Record& record = *entry.record;
  const bool is_late = find_observers(end_);
  if (observe(entry) || is_late) observations_.push_back(end_);
  for (const machine::SentMessage& sent : record.event.sent) {
    if (sent.number != machine::SentMessage::kUndelivered) sender(sent.to, sent.number) = end_;
  }
  if (record.is_receive()) receives(record.process).push_back(end_);
  if (has_undelivered(record)) undelivered_.push_back(end_);
}

void Trace::remove_mail(const Record& record) {
  if (has_undelivered(record)) undelivered_.pop_back();
  if (!observations_.empty() && observations_.back() == end_) observations_.pop_back();
  if (record.is_receive()) receives(record.process).pop_back();
  for (const machine::SentMessage& sent : record.event.sent) {
    std::vector<EventIndex>& by_number = senders(sent.to);
    if (sent.number < by_number.size()) by_number.resize(sent.number);
  }
}

}  // namespace fathom::explore
