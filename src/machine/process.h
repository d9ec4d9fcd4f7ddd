// A process: its stack, where it goes on, its messages, and what else is its own.
//
// What a process changes while it runs, in every instruction (its stack, its
// place in the code, how far its receive has looked) is recorded in the journal when
// it is first resumed after a mark (Machine::resume); everything else is changed
// through the journal.
#pragma once

#include <cstdint>

#include "base/zeroed_array.h"
#include "machine/mailbox.h"
#include "values/callable.h"
#include "values/value.h"

namespace fathom::machine {

struct Export;

struct Process {
  enum class Status : uint8_t { Runnable, Waiting, Suspended, Exited };

  Value pid;
  uint32_t place = 0;  // in the table of processes; the same whenever it lives
  // Who it is, whatever its pid: which child of its parent, which child that is of its
  // own, and so on (process_name.h).
  Value lineage;
  Value parent = Value::none();  // the pid of who has spawned it; none() if nobody has
  Mfa initial_call;              // what it was spawned with
  uint64_t children = 0;
  Status status = Status::Runnable;
  bool is_dirty = false;    // it has changed since the last collection
  bool is_running = false;  // now, or as soon as what has interrupted it is over
  // It belongs to the system (services.h); so does what it starts. Never changed once it
  // runs.
  bool is_system = false;
  bool starts_system = false;

  // ---- Its code. While it runs, the interpreter has its own copy of pc and frame.
  ZeroedArray<Value> stack;
  ZeroedArray<WordLabels> stack_labels;  // beside it, in a labelled machine
  // Where it goes on: at the entry of a function, with the arguments in the frame, or
  // at an instruction that waits or calls.
  const uint64_t* pc = nullptr;
  size_t frame = 0;  // index in the stack
  size_t top = 0;    // nothing from here on matters
  // In the epoch (Machine::epoch_) in which it ran last, words from here on may have
  // changed, others have not. In any later epoch nothing has.
  size_t watermark = 0;
  uint64_t epoch = 0;
  uint64_t reductions = 0;
  // It has stopped before an event (event.h); if that is a call of a native function,
  // which one: the arguments lie where the instruction says.
  bool is_at_event = false;
  const Export* call = nullptr;
  uint64_t timers = 0;       // that it has set so far
  uint64_t identifiers = 0;  // references and integers of its own, given out so far
  int64_t clock = 0;         // at least that, for this process: see Machine::fire

  // ---- Messages
  Mailbox mailbox;
  size_t mailbox_next = 0;               // the message that a receive tries next
  Value receive_timeout = Value::nil();  // how long it waits
  // Of the receive in which it is: whether it has seen all messages and set its timer
  // (if it has one, its number in Timers), and whether that is over.
  bool is_timer_set = false;
  bool is_timed_out = false;
  uint64_t receive_timer = 0;

  // How often it has been suspended, and what it does when that is over.
  uint64_t suspensions = 0;
  Status resumes_as = Status::Runnable;

  bool has_tables = false;  // it has, or had, ETS tables of its own, or fixed some
  // Its exit has begun (signals.h): it runs no more code, and gets no more signals. Others still
  // find its pid, its name and its tables until its exit gets to them.
  bool is_exiting = false;
  bool ends_by_link = false;  // because of the exit of a process that it was linked to

  // ---- Values
  Value dictionary;  // a map
  Value flags;       // a map: those of process_flag/2 that are not at their defaults
  Value group_leader;
  Value name = Value::none();  // registered
  Value links;                 // a map: pid => true
  Value monitors;              // a map: reference => {pid, what was asked for, tag}
  Value monitored_by;          // a map: reference => pid
  Value aliases;               // a map: reference => AliasMode (signals.h)
  Value suspending;            // a map: pid => how often it has suspended that one
  // Of an observed machine: monitors that it has removed, and their messages. As `monitors`.
  Value demonitored;
  Value exit_reason = Value::none();     // of the signal that has ended it
  const uint64_t* redirected = nullptr;  // while it is running: see Machine::redirect

  // ---- The queue of those that can run
  Process* next = nullptr;
  Process* previous = nullptr;

  // What a collection must visit, beside the stack.
  template <class Visitor>
  void visit_values(Visitor&& visit) {
    for (Value& message : mailbox.messages()) visit(message);
    visit(lineage);
    visit(dictionary);
    visit(flags);
    visit(group_leader);
    visit(links);
    visit(monitors);
    visit(monitored_by);
    visit(aliases);
    visit(suspending);
    visit(demonitored);
    visit(exit_reason);
  }
};

}  // namespace fathom::machine
