// Between a machine and whoever decides what happens next.
//
// drive() goes on like this until the run is over: the driver is shown what can happen
// and chooses one thing, the machine does it, the driver is told. What can happen:
//
//   - a process that can run goes on. If the machine is observed (Machine::observe) that
//     performs the event before which the process stands, if it stands before one, and
//     takes it to the next; so a step performs at most one event. Otherwise it goes on
//     for a while.
//   - a signal arrives that is on its way (Machine::let_signals_wait): of each pair of
//     processes the oldest.
//   - a timer fires. It may at any time; a driver that wants time to pass only when
//     nothing else can happen (Choices::only_timers) takes the first one then.
//
// If none of it is possible there is a deadlock: the driver is not asked, and the outcome
// says so.
#pragma once

#include <cstdint>
#include <optional>

#include "machine/machine.h"

namespace fathom::machine {

struct Choice {
  Process* process = nullptr;  // goes on; null:
  Value from = Value::none();  // a signal from there
  Value to = Value::none();    // arrives here; none():
  uint64_t timer = 0;          // fires
};

// What can happen. Valid until it does.
class Choices {
 public:
  explicit Choices(Machine& m) : machine_(m) {}

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
  // What is to happen next; none: the driver does not want to go on. `choices` is not
  // empty.
  virtual std::optional<Choice> choose(const Choices& choices) = 0;
  // It has happened. `event`: what was performed, if anything, see Machine::event().
  virtual void done(Machine&, const Choice&, const Event&) {}
};

// Signals as soon as they are sent, each process in turn, and time when none can run.
class RoundRobin : public Driver {
 public:
  std::optional<Choice> choose(const Choices& choices) override;
};

// Machine::start() must have been called. None: the driver did not want to go on.
std::optional<Outcome> drive(Machine& m, Driver& driver);

// One step of it.
void perform(Machine& m, const Choice& choice);

}  // namespace fathom::machine
