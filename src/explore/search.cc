#include "explore/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/budget.h"
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
      threads_(m, options.patience),
      trace_(threads_, dependence_) {}

void Search::run() {
  const machine::Machine::Mark beginning = machine_.mark();
  // The plain search takes nothing for granted, so it never begins again. Where signals wait,
  // the end of a process is seen by those on their way to it.
  const bool is_plain = options_.algorithm == Algorithm::None;
  if (is_plain) machine_.events().record_changes();
  if (!is_plain && !machine_.mode().delays_delivery) threads_.let_leave();
  explore();
  while (!is_over_) {
    machine_.rewind(beginning);
    begin_again();
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
    threads_.settle();
    nodes_.emplace_back();
    open(nullptr);
    while (!is_over_ && !threads_.has_misjudged()) step();
  } catch (const BudgetSpent&) {
    is_out_of_budget_ = is_over_ = true;
  }
}

// Nothing is left of what was seen but who is noticed.
void Search::begin_again() {
  constexpr uint32_t kMost = 8;  // times; then it is not worth it
  while (trace_.size() > 0) trace_.pop();
  for (uint32_t i = 0; i <= depth_; ++i) {
    if (nodes_[i].passes_time) trace_.unpass_time();
  }
  for (Node& node : nodes_) node.wakeup.clear(tree_nodes_);
  nodes_.clear();
  known_.clear();
  depth_ = fresh_from_ = run_length_ = 0;
  seen_ = {};
  if (++misjudgements_ == kMost) threads_.let_none_leave();
  threads_.begin_again();
  is_over_ = !ended_(*this, Ending::Void);
}

// The timer of a receive and the end of its time are one step here.
Result<void> Search::follow(const Schedule& schedule) {
  machine_.mark();
  threads_.settle();
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
                             threads_.name(enabled_[0]))};
  }
  const bool is_failed = machine_.outcome && machine_.outcome->kind != machine::Outcome::Kind::Halt;
  finish(is_failed ? Ending::Failed : Ending::Complete);
  return {};
}

Result<void> Search::follow(const Step& step) {
  if (machine_.outcome)
    return Error{fmt::format("the run is over, but {} should {}", step.who, step.what)};
  find_enabled(top());
  const auto thread = std::find_if(enabled_.begin(), enabled_.end(),
                                   [&](ThreadId t) { return threads_.name(t) == step.who; });
  if (thread == enabled_.end()) {
    return Error{fmt::format("{} should {}, but it has ended, waits, or was never there", step.who,
                             step.what)};
  }
  advance(*thread);
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
  node.agenda.reset();
  node.cost = parent ? parent->cost : 0;
  if (parent && parent->agenda && !parent->agenda->costs.empty()) {
    node.cost += parent->agenda->costs[parent->agenda->next - 1];
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
    node.done.push_back(record->has_values()
                            ? record->kept(trace_.copies(), node.mark, machine_.heap().top())
                            : std::move(record));
    node.sleep.push_back({node.done.back().get(), depth_});
  }
  machine_.rewind(node.mark);
  if (node.agenda && !node.agenda->postponed.empty()) try_postponed();
}

// Time passes where nothing else can happen. False: nothing can.
bool Search::find_enabled(Node& node) {
  threads_.find_enabled(node.due, enabled_);
  while (enabled_.empty()) {
    const std::optional<int64_t> moment = threads_.next_moment();
    if (!moment || *moment <= node.due) return false;
    node.due = *moment;
    if (!node.passes_time) node.barrier = trace_.pass_time();
    node.passes_time = true;
    threads_.find_enabled(node.due, enabled_);
  }
  return true;
}

bool Search::is_asleep(const Node& node, ThreadId thread) const {
  return std::any_of(node.sleep.begin(), node.sleep.end(),
                     [&](const Asleep& asleep) { return asleep.event.thread == thread; });
}

// ---- One step ---------------------------------------------------------------

// What a state that nobody has an opinion of goes on with: the thread that has just acted,
// so that executions are easy to read; but not for ever, for it may wait for another.
bool Search::choose_first(Node& node, ThreadId& thread) {
  constexpr uint32_t kLongest = 100;
  const bool is_plain = options_.algorithm == Algorithm::None;
  const ThreadId last = trace_.size() > 0 ? trace_[trace_.size() - 1].id.thread : kNoIndex;
  const bool may_go_on = last != kNoIndex && run_length_ < kLongest && !is_plain;
  if (may_go_on && threads_.is_enabled(last, node.due) && !is_asleep(node, last) &&
      !polling_.repeats(last) && !threads_.would_halt(last)) {
    thread = last;
  } else {
    if (is_plain) {
      if (!find_enabled(node)) return false;
      find_affordable(node);
      thread = node.agenda->threads[node.agenda->next++];
      return true;
    }
    thread = first_awake(node, last);
    if (thread == kNoIndex) {
      if (!find_enabled(node)) return false;
      thread = first_awake(node, last);
    }
    if (thread == kNoIndex) {
      finish(Ending::Blocked);
      return false;
    }
  }
  if (options_.algorithm == Algorithm::Source) {
    Agenda& agenda = node.own_agenda();
    agenda.threads.push_back(thread);
    agenda.next = agenda.threads.size();
  }
  return true;
}

// The first that can act. If there is no other, the last one; then one that would halt, then
// one that would only look again. kNoIndex: all sleep, or none can.
ThreadId Search::first_awake(const Node& node, ThreadId last) {
  enum Rank : uint8_t { kAny, kLast, kHalts, kLooksAgain, kNone };
  const auto rank = [&](ThreadId thread) {
    if (polling_.repeats(thread)) return kLooksAgain;
    if (threads_.would_halt(thread)) return kHalts;
    return thread == last ? kLast : kAny;
  };
  ThreadId found = kNoIndex;
  Rank best = kNone;
  threads_.for_each_enabled(node.due, [&](ThreadId thread) {
    if (is_asleep(node, thread)) return false;
    const Rank its = rank(thread);
    if (its < best) found = thread;
    best = std::min(best, its);
    return best == kAny;
  });
  return found;
}

// What it costs to go on with that one: of preemptions, one if the last thread could act
// again; of delays, how many that would be first are passed over.
uint32_t Search::cost(ThreadId thread) const {
  const bool is_first = thread == enabled_.front();
  if (options_.bound == Bound::Delays) {
    return static_cast<uint32_t>(std::find(enabled_.begin(), enabled_.end(), thread) -
                                 enabled_.begin());
  }
  const bool goes_on = trace_.size() > 0 && enabled_.front() == trace_[trace_.size() - 1].id.thread;
  return options_.bound == Bound::Preemptions && goes_on && !is_first ? 1 : 0;
}

// The thread that has just acted comes first, if it can; the others in their order.
void Search::find_affordable(Node& node) {
  if (trace_.size() > 0) {
    const ThreadId last = trace_[trace_.size() - 1].id.thread;
    const auto same = std::find(enabled_.begin(), enabled_.end(), last);
    if (same != enabled_.end()) std::rotate(enabled_.begin(), same, same + 1);
  }
  for (const ThreadId t : enabled_) {
    if (node.cost + cost(t) <= options_.budget) {
      node.own_agenda().threads.push_back(t);
      node.agenda->costs.push_back(cost(t));
    } else {
      seen_.is_bounded = true;
    }
  }
}

bool Search::choose(Node& node, ThreadId& thread) {
  while (!node.wakeup.empty()) {
    WakeupTree& below = nodes_[depth_ + 1].wakeup;
    const WakeupTree::First first = node.wakeup.take_first(tree_nodes_, below);
    thread = first.thread;
    node.reversal = first.reversal;
    if (threads_.is_enabled(thread, node.due)) return true;
    // Unless nothing is, and time has to pass.
    if (node.is_fresh && find_enabled(node) && threads_.is_enabled(thread, node.due)) return true;
    ++seen_.impossible;
    below.clear(tree_nodes_);
  }
  while (node.agenda && node.agenda->waiting() > 0) {
    thread = node.agenda->threads[node.agenda->next++];
    if (options_.algorithm == Algorithm::None || !is_asleep(node, thread)) return true;
  }
  if (!node.is_fresh) return false;
  const uint64_t before = seen_.blocked;
  if (choose_first(node, thread)) return true;
  if (seen_.blocked == before) finish(Ending::Complete);
  return false;
}

void Search::step() {
  constexpr int64_t kStepWork = 100;  // see spend()
  spend(kStepWork);
  Node& node = top();
  ThreadId thread = 0;
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
  if (!choose(node, thread)) return close();
  node.is_fresh = false;
  ++node.branches;
  advance(thread);
}

namespace {

bool send_to_same(const Record& a, const Record& b) {
  return std::any_of(a.event.sent.begin(), a.event.sent.end(), [&](const machine::Sent& x) {
    return std::any_of(b.event.sent.begin(), b.event.sent.end(),
                       [&](const machine::Sent& y) { return x.to == y.to; });
  });
}

}  // namespace

bool Search::still_sleeps(const Asleep& asleep, const Glance& event) {
  if (asleep.event.thread == event.thread) return false;
  // Without wake-up trees nobody sees to it that a receive comes to observe which of two
  // messages was first.
  if (options_.algorithm == Algorithm::Source && send_to_same(*asleep.event.record, *event.record))
    return false;
  if (!asleep.event.scent.may_collide(event.scent)) return true;
  return can_begin(dependence_, asleep.event, {asleep.since, trace_.size()}, single_).can_begin;
}

// Whether the event could as well have come where it went to sleep, if the execution up to
// `depth` goes on like that.
bool Search::could_begin(const Asleep& untold, uint32_t depth, const Sequence& sequence) {
  whole_.clear();
  for (uint32_t i = untold.since; i < depth; ++i) whole_.push_back(trace_.glance(i));
  for (const Glance* event : sequence.items()) whole_.push_back(*event);
  return can_begin(dependence_, untold.event, {untold.since, untold.since}, whole_).can_begin;
}

void Search::pass_sleep_on(const Node& node, const Glance& event, Node& next) {
  next.sleep.clear();
  next.untold.clear();
  if (node.sleep.empty() && node.untold.empty()) return;
  single_.clear();
  single_.push_back(event);
  for (const Asleep& asleep : node.sleep) {
    if (still_sleeps(asleep, event)) {
      next.sleep.push_back(asleep);
    } else if (asleep.event.sends && asleep.event.record->id == event.record->id) {
      next.untold.push_back(asleep);
    }
  }
  for (const Asleep& untold : node.untold) {
    const bool may_tell = event.record->is_receive() && event.scent.may_collide(untold.event.scent);
    if (!may_tell || could_begin(untold, depth_, single_)) next.untold.push_back(untold);
  }
}

void Search::advance(ThreadId thread) {
  ++seen_.events;
  const uint32_t size = trace_.size();
  const bool goes_on = size > 0 && trace_[size - 1].id.thread == thread;
  run_length_ = goes_on ? run_length_ + 1 : 1;
  RecordPtr record = trace_.new_record();
  threads_.perform(thread, top().due, *record);
  polling_.note(*record);
  note_prevented(top(), thread, *record);
  trace_.push(std::move(record), top().barrier);
  pass_sleep_on(nodes_[depth_], trace_.glance(size), nodes_[depth_ + 1]);
  ++depth_;
  open(&nodes_[depth_ - 1]);
}

// Whom the event may have kept from acting: what it ends, cancels or suspends, signals on
// their way to what it ends; halt comes when nobody can do anything else.
bool Search::may_prevent(const Record& record, ThreadId thread) {
  const machine::Event& event = record.event;
  if (thread == record.id.thread) return false;
  if (event.kind == EventKind::Halt) return threads_.would_halt(thread);
  const auto ends = [&](uint64_t process) {
    return std::any_of(event.ended.begin(), event.ended.end(), [&](const machine::Ended& ended) {
      return ended.process.local_number() == process;
    });
  };
  if (threads_.is_way(thread) && ends(threads_.destination(thread))) return true;
  const auto is_accessed = [&](const machine::Access& access) {
    const bool is_life = access.object == SharedObject::Life && access.mode == AccessMode::Write;
    if (is_life) return threads_.of_process(access.id) == thread;
    return access.object == SharedObject::Timer && threads_.of_timer(access.id) == thread;
  };
  if (std::any_of(event.accesses.begin(), event.accesses.end(), is_accessed)) return true;
  return std::any_of(event.reached.begin(), event.reached.end(), [&](const machine::Posted& way) {
    return threads_.way(way.from, way.to) == thread;
  });
}

namespace {

// Whether it is one of the few that can prevent anything.
bool can_prevent(const Record& record) {
  const machine::Event& event = record.event;
  const bool ends_itself = event.ended.size() == 1 && record.process != 0 &&
                           event.ended[0].process.local_number() == record.process;
  switch (event.kind) {
    case EventKind::Halt:
    case EventKind::CancelTimer:
    case EventKind::Suspend:
      return true;
    default:
      return (!event.ended.empty() && !ends_itself) || !event.reached.empty();
  }
}

}  // namespace

// The receives in which processes wait that the event has ended.
void Search::note_silenced(Record& record, std::vector<RecordPtr>& silenced) {
  for (const machine::Ended& ended : record.event.ended) {
    const uint64_t number = ended.process.local_number();
    const machine::Process* p = machine_.processes().find(ended.process);
    if (number == record.process || !p) continue;
    RecordPtr receive = trace_.copies().make();
    receive->clear();
    receive->event.clear();
    if (!machine::find_receive(machine_, *p, receive->event)) continue;
    receive->id.thread = threads_.of_process(number);
    receive->process = number;
    trace_.identify(*receive);
    make_footprints(*receive);
    silenced.push_back(std::move(receive));
  }
}

void Search::note_prevented(Node& node, ThreadId thread, Record& record) {
  if (options_.algorithm == Algorithm::None) return;
  if (!can_prevent(record) && !(machine_.mode().delays_delivery && !record.event.ended.empty()))
    return;
  machine_.rewind(node.mark);
  threads_.find_enabled(node.due, enabled_);
  std::vector<RecordPtr> silenced;
  note_silenced(record, silenced);
  std::vector<RecordPtr> prevented;
  for (const ThreadId other : enabled_) {
    if (!may_prevent(record, other)) continue;
    const RecordPtr would = trace_.new_record();
    threads_.perform(other, node.due, *would);
    trace_.identify(*would);
    if (dependence_.collide(record, *would)) {
      prevented.push_back(would->kept(trace_.copies(), node.mark, machine_.heap().top()));
    }
    machine_.rewind(node.mark);
  }
  threads_.perform(thread, node.due, record);
  record.prevented = std::move(prevented);
  record.silenced = std::move(silenced);
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
  are_equals_idle_ = is_optimal && equals_.are_idle();
  if (is_optimal) reverse_known();
  trace_.find_races(fresh_from_, races_);
  for (const RacingPair& race : races_) reverse(race);
}

// What was to be done about the race when it was last looked at is all that there is to do.
bool Search::is_as_before(const Known& known) const {
  if (known.is_idle) return are_equals_idle_;
  if (known.is_settled) return true;
  bool is_woken = false;
  bool has_free = known.last_free >= fresh_from_;
  const EventId first = trace_[known.race.first].id;
  for (uint32_t i = fresh_from_; i < trace_.size(); ++i) {
    const Scent& scent = trace_.glance(i).scent;
    is_woken = is_woken || (known.sleeper && known.sleeper->scent.may_collide(scent));
    has_free = has_free || !trace_.happens_before(first, i);
  }
  return !has_free || (known.sleeper && !is_woken);
}

void Search::reverse_known() {
  std::swap(known_, known_before_);
  known_.clear();
  for (const Known& known : known_before_) {
    const RacingPair& race = known.race;
    if (race.last() >= fresh_from_) continue;
    if (is_as_before(known) || !trace_.is_race(race)) {
      known_.push_back(known);
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
    sequence_.push_back(trace_.glance(i));
    last_free_ = i;
    if (i < race.second) ++before_second_;
  }
  second_place_ = sequence_.size();
  if (race.prevented) prevented_glance_ = race.prevented;
  sequence_.push_back(race.prevented ? prevented_glance_ : trace_.glance(race.second));
  sequence_.push_back(trace_.glance(race.first));
  if (race.observer == kNoIndex) return;
  for (uint32_t i = race.first + 1; i < until; ++i) {
    if (i == race.second || i == race.observer || !trace_.happens_before(first, i)) continue;
    if (i > race.observer && trace_.happens_before(race.observer, i)) continue;
    sequence_.push_back(trace_.glance(i));
  }
  observer_ = trace_[race.observer].copy(trace_.copies());
  observer_->taken = trace_[race.second].id;
  observer_->taken_at = race.second;
  observer_glance_ = observer_.get();
  sequence_.push_back(observer_glance_);
}

// What the sequence really does is known when the search is back at its beginning.
void Search::postpone(const RacingPair& race, uint32_t until, const Reversal& reversal) {
  uint64_t key = race.prevented ? race.prevented->id.thread : 0;
  Postponed postponed{{}, reversal};
  for (const Glance* item : sequence_.items()) postponed.threads.push_back(item->thread);
  for (uint32_t i = race.first + 1; i < until; ++i) {
    if (!trace_.happens_before(race.first, i)) key += trace_.event_hash(i);
  }
  if (!race.prevented) key = key * 31 + trace_[race.second].id.thread;
  Agenda& agenda = nodes_[race.first].own_agenda();
  if (agenda.keys.insert(key).second) agenda.postponed.push_back(std::move(postponed));
}

// The machine is in the state of the node.
void Search::try_postponed() {
  const std::vector<Postponed> all = std::exchange(top().agenda->postponed, {});
  for (const Postponed& postponed : all) {
    for (const ThreadId thread : postponed.threads) {
      if (machine_.outcome || !threads_.is_enabled(thread, top().due)) break;
      RecordPtr record = trace_.new_record();
      threads_.perform(thread, top().due, *record);
      trace_.push(std::move(record), top().barrier);
    }
    sequence_.clear();
    for (uint32_t i = depth_; i < trace_.size(); ++i) sequence_.push_back(trace_.glance(i));
    // The last one is the first event of the race, which may not be possible any more.
    const bool is_possible = sequence_.size() + 1 >= postponed.threads.size();
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
  if (race.is_alike && are_equals_idle_) {
    ++seen_.idle;
    known_.push_back({race, 0, nullptr, false, true});
    return;
  }
  if (options_.algorithm == Algorithm::Source) {
    reverse(race, race.prevented ? race.first + 1 : race.last());
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
                          race.prevented ? race.prevented->id : trace_[race.second].id};
  const bool is_certain = race.observer != kNoIndex || race.is_stable;
  if (!is_certain) return postpone(race, until, reversal);
  if (options_.algorithm == Algorithm::Source) return add_initial(nodes_[race.first], true);
  note_known(race, add_sequence(race.first, reversal));
}

// A sleeper that is part of what leads to the second event could begin the sequence however
// the execution goes on.
void Search::note_known(const RacingPair& race, const Beginner& beginner) {
  const bool is_settled =
      beginner.asleep && (beginner.place < before_second_ || beginner.place == second_place_);
  const bool is_apart = beginner.asleep && beginner.place == sequence_.size();
  known_.push_back(
      {race, last_free_, is_apart ? beginner.asleep->event.record : nullptr, is_settled});
}

Search::Beginner Search::find_beginner(uint32_t depth) {
  const Node& node = nodes_[depth];
  for (const Asleep& asleep : node.sleep) {
    const Beginning beginning =
        can_begin(dependence_, asleep.event, {asleep.since, depth}, sequence_);
    if (beginning.can_begin) return {&asleep, beginning.place};
  }
  for (const Asleep& untold : node.untold) {
    if (could_begin(untold, depth, sequence_)) return {&untold, sequence_.size()};
  }
  return {};
}

// The one that sleeps and could begin the sequence, which then is not needed.
Search::Beginner Search::add_sequence(uint32_t depth, const Reversal& reversal) {
  Node& node = nodes_[depth];
  if (const Beginner beginner = find_beginner(depth); beginner.asleep) return beginner;
  node.wakeup.insert(tree_nodes_, dependence_, depth, sequence_, reversal, [&](const Record& r) {
    return r.kept(trace_.copies(), node.mark, machine_.heap().top());
  });
  return {};
}

// One of the threads that could begin the sequence is among those to be explored; of a
// sequence of which nothing is certain, all of them.
void Search::add_initial(Node& node, bool is_certain) {
  const auto depth = static_cast<uint32_t>(&node - nodes_.data());
  std::vector<ThreadId> initials;
  for (const Glance* event : sequence_.items()) {
    const ThreadId thread = event->thread;
    if (std::find(initials.begin(), initials.end(), thread) != initials.end()) continue;
    const Beginning beginning = can_begin(dependence_, *event, {depth, depth}, sequence_);
    if (!beginning.can_begin || sequence_[beginning.place].record != event->record) continue;
    const auto& known = node.own_agenda().threads;
    const bool is_known = std::find(known.begin(), known.end(), thread) != known.end();
    if (is_known && is_certain) return;
    if (!is_known) initials.push_back(thread);
  }
  for (const ThreadId thread : initials) {
    node.agenda->threads.push_back(thread);
    if (is_certain) return;
  }
}

}  // namespace fathom::explore
