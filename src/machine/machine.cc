#include "machine/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "machine/bifs/char_lists.h"
#include "machine/bifs/families.h"
#include "machine/compile.h"
#include "machine/interpreter.h"
#include "machine/maps.h"
#include "machine/outcome_text.h"
#include "machine/services.h"
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

// Round robin.
Outcome Machine::run(Atom module, Atom name, std::span<const Value> arguments) {
  start(module, name, arguments);
  while (!outcome) {
    if (Process* p = processes_.first_runnable()) {
      processes_.move_to_end(*p);
      resume(*p, kFuel);
    } else if (!pass_time()) {
      stop(Outcome::Kind::Deadlock, deadlock_text(*this));
    }
  }
  return std::move(*outcome);
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
  run_loop(*this, p.pc, p.stack.data() + p.frame, heap_.top());
  count_reductions();
  statistics_.peak_heap = std::max(statistics_.peak_heap, heap_.used_bytes());
  p.watermark = static_cast<size_t>(watermark - p.stack.data());
  if (p.status == Process::Status::Exited) processes_.drop(p);
  current_ = nullptr;
}

void Machine::run_nested(Process& started) {
  struct Saved {
    Process* current;
    Value* stack_end;
    Value* watermark;
    uint64_t* heap_limit;
    Pending pending;
    Context::Call call;
    int64_t fuel;
    int64_t budget;
    int64_t portion;
    Value receive_timeout;
    Step next_step;
  };
  const Saved saved{current_,     stack_end, watermark, heap_limit, std::exchange(pending, {}),
                    context.call, fuel,      budget_,   portion_,   receive_timeout,
                    next_step};
  heap_limit = reinterpret_cast<uint64_t*>(UINTPTR_MAX);
  ++nested_;
  const Value since = started.pid;  // it may be gone before the others are
  while (Process* p = outcome ? nullptr : processes_.system_runnable_since(since))
    resume(*p, kFuel);
  --nested_;
  current_ = saved.current;
  stack_end = saved.stack_end;
  watermark = saved.watermark;
  heap_limit = saved.heap_limit;
  pending = saved.pending;
  context.call = saved.call;
  fuel = saved.fuel;
  budget_ = saved.budget;
  portion_ = saved.portion;
  receive_timeout = saved.receive_timeout;
  next_step = saved.next_step;
  stopped = outcome.has_value();
}

bool Machine::pass_time() {
  if (shared_.timers.empty()) return false;
  const auto [time, number, timer] = shared_.timers.first();
  shared_.timers.remove(journal_, number);
  journal_.set(shared_.counters.clock, std::max(clock(), time));
  Process* to = timer.destination.is_atom() ? registered(*this, timer.destination.atom())
                                            : processes_.find(timer.destination);
  if (!to) return true;
  if (!timer.message.is_none()) {
    deliver(*to, timer.message);
    return true;
  }
  journal_.set(to->is_timed_out, true);
  journal_.set(to->receive_timer, 0);
  wake(*to);
  return true;
}

// ---- Processes --------------------------------------------------------------

namespace {

// The code of a process's beginning: a tail call of what it is to do.
const uint64_t kStart[] = {Instruction(Op::TailCallList, 0, 3, 0).word, 0, 0};

}  // namespace

Process& Machine::spawn(Value module, Value name, Value arguments) {
  Process& p = processes_.add();
  p.stack.assign(kFirstStack, Value());
  p.stack[0] = Value::from_raw(reinterpret_cast<uint64_t>(kBaseSite));
  p.stack[1] = module;
  p.stack[2] = name;
  p.stack[3] = arguments;
  p.pc = kStart;
  p.frame = 1;
  p.top = 4;
  p.dictionary = p.flags = p.links = p.monitors = p.monitored_by = p.aliases = p.suspending =
      empty_map(heap_);
  p.group_leader = current_ ? current_->group_leader : kGroupLeader;
  p.is_system = p.starts_system = current_ && current_->starts_system;
  p.epoch = epoch_;
  touch(p);
  return p;
}

Process& Machine::spawn_system(Atom module, Atom name, std::span<const Value> arguments) {
  Process& p = spawn(Value(module), Value(name), heap_.list(arguments));
  p.group_leader = kGroupLeader;
  p.is_system = p.starts_system = true;
  return p;
}

void Machine::deliver(Process& to, Value message) {
  to.mailbox.append(journal_, message);
  touch(to);
  wake(to);
}

void Machine::wake(Process& p) {
  using enum Process::Status;
  if (p.status == Waiting) processes_.set_status(p, Runnable);
  if (p.status == Suspended) journal_.set(p.resumes_as, Runnable);
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
  if (found && !*found) found = find_in_added(name);
  if (!found) {
    stop(Outcome::Kind::Unsupported, found.error().message);
    return nullptr;
  }
  if (!*found) return code_.find_mock(name);
  return code_.load(std::move((*found)->unit), std::move((*found)->core));
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
