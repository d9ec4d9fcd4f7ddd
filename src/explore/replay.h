// Following a schedule on a fresh machine, event by event: the one replayer, for runs and checks.
//
// The rules, wherever the schedule comes from:
//
//   - A step names an actor and the kind of its event. The actor must be enabled, and perform an
//     event of that kind; else the schedule does not fit the program, and the error says where.
//   - Every timer that is set may fire, however early: what time-outs a search lets come early is
//     the search's affair (actors.h).
//   - No exit is invisible (assumptions.h): each is a step of its own.
//   - At the end, if the schedule says "end", nothing may be enabled, unless nothing new comes of
//   it
//     (at_rest.h). A schedule without "end" was
//     cut off: then the execution goes on by itself, and the result says so.
//
// The machine must be observed and started. What makes the schedule of a run different from that of
// a check is the machine: the one is over when its first process exits (Machine::outcome).
#pragma once

#include <functional>
#include <optional>

#include "explore/actors.h"
#include "explore/schedule.h"

namespace fathom::explore {

// Every timer may fire.
inline constexpr int64_t kAnyTime = INT64_MAX;

// To be called first, before any process has run: what the schedule has as events is one.
void watch(machine::Machine& m, const Schedule& schedule);
// `perform` lets the actor act, and returns the kind of its event. The actors must have a patience
// of kAnyTime. `is_over`: whether the execution may end here though something is enabled; it may be
// empty. The message of an error begins with the number of the line.
Result<void> follow(machine::Machine& m, Actors& actors, const Schedule& schedule,
                    const std::function<machine::EventKind(ActorId)>& perform,
                    const std::function<bool()>& is_over = {});

struct ReplayedRun {
  machine::Outcome outcome;
  // The schedule has no "end", and the run went on in turn after it.
  bool went_on = false;
};
// A run. `listener` is called with each event of the schedule; it may be empty.
Result<ReplayedRun> replay_run(machine::Machine& m, const Schedule& schedule,
                               const std::function<void(const machine::Event&)>& listener = {});

}  // namespace fathom::explore
