// The exit of a process, step by step.
//
// A process that exits gives up what it has in OTP's order, and others can look in between: its
// tables one by one, oldest first; the tables that it has fixed; its name; then it is no longer
// alive, and those linked to it get an exit signal, those that monitor it a 'DOWN' message. Where
// the machine is observed each of these is an event of the process: Exiting, and at last Exit. A
// process that has neither tables nor a name exits in one event. Otherwise all of it is done at
// once.
//
// A process begins to exit by itself, when its first function has returned or an exception is
// not caught, or because an exit signal arrives (begin_exit). Either way it runs no more code. It
// stands before the next step of its exit as other processes do before their events, at one of
// the instructions Finish, Die and EndBySignal.
//
// Example: P.1 has the name srv. exit(P1, kill) by P sends a signal. When it arrives P.1 begins to
// exit; whereis(srv) is still P.1's pid. P.1 performs Exiting: the name is free. P.1 performs Exit:
// it is gone, and its monitors know.
#pragma once

#include "machine/machine.h"

namespace fathom::machine {

struct Ending {
  Value reason;  // what others get to know
  Outcome how;   // what it means for a run of which it was the first process
};

// The running process performs the next step of its exit, or stops before it. `live` words of its
// frame matter.
void exit_step(Machine& m, const uint64_t* pc, Value* fp, size_t live);

// A signal ends the process. No effect if its exit has begun.
void begin_exit(Machine& m, Process& p, Value reason, bool by_link);

// Performs what is left of an exit that has begun, within a step of another process: that one
// asks for an answer, which OTP gives when the process has ended.
void finish_exit(Machine& m, Process& p);

// Whether a process stands before its exit, and nothing follows from that: no process is
// notified, and it leaves nothing that another one could see.
bool has_invisible_exit(const Machine& m, const Process& p);
// It exits, without an event. There must be a mark.
void exit_invisibly(Machine& m, Process& p);

}  // namespace fathom::machine
