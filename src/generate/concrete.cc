#include "generate/concrete.h"

#include "machine/driver.h"

namespace fathom::generate {
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

std::optional<ConcreteRuns::Run> ConcreteRuns::run(const std::string& text) {
  const auto expression = session_.read_expression(text);
  if (!expression) return std::nullopt;
  machine_->rewind(*mark_);
  recorder_.clauses.clear();
  expression->load_into(*machine_);
  machine_->start(expression->module, expression->function, {});
  Bounded driver(*machine_, calls_);
  auto outcome = machine::drive(*machine_, driver);
  if (!outcome) return std::nullopt;
  return Run{std::move(*outcome), recorder_.clauses};
}

}  // namespace fathom::generate
