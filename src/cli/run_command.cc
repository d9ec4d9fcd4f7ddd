// fathom run: what an expression evaluates to.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "command.h"
#include "command_budget.h"
#include "cover_options.h"
#include "explore/drivers.h"
#include "explore/replay.h"
#include "machine/outcome_text.h"
#include "machine/undefined.h"
#include "natives/overlay_write.h"
#include "report/cover_report.h"
#include "schedule_file.h"

namespace fathom {
namespace {

using machine::Machine;
using machine::Outcome;

struct RunOptions : CommonOptions {
  std::vector<std::string> paths;
  std::vector<std::string> mocks;
  std::string expression;
  bool stats = false;
  double time_limit = 0;
  uint64_t memory_limit = 4096;
  uint64_t reduction_limit = UINT64_MAX;
  std::optional<uint64_t> seed;
  std::string record;
  std::string replay;
  std::string delivery = "instant";
  bool no_files = false;
  bool write_files = false;
  CoverOptions cover;
  bool verbose = false;
};

int report(Machine& m, const Outcome& outcome, Output& out, Messages& messages) {
  switch (outcome.kind) {
    case Outcome::Kind::Value:
      out.write(machine::pretty_text(m, outcome.value) + "\n");
      return kClean;
    case Outcome::Kind::Exception:
      messages.error("uncaught " + machine::outcome_text(outcome));
      if (const auto why = machine::explain_undefined(m, outcome.value, outcome.trace);
          !why.empty()) {
        messages.note("help: " + why);
      }
      return kFindings;
    case Outcome::Kind::Deadlock:
      messages.error(machine::outcome_text(outcome));
      return kFindings;
    case Outcome::Kind::Halt:
      return outcome.exit_code;
    case Outcome::Kind::Unsupported:
    case Outcome::Kind::Limit:
      messages.error(machine::outcome_text(outcome));
      return kCouldNotRun;
  }
  return kCouldNotRun;
}

// ---- Schedules --------------------------------------------------------------

// A run is over when its first process ends; one that was checked goes on.
void end_with_first_process(explore::Schedule& schedule) {
  const explore::Choice first{.process = explore::ProcessName("P")};
  const auto end =
      std::find_if(schedule.steps.begin(), schedule.steps.end(), [&](const explore::Step& step) {
        return step.choice == first && step.kind == machine::EventKind::Exit;
      });
  if (end != schedule.steps.end()) schedule.steps.erase(end + 1, schedule.steps.end());
}

Result<explore::Schedule> schedule_to_replay(const RunOptions& options) {
  if (options.replay.empty()) return explore::Schedule();
  auto schedule = read_schedule(options.replay);
  if (schedule) end_with_first_process(*schedule);
  return schedule;
}

machine::Mode mode_of(const RunOptions& options, const explore::Schedule& schedule) {
  machine::Mode mode;
  mode.delays_delivery = options.delivery == "any" || schedule.delays_delivery;
  mode.is_observed =
      options.seed || !options.record.empty() || !options.replay.empty() || mode.delays_delivery;
  mode.is_silent = schedule.is_silent;
  return mode;
}

// Follows the schedule, and goes on by itself if that was cut off.
Result<Outcome> replay(const RunOptions& options, const explore::Schedule& schedule, Machine& m,
                       Messages& messages) {
  auto replayed = explore::replay_run(m, schedule);
  if (!replayed) return Error{fmt::format("{}:{}", options.replay, replayed.error().message)};
  if (replayed->went_on) {
    messages.note(
        fmt::format("{}:{}: the schedule ends here without \"end\"; the run went on by "
                    "itself",
                    options.replay, schedule.end_line()));
  }
  return std::move(replayed->outcome);
}

// Runs the expression, one event at a time.
Result<Outcome> run_observed(const RunOptions& options, const explore::Schedule& schedule,
                             Machine& m, const session::Expression& expression,
                             Messages& messages) {
  m.start(expression.module, expression.function, {});
  if (!options.replay.empty()) return replay(options, schedule, m, messages);
  machine::RoundRobin in_turn;
  explore::RandomDriver at_random(options.seed.value_or(0));
  machine::Driver& driver = options.seed ? static_cast<machine::Driver&>(at_random) : in_turn;
  explore::Recorder recorder(driver);
  std::optional<Outcome> outcome = machine::drive(m, recorder);
  recorder.schedule.is_silent = m.mode().is_silent;
  recorder.schedule.delays_delivery = m.mode().delays_delivery;
  recorder.schedule.has_end = true;
  if (!options.record.empty()) {
    if (auto written = write_schedule(options.record, recorder.schedule); !written) {
      return written.error();
    }
  }
  return std::move(*outcome);
}

Result<Outcome> evaluate(const RunOptions& options, const explore::Schedule& schedule, Machine& m,
                         const session::Expression& expression, Messages& messages) {
  if (!m.mode().is_observed) return m.run(expression.module, expression.function, {});
  return run_observed(options, schedule, m, expression, messages);
}

void print_statistics(const machine::Statistics& s, double seconds) {
  fmt::print(
      stderr,
      "reductions   {}\ncollections  {} ({} full)\nheap MB      {:.1f}\nseconds      {:.3f}\n",
      s.reductions, s.collections, s.full_collections, static_cast<double>(s.peak_heap) / (1 << 20),
      seconds);
}

// The table goes where messages go: the output is the program's. False: something could not be
// written.
bool report_coverage(const Coverer& coverer, bool is_verbose, Messages& messages, int& code) {
  const auto coverage = coverer.coverage();
  if (!coverage) return true;
  messages.note_text(report::cover_text(*coverage, {.verbose = is_verbose}));
  for (const std::string& text : coverer.output.below_minimum(*coverage)) {
    messages.error(text);
    if (code == kClean) code = kFindings;
  }
  return coverer.output.write(*coverage, messages);
}

int run(const RunOptions& options) {
  Messages messages(options);
  CommandBudget budget({options.time_limit, options.memory_limit << 20});
  session::SessionOptions session_options = options.session_options();
  session_options.paths = options.paths;
  session_options.mocks = options.mocks;
  options.cover.adjust(session_options);
  Coverer coverer(options.cover);
  if (auto ready = coverer.prepare(); !ready) {
    messages.error(ready.error().message);
    return kCouldNotRun;
  }
  session::Session session(session_options);
  Output out;
  if (auto opened = out.open(options.output); !opened) {
    messages.error(opened.error().message);
    return kCouldNotRun;
  }
  const auto expression = session.read_expression(options.expression);
  if (!messages.print_new(session) || !expression) return kCouldNotRun;

  machine::Limits limits;
  limits.reductions = options.reduction_limit;
  limits.files = !options.no_files;
  const auto schedule = schedule_to_replay(options);
  if (!schedule) {
    messages.error(schedule.error().message);
    return kCouldNotRun;
  }
  if (auto chosen = coverer.choose_modules(session); !chosen) {
    messages.error(chosen.error().message);
    return kCouldNotRun;
  }
  machine::Mode mode = mode_of(options, *schedule);
  coverer.adjust(mode);
  const std::unique_ptr<Machine> own_machine = session.make_machine(limits, mode);
  Machine& m = *own_machine;
  const auto start = std::chrono::steady_clock::now();
  expression->load_into(m);
  const Result<Outcome> outcome = evaluate(options, *schedule, m, *expression, messages);
  if (outcome && outcome->kind == Outcome::Kind::Limit) budget.end();
  messages.print_new(session);
  messages.text(session.take_output());
  out.write(m.output().text());
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  const machine::Statistics statistics = m.statistics();
  coverer.see(m);
  if (!outcome) messages.error(outcome.error().message);
  int code = outcome ? report(m, *outcome, out, messages) : int{kCouldNotRun};
  if (options.write_files) {
    if (auto written = machine::write_files(m); !written) {
      messages.error(written.error().message);
      code = kCouldNotRun;
    }
  }
  if (options.stats) print_statistics(statistics, seconds.count());
  if (auto closed = out.close(); !closed) {
    messages.error(closed.error().message);
    return kCouldNotRun;
  }
  if (!report_coverage(coverer, options.verbose, messages, code)) return kCouldNotRun;
  budget.end();
  end_command(code);
}

}  // namespace

void add_run_command(CommandLine& command_line) {
  Command command = command_line.add_command("run", "Evaluate an expression");
  auto options = std::make_shared<RunOptions>();
  command.begin_group("Run");
  command.add_option("-e,--eval", options->expression, "The expression, as in the shell: m:f(1)")
      .value_name("EXPRESSION")
      .required();
  command
      .add_option("--mock", options->mocks,
                  "A module (.erl, .beam) whose functions replace those of the module of the same "
                  "name, native ones too; what it does not define stays as it is. May be repeated")
      .value_name("FILE")
      .one_value();
  command.add_flag("--no-files", options->no_files, "The program may not read or write files");
  command.add_flag("--write-files", options->write_files,
                   "At the end, put on the disk what the program has written; otherwise that is "
                   "kept in memory and lost");
  command.begin_group("Schedule");
  const Option seed = command.add_option(
      "--seed", options->seed, "Schedule processes at random; the same seed gives the same run");
  const Option record =
      command.add_option("--record", options->record, "Write the schedule of the run")
          .value_name("FILE");
  command.add_option("--replay", options->replay, "Replay a schedule that --record wrote")
      .value_name("FILE")
      .excludes(seed)
      .excludes(record);
  command
      .add_option("--delivery", options->delivery,
                  "When signals are delivered: instant, or any (at random with --seed)")
      .one_of({"instant", "any"});
  options->cover.add_to(command, false);
  command.add_flag("--verbose", options->verbose, "With --cover: name all that is not covered");
  command.begin_group("Limits");
  command.add_option("--time-limit", options->time_limit, "Seconds; none by default");
  command.add_option("--memory-limit", options->memory_limit, "Megabytes");
  command.add_option("--reduction-limit", options->reduction_limit, "Calls");
  options->add_to(command, {"text"});
  command.add_flag("--stats", options->stats, "Count reductions, collections, memory");
  command.add_option("PATH", options->paths, "Files (.erl, .beam), directories, rebar3 projects");
  command.when_chosen([options] { return run(*options); });
}

}  // namespace fathom
