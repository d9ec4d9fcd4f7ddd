// A search for tests, whose endings are replayed.
//
// However a test looks at the executions of a search, each way in which they end must come again
// when the schedule of such an execution is printed, read and followed on a fresh machine: the same
// processes exit for the same reasons, and the same processes wait (ending_text). An error that a
// search finds is such an ending. So tests that use Search do it through ReplayedSearch.
//
// Of the executions with the same ending the first one is replayed. Executions that were cut or
// have failed have no schedule that comes to an end.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "explore/at_rest.h"
#include "explore/execution_report.h"
#include "explore/replay.h"
#include "explore/search.h"
#include "interleavings.h"

namespace fathom::explore {

// How the execution ends that the schedule leads to; or why it cannot be followed. The machine must
// have started its first process.
inline std::string replayed_ending(machine::Machine& m, const Schedule& schedule) {
  const auto read = parse_schedule(print_schedule(schedule));
  if (!read) return read.error().message;
  watch(m, *read);
  Execution execution(m, kAnyTime);
  execution.begin();
  const auto perform = [&](ActorId actor) {
    execution.advance(actor);
    return execution.trace().back().event.kind;
  };
  const auto is_over = [&] { return may_end(execution); };
  const auto followed = follow(m, execution.actors(), *read, perform, is_over);
  return followed ? ending_text(execution) : followed.error().message;
}

// `Fresh()` makes a machine, observed, that has started its first process: what it returns leads to
// the machine by `*`.
template <class Fresh>
class ReplayedSearch {
 public:
  explicit ReplayedSearch(Fresh fresh, const SearchOptions& options = {})
      : fresh_(std::move(fresh)), options_(options) {}

  // At most so many endings are replayed: those that come first as texts.
  void replay_at_most(size_t count) { most_ = count; }

  // Runs the search, with a listener as Search has it, and then the replays.
  template <class Listener>
  void run(Listener&& ended) {
    EXPECT_EQ(try_run(ended), "");
  }
  // The same, without a failure of the test: an ending that does not come again, and what comes
  // instead; empty: there is none.
  template <class Listener>
  [[nodiscard]] std::string try_run(Listener&& ended) {
    auto m = fresh_();
    Search search(*m, options_, [&](const Search& s, Ending ending) {
      if (ending == Ending::Restart) schedules_.clear();
      if (ending == Ending::Complete) note(s.execution());
      return ended(s, ending);
    });
    search.run();
    statistics_ = search.statistics();
    explorer_ = search.explorer();
    return replay();
  }

  const Search::Statistics& statistics() const { return statistics_; }
  const Explorer::Statistics& explorer() const { return explorer_; }

 private:
  void note(const Execution& execution) {
    const auto [it, is_new] = schedules_.try_emplace(ending_text(execution));
    if (is_new) it->second = ExecutionReport(execution).schedule();
  }

  std::string replay() {
    size_t count = 0;
    for (const auto& [ending, schedule] : schedules_) {
      if (count++ == most_) break;
      auto m = fresh_();
      const std::string again = replayed_ending(*m, schedule);
      if (again == ending) continue;
      return "a replay comes to another end: " + again + "\nand not to: " + ending + "\n" +
             print_schedule(schedule);
    }
    return "";
  }

  Fresh fresh_;
  SearchOptions options_;
  size_t most_ = SIZE_MAX;
  std::map<std::string, Schedule> schedules_;  // one for each ending
  Search::Statistics statistics_;
  Explorer::Statistics explorer_;
};

}  // namespace fathom::explore
