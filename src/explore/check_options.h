// What a check is to explore, and what counts as a finding.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "explore/explorer.h"
#include "explore/findings.h"

namespace fathom::explore {

struct CheckOptions {
  SearchOptions search;
  uint64_t max_interleavings = UINT64_MAX;
  bool keep_going = false;
  bool assertions_only = false;     // of exceptions, those of ?assert… only
  bool first_process_only = false;  // findings of other processes do not count
  bool strict_end = false;          // a behaviour that is idle at the end is stuck
  bool allow_leftover = false;      // nothing that waits after the test's end counts
  bool strict_exits = false;        // an abnormal exit is a finding, whoever is told of it
  bool any_halt = false;            // a halt is a finding, whatever its exit code
  std::vector<std::string> normal;  // reasons of exits that are not findings, as ~p prints them
  std::vector<FindingKind> ignored;
  bool wants_tree = false;
  bool wants_race_orders = false;
  // Called now and then.
  std::function<void(const Progress&)> progress;
};

}  // namespace fathom::explore
