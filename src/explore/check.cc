#include "explore/check.h"

#include <fmt/format.h>

#include "explore/at_rest.h"
#include "explore/checker.h"
#include "explore/replay.h"
#include "explore/search.h"

namespace fathom::explore {

using machine::Machine;
using machine::Outcome;
using machine::Value;

namespace {

std::string bound_text(const SearchOptions& options) {
  if (options.bound == Bound::None) return "";
  const std::string_view what = options.bound == Bound::Delays ? "delay" : "preemption";
  return fmt::format("{} {}{}", options.budget, what, options.budget == 1 ? "" : "s");
}

// Bounds 0, 1, … in turn, until one cuts nothing off.
void search_within_bounds(Machine& m, const CheckOptions& options, Checker& checker) {
  SearchOptions within = options.search;
  const uint32_t last = within.bound == Bound::None ? 0 : within.budget;
  for (within.budget = 0; within.budget <= last; ++within.budget) {
    Search search(m, within,
                  [&](const Search& s, Ending ending) { return checker.add(s, ending); });
    search.run();
    checker.add_search(search);
    if (checker.was_stopped() || !search.explorer().is_bounded) return;
  }
  checker.add_reason(
      fmt::format("only interleavings with at most {} were explored", bound_text(options.search)));
}

// Of an execution that is over.
Ending ending_of(const Machine& m) {
  const bool is_failed = m.outcome && m.outcome->kind != Outcome::Kind::Halt;
  return is_failed ? Ending::Failed : Ending::Complete;
}

// Lets the first actor that is enabled act, as long as there is one.
Ending go_on(Execution& execution, uint32_t max_depth) {
  std::vector<ActorId> enabled;
  while (!execution.machine().outcome && !is_at_rest(execution) &&
         execution.find_enabled(enabled)) {
    if (execution.depth() >= Depth{max_depth}) return Ending::Cut;
    execution.advance(enabled.front());
  }
  return ending_of(execution.machine());
}

}  // namespace

CheckResult check(Machine& m, Atom module, Atom function, std::span<const Value> arguments,
                  std::string name, const CheckOptions& options) {
  m.start(module, function, arguments);
  Checker checker(m, std::move(name), options);
  search_within_bounds(m, options, checker);
  CheckResult result = checker.finish();
  result.bound = bound_text(options.search);
  return result;
}

Result<CheckResult> replay(Machine& m, Atom module, Atom function, std::span<const Value> arguments,
                           std::string name, const CheckOptions& options,
                           const Schedule& schedule) {
  m.start(module, function, arguments);
  Checker checker(m, std::move(name), options);
  watch(m, schedule);
  Execution execution(m, kAnyTime);
  execution.begin();
  const auto perform = [&](ActorId actor) {
    execution.advance(actor);
    return execution.trace().back().event.kind;
  };
  const auto is_over = [&] { return may_end(execution); };
  if (auto followed = follow(m, execution.actors(), schedule, perform, is_over); !followed) {
    return followed.error();
  }
  const Depth end = execution.depth();
  // Its steps are as many as were to be performed: whether it goes on like that is no matter of it.
  const bool was_cut =
      !schedule.has_end && schedule.fault.kind == finding_kind_name(FindingKind::Endless);
  const Ending ending = was_cut            ? Ending::Cut
                        : schedule.has_end ? ending_of(m)
                                           : go_on(execution, options.search.max_depth);
  if (execution.depth() > end) {
    checker.add_note(
        fmt::format("the schedule ends at line {} without \"end\"; the execution went on "
                    "by itself",
                    schedule.end_line()));
  }
  checker.add_replayed({execution, ending}, schedule.fault);
  return checker.finish();
}

}  // namespace fathom::explore
