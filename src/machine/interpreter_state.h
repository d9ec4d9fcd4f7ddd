// What the interpreter needs beside the arguments of its instructions (interpreter.h), and who
// runs. Valid while a process runs; between two steps of a driver nothing of it matters.
#pragma once

#include <cstdint>
#include <vector>

#include "code/code.h"
#include "machine/process.h"

namespace fathom::machine {

struct Exception {
  Value exception_class;
  Value reason;
  Value trace;  // raw, see exceptions.cc; or a list, from erlang:raise/3
  // Of a labelled machine: kNoLabel: that of who raises.
  Label class_label = kNoLabel;
  Label reason_label = kNoLabel;
};

// The exception that is being raised, and the frame above the function in which
// it is raised: {Module, Name, Arguments, Extra}, or none().
struct Pending {
  Exception exception;
  Value top = Value::none();
  Value arguments = Value::none();  // of the raising function itself, if known
  Value extra = Value::nil();       // what its frame says beside its place
  Value cause = Value::none();      // what error_info says beside the module
  bool in_caller = false;           // no frame for the native function
  bool replaces_frame = false;      // `top` stands for the raising function's own frame
  bool has_trace = false;
  // Instead of an exception: a call to go on with.
  const Export* call = nullptr;
  std::vector<Value> call_arguments;
  bool unsupported = false;
};

struct InterpreterState {
  Process* process = nullptr;  // the one that runs
  Pending pending;
  // Where the loop of the interpreter goes on.
  struct Step {
    const uint64_t* pc;
    Value* fp;
    uint64_t* hp;
  };
  Step next_step{};
  int64_t fuel = 0;  // calls until the next check of the limits
  Value* stack_end = nullptr;
  size_t label_distance = 0;  // from a word of the stack to its labels, in bytes
  // A frame below has not been changed since the last mark or collection: a return
  // to it calls Machine::reenter first.
  Value* watermark = nullptr;
  // Once the top of the heap is beyond, the next call checks heap and limits.
  uint64_t* heap_limit = nullptr;
  bool stopped = false;  // the process must not go on: it has paused, or all is over
  const uint64_t* receive_place = nullptr;  // of its ReceivePeek
  uint64_t services_starting = 0;           // see services.cc; 0 between two steps
};

}  // namespace fathom::machine
