#include "explore/seen_states.h"

#include "base/hash.h"

namespace fathom::explore {
namespace {

uint64_t hash_of(EventId id) { return hash_words(column(id.actor), id.index); }

// Not the same the other way round.
uint64_t hash_of_order(EventId first, EventId second) {
  return hash_finish(
      hash_words(column(first.actor), first.index, column(second.actor), second.index));
}

}  // namespace

// Sends that a receive has observed have got the send of the message that it has taken as another
// predecessor (trace_messages.cc).
uint64_t contribution(const Trace& trace, EventIndex index) {
  const Record& record = trace[index];
  uint64_t sum = hash_finish(hash_of(record.id));
  for (const Predecessor& p : trace.predecessors(index)) {
    sum += hash_of_order(trace[p.index].id, record.id);
  }
  for (const EventIndex send : trace.observed(index)) {
    sum += hash_of_order(record.taken, trace[send].id);
  }
  return sum;
}

uint64_t mailboxes_hash(const Execution& execution) {
  const Trace& trace = execution.trace();
  uint64_t hash = 0;
  execution.machine().processes().for_each([&](const machine::Process& p) {
    if (p.mailbox.size() < 2 || !p.mailbox.is_numbered()) return;
    const uint64_t process = p.pid.local_number();
    const std::span<const EventIndex> senders = trace.senders_to(process);
    hash = hash_combine(hash, process);
    for (size_t i = 0; i < p.mailbox.size(); ++i) {
      const uint32_t number = p.mailbox.number(i);
      const bool is_event = number < senders.size() && exists(senders[number]);
      hash = hash_combine(hash, is_event ? hash_of(trace[senders[number]].id) : number);
    }
  });
  return hash;
}

}  // namespace fathom::explore
