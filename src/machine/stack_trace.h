// Stack traces: where an exception was raised, and where a process is.
//
// A trace is kept raw until it is needed: a tuple of the frame above the
// raising function (or []), the arguments of that function if they belong into the
// trace (or an atom), what else belongs into its frame (a list), and then pairs of an
// address in the code and a node, as integers. As in OTP at most kTraceDepth frames are
// kept, and of equal ones in a row one.
#pragma once

#include <span>
#include <string>

#include "machine/machine.h"

namespace fathom::machine {

// As in OTP eight frames, unless one wants more.
inline constexpr size_t kTraceDepth = 8;

// Of the pending exception (InterpreterState::pending), raw.
Value capture_trace(Machine& m, const uint64_t* pc, core::NodeId node, const Value* fp,
                    size_t frames = kTraceDepth);
// The list of the frames of a raw trace.
Value stack_trace(Machine& m, Value raw);
// Where a process is that does not run now.
Value stack_trace(Machine& m, const Process& p);

// The innermost handler of what is raised at that place of the function; null: there is none.
inline const Handler* handler_at(const Function& function, const uint64_t* pc) {
  const auto offset = static_cast<uint32_t>(pc - function.code.data());
  for (const Handler& handler : function.handlers) {
    if (offset >= handler.from && offset < handler.to) return &handler;
  }
  return nullptr;
}
// Whether the process would catch what is raised there.
bool is_caught(Machine& m, const uint64_t* pc, const Value* fp);

// The frame of a native function that failed.
Value native_frame(Machine& m, const Export* target, std::span<const Value> arguments);
// [{file, File}, {line, Line}], as frames have it.
Value location(Machine& m, const Function& function, core::NodeId node);

// "; called from m:f/1 (file:line)", for messages: the caller of the frame.
std::string called_from(Machine& m, const Value* fp);
// A native function has ended the run: if because it is not modelled, says which it is
// and where it was called.
void name_unsupported(Machine& m, const Export& callee, const uint64_t* pc, core::NodeId node,
                      const Value* fp);

}  // namespace fathom::machine
