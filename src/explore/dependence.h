// Whether two events are dependent: whether their order makes a difference, to what they do
// themselves or to any event later. Two that are independent commute, and need not be explored in
// both orders.
//
// The relation is read off what the events really accessed (dependence.def says which modes of
// access conflict), not off their names: a send to a process that has exited conflicts with
// nothing but the exit. Apart from that there is what needs more than a pair of accesses:
//
//   - Messages of two senders lie in a mailbox in the order of the sends, but only a receive can
//     see that order, and only one whose patterns could have taken either: their *observer*. So
//     two sends commute by themselves; Trace orders them where they are observed. Whether a
//     receive would take a message is asked of the machine, which runs the patterns and guards of
//     that very receive on it (machine::ReceiveProbe).
//   - A message and the time-out of a receive are dependent only if the receive would have taken
//     the message.
//   - The exit of a process is dependent with all events of the process: they could not come after
//     it.
//   - A query of a table (ets:match and the like) and a change of a key are dependent only if the
//     query could match an object with that key, before or after the change.
//
// Example: of ets:insert(T, {k, 1}), ets:insert(T, {k, 2}) and ets:lookup(T, j) the first two are
// dependent, since both write the part k of table T with different contents; the third commutes
// with both. Two insertions of the same {k, 1} commute as well: they leave the same content.
//
// The relation must be sound: two events that it calls independent lead to the same state in both
// orders, and access the same objects in both. tests/unit/explore_random_test.cc compares it with
// what the machine does. It need not be complete: to call two events dependent that commute costs
// time only.
#pragma once

#include "explore/record.h"
#include "machine/receive_probe.h"

namespace fathom::explore {

// Whether two accesses of the same part of such an object conflict.
bool conflict(machine::SharedObject object, machine::AccessMode a, machine::AccessMode b);
// All modes that conflict with that one.
struct ModeSet {
  uint8_t bits;
  bool has(machine::AccessMode mode) const { return bits >> static_cast<unsigned>(mode) & 1; }
};
ModeSet conflicting_modes(machine::SharedObject object, machine::AccessMode mode);

// What is asked of an event most often, in one cache line, without its record.
// Most events access one part of some data and nothing else: whether two of those are dependent is
// decided here.
struct EventSummary {
  EventSummary() = default;
  EventSummary(const Record* r)
      : record(r),
        filter(r->filter),
        actor(r->id.actor),
        kind(r->event.kind),
        sends(!r->event.sent.empty()),
        ends(!r->event.exits.empty()) {
    if (sends || r->is_receive() || r->footprints.size() != 1) return;
    const Footprint& f = r->footprints[0];
    if (!is_data(f.object)) return;
    part = f.part_slot;
    is_tentative = f.is_tentative;
    mode = f.mode;
    against = conflicting_modes(f.object, f.mode);
    content = f.content;
  }
  const Record* record = nullptr;
  AccessFilter filter;
  ActorId actor{};
  // If all that it does is to access a part of some data: which one, and how; see Footprint.
  uint32_t part = kNoIndex;
  uint64_t content = 0;
  machine::AccessMode mode{};
  ModeSet against{};
  machine::EventKind kind{};
  bool sends = false;
  bool ends = false;  // a process
  bool is_tentative = false;

  bool is_simple() const { return part != kNoIndex; }
  // And whatever is there, it does the same.
  bool is_plain() const {
    return is_simple() && !is_tentative && !ends && kind != machine::EventKind::Table;
  }
  // Of two that are simple.
  bool conflicts_with(const EventSummary& other) const {
    return part == other.part && against.has(other.mode) &&
           (content == 0 || content != other.content);
  }
};

class Dependence {
 public:
  explicit Dependence(machine::Machine& m) : machine_(m), probe_(m) {}

  // Of two events of different actors, next to each other in this or the other order.
  bool are_dependent(const Record& a, const Record& b) const;
  bool are_dependent(const EventSummary& a, const EventSummary& b) const;
  // Whether the receive could have taken one of what the other event sends to its mailbox.
  bool would_take(const Record& receive, const Record& sender) const;

 private:
  bool have_conflict(const Record& a, const Record& b) const;
  bool query_misses(const Record& query, const Footprint& all, const Record& change,
                    const Footprint& part) const;
  bool are_dependent_in_mailbox(const Record& sender, const Record& other) const;

  machine::Machine& machine_;
  mutable machine::ReceiveProbe probe_;
};

// Whether the event ends, suspends or resumes a process from outside.
inline bool controls_another(const Record& record, const Footprint& f) {
  using enum machine::SharedObject;
  return (f.object == Life || f.object == Exiting) && f.mode == machine::AccessMode::Write &&
         f.id != record.process;
}

// The first footprints in which they meet; null: there are none.
const Footprint* find_conflict(const Record& a, const Record& b);

// Of two events that are dependent: whether they access the same things, in the same way, if the
// second comes before the first. That is so of plain data: what is accessed of it does not
// depend on what it is, unless an event changes it only if it is as expected.
bool is_stable(const EventSummary& first, const EventSummary& second);

// Of a record that has its event and its process: what they access, mailboxes apart.
void make_footprints(Record& record);

}  // namespace fathom::explore
