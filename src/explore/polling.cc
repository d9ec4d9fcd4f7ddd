#include "explore/polling.h"

#include <algorithm>

#include "base/hash.h"

namespace fathom::explore {

using machine::AccessMode;
using machine::EventKind;
using machine::Process;

namespace {

// Whether the event changes nothing that anybody could see.
bool is_read(const Record& record) {
  const machine::Event& event = record.event;
  switch (event.kind) {
    case EventKind::After:
      return true;
    case EventKind::EtsRead:
    case EventKind::TermRead:
    case EventKind::AtomicRead:
    case EventKind::Info:
    case EventKind::Whereis:
      return event.sent.empty() && event.delivered_signals.empty() &&
             std::all_of(record.footprints.begin(), record.footprints.end(),
                         [](const Footprint& f) { return f.mode == AccessMode::Read; });
    default:
      return false;
  }
}

}  // namespace

// Values are the same if they are the same words: what lies on the heap stays where it is.
uint64_t waiting_hash(const Process& p) {
  uint64_t hash = hash_words(reinterpret_cast<uint64_t>(p.pc), p.frame, p.dictionary.raw());
  for (size_t i = 0; i < p.top; ++i) hash = hash_combine(hash, p.stack[i].raw());
  return hash;
}

// The last time-out of the actor until then; kNoIndex: there was none.
uint32_t Polling::last_timeout(uint32_t index) const {
  while (index != kNoIndex && !trace_[index].by_timer) index = trace_.previous(index);
  return index;
}

template <class Counts>
bool Polling::has_change(uint32_t from, uint32_t to, Counts&& counts) const {
  for (uint32_t i = from + 1; i < to; ++i) {
    if (!is_read(trace_[i]) && counts(i)) return true;
  }
  return false;
}

bool Polling::repeats(ActorId actor) const {
  if (!has_timeouts_) return false;
  const Process* p = actors_.process(actor);
  if (!p || p->status != Process::Status::Waiting || p->receive_timer == 0) return false;
  const uint32_t last = last_timeout(trace_.last_of(actor));
  if (last == kNoIndex || trace_[last].waiting_hash != waiting_hash(*p)) return false;
  return !has_change(last, trace_.size(), [](uint32_t) { return true; });
}

bool Polling::repeats(const RacingPair& race) const {
  if (!has_timeouts_) return false;
  if (race.disabled || race.observer != kNoIndex || !is_read(trace_[race.second])) return false;
  const uint32_t last = last_timeout(race.second);
  if (last == kNoIndex) return false;
  const uint32_t before = last_timeout(trace_.previous(last));
  if (before == kNoIndex || trace_[last].waiting_hash != trace_[before].waiting_hash) return false;
  return !has_change(before, race.second, [&](uint32_t i) {
    return i != race.first && !(i > race.first && trace_.happens_before(race.first, i));
  });
}

}  // namespace fathom::explore
