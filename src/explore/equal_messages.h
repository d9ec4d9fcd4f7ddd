// Messages that are alike, and whether it matters which of them a receive has taken.
//
// N processes say "done", and one waits for N such messages. Each receive could have taken any
// of them, so their order is observed (dependence.h): N! executions. But all of them lead to
// the same state. To turn two such messages round is worth while only if something that comes
// before the one could then happen behind something that comes after the receive.
//
// So the execution is looked at without those orders. A receive of such a message then comes
// after none of its senders; but what happens after k of those receives happens after k of the
// sends, whichever these are. So if fewer than k of them can happen without an event, it is
// before. If two events that are dependent are not kept in their order by that, nor otherwise, the
// order of the messages matters; so it does wherever it is not known that it does not (a
// receive that could have taken a message of another kind as well, or given up).
//
// Cost: of an execution with such messages, what comes from the first of them on, and for each
// event of that a look at those that are neither before nor behind it.
#pragma once

#include <vector>

#include "explore/trace.h"

namespace fathom::explore {

class EqualMessages {
 public:
  explicit EqualMessages(const Trace& trace) : trace_(trace) {}

  // Whether, for all that the execution shows, no order of messages that are alike leads to
  // anything new.
  bool orders_are_irrelevant();

 private:
  // All of one content to one process.
  struct Group {
    uint64_t mailbox;
    machine::Value message;
    std::vector<uint32_t> sends;
    std::vector<uint32_t> receives;
  };

  bool find_groups();
  void add_observers_of(uint32_t sender);
  void add_group(const Record& receive);
  bool fill(Group& group);
  const Group* group_of_receive(uint32_t index) const;
  bool keeps(uint32_t index, const Trace::Predecessor& predecessor) const;
  void make_clocks(uint32_t from);
  bool comes_first(uint32_t a, uint32_t b) const { return clocks_.has_seen(b, trace_[a].id); }
  bool is_forced(uint32_t a, uint32_t b) const;
  bool is_of_one_group(uint32_t send, uint32_t receive) const;
  bool has_other_kind() const;
  bool is_other_kind(const Group& group, uint32_t sender) const;
  bool has_hidden_race() const;
  bool has_free_pair();
  bool is_free(uint32_t a, uint32_t b) const;
  bool has_free_observer() const;
  bool is_free_observer(uint32_t receive, uint32_t sender) const;

  const Trace& trace_;
  std::vector<Group> groups_;
  std::vector<uint32_t> others_;  // receives that could have taken another kind of message
  LaterClocks clocks_;            // without the orders in question
  std::vector<uint32_t> last_;    // by actor
};

}  // namespace fathom::explore
