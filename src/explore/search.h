// All interleavings of a program, up to equivalence: a depth-first search over who acts
// next, on a machine that goes back.
//
// Executions that differ only in the order of events that commute (dependence.h) are
// equivalent: they lead to the same states. It is enough to see one of each class.
//
//   Optimal  Optimal dynamic partial-order reduction (Abdulla, Aronis, Jonsson, Sagonas,
//            POPL 2014, JACM 2017), with observers (Aronis, Jonsson, Lång, Sagonas, TACAS
//            2018): one execution of each class is explored, to its end. When one has come
//            to its end, each race in it is reversed: what must happen so that its
//            second event comes before its first is inserted into the wake-up tree
//            (wakeup_tree.h) of the state before the first, unless an event that was
//            explored from there already, and sleeps, could begin it. All races count, not
//            only those of what is new: what must happen depends on all that the execution
//            does behind them. Of messages that are alike, only the orders that may matter
//            (equal_messages.h).
//   Source   Source sets and sleep sets (the same paper): less to keep, but an execution may
//            turn out, after some events, to be equivalent to one seen before: all that can
//            act sleeps. It is given up, and counted as blocked.
//   None     Everything that can act, in every state: the plain search, which the others
//            are tested against.
//
// Of the later algorithms, those that need no trees (TruSt, POPL 2022; parsimonious race
// reversal, CAV 2024) save memory where executions are done again from the beginning. Here a
// machine goes back to the state in question anyway, and the trees hang on the current
// execution only: memory is that of one execution and of what is still to be explored of it.
//
// Beside the papers: an event may make another actor's event impossible (it ends a
// process, cancels a timer). The actor then never gets to perform what would race with
// it; so what it would have done is looked at before, and counts as the second event of a
// race (Record::prevented).
//
// Cost: of a class, the events after the state at which it branches off, and for each race
// in them the length of the execution behind its first event. A race in what comes before
// costs the length of what is new, and more only if something new can come of it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "explore/equal_messages.h"
#include "explore/polling.h"
#include "explore/schedule.h"
#include "explore/trace.h"
#include "explore/wakeup_tree.h"

namespace fathom::explore {

enum class Algorithm : uint8_t { Optimal, Source, None };

// What a plain search may not do too often.
enum class Bound : uint8_t {
  None,
  Preemptions,  // go on with another actor though the last one could act again
  Delays,       // pass over a actor that would be the next
};

struct SearchOptions {
  Algorithm algorithm = Algorithm::Optimal;
  int64_t patience = 1'000'000'000;  // nanoseconds, see Actors
  uint32_t max_depth = 100'000;      // events of an execution
  Bound bound = Bound::None;         // with Algorithm::None only
  uint32_t budget = 0;               // how often
};

// How an execution ended.
enum class Ending : uint8_t {
  Complete,  // nothing can happen any more, or the machine has an outcome (halt)
  Failed,    // the machine could not go on: something is not modelled, or a limit was met
  Cut,       // at the depth bound
  Blocked,   // it would only repeat what was seen
  Restart,   // nothing that was told so far counts: the search begins again, see Actors
};

class Search {
 public:
  // The machine must be observed, and must have started its first process. `ended` is
  // called at the end of each execution; false: enough.
  using Listener = std::function<bool(const Search&, Ending)>;
  Search(machine::Machine& m, const SearchOptions& options, Listener ended);

  // Until all is explored, the listener has enough, or the thread's budget is spent; then the
  // machine cannot be used any more.
  void run();
  // Instead of that: the one execution that the schedule tells. An error begins with the
  // line of the schedule that does not fit.
  Result<void> follow(const Schedule& schedule);

  // Whether that was because the budget is spent.
  bool is_out_of_budget() const { return is_out_of_budget_; }

  machine::Machine& machine() const { return machine_; }
  const Trace& trace() const { return trace_; }
  const Actors& actors() const { return actors_; }
  // From here on the execution is not as the one before it.
  uint32_t fresh_from() const { return fresh_from_; }
  uint64_t interleavings() const { return seen_.interleavings; }  // complete, failed or cut
  uint64_t blocked() const { return seen_.blocked; }
  uint64_t events() const { return seen_.events; }
  // Whether the bound has cut anything off.
  bool is_bounded() const { return seen_.is_bounded; }
  // Executions that were to be explored and turned out to be impossible: a fault of the
  // dependence relation.
  uint64_t impossible() const { return seen_.impossible; }
  // Whether a process was not let look again at what had not changed.
  bool has_polled() const { return seen_.has_polled; }
  // How many races of equal messages were not reversed (equal_messages.h): then some classes are
  // not explored, but lead to the same states as others.
  uint64_t skipped_equal() const { return seen_.skipped_equal; }
  // The last of its events for which the current execution has left the one before: which
  // two events it has reversed. Null: none.
  const Reversal* last_reversal() const;
  // About which part of all executions has been explored, from what is known so far.
  double explored_part() const;
  // Branches of the current execution that are still to be explored.
  uint64_t pending() const;

 private:
  // A sequence that is to be tried, by who acts.
  struct Postponed {
    std::vector<ActorId> actors;
    Reversal reversal;
  };
  struct SleepingEvent {
    EventSummary event;
    uint32_t since;  // the depth at which it was explored
  };
  // A race of the current execution that was looked at. In another one that has it too, what
  // is to come before its second event may be more, or less.
  struct ProcessedRace {
    RacingPair race;
    uint32_t last_free;     // of what was to come before the second event: the last
    const Record* sleeper;  // could begin that, so nothing was done; null: none
    bool is_settled;        // it could begin it in every execution
    bool is_equal = false;  // of equal messages, whose order is irrelevant: not reversed
  };
  // What is to be explored from a state beside what its wake-up tree says.
  struct BacktrackSet {
    std::vector<ActorId> actors;  // Source, None
    size_t next = 0;              // of those
    std::vector<uint32_t> costs;  // of each, if there is a bound
    std::vector<Postponed> postponed;
    std::unordered_set<uint64_t> keys;  // of all that were ever postponed

    size_t waiting() const { return actors.size() - next; }
  };
  // A state of the current execution.
  struct Node {
    machine::Machine::Mark mark;
    std::vector<SleepingEvent> sleep;
    // Messages of those that were sent all the same, later than they could have been, because
    // a receive was to tell; it has not come yet.
    std::vector<SleepingEvent> unobserved;
    std::vector<RecordPtr> done;  // explored from here
    WakeupTree wakeup;
    std::unique_ptr<BacktrackSet> backtrack;  // null: there is none, as in most states
    uint32_t cost = 0;                        // of all until here
    std::optional<Reversal> reversal;         // because of which the current event was chosen
    uint32_t branches = 0;                    // explored so far, with the current one
    bool is_fresh = true;                     // nothing has been explored from here
    bool passes_time = false;
    int64_t due = -1;
    uint32_t barrier = kNoIndex;

    BacktrackSet& own_backtrack() {
      if (!backtrack) backtrack = std::make_unique<BacktrackSet>();
      return *backtrack;
    }
    // How many branches are still to be explored from here, as far as is known.
    size_t waiting() const { return wakeup.size() + (backtrack ? backtrack->waiting() : 0); }
    bool goes_on() const {
      return !wakeup.empty() ||
             (backtrack && (backtrack->waiting() > 0 || !backtrack->postponed.empty()));
    }
  };

  // What a search says of itself, see above.
  struct Seen {
    uint64_t interleavings = 0;
    uint64_t blocked = 0;
    uint64_t events = 0;
    uint64_t impossible = 0;
    uint64_t skipped_equal = 0;
    bool has_polled = false;
    bool is_bounded = false;
  };

  Node& top() { return nodes_[depth_]; }
  void explore();
  void restart();
  void open(const Node* parent);
  void close();
  void step();
  Result<void> follow(const Step& step);
  bool choose(Node& node, ActorId& actor);
  bool choose_first(Node& node, ActorId& actor);
  ActorId first_awake(const Node& node, ActorId last);
  bool find_enabled(Node& node);
  bool is_asleep(const Node& node, ActorId actor) const;
  void advance(ActorId actor);
  void find_disabled(Node& node, ActorId actor, Record& record);
  void find_interrupted(Record& record, std::vector<RecordPtr>& interrupted);
  bool may_disable(const Record& record, ActorId actor);
  uint32_t cost(ActorId actor) const;
  void find_affordable(Node& node);
  bool still_sleeps(const SleepingEvent& sleeping, const EventSummary& event);
  void pass_sleep_on(const Node& node, const EventSummary& event, Node& next);
  bool was_weak_initial(const SleepingEvent& unobserved, uint32_t depth, const Sequence& sequence);
  void finish(Ending ending);
  void reverse_races();
  void reverse_processed();
  bool is_unchanged(const ProcessedRace& known) const;
  void reverse(const RacingPair& race);
  void reverse(const RacingPair& race, uint32_t until);
  uint32_t without_halt() const;
  void postpone(const RacingPair& race, uint32_t until, const Reversal& reversal);
  void try_postponed();
  // What sleeps, and could begin a sequence.
  struct WeakInitial {
    const SleepingEvent* sleeping = nullptr;
    size_t place = 0;  // of the same event in the sequence; its size: it is not there
  };
  WeakInitial add_sequence(uint32_t depth, const Reversal& reversal);
  WeakInitial find_weak_initial(uint32_t depth);
  void add_processed(const RacingPair& race, const WeakInitial& initial);
  void make_sequence(const RacingPair& race, uint32_t until);
  void add_initial(Node& node, bool is_certain);

  machine::Machine& machine_;
  SearchOptions options_;
  Listener ended_;
  Dependence dependence_;
  Actors actors_;
  Trace trace_;
  Polling polling_{trace_, actors_};
  EqualMessages equals_{trace_};
  bool skips_equal_ = false;  // in the current execution
  WakeupTree::Pool tree_nodes_;
  // [0, depth_]: one for each event, and one behind the last; and one more, which is empty but
  // for what its wake-up tree will be.
  std::vector<Node> nodes_;
  uint32_t depth_ = 0;
  bool is_over_ = false;
  bool is_out_of_budget_ = false;
  uint32_t fresh_from_ = 0;
  uint32_t run_length_ = 0;  // events of the last actor in a row
  std::vector<ActorId> enabled_;
  std::vector<RacingPair> races_;
  std::vector<ProcessedRace> processed_;
  std::vector<ProcessedRace> processed_before_;  // in the execution before this one
  Sequence sequence_;
  size_t before_second_ = 0;  // how many of it come before the second event of the race anyway
  size_t second_place_ = 0;   // where that is
  uint32_t last_free_ = 0;    // the last event in it that does not happen after the first
  EventSummary observer_summary_;
  EventSummary disabled_summary_;
  Sequence whole_;      // see could_begin()
  Sequence single_;     // see pass_sleep_on()
  RecordPtr observer_;  // the receive that sees the other order
  Seen seen_;
  uint32_t restarts_ = 0;
};

}  // namespace fathom::explore
