// What processes do to each other, beside messages: links, monitors, exit signals,
// aliases. Signals arrive at once, but for those that take time (takes_time in
// signals.cc): on an observed machine exit signals that end their receiver, and all of
// them if Mode::delays_delivery is set.
//
// Links and monitors are kept in immutable maps at both ends, so that a change is one
// word in the journal. How a process ends is in exit.h.
#pragma once

#include "machine/machine.h"

namespace fathom::machine {

void link(Machine& m, Process& a, Process& b);
void unlink(Machine& m, Process& a, Value b);
// A process that traps exits links to one that has ended: the exit signal is noproc.
void refuse_link(Machine& m, const Process& by, Value to);

// When `to` ends, `by` gets {Tag, Reference, process, Item, Reason}. `to` may be null: it
// has ended already.
void monitor(Machine& m, Process& by, Process* to, Value reference, Value item, Value tag);
// The same where the other one knows of it only when the signal has arrived: since all signals take
// time, or since it waits behind others on their way. False: it does not, and nothing was done.
bool link_by_signal(Machine& m, Process& by, Value to);
bool unlink_by_signal(Machine& m, Process& by, Value to);
bool monitor_by_signal(Machine& m, Process& by, Value to, Value reference, Value item, Value tag);
// Whether there was such a monitor. Quiet: nobody will know, and its message is flushed; so
// whether the other one has ended does not matter.
bool demonitor(Machine& m, Process& by, Value reference, bool is_quiet);

// Until when an alias holds.
enum class AliasMode : uint8_t {
  Explicit,        // until unalias/1
  Demonitor,       // or the monitor of that reference is gone
  Reply,           // or the first message
  ReplyDemonitor,  // or either; a message ends the monitor too
};
void add_alias(Machine& m, Process& p, Value reference, AliasMode mode);
// Whether there was such an alias.
bool remove_alias(Machine& m, Process& p, Value reference);
// Whether a message to the reference is one to the process; does what follows from it.
bool use_alias(Machine& m, Process& p, Value reference);

void send_message(Machine& m, const Process& from, Process& to, Value message,
                  const MessageLabels& labels = {});
// To a pid: the process may have ended.
void send_message(Machine& m, const Process& from, Value to, Value message,
                  const MessageLabels& labels = {});
// To the process that the reference is an alias of, if there is one.
void send_to_alias(Machine& m, const Process& from, Value reference, Value message,
                   const MessageLabels& labels = {});
// The oldest signal on its way between the two arrives. False: there is none.
bool arrive(Machine& m, Value from, Value to);
// For what the running process does to another one at once, or sees of it: the signals
// that it has sent it before have arrived. The process may be exiting. Null: it has ended, or the
// pid is none.
Process* reach(Machine& m, Value pid);
// What OTP looks up without a signal. Null: the process has ended or is exiting, or the pid is
// none.
Process* look_up(Machine& m, Value pid);
// As reach() for what OTP leaves to the other process to do, and waits for: if that is exiting, its
// exit comes first.
Process* ask(Machine& m, Value pid);
// The same where OTP does not wait for one that is exiting.
Process* ask_living(Machine& m, Value pid);

// `to` does not go on until `by` has resumed it as often as it has suspended it, or has
// ended.
void suspend(Machine& m, Process& by, Process& to);
// The same where all signals take time: it is suspended when the signal has arrived, and `by` gets
// the answer, {Tag, Result}, or {Tag, exited} if it comes too late; nil: no answer. False: they do
// not, or `to` has ended, and nothing was done.
bool suspend_by_signal(Machine& m, Process& by, Value to, Value answer);
// False: `by` has not suspended it.
bool resume(Machine& m, Process& by, Value to);

// Whether exit signals become messages to it.
bool traps_exits(const Process& p);
// As erlang:exit/2 sends it.
void exit_signal(Machine& m, const Process& from, Value to, Value reason);
// What the exit of a process means to others (exit.h): those linked to it and those that monitor
// it get signals, those that it has suspended go on.
void signal_exit(Machine& m, Process& p, Value reason);

}  // namespace fathom::machine
