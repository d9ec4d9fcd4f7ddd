#include "explore/drivers.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "code/places.h"
#include "machine/process_name.h"

namespace fathom::explore {

using machine::Choice;
using machine::Choices;
using machine::Event;
using machine::EventKind;
using machine::Machine;
using machine::Process;
using machine::Value;

std::string timer_name(Machine& m, uint64_t number) {
  const machine::Timer& timer = m.shared().timers.get(number);
  if (timer.message.is_none()) {
    const Process* p = m.processes().find(timer.destination);
    return p ? machine::process_name(*p) : "";
  }
  return fmt::format("{}#{}", machine::lineage_name(timer.setter), timer.ordinal);
}

std::string signal_name(Machine& m, Value lineage, Value to) {
  const Process* p = m.processes().find(to);
  return fmt::format("{}>{}", machine::lineage_name(lineage), p ? machine::process_name(*p) : "");
}

// ---- At random --------------------------------------------------------------

std::optional<Choice> RandomDriver::choose(const Choices& choices) {
  // With more than that the oldest ones are chosen from, and the others move up.
  constexpr uint64_t kMost = 64;
  if (choices.only_timers()) return Choice{.timer = choices.timers().first()};
  std::vector<Choice> all;
  for (Process* p = choices.processes(); p && all.size() < kMost; p = p->next) {
    all.push_back({.process = p});
  }
  const bool are_many = all.size() == kMost;
  choices.signals().for_each(
      [&](Value from, Value, Value to) { all.push_back({.from = from, .to = to}); });
  const Choice choice = all[next_random(state_) % all.size()];
  if (are_many && choice.process) choices.machine().processes().move_to_end(*choice.process);
  return choice;
}

// ---- After a schedule -------------------------------------------------------

std::optional<Choice> ReplayDriver::diverge(std::string reason) {
  const size_t line = next_ < schedule_.steps.size() ? schedule_.steps[next_].line
                      : schedule_.steps.empty()      ? 1
                                                     : schedule_.steps.back().line + 1;
  divergence_ = fmt::format("{}: {}", line, reason);
  return std::nullopt;
}

std::optional<Choice> ReplayDriver::choose_timer(const Choices& choices, const Step& step) {
  std::optional<Choice> found;
  choices.timers().for_each([&](uint64_t number, const machine::Timer&) {
    if (!found && timer_name(choices.machine(), number) == step.who)
      found = Choice{.timer = number};
  });
  // Whoever is to set it may not have come so far, since that is no event.
  if (!found) found = choose_without_event(choices);
  return found ? found : diverge(fmt::format("there is no timer {}", step.who));
}

std::optional<Choice> ReplayDriver::choose_without_event(const Choices& choices) {
  constexpr int kPatience = 10'000;
  for (Process* p = choices.processes(); p && waited_ < kPatience; p = p->next) {
    if (p->is_at_event) continue;
    ++waited_;
    choices.machine().processes().move_to_end(*p);
    return Choice{.process = p};
  }
  return std::nullopt;
}

std::optional<Choice> ReplayDriver::choose_signal(const Choices& choices, const Step& step) {
  std::optional<Choice> found;
  choices.signals().for_each([&](Value from, Value lineage, Value to) {
    if (signal_name(choices.machine(), lineage, to) == step.who) {
      found = Choice{.from = from, .to = to};
    }
  });
  return found ? found : diverge(fmt::format("no signal is in transit {}", step.who));
}

std::optional<Choice> ReplayDriver::choose(const Choices& choices) {
  if (next_ == schedule_.steps.size()) {
    if (!schedule_.has_end) return rest_.choose(choices);
    // In a deadlock, processes come to wait without an event.
    const std::optional<Choice> last = choose_without_event(choices);
    return last ? last : diverge("the schedule ends here, but the run does not");
  }
  const Step& step = schedule_.steps[next_];
  if (step.what == event_word(EventKind::Timer)) return choose_timer(choices, step);
  if (step.what == event_word(EventKind::Arrival)) return choose_signal(choices, step);
  const auto path = machine::parse_process_name(step.who);
  Process* p = path ? choices.machine().processes().find_descendant(*path) : nullptr;
  if (!p) return diverge(fmt::format("{} does not exist, or has ended", step.who));
  if (p->status != Process::Status::Runnable) {
    return diverge(fmt::format("{} should {}, but waits for a message", step.who, step.what));
  }
  return Choice{.process = p};
}

void ReplayDriver::done(Machine& m, const Choice&, const Event& event) {
  if (event.kind == EventKind::None || next_ == schedule_.steps.size()) return;
  const Step& step = schedule_.steps[next_];
  if (event_word(event.kind) == step.what) {
    ++next_;
    waited_ = 0;
    return;
  }
  diverge(fmt::format("{} should {}, but did {}", step.who, step.what, event_word(event.kind)));
  m.stop(machine::Outcome::Kind::Limit, "the run does not follow the schedule");
}

std::string ReplayDriver::divergence() {
  if (divergence_.empty() && next_ < schedule_.steps.size()) {
    diverge(fmt::format("the run is over, but {} should {}", schedule_.steps[next_].who,
                        schedule_.steps[next_].what));
  }
  return divergence_;
}

// ---- Writing down -----------------------------------------------------------

std::optional<Choice> Recorder::choose(const Choices& choices) {
  const std::optional<Choice> choice = driver_.choose(choices);
  if (!choice) return choice;
  Machine& m = choices.machine();
  if (choice->process) {
    chosen_ = machine::process_name(*choice->process);
  } else if (choice->to.is_none()) {
    chosen_ = timer_name(m, choice->timer);
  } else {
    choices.signals().for_each([&](Value from, Value lineage, Value to) {
      if (from == choice->from && to == choice->to) chosen_ = signal_name(m, lineage, to);
    });
  }
  return choice;
}

void Recorder::done(Machine& m, const Choice& choice, const Event& event) {
  driver_.done(m, choice, event);
  if (event.kind == EventKind::None) return;
  if (listener_) listener_(m, event);
  schedule.steps.push_back(
      {chosen_, std::string(event_word(event.kind)), machine::place_text(event.place, event.node)});
}

}  // namespace fathom::explore
