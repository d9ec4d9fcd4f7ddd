// The machine: runs Erlang code deterministically, inside this process.
//
// Instructions are functions that end by calling the next one (interpreter.h);
// what they need at every step travels in their arguments, the rest is here. The
// C++ stack is not used for Erlang's: an Erlang frame is a piece of the process's
// own stack.
//
// Safe points are the calls. There a process may be stopped, code may be loaded,
// the stack may move, the heap may be collected; nowhere else.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "machine/code_table.h"
#include "machine/heap.h"
#include "machine/native.h"
#include "machine/shared_state.h"

namespace fathom::machine {

// Where code comes from: a module by its name, read and lowered, or null if there is
// none. A module that is there but cannot be read is an error.
struct ModuleSource {
  virtual ~ModuleSource() = default;
  struct Found {
    std::unique_ptr<const Unit> unit;
    std::unique_ptr<const core::Module> core;
  };
  virtual Result<std::optional<Found>> find(Atom module) = 0;
};

struct Limits {
  uint64_t reductions = UINT64_MAX;
  size_t memory = size_t{4} << 30;  // bytes
  double seconds = 0;               // 0: none
};

struct Exception {
  Value exception_class;
  Value reason;
  Value trace;  // raw, see exceptions.cc; or a list, from erlang:raise/3
};

// How a run ended.
struct Outcome {
  enum class Kind : uint8_t { Value, Exception, Unsupported, Limit, Halt };
  Kind kind = Kind::Value;
  Value value;            // the value, or the reason of the exception
  Value exception_class;  // of the exception
  Value trace;            // of the exception: a list
  std::string message;    // Unsupported, Limit: what was met
  int exit_code = 0;      // Halt
};

struct Process {
  Value pid;
  std::vector<Value> stack;
  std::vector<Value> mailbox;
  size_t mailbox_next = 0;  // what a receive looks at
  Value dictionary;         // a map
  Value flags;              // a map: those of process_flag/2 that are not at their defaults
  Value group_leader;
};

struct Statistics {
  uint64_t reductions = 0;
  uint64_t collections = 0;
  uint64_t full_collections = 0;
  size_t peak_heap = 0;
};

class Machine {
 public:
  Machine(ModuleSource& source, Limits limits);
  ~Machine();

  // Runs module:name(arguments) in a process of its own.
  Outcome run(Atom module, Atom name, std::span<const Value> arguments);

  Heap& heap() { return heap_; }
  CodeTable& code() { return code_; }
  Process& process() { return process_; }
  const Statistics& statistics() const { return statistics_; }
  SharedState& shared() { return shared_; }
  // What the program wrote.
  std::string output;

  // The virtual clock: nanoseconds since the machine began. It stands still but for
  // a microsecond at each look at it.
  int64_t read_clock() { return clock += 1000; }
  int64_t clock = 0;

  uint64_t next_reference() { return ++references_; }
  uint64_t next_unique() { return ++unique_; }

  // Loads it if it is not there; null if there is no such module.
  LoadedModule* ensure_module(Atom name);
  // The list of the frames of a raw trace.
  Value stacktrace(Value raw);

  // ---- For the interpreter and native functions (interpreter.h)

  // The exception that is being raised, and the frame above the function in which
  // it is raised: {Module, Name, Arguments, Extra}, or none().
  struct Pending {
    Exception exception;
    Value top = Value::none();
    Value arguments = Value::none();  // of the raising function itself, if known
    Value extra = Value::nil();       // what its frame says beside its place
    bool in_caller = false;           // no frame for the native function
    bool replaces_frame = false;      // `top` stands for the raising function's own frame
    bool has_trace = false;
    // Instead of an exception: a call to go on with.
    const Export* call = nullptr;
    std::vector<Value> call_arguments;
    bool unsupported = false;
    std::string message;
  };
  Pending pending;
  int64_t fuel = 0;  // calls until the next look at the limits
  Value* stack_end = nullptr;
  uint64_t* heap_limit = nullptr;
  Context context;
  bool stopped = false;
  std::optional<Outcome> outcome;

  // Room for a frame at `fp`, code for the function, and a look at the limits. The
  // frame may move: returns where it is. Null: the run is over, or an exception is
  // pending.
  Value* prepare_call(Function* function, Value* fp, uint32_t arguments);
  // Finds who implements it, loading its module if need be.
  bool resolve(Export* target);
  // Room for fp[0] to fp[words]; the stack may move.
  Value* ensure_stack(Value* fp, size_t words);
  // The frame of a native function that failed.
  Value native_frame(const Export* target, std::span<const Value> arguments);
  Value error_info(Atom module);
  Value location(const Function& function, core::NodeId node);
  // "; called from m:f/1 (file:line)", for messages.
  std::string called_from(const Value* fp);
  Value capture_trace(const uint64_t* pc, core::NodeId node, const Value* fp);
  void stop(Outcome::Kind kind, std::string message);
  void collect(Value* fp, uint32_t arguments);

 private:
  void visit_stack(class Collector& collector, Value* fp, uint32_t arguments);
  Value* grow_stack(Value* fp, size_t needed);
  static std::string file_of(const LoadedModule& module, core::AstId node);
  bool check_limits(const Function& next);

  Heap heap_;
  CodeTable code_;
  ModuleSource& source_;
  Limits limits_;
  Statistics statistics_;
  Process process_;
  SharedState shared_;
  uint64_t references_ = 0;
  uint64_t unique_ = 0;
  double deadline_ = 0;
};

}  // namespace fathom::machine
