#include "testing/test_run.h"

#include <fmt/format.h>

#include "base/budget.h"
#include "machine/outcome_text.h"
#include "machine/stack_trace.h"
#include "testing/failures.h"
#include "testing/hang.h"

namespace fathom::testing {

using machine::Enabled;
using machine::Machine;
using machine::Outcome;
using machine::Process;
using machine::Transition;
using machine::Value;

namespace {

Budget::Spent how_spent() {
  return Budget::current() ? Budget::current()->look() : Budget::Spent::No;
}

// Lets another driver decide, and looks for tests that hang or make too many calls.
class Watcher : public machine::Driver {
 public:
  Watcher(machine::Driver& driver, TestLog& log, const RunOptions& options)
      : driver_(driver), log_(log), options_(options) {}

  std::optional<Transition> choose(const Enabled& enabled) override;
  void done(Machine& m, const Transition& transition, const machine::Event& event) override;

  // That was chosen last; none() if it was a timer.
  Value last() const { return last_; }

 private:
  void explain_timeout(Machine& m, uint64_t timer);

  machine::Driver& driver_;
  TestLog& log_;
  const RunOptions& options_;
  Value last_ = Value::none();
  bool has_made_all_calls_ = false;
};

std::optional<Transition> Watcher::choose(const Enabled& enabled) {
  if (has_made_all_calls_) return std::nullopt;
  const std::optional<Transition> transition = driver_.choose(enabled);
  if (!transition) return transition;
  last_ = transition->process ? transition->process->pid : Value::none();
  if (!enabled.processes()) explain_timeout(enabled.machine(), transition->timer);
  return transition;
}

void Watcher::done(Machine& m, const Transition& transition, const machine::Event& event) {
  driver_.done(m, transition, event);
  has_made_all_calls_ = log_.calls_since_event() > options_.reductions;
}

// No process can run, and time passes until this timer.
void Watcher::explain_timeout(Machine& m, uint64_t timer) {
  const machine::Timers& timers = m.shared().timers;
  const Process* test = watched_process(m, timers.get(timer));
  if (!test) return;
  Hang hang{.kind = "deadlock",
            .message = std::string(machine::kDeadlock),
            .test = test,
            .first_process = log_.first_process()};
  if (has_program_timer(m)) {
    const int64_t waited = timers.time_of(timer).value_or(0) - log_.last_begin();
    hang.kind = "timeout";
    hang.message =
        fmt::format("timed out: not done after {:g} s", static_cast<double>(waited) / 1e9);
  }
  log_.explain_timeout(hang_failure(m, hang));
}

}  // namespace

TestRun::TestRun(const TestModule& module, session::Session& session, const RunOptions& options,
                 const OnResult& on_result)
    : options_(options),
      own_machine_(session.make_machine(machine::Limits(), options.mode)),
      machine_(*own_machine_),
      log_(machine_, module, on_result, options.on_end) {
  if (options.on_machine) options.on_machine(machine_);
  machine_.on_note = [this](Value event) {
    if (Budget* budget = Budget::current()) budget->renew(budget->limits());
    log_.note(event);
  };
}

bool TestRun::may_begin() {
  if (how_spent() == Budget::Spent::Interrupted) return false;
  if (Budget* budget = Budget::current()) budget->renew(budget->limits());
  return true;
}

void TestRun::run(const Start& start) {
  start(machine_);
  machine::RoundRobin in_turn;
  Watcher watcher(options_.driver ? *options_.driver : in_turn, log_, options_);
  const std::optional<Outcome> outcome = machine::drive(machine_, watcher);
  const bool is_over_time = outcome && how_spent() == Budget::Spent::Time;
  if (!outcome || is_over_time) {
    log_.give_up(Status::Unknown, endless_failure(watcher.last(), is_over_time));
  } else if (outcome->kind != Outcome::Kind::Value) {
    const bool is_failed =
        outcome->kind == Outcome::Kind::Halt || outcome->kind == Outcome::Kind::Deadlock;
    const Failure failure = failure_of(*outcome);  // before values move
    settle(watcher.last());
    log_.give_up(is_failed ? Status::Failed : Status::Unknown, failure);
  }
  if (options_.on_machine_end) options_.on_machine_end(machine_);
}

// A process has ended the run in the middle of what it was doing. What it sent before
// that has to arrive: EUnit's event that the test has begun, for one. So the others go on
// as far as they can.
void TestRun::settle(Value stuck) {
  constexpr int kMost = 10'000;  // steps
  constexpr double kSeconds = 0.2;
  constexpr size_t kMemory = size_t{32} << 20;
  const size_t limit = Budget::current() ? Budget::current()->limits().memory : 0;
  Budget grace({kSeconds, limit > 0 ? limit + kMemory : 0});
  const BudgetScope scope(grace);
  if (Process* p = machine_.processes().find(stuck)) machine_.end_process(*p, Value::nil(), {});
  machine_.outcome.reset();
  machine::RoundRobin in_turn;
  for (int i = 0; i < kMost && machine_.processes().first_runnable() && !machine_.outcome; ++i) {
    machine::perform(machine_, *in_turn.choose(Enabled(machine_)));
  }
}

Failure TestRun::failure_of(const Outcome& outcome) {
  Failure failure;
  failure.message = machine::outcome_text(outcome);
  switch (outcome.kind) {
    case Outcome::Kind::Unsupported:
      failure.kind = "unsupported";
      failure.message = outcome.message;
      failure.stack = stack_frames(outcome.trace);
      failure.place = place_of_trace(outcome.trace, Places(machine_));
      break;
    case Outcome::Kind::Limit:
      failure.kind = how_spent() == Budget::Spent::Interrupted ? "interrupted" : "limit";
      break;
    case Outcome::Kind::Halt:
      failure.kind = "halt";
      failure.message = fmt::format("the test halts the system: halt({})", outcome.exit_code);
      break;
    case Outcome::Kind::Deadlock:
      return hang_failure(machine_, {.kind = "deadlock",
                                     .message = std::string(machine::kDeadlock),
                                     .first_process = log_.first_process()});
    case Outcome::Kind::Exception:  // of what runs the tests
    case Outcome::Kind::Value:
      failure.kind = "eunit";
      break;
  }
  return failure;
}

Failure TestRun::endless_failure(Value last, bool is_over_time) {
  Failure failure;
  failure.kind = is_over_time ? "time limit" : "reduction limit";
  failure.message =
      is_over_time ? fmt::format("still running after {} s", Budget::current()->limits().seconds)
                   : fmt::format("still running after {} calls", options_.reductions);
  const Process* p = machine_.processes().find(last);
  const Value trace = p ? machine::stack_trace(machine_, *p) : Value::nil();
  if (trace.is_cons()) {
    failure.message += ", in " + machine::stack_frame(trace.head()).text();
    failure.stack = stack_frames(trace);
    failure.place = place_of_trace(trace, Places(machine_));
  }
  return failure;
}

}  // namespace fathom::testing
