#include "explore/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/budget.h"
#include "base/hash.h"
#include "machine/receive_probe.h"

namespace fathom::explore {

using machine::AccessMode;
using machine::EventKind;
using machine::SharedObject;

Search::Search(machine::Machine& m, const SearchOptions& options, Listener ended)
    : machine_(m),
      options_(options),
      ended_(std::move(ended)),
      dependence_(m),
      actors_(m, options.patience),
      trace_(actors_, dependence_) {}

void Search::run() {
  const machine::Machine::Mark beginning = machine_.mark();
  // The plain search takes nothing for granted, so it never begins again. Where signals wait,
  // the end of a process is seen by those on their way to it.
  const bool is_plain = options_.algorithm == Algorithm::None;
  if (is_plain) machine_.events().record_changes();
  if (!is_plain && !machine_.mode().delays_delivery) actors_.allow_invisible_exits();
  explore();
  while (!is_over_) {
    machine_.rewind(beginning);
    restart();
    explore();
  }
  // A search that was broken off may have been so in the middle of a change of the trace; nor
  // is there time left to go back.
  if (is_out_of_budget_) return;
  while (trace_.size() > 0) trace_.pop();
  machine_.rewind(beginning);
  machine_.release();
}

void Search::explore() {
  try {
    actors_.settle();
    nodes_.emplace_back();
    open(nullptr);
    while (!is_over_ && !actors_.needs_restart()) step();
  } catch (const BudgetSpent&) {
    is_out_of_budget_ = is_over_ = true;
  }
}

// Nothing is left of what was seen but who is noticed.
void Search::restart() {
  constexpr uint32_t kMost = 8;  // times; then it is not worth it
  while (trace_.size() > 0) trace_.pop();
  for (uint32_t i = 0; i <= depth_; ++i) {
    if (nodes_[i].passes_time) trace_.unpass_time();
  }
  for (Node& node : nodes_) node.wakeup.clear(tree_nodes_);
  nodes_.clear();
  processed_.clear();
  depth_ = fresh_from_ = run_length_ = 0;
  seen_ = {};
  if (++restarts_ == kMost) actors_.forbid_invisible_exits();
  actors_.restart();
  is_over_ = !ended_(*this, Ending::Restart);
}

// The timer of a receive and the end of its time are one step here.
Result<void> Search::follow(const Schedule& schedule) {
  machine_.mark();
  actors_.settle();
  nodes_.emplace_back();
  open(nullptr);
  for (const Step& step : schedule.steps) {
    const bool is_timer = step.what == machine::event_word(EventKind::Timer);
    if (is_timer && step.who.find('#') == std::string::npos) continue;
    if (auto followed = follow(step); !followed) {
      return Error{fmt::format("{}: {}", step.line, followed.error().message)};
    }
  }
  if (schedule.has_end && !machine_.outcome && find_enabled(top())) {
    const size_t line = schedule.steps.empty() ? 1 : schedule.steps.back().line + 1;
    return Error{fmt::format("{}: the schedule ends here, but {} can go on", line,
                             actors_.name(enabled_[0]))};
  }
  const bool is_failed = machine_.outcome && machine_.outcome->kind != machine::Outcome::Kind::Halt;
  finish(is_failed ? Ending::Failed : Ending::Complete);
  return {};
}

Result<void> Search::follow(const Step& step) {
  if (machine_.outcome)
    return Error{fmt::format("the run is over, but {} should {}", step.who, step.what)};
  find_enabled(top());
  const auto actor = std::find_if(enabled_.begin(), enabled_.end(),
                                  [&](ActorId t) { return actors_.name(t) == step.who; });
  if (actor == enabled_.end()) {
    return Error{fmt::format("{} should {}, but it has ended, waits, or was never there", step.who,
                             step.what)};
  }
  advance(*actor);
  const std::string_view did = machine::event_word(trace_[trace_.size() - 1].event.kind);
  if (did == step.what) return {};
  return Error{fmt::format("{} should {}, but did {}", step.who, step.what, did)};
}

uint64_t Search::pending() const {
  uint64_t count = 0;
  for (uint32_t i = 0; i <= depth_ && i < nodes_.size(); ++i) {
    count += nodes_[i].waiting();
  }
  return count;
}

const Reversal* Search::last_reversal() const {
  for (uint32_t i = depth_; i-- > 0;) {
    if (nodes_[i].reversal) return &*nodes_[i].reversal;
  }
  return nullptr;
}

double Search::explored_part() const {
  double part = 0;
  double weight = 1;
  for (uint32_t i = 0; i < depth_; ++i) {
    const Node& node = nodes_[i];
    const double all = node.branches + static_cast<double>(node.waiting());
    part += weight * (node.branches - 1) / all;
    weight /= all;
  }
  return part + weight;
}

// ---- States -----------------------------------------------------------------

void Search::open(const Node* parent) {
  Node& node = nodes_[depth_];
  node.mark = machine_.mark();
  node.done.clear();
  node.backtrack.reset();
  node.cost = parent ? parent->cost : 0;
  if (parent && parent->backtrack && !parent->backtrack->costs.empty()) {
    node.cost += parent->backtrack->costs[parent->backtrack->next - 1];
  }
  node.is_fresh = true;
  node.reversal.reset();
  node.branches = 0;
  node.passes_time = false;
  node.due = parent ? parent->due : -1;
  node.barrier = parent ? parent->barrier : kNoIndex;
  if (nodes_.size() == size_t{depth_} + 1) nodes_.emplace_back();
}

// All from here has been explored: back to the last state from which not all has.
void Search::close() {
  RecordPtr record;
  do {
    if (top().passes_time) trace_.unpass_time();
    if (depth_ == 0) {
      is_over_ = true;
      return;
    }
    --depth_;
    record = trace_.pop();
  } while (!top().goes_on());
  fresh_from_ = std::min(fresh_from_, trace_.size());
  Node& node = top();
  if (options_.algorithm != Algorithm::None) {
    node.done.push_back(record->has_values() ? record->persistent_copy(trace_.copies(), node.mark,
                                                                       machine_.heap().top())
                                             : std::move(record));
    node.sleep.push_back({node.done.back().get(), depth_});
  }
  machine_.rewind(node.mark);
  if (node.backtrack && !node.backtrack->postponed.empty()) try_postponed();
}

// Time passes where nothing else can happen. False: nothing can.
bool Search::find_enabled(Node& node) {
  actors_.find_enabled(node.due, enabled_);
  while (enabled_.empty()) {
    const std::optional<int64_t> moment = actors_.next_moment();
    if (!moment || *moment <= node.due) return false;
    node.due = *moment;
    if (!node.passes_time) node.barrier = trace_.pass_time();
    node.passes_time = true;
    actors_.find_enabled(node.due, enabled_);
  }
  return true;
}

bool Search::is_asleep(const Node& node, ActorId actor) const {
  return std::any_of(node.sleep.begin(), node.sleep.end(),
                     [&](const SleepingEvent& sleeping) { return sleeping.event.actor == actor; });
}

// ---- One step ---------------------------------------------------------------

// What a state that nobody has an opinion of goes on with: the actor that has just acted,
// so that executions are easy to read; but not for ever, for it may wait for another.
bool Search::choose_first(Node& node, ActorId& actor) {
  constexpr uint32_t kLongest = 100;
  const bool is_plain = options_.algorithm == Algorithm::None;
  const ActorId last = trace_.size() > 0 ? trace_[trace_.size() - 1].id.actor : kNoIndex;
  const bool may_go_on = last != kNoIndex && run_length_ < kLongest && !is_plain;
  if (may_go_on && actors_.is_enabled(last, node.due) && !is_asleep(node, last) &&
      !polling_.repeats(last) && !actors_.would_halt(last)) {
    actor = last;
  } else {
    if (is_plain) {
      if (!find_enabled(node)) return false;
      find_affordable(node);
      actor = node.backtrack->actors[node.backtrack->next++];
      return true;
    }
    actor = first_awake(node, last);
    if (actor == kNoIndex) {
      if (!find_enabled(node)) return false;
      actor = first_awake(node, last);
    }
    if (actor == kNoIndex) {
      finish(Ending::Blocked);
      return false;
    }
  }
  if (options_.algorithm == Algorithm::Source) {
    BacktrackSet& backtrack = node.own_backtrack();
    backtrack.actors.push_back(actor);
    backtrack.next = backtrack.actors.size();
  }
  return true;
}

// The first that can act. If there is no other, the last one; then one that would halt, then
// one that would only look again. kNoIndex: all sleep, or none can.
ActorId Search::first_awake(const Node& node, ActorId last) {
  enum Rank : uint8_t { kAny, kLast, kHalts, kLooksAgain, kNone };
  const auto rank = [&](ActorId actor) {
    if (polling_.repeats(actor)) return kLooksAgain;
    if (actors_.would_halt(actor)) return kHalts;
    return actor == last ? kLast : kAny;
  };
  ActorId found = kNoIndex;
  Rank best = kNone;
  actors_.for_each_enabled(node.due, [&](ActorId actor) {
    if (is_asleep(node, actor)) return false;
    const Rank its = rank(actor);
    if (its < best) found = actor;
    best = std::min(best, its);
    return best == kAny;
  });
  return found;
}

// What it costs to go on with that one: of preemptions, one if the last actor could act
// again; of delays, how many that would be first are passed over.
uint32_t Search::cost(ActorId actor) const {
  const bool is_first = actor == enabled_.front();
  if (options_.bound == Bound::Delays) {
    return static_cast<uint32_t>(std::find(enabled_.begin(), enabled_.end(), actor) -
                                 enabled_.begin());
  }
  const bool goes_on = trace_.size() > 0 && enabled_.front() == trace_[trace_.size() - 1].id.actor;
  return options_.bound == Bound::Preemptions && goes_on && !is_first ? 1 : 0;
}

// The actor that has just acted comes first, if it can; the others in their order.
void Search::find_affordable(Node& node) {
  if (trace_.size() > 0) {
    const ActorId last = trace_[trace_.size() - 1].id.actor;
    const auto same = std::find(enabled_.begin(), enabled_.end(), last);
    if (same != enabled_.end()) std::rotate(enabled_.begin(), same, same + 1);
  }
  for (const ActorId t : enabled_) {
    if (node.cost + cost(t) <= options_.budget) {
      node.own_backtrack().actors.push_back(t);
      node.backtrack->costs.push_back(cost(t));
    } else {
      seen_.is_bounded = true;
    }
  }
}

bool Search::choose(Node& node, ActorId& actor) {
  while (!node.wakeup.empty()) {
    WakeupTree& below = nodes_[depth_ + 1].wakeup;
    const WakeupTree::First first = node.wakeup.take_first(tree_nodes_, below);
    actor = first.actor;
    node.reversal = first.reversal;
    if (actors_.is_enabled(actor, node.due)) return true;
    // Unless nothing is, and time has to pass.
    if (node.is_fresh && find_enabled(node) && actors_.is_enabled(actor, node.due)) return true;
    ++seen_.impossible;
    below.clear(tree_nodes_);
  }
  while (node.backtrack && node.backtrack->waiting() > 0) {
    actor = node.backtrack->actors[node.backtrack->next++];
    if (options_.algorithm == Algorithm::None || !is_asleep(node, actor)) return true;
  }
  if (!node.is_fresh) return false;
  const uint64_t before = seen_.blocked;
  if (choose_first(node, actor)) return true;
  if (seen_.blocked == before) finish(Ending::Complete);
  return false;
}

void Search::step() {
  constexpr int64_t kStepWork = 100;  // see spend()
  spend(kStepWork);
  Node& node = top();
  ActorId actor = 0;
  if (machine_.outcome && node.is_fresh) {
    const bool is_halt = machine_.outcome->kind == machine::Outcome::Kind::Halt;
    finish(is_halt ? Ending::Complete : Ending::Failed);
    return close();
  }
  if (node.is_fresh && trace_.size() >= options_.max_depth) {
    finish(Ending::Cut);
    node.wakeup.clear(tree_nodes_);
    return close();
  }
  if (!choose(node, actor)) return close();
  node.is_fresh = false;
  ++node.branches;
  advance(actor);
}

namespace {

bool send_to_same(const Record& a, const Record& b) {
  return std::any_of(a.event.sent.begin(), a.event.sent.end(), [&](const machine::SentMessage& x) {
    return std::any_of(b.event.sent.begin(), b.event.sent.end(),
                       [&](const machine::SentMessage& y) { return x.to == y.to; });
  });
}

}  // namespace

bool Search::still_sleeps(const SleepingEvent& sleeping, const EventSummary& event) {
  if (sleeping.event.actor == event.actor) return false;
  // Without wake-up trees nobody sees to it that a receive comes to observe which of two
  // messages was first.
  if (options_.algorithm == Algorithm::Source &&
      send_to_same(*sleeping.event.record, *event.record))
    return false;
  if (!sleeping.event.filter.may_conflict(event.filter)) return true;
  return is_weak_initial(dependence_, sleeping.event, {sleeping.since, trace_.size()}, single_)
      .is_weak_initial;
}

// Whether the event could as well have come where it went to sleep, if the execution up to
// `depth` goes on like that.
bool Search::was_weak_initial(const SleepingEvent& unobserved, uint32_t depth,
                              const Sequence& sequence) {
  whole_.clear();
  for (uint32_t i = unobserved.since; i < depth; ++i) whole_.push_back(trace_.summary(i));
  for (const EventSummary* event : sequence.items()) whole_.push_back(*event);
  return is_weak_initial(dependence_, unobserved.event, {unobserved.since, unobserved.since},
                         whole_)
      .is_weak_initial;
}

void Search::pass_sleep_on(const Node& node, const EventSummary& event, Node& next) {
  next.sleep.clear();
  next.unobserved.clear();
  if (node.sleep.empty() && node.unobserved.empty()) return;
  single_.clear();
  single_.push_back(event);
  for (const SleepingEvent& sleeping : node.sleep) {
    if (still_sleeps(sleeping, event)) {
      next.sleep.push_back(sleeping);
    } else if (sleeping.event.sends && sleeping.event.record->id == event.record->id) {
      next.unobserved.push_back(sleeping);
    }
  }
  for (const SleepingEvent& unobserved : node.unobserved) {
    const bool may_observe =
        event.record->is_receive() && event.filter.may_conflict(unobserved.event.filter);
    if (!may_observe || was_weak_initial(unobserved, depth_, single_))
      next.unobserved.push_back(unobserved);
  }
}

void Search::advance(ActorId actor) {
  ++seen_.events;
  const uint32_t size = trace_.size();
  const bool goes_on = size > 0 && trace_[size - 1].id.actor == actor;
  run_length_ = goes_on ? run_length_ + 1 : 1;
  RecordPtr record = trace_.new_record();
  actors_.perform(actor, top().due, *record);
  polling_.note(*record);
  find_disabled(top(), actor, *record);
  trace_.push(std::move(record), top().barrier);
  pass_sleep_on(nodes_[depth_], trace_.summary(size), nodes_[depth_ + 1]);
  ++depth_;
  open(&nodes_[depth_ - 1]);
}

// Whom the event may have kept from acting: what it ends, cancels or suspends, signals on
// their way to what it ends; halt comes when nobody can do anything else.
bool Search::may_disable(const Record& record, ActorId actor) {
  const machine::Event& event = record.event;
  if (actor == record.id.actor) return false;
  if (event.kind == EventKind::Halt) return actors_.would_halt(actor);
  const auto ends = [&](uint64_t process) {
    return std::any_of(
        event.exits.begin(), event.exits.end(),
        [&](const machine::ProcessExit& ended) { return ended.process.local_number() == process; });
  };
  if (actors_.is_channel(actor) && ends(actors_.destination(actor))) return true;
  const auto is_accessed = [&](const machine::Access& access) {
    const bool is_life = access.object == SharedObject::Life && access.mode == AccessMode::Write;
    if (is_life) return actors_.of_process(access.id) == actor;
    return access.object == SharedObject::Timer && actors_.of_timer(access.id) == actor;
  };
  if (std::any_of(event.accesses.begin(), event.accesses.end(), is_accessed)) return true;
  return std::any_of(event.delivered_signals.begin(), event.delivered_signals.end(),
                     [&](const machine::Channel& channel) {
                       return actors_.channel(channel.from, channel.to) == actor;
                     });
}

namespace {

// Whether it is one of the few that can prevent anything.
bool can_disable(const Record& record) {
  const machine::Event& event = record.event;
  const bool ends_itself = event.exits.size() == 1 && record.process != 0 &&
                           event.exits[0].process.local_number() == record.process;
  switch (event.kind) {
    case EventKind::Halt:
    case EventKind::CancelTimer:
    case EventKind::Suspend:
      return true;
    default:
      return (!event.exits.empty() && !ends_itself) || !event.delivered_signals.empty();
  }
}

}  // namespace

// The receives in which processes wait that the event has exited.
void Search::find_interrupted(Record& record, std::vector<RecordPtr>& interrupted) {
  for (const machine::ProcessExit& ended : record.event.exits) {
    const uint64_t number = ended.process.local_number();
    const machine::Process* p = machine_.processes().find(ended.process);
    if (number == record.process || !p) continue;
    RecordPtr receive = trace_.copies().make();
    receive->clear();
    receive->event.clear();
    if (!machine::find_receive(machine_, *p, receive->event)) continue;
    receive->id.actor = actors_.of_process(number);
    receive->process = number;
    trace_.identify(*receive);
    make_footprints(*receive);
    interrupted.push_back(std::move(receive));
  }
}

void Search::find_disabled(Node& node, ActorId actor, Record& record) {
  if (options_.algorithm == Algorithm::None) return;
  if (!can_disable(record) && !(machine_.mode().delays_delivery && !record.event.exits.empty()))
    return;
  machine_.rewind(node.mark);
  actors_.find_enabled(node.due, enabled_);
  std::vector<RecordPtr> interrupted;
  find_interrupted(record, interrupted);
  std::vector<RecordPtr> disabled;
  for (const ActorId other : enabled_) {
    if (!may_disable(record, other)) continue;
    const RecordPtr would = trace_.new_record();
    actors_.perform(other, node.due, *would);
    trace_.identify(*would);
    if (dependence_.are_dependent(record, *would)) {
      disabled.push_back(would->persistent_copy(trace_.copies(), node.mark, machine_.heap().top()));
    }
    machine_.rewind(node.mark);
  }
  actors_.perform(actor, node.due, record);
  record.disabled = std::move(disabled);
  record.interrupted = std::move(interrupted);
}

// ---- The end of an execution ------------------------------------------------

void Search::finish(Ending ending) {
  ++(ending == Ending::Blocked ? seen_.blocked : seen_.interleavings);
  // One that was cut is long, and may be the last.
  const bool is_long = ending == Ending::Cut;
  if (!is_long) reverse_races();
  is_over_ = !ended_(*this, ending);
  if (is_long && !is_over_) reverse_races();
  fresh_from_ = trace_.size();
}

void Search::reverse_races() {
  if (options_.algorithm == Algorithm::None) return;
  const bool is_optimal = options_.algorithm == Algorithm::Optimal;
  skips_equal_ = is_optimal && equals_.orders_are_irrelevant();
  if (is_optimal) reverse_processed();
  trace_.find_races(fresh_from_, races_);
  for (const RacingPair& race : races_) reverse(race);
}

// What was to be done about the race when it was last looked at is all that there is to do.
bool Search::is_unchanged(const ProcessedRace& known) const {
  if (known.is_equal) return skips_equal_;
  if (known.is_settled) return true;
  bool is_woken = false;
  bool has_free = known.last_free >= fresh_from_;
  const EventId first = trace_[known.race.first].id;
  for (uint32_t i = fresh_from_; i < trace_.size(); ++i) {
    const AccessFilter& filter = trace_.summary(i).filter;
    is_woken = is_woken || (known.sleeper && known.sleeper->filter.may_conflict(filter));
    has_free = has_free || !trace_.happens_before(first, i);
  }
  return !has_free || (known.sleeper && !is_woken);
}

void Search::reverse_processed() {
  std::swap(processed_, processed_before_);
  processed_.clear();
  for (const ProcessedRace& known : processed_before_) {
    const RacingPair& race = known.race;
    if (race.last() >= fresh_from_) continue;
    if (is_unchanged(known) || !trace_.is_race(race)) {
      processed_.push_back(known);
    } else {
      reverse(race);
    }
  }
}

// What has to happen, from the state before the first event on, so that the second one
// comes before it: all that does not depend on the first, then the second, then the first.
// Of two messages, then what else is before the receive that observes them, and that.
//
// In the papers the first event is not part of it. With it, sequences that differ in what
// comes before the first event part at once; else each would be found to be covered by
// another, whose exploration would then find it to be needed: one after another, all of them
// kept, which takes memory that grows with the number of executions.
void Search::make_sequence(const RacingPair& race, uint32_t until) {
  sequence_.clear();
  before_second_ = 0;
  last_free_ = 0;
  const EventId first = trace_[race.first].id;
  for (uint32_t i = race.first + 1; i < until; ++i) {
    if (trace_.happens_before(first, i)) continue;
    sequence_.push_back(trace_.summary(i));
    last_free_ = i;
    if (i < race.second) ++before_second_;
  }
  second_place_ = sequence_.size();
  if (race.disabled) disabled_summary_ = race.disabled;
  sequence_.push_back(race.disabled ? disabled_summary_ : trace_.summary(race.second));
  sequence_.push_back(trace_.summary(race.first));
  if (race.observer == kNoIndex) return;
  for (uint32_t i = race.first + 1; i < until; ++i) {
    if (i == race.second || i == race.observer || !trace_.happens_before(first, i)) continue;
    if (i > race.observer && trace_.happens_before(race.observer, i)) continue;
    sequence_.push_back(trace_.summary(i));
  }
  observer_ = trace_[race.observer].copy(trace_.copies());
  observer_->taken = trace_[race.second].id;
  observer_->taken_at = race.second;
  observer_summary_ = observer_.get();
  sequence_.push_back(observer_summary_);
}

// What the sequence really does is known when the search is back at its test.
void Search::postpone(const RacingPair& race, uint32_t until, const Reversal& reversal) {
  uint64_t key = race.disabled ? race.disabled->id.actor : 0;
  Postponed postponed{{}, reversal};
  for (const EventSummary* item : sequence_.items()) postponed.actors.push_back(item->actor);
  for (uint32_t i = race.first + 1; i < until; ++i) {
    if (!trace_.happens_before(race.first, i)) key += trace_.event_hash(i);
  }
  if (!race.disabled) key = hash_combine(key, trace_[race.second].id.actor);
  BacktrackSet& backtrack = nodes_[race.first].own_backtrack();
  if (backtrack.keys.insert(key).second) backtrack.postponed.push_back(std::move(postponed));
}

// The machine is in the state of the node.
void Search::try_postponed() {
  const std::vector<Postponed> all = std::exchange(top().backtrack->postponed, {});
  for (const Postponed& postponed : all) {
    for (const ActorId actor : postponed.actors) {
      if (machine_.outcome || !actors_.is_enabled(actor, top().due)) break;
      RecordPtr record = trace_.new_record();
      actors_.perform(actor, top().due, *record);
      trace_.push(std::move(record), top().barrier);
    }
    sequence_.clear();
    for (uint32_t i = depth_; i < trace_.size(); ++i) sequence_.push_back(trace_.summary(i));
    // The last one is the first event of the race, which may not be possible any more.
    const bool is_possible = sequence_.size() + 1 >= postponed.actors.size();
    if (is_possible && options_.algorithm == Algorithm::Source) add_initial(top(), false);
    if (is_possible && options_.algorithm == Algorithm::Optimal) {
      add_sequence(depth_, postponed.reversal);
    }
    while (trace_.size() > depth_) trace_.pop();
    machine_.rewind(top().mark);
  }
}

// Source sets need one that can begin what leads to the second event, whatever comes later;
// and, since an event may access other things in another order, one that can begin all of it.
void Search::reverse(const RacingPair& race) {
  if (polling_.repeats(race)) {
    seen_.has_polled = true;
    return;
  }
  if (race.is_equal_message && skips_equal_) {
    ++seen_.skipped_equal;
    processed_.push_back({race, 0, nullptr, false, true});
    return;
  }
  if (options_.algorithm == Algorithm::Source) {
    reverse(race, race.disabled ? race.first + 1 : race.last());
  }
  reverse(race, without_halt());
}

// The end of what can come before other events.
uint32_t Search::without_halt() const {
  const uint32_t size = trace_.size();
  const bool halts = size > 0 && trace_[size - 1].event.kind == EventKind::Halt;
  return halts ? size - 1 : size;
}

void Search::reverse(const RacingPair& race, uint32_t until) {
  make_sequence(race, until);
  const Reversal reversal{trace_[race.first].id,
                          race.disabled ? race.disabled->id : trace_[race.second].id};
  const bool is_certain = race.observer != kNoIndex || race.is_stable;
  if (!is_certain) return postpone(race, until, reversal);
  if (options_.algorithm == Algorithm::Source) return add_initial(nodes_[race.first], true);
  add_processed(race, add_sequence(race.first, reversal));
}

// A sleeper that is part of what leads to the second event could begin the sequence however
// the execution goes on.
void Search::add_processed(const RacingPair& race, const WeakInitial& initial) {
  const bool is_settled =
      initial.sleeping && (initial.place < before_second_ || initial.place == second_place_);
  const bool is_apart = initial.sleeping && initial.place == sequence_.size();
  processed_.push_back(
      {race, last_free_, is_apart ? initial.sleeping->event.record : nullptr, is_settled});
}

Search::WeakInitial Search::find_weak_initial(uint32_t depth) {
  const Node& node = nodes_[depth];
  for (const SleepingEvent& sleeping : node.sleep) {
    const InitialTest test =
        is_weak_initial(dependence_, sleeping.event, {sleeping.since, depth}, sequence_);
    if (test.is_weak_initial) return {&sleeping, test.place};
  }
  for (const SleepingEvent& unobserved : node.unobserved) {
    if (was_weak_initial(unobserved, depth, sequence_)) return {&unobserved, sequence_.size()};
  }
  return {};
}

// The one that sleeps and could begin the sequence, which then is not needed.
Search::WeakInitial Search::add_sequence(uint32_t depth, const Reversal& reversal) {
  Node& node = nodes_[depth];
  if (const WeakInitial initial = find_weak_initial(depth); initial.sleeping) return initial;
  node.wakeup.insert(tree_nodes_, dependence_, depth, sequence_, reversal, [&](const Record& r) {
    return r.persistent_copy(trace_.copies(), node.mark, machine_.heap().top());
  });
  return {};
}

// One of the actors that could begin the sequence is among those to be explored; of a
// sequence of which nothing is certain, all of them.
void Search::add_initial(Node& node, bool is_certain) {
  const auto depth = static_cast<uint32_t>(&node - nodes_.data());
  std::vector<ActorId> initials;
  for (const EventSummary* event : sequence_.items()) {
    const ActorId actor = event->actor;
    if (std::find(initials.begin(), initials.end(), actor) != initials.end()) continue;
    const InitialTest test = is_weak_initial(dependence_, *event, {depth, depth}, sequence_);
    if (!test.is_weak_initial || sequence_[test.place].record != event->record) continue;
    const auto& known = node.own_backtrack().actors;
    const bool is_known = std::find(known.begin(), known.end(), actor) != known.end();
    if (is_known && is_certain) return;
    if (!is_known) initials.push_back(actor);
  }
  for (const ActorId actor : initials) {
    node.backtrack->actors.push_back(actor);
    if (is_certain) return;
  }
}

}  // namespace fathom::explore
