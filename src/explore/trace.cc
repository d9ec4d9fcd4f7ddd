#include "explore/trace.h"

#include <algorithm>
#include <utility>

#include "base/budget.h"
#include "base/hash.h"
#include "values/compare.h"

namespace fathom::explore {

using machine::AccessMode;
using machine::EventKind;
using machine::SharedObject;

namespace {

template <class T>
T& at(std::vector<T>& items, size_t i, T otherwise) {
  if (i >= items.size()) items.resize(i + 1, otherwise);
  return items[i];
}

template <class Access>
uint32_t last_event(const std::vector<Access>& accesses) {
  return accesses.empty() ? kNoIndex : accesses.back().event;
}

// The number of the message that the receive has taken.
uint32_t taken_number(const machine::Event& event) {
  for (const machine::Access& access : event.accesses) {
    if (access.object == SharedObject::Mailbox && access.mode == AccessMode::Write) {
      return static_cast<uint32_t>(access.part.small());
    }
  }
  return kNoIndex;
}

bool disables(const Record& record) {
  return !record.disabled.empty() || !record.interrupted.empty();
}

bool uses_channels(const machine::Event& event) {
  return !event.sent_signals.empty() || !event.delivered_signals.empty() ||
         event.kind == EventKind::Arrival;
}

// Whether the event ends, suspends or resumes a process from outside.
bool controls_another(const Record& record, const Footprint& f) {
  return (f.object == SharedObject::Life || f.object == SharedObject::Exiting) &&
         f.mode == AccessMode::Write && f.id != record.process;
}

bool has_undelivered(const Record& record) {
  for (const machine::SentMessage& sent : record.event.sent) {
    if (sent.number == machine::SentMessage::kUndelivered) return true;
  }
  return false;
}

}  // namespace

// ---- Clocks -----------------------------------------------------------------

void Trace::make_clocks(uint32_t from, uint32_t to) {
  const auto keeps_all = [](const Predecessor&) { return true; };
  for (uint32_t i = from; i < to; ++i) make_clock(i, clocks_[i], std::as_const(clocks_), keeps_all);
}

uint32_t Trace::pass_time() {
  clocks_.reserve(size_, actors_.count());
  std::vector<uint32_t> clock(clocks_.width(), 0);
  for (uint32_t i = 0; i < last_.size(); ++i) {
    if (last_[i] != kNoIndex) clock[i] = entries_[last_[i]].record->id.index;
  }
  barriers_.push_back(std::move(clock));
  return static_cast<uint32_t>(barriers_.size() - 1);
}

uint64_t Trace::event_hash(uint32_t index) const {
  const Clocks::ConstRow clock = clocks_[index];
  uint64_t hash = hash_words(column(entries_[index].record->id.actor));
  for (size_t t = 0; t < clock.size(); ++t) {
    if (clock[t] > 0) hash = hash_combine(hash_combine(hash, t), clock[t]);
  }
  return hash_finish(hash);
}

uint64_t Trace::class_hash() const {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < size_; ++i) sum += event_hash(i);
  return sum;
}

uint32_t Trace::last_of(ActorId actor) const {
  return column(actor) < last_.size() ? last_[column(actor)] : kNoIndex;
}

// ---- What an event depends on -----------------------------------------------
//
// The candidates for direct predecessors of a new event come from the lists of accesses. It would
// be enough to take all dependent events, since those that happen before another candidate are
// dropped afterwards (take_predecessors); but then each event would cost the length of the
// execution. So each list is read from its end, only as far as something could be a direct
// predecessor:
//
//   - A write of a part happens after all that was accessed of it before. So of what conflicts with
//     the new event, only the last write and what came since are needed.
//   - Of the accesses of one actor in a row, the last is enough: the others happen before it.
//     RecordedAccess::other leads from an access to the last one before it by another actor.

void Trace::find_slots(Record& record) {
  for (Footprint& f : record.footprints) {
    const Slots::Numbers numbers = slots_.of(f);
    f.object_slot = numbers.object;
    f.part_slot = numbers.part;
    has_progress_reads_ = has_progress_reads_ || f.object == SharedObject::Progress;
    has_controls_ = has_controls_ || controls_another(record, f);
  }
  has_queries_ = has_queries_ || !record.event.query.is_none();
  if (objects_.size() < slots_.objects()) objects_.resize(slots_.objects());
  if (parts_.size() < slots_.parts()) parts_.resize(slots_.parts());
}

// The events that have accessed that object of a process.
const Trace::ObjectAccesses& Trace::reads_of(SharedObject object, uint64_t process) const {
  static const ObjectAccesses none;
  const uint32_t slot = slots_.find_object(object, process);
  return slot == kNoIndex ? none : objects_[slot];
}

void Trace::add_access(std::vector<RecordedAccess>& accesses, const Footprint& f, ActorId actor,
                       uint32_t index) const {
  uint32_t other = kNoIndex;
  if (!accesses.empty()) {
    const RecordedAccess& last = accesses.back();
    const bool is_own = summaries_[last.event].actor == actor;
    other = is_own ? last.other : static_cast<uint32_t>(accesses.size() - 1);
  }
  accesses.push_back({index, other, f.content});
}

void Trace::add_accesses(const Record& record, uint32_t index) {
  for (const Footprint& f : record.footprints) {
    const auto mode = static_cast<size_t>(f.mode);
    ObjectAccesses& object = objects_[f.object_slot];
    add_access((f.is_whole ? object.whole : object.parts).by_mode[mode], f, record.id.actor, index);
    if (!f.is_whole) add_access(parts_[f.part_slot].by_mode[mode], f, record.id.actor, index);
  }
}

void Trace::remove_accesses(const Record& record) {
  for (const Footprint& f : record.footprints) {
    const auto mode = static_cast<size_t>(f.mode);
    ObjectAccesses& object = objects_[f.object_slot];
    (f.is_whole ? object.whole : object.parts).by_mode[mode].pop_back();
    if (!f.is_whole) parts_[f.part_slot].by_mode[mode].pop_back();
  }
}

// Of the accesses since an event, the last of each run by one actor.
void Trace::add_since(const Accesses& found, AccessMode mode, uint32_t since) {
  const std::vector<RecordedAccess>& accesses = found.of(mode);
  if (!accesses.empty()) add_since(accesses, since);
}

void Trace::add_since(const std::vector<RecordedAccess>& accesses, uint32_t since) {
  for (auto i = static_cast<uint32_t>(accesses.size() - 1); i != kNoIndex; i = accesses[i].other) {
    if (since != kNoIndex && accesses[i].event <= since) return;
    candidates_.push_back({accesses[i].event, Reason::Dependent});
  }
}

// The last writes of a part: one, or several in a row that write the same content and so commute;
// but not those that write the content that the new event writes, since they commute with it. All
// that was accessed before the first of them happens before it. That one is returned.
//
// Example: after write 1, write 2, write 2 a new write 2 depends on the first write only; a write 3
// on both writes of 2, and nothing before them.
uint32_t Trace::add_last_writes(const std::vector<RecordedAccess>& writes, uint64_t content) {
  size_t i = writes.size();
  while (i > 0 && content != 0 && writes[i - 1].content == content) --i;
  if (i == 0) return kNoIndex;
  const uint64_t same = writes[i - 1].content;
  do {
    candidates_.push_back({writes[--i].event, Reason::Dependent});
  } while (i > 0 && same != 0 && writes[i - 1].content == same);
  return writes[i].event;
}

void Trace::add_all(const Accesses& found, ModeSet modes) {
  for (const AccessMode mode : {AccessMode::Read, AccessMode::Write, AccessMode::Append}) {
    if (!modes.has(mode)) continue;
    for (const RecordedAccess& access : found.of(mode)) {
      candidates_.push_back({access.event, Reason::Dependent});
    }
  }
}

// The events that the new one may depend on because of one of its accesses. Where there are queries
// of tables, the last write does not hide what was before it: a query need not depend on that
// write.
void Trace::add_candidates(const Footprint& f) {
  const ModeSet seen = conflicting_modes(f.object, f.mode);
  if (has_queries_ && f.object == SharedObject::Table) {
    add_all(objects_[f.object_slot].whole, seen);
    add_all(f.is_whole ? objects_[f.object_slot].parts : parts_[f.part_slot], seen);
    return;
  }
  const bool sees_reads = seen.has(AccessMode::Read);
  const bool sees_appends = seen.has(AccessMode::Append);
  const bool sees_writes = seen.has(AccessMode::Write);
  const auto add = [&](const Accesses& found, uint32_t since) {
    if (sees_reads) add_since(found, AccessMode::Read, since);
    if (sees_appends) add_since(found, AccessMode::Append, since);
  };
  const Accesses& whole = objects_[f.object_slot].whole;
  const uint32_t last_whole = last_event(whole.of(AccessMode::Write));
  if (sees_writes && last_whole != kNoIndex) {
    candidates_.push_back({last_whole, Reason::Dependent});
  }
  add(whole, last_whole);
  if (f.is_whole) {
    const Accesses& parts = objects_[f.object_slot].parts;
    add(parts, last_whole);
    if (sees_writes) add_since(parts, AccessMode::Write, last_whole);
    return;
  }
  const Accesses& part = parts_[f.part_slot];
  const uint32_t last_part =
      sees_writes ? add_last_writes(part.of(AccessMode::Write), f.content) : kNoIndex;
  add(part, last_part);
}

void Trace::add_last_of(uint64_t process) {
  const uint32_t last = last_of(actors_.of_process(process));
  if (last != kNoIndex) candidates_.push_back({last, Reason::Dependent});
}

// What has decided from outside what the process does now: it was resumed, or a signal has ended
// it. That a process does something else without it is a matter of disabled events.
void Trace::add_controls(uint64_t process) {
  for (const SharedObject object : {SharedObject::Life, SharedObject::Exiting}) {
    const auto& writes = reads_of(object, process).whole.of(AccessMode::Write);
    if (!writes.empty()) candidates_.push_back({writes.back().event, Reason::Enabled});
  }
}

void Trace::add_mail_candidates(const Record& record) {
  for (const machine::SentMessage& sent : record.event.sent) {
    add_since(reads_of(SharedObject::Mailbox, sent.to).whole, AccessMode::Read, kNoIndex);
  }
  if (!record.is_receive()) return;
  add_since(reads_of(SharedObject::Mailbox, record.process).whole, AccessMode::Read,
            last_of(record.id.actor));
  if (record.takes() && record.taken_at != kNoIndex) {
    const Reason reason = record.may_time_out ? Reason::Dependent : Reason::Enabled;
    candidates_.push_back({record.taken_at, reason});
  }
}

void Trace::find_candidates(const Record& record) {
  candidates_.clear();
  for (const Footprint& f : record.footprints) {
    if (f.object == SharedObject::Mailbox && f.mode == AccessMode::Read) {
      if (!receives(f.id).empty()) {
        candidates_.push_back({receives(f.id).back(), Reason::Dependent});
      }
      for (const uint32_t sender : senders(f.id)) {
        if (sender != kNoIndex) candidates_.push_back({sender, Reason::Dependent});
      }
    }
    if (f.object == SharedObject::Progress) {
      add_last_of(f.id);
      continue;
    }
    add_candidates(f);
    if (controls_another(record, f)) add_last_of(f.id);
  }
  add_mail_candidates(record);
  if (has_controls_ && record.process != 0) add_controls(record.process);
  if (has_progress_reads_ && record.process != 0) {
    add_since(reads_of(SharedObject::Progress, record.process).whole, AccessMode::Read,
              last_of(record.id.actor));
  }
  if (record.event.kind == EventKind::Arrival) {
    const Channel& channel = channels_[record.id.actor];
    candidates_.push_back({channel.posts[channel.arrived], Reason::Enabled});
  }
}

// Makes direct predecessors, and the clock, of the candidates: the latest first, so that what
// happens before one of those is seen in the clock, and dropped.
void Trace::take_predecessors(uint32_t index) {
  Entry& entry = entries_[index];
  const ActorId actor = entry.record->id.actor;
  const uint32_t start = column(actor) < start_.size() ? start_[column(actor)] : kNoIndex;
  if (entry.previous == kNoIndex && start != kNoIndex) {
    entry.predecessors.push_back({start, Reason::Enabled});
  }
  make_clocks(index, index + 1);
  const Clocks::Row clock = clocks_[index];
  if (candidates_.size() > 1) {
    std::sort(candidates_.begin(), candidates_.end(),
              [](const Predecessor& a, const Predecessor& b) {
                return a.index != b.index ? a.index > b.index : a.reason > b.reason;
              });
  }
  uint32_t last = kNoIndex;
  for (Predecessor& candidate : candidates_) {
    if (candidate.index == last || summaries_[candidate.index].actor == actor) continue;
    last = candidate.index;
    const EventSummary& other = summaries_[candidate.index];
    if (Clocks::has_seen(clock, other.record->id)) continue;
    const bool may_miss = has_queries_ && candidate.reason == Reason::Dependent;
    if (may_miss && !dependence_.are_dependent(other, summaries_[index])) continue;
    if (candidate.reason == Reason::Dependent)
      candidate.is_stable = is_stable(other, summaries_[index]);
    entry.predecessors.push_back(candidate);
    Clocks::join(clock, clocks_[candidate.index]);
  }
  clock[column(actor)] = entry.record->id.index;
}

// ---- Messages ---------------------------------------------------------------

// A send that comes late: receives that have happened already, and could have taken what is sent
// here. Each has observed that the message it has taken was sent first, or has timed out first.
// Whether there are any.
bool Trace::find_observers(uint32_t index) {
  bool is_observed = false;
  Entry& entry = entries_[index];
  const Clocks::Row clock = clocks_[index];
  const Record& record = *entry.record;
  for (const machine::SentMessage& sent : record.event.sent) {
    const std::vector<uint32_t>& all = receives(sent.to);
    for (auto r = all.rbegin(); r != all.rend(); ++r) {
      const Record& receive = *entries_[*r].record;
      if (receive.id.actor == record.id.actor || Clocks::has_seen(clock, receive.id)) break;
      const bool gave_up = !receive.takes();
      const uint32_t before = gave_up ? *r : receive.taken_at;
      if (before == kNoIndex || Clocks::has_seen(clock, entries_[before].record->id)) continue;
      if (!dependence_.would_take(receive, record)) continue;
      entry.predecessors.push_back(
          {before, gave_up ? Reason::Dependent : Reason::Observed, false, *r});
      is_observed = is_observed || !gave_up;
      Clocks::join(clock, clocks_[before]);
    }
  }
  return is_observed;
}

bool Trace::is_equal_message(uint32_t receive, uint32_t sender) const {
  const Record& receiver = *entries_[receive].record;
  if (!receiver.takes()) return false;
  const machine::Value taken = receiver.event.arguments[0];
  const std::vector<machine::SentMessage>& all = entries_[sender].record->event.sent;
  return std::all_of(all.begin(), all.end(), [&](const machine::SentMessage& sent) {
    return sent.to != receiver.process || machine::equal_exact(sent.message, taken);
  });
}

// A receive has taken the oldest of the messages that it could take. Those in the mailbox that it
// could have taken as well, by other actors, were sent later, and now that order is observed: the
// send of the one that was taken becomes a predecessor of theirs, and the clocks from the first of
// them on are made anew. Whether there are any.
bool Trace::observe(Entry& entry) {
  const Record& receive = *entry.record;
  const machine::Process* p = actors_.process(receive.id.actor);
  if (!receive.takes() || receive.taken_at == kNoIndex || !p) return false;
  const uint32_t taken = taken_number(receive.event);
  const std::vector<uint32_t>& by_number = senders(receive.process);
  uint32_t least = kNoIndex;
  for (size_t i = p->mailbox.size(); i-- > 0 && p->mailbox.number(i) > taken;) {
    const uint32_t sender = by_number[p->mailbox.number(i)];
    if (sender == kNoIndex || sender <= receive.taken_at) continue;
    if (summaries_[sender].actor == receive.taken.actor) continue;
    Entry& other = entries_[sender];
    if (!dependence_.would_take(receive, *other.record)) continue;
    other.predecessors.push_back({receive.taken_at, Reason::Observed, false, size_});
    entry.observed.push_back(sender);
    least = std::min(least, sender);
  }
  if (least != kNoIndex) make_clocks(least, size_ + 1);
  return least != kNoIndex;
}

void Trace::add_mail(Entry& entry) {
  const Record& record = *entry.record;
  const bool is_late = find_observers(size_);
  if (observe(entry) || is_late) observations_.push_back(size_);
  for (const machine::SentMessage& sent : record.event.sent) {
    if (sent.number != machine::SentMessage::kUndelivered)
      at(senders(sent.to), sent.number, kNoIndex) = size_;
  }
  if (record.is_receive()) receives(record.process).push_back(size_);
  if (has_undelivered(record)) undelivered_.push_back(size_);
}

void Trace::remove_mail(const Record& record) {
  if (has_undelivered(record)) undelivered_.pop_back();
  if (!observations_.empty() && observations_.back() == size_) observations_.pop_back();
  if (record.is_receive()) receives(record.process).pop_back();
  for (const machine::SentMessage& sent : record.event.sent) {
    std::vector<uint32_t>& by_number = senders(sent.to);
    if (sent.number < by_number.size()) by_number.resize(sent.number);
  }
}

std::span<const uint32_t> Trace::receives_of(uint64_t process) const {
  const auto* found = receives_.find(process);
  return found ? std::span(*found) : std::span<const uint32_t>();
}

std::span<const uint32_t> Trace::senders_to(uint64_t process) const {
  const auto* found = senders_.find(process);
  return found ? std::span(*found) : std::span<const uint32_t>();
}

// ---- Signals in transit -----------------------------------------------------

void Trace::add_posts(const Record& record) {
  for (const machine::Channel& posted : record.event.sent_signals) {
    channels_[actors_.channel(posted.from, posted.to)].posts.push_back(size_);
  }
  for (const machine::Channel& reached : record.event.delivered_signals) {
    ++channels_[actors_.channel(reached.from, reached.to)].arrived;
  }
  if (record.event.kind == EventKind::Arrival) ++channels_[record.id.actor].arrived;
}

void Trace::remove_posts(const Record& record) {
  for (const machine::Channel& posted : record.event.sent_signals) {
    channels_[actors_.channel(posted.from, posted.to)].posts.pop_back();
  }
  for (const machine::Channel& reached : record.event.delivered_signals) {
    --channels_[actors_.channel(reached.from, reached.to)].arrived;
  }
  if (record.event.kind == EventKind::Arrival) --channels_[record.id.actor].arrived;
}

// ---- Growing and shrinking --------------------------------------------------

void Trace::identify(Record& record) {
  const uint32_t last = last_of(record.id.actor);
  record.id.index = last == kNoIndex ? 1 : entries_[last].record->id.index + 1;
  const uint32_t number = record.takes() ? taken_number(record.event) : kNoIndex;
  if (number == kNoIndex) return;
  record.taken_at = at(senders(record.process), number, kNoIndex);
  if (record.taken_at != kNoIndex) record.taken = entries_[record.taken_at].record->id;
}

void Trace::push(RecordPtr owned, uint32_t barrier) {
  if (size_ == entries_.size()) {
    entries_.emplace_back();
    summaries_.emplace_back();
  }
  Entry& entry = entries_[size_];
  entry.record = std::move(owned);
  entry.predecessors.clear();
  entry.observed.clear();
  entry.started.clear();
  entry.barrier = barrier;
  Record& record = *entry.record;
  identify(record);
  find_slots(record);
  summaries_[size_] = &record;
  uint32_t& last = at(last_, column(record.id.actor), kNoIndex);
  entry.previous = last;
  clocks_.reserve(size_, actors_.count());
  find_candidates(record);
  take_predecessors(size_);
  if (!record.event.sent.empty() || record.is_receive()) add_mail(entry);
  add_accesses(record, size_);
  if (uses_channels(record.event)) add_posts(record);
  if (disables(record)) disablers_.push_back(size_);
  const bool is_unstable = std::any_of(
      entry.predecessors.begin(), entry.predecessors.end(),
      [](const Predecessor& p) { return p.reason == Reason::Dependent && !p.is_stable; });
  if (is_unstable) unstable_.push_back(size_);
  actors_.for_each_started(record.event, [&](ActorId started) {
    uint32_t& start = at(start_, column(started), kNoIndex);
    if (start != kNoIndex) return;
    start = size_;
    entry.started.push_back(started);
  });
  last = size_;
  ++size_;
}

RecordPtr Trace::pop() {
  Entry& entry = entries_[--size_];
  Record& record = *entry.record;
  last_[column(record.id.actor)] = entry.previous;
  for (const ActorId started : entry.started) start_[column(started)] = kNoIndex;
  remove_accesses(record);
  if (uses_channels(record.event)) remove_posts(record);
  if (disables(record)) disablers_.pop_back();
  if (!unstable_.empty() && unstable_.back() == size_) unstable_.pop_back();
  if (!record.event.sent.empty() || record.is_receive()) remove_mail(record);
  uint32_t least = kNoIndex;
  for (const uint32_t sender : entry.observed) {
    entries_[sender].predecessors.pop_back();
    least = std::min(least, sender);
  }
  if (least != kNoIndex) make_clocks(least, size_);
  return std::move(entry.record);
}

// ---- Races ------------------------------------------------------------------

bool Trace::is_race(const RacingPair& race) const {
  const Entry& second = entries_[race.second];
  return std::any_of(
      second.predecessors.begin(), second.predecessors.end(), [&](const Predecessor& p) {
        const uint32_t observer = p.reason == Reason::Observed ? p.observer : kNoIndex;
        return p.index == race.first && p.reason != Reason::Enabled && observer == race.observer &&
               is_direct(race.second, p);
      });
}

// A process was ended while it waited; later a message was sent that it would have taken: had it
// come first, there would have been a receive.
void Trace::find_missed_receive(uint32_t ender, const Record& receive,
                                std::vector<RacingPair>& result) {
  for (const uint32_t sender : undelivered_) {
    if (sender < ender || happens_before(ender, sender)) continue;
    if (!dependence_.would_take(receive, *entries_[sender].record)) continue;
    missed_receives_.push_back(receive.copy(copies_));
    missed_receives_.back()->taken = entries_[sender].record->id;
    missed_receives_.back()->taken_at = sender;
    result.push_back({ender, kNoIndex, kNoIndex, missed_receives_.back().get()});
    return;
  }
}

// A disabled event never comes, however the execution goes on, so its race is never one of the
// fresh part alone: it is found anew in each execution.
void Trace::find_disabled_races(std::vector<RacingPair>& result) {
  missed_receives_.clear();
  for (const uint32_t i : disablers_) {
    const Record& record = *entries_[i].record;
    for (const auto& disabled : record.disabled) {
      result.push_back({i, kNoIndex, kNoIndex, disabled.get()});
    }
    for (const auto& receive : record.interrupted) find_missed_receive(i, *receive, result);
  }
}

void Trace::find_races(uint32_t from, std::vector<RacingPair>& result) {
  result.clear();
  const auto add = [&](uint32_t second, const Predecessor& p) {
    if (p.reason == Reason::Enabled || !is_direct(second, p)) return;
    const uint32_t observer = p.reason == Reason::Observed ? p.observer : kNoIndex;
    const bool is_equal = observer != kNoIndex && is_equal_message(observer, second);
    result.push_back({p.index, second, observer, nullptr, is_equal, p.is_stable});
  };
  for (uint32_t i = from; i < size_; ++i) {
    const Entry& entry = entries_[i];
    spend(static_cast<int64_t>(entry.predecessors.size() + entry.observed.size()));
    for (const Predecessor& p : entry.predecessors) add(i, p);
    for (const uint32_t sender : entry.observed) {
      if (sender >= from) continue;
      for (const Predecessor& p : entries_[sender].predecessors) {
        if (p.reason == Reason::Observed && p.observer == i) add(sender, p);
      }
    }
  }
  // A race whose events may access other objects when they are reversed counts again in each
  // execution that has it: what comes before the second event may be something else.
  for (const uint32_t i : unstable_) {
    if (i >= from) break;
    for (const Predecessor& p : entries_[i].predecessors) {
      if (p.reason == Reason::Dependent && !p.is_stable) add(i, p);
    }
  }
  find_disabled_races(result);
}

}  // namespace fathom::explore
