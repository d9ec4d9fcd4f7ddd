// The races of a trace: its direct predecessors, but for those that enable the event.
//
// When an execution ends, the races of its fresh part are new: those whose second event is fresh.
// Three kinds of races belong to it although both their events may be older:
//
//   - Of two messages, where the receive that observes them is fresh.
//   - Of events that may access something else in the other order (is_stable): what comes before
//     the second event differs from execution to execution, and so may what it does when it comes
//     first.
//   - Of a disabled event, which is never part of an execution.
//
// A predecessor was direct when the event was added. It may not be any more: a receive may have
// observed an order since, by which it happens before another predecessor. So where there are such
// receives that is asked again (is_direct).
#include <algorithm>

#include "base/budget.h"
#include "explore/trace.h"

namespace fathom::explore {

bool Trace::is_race(const RacingPair& race) const {
  const Entry& second = entry(race.second);
  return std::any_of(
      second.predecessors.begin(), second.predecessors.end(), [&](const Predecessor& p) {
        const EventIndex observer = p.reason == Reason::Observed ? p.observer : kNoEvent;
        return p.index == race.first && p.reason != Reason::Enabled && observer == race.observer &&
               is_direct(race.second, p);
      });
}

// A process was ended or suspended while it waited; later a message was sent that it would have
// taken: had it come first, there would have been a receive. That is the second event of the race,
// made up here, with the message that it would have taken. To a process that was ended the message
// was not delivered; one that was suspended has it in its mailbox, and may take it later.
void Trace::find_missed_receive(EventIndex stopper, const Record& receive,
                                std::vector<RacingPair>& result) {
  const auto could_come_first = [&](EventIndex sender) {
    return exists(sender) && sender > stopper && !happens_before(stopper, sender) &&
           dependence_.would_take(receive, (*this)[sender]);
  };
  const auto find_in = [&](std::span<const EventIndex> senders) {
    const auto found = std::ranges::find_if(senders, could_come_first);
    return found == senders.end() ? kNoEvent : *found;
  };
  EventIndex sender = find_in(undelivered_);
  if (!exists(sender)) sender = find_in(senders_to(receive.process));
  if (!exists(sender)) return;
  missed_receives_.push_back(receive.copy(copies_));
  missed_receives_.back()->taken = (*this)[sender].id;
  missed_receives_.back()->taken_at = sender;
  result.push_back({stopper, kNoEvent, kNoEvent, missed_receives_.back().get()});
}

// A disabled event never comes, however the execution goes on, so its race is never one of the
// fresh part alone: it is found anew in each execution.
void Trace::find_disabled_races(std::vector<RacingPair>& result) {
  missed_receives_.clear();
  for (const EventIndex i : disablers_) {
    const Record& record = (*this)[i];
    for (const auto& disabled : record.disabled) {
      result.push_back({i, kNoEvent, kNoEvent, disabled.get()});
    }
    for (const auto& receive : record.interrupted) find_missed_receive(i, *receive, result);
  }
}

void Trace::find_races(EventIndex from, std::vector<RacingPair>& result) {
  result.clear();
  const auto add = [&](EventIndex second, const Predecessor& p) {
    if (p.reason == Reason::Enabled) return;
    const bool is_sure = observations_.empty() && !entry(second).has_late_predecessors;
    if (!is_sure && !is_direct(second, p)) return;
    const EventIndex observer = p.reason == Reason::Observed ? p.observer : kNoEvent;
    const bool is_equal = exists(observer) && is_equal_message(observer, second);
    result.push_back({p.index, second, observer, nullptr, is_equal, p.is_stable});
  };
  for (EventIndex i = from; i < end_; ++i) {
    const Entry& fresh = entry(i);
    spend(static_cast<int64_t>(fresh.predecessors.size() + fresh.observed.size()));
    for (const Predecessor& p : fresh.predecessors) add(i, p);
    for (const EventIndex sender : fresh.observed) {
      if (sender >= from) continue;
      for (const Predecessor& p : entry(sender).predecessors) {
        if (p.reason == Reason::Observed && p.observer == i) add(sender, p);
      }
    }
  }
  for (const EventIndex i : unstable_) {
    if (i >= from) break;
    for (const Predecessor& p : entry(i).predecessors) {
      if (p.reason == Reason::Dependent && !p.is_stable) add(i, p);
    }
  }
  find_disabled_races(result);
}

}  // namespace fathom::explore
