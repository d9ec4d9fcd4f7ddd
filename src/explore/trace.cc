#include "explore/trace.h"

#include <utility>

#include "base/hash.h"

namespace fathom::explore {

using machine::AccessMode;
using machine::EventKind;
using machine::SharedObject;

namespace {

template <class T>
T& at(std::vector<T>& items, size_t i, T otherwise) {
  if (i >= items.size()) items.resize(i + 1, otherwise);
  return items[i];
}

bool disables(const Record& record) {
  return !record.disabled.empty() || !record.interrupted.empty();
}

bool uses_channels(const machine::Event& event) {
  return !event.sent_signals.empty() || !event.delivered_signals.empty() ||
         event.kind == EventKind::Arrival;
}

}  // namespace

// ---- Clocks -----------------------------------------------------------------

void Trace::make_clocks(EventIndex from, EventIndex to) {
  const auto keeps_all = [](const Predecessor&) { return true; };
  for (EventIndex i = from; i < to; ++i) {
    make_clock(i, clocks_[i], std::as_const(clocks_), keeps_all);
  }
}

void Trace::remake_stale_clocks() {
  if (stale_from_ < end_) make_clocks(stale_from_, end_);
  stale_from_ = kNoEvent;
}

// All events so far are those up to the last of each actor, so the join of all clocks has the
// numbers of these.
BarrierId Trace::pass_time() {
  clocks_.reserve(end_, actors_.count());
  std::vector<uint32_t> clock(clocks_.width(), 0);
  for (size_t i = 0; i < last_.size(); ++i) {
    if (exists(last_[i])) clock[i] = (*this)[last_[i]].id.index;
  }
  barriers_.push_back(std::move(clock));
  return static_cast<BarrierId>(barriers_.size() - 1);
}

// The clock says which event it is (its own number is in its actor's column) and which events
// happen before it. Rows have columns for actors that other executions have met, with zeros: these
// do not count.
uint64_t Trace::event_hash(EventIndex index) const {
  const Clocks::ConstRow clock = clocks_[index];
  uint64_t hash = hash_words(column((*this)[index].id.actor));
  for (size_t t = 0; t < clock.size(); ++t) {
    if (clock[t] > 0) hash = hash_combine(hash_combine(hash, t), clock[t]);
  }
  return hash_finish(hash);
}

// As event_hash(), but by the names of the actors: their numbers are in the order in which the
// search has met them. Sums, so that the order of the events and of the actors does not count.
uint64_t Trace::class_hash() const {
  std::vector<uint64_t> names(actors_.count());
  for (size_t t = 0; t < names.size(); ++t) {
    names[t] = std::hash<std::string>()(actors_.name(static_cast<ActorId>(t)));
  }
  uint64_t sum = 0;
  for (EventIndex i{}; i < end_; ++i) {
    const Clocks::ConstRow clock = clocks_[i];
    uint64_t before = 0;
    for (size_t t = 0; t < clock.size(); ++t) {
      if (clock[t] > 0) before += hash_finish(hash_words(names[t], clock[t]));
    }
    sum += hash_finish(hash_words(names[column((*this)[i].id.actor)], before));
  }
  return sum;
}

EventIndex Trace::last_of(ActorId actor) const {
  return column(actor) < last_.size() ? last_[column(actor)] : kNoEvent;
}

// ---- What an event depends on -----------------------------------------------
//
// First all candidates for direct predecessors of the new event are collected, some of which may
// happen before others; then take_predecessors() drops those. What belongs to the pair rather than
// to an object that both access (a process and the event that ends it, a message and its receive, a
// signal and its arrival) is added here; the rest comes from the lists of accesses.

void Trace::add_last_of(uint64_t process) {
  const EventIndex last = last_of(actors_.of_process(process));
  if (exists(last)) candidates_.push_back({last, Reason::Dependent});
}

// Of messages: the events that look into the mailbox without taking anything (process_info), and
// the send of the message that was taken. That one enables the receive, unless the receive would
// have timed out without it: then the send could have come later, and the two race. Sends are not
// ordered here, but where a receive observes them (trace_messages.cc).
void Trace::add_mail_candidates(const Record& record) {
  for (const machine::SentMessage& sent : record.event.sent) {
    accesses_.find_reads(SharedObject::Mailbox, sent.to, kNoEvent, candidates_);
  }
  if (!record.is_receive()) return;
  accesses_.find_reads(SharedObject::Mailbox, record.process, last_of(record.id.actor),
                       candidates_);
  if (record.takes() && exists(record.taken_at)) {
    const Reason reason = record.may_time_out ? Reason::Dependent : Reason::Enabled;
    candidates_.push_back({record.taken_at, reason});
  }
}

void Trace::find_candidates(const Record& record) {
  candidates_.clear();
  for (const Footprint& f : record.footprints) {
    // process_info sees all messages that were sent, and which of them are still there.
    if (f.object == SharedObject::Mailbox && f.mode == AccessMode::Read) {
      if (!receives(f.id).empty()) {
        candidates_.push_back({receives(f.id).back(), Reason::Dependent});
      }
      for (const EventIndex sender : senders(f.id)) {
        if (exists(sender)) candidates_.push_back({sender, Reason::Dependent});
      }
    }
    // It depends on all events of the process: those before the last one happen before that.
    if (f.object == SharedObject::Progress) {
      add_last_of(f.id);
      continue;
    }
    accesses_.find_candidates(f, candidates_);
    // To end another process: the same. The own exit is ordered as an event of the same actor.
    if (controls_another(record, f)) add_last_of(f.id);
  }
  add_mail_candidates(record);
  if (record.process != 0) accesses_.find_control(record.process, candidates_);
  if (accesses_.has_progress_reads() && record.process != 0) {
    accesses_.find_reads(SharedObject::Progress, record.process, last_of(record.id.actor),
                         candidates_);
  }
  // Signals of a channel arrive in the order in which they were sent.
  if (record.event.kind == EventKind::Arrival) {
    const Channel& channel = channels_[record.id.actor];
    const EventIndex post = channel.posts[channel.arrived];
    // Whatever else they have in common, they cannot change places.
    std::erase_if(candidates_, [&](const Predecessor& p) { return p.index == post; });
    candidates_.push_back({post, Reason::Enabled});
  }
}

// Makes direct predecessors, and the clock, of the candidates. They are taken in the order of the
// execution from its end: what happens before a candidate comes earlier in the execution, so when
// its turn comes, the clock, which has been joined with that of the candidate, shows it.
//
// Example: the candidates are 0 and 2, and 0 happens before 2. After 2 the clock has seen 0, which
// is therefore not a direct predecessor. The other way round, 0 would have become one.
//
// An event may be a candidate for two reasons. Then it counts as dependent rather than as enabling:
// a race too many costs time, a race that is missed would cost executions.
void Trace::take_predecessors(EventIndex index) {
  Entry& entry = this->entry(index);
  const ActorId actor = entry.record->id.actor;
  const EventIndex start = column(actor) < start_.size() ? start_[column(actor)] : kNoEvent;
  if (!exists(entry.previous) && exists(start)) {
    entry.add({start, Reason::Enabled});
  }
  make_clocks(index, index + 1);
  const Clocks::Row clock = clocks_[index];
  const auto comes_first = [](const Predecessor& a, const Predecessor& b) {
    return a.index != b.index ? a.index > b.index : a.reason > b.reason;
  };
  // Those of one list are in that order.
  if (!std::is_sorted(candidates_.begin(), candidates_.end(), comes_first)) {
    std::sort(candidates_.begin(), candidates_.end(), comes_first);
  }
  EventIndex last = kNoEvent;
  for (Predecessor& candidate : candidates_) {
    const EventSummary& other = summary(candidate.index);
    if (candidate.index == last || other.actor == actor) continue;
    last = candidate.index;
    if (Clocks::has_seen(clock, other.record->id)) continue;
    const bool may_miss = accesses_.has_queries() && candidate.reason == Reason::Dependent;
    if (may_miss && !dependence_.are_dependent(other, summary(index))) continue;
    if (candidate.reason == Reason::Dependent) {
      candidate.is_stable = is_stable(other, summary(index));
    }
    entry.add(candidate);
    Clocks::join(clock, clocks_[candidate.index]);
  }
  clock[column(actor)] = entry.record->id.index;
}

bool Trace::is_unstable(const Entry& entry) {
  return std::any_of(
      entry.predecessors.begin(), entry.predecessors.end(),
      [](const Predecessor& p) { return p.reason == Reason::Dependent && !p.is_stable; });
}

// ---- Signals in transit -----------------------------------------------------

void Trace::add_posts(const Record& record) {
  for (const machine::Channel& posted : record.event.sent_signals) {
    channels_[actors_.channel(posted.from, posted.to)].posts.push_back(end_);
  }
  for (const machine::Channel& reached : record.event.delivered_signals) {
    ++channels_[actors_.channel(reached.from, reached.to)].arrived;
  }
  if (record.event.kind == EventKind::Arrival) ++channels_[record.id.actor].arrived;
}

void Trace::remove_posts(const Record& record) {
  for (const machine::Channel& posted : record.event.sent_signals) {
    channels_[actors_.channel(posted.from, posted.to)].posts.pop_back();
  }
  for (const machine::Channel& reached : record.event.delivered_signals) {
    --channels_[actors_.channel(reached.from, reached.to)].arrived;
  }
  if (record.event.kind == EventKind::Arrival) --channels_[record.id.actor].arrived;
}

// ---- Growing and shrinking --------------------------------------------------
//
// pop() undoes what push() did. All lists are in the order of events, so what the last event has
// added is at their ends; a receive that has observed the order of earlier sends is the exception,
// and says which these are (Entry::observed).

void Trace::push(RecordPtr owned, BarrierId barrier) {
  remake_stale_clocks();
  if (size() == entries_.size()) {
    entries_.emplace_back();
    summaries_.emplace_back();
  }
  Entry& entry = this->entry(end_);
  entry.record = std::move(owned);
  entry.predecessors.clear();
  entry.latest = {};
  entry.observed.clear();
  entry.started.clear();
  entry.barrier = barrier;
  entry.has_late_predecessors = false;
  Record& record = *entry.record;
  identify(record);
  accesses_.find_slots(record);
  summaries_[number(end_)] = &record;
  EventIndex& last = at(last_, column(record.id.actor), kNoEvent);
  entry.previous = last;
  clocks_.reserve(end_, actors_.count());
  find_candidates(record);
  take_predecessors(end_);
  if (!record.event.sent.empty() || record.is_receive()) add_mail(entry);
  accesses_.add(record, end_);
  if (uses_channels(record.event)) add_posts(record);
  if (disables(record)) disablers_.push_back(end_);
  if (is_unstable(entry)) unstable_.push_back(end_);
  actors_.for_each_started(record, [&](ActorId started) {
    EventIndex& start = at(start_, column(started), kNoEvent);
    if (exists(start)) return;
    start = end_;
    entry.started.push_back(started);
  });
  last = end_;
  ++end_;
}

RecordPtr Trace::pop() {
  --end_;
  Entry& entry = this->entry(end_);
  Record& record = *entry.record;
  last_[column(record.id.actor)] = entry.previous;
  for (const ActorId started : entry.started) start_[column(started)] = kNoEvent;
  accesses_.remove(record);
  if (uses_channels(record.event)) remove_posts(record);
  if (disables(record)) disablers_.pop_back();
  if (!unstable_.empty() && unstable_.back() == end_) unstable_.pop_back();
  if (!record.event.sent.empty() || record.is_receive()) remove_mail(record);
  unobserve(entry);
  return std::move(entry.record);
}

}  // namespace fathom::explore
