#include "explore/replay.h"

#include <fmt/format.h>

#include "machine/driver.h"

namespace fathom::explore {

using machine::event_word;
using machine::EventKind;
using machine::Machine;
using machine::PidNumbers;
using machine::Process;

namespace {

class Replayer {
 public:
  using Perform = std::function<EventKind(ActorId)>;
  Replayer(Machine& m, Actors& actors, const Perform& perform)
      : machine_(m), actors_(actors), perform_(perform) {}

  // None: it fits.
  std::optional<std::string> follow(const Step& step);
  // The first actor that could go on; kNoActor: none.
  ActorId first_enabled();

 private:
  // Null: there is none, or it has exited.
  const Process* process_of(const Choice& choice) const;
  std::string why_not_enabled(const Step& step) const;

  Machine& machine_;
  Actors& actors_;
  const Perform& perform_;
};

const Process* Replayer::process_of(const Choice& choice) const {
  const auto ordinals = machine::parse_process_name(choice.process.text());
  return ordinals ? machine_.processes().find_descendant(*ordinals) : nullptr;
}

std::string Replayer::why_not_enabled(const Step& step) const {
  const std::string name = step.choice.name();
  if (step.kind == EventKind::Timer) return fmt::format("there is no timer {}", name);
  if (step.kind == EventKind::Arrival) return fmt::format("no signal is in transit on {}", name);
  if (!process_of(step.choice)) return fmt::format("{} does not exist, or has ended", name);
  return fmt::format("{} should {}, but waits for a message", name, event_word(step.kind));
}

std::optional<std::string> Replayer::follow(const Step& step) {
  const std::string name = step.choice.name();
  if (machine_.outcome) {
    return fmt::format("the run is over, but {} should {}", name, event_word(step.kind));
  }
  const ActorId actor = actors_.find_enabled(step.choice, kAnyTime);
  const Process* p = step.choice.kind == ActorKind::Process ? process_of(step.choice) : nullptr;
  const bool waits = p && p->status == Process::Status::Waiting;
  const bool is_timeout = step.is_half() || step.kind == EventKind::After;
  if (!exists(actor) || (waits && !is_timeout)) return why_not_enabled(step);
  if (step.is_half()) return waits ? std::nullopt : std::optional(why_not_enabled(step));
  const EventKind did = perform_(actor);
  if (did == step.kind) return std::nullopt;
  return fmt::format("{} should {}, but did {}", name, event_word(step.kind), event_word(did));
}

ActorId Replayer::first_enabled() {
  ActorId found = kNoActor;
  if (machine_.outcome) return found;
  actors_.for_each_enabled(kAnyTime, [&](ActorId actor) {
    found = actor;
    return true;
  });
  return found;
}

}  // namespace

void watch(Machine& m, const Schedule& schedule) {
  machine::Watched watched = m.events().watched();
  watched.leaders = schedule.watches_leaders;
  watched.dictionaries = schedule.watches_dictionaries;
  watched.beginnings = schedule.watches_beginnings;
  for (const Choice& channel : schedule.late) {
    const auto from = machine::parse_process_name(channel.process.text());
    const auto to = machine::parse_process_name(channel.to.text());
    if (!from || !to) continue;
    watched.add_late({PidNumbers::number_of(*from), PidNumbers::number_of(*to)});
  }
  m.events().watch(watched);
}

Result<void> follow(Machine& m, Actors& actors, const Schedule& schedule,
                    const std::function<EventKind(ActorId)>& perform,
                    const std::function<bool()>& is_over) {
  Replayer replayer(m, actors, perform);
  for (const Step& step : schedule.steps) {
    if (const auto why = replayer.follow(step))
      return Error{fmt::format("{}: {}", step.line, *why)};
  }
  const ActorId next = schedule.has_end ? replayer.first_enabled() : kNoActor;
  if (!exists(next) || (is_over && is_over())) return {};
  return Error{fmt::format("{}: the schedule ends here, but {} can go on", schedule.end_line(),
                           actors.name(next))};
}

Result<ReplayedRun> replay_run(Machine& m, const Schedule& schedule,
                               const std::function<void(const machine::Event&)>& listener) {
  watch(m, schedule);
  Actors actors(m, kAnyTime);
  actors.settle();
  Record record;
  const auto perform = [&](ActorId actor) {
    record.clear();
    actors.act(actor, kAnyTime, record);
    if (listener) listener(record.event);
    actors.settle(actor, record);
    return record.event.kind;
  };
  if (auto followed = follow(m, actors, schedule, perform); !followed) return followed.error();
  const bool went_on = !schedule.has_end && !m.outcome;
  machine::RoundRobin in_turn;
  return ReplayedRun{*machine::drive(m, in_turn), went_on};
}

}  // namespace fathom::explore
