// The findings of a check so far, each once, and the race that makes the difference.
//
// Two findings are the same if they are of the same kind, process, reason and place. The first
// interleaving with a finding is the one that is shown; of later ones only the number is counted.
//
// The race. Two interleavings in a row differ by the reversal of one race (Search::last_reversal),
// and by what follows from it. So if one of the two has a finding and the other has not, the order
// of the two racing events makes the difference between them, and explains the finding.
//
// Example: in interleaving 3 P fails, since it looks up a name before P.1 has registered it; in
// interleaving 4, in which P.1 registers the name first, it does not. The race between the two
// becomes Finding::race, with "the name server" as what they conflict on.
//
// Limits: the reversal is the last one on the path to the interleaving. If the finding needs
// another one as well, further up, only the last is shown.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "explore/check_options.h"
#include "explore/ended_execution.h"

namespace fathom::explore {

class FoundFindings {
 public:
  explicit FoundFindings(const CheckOptions& options) : options_(options) {}

  // What is added from now on is of the next interleaving.
  void begin_interleaving() { ++current_; }
  // Its number among the findings; none: it is not wanted.
  std::optional<size_t> add(const EndedExecution& e, Finding finding);
  // The same finding in the current interleaving.
  void see_again(size_t finding);
  // All findings of the interleaving were added: compares it with the one before it.
  void find_races(const EndedExecution& e);

  std::span<const Finding> all() const { return findings_; }
  // Whether the current interleaving has one.
  bool is_in_current() const;
  // Whether more interleavings are needed to explain the first finding: all so far have had it.
  bool needs_contrast() const;
  std::vector<Finding> take() { return std::move(findings_); }
  // The search restarts.
  void clear();

 private:
  // Of each finding.
  struct Known {
    std::string key;              // what makes it the same
    std::vector<EventId> events;  // of its interleaving
    uint64_t first_in;            // which of all interleavings
    uint64_t last_in;
    bool is_avoided;  // there was one without it
  };

  bool is_wanted(const Finding& finding) const;
  static void find_race(const EndedExecution& e, const Known& known, Finding& finding);

  const CheckOptions& options_;
  std::vector<Finding> findings_;
  std::vector<Known> known_;
  uint64_t current_ = 0;  // which of all interleavings, from 1
};

}  // namespace fathom::explore
