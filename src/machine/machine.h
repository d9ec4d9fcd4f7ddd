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
// Whoever drives a machine (driver.h) starts a process and then decides again and again
// which one goes on:
//
//   m.start(module, name, arguments);
//   while (!m.outcome && (p = some process that is Runnable)) m.resume(*p, reductions);
//
// If the machine is observed, resume() also returns when the process stands before an
// event (event.h), which the next resume() of it performs; event() then tells of it. So
// whoever wants to decide about every event can.
//
// Between two calls of resume() it may mark() the state of the machine, and later
// rewind() to it. Marks nest. What is not part of that state: loaded code (the same
// whenever it is loaded), statistics, limits.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "code/code_table.h"
#include "machine/ets.h"
#include "machine/event.h"
#include "machine/journal.h"
#include "machine/native.h"
#include "machine/process_table.h"
#include "machine/shared_state.h"
#include "values/heap.h"

namespace fathom::machine {

// Where code comes from: a module by its name, read and lowered, or null if there is
// none. A module that is there but cannot be read is an error.
struct ModuleSource {
  virtual ~ModuleSource() = default;
  struct Found {  // immutable: machines may share it
    std::shared_ptr<const Unit> unit;
    std::shared_ptr<const core::Module> core;
  };
  virtual Result<std::optional<Found>> find(Atom module) = 0;

  // What programs ask of code without calling it. By default there is nothing to tell.

  // An application and its directory.
  struct Application {
    std::string name;
    std::string dir;  // absolute
  };
  // Those of the code path, in its order.
  virtual std::vector<Application> applications() { return {}; }
  // The file that find() would read; "" if none, or if it is in no file.
  virtual std::string file_of(Atom /*module*/) { return {}; }
  // The same for a directory that was added to the code path during the run.
  virtual Result<std::optional<Found>> find_in(const std::string& /*dir*/, Atom /*module*/) {
    return std::optional<Found>();
  }
  virtual std::string root_dir() { return {}; }  // of OTP
};

struct Limits {
  uint64_t reductions = UINT64_MAX;
  size_t memory = size_t{4} << 30;  // bytes
  double seconds = 0;               // 0: none
  bool files = true;                // whether the program may read files
};

struct Exception {
  Value exception_class;
  Value reason;
  Value trace;  // raw, see exceptions.cc; or a list, from erlang:raise/3
};

// How a run ended.
struct Outcome {
  enum class Kind : uint8_t { Value, Exception, Unsupported, Limit, Deadlock, Halt };
  Kind kind = Kind::Value;
  Value value;            // the value, or the reason of the exception
  Value exception_class;  // of the exception
  Value trace;            // of the exception, or of what is unsupported: a list
  std::string message;    // Unsupported, Limit, Deadlock: what was met
  int exit_code = 0;      // Halt
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
  Machine(ModuleSource& source, const NativeTable& natives, Limits limits);
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
  // From now on processes stop before events. To be called before start().
  void observe();
  // From now on signals between processes are on their way until arrive() is called for
  // the two, for each. To be called before start().
  void let_signals_wait() { signals_wait_ = true; }
  // From now on the run is not over when the first process has ended. To be called before
  // start().
  void outlive_first_process() { outlives_first_ = true; }
  // From now on nothing is logged: what would be is not even made. To be called before
  // start().
  void silence();
  bool is_silent() const { return is_silent_; }
  // From now on events tell what tables hold for the keys that they change.
  void record_changes() { records_changes_ = true; }
  bool records_changes() const { return records_changes_; }
  bool signals_wait() const { return signals_wait_; }
  // The oldest of those from the one process to the other arrives; there must be one.
  void arrive(Value from, Value to);
  // What the last resume(), fire() or arrive() has performed. Its kind is None if that was nothing.
  const Event& event() const { return *event_; }
  // From now on it is told there; null: as it was at first.
  void report_to(Event* into) { event_ = into ? into : &own_event_; }
  // Whether a receive, of an event that has happened and has not been taken back, would
  // take the message if there were no other.
  bool would_take(const Event& receive, Value message);
  // Whether a process stands before its end, and nothing follows from that: nobody is told,
  // and it leaves nothing behind.
  bool has_invisible_exit(const Process& p) const;
  // It ends, without an event. There must be a mark.
  void exit_invisibly(Process& p);
  // The receive in which a process waits, to ask that of it. False: it waits in none.
  bool find_receive(const Process& p, Event& event);
  ProcessTable& processes() { return processes_; }
  // Whether its end is the end of the run.
  bool is_first(const Process& p) const { return p.pid == first_pid_; }
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

  Heap& heap() { return heap_; }
  CodeTable& code() { return code_; }
  ModuleSource& source() { return source_; }
  const NativeTable& natives() const { return natives_; }
  Journal& journal() { return journal_; }
  Process& process() { return *current_; }  // the one that runs
  const Limits& limits() const { return limits_; }
  const Statistics& statistics() const { return statistics_; }
  SharedState& shared() { return shared_; }
  Tables& tables() { return tables_; }
  // What the program wrote.
  const std::string& output() const { return output_; }
  void write(std::string_view text);
  // What Fathom's own Erlang code has to tell whoever drives the machine; see
  // src/natives/notes.cc. Values are valid during the call only.
  std::function<void(Value)> on_note;

  // The virtual clock. It stands still while anything can happen; but whoever waits for it
  // to go on, and looks at it all the time, will see that.
  int64_t read_clock();
  // Whether anybody has, since it was made.
  bool has_read_clock() const { return has_read_clock_; }
  int64_t clock() const { return shared_.counters.clock; }
  // As the running process has it: it may be ahead, see fire().
  int64_t own_clock() const { return std::max(clock(), current_->clock); }
  // Numbers that are given out once. Where a run can go back, they are the process's own,
  // so that they do not depend on what others do.
  uint64_t next_reference() { return own_number(shared_.counters.references); }
  uint64_t next_unique() { return own_number(shared_.counters.unique); }
  // And one larger than all before.
  uint64_t next_ascending() { return count(shared_.counters.ascending, 1); }

  // A process that will apply(Module, Name, Arguments).
  Process& spawn(Value module, Value name, Value arguments);
  // One that belongs to the system (services.h).
  Process& spawn_system(Atom module, Atom name, std::span<const Value> arguments);
  // Inside a step of the running process: lets services go on, until all of them wait or
  // have ended. Nothing is collected meanwhile, so it is for what does not take long.
  void let_services_run_now();
  // A message arrives.
  void deliver(Process& to, Value message, Value monitor = Value::none());
  // Whatever it waits for has come; one that is suspended will see it later.
  void wake(Process& p);
  // The running process forgets what it was doing, and goes on with apply(Module, Name,
  // Arguments) when it has a message.
  void hibernate(Value module, Value name, Value arguments);

  // Loads it if it is not there; null if there is no such module.
  LoadedModule* ensure_module(Atom name);
  // The list of the frames of a raw trace.
  Value stacktrace(Value raw);
  // "file:line"; empty where there is no function.
  static std::string place_text(const Function* function, core::NodeId node);
  // Where a process is that does not run now.
  Value stacktrace(const Process& p);

  // ---- For the interpreter and native functions (interpreter.h)

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
  Pending pending;
  // Where the loop of the interpreter goes on.
  struct Step {
    const uint64_t* pc;
    Value* fp;
    uint64_t* hp;
  };
  Step next_step{};
  int64_t fuel = 0;  // calls until the next look at the limits
  Value* stack_end = nullptr;
  // A frame below has not been changed since the last mark or collection: whoever goes
  // back to it calls reenter() first.
  Value* watermark = nullptr;
  // Once the top of the heap is beyond, the next call looks at heap and limits.
  uint64_t* heap_limit = nullptr;
  Context context;
  uint64_t services_starting = 0;  // see services.cc; 0 between two steps
  bool stopped = false;  // the running process must not go on: it has paused, or all is over
  const uint64_t* receive_place = nullptr;  // of its ReceivePeek

  // ---- Events

  // The running process stops before events. Services do not.
  bool is_observed() const { return is_observed_; }
  bool stops_at_events() const { return is_observed_ && !current_->is_system; }
  bool in_service() const { return current_ && current_->is_system; }
  // Before an event, if so. True: it is to be performed, and told of.
  // False: the process must pause here; its next step is the event.
  bool performs(EventKind kind, const uint64_t* pc, core::NodeId node);
  // The event touches something.
  void access(const Access& access) {
    if (event_->kind != EventKind::None) event_->accesses.push_back(access);
  }
  void access(SharedObject object, AccessMode mode, uint64_t id, Value part = Value::none()) {
    access({object, mode, id, part});
  }
  void access(SharedObject object, AccessMode mode, const Process& p, Value part = Value::none()) {
    access(object, mode, p.pid.local_number(), part);
  }
  // A message that reaches nobody, since the process has ended, or does not want it any more.
  void lost(uint64_t process, Value message, Value monitor = Value::none()) {
    if (event_->kind != EventKind::None) {
      event_->sent.push_back({process, message, Sent::kNowhere, monitor});
    }
  }
  Event& current_event() { return *event_; }
  // The process stops before an event, in front of the instruction.
  void pause_before_event(const uint64_t* pc, Value* fp, size_t live);
  // Or in front of the call of a native function, whose arguments lie in their place.
  void pause_before_call(const uint64_t* pc, Value* fp, const Export* target);

  // Room for a frame at `fp`, code for the function, and a look at the limits. The
  // frame may move: returns where it is. Null: the run is over.
  Value* prepare_call(Function* function, Value* fp, uint32_t arguments);
  // Finds who implements it, loading its module if need be.
  bool resolve(Export* target);
  // Room for fp[0] to fp[words]; the stack may move.
  Value* ensure_stack(Value* fp, size_t words);
  // The frame of a native function that failed.
  Value native_frame(const Export* target, std::span<const Value> arguments);
  Value error_info(Atom module);
  Value location(const Function& function, core::NodeId node);
  // A native function has ended the run: if because it is not modelled, says which it is
  // and where it was called.
  void name_unsupported(const Export& callee, const uint64_t* pc, core::NodeId node,
                        const Value* fp);
  // "; called from m:f/1 (file:line)", for messages: by the instruction, or by whoever
  // made the frame.
  std::string called_from(const uint64_t* pc, core::NodeId node);
  std::string called_from(const Value* fp);
  // As in OTP eight frames, unless one wants more.
  static constexpr size_t kTraceDepth = 8;
  Value capture_trace(const uint64_t* pc, core::NodeId node, const Value* fp,
                      size_t frames = kTraceDepth);
  void stop(Outcome::Kind kind, std::string message);
  void reenter(Value* fp);
  // The running process stops at this place, where `live` words of its frame matter.
  void pause(const uint64_t* pc, Value* fp, size_t live);
  // The process has ended. If it was the first one, the run is over.
  void end_process(Process& p, Value reason, Outcome how);
  // A process whose values have changed is visited by the next collection.
  void mark_dirty(Process& p);

 private:
  static constexpr int64_t kFuel = 20'000;  // calls between two looks at the limits

  uint64_t own_number(uint64_t& counter);
  template <class T>
  T count(T& counter, std::type_identity_t<T> by) {
    journal_.set(counter, counter + by);
    return counter;
  }
  // A module that only the code path of the program itself has.
  Result<std::optional<ModuleSource::Found>> find_in_added(Atom name);
  void visit_stack(class Collector& collector, Process& p, bool everything);
  void collect();
  Value* grow_stack(Value* fp, size_t needed);
  static std::string file_of(const LoadedModule& module, core::AstId node);
  bool check_limits(const Function* next);
  size_t used_bytes();
  void refuel();
  void count_reductions();
  void let_run(Process& p, int64_t reductions);
  void let_services_run();
  Process& add_process(Process* parent, bool is_system, Value module, Value name, Value arguments);
  void park(const uint64_t* pc, Value* fp, size_t live);
  void protect(Process& p);
  bool wants_collection() const {
    return !journal_.active() && nested_ == 0 &&
           (heap_.top() > heap_limit || heap_.wants_collection());
  }

  Heap heap_;
  Journal journal_;
  CodeTable code_;
  ModuleSource& source_;
  const NativeTable& natives_;
  Limits limits_;
  Statistics statistics_;
  ProcessTable processes_{journal_};
  Process* current_ = nullptr;
  Value first_pid_ = Value::none();
  // Counts marks, rewinds and collections: see Process::watermark.
  uint64_t epoch_ = 1;
  std::vector<Value> dirty_;       // pids of the processes that have changed in this epoch
  bool everything_dirty_ = false;  // or nobody knows which
  int64_t budget_ = 0;             // calls that the running process may make, beside its fuel
  int64_t portion_ = 0;            // of which it was given this much as fuel
  size_t nested_ = 0;              // calls of let_services_run_now that are going on
  int64_t unchecked_ = 0;          // calls of all processes since the last look at the limits
  SharedState shared_;
  Tables tables_{heap_, journal_};
  std::string output_;
  double deadline_ = 0;
  const uint32_t first_atom_ = atom_count();  // those before are not the program's
  bool is_observed_ = false;
  bool signals_wait_ = false;
  bool outlives_first_ = false;
  bool is_silent_ = false;
  bool records_changes_ = false;
  bool has_read_clock_ = false;
  Process probe_;  // for would_take()
  Event own_event_;
  Event* event_ = &own_event_;
  bool may_perform_ = false;  // the next event, and no other
};

}  // namespace fathom::machine
