#include "explore/drivers.h"

#include "base/hash.h"
#include "code/places.h"

namespace fathom::explore {

using machine::Enabled;
using machine::Event;
using machine::EventKind;
using machine::Machine;
using machine::Process;
using machine::Transition;
using machine::Value;

// ---- At random --------------------------------------------------------------

std::optional<Transition> RandomDriver::choose(const Enabled& enabled) {
  // With more than that the oldest ones are chosen from, and the others move up.
  constexpr uint64_t kMost = 64;
  if (enabled.only_timers()) return Transition{.timer = enabled.timers().first()};
  std::vector<Transition> all;
  for (Process* p = enabled.processes(); p && all.size() < kMost; p = p->next) {
    all.push_back({.process = p});
  }
  const bool are_many = all.size() == kMost;
  enabled.signals().for_each([&](const machine::Transit::Pair& pair) {
    all.push_back({.from = pair.from, .to = pair.to});
  });
  const Transition chosen = all[next_random(state_) % all.size()];
  if (are_many && chosen.process) enabled.machine().processes().move_to_end(*chosen.process);
  return chosen;
}

// ---- Recording --------------------------------------------------------------

std::optional<Transition> Recorder::choose(const Enabled& enabled) {
  const std::optional<Transition> transition = driver_.choose(enabled);
  if (!transition) return transition;
  const Process* p = transition->process;
  chosen_ = Choice();
  is_timeout_ = false;
  if (!transition->to.is_none()) {
    chosen_.kind = ActorKind::Channel;
    enabled.signals().for_each([&](const machine::Transit::Pair& pair) {
      if (pair.from != transition->from || pair.to != transition->to) return;
      chosen_.process = ProcessName::of_lineage(pair.from_lineage);
      chosen_.to = ProcessName::of_lineage(pair.to_lineage);
    });
  } else if (!p) {
    const machine::Timer& timer = enabled.timers().get(transition->timer);
    is_timeout_ = timer.message.is_none();
    if (is_timeout_) {
      p = enabled.machine().processes().find(timer.destination);
    } else {
      chosen_.kind = ActorKind::Timer;
      chosen_.process = ProcessName::of_lineage(timer.setter);
      chosen_.ordinal = static_cast<uint32_t>(timer.ordinal);
    }
  }
  if (p) chosen_.process = ProcessName::of_lineage(p->lineage);
  return transition;
}

void Recorder::done(Machine& m, const Transition& transition, const Event& event) {
  driver_.done(m, transition, event);
  if (event.kind == EventKind::None) return;
  if (listener_) listener_(m, event);
  if (is_timeout_) schedule.steps.push_back({chosen_, EventKind::Timer, "", 0});
  schedule.steps.push_back({chosen_, event.kind, machine::place_text(event.place, event.node), 0});
}

}  // namespace fathom::explore
