// Who can act in a state of the machine, and letting one of them act.
//
// A actor is a process, a timer that sends a message, or the channel between two processes
// on which signals wait. In each state a actor has at most one thing to do next: a
// process in a receive takes the message that is there for it, or else, if its time may
// be up, gives up; that its timer fires and that it gives up is one step.
//
// Which time-outs may come early is a matter of patience: one that takes less may come
// before or after anything, one that takes as long or longer comes only when nothing else
// can happen. Then time passes (let_time_pass) to the first such moment, and all time-outs
// of that moment may come.
//
// The end of a process is an event because others may see it. Of many processes nobody ever
// does: who starts them drops their pids. Such a process, with nothing more to do, leaves: it
// ends together with its last event, or with that which has started it. Which ones these are
// shows only in the course of a search. A process is noticed if another one does anything
// with it, alive or not; should that turn out of one that has left, whatever came of that is
// void (has_misjudged), and whoever searches begins again, knowing better. No ending is lost
// for ones that are never noticed: their end commutes with all that others do. In the same way
// nothing is told of what events change in tables (Event::changes) until somebody looks for
// objects there.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "explore/by_process.h"
#include "explore/record.h"

namespace fathom::explore {

class Actors {
 public:
  // `patience`: nanoseconds.
  Actors(machine::Machine& m, int64_t patience) : machine_(m), patience_(patience) {}

  // From now on processes may leave.
  void allow_invisible_exits() { allows_invisible_exits_ = true; }
  // From now on none may.
  void forbid_invisible_exits() { allows_invisible_exits_ = false; }
  // Whether something that was taken for granted has turned out to be wrong.
  bool needs_restart() const { return needs_restart_; }
  // What came of that was forgotten.
  void restart() { needs_restart_ = false; }

  ActorId of_process(uint64_t number);
  ActorId of_timer(uint64_t number) { return intern({Kind::Timer, number, 0}); }
  // The actors that the event starts.
  template <class F>
  void for_each_started(const machine::Event& event, F&& f) {
    using enum machine::SharedObject;
    for (const machine::Access& access : event.accesses) {
      if (access.object == Life && access.mode == machine::AccessMode::Append)
        f(of_process(access.id));
      if (access.object == Timer && is_set(access.id)) f(of_timer(access.id));
    }
  }
  size_t count() const { return actors_.size(); }  // of all that were ever met
  // The process that it is; null: none, or it has exited.
  machine::Process* process(ActorId actor) const;
  bool is_channel(ActorId actor) const { return actors_[actor].kind == Kind::Channel; }
  // Of a channel: the process that it leads to.
  uint64_t destination(ActorId channel) const { return actors_[channel].to; }
  ActorId channel(uint64_t from, uint64_t to) { return intern({Kind::Channel, from, to}); }
  // Of a process by the number of its pid; null: it was never met.
  const std::string* find_name(uint64_t process) const;
  // As schedules name it.
  const std::string& name(ActorId actor) const { return names_[actor]; }

  // Lets processes run until each waits or stands before an event. To be called after
  // every step.
  void settle() { settle(none_); }
  // `due`: time has passed to there. The function says whether that was enough.
  template <class F>
  void for_each_enabled(int64_t due, F&& f);
  void find_enabled(int64_t due, std::vector<ActorId>& result);
  bool is_enabled(ActorId actor, int64_t due) const;
  // Whether that is what it would do next.
  bool would_halt(ActorId actor) const;
  // Nothing can happen: the moment to which time may pass; none: there is no time-out.
  std::optional<int64_t> next_moment() const;

  // One that is enabled.
  void perform(ActorId actor, int64_t due, Record& record);

 private:
  enum class Kind : uint8_t { Process, Timer, Channel };
  struct Actor {
    Kind kind;
    uint64_t number;  // of the pid, or of the timer; from whom
    uint64_t to = 0;
    bool operator==(const Actor&) const = default;
  };
  struct Hash {
    size_t operator()(const Actor& t) const {
      return hash_words(t.number * 4 + static_cast<uint64_t>(t.kind), t.to);
    }
  };

  // What is known of a process.
  struct ProcessInfo {
    ActorId actor = kNoIndex;
    bool is_referenced = false;
    bool has_exited_invisibly = false;  // ever
  };

  ActorId intern(const Actor& actor);
  void settle(std::vector<uint64_t>& exits);
  void run_to_event(machine::Process& p);
  void exit_if_invisible(machine::Process& p, std::vector<uint64_t>& exits);
  void mark_referenced(const Record& record);
  void mark_referenced(uint64_t process);
  bool is_set(uint64_t timer) const { return machine_.shared().timers.time_of(timer).has_value(); }
  bool may_fire(uint64_t timer, int64_t due) const;
  bool is_impatient(const machine::Event& receive) const;

  std::string name_of(const Actor& actor) const;

  machine::Machine& machine_;
  int64_t patience_;
  std::vector<Actor> actors_;
  std::vector<std::string> names_;
  std::unordered_map<Actor, ActorId, Hash> ids_;
  bool allows_invisible_exits_ = false;
  bool needs_restart_ = false;
  bool has_invisible_exits_ = false;  // anybody, ever
  ByProcess<ProcessInfo> processes_;
  std::vector<uint64_t> none_;
};

template <class F>
void Actors::for_each_enabled(int64_t due, F&& f) {
  using machine::Process;
  for (const Process* p = machine_.processes().first_runnable(); p; p = p->next) {
    if (p->is_at_event && f(of_process(p->pid.local_number()))) return;
  }
  bool is_enough = false;
  machine_.shared().timers.for_each([&](uint64_t number, const machine::Timer& timer) {
    if (is_enough || !may_fire(number, due)) return;
    if (!timer.message.is_none()) {
      is_enough = f(intern({Kind::Timer, number, 0}));
      return;
    }
    const Process* p = machine_.processes().find(timer.destination);
    if (p && !p->is_system && p->status == Process::Status::Waiting) {
      is_enough = f(of_process(p->pid.local_number()));
    }
  });
  machine_.shared().transit.for_each([&](machine::Value from, machine::Value, machine::Value to) {
    if (!is_enough) is_enough = f(channel(from.local_number(), to.local_number()));
  });
}

}  // namespace fathom::explore
