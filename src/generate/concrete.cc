#include "generate/concrete.h"

#include "machine/driver.h"
#include "values/convert.h"

namespace fathom::generate {

using machine::Input;

namespace {

// Each process in turn, up to a number of calls.
class Bounded : public machine::RoundRobin {
 public:
  Bounded(machine::Machine& m, uint64_t calls)
      : machine_(m), last_(m.statistics().reductions + calls) {}
  std::optional<machine::Transition> choose(const machine::Enabled& enabled) override {
    if (machine_.statistics().reductions > last_) return std::nullopt;
    return RoundRobin::choose(enabled);
  }

 private:
  machine::Machine& machine_;
  uint64_t last_;
};

}  // namespace

ConcreteRuns::ConcreteRuns(session::Session& session, const machine::CodeMode& code, uint64_t calls)
    : session_(session), calls_(calls) {
  const machine::Mode mode{.is_silent = true, .code = code};
  machine_ = session.make_machine({}, mode);
  machine_->unknowns = &recorder_;
  mark_ = machine_->mark();
}

void ConcreteRuns::begin() {
  machine_->rewind(*mark_);
  machine_->inputs().forget();
  recorder_.clauses.clear();
}

std::optional<ConcreteRuns::Run> ConcreteRuns::finish() {
  Bounded driver(*machine_, calls_);
  auto outcome = machine::drive(*machine_, driver);
  if (!outcome) return std::nullopt;
  const machine::Inputs& inputs = machine_->inputs();
  const bool is_determined = !inputs.was_seen(Input::Random) && !inputs.was_seen(Input::MapOrder) &&
                             !inputs.was_seen(Input::TableOrder) &&
                             !inputs.was_seen(Input::IdentifierOrder);
  return Run{std::move(*outcome), recorder_.clauses, is_determined};
}

std::optional<ConcreteRuns::Run> ConcreteRuns::run(const std::string& text, Time time) {
  // 45 days and some hours: every part of a date and a time is another one.
  constexpr int64_t kLater = ((int64_t{45} * 24 + 7) * 3600 + 754) * 1'000'000'000 + 123'456'789;
  const auto expression = session_.read_expression(text);
  if (!expression) return std::nullopt;
  begin();
  if (time == Time::Later) machine_->clock().fired(kLater, true);
  expression->load_into(*machine_);
  machine_->start(expression->module, expression->function, {});
  return finish();
}

std::optional<ConcreteRuns::Run> ConcreteRuns::run(const Call& call) {
  if (!call.arguments) return run(call.text);
  begin();
  std::vector<machine::Value> arguments;
  for (const Term term : *call.arguments) {
    arguments.push_back(machine::to_value(term, machine_->heap(), [](Atom, Atom, uint32_t) {
      return static_cast<const machine::Mfa*>(nullptr);
    }));
  }
  machine_->start(call.module, call.function, arguments);
  return finish();
}

}  // namespace fathom::generate
