// An event as a search keeps it: what happened, and what it has to do with others.
//
// Events are identified by their actor and by how many events the actor has performed before, which
// does not depend on how independent events are ordered: the second event of P.1 is the same event
// in all executions of a class.
//
// A record holds values of the machine's heap: the message that was sent, the frame of a receive.
// They are valid as long as the event is part of the execution; persistent_copy() copies what was
// made since a mark, so that a record outlives going back to it (in sleep sets and wake-up trees).
//
// Records are made and dropped with every step, and have lists in them: those that are not needed
// any more go back to a pool, with the memory of their lists.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <vector>

#include "explore/event_index.h"
#include "machine/machine.h"
#include "machine/process_state.h"

namespace fathom::explore {

// Of what is numbered otherwise: slots, messages of a mailbox, elements of a list.
inline constexpr uint32_t kNoIndex = UINT32_MAX;

// An actor (actors.h): a process, a timer that sends a message, or a channel between two processes
// with signals in transit. Numbered as they are met, once for a whole search.
enum class ActorId : uint32_t {};
inline constexpr ActorId kNoActor{UINT32_MAX};
constexpr bool exists(ActorId actor) { return actor != kNoActor; }
// Its place in what is kept by actor: in vector clocks, for one.
constexpr uint32_t column(ActorId actor) { return static_cast<uint32_t>(actor); }

struct EventId {
  ActorId actor{};
  uint32_t index = 0;  // of the actor's events, from 1
  bool operator==(const EventId&) const = default;
};

// An access (machine::Access) without values: parts and contents are hashes.
struct Footprint {
  machine::SharedObject object;
  machine::AccessMode mode;
  bool is_whole;      // all parts of it
  bool is_tentative;  // see Access
  uint64_t id = 0;    // of the object
  uint64_t part = 0;
  uint64_t content = 0;  // Write: the content afterwards; 0: it depends on the one before
  // Where Trace keeps which events access them (slots.h).
  uint32_t object_slot = kNoIndex;
  uint32_t part_slot = kNoIndex;  // kNoIndex: of the whole object, or not known yet
};

// Kinds of shared objects: which ones an event accesses. Most questions about an event concern
// kinds that it does not access, and end there.
class ObjectKinds {
 public:
  constexpr ObjectKinds() = default;
  constexpr ObjectKinds(std::initializer_list<machine::SharedObject> kinds) {
    for (const machine::SharedObject kind : kinds) add(kind);
  }
  constexpr void add(machine::SharedObject kind) { bits_ |= bit(kind); }
  constexpr bool has(machine::SharedObject kind) const { return (bits_ & bit(kind)) != 0; }
  constexpr bool has_any(ObjectKinds kinds) const { return (bits_ & kinds.bits_) != 0; }

 private:
  static constexpr uint32_t bit(machine::SharedObject kind) {
    return uint32_t{1} << static_cast<unsigned>(kind);
  }
  static_assert(static_cast<unsigned>(machine::SharedObject::Unique) < 32, "one bit for each");

  uint32_t bits_ = 0;
};

// Objects in which a program stores data: what is accessed of them does not depend on the data.
inline bool is_data(machine::SharedObject object) {
  using enum machine::SharedObject;
  return object == Table || object == Term || object == Atomic;
}

// A Bloom filter of the objects that an event accesses: a bit for each process, mailbox and other
// object. Two events are dependent only if they have an object in common that one of them modifies.
// Most pairs have none, and two ands show it: false means that they are independent, true means
// nothing.
struct AccessFilter {
  uint64_t accessed = 0;
  uint64_t modified = 0;  // of those
  bool may_conflict(const AccessFilter& other) const {
    return ((modified & other.accessed) | (accessed & other.modified)) != 0;
  }
};

struct Record;
class RecordPool;
struct DropRecord {
  void operator()(Record* record) const;
};
using RecordPtr = std::unique_ptr<Record, DropRecord>;

struct Record {
  EventId id;
  AccessFilter filter;
  ObjectKinds kinds;     // that it accesses; of a mailbox, also by messages that it takes
  uint64_t process = 0;  // the number of its pid; 0: no process performs it
  machine::Event event;
  std::vector<Footprint> footprints;  // except for messages: those are in the event
  // Receive: which event has sent the message; where that is in the execution.
  EventId taken;
  EventIndex taken_at = kNoEvent;
  bool may_time_out = false;  // Receive: without the message it would have timed out here
  bool by_timer = false;      // After: a timer has fired for it; false: after 0
  // Of a process: the state in which it has performed the event, if it may be compared (polling.h).
  machine::ProcessState state;
  // Events of other actors that were enabled before it and are not after it (disabled_events.h).
  std::vector<RecordPtr> disabled;
  // Receives in which processes waited that it has ended or suspended (disabled_events.h).
  std::vector<RecordPtr> interrupted;
  // Processes that have exited invisibly in the same step (assumptions.h): numbers of pids.
  std::vector<uint64_t> invisible_exits;

  bool is_receive() const { return event.receive != nullptr; }
  // Whether two such events are dependent is a matter of their values.
  bool has_values() const {
    return !event.sent.empty() || is_receive() || !event.query.is_none() || !event.changes.empty();
  }
  bool takes() const { return event.kind == machine::EventKind::Receive; }
  // Whether all is as it was before it, but for where its process stands.
  bool changes_nothing() const {
    return event.changes_nothing || event.kind == machine::EventKind::After;
  }

  // All but the event, which the machine clears.
  void clear();
  // A copy of what others need to know of it, that stays valid after going back to the mark.
  // `top`: of the heap now.
  RecordPtr persistent_copy(RecordPool& pool, const machine::Machine::Mark& mark,
                            const uint64_t* top) const;
  // The same, valid as long as the execution goes on.
  RecordPtr copy(RecordPool& pool) const;
  bool knows_values = true;  // else messages and frame could not be copied, and are not valid

 private:
  friend class RecordPool;
  friend struct DropRecord;
  void copy_values(const Record& other);

  RecordPool* pool_ = nullptr;                       // where it goes back to
  std::vector<std::unique_ptr<uint64_t[]>> blocks_;  // of kept values
};

// Must outlive its records. Those of copies are apart: a copy has the members that Record::copy()
// writes, and no others ever.
class RecordPool {
 public:
  // Its members have no meaning yet.
  RecordPtr make() {
    if (spare_.empty()) spare_.push_back(std::make_unique<Record>());
    Record* record = spare_.back().release();
    spare_.pop_back();
    record->pool_ = this;
    return RecordPtr(record);
  }
  void take_back(Record* record) {
    // Those that it owns come back as well.
    if (!record->disabled.empty()) record->disabled.clear();
    if (!record->interrupted.empty()) record->interrupted.clear();
    spare_.emplace_back(record);
  }

 private:
  std::vector<std::unique_ptr<Record>> spare_;
};

inline void DropRecord::operator()(Record* record) const { record->pool_->take_back(record); }

}  // namespace fathom::explore
