// Whether the order of two events can be told: by what each of them does, or by anybody
// later. Two that commute need not be explored in both orders.
//
// The relation is read off what the events really touched (dependence.def says which
// touches collide), not off their names: a send to a process that has ended collides with
// nothing. Beside that there is what needs more than a pair:
//
//   - Messages of two senders to one mailbox lie there in the order of the sends, but only
//     a receive can see it, and only one whose patterns could have taken either: its
//     *observer*. So two sends commute by themselves; Trace orders them where they are
//     observed. Whether a receive would take a message is asked of the machine, which
//     runs the patterns and guards of that very receive on it.
//   - A message collides with the end of a receive's time only if it would have been
//     taken.
//   - The end of a process collides with all that it does: it would not do it after that.
#pragma once

#include "explore/record.h"

namespace fathom::explore {

class Dependence {
 public:
  explicit Dependence(machine::Machine& m) : machine_(m) {}

  // Of two events of different threads, next to each other in this or the other order.
  bool collide(const Record& a, const Record& b) const;
  bool collide(const Glance& a, const Glance& b) const;
  // Whether the receive could have taken one of what the other event sends to its mailbox.
  bool would_take(const Record& receive, const Record& sender) const;

 private:
  bool collide_in_mailbox(const Record& sender, const Record& other) const;

  machine::Machine& machine_;
};

// Whether the two modes collide.
bool collide(machine::Thing thing, machine::TouchMode a, machine::TouchMode b);
// The first footprints in which they meet; null: there are none.
const Footprint* meeting(const Record& a, const Record& b);

// Of two events that collide: whether they touch the same things, in the same way, if the
// second comes before the first. That is so of plain data: what is touched of it does not
// depend on what it is, unless an event changes it only if it is as expected.
bool is_stable(const Record& first, const Record& second);

// Of a record that has its event and its process: what they touch, mailboxes apart.
void make_footprints(Record& record);

}  // namespace fathom::explore
