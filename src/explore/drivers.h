// Drivers: at random, after a schedule, and one that writes down what another decides.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "explore/schedule.h"
#include "machine/driver.h"

namespace fathom::explore {

// Any process that can run; time passes when none can. The same seed gives the same run.
class RandomDriver : public machine::Driver {
 public:
  explicit RandomDriver(uint64_t seed) : state_(seed) {}
  std::optional<machine::Choice> choose(const machine::Choices& choices) override;

 private:
  uint64_t state_;
};

// Follows a schedule exactly. When its last line has been performed the run must be over
// if it says so, else the run goes on in turn.
class ReplayDriver : public machine::Driver {
 public:
  explicit ReplayDriver(const Schedule& schedule) : schedule_(schedule) {}
  std::optional<machine::Choice> choose(const machine::Choices& choices) override;
  void done(machine::Machine& m, const machine::Choice& choice,
            const machine::Event& event) override;

  // To be called when drive() has returned. Empty: the run and the schedule agree. Else
  // where they do not, beginning with the number of the line.
  std::string divergence();

 private:
  std::optional<machine::Choice> diverge(std::string reason);
  // A process that goes on to its next event.
  std::optional<machine::Choice> choose_without_event(const machine::Choices& choices);
  std::optional<machine::Choice> choose_timer(const machine::Choices& choices, const Step& step);
  std::optional<machine::Choice> choose_signal(const machine::Choices& choices, const Step& step);

  const Schedule& schedule_;
  size_t next_ = 0;
  int waited_ = 0;  // steps without an event, since the last one
  machine::RoundRobin rest_;
  std::string divergence_;
};

// As schedules name them: a timer by the process that waits for it, or by the one that set
// it and how many it had set before; a signal by who has sent it to whom.
std::string timer_name(machine::Machine& m, uint64_t number);
std::string signal_name(machine::Machine& m, machine::Value lineage, machine::Value to);

// Lets another driver decide, and tells of every event: as a step of a schedule.
class Recorder : public machine::Driver {
 public:
  using Listener = std::function<void(const machine::Machine&, const machine::Event&)>;
  explicit Recorder(machine::Driver& driver, Listener listener = {})
      : driver_(driver), listener_(std::move(listener)) {}
  std::optional<machine::Choice> choose(const machine::Choices& choices) override;
  void done(machine::Machine& m, const machine::Choice& choice,
            const machine::Event& event) override;

  Schedule schedule;

 private:
  machine::Driver& driver_;
  Listener listener_;
  std::string chosen_;  // the name of the process, or of the timer
};

}  // namespace fathom::explore
