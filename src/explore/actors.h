// The actors of a program: who can act in a state of the machine, and letting one of them act.
//
// An actor is a process, a timer that sends a message, or a channel between two processes with
// signals in transit. In each state an actor has at most one event to perform next: a process in
// a receive takes the message that is there for it, or else, if it has waited long enough, times
// out; that its timer fires and that it gives up is one event. So an event of an execution is
// known by its actor and by how many events the actor has performed before (EventId), and an
// execution by the sequence of its actors (choice.h).
//
// Actors are numbered as they are met, once for a whole search: the number of an actor is its
// column in all vector clocks. On one machine a pid always belongs to the same process, whatever
// the execution (PidNumbers), and so does the number of a timer.
//
// Time. Which time-outs may come early is a matter of `patience`: one that takes less may come
// before or after anything; one that takes as long or longer, together with those of the same
// process that have come early, comes only when nothing else can happen. Then time passes to the
// first moment at which a timer is set (next_moment), and all time-outs that are due at that moment
// may come, in any order.
//
// Example: with a patience of 1 s, in receive x -> ok after 5000 -> late end the time-out is not
// enabled as long as another process can run; with after 10 it is enabled at once.
//
// Cost: for_each_enabled() goes through each runnable process, each timer and each channel.
// perform() costs what the event and the processes that it lets run do.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "explore/assumptions.h"
#include "explore/by_process.h"
#include "explore/choice.h"
#include "explore/record.h"

namespace fathom::explore {

class Actors {
 public:
  // `patience`: nanoseconds.
  Actors(machine::Machine& m, int64_t patience)
      : machine_(m), patience_(patience), assumptions_(m) {}

  Assumptions& assumptions() { return assumptions_; }
  const Assumptions& assumptions() const { return assumptions_; }

  // ---- Which actors there are

  ActorId of_process(uint64_t number);
  ActorId of_process(const machine::Process& p) {
    const bool is_known = p.place < by_place_.size() && exists(by_place_[p.place]);
    return is_known ? by_place_[p.place] : meet(p);
  }
  ActorId of_timer(uint64_t number) { return intern({ActorKind::Timer, number, 0}); }
  bool is_timer(ActorId actor, uint64_t number) const {
    return actors_[column(actor)] == Actor{ActorKind::Timer, number, 0};
  }
  ActorId channel(uint64_t from, uint64_t to) { return intern({ActorKind::Channel, from, to}); }
  size_t count() const { return actors_.size(); }  // of all that were ever met
  // Its name in every execution and on every machine.
  const Choice& choice(ActorId actor) const { return choices_[column(actor)]; }
  std::string name(ActorId actor) const { return choice(actor).name(); }
  // Of a process by the number of its pid; null: it was never met.
  const std::string* find_name(uint64_t process) const;
  // The process that it is; null: it is not a process, or it has exited.
  machine::Process* process(ActorId actor) const {
    const Actor& a = actors_[column(actor)];
    if (a.kind != ActorKind::Process) return nullptr;
    return a.place == kNoPlace ? find_process(a.number) : machine_.processes().find_at(a.place);
  }
  bool is_channel(ActorId actor) const { return actors_[column(actor)].kind == ActorKind::Channel; }
  // Of a channel: the receiver, as the number of its pid.
  uint64_t receiver(ActorId channel) const { return actors_[column(channel)].to; }
  // The actors that the event starts: processes and timers.
  template <class F>
  void for_each_started(const Record& record, F&& f) {
    using enum machine::SharedObject;
    if (!record.kinds.has_any({Life, Timer})) return;
    for (const machine::Access& access : record.event.accesses) {
      if (access.object == Life && access.mode == machine::AccessMode::Append)
        f(of_process(access.id));
      if (access.object == Timer && is_set(access.id)) f(of_timer(access.id));
    }
  }

  // ---- Which of them can act. `due`: the moment to which time has passed

  // `f(actor)` says whether that was enough.
  template <class F>
  void for_each_enabled(int64_t due, F&& f);
  void find_enabled(int64_t due, std::vector<ActorId>& result);
  bool is_enabled(ActorId actor, int64_t due) const;
  // The one that the choice names, if it is enabled; kNoActor: it is not.
  ActorId find_enabled(const Choice& choice, int64_t due);
  // Whether it is a process that waits: all that it could do is to time out.
  bool waits(ActorId actor) const {
    const machine::Process* p = process(actor);
    return p && p->status == machine::Process::Status::Waiting;
  }
  // Whether that is what it would do next.
  bool would_halt(ActorId actor) const {
    const machine::Process* p = process(actor);
    return p && p->is_at_event && p->call && p->call->event == machine::EventKind::Halt;
  }
  // The moment to which time may pass when nothing is enabled; none: no timer is set to a later
  // one.
  std::optional<int64_t> next_moment(int64_t after) const;

  // ---- Acting

  // Lets processes run to their first events. To be called once, in the first state.
  void settle();
  // Lets one that is enabled perform its event, and then all processes run to their next events.
  void perform(ActorId actor, int64_t due, Record& record) {
    act(actor, due, record);
    settle(actor, record);
  }
  // The two halves of it. Where there is no mark, values of the record are valid in between only.
  void act(ActorId actor, int64_t due, Record& record);
  void settle(ActorId actor, Record& record) { settle(process(actor), record.invisible_exits); }

 private:
  static constexpr uint64_t kNoPlace = machine::ProcessTable::kNoPlace;

  // As the machine knows it.
  struct Actor {
    ActorKind kind;
    uint64_t number;            // of the pid, or of the timer; of a channel: of the sender's pid
    uint64_t to = 0;            // of a channel: of the receiver's pid
    uint64_t place = kNoPlace;  // of a process: machine::Process::place; kNoPlace: not known
    bool operator==(const Actor& other) const {
      return kind == other.kind && number == other.number && to == other.to;
    }
  };
  struct Hash {
    size_t operator()(const Actor& t) const {
      return hash_words(t.number * 4 + static_cast<uint64_t>(t.kind), t.to);
    }
  };
  struct ProcessActor {
    ActorId actor = kNoActor;
  };

  ActorId intern(const Actor& actor);
  ActorId meet(const machine::Process& p);
  machine::Process* find_process(uint64_t number) const {
    return machine_.processes().find(machine::Value::pid(number));
  }
  Choice choice_of(const Actor& actor) const;
  void settle(machine::Process* first, std::vector<uint64_t>& exits);
  bool is_set(uint64_t timer) const { return machine_.shared().timers.time_of(timer).has_value(); }
  bool may_fire(uint64_t timer, int64_t due) const;
  static int64_t ahead(const machine::Process& p, int64_t due);
  bool is_impatient(const machine::Event& receive, int64_t ahead) const;

  machine::Machine& machine_;
  int64_t patience_;
  Assumptions assumptions_;
  std::vector<Actor> actors_;    // by ActorId
  std::vector<Choice> choices_;  // by ActorId
  std::unordered_map<Actor, ActorId, Hash> ids_;
  ByProcess<ProcessActor> of_process_;
  std::vector<ActorId> by_place_;  // the same by the place of a process
};

template <class F>
void Actors::for_each_enabled(int64_t due, F&& f) {
  using machine::Process;
  for (const Process* p = machine_.processes().first_runnable(); p; p = p->next) {
    if (p->is_at_event && f(of_process(*p))) return;
  }
  bool is_enough = false;
  machine_.shared().timers.for_each([&](uint64_t number, const machine::Timer& timer) {
    if (is_enough || !may_fire(number, due)) return;
    if (!timer.message.is_none()) {
      is_enough = f(of_timer(number));
      return;
    }
    const Process* p = machine_.processes().find(timer.destination);
    if (p && !p->is_system && p->status == Process::Status::Waiting) {
      is_enough = f(of_process(*p));
    }
  });
  machine_.shared().transit.for_each([&](const machine::Transit::Pair& pair) {
    if (!is_enough) is_enough = f(channel(pair.from.local_number(), pair.to.local_number()));
  });
}

}  // namespace fathom::explore
