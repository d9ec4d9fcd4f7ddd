// The events of the current execution, and which of them happen before which.
//
// An event happens before a later one if they are of the same actor, if the one enables the other,
// if the two are dependent (dependence.h), or by a chain of such steps. Of each event two things
// are kept:
//
//   - its direct predecessors: the event that has started its actor or enabled it, and the latest
//     events that it depends on, but not those that happen before another predecessor anyway;
//   - a vector clock (clocks.h), from which "happens before" is read off in one comparison.
//
// Both grow and shrink with the execution at its end. Adding an event costs what it accesses, not
// the length of the execution: the latest dependent events are at the ends of lists, one for each
// shared object, each part of it, and each mode of access (access_lists.h).
//
// A race is a pair of events of different actors of which the first is a direct predecessor of the
// second, and that could have happened in the other order: the first does not enable the second.
//
// Example, with x and y as keys of a table (actor: event):
//
//   0  P.1: write x
//   1  P.1: write y
//   2  P.2: read x      predecessors: 0
//   3  P.2: read y      predecessors: 1
//   4  P.3: write x     predecessors: 2. Not 0, which happens before 2
//
// The races are (0, 2), (1, 3) and (2, 4).
//
// Messages. Two sends to one mailbox are not dependent by themselves; their order counts once a
// receive has observed it, that is, has taken one of two messages of which it could have taken
// either. Then the send of the message that was not taken gets the other send as a predecessor,
// with the receive as its observer. That may be long after both were sent: the clocks from there on
// get more events that happen before, and are made anew when the receive has been taken back and
// the execution goes on in another way.
//
//   0  P.1: P ! a
//   1  P.2: P ! b       predecessors: none yet
//   2  P: receive X     takes a, could have taken b: now 0 is a predecessor of 1, observed by 2
//
// Invariant: the clock of an event is the join of those of its predecessors and of the event before
// it of the same actor, and has its own number in its actor's column. (After pop() it holds again
// with the next push().)
//
// trace.cc adds and removes events, trace_messages.cc has what is particular to messages,
// trace_races.cc reads races off the predecessors.
#pragma once

#include <algorithm>
#include <span>
#include <unordered_map>
#include <vector>

#include "explore/access_lists.h"
#include "explore/actors.h"
#include "explore/by_process.h"
#include "explore/clocks.h"
#include "explore/dependence.h"
#include "explore/predecessor.h"

namespace fathom::explore {

struct RacingPair {
  EventIndex first;
  EventIndex second;               // kNoEvent: it never came, see `disabled`
  EventIndex observer = kNoEvent;  // of two messages: the receive that has observed their order
  const Record* disabled = nullptr;
  bool is_equal_message = false;  // of two messages: they are the same (equal_messages.h)
  bool is_stable = false;         // see explore::is_stable

  // The last event that takes part in it.
  EventIndex last() const { return exists(observer) ? std::max(second, observer) : second; }
};

// Where Trace keeps the join of all clocks at a moment at which time passes.
enum class BarrierId : uint32_t {};
inline constexpr BarrierId kNoBarrier{UINT32_MAX};

class Trace {
 public:
  using Reason = Predecessor::Reason;

  Trace(Actors& actors, const Dependence& dependence) : actors_(actors), dependence_(dependence) {}
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  uint32_t size() const { return number(end_); }
  bool empty() const { return size() == 0; }
  // After the last event: what the next one will be.
  EventIndex end() const { return end_; }
  const Record& operator[](EventIndex i) const { return *entries_[number(i)].record; }
  const Record& back() const { return (*this)[end_ - 1]; }
  const EventSummary& summary(EventIndex i) const { return summaries_[number(i)]; }

  // For push().
  RecordPtr new_record() { return pool_.make(); }
  // Of copies, which have less in them.
  RecordPool& copies() { return copies_; }
  // The machine must be in the state after it. `barrier`: the event could happen only because time
  // has passed, see pass_time(); kNoBarrier: it has not.
  void push(RecordPtr record, BarrierId barrier);
  // What push() does first: which event it is, and whose message it takes.
  void identify(Record& record);
  // The last one. The machine may be in any state.
  RecordPtr pop();

  // Time passes: what can happen only because of it happens after everything so far. Returns a
  // barrier, for push(): the join of the clocks of everything so far.
  BarrierId pass_time();
  void unpass_time() { barriers_.pop_back(); }

  // Whether a, which comes before b, happens before it.
  bool happens_before(EventIndex a, EventIndex b) const {
    return happens_before(entry(a).record->id, b);
  }
  bool happens_before(EventId a, EventIndex b) const { return clocks_.has_seen(b, a); }
  // The races in which an event from there on takes part.
  void find_races(EventIndex from, std::vector<RacingPair>& result);
  // Whether a race that was found when the execution went on in another way is still one.
  bool is_race(const RacingPair& race) const;
  // Of events of a sequence: the same if they are the same and happen after the same.
  uint64_t event_hash(EventIndex index) const;
  // The same for all executions that differ only in the order of events that commute, and
  // for no others; also of another search.
  uint64_t class_hash() const;
  const Dependence& dependence() const { return dependence_; }
  // Its direct predecessors, except for the last event of its actor.
  std::span<const Predecessor> predecessors(EventIndex index) const {
    return entry(index).predecessors;
  }
  // Calls f(index) for the events from `from` on and before `until` that do not happen after the
  // event.
  template <class F>
  void for_each_free(EventId event, EventIndex from, EventIndex until, F&& f) const;
  // For those that do.
  template <class F>
  void for_each_after(EventId event, EventIndex from, EventIndex until, F&& f) const;
  const Clocks& clocks() const { return clocks_; }
  size_t actors() const { return actors_.count(); }
  // The event before it of the same actor; kNoEvent: it is the first.
  EventIndex previous(EventIndex index) const { return entry(index).previous; }
  // Events that made the order of two messages observed: receives, or sends that came too late.
  std::span<const EventIndex> observations() const { return observations_; }
  // Of a receive: the sends of the messages that it could have taken as well.
  std::span<const EventIndex> observed(EventIndex index) const { return entry(index).observed; }
  // The receives of a process, and their time-outs.
  std::span<const EventIndex> receives_of(uint64_t process) const;
  // By the number of the message; kNoEvent: not by an event.
  std::span<const EventIndex> senders_to(uint64_t process) const;
  bool has_disablers() const { return !disablers_.empty(); }
  // The row of an event, from those before it and what `keeps` of its predecessors.
  template <class Rows, class Keeps>
  void make_clock(EventIndex index, Clocks::Row clock, const Rows& rows, Keeps&& keeps) const;
  // Whether the predecessor happens before it for no other reason: in the clocks, by those of its
  // predecessors that are kept.
  template <class Rows, class Keeps>
  bool is_direct(EventIndex index, const Predecessor& predecessor, const Rows& rows,
                 Keeps&& keeps) const;
  bool is_direct(EventIndex index, const Predecessor& predecessor) const {
    return is_direct(index, predecessor, clocks_, [](const Predecessor&) { return true; });
  }
  // Whether the receive has taken just such a message as the other event sends.
  bool is_equal_message(EventIndex receive, EventIndex sender) const;
  // The last event of an actor; kNoEvent: it has none.
  EventIndex last_of(ActorId actor) const;

 private:
  struct Entry {
    RecordPtr record;
    EventIndex previous = kNoEvent;  // of the same actor
    BarrierId barrier = kNoBarrier;
    std::vector<Predecessor> predecessors;
    EventIndex latest{};  // no predecessor comes after it
    bool has_late_predecessors =
        false;                         // from a receive before it that would have taken its message
    std::vector<EventIndex> observed;  // of a receive: the sends that got a predecessor by it
    std::vector<ActorId> started;

    void add(const Predecessor& predecessor) {
      predecessors.push_back(predecessor);
      latest = std::max(latest, predecessor.index);
    }
  };
  // Where delivery is not instant.
  struct Channel {
    std::vector<EventIndex> posts;  // the events that have sent a signal on it
    size_t arrived = 0;             // how many of those signals have arrived
  };

  Entry& entry(EventIndex i) { return entries_[number(i)]; }
  const Entry& entry(EventIndex i) const { return entries_[number(i)]; }
  const std::vector<uint32_t>& barrier(BarrierId b) const {
    return barriers_[static_cast<size_t>(b)];
  }

  void make_clocks(EventIndex from, EventIndex to);
  void remake_stale_clocks();
  void join_observed(EventIndex from);
  bool join_new_predecessor(EventIndex index, EventIndex& older);
  void find_candidates(const Record& record);
  void add_mail_candidates(const Record& record);
  void add_last_of(uint64_t process);
  void take_predecessors(EventIndex index);
  static bool is_unstable(const Entry& entry);
  void add_posts(const Record& record);
  void remove_posts(const Record& record);

  bool find_observers(EventIndex index);
  bool observe(Entry& entry);
  void unobserve(const Entry& entry);
  void add_mail(Entry& entry);
  void remove_mail(const Record& record);
  // Of a process: its receives; the event that has sent the n-th message of its mailbox.
  std::vector<EventIndex>& receives(uint64_t process) { return receives_[process]; }
  std::vector<EventIndex>& senders(uint64_t process) { return senders_[process]; }
  EventIndex& sender(uint64_t process, uint32_t message);

  void find_disabled_races(std::vector<RacingPair>& result);
  void find_missed_receive(EventIndex stopper, const Record& receive,
                           std::vector<RacingPair>& result);

  Actors& actors_;
  const Dependence& dependence_;
  RecordPool pool_;
  RecordPool copies_;
  std::vector<Entry> entries_;           // from end_ on: for use again
  std::vector<EventSummary> summaries_;  // of their records
  EventIndex end_{};
  std::vector<EventIndex> last_;      // by actor
  std::vector<EventIndex> start_;     // by actor: the event that has started it
  Clocks clocks_;                     // by event
  EventIndex stale_from_ = kNoEvent;  // from there on they are to be made anew
  // For join_observed().
  std::vector<bool> has_grown_;
  std::vector<uint32_t> newer_columns_;
  std::vector<std::vector<uint32_t>> barriers_;
  AccessLists accesses_{summaries_};
  ByProcess<std::vector<EventIndex>> receives_;
  ByProcess<std::vector<EventIndex>> senders_;
  std::unordered_map<ActorId, Channel> channels_;
  std::vector<EventIndex> disablers_;  // events that have made others impossible
  std::vector<EventIndex> unstable_;   // events that may do something else in another order
  std::vector<EventIndex> observations_;
  std::vector<EventIndex> undelivered_;     // events with messages to processes that had exited
  std::vector<RecordPtr> missed_receives_;  // receives that never came to take one
  std::vector<Predecessor> candidates_;     // for direct predecessors of the event being added
};

template <class F>
void Trace::for_each_free(EventId event, EventIndex from, EventIndex until, F&& f) const {
  const uint32_t* seen = clocks_.column_of(event.actor, from);
  for (EventIndex i = from; i < until; ++i, seen += clocks_.width()) {
    if (*seen < event.index) f(i);
  }
}

template <class F>
void Trace::for_each_after(EventId event, EventIndex from, EventIndex until, F&& f) const {
  const uint32_t* seen = clocks_.column_of(event.actor, from);
  for (EventIndex i = from; i < until; ++i, seen += clocks_.width()) {
    if (*seen >= event.index) f(i);
  }
}

template <class Rows, class Keeps>
void Trace::make_clock(EventIndex index, Clocks::Row clock, const Rows& rows, Keeps&& keeps) const {
  const Entry& entry = this->entry(index);
  if (exists(entry.previous)) {
    Clocks::copy(clock, rows[entry.previous]);
  } else {
    std::fill(clock.begin(), clock.end(), 0u);
  }
  if (entry.barrier != kNoBarrier) Clocks::join(clock, barrier(entry.barrier));
  // From the last one on: a send that many receives have observed has as many predecessors, and
  // most of them happen before the last.
  for (auto p = entry.predecessors.rbegin(); p != entry.predecessors.rend(); ++p) {
    if (Clocks::has_seen(clock, (*this)[p->index].id) || !keeps(*p)) continue;
    Clocks::join(clock, rows[p->index]);
  }
  clock[column(entry.record->id.actor)] = entry.record->id.index;
}

template <class Rows, class Keeps>
bool Trace::is_direct(EventIndex index, const Predecessor& predecessor, const Rows& rows,
                      Keeps&& keeps) const {
  const Entry& entry = this->entry(index);
  const EventId id = (*this)[predecessor.index].id;
  if (exists(entry.previous) && rows.has_seen(entry.previous, id)) return false;
  if (entry.barrier != kNoBarrier && Clocks::has_seen(barrier(entry.barrier), id)) return false;
  return std::none_of(
      entry.predecessors.rbegin(), entry.predecessors.rend(), [&](const Predecessor& other) {
        return other.index != predecessor.index && keeps(other) && rows.has_seen(other.index, id);
      });
}

}  // namespace fathom::explore
