// What some process looks at of what is otherwise another one's own affair.
//
// Most of what a process does to itself concerns nobody else, so it is not an event, and events do
// not report it: what it has in its dictionary, who its group leader is, how messages lie in its
// mailbox that no receive compares. It concerns others once an event looks at it, and whether one
// does shows only in the course of a search. Then what was reported before lacks something: the
// search restarts, on a machine that reports it (explore/assumptions.h).
//
// Example: P.1: put(a, 1), P: process_info(P1, dictionary). When P has looked, the search restarts,
// and now put/2 is an event, which comes before or after P's.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/event.h"

namespace fathom::machine {

// As the part of a read of SharedObject::Exiting: the exit had begun.
Value begun_part();

struct Watched {
  // A query has looked for objects of a table: events report what they change (Event::changes).
  bool changes = false;
  // A process has got another group leader from outside: group_leader/0 is an event.
  bool leaders = false;
  // process_info has shown the dictionary of another process: put/2 and erase/0,1 are events.
  bool dictionaries = false;
  // Somebody was refused since a process was exiting (begun_part): that its exit begins is an
  // event, before it gives up anything.
  bool beginnings = false;
  // Where process_info has shown the messages, in their order: the numbers of the pids, ascending.
  // A message there is a write of SharedObject::MailboxOrder.
  std::vector<uint64_t> mailboxes;
  // Channels whose signals take time, since it can be told when they take effect
  // (explore/late_signals.h); ascending.
  std::vector<Channel> late;

  bool has_mailbox(uint64_t process) const;
  bool is_late(const Channel& channel) const;
  // Whether it was not known.
  bool add_late(const Channel& channel);
  // Adds what the event looks at. Whether there was something new.
  bool add(const Event& event);
};

}  // namespace fathom::machine
