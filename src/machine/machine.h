// The machine: runs Erlang code deterministically, inside this process.
//
// Instructions are functions that end by calling the next one (interpreter.h);
// what they need at every step travels in their arguments, the rest is here. The
// C++ stack is not used for Erlang's: an Erlang frame is a piece of the process's
// own stack.
//
// Safe points are the calls. There a process may be paused, code may be loaded,
// the stack may move, the heap may be collected; nowhere else.
//
// A driver (driver.h) starts a process and then decides again and again which one goes on:
//
//   m.start(module, name, arguments);
//   while (!m.outcome && (p = some process that is Runnable)) m.resume(*p, reductions);
//
// If the machine is observed (mode.h), resume() also returns when the process stands before
// an event (event.h), which the next resume() of it performs; events() then has it. So
// a driver can decide about every event.
//
// Between two calls of resume() it may mark() the state of the machine, and later
// rewind() to it. Marks nest. What is not part of that state: loaded code (the same
// whenever it is loaded), statistics, limits.
//
// What the machine consists of is in its parts, each of which says what it holds: heap and
// journal, code, processes, tables, what processes share, the clock, what is reported. Here
// is what needs several of them: steps, stacks and collections, calls, limits.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "code/code_table.h"
#include "machine/call_recorder.h"
#include "machine/clock.h"
#include "machine/ets.h"
#include "machine/event.h"
#include "machine/event_recorder.h"
#include "machine/inputs.h"
#include "machine/interpreter_state.h"
#include "machine/journal.h"
#include "machine/mode.h"
#include "machine/module_source.h"
#include "machine/native.h"
#include "machine/outcome.h"
#include "machine/output.h"
#include "machine/process_table.h"
#include "machine/shared_state.h"
#include "machine/unique_numbers.h"
#include "machine/unknowns.h"
#include "machine/use_recorder.h"
#include "values/heap.h"

namespace fathom::machine {

// Beside the thread's budget (base/budget.h).
struct Limits {
  uint64_t reductions = UINT64_MAX;
  bool files = true;  // whether the program may read files
};

struct Statistics {
  uint64_t reductions = 0;
  uint64_t collections = 0;
  uint64_t full_collections = 0;
  size_t peak_heap = 0;
};

class Machine {
 public:
  // `natives` and `source` must outlive it.
  Machine(ModuleSource& source, const NativeTable& natives, Limits limits, Mode mode = {});
  ~Machine();

  // Runs module:name(arguments) in a process of its own, and those that it starts
  // beside it in turn, until it ends.
  Outcome run(Atom module, Atom name, std::span<const Value> arguments);

  // ---- For drivers

  // The first process: when it ends there is an outcome.
  Process& start(Atom module, Atom name, std::span<const Value> arguments);
  // Lets a process that is runnable go on, until it waits, ends, stands before an event,
  // or has made about so many calls.
  void resume(Process& p, int64_t reductions);
  // Lets a timer fire, now. If nothing else could happen before, the time is then at least
  // what it was set to; else it is so only for the process whose receive it ends.
  void fire(uint64_t timer);
  // The oldest of the signals in transit from the one process to the other arrives; there
  // must be one.
  void arrive(Value from, Value to);
  // Whether its end is the end of the run.
  bool is_first(const Process& p) const { return p.pid == first_pid_; }
  // What that process was started with.
  const Mfa& first_call() const { return first_call_; }
  // The run is over.
  std::optional<Outcome> outcome;

  // The state between two steps of a run that is not over. rewind() goes back to it, as
  // often as one likes; the marks made since are gone. release() forgets the last mark
  // and changes nothing. Going back costs what has changed.
  struct Mark {
    Heap::Mark heap;
    Journal::Mark journal;
  };
  Mark mark();
  void rewind(const Mark& mark);
  void release();

  // ---- Its parts

  const Mode& mode() const { return mode_; }
  const Limits& limits() const { return limits_; }
  const Statistics& statistics() const { return statistics_; }
  ModuleSource& source() { return source_; }
  Heap& heap() { return heap_; }
  Journal& journal() { return journal_; }
  CodeTable& code() { return code_; }
  ProcessTable& processes() { return processes_; }
  SharedState& shared() { return shared_; }
  Tables& tables() { return tables_; }
  Clock& clock() { return clock_; }
  UniqueNumbers& numbers() { return numbers_; }
  EventRecorder& events() { return events_; }
  const EventRecorder& events() const { return events_; }
  Output& output() { return output_; }
  CallRecorder& calls() { return calls_; }
  UseRecorder& uses() { return uses_; }
  Inputs& inputs() { return inputs_; }
  // What Fathom's own Erlang code reports to the command that runs the machine; see
  // src/natives/notes.cc. Values are valid during the call only.
  std::function<void(Value)> on_note;
  // Who knows about unknown values; null: there are none.
  Unknowns* unknowns = nullptr;
  // Services (services.h) that were ever started, also in states that the machine has left: a bit
  // for each.
  uint64_t services_used = 0;
  Context context;
  InterpreterState state;

  // ---- Processes

  Process& process() { return *state.process; }  // the one that runs
  // A process that will apply(Module, Name, Arguments).
  Process& spawn(Value module, Value name, Value arguments);
  // One that belongs to the system (services.h).
  // `reserved`: see ProcessTable::add.
  Process& spawn_system(Atom module, Atom name, std::span<const Value> arguments,
                        uint64_t reserved = 0);
  // Inside a step of the running process, or between two steps: lets services go on, until all of
  // them wait or have ended. Nothing is collected meanwhile, so it is for what does not take long.
  void let_services_run_now();
  // A message arrives.
  void deliver(Process& to, Value message, Value monitor = Value::none(),
               const MessageLabels& labels = {});
  // The same of a message that tells what is traced.
  void deliver_untraced(Process& to, Value message, Value monitor = Value::none(),
                        const MessageLabels& labels = {});
  // Whatever it waits for has come; one that is suspended will see it later.
  void wake(Process& p);
  // The running process forgets what it was doing, and goes on with apply(Module, Name,
  // Arguments) when it has a message.
  void hibernate(Value module, Value name, Value arguments);
  // The process has ended. If it was the first one, the run is over.
  void end_process(Process& p, Value reason, Outcome how);
  // The process forgets what it was doing and goes on there, at an instruction that has no frame.
  void redirect(Process& p, const uint64_t* code);
  // A process whose values have changed is visited by the next collection.
  void mark_dirty(Process& p);
  void stop(Outcome::Kind kind, std::string message);

  // ---- Code

  // Loads it if it is not there; null if there is no such module.
  LoadedModule* ensure_module(Atom name);
  // Finds who implements it, loading its module if need be.
  bool resolve(Export* target);
  // Room for a frame at `fp`, code for the function, and a check of the limits. The
  // frame may move: returns where it is. Null: the run is over.
  Value* prepare_call(Function* function, Value* fp, uint32_t arguments);
  // Room for fp[0] to fp[words]; the stack may move.
  Value* ensure_stack(Value* fp, size_t words);
  // To at least so many words.
  void grow_stack_of(Process& p, size_t words);
  // The interpreter is about to run on it.
  void use_stack_of(Process& p);
  void reenter(Value* fp);

  // ---- Pausing and events

  // The running process stops before events. Services do not.
  bool stops_at_events() const { return mode_.is_observed && !state.process->is_system; }
  bool in_service() const { return state.process && state.process->is_system; }
  // Before an event, if so; `fp`: the frame, or none. True: it is to be performed, and is reported.
  // False: the process must pause here; its next step is the event.
  bool performs(EventKind kind, const uint64_t* pc, core::NodeId node, const Value* fp);
  // The running process stops at this place, where `live` words of its frame matter.
  void pause(const uint64_t* pc, Value* fp, size_t live);
  // It stops before an event, in front of the instruction.
  void pause_before_event(const uint64_t* pc, Value* fp, size_t live);
  // Or in front of the call of a native function, whose arguments lie in their place.
  void pause_before_call(const uint64_t* pc, Value* fp, const Export* target);

 private:
  static constexpr int64_t kFuel = 20'000;  // calls between two checks of the limits

  // A module that only the code path of the program itself has.
  Result<std::optional<ModuleSource::Found>> find_in_added(Atom name);
  void visit_stack(class Collector& collector, Process& p, bool everything);
  void collect();
  Value* grow_stack(Value* fp, size_t needed);
  bool check_limits(const Function* next);
  void run_loop_of(Process& p);
  void refuel();
  void count_reductions();
  void let_run(Process& p, int64_t reductions);
  void let_services_run();
  // `process`: it is in the table, with no code yet.
  Process& set_up(Process& process, const Process* parent, Value module, Value name,
                  Value arguments);
  void park(const uint64_t* pc, Value* fp, size_t live);
  void protect(Process& p);
  bool wants_collection() const {
    return !journal_.active() && nested_ == 0 &&
           (heap_.top() > state.heap_limit || heap_.wants_collection());
  }

  Heap heap_;
  Journal journal_;
  CodeTable code_;
  ModuleSource& source_;
  const NativeTable& natives_;
  Limits limits_;
  Mode mode_;
  Statistics statistics_;
  ProcessTable processes_{journal_};
  Value first_pid_ = Value::none();
  Mfa first_call_;
  SharedState shared_;
  Tables tables_{heap_, journal_};
  Clock clock_{journal_};
  UniqueNumbers numbers_{journal_};
  EventRecorder events_;
  Output output_{journal_};
  CallRecorder calls_;
  UseRecorder uses_;
  Inputs inputs_;
  // Counts marks, rewinds and collections: see Process::watermark.
  uint64_t epoch_ = 1;
  std::vector<Value> dirty_;       // pids of the processes that have changed in this epoch
  bool everything_dirty_ = false;  // or nobody knows which
  int64_t budget_ = 0;             // calls that the running process may make, beside its fuel
  int64_t portion_ = 0;            // of which it was given this much as fuel
  size_t nested_ = 0;              // calls of let_services_run_now that are going on
  int64_t unchecked_ = 0;          // calls of all processes since the last check of the limits
};

}  // namespace fathom::machine
