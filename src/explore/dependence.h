// Whether the order of two events can be told: by what each of them does, or by anybody
// later. Two that commute need not be explored in both orders.
//
// The relation is read off what the events really touched (dependence.def says which
// touches are dependent), not off their names: a send to a process that has exited depends on
// nothing. Beside that there is what needs more than a pair:
//
//   - Messages of two senders to one mailbox lie there in the order of the sends, but only
//     a receive can see it, and only one whose patterns could have taken either: its
//     *observer*. So two sends commute by themselves; Trace orders them where they are
//     observed. Whether a receive would take a message is asked of the machine, which
//     runs the patterns and guards of that very receive on it.
//   - A message depends on the end of a receive's time only if it would have been
//     taken.
//   - The end of a process depends on all that it does: it would not do it after that.
#pragma once

#include "explore/record.h"
#include "machine/receive_probe.h"

namespace fathom::explore {

// Whether the two modes are dependent.
bool conflict(machine::SharedObject object, machine::AccessMode a, machine::AccessMode b);
// All that conflict with that one.
struct ModeSet {
  uint8_t bits;
  bool has(machine::AccessMode mode) const { return bits >> static_cast<unsigned>(mode) & 1; }
};
ModeSet conflicting_modes(machine::SharedObject object, machine::AccessMode mode);

// What is asked of an event most often, without a look at its record.
struct EventSummary {
  EventSummary() = default;
  EventSummary(const Record* r)
      : record(r), filter(r->filter), actor(r->id.actor), sends(!r->event.sent.empty()) {
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
  ActorId actor = 0;
  // If all that it does is to access a part of some data: which one, and how; see Footprint.
  uint32_t part = kNoIndex;
  uint64_t content = 0;
  machine::AccessMode mode{};
  ModeSet against{};
  bool sends = false;
  bool is_tentative = false;

  bool is_simple() const { return part != kNoIndex; }
  // And whatever is there, it does the same.
  bool is_plain() const {
    return is_simple() && !is_tentative && record->event.exits.empty() &&
           record->event.kind != machine::EventKind::Table;
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

// The first footprints in which they meet; null: there are none.
const Footprint* find_conflict(const Record& a, const Record& b);

// Of two events that are dependent: whether they access the same things, in the same way, if the
// second comes before the first. That is so of plain data: what is touched of it does not
// depend on what it is, unless an event changes it only if it is as expected.
bool is_stable(const EventSummary& first, const EventSummary& second);

// Of a record that has its event and its process: what they touch, mailboxes apart.
void make_footprints(Record& record);

}  // namespace fathom::explore
