#include "machine/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "machine/bifs/families.h"
#include "machine/compile.h"
#include "machine/driver.h"
#include "machine/group_leader.h"
#include "machine/interpreter.h"
#include "machine/maps.h"
#include "machine/process_name.h"
#include "machine/signals.h"

namespace fathom::machine {
namespace {

constexpr int64_t kFuel = 20'000;  // calls between two looks at the limits
constexpr size_t kFirstStack = 256;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string at(const Function& f) {
  return fmt::format(", in a call of {}:{}/{}", f.module.text(), f.name.text(), f.arity);
}

}  // namespace

Machine::Machine(ModuleSource& source, Limits limits)
    : context(*this, heap_), code_(heap_), source_(source), limits_(limits) {
  for (const std::span<const NativeEntry> family : native_families()) {
    for (const NativeEntry& entry : family) code_.set_native(entry);
  }
  for (const VisibleNative& native : visible_natives()) code_.set_visible(native);
  heap_limit = heap_.top();
  if (limits_.seconds > 0) deadline_ = now() + limits_.seconds;
}

Machine::~Machine() = default;

// ---- Drivers ----------------------------------------------------------------

Process& Machine::start(Atom module, Atom name, std::span<const Value> arguments) {
  outcome.reset();
  Process& p = spawn(Value(module), Value(name), heap_.list(arguments));
  journal_.set(first_pid_, p.pid);
  return p;
}

Outcome Machine::run(Atom module, Atom name, std::span<const Value> arguments) {
  start(module, name, arguments);
  RoundRobin driver;
  return *drive(*this, driver);
}

void Machine::resume(Process& p, int64_t reductions) {
  assert(p.status == Process::Status::Runnable && !outcome);
  current_ = &p;
  protect(p);
  stack_end = p.stack.data() + p.stack.size();
  watermark = p.stack.data() + p.watermark;
  stopped = false;
  pending = {};
  budget_ = reductions;
  refuel();
  event_ = {};
  may_perform_ = std::exchange(p.is_at_event, false);
  if (const Export* call = std::exchange(p.call, nullptr)) {
    run_call(*this, p.pc, p.stack.data() + p.frame, heap_.top(), call);
  } else {
    run_loop(*this, p.pc, p.stack.data() + p.frame, heap_.top());
  }
  count_reductions();
  statistics_.peak_heap = std::max(statistics_.peak_heap, heap_.used_bytes());
  p.watermark = static_cast<size_t>(watermark - p.stack.data());
  if (p.status == Process::Status::Exited) processes_.drop(p);
  current_ = nullptr;
}

void Machine::fire(uint64_t number) {
  const Timer timer = shared_.timers.get(number);
  const int64_t time = *shared_.timers.remove(journal_, number);
  event_ = {};
  event_.kind = EventKind::Timer;
  event_.process = Value::none();
  touched(Thing::Timer, TouchMode::Write, number);
  journal_.set(shared_.counters.clock, std::max(clock(), time));
  journal_.set(shared_.counters.looks, 0);
  Process* to = timer.destination.is_atom() ? registered(*this, timer.destination.atom())
                                            : processes_.find(timer.destination);
  if (timer.destination.is_atom()) {
    touched(Thing::Name, TouchMode::Read, 0, timer.destination);
  }
  if (!to) return;
  if (!timer.message.is_none()) return deliver(*to, timer.message);
  journal_.set(to->is_timed_out, true);
  journal_.set(to->receive_timer, 0);
  processes_.set_status(*to, Process::Status::Runnable);
}

int64_t Machine::read_clock() {
  constexpr uint64_t kPatience = 10'000;
  constexpr int64_t kMicrosecond = 1'000;
  if (count(shared_.counters.looks, 1) > kPatience) count(shared_.counters.clock, kMicrosecond);
  return clock();
}

uint64_t Machine::own_number(uint64_t& counter) {
  constexpr uint64_t kOwn = uint64_t{1} << 58;
  constexpr uint64_t kPidShift = 30;
  if (!journal_.active()) return count(counter, 1);
  return kOwn | current_->pid.local_number() << kPidShift | count(current_->identifiers, 1);
}

// ---- Events -----------------------------------------------------------------

void Machine::observe() {
  is_observed = true;
  processes_.remember_pids();
}

bool Machine::performs(EventKind kind, const uint64_t* pc, core::NodeId node) {
  if (!std::exchange(may_perform_, false)) return false;
  event_.kind = kind;
  event_.process = current_->pid;
  event_.place = code_.function_at(pc);
  event_.node = node;
  return true;
}

void Machine::pause_before_event(const uint64_t* pc, Value* fp, size_t live) {
  current_->is_at_event = true;
  pause(pc, fp, live);
}

void Machine::pause_before_call(const uint64_t* pc, Value* fp, const Export* target) {
  current_->call = target;
  pause_before_event(pc, fp, op_a(pc) + target->arity);
}

// ---- Processes --------------------------------------------------------------

namespace {

// The code of a process's beginning: a tail call of what it is to do.
const uint64_t kStart[] = {Instruction(Op::TailCallList, 0, 3, 0).word, 0, 0};

}  // namespace

Process& Machine::spawn(Value module, Value name, Value arguments) {
  Process& p = processes_.add(current_);
  p.stack.assign(kFirstStack, Value());
  p.stack[0] = Value::from_raw(reinterpret_cast<uint64_t>(kBaseSite));
  p.stack[1] = module;
  p.stack[2] = name;
  p.stack[3] = arguments;
  p.pc = kStart;
  p.frame = 1;
  p.top = 4;
  p.dictionary = p.flags = p.links = p.monitors = p.monitored_by = p.aliases = empty_map(heap_);
  p.group_leader = current_ ? current_->group_leader : kGroupLeader;
  p.lineage = lineage(heap_, current_, processes_.orphans());
  p.epoch = epoch_;
  touch(p);
  touched(Thing::Processes, TouchMode::Append, 0);
  touched(Thing::Life, TouchMode::Append, p);
  return p;
}

void Machine::deliver(Process& to, Value message) {
  if (is_observed) {
    const uint32_t number = to.mailbox.append_numbered(journal_, message);
    touched(Thing::Mailbox, TouchMode::Append, to, Value::small(number));
  } else {
    to.mailbox.append(journal_, message);
  }
  touch(to);
  if (to.status == Process::Status::Waiting) {
    processes_.set_status(to, Process::Status::Runnable);
  }
}

void Machine::hibernate(Value module, Value name, Value arguments) {
  Value* fp = current_->stack.data() + 1;
  if (fp < watermark) reenter(fp);
  fp[0] = module;
  fp[1] = name;
  fp[2] = arguments;
  pause(kStart, fp, 3);
  if (current_->mailbox.size() == 0) {
    processes_.set_status(*current_, Process::Status::Waiting);
  }
}

void Machine::pause(const uint64_t* pc, Value* fp, size_t live) {
  park(pc, fp, live);
  stopped = true;
}

void Machine::end_process(Process& p, Outcome how) {
  if (p.pid == first_pid_) outcome = std::move(how);
  processes_.set_status(p, Process::Status::Exited);
  if (&p == current_) {
    stopped = true;
  } else {
    processes_.drop(p);
  }
}

void Machine::write(std::string_view text) {
  journal_.record(
      [](std::span<const uint64_t> words) {
        reinterpret_cast<std::string*>(words[0])->resize(words[1]);
      },
      {reinterpret_cast<uint64_t>(&output_), output_.size()});
  output_ += text;
}

void Machine::stop(Outcome::Kind kind, std::string message) {
  if (outcome) return;
  stopped = true;
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
  if (!found) {
    stop(Outcome::Kind::Unsupported, found.error().message);
    return nullptr;
  }
  if (!*found) return code_.find_mock(name);
  return code_.load(std::move((*found)->unit), std::move((*found)->core));
}

bool Machine::resolve(Export* target) {
  if (target->native || target->function) return true;
  LoadedModule* module = ensure_module(target->module);
  if (stopped || !module) return false;
  if (!target->function) {
    target->native = generated_native(*module, target->name, target->arity);
    target->may_call = true;
  }
  return target->native || target->function;
}

// ---- Limits -----------------------------------------------------------------

// Limits are looked at when the fuel has been used up, which is given in portions.
void Machine::refuel() {
  fuel = portion_ = std::min(budget_, kFuel);
  budget_ -= portion_;
}

void Machine::count_reductions() {
  const auto used = static_cast<uint64_t>(portion_ - std::max<int64_t>(fuel, 0));
  statistics_.reductions += used;
  current_->reductions += used;
  portion_ = fuel = 0;
}

bool Machine::check_limits(const Function& next) {
  if (statistics_.reductions > limits_.reductions) {
    stop(Outcome::Kind::Limit,
         fmt::format("the limit of {} reductions is reached{}", limits_.reductions, at(next)));
    return false;
  }
  if (deadline_ > 0 && now() > deadline_) {
    stop(Outcome::Kind::Limit,
         fmt::format("the time limit of {} seconds is reached{}", limits_.seconds, at(next)));
    return false;
  }
  const size_t used = heap_.used_bytes() + current_->stack.size() * sizeof(Value) +
                      journal_.words() * sizeof(uint64_t);
  if (used > limits_.memory) {
    stop(Outcome::Kind::Limit,
         fmt::format("the memory limit of {} MB is reached{}", limits_.memory >> 20, at(next)));
    return false;
  }
  return true;
}

Value* Machine::prepare_call(Function* function, Value* fp, uint32_t arguments) {
  if (!function->entry) {
    if (auto compiled = compile(*function, code_); !compiled) {
      stop(Outcome::Kind::Unsupported,
           fmt::format("{}:{}/{}: {}", function->module.text(), function->name.text(),
                       function->arity, compiled.error().message));
      return nullptr;
    }
  }
  if (fp + function->frame > stack_end) fp = grow_stack(fp, function->frame);
  const bool collects = wants_collection();
  if (collects) {
    park(function->entry, fp, arguments);
    collect();
  }
  const bool is_empty = fuel < 0;
  if (is_empty) count_reductions();
  if ((collects || is_empty) && !check_limits(*function)) return nullptr;
  if (is_empty && budget_ == 0) pause(function->entry, fp, arguments);
  if (is_empty) refuel();
  return fp;
}

// ---- Places -----------------------------------------------------------------

// As the last -file before the form says.
std::string Machine::file_of(const LoadedModule& module, core::AstId node) {
  const Ast& ast = module.unit->ast;
  std::string file = module.unit->path;
  for (const NodeId form : ast.forms()) {
    if (ast.kind(form) == NodeKind::Attribute) {
      const auto attribute = ast.get<fathom::node::Attribute>(form);
      const std::span<const NodeId> values = ast.list(attribute.values);
      if (attribute.name == atoms::file && !values.empty() &&
          ast.kind(values[0]) == NodeKind::String) {
        file = module.unit->literals().strings[ast.get<fathom::node::String>(values[0]).value];
      }
    }
    if (form >= node) break;
  }
  return file;
}

}  // namespace fathom::machine
