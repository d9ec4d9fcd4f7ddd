#include "explore/actors.h"

#include <algorithm>

#include "explore/dependence.h"
#include "machine/driver.h"
#include "machine/process_state.h"

namespace fathom::explore {

using machine::Process;
using machine::Transition;
using machine::Value;

// ---- Which actors there are -------------------------------------------------

// The process of nearly every event is looked up here: a list by number instead of the hash table,
// and where the process itself is at hand a list by its place.
ActorId Actors::of_process(uint64_t number) {
  ActorId& actor = of_process_[number].actor;
  if (!exists(actor)) {
    actor = intern({ActorKind::Process, number, 0, machine_.processes().place_of(number)});
  }
  return actor;
}

ActorId Actors::meet(const Process& p) {
  if (p.place >= by_place_.size()) by_place_.resize(p.place + 1, kNoActor);
  return by_place_[p.place] = of_process(p.pid.local_number());
}

ActorId Actors::intern(const Actor& actor) {
  const auto [it, is_new] = ids_.try_emplace(actor, static_cast<ActorId>(actors_.size()));
  if (is_new) {
    actors_.push_back(actor);
    choices_.push_back(choice_of(actor));
  }
  return it->second;
}

// An actor exists when it is first met, so it has a name then; but a program may make up pids,
// whose names are empty. The name of a process is its lineage. A timer that sends a message is
// named after the process that has set it, a timer of a receive after the process that waits. The
// sender of a signal in transit may have exited: so the signal has its lineage.
Choice Actors::choice_of(const Actor& a) const {
  const auto process_name = [&](Value pid) {
    const Process* p = machine_.processes().find(pid);
    return p ? ProcessName::of_lineage(p->lineage) : ProcessName();
  };
  Choice choice{.kind = a.kind};
  switch (a.kind) {
    case ActorKind::Process:
      choice.process = process_name(Value::pid(a.number));
      break;
    case ActorKind::Timer: {
      const machine::Timer& timer = machine_.shared().timers.get(a.number);
      choice.process = timer.message.is_none() ? process_name(timer.destination)
                                               : ProcessName::of_lineage(timer.setter);
      choice.ordinal = static_cast<uint32_t>(timer.ordinal);
      break;
    }
    case ActorKind::Channel:
      machine_.shared().transit.for_each([&](const machine::Transit::Pair& pair) {
        if (pair.from != Value::pid(a.number) || pair.to != Value::pid(a.to)) return;
        choice.process = ProcessName::of_lineage(pair.from_lineage);
        choice.to = ProcessName::of_lineage(pair.to_lineage);
      });
      break;
  }
  return choice;
}

const std::string* Actors::find_name(uint64_t process) const {
  const auto it = ids_.find({ActorKind::Process, process, 0});
  return it == ids_.end() ? nullptr : &choice(it->second).process.text();
}

// ---- Which of them can act --------------------------------------------------

// How much less patience there is with a process, since the time-outs of its receives have brought
// it ahead of the others.
int64_t Actors::ahead(const Process& p, int64_t due) {
  return 2 * std::max<int64_t>(p.clock - std::max<int64_t>(due, 0), 0);
}

// Early, if its duration is less than the patience; else once time has passed to its moment. Of a
// receive, those before it count too, and twice, since who gives up after a second looks for the
// last time before that: a hundred times 10 ms, with a look after each, is 990 ms. What the clock
// shows depends on the order of events that commute, so the duration of a timer that was
// set to a moment, as OTP's timer_server does, is counted from the moment to which time has passed.
bool Actors::may_fire(uint64_t timer, int64_t due) const {
  const machine::Timers& timers = machine_.shared().timers;
  const machine::Timer& set = timers.get(timer);
  const int64_t moment = *timers.time_of(timer);
  if (moment <= due) return true;
  if (set.is_absolute) return moment - std::max<int64_t>(due, 0) < patience_;
  const Process* waiting =
      set.message.is_none() ? machine_.processes().find(set.destination) : nullptr;
  return set.duration < patience_ - (waiting ? ahead(*waiting, due) : 0);
}

// What for_each_enabled() says, of one actor. Every process waits or stands before an event, since
// the machine is settled; unless it has an outcome. One that waits can act only by its time-out:
// had it a message to take, it would be runnable.
bool Actors::is_enabled(ActorId actor, int64_t due) const {
  const Actor& a = actors_[column(actor)];
  if (a.kind == ActorKind::Timer) return is_set(a.number) && may_fire(a.number, due);
  if (a.kind == ActorKind::Channel) {
    bool is_there = false;
    machine_.shared().transit.for_each([&](const machine::Transit::Pair& pair) {
      is_there = is_there || (pair.from == Value::pid(a.number) && pair.to == Value::pid(a.to));
    });
    return is_there;
  }
  const Process* p = process(actor);
  if (!p || p->is_system) return false;
  if (p->status == Process::Status::Runnable) return p->is_at_event;
  return p->status == Process::Status::Waiting && p->receive_timer != 0 &&
         may_fire(p->receive_timer, due);
}

void Actors::find_enabled(int64_t due, std::vector<ActorId>& result) {
  result.clear();
  for_each_enabled(due, [&](ActorId actor) {
    result.push_back(actor);
    return false;
  });
}

ActorId Actors::find_enabled(const Choice& choice, int64_t due) {
  ActorId found = kNoActor;
  for_each_enabled(due, [&](ActorId actor) {
    if (this->choice(actor) == choice) found = actor;
    return exists(found);
  });
  return found;
}

// Timers are visited in the order of their moments.
std::optional<int64_t> Actors::next_moment(int64_t after) const {
  std::optional<int64_t> next;
  machine_.shared().timers.for_each([&](uint64_t number, const machine::Timer&) {
    const int64_t moment = *machine_.shared().timers.time_of(number);
    if (!next && moment > after) next = moment;
  });
  return next;
}

// ---- Acting -----------------------------------------------------------------

void Actors::settle() {
  std::vector<uint64_t> exits;
  settle(nullptr, exits);
}

// Whether a process may exit invisibly is asked when it has run as far as it could: it stands
// before its exit then, if that is all that is left to do.
void Actors::settle(Process* first, std::vector<uint64_t>& exits) {
  machine::settle(machine_, first, [&](Process& p) {
    if (!assumptions_.may_exit_invisibly(p)) return;
    of_process(p);  // while it has a name
    exits.push_back(p.pid.local_number());
    assumptions_.exit_invisibly(p);
  });
}

// Whether the receive could time out before any other event.
bool Actors::is_impatient(const machine::Event& receive, int64_t ahead) const {
  constexpr int64_t kNanoseconds = 1'000'000;  // of a millisecond
  if (!receive.timeout.is_small()) return false;
  // A time-out of 0 does not wait, whatever the patience.
  return receive.timeout.small() == 0 || receive.timeout.small() * kNanoseconds < patience_ - ahead;
}

// The order matters: what the process waits for (is_late) is known before the event only, what it
// has accessed after it only. A receive that takes a message
// `may_time_out` if it would have done so without the message: since its timer could have fired in
// this state (is_late), or since it would not have waited long (is_impatient). Then the message and
// the receive race.
void Actors::act(ActorId actor, int64_t due, Record& record) {
  const Actor a = actors_[column(actor)];
  record.id.actor = actor;
  record.process = a.kind == ActorKind::Process ? a.number : 0;
  Transition transition;
  bool is_late = false;
  int64_t ahead = 0;
  switch (a.kind) {
    case ActorKind::Process:
      transition.process = process(actor);
      is_late = transition.process->receive_timer != 0 &&
                may_fire(transition.process->receive_timer, due);
      ahead = Actors::ahead(*transition.process, due);
      record.by_timer = transition.process->status == Process::Status::Waiting;
      break;
    case ActorKind::Timer:
      transition.timer = a.number;
      break;
    case ActorKind::Channel:
      transition.from = Value::pid(a.number);
      transition.to = Value::pid(a.to);
      break;
  }
  machine_.events().report_to(&record.event);
  machine::perform(machine_, transition);
  machine_.events().report_to(nullptr);
  make_footprints(record);
  record.may_time_out = record.takes() && (is_late || is_impatient(record.event, ahead));
  assumptions_.note(record);
}

}  // namespace fathom::explore
