#include "testing/run_tests.h"

#include <fmt/format.h>

#include "base/budget.h"
#include "machine/driver.h"
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

constexpr std::string_view kListener = "fathom_eunit";

Budget::Spent how_spent() {
  return Budget::current() ? Budget::current()->look() : Budget::Spent::No;
}

// Lets another driver decide, and looks for tests that hang or make too many calls.
class Watcher : public machine::Driver {
 public:
  Watcher(machine::Driver& driver, EunitLog& log, const RunOptions& options)
      : driver_(driver), log_(log), options_(options) {}

  std::optional<Transition> choose(const Enabled& enabled) override;
  void done(Machine& m, const Transition& transition, const machine::Event& event) override;

  // That was chosen last; none() if it was a timer.
  Value last() const { return last_; }

 private:
  void explain_timeout(Machine& m, uint64_t timer);

  machine::Driver& driver_;
  EunitLog& log_;
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

// One machine, from one function of the module on.
class Run {
 public:
  Run(const TestModule& module, session::Session& session, const RunOptions& options,
      const OnResult& on_result)
      : module_(module),
        options_(options),
        own_machine_(session.make_machine(machine::Limits(), options.mode)),
        machine_(*own_machine_),
        log_(machine_, module, on_result, options.on_end) {
    machine_.on_note = [this](Value event) {
      if (Budget* budget = Budget::current()) budget->renew(budget->limits());
      log_.note(event);
    };
  }

  // The index of the first function that is left to be run.
  size_t run(size_t first);

 private:
  void start(size_t first);
  void settle(Value stuck);
  Failure failure_of(const Outcome& outcome);
  Failure endless_failure(const Watcher& watcher, bool is_over_time);

  const TestModule& module_;
  const RunOptions& options_;
  std::unique_ptr<Machine> own_machine_;
  Machine& machine_;
  EunitLog log_;
};

void Run::start(size_t first) {
  machine::Heap& heap = machine_.heap();
  std::vector<Value> functions;
  functions.reserve(module_.functions.size() - first);
  for (size_t i = first; i < module_.functions.size(); ++i) {
    const TestFunction& f = module_.functions[i];
    functions.push_back(
        heap.tuple({Value::small(static_cast<int64_t>(i)),
                    machine::atom(f.is_generator ? "generator" : "test"), Value(f.name)}));
  }
  machine_.ensure_module(module_.name);
  const Value arguments[] = {Value(module_.name), heap.list(functions)};
  machine_.start(Atom::intern(kListener), Atom::intern("run"), arguments);
}

size_t Run::run(size_t first) {
  start(first);
  machine::RoundRobin in_turn;
  Watcher watcher(options_.driver ? *options_.driver : in_turn, log_, options_);
  const std::optional<Outcome> outcome = machine::drive(machine_, watcher);
  const bool is_over_time = outcome && how_spent() == Budget::Spent::Time;
  if (!outcome || is_over_time) {
    log_.give_up(Status::Unknown, endless_failure(watcher, is_over_time));
  } else if (outcome->kind != Outcome::Kind::Value) {
    const bool is_failed =
        outcome->kind == Outcome::Kind::Halt || outcome->kind == Outcome::Kind::Deadlock;
    const Failure failure = failure_of(*outcome);  // before values move
    settle(watcher.last());
    log_.give_up(is_failed ? Status::Failed : Status::Unknown, failure);
  }
  if (options_.on_machine_end) options_.on_machine_end(machine_);
  if (!log_.is_cut_short()) return module_.functions.size();
  return log_.function().value_or(first) + 1;
}

// A process has ended the run in the middle of what it was doing. What it sent before
// that has to arrive: EUnit's event that the test has begun, for one. So the others go on
// as far as they can.
void Run::settle(Value stuck) {
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

Failure Run::failure_of(const Outcome& outcome) {
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
    case Outcome::Kind::Exception:  // of EUnit itself
    case Outcome::Kind::Value:
      failure.kind = "eunit";
      break;
  }
  return failure;
}

Failure Run::endless_failure(const Watcher& watcher, bool is_over_time) {
  Failure failure;
  failure.kind = is_over_time ? "time limit" : "reduction limit";
  failure.message =
      is_over_time ? fmt::format("still running after {} s", Budget::current()->limits().seconds)
                   : fmt::format("still running after {} calls", options_.reductions);
  const Process* p = machine_.processes().find(watcher.last());
  const Value trace = p ? machine::stack_trace(machine_, *p) : Value::nil();
  if (trace.is_cons()) {
    failure.message += ", in " + machine::stack_frame(trace.head()).text();
    failure.stack = stack_frames(trace);
    failure.place = place_of_trace(trace, Places(machine_));
  }
  return failure;
}

}  // namespace

void run_tests(const TestModule& module, session::Session& session, const RunOptions& options,
               const OnResult& on_result) {
  for (size_t next = 0; next < module.functions.size();) {
    if (how_spent() == Budget::Spent::Interrupted) return;
    if (Budget* budget = Budget::current()) budget->renew(budget->limits());
    next = Run(module, session, options, on_result).run(next);
  }
}

}  // namespace fathom::testing
