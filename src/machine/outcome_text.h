// The end of a run in words, for people.
#pragma once

#include <string>
#include <string_view>

#include "machine/machine.h"
#include "values/convert.h"

namespace fathom::machine {

// An entry of a stack trace, read from its term.
struct StackFrame {
  std::string module;
  std::string function;  // "f/1"; with the arguments, where the trace has them: "f(1)"
  std::string file;      // empty: unknown
  int64_t line = 0;

  std::string text() const;  // "m:f/1  (file:line)"
};
// Of a term that is not an entry of a stack trace: only its text, as `function`.
StackFrame stack_frame(Value frame, const PidNames& pid_names = {});

// Where a process waits, and what has come for it: "<0.5.0> waits in m:f/1 …: no message
// has come".
std::string waiting_text(Machine& m, const Process& p);

// The receive in which a process waits; none: it does not wait in one.
std::optional<core::NodeId> waiting_node(Machine& m, const Process& p);
// What that would take: "{reply, _} or stop"; empty if nobody can tell.
std::string awaited_text(Machine& m, const Process& p);

inline constexpr std::string_view kDeadlock =
    "deadlock: every process waits for a message that nobody can send";
// Nothing can happen any more: which processes wait where, and what for them has come.
std::string deadlock_text(Machine& m);

// A value as ~p prints it, on one line.
std::string value_text(Value value);
// The same, with names for pids.
std::string named_value_text(Value value, const PidNames& pid_names);

// The same, broken into lines as ~p does it if it is long: by OTP's own io_lib, on the
// machine, whose run is over.
std::string pretty_text(Machine& m, Value value);

// "error: badarg" and a line for each frame of the trace; what is unsupported and the
// frames beyond the one that its message names; the message of a limit or of a
// deadlock. Empty for a value and for halt.
std::string outcome_text(const Outcome& outcome);

}  // namespace fathom::machine
