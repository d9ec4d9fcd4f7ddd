#include "testing/run_tests.h"

#include <fmt/format.h>

#include "machine/outcome_text.h"
#include "testing/failures.h"
#include "testing/hang.h"

namespace fathom::testing {

using machine::Machine;
using machine::Outcome;
using machine::Process;
using machine::Value;

namespace {

constexpr int64_t kSlice = 20'000;  // calls between two looks at the clock
constexpr std::string_view kListener = "fathom_eunit";

machine::Limits limits(const RunOptions& options) {
  machine::Limits limits;
  limits.memory = options.memory;
  return limits;
}

// One machine, from one function of the module on.
class Run {
 public:
  Run(const TestModule& module, ModuleCache& modules, const RunOptions& options,
      const OnResult& on_result)
      : module_(module),
        options_(options),
        machine_(modules, limits(options)),
        log_(machine_, module, on_result) {
    machine_.on_note = [this](Value event) { log_.note(event); };
  }

  // The index of the first function that is left to be run.
  size_t run(size_t first);

 private:
  void drive();
  bool let_time_pass();
  bool is_over_time(const Process& p);
  void settle(Process& stuck);
  Failure failure_of(const Outcome& outcome);

  const TestModule& module_;
  const RunOptions& options_;
  Machine machine_;
  EunitLog log_;
};

size_t Run::run(size_t first) {
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
  drive();
  if (!log_.is_cut_short()) return module_.functions.size();
  return log_.function().value_or(first) + 1;
}

void Run::drive() {
  for (;;) {
    Process* p = machine_.processes().first_runnable();
    if (!p) {
      if (!let_time_pass()) return;
      continue;
    }
    machine_.processes().move_to_end(*p);
    machine_.resume(*p, kSlice);
    if (machine_.outcome) {
      const Outcome outcome = *std::exchange(machine_.outcome, std::nullopt);
      if (outcome.kind == Outcome::Kind::Value) return;
      const bool is_halt = outcome.kind == Outcome::Kind::Halt;
      const Failure failure = failure_of(outcome);  // before values move
      settle(*p);
      log_.give_up(is_halt ? Status::Failed : Status::Unknown, failure);
      return;
    }
    if (is_over_time(*p)) return;
  }
}

// A process has ended the run in the middle of what it was doing. What it sent before
// that has to arrive: EUnit's event that the test has begun, for one. So the others go on
// as far as they can.
void Run::settle(Process& stuck) {
  constexpr int kMost = 10'000;  // slices
  machine_.end_process(stuck, {});
  machine_.outcome.reset();
  for (int i = 0; i < kMost; ++i) {
    Process* p = machine_.processes().first_runnable();
    if (!p) return;
    machine_.processes().move_to_end(*p);
    machine_.resume(*p, kSlice);
    if (machine_.outcome) return;
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
      failure.kind = "limit";
      break;
    case Outcome::Kind::Halt:
      failure.kind = "halt";
      failure.message = fmt::format("the test ends the whole system: halt({})", outcome.exit_code);
      break;
    case Outcome::Kind::Exception:  // of EUnit itself
    case Outcome::Kind::Deadlock:
    case Outcome::Kind::Value:
      failure.kind = "eunit";
      break;
  }
  return failure;
}

bool Run::is_over_time(const Process& p) {
  if (options_.seconds <= 0 || real_seconds() - log_.last_event() < options_.seconds) return false;
  const Value trace = machine_.stacktrace(p);
  Failure failure;
  failure.kind = "time limit";
  failure.stack = stack_frames(trace);
  failure.place = place_of_trace(trace, Places(machine_));
  failure.message = fmt::format(
      "still running after {} s{}", options_.seconds,
      trace.is_cons() ? ", in " + machine::stack_frame(trace.head()).text() : std::string());
  log_.give_up(Status::Failed, failure);
  return true;
}

// No process can run. False: nothing will ever happen again.
bool Run::let_time_pass() {
  Hang hang{.kind = "deadlock",
            .message = "deadlock: every process waits for a message that nobody can send",
            .first_process = log_.first_process()};
  const machine::Timers& timers = machine_.shared().timers;
  if (timers.empty()) {
    log_.give_up(Status::Failed, hang_failure(machine_, hang));
    return false;
  }
  const uint64_t next = timers.first();
  hang.test = watched_process(machine_, timers.get(next));
  if (hang.test) {
    if (has_program_timer(machine_)) {
      hang.kind = "timeout";
      hang.message =
          fmt::format("timed out: not done after {:g} s",
                      static_cast<double>(*timers.time_of(next) - log_.last_begin()) / 1e9);
    }
    log_.explain_timeout(hang_failure(machine_, hang));
  }
  machine_.fire(next);
  return true;
}

}  // namespace

void run_tests(const TestModule& module, ModuleCache& modules, const RunOptions& options,
               const OnResult& on_result) {
  for (size_t next = 0; next < module.functions.size();) {
    next = Run(module, modules, options, on_result).run(next);
  }
}

}  // namespace fathom::testing
