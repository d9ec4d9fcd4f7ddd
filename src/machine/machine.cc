#include "machine/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "machine/bifs/families.h"
#include "machine/collector.h"
#include "machine/compile.h"
#include "machine/interpreter.h"
#include "machine/maps.h"

namespace fathom::machine {
namespace {

constexpr int64_t kFuel = 20'000;  // calls between two looks at the limits
constexpr size_t kFirstStack = 256;
constexpr size_t kNurseryWords = (size_t{4} << 20) / sizeof(uint64_t);

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
  process_.pid = Value::pid(1);
  process_.group_leader = Value::pid(0);
  process_.dictionary = empty_map(heap_);
  process_.flags = empty_map(heap_);
  if (limits_.seconds > 0) deadline_ = now() + limits_.seconds;
}

Machine::~Machine() = default;

Outcome Machine::run(Atom module, Atom name, std::span<const Value> arguments) {
  outcome.reset();
  stopped = false;
  pending = {};
  fuel = kFuel;
  process_.stack.assign(kFirstStack, Value());
  stack_end = process_.stack.data() + process_.stack.size();
  heap_limit = heap_.top() + kNurseryWords;
  Value* fp = process_.stack.data() + 1;
  fp[-1] = Value::from_raw(reinterpret_cast<uint64_t>(kBaseSite));
  fp = ensure_stack(fp, arguments.size() + 8);
  std::copy(arguments.begin(), arguments.end(), fp);
  // The code of the process's beginning: a tail call of the function.
  Export* target = code_.find_export(module, name, static_cast<uint32_t>(arguments.size()));
  const uint64_t start[] = {
      Instruction(Op::TailCallExport, 0, static_cast<uint32_t>(arguments.size()), 0).word,
      reinterpret_cast<uint64_t>(target), 0};
  run_loop(*this, start, fp, heap_.top());
  statistics_.reductions += static_cast<uint64_t>(kFuel - std::max<int64_t>(fuel, 0));
  statistics_.peak_heap = std::max(statistics_.peak_heap, heap_.used_bytes());
  return std::move(*outcome);
}

void Machine::stop(Outcome::Kind kind, std::string message) {
  if (stopped) return;
  outcome = Outcome{.kind = kind,
                    .value = {},
                    .exception_class = {},
                    .trace = Value::nil(),
                    .message = std::move(message)};
  stopped = true;
}

// ---- Code -------------------------------------------------------------------

LoadedModule* Machine::ensure_module(Atom name) {
  if (LoadedModule* loaded = code_.find_module(name)) return loaded;
  auto found = source_.find(name);
  if (!found) {
    stop(Outcome::Kind::Unsupported, found.error().message);
    return nullptr;
  }
  if (!*found) return nullptr;
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

// ---- Safe points ------------------------------------------------------------

Value* Machine::ensure_stack(Value* fp, size_t words) {
  return fp + words + 1 > stack_end ? grow_stack(fp, words + 1) : fp;
}

Value* Machine::grow_stack(Value* fp, size_t needed) {
  std::vector<Value>& stack = process_.stack;
  const auto at = static_cast<size_t>(fp - stack.data());
  stack.resize(std::max(stack.size() * 2, at + needed + kFirstStack));
  stack_end = stack.data() + stack.size();
  return stack.data() + at;
}

bool Machine::check_limits(const Function& next) {
  statistics_.reductions += static_cast<uint64_t>(kFuel - std::max<int64_t>(fuel, 0));
  fuel = kFuel;
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
  const size_t used = heap_.used_bytes() + process_.stack.size() * sizeof(Value);
  if (used > limits_.memory) {
    stop(Outcome::Kind::Limit,
         fmt::format("the memory limit of {} MB is reached{}", limits_.memory >> 20, at(next)));
    return false;
  }
  return true;
}

Value* Machine::prepare_call(Function* function, Value* fp, uint32_t arguments) {
  if (fuel < 0 && !check_limits(*function)) return nullptr;
  if (!function->entry) {
    if (auto compiled = compile(*function, code_); !compiled) {
      stop(Outcome::Kind::Unsupported,
           fmt::format("{}:{}/{}: {}", function->module.text(), function->name.text(),
                       function->arity, compiled.error().message));
      return nullptr;
    }
  }
  if (fp + function->frame > stack_end) fp = grow_stack(fp, function->frame);
  if (heap_.top() > heap_limit || heap_.wants_collection()) {
    collect(fp, arguments);
    if (!check_limits(*function)) return nullptr;
  }
  return fp;
}

// ---- Collection -------------------------------------------------------------

void Machine::visit_stack(Collector& collector, Value* fp, uint32_t arguments) {
  collector.visit({fp, arguments});
  for (;;) {
    const auto* site = reinterpret_cast<const uint64_t*>(fp[-1].raw());
    if (site == kBaseSite) return;
    fp -= op_a(site);
    LiveMask(site[2]).for_each([&](size_t r) { collector.visit(fp[r]); });
  }
}

void Machine::collect(Value* fp, uint32_t arguments) {
  statistics_.peak_heap = std::max(statistics_.peak_heap, heap_.used_bytes());
  const bool full = heap_.wants_full_collection();
  Collector collector(heap_, full);
  visit_stack(collector, fp, arguments);
  collector.visit(process_.mailbox);
  collector.visit(process_.dictionary);
  collector.visit(shared_.persistent_terms.map);
  collector.visit(shared_.environment.map);
  collector.visit(process_.flags);
  collector.visit(process_.group_leader);
  collector.finish();
  ++statistics_.collections;
  statistics_.full_collections += full ? 1 : 0;
  heap_limit = heap_.top() + kNurseryWords;
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
