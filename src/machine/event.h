// Events: what processes do to each other, or can see of each other.
//
// A machine that is observed (Machine::observe) stops a process before each of them;
// performing it is one step of a driver. What it does then is told as an Event: who,
// what, where in the program, and what it touched. Two events that touch nothing in
// common, or only look at it, may change places without anybody noticing.
//
// A thing is touched where the machine really reaches it: a message to a dead process
// touches the process's life and no mailbox. events.def has the list of the kinds, and of
// the native functions that are events.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "code/code.h"
#include "core/core.h"
#include "values/value.h"

namespace fathom::machine {

class Machine;
struct Table;

// Things that events touch. Each has an owner, whose pid or number stands in Access::id.
enum class SharedObject : uint8_t {
  Life,      // of a process: whether it lives, and what its end sets off
  Mailbox,   // part: which of all messages that it has ever got, from 0
  Flags,     // of a process: what decides what a signal does to it
  Progress,  // of a process: how far it has come; only looked at, since all that it does changes it
  Links,     // of a process, its monitors too; part: the other end. id 0: monitors and aliases, by
             // reference
  Processes,    // which ones there are
  Name,         // part: the atom. With an id: that of the process has a name
  Table,        // part: a key
  TableName,    // part: the atom
  TableFacts,   // what a table is, beside its objects: its owner, its heir, who may use it
  Tables,       // which ones there are
  Timer,        // id: its number
  Term,         // persistent; part: its key
  Atomic,       // id: its array; part: the index
  Environment,  // of the operating system
  System,       // whether it runs
  Unique,       // numbers that ascend
};

enum class AccessMode : uint8_t {
  Read,
  Write,
  // Adds to it, or takes itself away: the order of two is seen only by who looks at both;
  // of two messages by a receive that could take either.
  Append,
};

struct Access {
  SharedObject object;
  AccessMode mode;
  uint64_t id = 0;
  Value part = Value::none();  // none: all of it
  // Write: what is there after it, whatever was there before. Two that write the same can
  // change places. none: it depends.
  Value content = Value::none();
  bool is_tentative = false;  // a Read that may be a Write elsewhere, or the other way round
  bool operator==(const Access&) const = default;
};

// A message that an event puts into a mailbox.
struct Sent {
  static constexpr uint32_t kNowhere = UINT32_MAX;  // see Machine::lost

  uint64_t to;  // the number of its pid
  Value message;
  uint32_t number;                // see SharedObject::Mailbox
  Value monitor = Value::none();  // that it is the message of
};

// A signal that is on its way: the numbers of the pids.
struct Posted {
  uint64_t from;
  uint64_t to;
};

// What a table holds for a key before and after an event: a group (ets.h), or none().
struct Change {
  uint64_t table;  // its id
  Value key;
  Value before;
  Value after;
};

// A process that an event brings to its end.
struct Ended {
  Value process;
  Value lineage;
  Value reason;
  Value trace;  // of the exception, if it was one: a list
};

struct Event {
  EventKind kind = EventKind::None;
  Value process;  // none() for a timer
  // Where: the function that does it, and the node of its module; none before the first
  // call of a process, and where it ends.
  const Function* place = nullptr;
  core::NodeId node{};
  const Export* native = nullptr;  // what is called, if it is that
  std::vector<Value> arguments;    // of the call; of a receive: the message
  Value result = Value::none();    // of the call; none: it has raised, or has not returned
  std::vector<Access> accesses;
  std::vector<Sent> sent;
  std::vector<Ended> ended;
  // Of one that looks for objects in a table: a pattern, or a match specification; none: any.
  Value sought = Value::none();
  // Of keys of tables, where somebody asks (Machine::record_changes).
  std::vector<Change> changes;
  // Where signals wait: those that were sent off, and those that the event has not waited
  // for, but taken to their end itself.
  std::vector<Posted> posted;
  std::vector<Posted> reached;
  // Of Receive and After: the receive (ReceiveProbe), and how long it waits.
  const uint64_t* receive = nullptr;
  std::vector<Value> frame;
  Value timeout = Value::none();
  Value released = Value::none();  // Process::released

  template <class Visitor>
  void visit_values(Visitor&& visit) {
    for (Value& argument : arguments) visit(argument);
    visit(result);
    for (Access& access : accesses) {
      visit(access.part);
      visit(access.content);
    }
    for (Sent& message : sent) {
      visit(message.message);
      visit(message.monitor);
    }
    visit(released);
    visit(sought);
    for (Change& change : changes) {
      visit(change.key);
      visit(change.before);
      visit(change.after);
    }
    for (Ended& end : ended) {
      visit(end.lineage);
      visit(end.reason);
      visit(end.trace);
    }
  }

  // Keeps its memory for the next one.
  void clear() {
    kind = EventKind::None;
    place = nullptr;
    native = nullptr;
    arguments.clear();
    result = Value::none();
    accesses.clear();
    sent.clear();
    ended.clear();
    sought = Value::none();
    changes.clear();
    posted.clear();
    reached.clear();
    receive = nullptr;
    frame.clear();
    timeout = released = Value::none();
  }
};

// Whether who receives has taken the monitor back before, so that its message cannot be there.
bool is_released(const Event& receive, const Sent& sent);

// What the arguments of the native function say.
void access_arguments(Machine& m, NativeAccess how, std::span<const Value> arguments);
// What is stored for the key is about to change: the current event tells it, if that is wanted
// (Machine::record_changes).
void record_change(Machine& m, const Table& table, Value key);
// It has turned out that there was nothing to change.
void mere_look(Event& event);
// What has come of the changes.
void complete_changes(Machine& m, Event& event);
// Whether an event with these changes of the table can be seen by one that looks for objects
// there.
bool may_see(Machine& m, Value sought, uint64_t table, std::span<const Change> changes);

}  // namespace fathom::machine
