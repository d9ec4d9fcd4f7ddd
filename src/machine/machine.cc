#include "machine/machine.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/budget.h"
#include "code/compile.h"
#include "machine/driver.h"
#include "machine/interpreter.h"
#include "machine/process_name.h"
#include "machine/services.h"
#include "machine/signals.h"
#include "machine/tracing.h"
#include "values/char_lists.h"
#include "values/maps.h"

namespace fathom::machine {
namespace {

constexpr size_t kFirstStack = 48;  // words: many processes never need more

Value unmodelled(Context& c, const Value*) { return c.unsupported(c.call.callee->missing); }

std::string at(const Function* f) {
  if (!f) return {};
  return fmt::format(", in a call of {}:{}/{}", f->module.text(), f->name.text(), f->arity);
}

}  // namespace

Machine::Machine(ModuleSource& source, const NativeTable& natives, Limits limits, Mode mode)
    : context(*this, heap_),
      heap_(mode.code.labels),
      code_(heap_, &unmodelled, mode.code),
      source_(source),
      natives_(natives),
      limits_(limits),
      mode_(mode) {
  for (const std::span<const NativeEntry> family : natives.families) {
    for (const NativeEntry& entry : family) {
      if (entry.since <= source.otp_release()) code_.set_native(entry);
    }
  }
  if (mode_.is_silent) {
    for (const NativeEntry& entry : natives.silent) code_.set_native(entry);
  }
  for (const VisibleNative& native : visible_natives()) code_.set_visible(native);
  if (mode_.is_observed) {
    processes_.number_by_lineage();
    clock_.stand_still();
  }
  state.heap_limit = heap_.top();
  heap_.set_alarm(&state.heap_limit);
}

Machine::~Machine() = default;

// ---- Drivers ----------------------------------------------------------------

Process& Machine::start(Atom module, Atom name, std::span<const Value> arguments) {
  outcome.reset();
  Process& p = spawn(Value(module), Value(name), heap_.list(arguments));
  // As if a fun of the program's had been spawned: what evaluates expressions is not part of it.
  p.initial_call = {atoms::erlang, Atom::intern("apply"), 2};
  first_call_ = {module, name, static_cast<uint32_t>(arguments.size())};
  journal_.set(first_pid_, p.pid);
  return p;
}

Outcome Machine::run(Atom module, Atom name, std::span<const Value> arguments) {
  start(module, name, arguments);
  RoundRobin driver;
  return *drive(*this, driver);
}

// ---- Processes --------------------------------------------------------------

namespace {

// The code of a process's beginning: a tail call of what it is to do.
// The word in front is for the labelled interpreter.
const uint64_t kStartCode[] = {kNoLabel, Instruction(Op::TailCallList, 0, 3, 0).word, 0, 0};
const uint64_t* const kStart = kStartCode + 1;

}  // namespace

Process& Machine::set_up(Process& p, const Process* parent, Value module, Value name,
                         Value arguments) {
  grow_stack_of(p, kFirstStack);
  p.stack[0] = Value::from_raw(reinterpret_cast<uint64_t>(kBaseSite));
  p.stack[1] = module;
  p.stack[2] = name;
  p.stack[3] = arguments;
  p.pc = kStart;
  p.frame = 1;
  p.top = 4;
  p.dictionary = p.flags = p.links = p.monitors = p.monitored_by = p.aliases = p.suspending =
      p.demonitored = empty_map(heap_);
  p.group_leader = parent ? parent->group_leader : kGroupLeader;
  p.starts_system = p.is_system;
  p.lineage = lineage(heap_, parent, processes_.last_orphan());
  if (parent) p.parent = parent->pid;
  uint32_t arity = 0;
  for (Value rest = arguments; rest.is_cons(); rest = rest.tail()) ++arity;
  p.initial_call = {module.atom(), name.atom(), arity};
  p.epoch = epoch_;
  mark_dirty(p);
  events_.access(SharedObject::Processes, AccessMode::Append, 0);
  events_.access(SharedObject::Life, AccessMode::Append, p);
  // Whose group leader it has.
  static const Value group_leader = atom("group_leader");
  if (parent) events_.access(SharedObject::Flags, AccessMode::Read, *parent, group_leader);
  return p;
}

Process& Machine::spawn(Value module, Value name, Value arguments) {
  Process* const parent = state.process;
  Process& p = processes_.add(parent, parent && parent->starts_system);
  return set_up(p, parent, module, name, arguments);
}

Process& Machine::spawn_system(Atom module, Atom name, std::span<const Value> arguments,
                               uint64_t reserved) {
  Process& p = processes_.add(nullptr, true, reserved);
  return set_up(p, nullptr, Value(module), Value(name), heap_.list(arguments));
}

void Machine::deliver(Process& to, Value message, Value monitor, const MessageLabels& labels) {
  if (is_tracing(*this)) trace_receive(*this, to, message);
  deliver_untraced(to, message, monitor, labels);
}

void Machine::deliver_untraced(Process& to, Value message, Value monitor,
                               const MessageLabels& labels) {
  if (to.is_exiting) return events_.lose(to.pid.local_number(), message, monitor);
  const uint64_t stamp = numbers().stamp(to);
  if (mode_.code.labels) to.mailbox.label_next(labels);
  if (mode_.is_observed) {
    const uint32_t number = to.mailbox.append_numbered(journal_, message, stamp);
    events_.access(SharedObject::Mailbox, AccessMode::Append, to, Value::small(number));
    events_.send({to.pid.local_number(), message, number, monitor});
  } else {
    to.mailbox.append(journal_, message, stamp);
  }
  mark_dirty(to);
  wake(to);
}

void Machine::wake(Process& p) {
  using enum Process::Status;
  if (p.status == Waiting) processes_.set_status(p, Runnable);
  if (p.status == Suspended) journal_.set(p.resumes_as, Runnable);
}

void Machine::hibernate(Value module, Value name, Value arguments) {
  Value* fp = state.process->stack.data() + 1;
  if (fp < state.watermark) reenter(fp);
  fp[0] = module;
  fp[1] = name;
  fp[2] = arguments;
  pause(kStart, fp, 3);
  if (state.process->mailbox.size() == 0) {
    processes_.set_status(*state.process, Process::Status::Waiting);
  }
}

void Machine::pause(const uint64_t* pc, Value* fp, size_t live) {
  park(pc, fp, live);
  state.stopped = true;
}

void Machine::end_process(Process& p, Value reason, Outcome how) {
  if (!p.is_system) events_.end({p.pid, p.lineage, reason, how.trace, p.ends_by_link});
  if (p.pid == first_pid_ && !mode_.outlives_first_process) outcome = std::move(how);
  processes_.set_status(p, Process::Status::Exited);
  if (&p == state.process) {
    state.stopped = true;
  } else {
    processes_.drop(p);
  }
}

void Machine::stop(Outcome::Kind kind, std::string message) {
  if (outcome) return;
  state.stopped = true;
  outcome = Outcome{.kind = kind,
                    .value = {},
                    .exception_class = {},
                    .trace = Value::nil(),
                    .message = std::move(message)};
}

// ---- Code -------------------------------------------------------------------

LoadedModule* Machine::ensure_module(Atom name) {
  if (LoadedModule* loaded = code_.find_module(name)) return loaded;
  auto found = source_.find(name);
  if (found && !*found) {
    LoadedModule* const written = natives_.load_written(*this, name);
    if (written || state.stopped) return written;
    found = find_in_added(name);
  }
  if (!found) {
    stop(Outcome::Kind::Unsupported, found.error().message);
    return nullptr;
  }
  if (!*found) return code_.find_mock(name);
  return code_.load(std::move((*found)->unit), std::move((*found)->core),
                    std::move((*found)->parts));
}

Result<std::optional<ModuleSource::Found>> Machine::find_in_added(Atom name) {
  Value dirs = shared_.code_directories.list;
  for (; dirs.is_cons(); dirs = dirs.tail()) {
    const auto dir = char_list_text(dirs.head());
    if (!dir) continue;
    auto found = source_.find_in(*dir, name);
    if (!found || *found) return found;
  }
  return std::optional<ModuleSource::Found>();
}

bool Machine::resolve(Export* target) {
  if (target->native || target->function) return true;
  LoadedModule* module = ensure_module(target->module);
  if (state.stopped || !module) return false;
  if (!target->function) {
    target->native = natives_.generated(*module, target->name, target->arity);
    target->may_call = true;
  }
  return target->native || target->function;
}

// ---- Limits -----------------------------------------------------------------

// Limits are checked when the fuel has been used up, which is given in portions. What
// other processes have used since the last check counts, so that many that run for moments
// only are held to the limits too.
void Machine::refuel() {
  state.fuel = portion_ = std::min(budget_, std::max<int64_t>(kFuel - unchecked_, 0));
  budget_ -= portion_;
}

void Machine::count_reductions() {
  const auto used = static_cast<uint64_t>(portion_ - std::max<int64_t>(state.fuel, 0));
  statistics_.reductions += used;
  state.process->reductions += used;
  unchecked_ += static_cast<int64_t>(used);
  portion_ = state.fuel = 0;
}

// `next`: what would be called next, if that is known.
bool Machine::check_limits(const Function* next) {
  unchecked_ = 0;
  if (statistics_.reductions > limits_.reductions) {
    stop(Outcome::Kind::Limit,
         fmt::format("the limit of {} reductions is reached{}", limits_.reductions, at(next)));
    return false;
  }
  if (heap_.is_nearly_full()) {
    stop(Outcome::Kind::Limit,
         fmt::format("the addresses that the system allows (ulimit -v) are used up{}", at(next)));
    return false;
  }
  Budget* const budget = Budget::current();
  if (!budget || !budget->is_spent()) return true;
  stop(Outcome::Kind::Limit, budget->reason() + at(next));
  return false;
}

Value* Machine::prepare_call(Function* function, Value* fp, uint32_t arguments) {
  if (function->code.empty()) {
    if (auto compiled = compile(*function, code_); !compiled) {
      stop(Outcome::Kind::Unsupported,
           fmt::format("{}:{}/{}: {}", function->module.text(), function->name.text(),
                       function->arity, compiled.error().message));
      return nullptr;
    }
    hide_if_traced(*this, *function);
  }
  if (fp + function->frame > state.stack_end) fp = grow_stack(fp, function->frame);
  const bool collects = wants_collection();
  if (collects) {
    park(function->start(), fp, arguments);
    collect();
  }
  const bool is_alarm = state.heap_limit == nullptr;
  if (is_alarm) state.heap_limit = reinterpret_cast<uint64_t*>(UINTPTR_MAX);  // there is a mark
  const bool is_empty = state.fuel < 0;
  if (is_empty) count_reductions();
  if ((collects || is_alarm || is_empty) && !check_limits(function)) {
    park(function->start(), fp, arguments);  // so that one can see where it was
    return nullptr;
  }
  if (is_empty && budget_ == 0) pause(function->start(), fp, arguments);
  if (is_empty) refuel();
  return fp;
}

}  // namespace fathom::machine
