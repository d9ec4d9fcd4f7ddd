// What is to be explored from each state of the current execution: the part of a search in which
// the algorithms differ (search.h says which there are).
//
// A search is a loop. In the current state it asks its explorer for the next actor to explore; if
// there is one, that one acts, and the search enters the state after it. Otherwise all from here
// has been explored, and the search goes back to the last state of which the explorer says that
// something is left. At the end of each execution the explorer may add to what is left in any
// state of it: that is where dynamic partial-order reduction finds out what is needed.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "explore/execution.h"
#include "explore/wakeup_tree.h"

namespace fathom::explore {

enum class Algorithm : uint8_t { Optimal, Source, None };

// What a plain search may not do too often.
enum class Bound : uint8_t {
  None,
  Preemptions,  // go on with another actor though the last one could act again
  Delays,       // pass over an actor whose turn it is
};

struct SearchOptions {
  Algorithm algorithm = Algorithm::Optimal;
  int64_t patience = 1'000'000'000;  // nanoseconds, see Actors
  uint32_t max_depth = 100'000;      // events of an execution
  Bound bound = Bound::None;         // with Algorithm::None only
  uint32_t budget = 0;               // how often
  // With a bound: states that were explored before are not explored again (seen_states.h).
  bool leaves_out_seen = true;
  // Signals take time where somebody could tell (late_signals.h).
  bool delays_where_seen = true;
};

class Explorer {
 public:
  virtual ~Explorer() = default;

  struct Next {
    ActorId actor = kNoActor;  // kNoActor: there is nothing (more) to explore from this state
    bool is_blocked = false;   // though actors are enabled: all of them sleep
  };

  // The execution has entered a new state.
  virtual void enter() = 0;
  // The next actor to explore from the current state. `is_fresh`: nothing was explored from it yet,
  // so there must be one, unless the execution is complete or blocked.
  virtual Next next(bool is_fresh) = 0;
  // It has performed its event, which is not part of the execution yet.
  virtual void performed(ActorId, Record&) {}
  // The execution has come to its end. Its events from `fresh_from` on are not those of the one
  // before it.
  virtual void ended(EventIndex /*fresh_from*/) {}
  // The execution has gone back to this state, from which `record` was explored. The machine is
  // not there yet.
  virtual void explored(RecordPtr /*record*/) {}
  // And now it is.
  virtual void returned() {}
  // Whether something is left to be explored from a state of the current execution.
  virtual bool has_pending(Depth depth) const = 0;
  // How many branches, as far as they are known.
  virtual size_t pending(Depth depth) const = 0;
  // The race because of whose reversal the current event of that state was chosen; null: none.
  virtual const Reversal* reversal(Depth /*depth*/) const { return nullptr; }
  // The execution is cut here: what was to follow is dropped.
  virtual void cut() {}

  struct Statistics {
    // Executions that were to be explored and turned out to be impossible: a fault of the
    // dependence relation.
    uint64_t impossible = 0;
    // How many races of equal messages were not reversed (equal_messages.h): then some classes are
    // not explored, but lead to the same states as others.
    uint64_t skipped_equal = 0;
    bool has_polled = false;  // a polling process was made to wait for the others (polling.h)
    bool is_bounded = false;  // the bound has cut something off
  };
  const Statistics& statistics() const { return statistics_; }

 protected:
  Statistics statistics_;
};

std::unique_ptr<Explorer> make_explorer(Execution& execution, const SearchOptions& options);

// An element for each state of an execution, used again and again.
template <class T>
class PerState {
 public:
  // Where it is now may change.
  T& enter(Depth depth) {
    if (number(depth) >= items_.size()) items_.resize(number(depth) + 1);
    return items_[number(depth)];
  }
  T& operator[](Depth depth) { return items_[number(depth)]; }
  const T& operator[](Depth depth) const { return items_[number(depth)]; }

 private:
  std::vector<T> items_;
};

}  // namespace fathom::explore
