#include "explore/polling.h"

#include <algorithm>

#include "base/hash.h"

namespace fathom::explore {

using machine::AccessMode;
using machine::EventKind;
using machine::Process;

namespace {

// Whether the event changes nothing that any process could see. Of kinds that may change something
// as well, those that have turned out to have only read: no accesses but reads, and no message. The
// list is of kinds that polling loops use; an event of another kind counts as a change, so that the
// process is not taken to poll.
bool is_read(const Record& record) {
  const machine::Event& event = record.event;
  switch (event.kind) {
    case EventKind::After:
      return true;
    case EventKind::EtsRead:
    case EventKind::TermRead:
    case EventKind::AtomicRead:
    case EventKind::Info:
    case EventKind::Leader:
    case EventKind::Whereis:
      return event.sent.empty() && event.delivered_signals.empty() &&
             std::all_of(record.footprints.begin(), record.footprints.end(),
                         [](const Footprint& f) { return f.mode == AccessMode::Read; });
    default:
      return false;
  }
}

}  // namespace

// Where it waits, its stack and its dictionary. Values are the same if they are the same words:
// what lies on the heap stays where it is. So a process that has built an equal value anew on its
// way round the loop is not seen to be in the same state; its polls are then followed one by one.
uint64_t waiting_hash(const Process& p) {
  uint64_t hash = hash_words(reinterpret_cast<uint64_t>(p.pc), p.frame, p.dictionary.raw());
  for (size_t i = 0; i < p.top; ++i) hash = hash_combine(hash, p.stack[i].raw());
  return hash;
}

// The last time-out of the actor until then; kNoEvent: there was none.
EventIndex Polling::last_timeout(EventIndex index) const {
  while (exists(index) && !trace_[index].by_timer) index = trace_.previous(index);
  return index;
}

// Whether between the two events something has changed, of events that count.
template <class Counts>
bool Polling::has_change(EventIndex from, EventIndex to, Counts&& counts) const {
  for (EventIndex i = from + 1; i < to; ++i) {
    if (!is_read(trace_[i]) && counts(i)) return true;
  }
  return false;
}

// The process waits as it did before its last time-out, and since then nobody has changed anything.
// So the next time-out would lead it through the same reads, with the same results, to where it is
// now. (The messages in its mailbox are the same as well: a send is a change.)
bool Polling::repeats(ActorId actor) const {
  if (!has_timeouts_) return false;
  const Process* p = actors_.process(actor);
  if (!p || p->status != Process::Status::Waiting || p->receive_timer == 0) return false;
  const EventIndex last = last_timeout(trace_.last_of(actor));
  if (!exists(last) || trace_[last].waiting_hash != waiting_hash(*p)) return false;
  return !has_change(last, trace_.end(), [](EventIndex) { return true; });
}

// The second event of the race is a read of a process that polls; the first is the change that it
// has seen. Reversed, the read would come before the change. That is nothing new if the round
// before has already read the same: both rounds began with a time-out in the same state, and
// nothing changed between them but what the reversal would move after the read, the first event and
// what happens after it.
//
// Example: the events are
//
//   0  P: after 5
//   1  P: ets:member(T, k)         false
//   2  P: after 5
//   3  P.1: ets:insert(T, {k, 1})
//   4  P: ets:member(T, k)         true
//
// To reverse 3 and 4 would let P read false once more, as in 1.
bool Polling::repeats(const RacingPair& race) const {
  if (!has_timeouts_) return false;
  if (race.disabled || exists(race.observer) || !is_read(trace_[race.second])) return false;
  const EventIndex last = last_timeout(race.second);
  if (!exists(last)) return false;
  const EventIndex before = last_timeout(trace_.previous(last));
  if (!exists(before) || trace_[last].waiting_hash != trace_[before].waiting_hash) return false;
  return !has_change(before, race.second, [&](EventIndex i) {
    return i != race.first && !(i > race.first && trace_.happens_before(race.first, i));
  });
}

}  // namespace fathom::explore
