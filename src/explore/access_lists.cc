#include "explore/access_lists.h"

namespace fathom::explore {

using machine::AccessMode;
using machine::SharedObject;
using Reason = Predecessor::Reason;

// ---- Keeping the lists ------------------------------------------------------

void AccessLists::find_slots(Record& record) {
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

void AccessLists::add(List& list, const Footprint& f, ActorId actor, EventIndex index) const {
  uint32_t other = kNoIndex;
  if (!list.empty()) {
    const RecordedAccess& last = list.back();
    const bool is_own = summaries_[number(last.event)].actor == actor;
    other = is_own ? last.other : static_cast<uint32_t>(list.size() - 1);
  }
  list.push_back({index, other, f.content});
}

void AccessLists::add(const Record& record, EventIndex index) {
  for (const Footprint& f : record.footprints) {
    const auto mode = static_cast<size_t>(f.mode);
    ObjectAccesses& object = objects_[f.object_slot];
    add((f.is_whole ? object.whole : object.parts).by_mode[mode], f, record.id.actor, index);
    if (!f.is_whole) add(parts_[f.part_slot].by_mode[mode], f, record.id.actor, index);
  }
}

void AccessLists::remove(const Record& record) {
  for (const Footprint& f : record.footprints) {
    const auto mode = static_cast<size_t>(f.mode);
    ObjectAccesses& object = objects_[f.object_slot];
    (f.is_whole ? object.whole : object.parts).by_mode[mode].pop_back();
    if (!f.is_whole) parts_[f.part_slot].by_mode[mode].pop_back();
  }
}

// ---- Candidates -------------------------------------------------------------

void AccessLists::find_control(uint64_t process, Candidates& candidates) const {
  if (!has_controls_) return;
  for (const SharedObject object : {SharedObject::Life, SharedObject::Exiting}) {
    const uint32_t slot = slots_.find_object(object, process);
    if (slot == kNoIndex) continue;
    const List& writes = objects_[slot].whole.of(AccessMode::Write);
    if (!writes.empty()) candidates.push_back({writes.back().event, Reason::Enabled});
  }
}

// Of the accesses since an event, the last of each run by one actor.
void AccessLists::add_since(const List& list, EventIndex since, Candidates& candidates) {
  if (list.empty()) return;
  for (auto i = static_cast<uint32_t>(list.size() - 1); i != kNoIndex; i = list[i].other) {
    if (exists(since) && list[i].event <= since) return;
    candidates.push_back({list[i].event, Reason::Dependent});
  }
}

// The last writes of a part: one, or several in a row that write the same content and so commute;
// but not those that write the content that the new event writes, since they commute with it. All
// that was accessed before the first of them happens before it. That one is returned; kNoEvent:
// there is none.
//
// Example: after write 1, write 2, write 2 a new write 2 depends on the first write only; a write 3
// on both writes of 2, and on nothing before them.
EventIndex AccessLists::add_last_writes(const List& writes, uint64_t content,
                                        Candidates& candidates) {
  size_t i = writes.size();
  while (i > 0 && content != 0 && writes[i - 1].content == content) --i;
  if (i == 0) return kNoEvent;
  const uint64_t same = writes[i - 1].content;
  do {
    candidates.push_back({writes[--i].event, Reason::Dependent});
  } while (i > 0 && same != 0 && writes[i - 1].content == same);
  return writes[i].event;
}

void AccessLists::add_all(const Accesses& accesses, ModeSet modes, Candidates& candidates) {
  for (const AccessMode mode : {AccessMode::Read, AccessMode::Write, AccessMode::Append}) {
    if (!modes.has(mode)) continue;
    for (const RecordedAccess& access : accesses.of(mode)) {
      candidates.push_back({access.event, Reason::Dependent});
    }
  }
}

void AccessLists::find_candidates(const Footprint& f, Candidates& candidates) const {
  const ModeSet seen = conflicting_modes(f.object, f.mode);
  const ObjectAccesses& object = objects_[f.object_slot];
  // Where there are queries of tables, the last write does not hide what was before it: a query
  // need not depend on that write.
  if (has_queries_ && f.object == SharedObject::Table) {
    add_all(object.whole, seen, candidates);
    add_all(f.is_whole ? object.parts : parts_[f.part_slot], seen, candidates);
    return;
  }
  const bool sees_reads = seen.has(AccessMode::Read);
  const bool sees_appends = seen.has(AccessMode::Append);
  const bool sees_writes = seen.has(AccessMode::Write);
  const auto add = [&](const Accesses& accesses, EventIndex since) {
    if (sees_reads) add_since(accesses.of(AccessMode::Read), since, candidates);
    if (sees_appends) add_since(accesses.of(AccessMode::Append), since, candidates);
  };
  const List& whole_writes = object.whole.of(AccessMode::Write);
  const EventIndex last_whole = whole_writes.empty() ? kNoEvent : whole_writes.back().event;
  if (sees_writes && exists(last_whole)) candidates.push_back({last_whole, Reason::Dependent});
  add(object.whole, last_whole);
  if (f.is_whole) {
    add(object.parts, last_whole);
    if (sees_writes) add_since(object.parts.of(AccessMode::Write), last_whole, candidates);
    return;
  }
  const Accesses& part = parts_[f.part_slot];
  const EventIndex last_part =
      sees_writes ? add_last_writes(part.of(AccessMode::Write), f.content, candidates) : kNoEvent;
  add(part, last_part);
}

void AccessLists::find_reads(SharedObject object, uint64_t id, EventIndex since,
                             Candidates& candidates) const {
  const uint32_t slot = slots_.find_object(object, id);
  if (slot == kNoIndex) return;
  add_since(objects_[slot].whole.of(AccessMode::Read), since, candidates);
}

}  // namespace fathom::explore
