// Events: what processes do to each other, or can see of each other.
//
// A machine that is observed (Mode::is_observed) stops a process before each event;
// performing it is one step of a driver. What the step did is then reported as an Event: who,
// what, where in the program, and which shared objects it accessed. Two events commute if they
// access no object in common, or only read those that they have in common.
//
// An access is reported where the machine really reaches the object: a message to a process
// that has exited accesses the process's life and not its mailbox. events.def lists the kinds of
// events, and the native functions that are events.
//
// Example: P.1 performs ets:insert(T, {k, 1}). Its event has the kind EtsWrite, the process P.1,
// the node of the call, and among its accesses a Write of the part k of table T with the content
// {k, 1}.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "code/code.h"
#include "core/core.h"
#include "machine/author_call.h"
#include "values/value.h"

namespace fathom::machine {

class Machine;
struct Table;

// The objects that events access. Access::id is the number of the object: of a process, that of
// its pid.
enum class SharedObject : uint8_t {
  Life,     // of a process: whether it is alive, and what its exit triggers
  Exiting,  // of a process: whether its exit has begun
  // Of a process: signals in transit to it; part: the sender, or, where all signals take time, the
  // sender and which of its signals.
  Channel,
  Mailbox,  // part: which of all messages that were ever delivered to it, from 0
  // Of a process: in which order its messages came; part: 0. Written only where it is watched
  // (watched.h).
  MailboxOrder,
  Flags,      // of a process: those of process_flag, its group leader, its dictionary; part: which
  Progress,   // of a process: how far it has come; only ever read, since all it does changes it
  Links,      // of a process, its monitors too; part: the other end. id 0: monitors and aliases, by
              // reference
  Processes,  // which ones there are
  Name,       // part: the atom. With an id: whether that process has a name
  Table,      // part: a key
  TableName,  // part: the atom
  TableFacts,   // of a table, apart from its objects: its owner, its heir, its protection
  Tables,       // which ones there are
  Timer,        // id: its number
  Term,         // persistent; part: its key
  Atomic,       // id: its array; part: the index
  Environment,  // of the operating system
  FileName,     // part: a path without links; <<>>: the current directory
  File,         // its contents and properties; part: its key (natives/overlay.h)
  Directory,    // which names it has, and its properties; part: its key
  System,       // whether it is running
  Service,      // of a service (services.h) that is a process: its state
  Unique,       // monotonic integers
};

enum class AccessMode : uint8_t {
  Read,
  Write,
  // Adds to the object, or removes what the same actor has added: the order of two appends is
  // seen only by an event that reads both; of two messages, by a receive that could take either.
  Append,
};

struct Access {
  SharedObject object;
  AccessMode mode;
  uint64_t id = 0;
  Value part = Value::none();  // none: the whole object
  // Write: the content afterwards, whatever it was before. Two writes of the same content
  // commute. none: it depends on the content before.
  Value content = Value::none();
  bool is_tentative = false;  // a Read that may be a Write in another order, or vice versa
  bool operator==(const Access&) const = default;
};

// A message that an event sends.
struct SentMessage {
  static constexpr uint32_t kUndelivered = UINT32_MAX;  // see EventRecorder::lose

  uint64_t to;  // the number of the receiver's pid
  Value message;
  uint32_t number;                // see SharedObject::Mailbox
  Value monitor = Value::none();  // whose 'DOWN' message it is
};

// The channel that a signal takes, where delivery is not instant: sender and receiver, as the
// numbers of their pids. Signals of one channel stay in order.
struct Channel {
  uint64_t from;
  uint64_t to;
  auto operator<=>(const Channel&) const = default;
};

// The objects of a table with a key before and after an event: a group (ets.h), or none().
struct Change {
  uint64_t table;  // its id
  Value key;
  Value before;
  Value after;
};

// The exit of a process, which an event causes. Those of services are their own business.
struct ProcessExit {
  Value process;
  Value lineage;
  Value reason;
  Value trace;           // the stack trace of the exception, if there was one: a list
  bool by_link = false;  // by the exit of a process that it was linked to
};

// Where a process was when an exit signal stopped it.
struct StoppedProcess {
  uint64_t process;  // the number of its pid
  const Function* place;
  core::NodeId node;
  AuthorCall author;
};

struct Event {
  EventKind kind = EventKind::None;
  Value process;  // none() for a timer
  // Where: the function that performs it, and the node of its module; none before the first
  // call of a process, and at its exit.
  const Function* place = nullptr;
  core::NodeId node{};
  AuthorCall author;               // of OTP's code: the call of the author's that led there
  const Export* native = nullptr;  // the native function, if the event is the call of one
  std::vector<Value> arguments;    // of the call; of a receive: the message that was taken
  Value result = Value::none();    // of the call; none: it raised, or did not return
  std::vector<Access> accesses;
  std::vector<SentMessage> sent;
  std::vector<ProcessExit> exits;
  std::vector<StoppedProcess> stopped;  // by exit signals that the event has brought
  // ets:match, ets:select and the like: the pattern or match specification; none: other events.
  Value query = Value::none();
  // Of objects in tables, if they are recorded (Watched::changes).
  std::vector<Change> changes;
  // Of signals in transit: the channels on which the event has sent signals, and those
  // on which it has delivered a signal itself, without waiting for its arrival.
  std::vector<Channel> sent_signals;
  std::vector<Channel> delivered_signals;
  bool changes_nothing = false;  // the call of a native function that has left all as it was
  // Receive and After: the receive expression (ReceiveProbe), and its time-out.
  const uint64_t* receive = nullptr;
  std::vector<Value> frame;
  Value timeout = Value::none();
  Value demonitored = Value::none();  // Process::demonitored

  template <class Visitor>
  void visit_values(Visitor&& visit) {
    for (Value& argument : arguments) visit(argument);
    visit(result);
    for (Access& access : accesses) {
      visit(access.part);
      visit(access.content);
    }
    for (SentMessage& message : sent) {
      visit(message.message);
      visit(message.monitor);
    }
    visit(demonitored);
    visit(query);
    for (Change& change : changes) {
      visit(change.key);
      visit(change.before);
      visit(change.after);
    }
    for (ProcessExit& end : exits) {
      visit(end.lineage);
      visit(end.reason);
      visit(end.trace);
    }
  }

  // Keeps its memory for the next one.
  void clear() {
    kind = EventKind::None;
    place = nullptr;
    author = {};
    native = nullptr;
    arguments.clear();
    result = Value::none();
    accesses.clear();
    sent.clear();
    exits.clear();
    stopped.clear();
    query = Value::none();
    changes.clear();
    sent_signals.clear();
    delivered_signals.clear();
    changes_nothing = false;
    receive = nullptr;
    frame.clear();
    timeout = demonitored = Value::none();
  }
};

// Whether the receiver has removed the monitor before, so that its message cannot be there.
bool is_demonitored(const Event& receive, const SentMessage& sent);

// Reports the accesses of a native function that follow from its arguments.
void access_arguments(Machine& m, NativeAccess how, std::span<const Value> arguments);
// The same, of a service that acts inside the event.
void access_for_service(Machine& m, NativeAccess how, std::span<const Value> arguments);
// The objects with the key are about to change: the current event records it, if that is wanted
// (Watched::changes).
void record_change(Machine& m, const Table& table, Value key);
// The writes of the event, from that access on, have turned out to change nothing: they become
// reads.
void downgrade_to_read(Event& event, size_t first);
// Fills in the content after the changes of the event.
void complete_changes(Machine& m, Event& event);
// Whether a query of the table can tell whether these changes came before it or after it.
bool may_see(Machine& m, Value query, uint64_t table, std::span<const Change> changes);

}  // namespace fathom::machine
