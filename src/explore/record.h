// An event as the search keeps it: what happened, and what it has to do with others.
//
// Events are told apart by who performs them and by how many that one has performed
// before, which does not depend on how independent events are ordered.
//
// A record holds values of the machine's heap: the message that was sent, the frame of a
// receive. They are valid as long as the event is part of the execution; kept() copies
// what was made since a mark, so that a record outlives going back to it.
//
// Records are made and dropped with every step, and have lists in them: those that are not
// needed any more go back to a pool, with the memory of their lists.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "machine/machine.h"

namespace fathom::explore {

inline constexpr uint32_t kNoIndex = UINT32_MAX;

// Who acts: a process; a timer that sends a message; signals on their way between two
// processes. Numbered as they are met, once for the whole search.
using ActorId = uint32_t;

struct EventId {
  ActorId actor = 0;
  uint32_t index = 0;  // of the actor's events, from 1
  bool operator==(const EventId&) const = default;
};

// An object that was touched, without values.
struct Footprint {
  machine::SharedObject object;
  machine::AccessMode mode;
  bool is_whole;      // all parts of it
  bool is_tentative;  // see Access
  uint64_t id = 0;    // of the object
  uint64_t part = 0;
  uint64_t content = 0;  // Write: what is there then; 0: it depends
  // Where Trace keeps who touches them.
  uint32_t object_slot = kNoIndex;
  uint32_t part_slot = kNoIndex;  // kNoIndex: of the whole object, or not known yet
};

// What a program puts somewhere, and finds there.
inline bool is_data(machine::SharedObject object) {
  using enum machine::SharedObject;
  return object == Table || object == Term || object == Atomic;
}

// A bit for each process, mailbox and object that an event has to do with. Two events are dependent
// only if there is one in common that one of them changes: most pairs are told apart by that.
struct AccessFilter {
  uint64_t touches = 0;
  uint64_t changes = 0;
  bool may_conflict(const AccessFilter& other) const {
    return ((changes & other.touches) | (touches & other.changes)) != 0;
  }
};

struct Record;
class RecordPool;
struct BackToPool {
  RecordPool* pool = nullptr;
  void operator()(Record* record) const;
};
using RecordPtr = std::unique_ptr<Record, BackToPool>;

struct Record {
  EventId id;
  AccessFilter filter;
  uint64_t process = 0;  // the number of its pid; 0: no process performs it
  machine::Event event;
  std::vector<Footprint> footprints;  // but for messages: those are in the event
  // Receive: which event has sent the message; where that is in the execution.
  EventId taken;
  uint32_t taken_at = kNoIndex;
  bool may_time_out = false;  // Receive: it would give up, at this point, without the message
  bool by_timer = false;      // After: a timer was let fire for it
  uint64_t waiting_hash = 0;  // of those: how the process has waited (polling.h)
  // Those that could have acted before it, and cannot after it: what they would have done.
  std::vector<RecordPtr> disabled;
  // Receives of processes that it has exited, and that waited for a message.
  std::vector<RecordPtr> interrupted;
  // Processes that have left with it (Actors): numbers of pids.
  std::vector<uint64_t> invisible_exits;

  bool is_receive() const { return event.receive != nullptr; }
  // Of two such events it depends on the values whether they are dependent.
  bool has_values() const {
    return !event.sent.empty() || is_receive() || !event.query.is_none() || !event.changes.empty();
  }
  bool takes() const { return event.kind == machine::EventKind::Receive; }

  // All but the event, which who tells it clears.
  void clear();
  // A copy of what others need to know of it, that stays valid after going back to the mark.
  // `top`: of the heap now.
  RecordPtr persistent_copy(RecordPool& pool, const machine::Machine::Mark& mark,
                            const uint64_t* top) const;
  // The same, valid as long as the execution goes on.
  RecordPtr copy(RecordPool& pool) const;
  bool knows_values = true;  // else messages and frame could not be copied, and are not valid

 private:
  std::vector<std::unique_ptr<uint64_t[]>> blocks_;  // of kept values
};

// Must outlive its records.
class RecordPool {
 public:
  // What is in it is of no meaning.
  RecordPtr make() {
    if (spare_.empty()) return {new Record, {this}};
    Record* record = spare_.back().release();
    spare_.pop_back();
    return {record, {this}};
  }
  void take_back(Record* record) {
    // Those that it has come back, too.
    if (!record->disabled.empty()) record->disabled.clear();
    if (!record->interrupted.empty()) record->interrupted.clear();
    spare_.emplace_back(record);
  }

 private:
  std::vector<std::unique_ptr<Record>> spare_;
};

inline void BackToPool::operator()(Record* record) const { pool->take_back(record); }

}  // namespace fathom::explore
