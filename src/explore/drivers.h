// Drivers: at random, and one that writes down what another decides.
#pragma once

#include <cstdint>
#include <functional>

#include "explore/schedule.h"
#include "machine/driver.h"

namespace fathom::explore {

// Any process that can run; time passes when none can. The same seed gives the same run.
class RandomDriver : public machine::Driver {
 public:
  explicit RandomDriver(uint64_t seed) : state_(seed) {}
  std::optional<machine::Transition> choose(const machine::Enabled& enabled) override;

 private:
  uint64_t state_;
};

// Lets another driver decide, and records every event as a step of a schedule.
class Recorder : public machine::Driver {
 public:
  using Listener = std::function<void(const machine::Machine&, const machine::Event&)>;
  explicit Recorder(machine::Driver& driver, Listener listener = {})
      : driver_(driver), listener_(std::move(listener)) {}
  std::optional<machine::Transition> choose(const machine::Enabled& enabled) override;
  void done(machine::Machine& m, const machine::Transition& transition,
            const machine::Event& event) override;

  Schedule schedule;

 private:
  machine::Driver& driver_;
  Listener listener_;
  Choice chosen_;
  bool is_timeout_ = false;  // of a receive
};

}  // namespace fathom::explore
