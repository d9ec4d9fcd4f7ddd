// Tracing, as erlang:trace/3 and trace_pattern/3 turn it on: which processes are traced and by
// whom, of which functions the calls are told, and the messages that tell it. What BEAM does with
// breakpoints is done with entries here: a function whose calls are traced has none
// (Function::entry), so that a call of it takes the slow way, which asks trace_call(). Code that
// is not traced costs nothing more.
//
// A call whose return is told has a frame of its own below the callee's (kTraceSite): one register
// with what was called, and an instruction behind the call that tells the return. An exception that
// goes through that frame is told too.
//
// Everything is in immutable maps (SharedState::tracing), so going back is a few words; entries are
// in the journal. Not here: observed and labelled machines, tracers that are ports or modules,
// times of calls, scheduling, collections, `return_to`.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>

#include "machine/machine.h"

namespace fathom::machine {

namespace trace_flag {
inline constexpr uint32_t kSend = 1;
inline constexpr uint32_t kReceive = 2;
inline constexpr uint32_t kProcesses = 4;
inline constexpr uint32_t kCall = 8;
inline constexpr uint32_t kSilent = 16;
inline constexpr uint32_t kArity = 32;
inline constexpr uint32_t kSetOnSpawn = 64;
inline constexpr uint32_t kSetOnFirstSpawn = 128;
inline constexpr uint32_t kSetOnLink = 256;
inline constexpr uint32_t kSetOnFirstLink = 512;
inline constexpr uint32_t kTimestamp = 1024;
inline constexpr uint32_t kMonotonic = 2048;
inline constexpr uint32_t kStrictlyMonotonic = 4096;
}  // namespace trace_flag

struct Traced {
  uint32_t flags = 0;
  Value tracer;
};

// What is told of the calls of a function: an entry of Tracing::functions.
struct TracedFunction {
  enum class Calls : uint8_t { None, Global, Local };
  Calls calls = Calls::None;
  Value spec = Value::nil();   // a match specification
  Value meta = Value::none();  // who is told of all calls, whoever makes them
  Value meta_spec = Value::nil();
  Value count = Value::none();  // how many there were
  bool is_paused = false;

  bool is_empty() const { return calls == Calls::None && meta.is_none() && count.is_none(); }
};

bool is_tracing(Machine& m);
std::optional<Traced> traced(Machine& m, Value pid);
void set_traced(Machine& m, Value pid, const Traced& traced);  // no flags: not traced
std::optional<TracedFunction> traced_function(Machine& m, const Mfa& function);
void set_traced_function(Machine& m, const Mfa& function, const TracedFunction& how);

// ---- What happens; each does nothing if nobody is told of it.

void trace_spawn(Machine& m, const Process& parent, const Process& child, Value call);
void trace_exit(Machine& m, const Process& p, Value reason);
// Of the processes flag: {Tag, Whom}.
void trace_process(Machine& m, const Process& p, std::string_view tag, Value whom);
void trace_link(Machine& m, const Process& p, Value to);
void trace_send(Machine& m, const Process& from, Value destination, Value message, bool is_there);
void trace_receive(Machine& m, const Process& to, Value message);

// ---- Calls

// Calls of natives that tell something of a call while a specification runs (trace actions).
struct TraceActions {
  Value message = Value::none();
  Value caller;
  bool returns = false;
  bool exceptions = false;
};
TraceActions*& running_trace_actions();

// Tells of a call of the function, whose arguments begin at `fp`, from the instruction at `pc`.
// Returns where the frame begins now. The function's entry is there again if it is not traced.
Value* trace_call(Machine& m, const uint64_t* pc, Value* fp, Function& function);
// Takes the entry away from a function whose calls are traced.
void hide_if_traced(Machine& m, Function& function);
// The same of a native function; what it returns, or none(), is told by the second one if the first
// one says so.
std::optional<Traced> trace_native_call(Machine& m, const Export& function,
                                        std::span<const Value> arguments);
void trace_native_return(Machine& m, const Traced& traced, const Export& function, Value result);

// The frame of a call whose return is told.
extern const uint64_t kTraceSite[];
void trace_return(Machine& m, Value call, Value result);
void trace_exception(Machine& m, Value call, Value exception_class, Value reason);

}  // namespace fathom::machine
