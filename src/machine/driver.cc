#include "machine/driver.h"

#include "machine/outcome_text.h"

namespace fathom::machine {

std::optional<Choice> RoundRobin::choose(const Choices& choices) {
  std::optional<Choice> signal;
  choices.signals().for_each([&](Value from, Value, Value to) {
    if (!signal) signal = Choice{.from = from, .to = to};
  });
  if (signal) return signal;
  Process* p = choices.processes();
  if (!p) return Choice{.timer = choices.timers().first()};
  choices.machine().processes().move_to_end(*p);
  return Choice{.process = p};
}

void perform(Machine& m, const Choice& choice) {
  // Long enough that changing processes costs nothing, short enough that a process that
  // never stops keeps none from running.
  constexpr int64_t kReductions = 20'000;
  if (choice.process) {
    m.resume(*choice.process, kReductions);
  } else if (!choice.to.is_none()) {
    m.arrive(choice.from, choice.to);
  } else {
    m.fire(choice.timer);
  }
}

std::optional<Outcome> drive(Machine& m, Driver& driver) {
  while (!m.outcome) {
    const Choices choices(m);
    if (choices.empty()) {
      m.stop(Outcome::Kind::Deadlock, deadlock_text(m));
      break;
    }
    const std::optional<Choice> choice = driver.choose(choices);
    if (!choice) return std::nullopt;
    perform(m, *choice);
    driver.done(m, *choice, m.events().event());
  }
  return std::move(m.outcome);
}

}  // namespace fathom::machine
