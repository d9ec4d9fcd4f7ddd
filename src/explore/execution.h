// The current execution: a stack of states of the machine, with the events between them.
//
// State 0 is the first one; state i + 1 is the one after event i, so depth() is the number of
// events. Each state has a mark of the machine, so any of them can be gone back to, at the cost of
// what has changed since; marks nest, and going back drops the later ones. All that moves in the
// tree of executions does so by the same few steps, whether it explores depth first, replays a
// schedule or resumes a path that another machine has found:
//
//   perform(actor)   the machine performs an event, which is not part of the execution yet
//   push(record)     it becomes part of it, and there is a new state
//   retreat()        the last event is no longer part of it; the machine stays where it is
//   rewind()         the machine goes (back) to the current state
//
// Invariant: between two operations the machine is in the current state, except after perform()
// and retreat(), which push() and rewind() must follow. Of several calls of retreat() in a row only
// the last state is gone back to.
//
// Time passes where nothing else can happen (actors.h): that belongs to the state in which it
// does, and what can happen only because of it happens after everything before (Trace::pass_time).
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "explore/actors.h"
#include "explore/choice.h"
#include "explore/dependence.h"
#include "explore/trace.h"

namespace fathom::explore {

class Execution {
 public:
  // The machine must be observed, and must have started its first process.
  Execution(machine::Machine& m, int64_t patience)
      : machine_(m), dependence_(m), actors_(m, patience), trace_(actors_, dependence_) {}

  machine::Machine& machine() const { return machine_; }
  const Dependence& dependence() const { return dependence_; }
  Actors& actors() { return actors_; }
  const Actors& actors() const { return actors_; }
  Trace& trace() { return trace_; }
  const Trace& trace() const { return trace_; }
  Depth depth() const { return Depth{trace_.size()}; }
  const machine::Machine::Mark& mark(Depth depth) const { return states_[number(depth)].mark; }
  // The actor of the last event; kNoActor: there is none.
  ActorId last_actor() const { return trace_.empty() ? kNoActor : trace_.back().id.actor; }
  Path path() const;
  // The moment to which time has passed; -1: it has not.
  int64_t due() const { return top().due; }

  // Enters the first state. To be called first, and after clear().
  void begin();
  // Back to before that. The machine stays where it is.
  void clear();

  // The actors that are enabled. Where there are none, time passes first, if that helps. False:
  // there are none at all, the execution is complete.
  bool find_enabled(std::vector<ActorId>& enabled) {
    return find_enabled(enabled, [](ActorId) { return false; });
  }
  // The same; those of which `waits` says so do not keep time from passing.
  template <class Waits>
  bool find_enabled(std::vector<ActorId>& enabled, Waits&& waits);
  bool is_enabled(ActorId actor) const { return actors_.is_enabled(actor, top().due); }
  // Calls f(actor) for those that are enabled without any time passing, until it returns true.
  template <class F>
  void for_each_enabled(F&& f) {
    actors_.for_each_enabled(top().due, f);
  }

  RecordPtr perform(ActorId actor);
  // Performs it again, after rewind().
  void perform(ActorId actor, Record& record);
  void push(RecordPtr record);
  void advance(ActorId actor) { push(perform(actor)); }
  RecordPtr retreat();
  void rewind() { machine_.rewind(top().mark); }

  // To the state that the path leads to from the first one: back to the last state that both paths
  // have in common, then forward. Returns how many choices of the path could be followed; fewer
  // than all: the next one was not enabled there.
  size_t go_to(const Path& path);

 private:
  bool may_poll(ActorId actor, const machine::Process& process) const;

  struct State {
    machine::Machine::Mark mark;
    int64_t due = -1;                // the moment to which time has passed
    BarrierId barrier = kNoBarrier;  // see Trace::pass_time
    bool passes_time = false;        // it has passed in this state
  };

  void pass_time(int64_t due);
  State& top() { return states_[number(depth())]; }
  const State& top() const { return states_[number(depth())]; }
  void enter(const State& before);

  machine::Machine& machine_;
  Dependence dependence_;
  Actors actors_;
  Trace trace_;
  std::vector<State> states_;  // by depth, up to depth(), and more for use again
  std::vector<ActorId> enabled_;
};

template <class Waits>
bool Execution::find_enabled(std::vector<ActorId>& enabled, Waits&& waits) {
  int64_t due = top().due;
  actors_.find_enabled(due, enabled);
  // The first moment at which any is enabled, if there is none at which one does not wait.
  std::optional<int64_t> first;
  while (std::all_of(enabled.begin(), enabled.end(), waits)) {
    if (!first && !enabled.empty()) first = due;
    const std::optional<int64_t> moment = actors_.next_moment(due);
    if (!moment) {
      if (!first) return false;
      due = *first;
      actors_.find_enabled(due, enabled);
      break;
    }
    due = *moment;
    actors_.find_enabled(due, enabled);
  }
  if (due != top().due) pass_time(due);
  return true;
}

}  // namespace fathom::explore
