// Equal messages, and whether it matters which of them a receive has taken.
//
// N processes send `done` to one that waits for N such messages. Each receive could have taken any
// of them, so their orders are observed (dependence.h), and there are N! classes. But they all lead
// to the same state. To reverse two such messages is worth while only if something that happens
// before the one could then happen after something that happens after the receive.
//
// So the execution is considered without those orders: clocks are made anew in which a receive of
// one of the equal messages happens after none of the sends. Instead, by counting, what happens
// after k of those receives happens after k of the sends, whichever they are; so if fewer than k of
// the sends could happen without event a, then a happens before (is_forced). If there is a pair of
// dependent events that is then ordered in neither way, the order of the messages matters, since
// another order of messages could lead to another order of the pair. It is taken to matter wherever
// it is not known that it does not: where a receive could have taken a message of another content
// as well, or have timed out, or where events disable others.
//
// Example: each of P.1 and P.2 writes its own key and sends done to P, which receives both and
// reads both keys. Without the orders of the messages, the two writes still happen before the
// reads: after two receives both sends must have happened. No pair is free, and one of the two
// orders is enough. If P reads the keys after the first done, then P.1's write is not forced before
// the read: the order matters, and both are explored.
//
// Cost: of an execution with such messages, what comes from the first of them on, and for each
// event of that those which it is not ordered with.
#pragma once

#include <vector>

#include "explore/trace.h"

namespace fathom::explore {

class EqualMessages {
 public:
  explicit EqualMessages(const Trace& trace) : trace_(trace) {}

  // Whether, for all that the execution shows, no other order of equal messages leads to anything
  // new.
  bool orders_are_irrelevant();

 private:
  // All of one content to one process.
  struct Group {
    uint64_t mailbox;
    machine::Value message;
    std::vector<EventIndex> sends;
    std::vector<EventIndex> receives;
  };

  bool find_groups();
  void add_observer(EventIndex receive, EventIndex sender);
  void add_group(const Record& receive);
  bool fill(Group& group);
  const Group* group_of_receive(EventIndex index) const;
  bool keeps(EventIndex index, const Predecessor& predecessor) const;
  void make_clocks(EventIndex from);
  bool comes_first(EventIndex a, EventIndex b) const { return clocks_.has_seen(b, trace_[a].id); }
  bool is_forced(EventIndex a, EventIndex b) const;
  bool is_of_one_group(EventIndex send, EventIndex receive) const;
  bool has_other_kind() const;
  bool is_other_kind(const Group& group, EventIndex sender) const;
  bool has_hidden_race() const;
  bool has_free_pair();
  bool is_free(EventIndex a, EventIndex b) const;
  bool has_free_observer() const;
  bool is_free_observer(EventIndex receive, EventIndex sender) const;

  const Trace& trace_;
  std::vector<Group> groups_;
  std::vector<EventIndex> others_;  // receives that could have taken a message of another content
  LaterClocks clocks_;              // without the orders in question
  std::vector<EventIndex> last_;    // by actor
};

}  // namespace fathom::explore
