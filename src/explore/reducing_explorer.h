// What the algorithms with partial-order reduction have in common: sleep sets, the actor with which
// a fresh state goes on, and turning races of a complete execution into what is left to explore.
//
// They differ in what they make of the sequence that reverses a race (add_sequence): source sets
// keep an actor that could begin it, wake-up trees all of it.
#pragma once

#include "explore/disabled_events.h"
#include "explore/explorer.h"
#include "explore/polling.h"
#include "explore/race_reversal.h"
#include "explore/sleep_sets.h"

namespace fathom::explore {

class ReducingExplorer : public Explorer {
 public:
  ReducingExplorer(Execution& execution, bool wakes_senders)
      : execution_(execution),
        sleep_sets_(execution, wakes_senders),
        reversal_(execution.trace()),
        disabled_events_(execution),
        polling_(execution.trace(), execution.actors()) {}

  void enter() override;
  void performed(ActorId actor, Record& record) override;
  void explored(RecordPtr record) override { sleep_sets_.add(std::move(record)); }
  void returned() override;

 protected:
  // What a fresh state goes on with.
  Next first_choice();
  // Where nothing is enabled, or only actors that repeat themselves (polling.h). Whether something
  // is then.
  bool let_time_pass();
  // The sequence of `reversal_` is to be explored from the state at that depth. `race`: null for
  // one that was tried, see TentativeReversals.
  virtual void add_sequence(Depth depth, const RacingPair* race, const Reversal& reversal) = 0;
  // Adds what reverses the race, made of the events of the execution before `until`.
  void reverse(const RacingPair& race, EventIndex until);
  // Whether the reversal would only let a polling process poll once more.
  bool is_polling(const RacingPair& race);
  // The end of the events that can come before others: halt() cannot.
  EventIndex end_without_halt() const;

  Execution& execution_;
  SleepSets sleep_sets_;
  RaceReversal reversal_;
  TentativeReversals tentative_;
  std::vector<RacingPair> races_;

 private:
  ActorId first_awake(ActorId last);
  void add_tentative(const RacingPair& race, EventIndex until, const Reversal& reversal);

  DisabledEvents disabled_events_;
  Polling polling_;
  uint32_t run_length_ = 0;  // events of the last actor in a row
  std::vector<ActorId> enabled_;
};

}  // namespace fathom::explore
