#include "explore/sleep_sets.h"

#include <algorithm>

namespace fathom::explore {
namespace {

bool send_to_same(const Record& a, const Record& b) {
  return std::any_of(a.event.sent.begin(), a.event.sent.end(), [&](const machine::SentMessage& x) {
    return std::any_of(b.event.sent.begin(), b.event.sent.end(),
                       [&](const machine::SentMessage& y) { return x.to == y.to; });
  });
}

}  // namespace

// The sleep set of a state is made of that of the state before it: those of its events that commute
// with the event in between. A state that the search comes back to keeps its set, to which add()
// adds what was explored from it.
//
// A sleeping event that is the event itself does not sleep any more. If it is a send, the wake-up
// tree has asked for it, so that a receive may observe it after another one. Until then it is
// `unobserved`: the execution is still equivalent to one that begins with it.
void SleepSets::enter() {
  const Depth depth = execution_.depth();
  SleepSet& next = sets_.enter(depth);
  next.sleeping.clear();
  next.actors = 0;
  next.unobserved.clear();
  next.explored.clear();
  if (depth == Depth{}) return;
  const SleepSet& before = sets_[depth - 1];
  if (before.sleeping.empty() && before.unobserved.empty()) return;
  const EventSummary& event = execution_.trace().summary(event_after(depth - 1));
  single_.clear();
  single_.push_back(event);
  for (const SleepingEvent& sleeping : before.sleeping) {
    if (still_sleeps(sleeping, event)) {
      next.sleeping.push_back(sleeping);
      next.actors |= bit(sleeping.event.actor);
    } else if (sleeping.event.sends && sleeping.event.record->id == event.record->id) {
      next.unobserved.push_back(sleeping);
    }
  }
  for (const SleepingEvent& unobserved : before.unobserved) {
    const bool may_observe =
        event.record->is_receive() && event.filter.may_conflict(unobserved.event.filter);
    if (!may_observe || was_initial(unobserved, depth - 1, single_)) {
      next.unobserved.push_back(unobserved);
    }
  }
}

// The event is tested as a sequence of one, since for messages it takes more than the dependence of
// two events: a receive wakes up a send that it could have taken as well, if what it has taken was
// sent after the other went to sleep (see `observes` in wakeup_tree.cc).
bool SleepSets::still_sleeps(const SleepingEvent& sleeping, const EventSummary& event) {
  if (sleeping.event.actor == event.actor) return false;
  if (wakes_senders_ && send_to_same(*sleeping.event.record, *event.record)) return false;
  if (!sleeping.event.filter.may_conflict(event.filter)) return true;
  if (sleeping.event.is_simple() && event.is_simple()) return !sleeping.event.conflicts_with(event);
  const Position position{sleeping.since, execution_.depth()};
  return test_initial(execution_.dependence(), sleeping.event, position, single_).is_weak_initial;
}

// Whether the event could as well have come where it went to sleep, if the execution until `depth`
// is followed by the sequence. The event is part of the execution by now, so all that came since is
// gone through again; there are few such events.
bool SleepSets::was_initial(const SleepingEvent& unobserved, Depth depth,
                            const Sequence& sequence) {
  whole_.clear();
  for (EventIndex i = event_after(unobserved.since); is_before(i, depth); ++i) {
    whole_.push_back(execution_.trace().summary(i));
  }
  for (const EventSummary* event : sequence.items()) whole_.push_back(*event);
  const Position position{unobserved.since, unobserved.since};
  return test_initial(execution_.dependence(), unobserved.event, position, whole_).is_weak_initial;
}

// The record outlives the event. Where dependence is a matter of values, these are copied.
void SleepSets::add(RecordPtr record) {
  const Depth depth = execution_.depth();
  SleepSet& set = sets_[depth];
  set.explored.push_back(record->has_values()
                             ? record->persistent_copy(execution_.trace().copies(),
                                                       execution_.mark(depth),
                                                       execution_.machine().heap().top())
                             : std::move(record));
  set.sleeping.push_back({set.explored.back().get(), depth});
  set.actors |= bit(set.sleeping.back().event.actor);
}

bool SleepSets::has(ActorId actor) const {
  const SleepSet& set = sets_[execution_.depth()];
  if ((set.actors & bit(actor)) == 0) return false;
  return std::any_of(set.sleeping.begin(), set.sleeping.end(),
                     [&](const SleepingEvent& s) { return s.event.actor == actor; });
}

// An unobserved event counts as not being part of the sequence: it is part of the execution before
// it.
SleepSets::Sleeper SleepSets::find_initial(Depth depth, const Sequence& sequence) {
  const SleepSet& set = sets_[depth];
  for (const SleepingEvent& sleeping : set.sleeping) {
    const InitialTest test =
        test_initial(execution_.dependence(), sleeping.event, {sleeping.since, depth}, sequence);
    if (test.is_weak_initial) return {&sleeping, test.place};
  }
  for (const SleepingEvent& unobserved : set.unobserved) {
    if (was_initial(unobserved, depth, sequence)) return {&unobserved, sequence.size()};
  }
  return {};
}

}  // namespace fathom::explore
