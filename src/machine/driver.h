// The interface between a machine and its driver, which decides what happens next.
//
// drive() goes on like this until the run is over: the driver is shown the enabled transitions
// and picks one, the machine performs it, the driver gets its event. A transition is one of:
//
//   - a process goes on. If the machine is observed (Mode::is_observed), the process performs the
//     event before which it stands. Otherwise it runs for a while.
//   - a signal in transit (Mode::delays_delivery) arrives: of each channel the oldest.
//   - a timer fires. It may at any time; a driver that wants time to pass only when nothing else
//     can happen (Enabled::only_timers) takes the first one then.
//
// If none is enabled there is a deadlock: the driver is not asked, and the outcome says so.
//
// On an observed machine a step is exactly one event, and these rules hold for everything that
// drives one, runs (drive) as well as searches (explore/actors.h):
//
//   - Between two steps every process waits or stands before an event (settle). What a process
//     does in between concerns nobody else, so it is done as soon as it can be.
//   - That the timer of a receive fires and that the receive gives up is one event, After, of the
//     process. (A message that came in between would be taken as if it had come in time, so
//     nothing is lost.)
//
// Example: P spawns P.1, which computes something and sends it to P. After the step in which P
// performs the spawn, P stands before its receive or waits in it, and P.1 has computed and stands
// before its send.
#pragma once

#include <cstdint>
#include <optional>

#include "machine/machine.h"

namespace fathom::machine {

// Something that can happen next. Valid until the next step; explore::Choice names the same
// independently of the execution.
struct Transition {
  Process* process = nullptr;  // goes on, or its receive times out; null:
  Value from = Value::none();  // a signal from there
  Value to = Value::none();    // arrives here; none():
  uint64_t timer = 0;          // fires
};

// What can happen next. Valid until it does.
class Enabled {
 public:
  explicit Enabled(Machine& m) : machine_(m) {}

  Machine& machine() const { return machine_; }
  // The process that has been able to run for longest; null: none can. The others follow
  // by Process::next.
  Process* processes() const { return machine_.processes().first_runnable(); }
  // By the time that they are set to.
  const Timers& timers() const { return machine_.shared().timers; }
  // Signals that can arrive.
  const Transit& signals() const { return machine_.shared().transit; }
  bool only_timers() const { return !processes() && signals().empty(); }
  bool empty() const { return only_timers() && timers().empty(); }

 private:
  Machine& machine_;
};

class Driver {
 public:
  virtual ~Driver() = default;
  // What is to happen next; none: the driver does not want to go on. `enabled` is not empty.
  virtual std::optional<Transition> choose(const Enabled& enabled) = 0;
  // It has happened. `event`: what was performed, if anything, see EventRecorder.
  virtual void done(Machine&, const Transition&, const Event&) {}
};

// Signals as soon as they are sent, each process in turn, and time when none can run.
class RoundRobin : public Driver {
 public:
  std::optional<Transition> choose(const Enabled& enabled) override;
};

// Machine::start() must have been called. None: the driver did not want to go on.
std::optional<Outcome> drive(Machine& m, Driver& driver);

// ---- Steps ------------------------------------------------------------------

// One step. Of an observed machine: one event, which Machine::events() then reports; settle() is to
// follow. Returns the process that ran, if any did; it may have exited.
Value perform(Machine& m, const Transition& transition);

// Lets a process run until it waits, exits or stands before an event. One that runs for too long
// without an event ends the run.
void run_to_event(Machine& m, Process& p);

// Lets all processes run to their next events. `first`: the one that the last step let run; null:
// none, or it has exited. `has_run(process)` is called for each that has run.
//
// Those that do not stand before an event yet have become runnable since the last step, so they
// are the last of the queue, but for `first`: one that was suspended before an event is put first
// when it is resumed.
template <class F>
void settle(Machine& m, Process* first, F&& has_run) {
  if (first && !m.outcome) {
    run_to_event(m, *first);
    has_run(*first);
  }
  while (!m.outcome) {
    Process* p = m.processes().last_runnable();
    while (p && p->previous && !p->is_at_event && !p->previous->is_at_event) p = p->previous;
    if (!p || p->is_at_event) return;
    run_to_event(m, *p);
    has_run(*p);
  }
}

}  // namespace fathom::machine
