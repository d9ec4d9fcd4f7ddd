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
// the length of the execution: for each shared object, and each part of it, there is a list of the
// events that have accessed it in each mode, so the latest dependent ones are at the ends of lists.
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
// are made anew, and again when the receive is taken back.
//
//   0  P.1: P ! a
//   1  P.2: P ! b       predecessors: none yet
//   2  P: receive X     takes a, could have taken b: now 0 is a predecessor of 1, observed by 2
//
// Invariant: the clock of an event is the join of those of its predecessors and of the event before
// it of the same actor, and has its own number in its actor's column.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "explore/actors.h"
#include "explore/by_process.h"
#include "explore/clocks.h"
#include "explore/dependence.h"
#include "explore/slots.h"

namespace fathom::explore {

struct RacingPair {
  uint32_t first;
  uint32_t second;               // kNoIndex: it never came, see `disabled`
  uint32_t observer = kNoIndex;  // of two messages: the receive that has observed their order
  const Record* disabled = nullptr;
  bool is_equal_message = false;  // of two messages: they are the same (equal_messages.h)
  bool is_stable = false;         // see explore::is_stable

  // The last event that takes part in it.
  uint32_t last() const { return observer == kNoIndex ? second : std::max(second, observer); }
};

class Trace {
 public:
  // Why an event happens before another one.
  enum class Reason : uint8_t {
    Enabled,    // the other one could not happen without it: not a race
    Dependent,  // the two are dependent
    Observed,   // they send to the same mailbox, and a receive has observed their order
  };
  struct Predecessor {
    uint32_t index;
    Reason reason;
    bool is_stable = false;  // of two that are dependent: see explore::is_stable
    uint32_t observer = kNoIndex;
  };

  Trace(Actors& actors, const Dependence& dependence) : actors_(actors), dependence_(dependence) {}

  uint32_t size() const { return size_; }
  const Record& operator[](size_t i) const { return *entries_[i].record; }
  const EventSummary& summary(uint32_t i) const { return summaries_[i]; }

  // For push().
  RecordPtr new_record() { return pool_.make(); }
  // Of copies, which have less in them.
  RecordPool& copies() { return copies_; }
  // The machine must be in the state after it. `barrier`: the event could only happen
  // because of that one, see pass_time(); kNoIndex: of none.
  void push(RecordPtr record, uint32_t barrier);
  // What push() does first: which event it is, and whose message it takes.
  void identify(Record& record);
  // The last one. The machine may be in any state.
  RecordPtr pop();

  // Time passes: what can happen only because of it happens after everything so far. Returns a
  // barrier, for push(): the join of the clocks of everything so far.
  uint32_t pass_time();
  void unpass_time() { barriers_.pop_back(); }

  // Whether a, which comes before b, happens before it.
  bool happens_before(uint32_t a, uint32_t b) const {
    return happens_before(entries_[a].record->id, b);
  }
  bool happens_before(EventId a, uint32_t b) const { return clocks_.has_seen(b, a); }
  // The races in which an event from there on takes part.
  void find_races(uint32_t from, std::vector<RacingPair>& result);
  // Whether a race that was found when the execution went on in another way is still one.
  bool is_race(const RacingPair& race) const;
  // Of events of a sequence: the same if they are the same and happen after the same.
  uint64_t event_hash(uint32_t index) const;
  // The same for all executions that differ only in the order of events that commute, and
  // for no others.
  uint64_t class_hash() const;
  const Dependence& dependence() const { return dependence_; }
  // Its direct predecessors, except for the last event of its actor.
  std::span<const Predecessor> predecessors(uint32_t index) const {
    return entries_[index].predecessors;
  }
  const Clocks& clocks() const { return clocks_; }
  size_t actors() const { return actors_.count(); }
  uint32_t previous(uint32_t index) const { return entries_[index].previous; }
  // Events that made the order of two messages observed: receives, or sends that came too late.
  std::span<const uint32_t> observations() const { return observations_; }
  // Of a receive: the sends of the messages that it could have taken as well.
  std::span<const uint32_t> observed(uint32_t index) const { return entries_[index].observed; }
  std::span<const uint32_t> receives_of(uint64_t process) const;
  // By the number of the message, kNoIndex: not by an event.
  std::span<const uint32_t> senders_to(uint64_t process) const;
  bool has_disablers() const { return !disablers_.empty(); }
  // The row of an event, from those before it and what `keeps` of its predecessors.
  template <class Rows, class Keeps>
  void make_clock(uint32_t index, Clocks::Row clock, const Rows& rows, Keeps&& keeps) const;
  // Whether the predecessor happens before it for no other reason: in the clocks, by those of its
  // predecessors that are kept.
  template <class Rows, class Keeps>
  bool is_direct(uint32_t index, const Predecessor& predecessor, const Rows& rows,
                 Keeps&& keeps) const;
  bool is_direct(uint32_t index, const Predecessor& predecessor) const {
    return is_direct(index, predecessor, clocks_, [](const Predecessor&) { return true; });
  }
  // Whether the receive has taken just such a message as the other event sends.
  bool is_equal_message(uint32_t receive, uint32_t sender) const;
  // Where the last event of a actor is; kNoIndex: it has none.
  uint32_t last_of(ActorId actor) const;

 private:
  struct Entry {
    RecordPtr record;
    uint32_t previous = kNoIndex;  // of the same actor
    uint32_t barrier = kNoIndex;
    std::vector<Predecessor> predecessors;
    std::vector<uint32_t> observed;  // of a receive: whose predecessors it has added to
    std::vector<ActorId> started;
  };

  // Who has touched an object, or a part of it, in which way.
  struct RecordedAccess {
    uint32_t event;
    uint32_t other;    // the last one before it by another actor: where in the list
    uint64_t content;  // see Footprint
  };
  struct Accesses {
    std::vector<RecordedAccess> by_mode[3];
    const std::vector<RecordedAccess>& of(machine::AccessMode mode) const {
      return by_mode[static_cast<size_t>(mode)];
    }
  };
  // Of an object: of all of it, and of some part.
  struct ObjectAccesses {
    Accesses whole;
    Accesses parts;
  };
  void find_candidates(const Record& record);
  void add_candidates(const Footprint& footprint);
  void add_all(const Accesses& accesses, ModeSet modes);
  void add_since(const Accesses& accesses, machine::AccessMode mode, uint32_t since);
  void add_since(const std::vector<RecordedAccess>& accesses, uint32_t since);
  uint32_t add_last_writes(const std::vector<RecordedAccess>& writes, uint64_t content);
  void add_mail_candidates(const Record& record);
  void add_last_of(uint64_t process);
  void add_controls(uint64_t process);
  void take_predecessors(uint32_t index);
  bool find_observers(uint32_t index);
  bool observe(Entry& entry);
  void add_mail(Entry& entry);
  void remove_mail(const Record& record);
  void add_accesses(const Record& record, uint32_t index);
  void add_access(std::vector<RecordedAccess>& accesses, const Footprint& f, ActorId actor,
                  uint32_t index) const;
  void remove_accesses(const Record& record);
  void find_slots(Record& record);
  void add_posts(const Record& record);
  void remove_posts(const Record& record);
  void make_clocks(uint32_t from, uint32_t to);
  void find_disabled_races(std::vector<RacingPair>& result);
  void find_missed_receive(uint32_t ender, const Record& receive, std::vector<RacingPair>& result);
  const ObjectAccesses& reads_of(machine::SharedObject object, uint64_t process) const;
  std::vector<uint32_t>& senders(uint64_t process) { return senders_[process]; }
  std::vector<uint32_t>& receives(uint64_t process) { return receives_[process]; }

  Actors& actors_;
  const Dependence& dependence_;
  RecordPool pool_;
  RecordPool copies_;
  std::vector<Entry> entries_;           // from size_ on: for use again
  std::vector<EventSummary> summaries_;  // of their records
  uint32_t size_ = 0;
  std::vector<uint32_t> last_;   // by actor
  std::vector<uint32_t> start_;  // by actor: the event that has started it
  Clocks clocks_;                // by event
  std::vector<std::vector<uint32_t>> barriers_;
  Slots slots_;
  bool has_progress_reads_ = false;  // there ever were any
  bool has_controls_ = false;        // there ever were events that end or suspend another process
  bool has_queries_ = false;         // there ever were events that look for objects in tables
  std::vector<ObjectAccesses> objects_;
  std::vector<Accesses> parts_;
  // By process: its receives; who has sent the n-th message of its mailbox.
  ByProcess<std::vector<uint32_t>> receives_;
  ByProcess<std::vector<uint32_t>> senders_;
  // By channel: which events have sent something off on it, and how much of it has arrived.
  struct Channel {
    std::vector<uint32_t> posts;
    size_t arrived = 0;
  };
  std::unordered_map<ActorId, Channel> channels_;
  std::vector<uint32_t> disablers_;  // events that have made others impossible
  std::vector<uint32_t> unstable_;   // events that may do something else in another order
  std::vector<uint32_t> observations_;
  std::vector<uint32_t> undelivered_;       // events with messages to processes that had ended
  std::vector<RecordPtr> missed_receives_;  // receives that never came to take one
  std::vector<Predecessor> candidates_;
};

template <class Rows, class Keeps>
void Trace::make_clock(uint32_t index, Clocks::Row clock, const Rows& rows, Keeps&& keeps) const {
  const Entry& entry = entries_[index];
  if (entry.previous != kNoIndex) {
    Clocks::copy(clock, rows[entry.previous]);
  } else {
    std::fill(clock.begin(), clock.end(), 0u);
  }
  if (entry.barrier != kNoIndex) Clocks::join(clock, barriers_[entry.barrier]);
  for (const Predecessor& p : entry.predecessors) {
    if (keeps(p)) Clocks::join(clock, rows[p.index]);
  }
  clock[column(entry.record->id.actor)] = entry.record->id.index;
}

template <class Rows, class Keeps>
bool Trace::is_direct(uint32_t index, const Predecessor& predecessor, const Rows& rows,
                      Keeps&& keeps) const {
  const Entry& entry = entries_[index];
  const EventId id = entries_[predecessor.index].record->id;
  if (entry.previous != kNoIndex && rows.has_seen(entry.previous, id)) return false;
  if (entry.barrier != kNoIndex && Clocks::has_seen(barriers_[entry.barrier], id)) return false;
  return std::none_of(
      entry.predecessors.begin(), entry.predecessors.end(), [&](const Predecessor& other) {
        return other.index != predecessor.index && keeps(other) && rows.has_seen(other.index, id);
      });
}

}  // namespace fathom::explore
