#include "explore/trace.h"

#include <algorithm>
#include <utility>

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

bool prevents(const Record& record) {
  return !record.prevented.empty() || !record.silenced.empty();
}

bool is_on_a_way(const machine::Event& event) {
  return !event.posted.empty() || !event.reached.empty() || event.kind == EventKind::Arrival;
}

bool loses(const Record& record) {
  for (const machine::Sent& sent : record.event.sent) {
    if (sent.number == machine::Sent::kNowhere) return true;
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
  clocks_.reserve(size_, threads_.count());
  std::vector<uint32_t> clock(clocks_.width(), 0);
  for (uint32_t i = 0; i < last_.size(); ++i) {
    if (last_[i] != kNoIndex) clock[i] = entries_[last_[i]].record->id.index;
  }
  barriers_.push_back(std::move(clock));
  return static_cast<uint32_t>(barriers_.size() - 1);
}

uint64_t Trace::event_hash(uint32_t index) const {
  const Clocks::ConstRow clock = clocks_[index];
  uint64_t hash = hash_words(entries_[index].record->id.thread);
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

uint32_t Trace::last_of(ThreadId thread) const {
  return thread < last_.size() ? last_[thread] : kNoIndex;
}

// ---- What an event collides with --------------------------------------------

void Trace::find_slots(Record& record) {
  for (Footprint& f : record.footprints) {
    const Slots::Numbers numbers = slots_.of(f);
    f.object_slot = numbers.object;
    f.part_slot = numbers.part;
    has_progress_looks_ = has_progress_looks_ || f.object == SharedObject::Progress;
  }
  has_sought_ = has_sought_ || !record.event.sought.is_none();
  if (objects_.size() < slots_.objects()) objects_.resize(slots_.objects());
  if (parts_.size() < slots_.parts()) parts_.resize(slots_.parts());
}

// Who has looked at that of a process.
const Trace::ObjectAccesses& Trace::looks(SharedObject object, uint64_t process) const {
  static const ObjectAccesses none;
  const uint32_t slot = slots_.find_thing(object, process);
  return slot == kNoIndex ? none : objects_[slot];
}

void Trace::add_access(std::vector<RecordedAccess>& accesses, const Footprint& f, ThreadId thread,
                       uint32_t index) const {
  uint32_t other = kNoIndex;
  if (!accesses.empty()) {
    const RecordedAccess& last = accesses.back();
    const bool is_own = glances_[last.event].thread == thread;
    other = is_own ? last.other : static_cast<uint32_t>(accesses.size() - 1);
  }
  accesses.push_back({index, other, f.content});
}

void Trace::add_accesses(const Record& record, uint32_t index) {
  for (const Footprint& f : record.footprints) {
    const auto mode = static_cast<size_t>(f.mode);
    ObjectAccesses& object = objects_[f.object_slot];
    add_access((f.is_whole ? object.whole : object.parts).by_mode[mode], f, record.id.thread,
               index);
    if (!f.is_whole) add_access(parts_[f.part_slot].by_mode[mode], f, record.id.thread, index);
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

// Of a row of events of one thread the last is enough: the others are before it.
void Trace::add_since(const Accesses& found, AccessMode mode, uint32_t since) {
  const std::vector<RecordedAccess>& accesses = found.of(mode);
  if (!accesses.empty()) add_since(accesses, since);
}

void Trace::add_since(const std::vector<RecordedAccess>& accesses, uint32_t since) {
  for (auto i = static_cast<uint32_t>(accesses.size() - 1); i != kNoIndex; i = accesses[i].other) {
    if (since != kNoIndex && accesses[i].event <= since) return;
    candidates_.push_back({accesses[i].event, Why::Collides});
  }
}

// The last writes of a part: one, or more in a row that write the same, but not those that
// write what this one does. What was before the first of them is before it, and that one is
// returned.
uint32_t Trace::add_last_writes(const std::vector<RecordedAccess>& writes, uint64_t content) {
  size_t i = writes.size();
  while (i > 0 && content != 0 && writes[i - 1].content == content) --i;
  if (i == 0) return kNoIndex;
  const uint64_t same = writes[i - 1].content;
  do {
    candidates_.push_back({writes[--i].event, Why::Collides});
  } while (i > 0 && same != 0 && writes[i - 1].content == same);
  return writes[i].event;
}

void Trace::add_all(const Accesses& found, ModeSet modes) {
  for (const AccessMode mode : {AccessMode::Read, AccessMode::Write, AccessMode::Append}) {
    if (!modes.has(mode)) continue;
    for (const RecordedAccess& access : found.of(mode)) {
      candidates_.push_back({access.event, Why::Collides});
    }
  }
}

// What was before the last write of the same part, or of all of them, is before that; but who
// looks for objects in a table need not see a write of some of them.
void Trace::add_candidates(const Footprint& f) {
  const ModeSet seen = colliding(f.object, f.mode);
  if (has_sought_ && f.object == SharedObject::Table) {
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
    candidates_.push_back({last_whole, Why::Collides});
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
  const uint32_t last = last_of(threads_.of_process(process));
  if (last != kNoIndex) candidates_.push_back({last, Why::Collides});
}

void Trace::add_mail_candidates(const Record& record) {
  for (const machine::Sent& sent : record.event.sent) {
    add_since(looks(SharedObject::Mailbox, sent.to).whole, AccessMode::Read, kNoIndex);
  }
  if (!record.is_receive()) return;
  add_since(looks(SharedObject::Mailbox, record.process).whole, AccessMode::Read,
            last_of(record.id.thread));
  if (record.takes() && record.taken_at != kNoIndex) {
    const Why why = record.may_time_out ? Why::Collides : Why::Enabled;
    candidates_.push_back({record.taken_at, why});
  }
}

void Trace::find_candidates(const Record& record) {
  candidates_.clear();
  for (const Footprint& f : record.footprints) {
    if (f.object == SharedObject::Mailbox && f.mode == AccessMode::Read) {
      if (!receives(f.id).empty()) {
        candidates_.push_back({receives(f.id).back(), Why::Collides});
      }
      for (const uint32_t sender : senders(f.id)) {
        if (sender != kNoIndex) candidates_.push_back({sender, Why::Collides});
      }
    }
    if (f.object == SharedObject::Progress) {
      add_last_of(f.id);
      continue;
    }
    add_candidates(f);
    if (f.object == SharedObject::Life && f.mode == AccessMode::Write && f.id != record.process) {
      add_last_of(f.id);
    }
  }
  add_mail_candidates(record);
  if (has_progress_looks_ && record.process != 0) {
    add_since(looks(SharedObject::Progress, record.process).whole, AccessMode::Read,
              last_of(record.id.thread));
  }
  if (record.event.kind == EventKind::Arrival) {
    const Way& way = ways_[record.id.thread];
    candidates_.push_back({way.posts[way.arrived], Why::Enabled});
  }
}

// The latest first: what is before one of those already is no direct predecessor.
void Trace::take_predecessors(uint32_t index) {
  Entry& entry = entries_[index];
  const ThreadId thread = entry.record->id.thread;
  const uint32_t start = thread < start_.size() ? start_[thread] : kNoIndex;
  if (entry.previous == kNoIndex && start != kNoIndex) {
    entry.predecessors.push_back({start, Why::Enabled});
  }
  make_clocks(index, index + 1);
  const Clocks::Row clock = clocks_[index];
  if (candidates_.size() > 1) {
    std::sort(candidates_.begin(), candidates_.end(),
              [](const Predecessor& a, const Predecessor& b) {
                return a.index != b.index ? a.index > b.index : a.why > b.why;
              });
  }
  uint32_t last = kNoIndex;
  for (Predecessor& candidate : candidates_) {
    if (candidate.index == last || glances_[candidate.index].thread == thread) continue;
    last = candidate.index;
    const Glance& other = glances_[candidate.index];
    if (Clocks::sees(clock, other.record->id)) continue;
    const bool may_miss = has_sought_ && candidate.why == Why::Collides;
    if (may_miss && !dependence_.collide(other, glances_[index])) continue;
    if (candidate.why == Why::Collides) candidate.is_stable = is_stable(other, glances_[index]);
    entry.predecessors.push_back(candidate);
    Clocks::join(clock, clocks_[candidate.index]);
  }
  clock[thread] = entry.record->id.index;
}

// ---- Messages ---------------------------------------------------------------

// Receives that have happened already, and could have taken what is sent here. Whether there
// are any.
bool Trace::find_observers(uint32_t index) {
  bool is_observed = false;
  Entry& entry = entries_[index];
  const Clocks::Row clock = clocks_[index];
  const Record& record = *entry.record;
  for (const machine::Sent& sent : record.event.sent) {
    const std::vector<uint32_t>& all = receives(sent.to);
    for (auto r = all.rbegin(); r != all.rend(); ++r) {
      const Record& receive = *entries_[*r].record;
      if (receive.id.thread == record.id.thread || Clocks::sees(clock, receive.id)) break;
      const bool gave_up = !receive.takes();
      const uint32_t before = gave_up ? *r : receive.taken_at;
      if (before == kNoIndex || Clocks::sees(clock, entries_[before].record->id)) continue;
      if (!dependence_.would_take(receive, record)) continue;
      entry.predecessors.push_back({before, gave_up ? Why::Collides : Why::Observed, false, *r});
      is_observed = is_observed || !gave_up;
      Clocks::join(clock, clocks_[before]);
    }
  }
  return is_observed;
}

bool Trace::is_alike(uint32_t receive, uint32_t sender) const {
  const Record& receiver = *entries_[receive].record;
  if (!receiver.takes()) return false;
  const machine::Value taken = receiver.event.arguments[0];
  const std::vector<machine::Sent>& all = entries_[sender].record->event.sent;
  return std::all_of(all.begin(), all.end(), [&](const machine::Sent& sent) {
    return sent.to != receiver.process || machine::equal_exact(sent.message, taken);
  });
}

// A receive: of the messages that it could have taken as well it has taken the oldest. Whether
// there are any.
bool Trace::observe(Entry& entry) {
  const Record& receive = *entry.record;
  const machine::Process* p = threads_.process(receive.id.thread);
  if (!receive.takes() || receive.taken_at == kNoIndex || !p) return false;
  const uint32_t taken = taken_number(receive.event);
  const std::vector<uint32_t>& by_number = senders(receive.process);
  uint32_t least = kNoIndex;
  for (size_t i = p->mailbox.size(); i-- > 0 && p->mailbox.number(i) > taken;) {
    const uint32_t sender = by_number[p->mailbox.number(i)];
    if (sender == kNoIndex || sender <= receive.taken_at) continue;
    if (glances_[sender].thread == receive.taken.thread) continue;
    Entry& other = entries_[sender];
    if (!dependence_.would_take(receive, *other.record)) continue;
    other.predecessors.push_back({receive.taken_at, Why::Observed, false, size_});
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
  for (const machine::Sent& sent : record.event.sent) {
    if (sent.number != machine::Sent::kNowhere) at(senders(sent.to), sent.number, kNoIndex) = size_;
  }
  if (record.is_receive()) receives(record.process).push_back(size_);
  if (loses(record)) losers_.push_back(size_);
}

void Trace::remove_mail(const Record& record) {
  if (loses(record)) losers_.pop_back();
  if (!observations_.empty() && observations_.back() == size_) observations_.pop_back();
  if (record.is_receive()) receives(record.process).pop_back();
  for (const machine::Sent& sent : record.event.sent) {
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

// ---- Signals on their way ---------------------------------------------------

void Trace::add_posts(const Record& record) {
  for (const machine::Posted& posted : record.event.posted) {
    ways_[threads_.way(posted.from, posted.to)].posts.push_back(size_);
  }
  for (const machine::Posted& reached : record.event.reached) {
    ++ways_[threads_.way(reached.from, reached.to)].arrived;
  }
  if (record.event.kind == EventKind::Arrival) ++ways_[record.id.thread].arrived;
}

void Trace::remove_posts(const Record& record) {
  for (const machine::Posted& posted : record.event.posted) {
    ways_[threads_.way(posted.from, posted.to)].posts.pop_back();
  }
  for (const machine::Posted& reached : record.event.reached) {
    --ways_[threads_.way(reached.from, reached.to)].arrived;
  }
  if (record.event.kind == EventKind::Arrival) --ways_[record.id.thread].arrived;
}

// ---- Growing and shrinking --------------------------------------------------

void Trace::identify(Record& record) {
  const uint32_t last = last_of(record.id.thread);
  record.id.index = last == kNoIndex ? 1 : entries_[last].record->id.index + 1;
  const uint32_t number = record.takes() ? taken_number(record.event) : kNoIndex;
  if (number == kNoIndex) return;
  record.taken_at = at(senders(record.process), number, kNoIndex);
  if (record.taken_at != kNoIndex) record.taken = entries_[record.taken_at].record->id;
}

void Trace::push(RecordPtr owned, uint32_t barrier) {
  if (size_ == entries_.size()) {
    entries_.emplace_back();
    glances_.emplace_back();
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
  glances_[size_] = &record;
  uint32_t& last = at(last_, record.id.thread, kNoIndex);
  entry.previous = last;
  clocks_.reserve(size_, threads_.count());
  find_candidates(record);
  take_predecessors(size_);
  if (!record.event.sent.empty() || record.is_receive()) add_mail(entry);
  add_accesses(record, size_);
  if (is_on_a_way(record.event)) add_posts(record);
  if (prevents(record)) preventers_.push_back(size_);
  const bool is_unstable =
      std::any_of(entry.predecessors.begin(), entry.predecessors.end(),
                  [](const Predecessor& p) { return p.why == Why::Collides && !p.is_stable; });
  if (is_unstable) unstable_.push_back(size_);
  threads_.for_each_started(record.event, [&](ThreadId started) {
    uint32_t& start = at(start_, started, kNoIndex);
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
  last_[record.id.thread] = entry.previous;
  for (const ThreadId started : entry.started) start_[started] = kNoIndex;
  remove_accesses(record);
  if (is_on_a_way(record.event)) remove_posts(record);
  if (prevents(record)) preventers_.pop_back();
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
  return std::any_of(second.predecessors.begin(), second.predecessors.end(),
                     [&](const Predecessor& p) {
                       const uint32_t observer = p.why == Why::Observed ? p.observer : kNoIndex;
                       return p.index == race.first && p.why != Why::Enabled &&
                              observer == race.observer && is_direct(race.second, p);
                     });
}

// A process was ended while it waited; then there came a message that it would have taken.
void Trace::find_unheard(uint32_t ender, const Record& receive, std::vector<RacingPair>& result) {
  for (const uint32_t loser : losers_) {
    if (loser < ender || happens_before(ender, loser)) continue;
    if (!dependence_.would_take(receive, *entries_[loser].record)) continue;
    unheard_.push_back(receive.copy(copies_));
    unheard_.back()->taken = entries_[loser].record->id;
    unheard_.back()->taken_at = loser;
    result.push_back({ender, kNoIndex, kNoIndex, unheard_.back().get()});
    return;
  }
}

// What was made impossible never comes, whatever else does: it is to be tried before each
// new execution.
void Trace::find_prevented(std::vector<RacingPair>& result) {
  unheard_.clear();
  for (const uint32_t i : preventers_) {
    const Record& record = *entries_[i].record;
    for (const auto& prevented : record.prevented) {
      result.push_back({i, kNoIndex, kNoIndex, prevented.get()});
    }
    for (const auto& receive : record.silenced) find_unheard(i, *receive, result);
  }
}

void Trace::find_races(uint32_t from, std::vector<RacingPair>& result) {
  result.clear();
  const auto add = [&](uint32_t second, const Predecessor& p) {
    if (p.why == Why::Enabled || !is_direct(second, p)) return;
    const uint32_t observer = p.why == Why::Observed ? p.observer : kNoIndex;
    const bool is_equal = observer != kNoIndex && is_alike(observer, second);
    result.push_back({p.index, second, observer, nullptr, is_equal, p.is_stable});
  };
  for (uint32_t i = from; i < size_; ++i) {
    const Entry& entry = entries_[i];
    for (const Predecessor& p : entry.predecessors) add(i, p);
    for (const uint32_t sender : entry.observed) {
      if (sender >= from) continue;
      for (const Predecessor& p : entries_[sender].predecessors) {
        if (p.why == Why::Observed && p.observer == i) add(sender, p);
      }
    }
  }
  // Before the others, in which it may be fresh, it need not have touched what it touches
  // after the reversal.
  for (const uint32_t i : unstable_) {
    if (i >= from) break;
    for (const Predecessor& p : entries_[i].predecessors) {
      if (p.why == Why::Collides && !p.is_stable) add(i, p);
    }
  }
  find_prevented(result);
}

}  // namespace fathom::explore
